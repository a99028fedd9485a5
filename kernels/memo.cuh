// Memo: a hash table of results for the parts of a state, by key. Include tally.cuh and reach.cuh
// first.
//
// Different guesses of a state often make equal parts. The bound of a part depends only on the part
// and on the state's list, so that it can be looked up the next time.
//
// The key of a part has 112 bits, the exclusive or of its answers' random words. An entry is two
// words: the key's first 64 bits, xor the second word; and the other 48 bits, with the value in the
// last 16 bits.
//
// Blocks replace entries while others read, without locks. Words are read and written atomically.
// A mixture of two entries matches the key of neither, and so counts as empty.

constexpr int LEAST_REMEMBERED = 6;  // answers; to bound a smaller part again costs less

struct Memo {
    unsigned long long *words;  // [entries][2], zero at first
    unsigned entries;           // a power of two
};

struct Key {
    unsigned long long first, second;
};

constexpr unsigned long long VALUE_MASK = 0xffff;

__device__ __forceinline__ unsigned long long xor_of_warp(unsigned long long word)
{
    const unsigned high = __reduce_xor_sync(~0u, (unsigned)(word >> 32));
    return (unsigned long long)high << 32 | __reduce_xor_sync(~0u, (unsigned)word);
}

// Returns the key of a set of answers; `random` has two words for each row. A whole warp calls it,
// and all of its threads get the result.
__device__ __forceinline__ Key key_of(
    const unsigned long long *__restrict__ random, const State &part)
{
    Key key = {};
    for (int i = threadIdx.x % WARP; i < part.n; i += WARP) {
        key.first ^= random[2 * part.answers[i]];
        key.second ^= random[2 * part.answers[i] + 1];
    }
    return {xor_of_warp(key.first), xor_of_warp(key.second)};
}

__device__ __forceinline__ unsigned long long *entry_of(const Memo &memo, const Key &key)
{
    return memo.words + 2 * (key.first & (memo.entries - 1));
}

// Returns the value stored under a key, or 0 if there is none. A whole warp calls it, and all of
// its threads get the result.
__device__ __forceinline__ unsigned recall(const Memo &memo, const Key &key)
{
    unsigned value = 0;
    if (threadIdx.x % WARP == 0) {
        const unsigned long long *const entry = entry_of(memo, key);
        const unsigned long long first = __ldcg(entry), second = __ldcg(entry + 1);
        if ((first ^ second) == key.first && ((second ^ key.second) & ~VALUE_MASK) == 0)
            value = (unsigned)(second & VALUE_MASK);
    }
    return __reduce_max_sync(~0u, value);
}

// Stores a value of at least 1 under a key. A whole warp calls it.
__device__ __forceinline__ void remember(const Memo &memo, const Key &key, unsigned value)
{
    if (threadIdx.x % WARP == 0) {
        unsigned long long *const entry = entry_of(memo, key);
        const unsigned long long second = (key.second & ~VALUE_MASK) | value;
        atomicExch(entry, key.first ^ second);
        atomicExch(entry + 1, second);
    }
}
