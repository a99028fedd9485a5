// Memo: how far the bounds of a state's parts fall short of 3k, by the keys of the parts. Include
// tally.cuh and reach.cuh first.
//
// The same part comes back under other guesses of the state, and what its bound falls short by is a
// matter of the part and of the state's list alone. So whichever block has found it out enters it,
// for all blocks and for later launches over the same lists.
//
// An entry is two words of 64 bits, the halves of the key, each with the number laid over it. Blocks
// write and read them without locks. Halves of two entries fit no key, but for a chance of 2^-112,
// and neither does an empty one; they count as unknown (Hyatt and Mann, A Lockless Transposition
// Table). A newer entry takes the place of an older one.

constexpr unsigned long long SPREAD = 0x9e3779b97f4a7c15ull;  // odd: different for every number
constexpr unsigned REMEMBERED_MOST = 65535;  // numbers
constexpr int LEAST_REMEMBERED = 6;          // answers from which it pays

struct Memo {
    unsigned long long *table;  // [slots][2], zero at first
    unsigned slots;             // a power of two
    const unsigned long long *random;  // [rows of the state][2]
};

struct Key {
    unsigned long long low, high;
};

// The exclusive or over a warp.
__device__ __forceinline__ unsigned long long xor_of_warp(unsigned long long mine)
{
    const unsigned low = __reduce_xor_sync(~0u, (unsigned)mine);
    const unsigned high = __reduce_xor_sync(~0u, (unsigned)(mine >> 32));
    return (unsigned long long)high << 32 | low;
}

// The key of a set of rows. A whole warp calls it, and all of its threads get the same.
__device__ __forceinline__ Key key_of(const Memo &memo, const State &part)
{
    Key mine = {0, 0};
    for (int i = threadIdx.x % WARP; i < part.n; i += WARP) {
        mine.low ^= memo.random[2 * part.answers[i]];
        mine.high ^= memo.random[2 * part.answers[i] + 1];
    }
    return {xor_of_warp(mine.low), xor_of_warp(mine.high)};
}

// What is remembered of a key; 0 for nothing. A whole warp calls it, and all get the same number.
__device__ __forceinline__ unsigned recall(const Memo &memo, const Key &key)
{
    unsigned found = 0;
    if (threadIdx.x % WARP == 0) {  // others might find the entry of another moment
        const unsigned long long *const entry = memo.table + 2 * (key.low & (memo.slots - 1));
        const unsigned long long number = __ldcg(entry + 1) ^ key.high;
        if (number <= REMEMBERED_MOST && (__ldcg(entry) ^ key.low) == number * SPREAD)
            found = (unsigned)number;
    }
    return __reduce_max_sync(~0u, found);
}

// Has a number, 1 or more, remembered. One thread calls it.
__device__ __forceinline__ void remember(const Memo &memo, const Key &key, unsigned number)
{
    unsigned long long *const entry = memo.table + 2 * (key.low & (memo.slots - 1));
    atomicExch(entry, key.low ^ number * SPREAD);
    atomicExch(entry + 1, key.high ^ number);
}
