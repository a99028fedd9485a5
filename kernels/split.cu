// The children of many pairs of a state and a guess, with their keys.
//
// Formula  part (p, q) = the answers of state state[p] that give pattern q to guess guess[p], for
//          q < ALL_GREEN; its key is the exclusive or of its answers' random words.
// Twin     Frontier.split of the backends reference and cpu; equal states are merged afterwards.
// Block    the pairs blockIdx.x, + gridDim.x, ...
// Thread   answers of the pair's state, block-stride. An answer is written at the index that counts
//          the answers of a lesser pattern plus the earlier answers of its own pattern. The index
//          of a child counts the parts of a lesser pattern. So nothing is sorted.
// Arrays   words Word[A, pitch_bytes / 4]: the matrix, see tally.cuh; indptr int64[B + 1] and
//          answers uint16[nnz]: the batch; state and guess int32[P]; zobrist uint64[A, 2];
//          offset int64[P + 1]: first index of a pair's answers, and of its children, which are at
//          most as many; child_answers uint16[.], child_size int32[.], child_key uint64[., 2],
//          zeroed by the caller; child_count int32[P].
// Shared   4 bytes an answer of the largest state: the patterns and whether each is its part's first.
// Work     2.5 n^2 comparisons a pair, broadcast from shared memory; n random bytes of the matrix.
//          Instructions a comparison, counted for sm_90 by scripts/gpu/instructions.py: 5 to 16.
//          Prediction, not measured: integer issue binds for large states, latency for small ones.
// Ties     none: children come by pattern, answers ascending.
//
// Compile as tally.cuh says; the method does not matter.

#include "tally.cuh"

extern __shared__ long long shared_memory[];

extern "C" __global__ void split(
    const Word *__restrict__ words, unsigned pitch_bytes, unsigned bins,
    const long long *__restrict__ indptr, const unsigned short *__restrict__ answers,
    const int *__restrict__ state_of, const int *__restrict__ guess_of, int pair_count,
    const unsigned long long *__restrict__ zobrist, const long long *__restrict__ offset,
    unsigned short *__restrict__ child_answers, int *__restrict__ child_size,
    unsigned long long *__restrict__ child_key, int *__restrict__ child_count)
{
    const Matrix matrix = {words, pitch_bytes, bins};
    const unsigned all_green = bins - 1;
    for (int p = blockIdx.x; p < pair_count; p += gridDim.x) {
        const State state(indptr, answers, state_of[p]);
        unsigned short *const pattern = (unsigned short *)shared_memory;
        unsigned short *const is_first = pattern + state.n;
        const unsigned w = guess_of[p] / LANES, v = guess_of[p] % LANES;
        __syncthreads();  // the previous pair is done with
        for (int i = threadIdx.x; i < state.n; i += blockDim.x)
            pattern[i] = (unsigned short)lane(matrix.at(state.answers[i], w), v);
        if (threadIdx.x == 0)
            child_count[p] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < state.n; i += blockDim.x) {
            int before = 0;
            for (int j = 0; j < i; j++)
                before += pattern[j] == pattern[i];
            is_first[i] = before == 0 && pattern[i] != all_green;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < state.n; i += blockDim.x) {
            if (pattern[i] == all_green)
                continue;
            int less = 0, before = 0, same = 0, child = 0;
            for (int j = 0; j < state.n; j++) {
                const int is_less = pattern[j] < pattern[i], is_same = pattern[j] == pattern[i];
                less += is_less;
                same += is_same;
                before += j < i ? is_same : 0;
                child += is_less & is_first[j];
            }
            const long long slot = offset[p] + child;
            child_answers[offset[p] + less + before] = state.answers[i];
            atomicXor(&child_key[2 * slot], zobrist[2 * state.answers[i]]);
            atomicXor(&child_key[2 * slot + 1], zobrist[2 * state.answers[i] + 1]);
            if (before == 0) {
                child_size[slot] = same;
                atomicAdd(&child_count[p], 1);
            }
        }
    }
}
