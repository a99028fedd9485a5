// Reach: the number of parts that a guess makes of a set of answers, plus one if it is among them;
// shared by bound_states.cu and bound_guesses.cu. Include tally.cuh first.
//
// By bounds.guess_lower_bound the value of a set of k answers is at least 3k minus the best reach
// of any guess. A block searches for it in rounds of one matrix word, LANES guesses, per thread, with
// one barrier per round. Lanes beyond the last guess are zero: they reach 1, as every guess does.
//
//   reach_by_pairs  k <= MOST_PAIRS: words in registers, all lanes at once, as in tally_pairs.
//   reach_by_bits   any k: a bit for each pattern, Word[ceil(bins / 32)][LANES][threads], so that a
//                   thread of a warp keeps to its own bank; the set bits are counted in the end, and
//                   cleared.
//
// A guess that is not among k answers reaches at most k. So for small sets the words of the answers
// themselves come first: one of them probably reaches k, which ends the search. After them, only
// the parts that the other guesses make need counting.

constexpr int MOST_SEPARATED = 32;  // answers of the largest set whose own words come first

constexpr unsigned WARP = 32;

// The guesses among which the best reach is searched.
struct Guesses {
    Matrix matrix;
    const int *own;  // for each row, the guess that is the row's answer
    int count;
};

// The calling thread's bits: word q of lane v holds the patterns 32 q to 32 q + 31.
struct Bits {
    Word *own;
    unsigned words, threads;

    __device__ __forceinline__ Word &at(unsigned q, int v) const
    {
        return own[(q * LANES + v) * threads];
    }
};

__device__ __forceinline__ unsigned bit_words(unsigned bins)
{
    return (bins + 31) / 32;
}

// Returns the calling thread's bits in a slab of its block, cleared.
__device__ __forceinline__ Bits own_bits(Word *slab, unsigned bins)
{
    const Bits bits = {slab + threadIdx.x, bit_words(bins), blockDim.x};
    for (unsigned q = 0; q < bits.words; q++)
        for (int v = 0; v < LANES; v++)
            bits.at(q, v) = 0;
    return bits;
}

// Sets the bits of the patterns of the AHEAD answers from index k on. FULL promises that all of
// them exist.
template <bool FULL>
__device__ __forceinline__ void mark_ahead(
    const Matrix &matrix, const State &state, int k, unsigned w, const Bits &bits)
{
    Word words[AHEAD];
    fetch<FULL>(matrix, state, k, w, words);
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        if (!FULL && k + u >= state.n)
            break;
        // All loads come before the first store. The lanes' words are distinct, but the compiler
        // cannot know that.
        Word held[LANES];
#pragma unroll
        for (int v = 0; v < LANES; v++)
            held[v] = bits.at(lane(words[u], v) / 32, v);
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            const unsigned pattern = lane(words[u], v);
            bits.at(pattern / 32, v) = held[v] | 1u << pattern % 32;
        }
    }
}

__device__ __forceinline__ unsigned greatest(const unsigned (&of)[LANES])
{
    unsigned most = of[0];
#pragma unroll
    for (int v = 1; v < LANES; v++)
        most = of[v] > most ? of[v] : most;
    return most;
}

// Returns the best reach of the guesses of word w. Without GREEN it returns the most parts: a guess
// that is an answer gets nothing extra.
template <bool GREEN>
__device__ __forceinline__ unsigned reach_by_bits(
    const Matrix &matrix, const State &state, unsigned w, const Bits &bits)
{
    int k = 0;
    for (; k + AHEAD <= state.n; k += AHEAD)
        mark_ahead<true>(matrix, state, k, w, bits);
    mark_ahead<false>(matrix, state, k, w, bits);
    const unsigned all_green = matrix.bins - 1;
    unsigned reach[LANES];
#pragma unroll
    for (int v = 0; v < LANES; v++)
        reach[v] = GREEN ? bits.at(all_green / 32, v) >> all_green % 32 & 1 : 0;
    for (unsigned q = 0; q < bits.words; q++) {
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            reach[v] += __popc(bits.at(q, v));
            bits.at(q, v) = 0;
        }
    }
    return greatest(reach);
}

// Returns the best reach of the guesses of word w on up to MOST answers; the most parts without
// GREEN.
template <int MOST, bool GREEN>
__device__ __forceinline__ unsigned reach_by_pairs(
    const Matrix &matrix, const State &state, unsigned w)
{
    Word not_green;
    Word parts = parts_by_pairs<MOST>(matrix, state, w, not_green);
    if constexpr (GREEN)
        parts += (~not_green & HIGH) >> (PATTERN_BITS - 1);
    unsigned reach[LANES];
#pragma unroll
    for (int v = 0; v < LANES; v++)
        reach[v] = lane(parts, v);
    return greatest(reach);
}

