// Memo: what has been found out of the parts of a state, by their keys. Include tally.cuh and
// reach.cuh first.
//
// Guesses of a state make the same parts again and again. What each takes off the bound of a guess
// depends on the part and on the state's list alone, so that one look tells it the next time.
//
// The key of a part has 128 bits, by xor over its answers. An entry is two words: the first half of
// the key, and the second with the value in place of its last 16 bits.
//
// Blocks replace entries while others look, without locks. Each word is written and read as a whole.
// Who finds words of two entries finds halves of two keys, which fit no part. So an entry is either
// true or none.

constexpr int LEAST_REMEMBERED = 6;  // answers from which it pays

struct Memo {
    unsigned long long *entries;  // [slots][2], zero at first
    unsigned slots;               // a power of two
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

// The key of some answers, by `random`, two words a row. A whole warp calls it, and all of its
// threads get the same.
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
    return memo.entries + 2 * (key.first & (memo.slots - 1));
}

// What was found out of a part, or 0. A whole warp calls it, and all of its threads get the same.
__device__ __forceinline__ unsigned recall(const Memo &memo, const Key &key)
{
    unsigned value = 0;
    if (threadIdx.x % WARP == 0) {
        const unsigned long long *const entry = entry_of(memo, key);
        const unsigned long long first = __ldcg(entry), second = __ldcg(entry + 1);
        if (first == key.first && ((second ^ key.second) & ~VALUE_MASK) == 0)
            value = (unsigned)(second & VALUE_MASK);
    }
    return __reduce_max_sync(~0u, value);
}

// Keeps what was found out of a part, 1 or more. A whole warp calls it.
__device__ __forceinline__ void remember(const Memo &memo, const Key &key, unsigned value)
{
    if (threadIdx.x % WARP == 0) {
        unsigned long long *const entry = entry_of(memo, key);
        atomicExch(entry, key.first);
        atomicExch(entry + 1, (key.second & ~VALUE_MASK) | value);
    }
}
