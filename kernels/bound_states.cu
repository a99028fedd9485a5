// The least one-ply bound of each of many states, over all guesses of a game: LB1.
//
// Formula  bound = max(known, 3n - max over the guesses g of parts(b, g) + is_candidate(b, g)).
// Twin     Frontier.bound_states of the backends reference and cpu.
// Block    the states rows[blockIdx.x], + gridDim.x, ...; of each all guesses, in rounds of a matrix
//          word a thread (reach.cuh). It stops when the bound by the best reach is at most `known`,
//          or when the best reach is n after the answers themselves have been tried.
// Thread   one word of neighbouring guesses a round: PAIRS compares answers, SEEN keeps bits.
// Arrays   words Word[A, pitch_bytes / 4]: the matrix, see tally.cuh; own int32[A]: the guess that is
//          each answer; indptr int64[B + 1] and answers uint16[nnz]: the batch; rows
//          int32[row_count]: the states to do; known and bound int64[B];
//          scratch Word[blocks, ceil(bins / 32), LANES, threads] for SEEN_GLOBAL.
// Shared   16 bytes; the bits of SEEN: 128 bytes a thread with five letters.
// Work     at most n look-ups a (state, guess). Bytes: one a look-up, from the second-level cache.
//          Instructions, counted for sm_90 by scripts/gpu/instructions.py: SEEN 10.8 a look-up in
//          the main loop, 6.3 of them integer, 1.8 multiplications and 2 accesses to shared memory
//          without conflicts; then 4.8 a word of bits, 1.6 of them integer. PAIRS: about n / 2
//          comparisons of four instructions a word and answer. Prediction, not measured: arithmetic
//          binds. With 64 integer lanes SEEN makes 9.5 look-ups a clock and multiprocessor at 32
//          answers, 9.9 at 80, where shared memory would allow 16.
// Ties     none: only the number is returned, and it does not depend on the order of the threads.
//
// Compile as tally.cuh says, with METHOD PAIRS (up to 16 answers), SEEN or SEEN_GLOBAL: as SEEN with
// the bits in device memory.

#include "tally.cuh"
#include "reach.cuh"

extern __shared__ long long shared_memory[];

extern "C" __global__ void bound_states(
    const Word *__restrict__ words, unsigned pitch_bytes, unsigned bins, int guess_count,
    const int *__restrict__ own, const long long *__restrict__ indptr,
    const unsigned short *__restrict__ answers, const int *__restrict__ rows, int row_count,
    const long long *__restrict__ known, Word *__restrict__ scratch, long long *__restrict__ bound)
{
    const Guesses guesses = {{words, pitch_bytes, bins}, own, guess_count};
    unsigned *const slots = (unsigned *)shared_memory;
    Bits bits = {};
    if constexpr (METHOD == SEEN)
        bits = own_bits((Word *)(shared_memory + 2), bins);
    if constexpr (METHOD == SEEN_GLOBAL)
        bits = own_bits(
            scratch + (size_t)blockIdx.x * bit_words(bins) * LANES * blockDim.x, bins);
    Summit summit(slots);
    for (int r = blockIdx.x; r < row_count; r += gridDim.x) {
        const State state(indptr, answers, rows[r]);
        const long long least = known[rows[r]];
        const long long found =
            3LL * state.n - best_reach(guesses, state, 3LL * state.n - least, bits, summit);
        if (threadIdx.x == 0)
            bound[rows[r]] = found > least ? found : least;
    }
}