template <bool GREEN>
__device__ __forceinline__ unsigned reach_of_word(
    const Matrix &matrix, const State &state, unsigned w, const Bits &bits)
{
    if (state.n <= MOST_PAIRS / 2)
        return reach_by_pairs<MOST_PAIRS / 2, GREEN>(matrix, state, w);
    if (METHOD == PAIRS || state.n <= MOST_PAIRS)
        return reach_by_pairs<MOST_PAIRS, GREEN>(matrix, state, w);
    return reach_by_bits<GREEN>(matrix, state, w, bits);
}

// The maximum over the threads of a block, raised round by round with one barrier a round.
//
// Three slots take turns, so that one barrier is enough. The threads raise the slot of this round.
// A late thread may still read the slot of the last round. The third is cleared for the next one.
struct Summit {
    unsigned *slots;
    unsigned turn = 0;

    // The whole block calls it.
    __device__ explicit Summit(unsigned *slots) : slots(slots)
    {
        if (threadIdx.x == 0)
            slots[0] = slots[1] = slots[2] = 0;
        __syncthreads();
    }

    // Returns the maximum of `best`, which is equal in all threads, and of every thread's `mine`.
    __device__ __forceinline__ unsigned raise(unsigned best, unsigned mine)
    {
        const unsigned next = turn == 2 ? 0 : turn + 1;
        mine = __reduce_max_sync(~0u, mine);
        if (threadIdx.x % WARP == 0 && mine > best)
            atomicMax(&slots[turn], mine);
        if (threadIdx.x == 0)
            slots[next] = 0;
        __syncthreads();
        const unsigned most = slots[turn];
        turn = next;
        return most > best ? most : best;
    }
};

// Returns the best reach of any guess on a set of answers, which are rows of the matrix. It may
// stop early at any reach of at least `enough`. The whole block calls it, and all threads get the
// result.
__device__ __forceinline__ unsigned best_reach(
    const Guesses &guesses, const State &state, long long enough, const Bits &bits, Summit &summit)
{
    const unsigned own = state.n <= MOST_SEPARATED ? state.n : 0;
    const unsigned stop = own + (guesses.count + LANES - 1) / LANES;
    unsigned best = 0;
    for (unsigned start = 0; start < stop; start += blockDim.x) {
        if (best >= enough)
            break;
        if (own > 0 && start >= own && best >= own)
            break;  // all words of the answers are tried, and no other guess reaches more
        const unsigned u = start + threadIdx.x;
        unsigned mine = 0;
        if (u < stop) {
            const unsigned w = u < own ? guesses.own[state.answers[u]] / LANES : u - own;
            mine = reach_of_word<true>(guesses.matrix, state, w, bits);
        }
        best = summit.raise(best, mine);
    }
    return best;
}

// Returns the best reach on a set that its own answers have as guesses, or that their neighbours in
// the same matrix words have. A whole warp calls it, and all of its threads get the result.
__device__ __forceinline__ unsigned best_own_reach(
    const Guesses &guesses, const State &part, const Bits &bits)
{
    unsigned best = 0;
    for (int i = threadIdx.x % WARP; i < part.n; i += WARP) {
        const unsigned w = guesses.own[part.answers[i]] / LANES;
        const unsigned mine = reach_of_word<true>(guesses.matrix, part, w, bits);
        best = mine > best ? mine : best;
    }
    return __reduce_max_sync(~0u, best);
}

// Returns the largest number of parts that any guess makes of a set, or `known` if that is larger.
// It may stop early at any number of at least `enough`. `ceilings`, descending, are upper bounds on
// the reach of each guess, and so on its parts. The whole block calls it, and all threads get the
// result.
__device__ __forceinline__ unsigned most_parts(
    const Guesses &guesses, const unsigned short *ceilings, const State &part, unsigned known,
    unsigned enough, const Bits &bits, Summit &summit)
{
    const unsigned stop = (guesses.count + LANES - 1) / LANES;
    unsigned best = known;
    for (unsigned start = 0; start < stop; start += blockDim.x) {
        if (best >= enough || best >= ceilings[start * LANES])
            break;
        const unsigned w = start + threadIdx.x;
        best = summit.raise(
            best, w < stop ? reach_of_word<false>(guesses.matrix, part, w, bits) : 0);
    }
    return best;
}
