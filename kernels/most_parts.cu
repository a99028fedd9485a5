// The most parts that any guess of a list makes of each of many states: the one-ply bound LB1.
//
// Formula  most = min(enough[b], max over the guesses g of the list of parts(b, g)); by
//          bounds.part_lower_bound a state of n answers costs at least 3n - most - 1.
// Twin     Frontier.most_parts of the backends reference and cpu.
// Block    the states rows[blockIdx.x], + gridDim.x, ...; all guesses of the state's list, in rounds
//          of a matrix word a thread. A list's guesses come by the parts that they make of a larger
//          state, the most first, which bounds what they make of this one: the block stops at the
//          first round that cannot beat its best, and as soon as that is enough.
// Thread   one word of neighbouring guesses a round. PAIRS compares answers as in tally.cuh. SEEN
//          keeps a bit for each pattern, Word[ceil(bins / 32)][LANES][threads], so that a thread of
//          a warp keeps to its own bank; the set bits are counted in the end, and cleared.
// Arrays   lists int64[.., LIST_FIELDS], see lists.cuh; list_index int32[B]; indptr int64[B + 1] and
//          answers uint16[nnz]: the batch; rows int32[row_count]: the states to do; enough and most
//          int64[B]; scratch Word[blocks, ceil(bins / 32), LANES, threads] for SEEN_GLOBAL.
// Shared   8 bytes; the bits of SEEN: 128 bytes a thread with five letters; 2 bytes an answer of the
//          largest state.
// Work     at most n look-ups a (state, guess). Bytes: one a look-up, from the second-level cache.
//          SEEN: two accesses to shared memory without conflicts and about six integer
//          instructions a look-up, and four a bit word in the end. Prediction, not measured: shared
//          memory binds, at 16 look-ups a clock and multiprocessor.
// Ties     none: only the number is returned, and it does not depend on the order of the threads.
//
// Compile as tally.cuh says, with METHOD PAIRS, SEEN or SEEN_GLOBAL.

#include "tally.cuh"
#include "lists.cuh"

extern __shared__ long long shared_memory[];

// The calling thread's bits: word q of lane v holds the patterns 32 q to 32 q + 31.
struct Bits {
    Word *own;
    unsigned words, threads;

    __device__ __forceinline__ Word &at(unsigned q, int v) const
    {
        return own[(q * LANES + v) * threads];
    }
};

// Sets the bits of the patterns of the answers k to k + AHEAD, as far as there are any; all if FULL.
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
        // The lanes' words are distinct, which the compiler cannot know: loads come first.
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

__device__ __forceinline__ void parts_by_bits(
    const Matrix &matrix, const State &state, unsigned w, const Bits &bits,
    unsigned (&parts)[LANES])
{
    int k = 0;
    for (; k + AHEAD <= state.n; k += AHEAD)
        mark_ahead<true>(matrix, state, k, w, bits);
    mark_ahead<false>(matrix, state, k, w, bits);
    for (unsigned q = 0; q < bits.words; q++) {
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            parts[v] += __popc(bits.at(q, v));
            bits.at(q, v) = 0;
        }
    }
}

extern "C" __global__ void most_parts(
    const long long *__restrict__ lists, const int *__restrict__ list_index, unsigned bins,
    const long long *__restrict__ indptr, const unsigned short *__restrict__ answers,
    const int *__restrict__ rows, int row_count, const long long *__restrict__ enough,
    Word *__restrict__ scratch, long long *__restrict__ most)
{
    unsigned &best = *(unsigned *)shared_memory;
    Word *const shared_bits = (Word *)(shared_memory + 1);
    const unsigned bit_words = (bins + 31) / 32, bit_slab = bit_words * LANES * blockDim.x;
    Word *const slab = METHOD == SEEN_GLOBAL ? scratch + (size_t)blockIdx.x * bit_slab : shared_bits;
    const Bits bits = {slab + threadIdx.x, bit_words, blockDim.x};
    unsigned short *const places = (unsigned short *)(shared_bits + (METHOD == SEEN ? bit_slab : 0));
    if constexpr (METHOD != PAIRS)
        for (unsigned q = 0; q < bit_words; q++)
            for (int v = 0; v < LANES; v++)
                bits.at(q, v) = 0;

    for (int r = blockIdx.x; r < row_count; r += gridDim.x) {
        const int b = rows[r];
        const List list = list_of(lists, list_index[b], bins);
        const State members(indptr, answers, b);
        find_rows(list, members, places);
        const State state(places, members.n);
        if (threadIdx.x == 0)
            best = 0;
        __syncthreads();
        const unsigned used = (list.guess_count + LANES - 1) / LANES;
        for (unsigned start = 0; start < used; start += blockDim.x) {
            const unsigned so_far = best;
            if (so_far >= enough[b] || so_far >= list.parts[start * LANES])
                break;
            __syncthreads();  // every thread has read the best
            const unsigned w = start + threadIdx.x;
            if (w < used) {
                unsigned parts[LANES] = {};
                if constexpr (METHOD == PAIRS) {
                    Tally<0> tally[LANES];
                    tally_pairs(list.matrix, state, w, (const long long *)nullptr, tally);
#pragma unroll
                    for (int v = 0; v < LANES; v++)
                        parts[v] = tally[v].parts;
                } else {
                    parts_by_bits(list.matrix, state, w, bits, parts);
                }
#pragma unroll
                for (int v = 0; v < LANES; v++)
                    if (w * LANES + v < (unsigned)list.guess_count && parts[v] > so_far)
                        atomicMax(&best, parts[v]);
            }
            __syncthreads();
        }
        if (threadIdx.x == 0)
            most[b] = best < enough[b] ? best : enough[b];
        __syncthreads();  // the result has been read
    }
}
