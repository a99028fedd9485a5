// Partition statistics of every guess on many states.
//
// Formula  With c_p the number of answers of state b that give pattern p to guess g, over c_p > 0:
//          parts = sum of 1, max_part = max c_p, sum_squares = sum of c_p^2,
//          sum_nlog2n = sum of table[c_p]; is_candidate = whether p = ALL_GREEN occurs.
// Twin     Evaluator.stats of the backends reference and cpu.
// Block    the states rows[blockIdx.x], + gridDim.x, ...; of each, the matrix words of its threads,
//          block-stride with gridDim.y blocks side by side.
// Thread   one word of neighbouring guesses at a time (tally.cuh); threads never meet.
// Arrays   matrix Word[A, pitch_bytes / 4], see tally.cuh; indptr int64[B + 1] and answers uint16[nnz]: the
//          batch; rows int32[row_count]: the states to do; steps int64[A];
//          scratch Word[blocks, bins, WORDS_PER_BIN, threads] for COUNTS_GLOBAL, else unused;
//          parts uint16, is_candidate uint8, max_part uint16, sum_squares uint32 and
//          sum_nlog2n int64, each [B, G].
// Shared   COUNTS8 and COUNTS16: bins * WORDS_PER_BIN * threads words; with five letters and 32
//          threads 31,104 and 62,208 bytes. Others: none.
// Work     n look-ups a (state, guess). Bytes: n patterns read, mostly from the second-level cache
//          (the original lists' matrix has 30 MB), and 17 bytes written. Instructions a look-up
//          of COUNTS8, counted for sm_90 by scripts/gpu/instructions.py: 14.1 in the main loop, 8.3
//          of them integer, and 6 more where touched counters are set back. Prediction, not
//          measured: the writes bind for the smallest states, the integer instructions of the
//          counting for the others.
// Ties     none: nothing is chosen.
//
// Compile as tally.cuh says.

#include "tally.cuh"

extern __shared__ long long shared_memory[];

extern "C" __global__ void partition_stats(
    const Word *__restrict__ words, unsigned pitch_bytes, unsigned bins, int guess_count,
    const long long *__restrict__ indptr, const unsigned short *__restrict__ answers,
    const int *__restrict__ rows, int row_count, const long long *__restrict__ steps,
    Word *__restrict__ scratch, unsigned short *__restrict__ parts,
    unsigned char *__restrict__ is_candidate, unsigned short *__restrict__ max_part,
    unsigned *__restrict__ sum_squares, long long *__restrict__ sum_nlog2n)
{
    const Matrix matrix = {words, pitch_bytes, bins};
    const Counters counters = own_counters(shared_memory, scratch, bins);
    const unsigned used = (guess_count + LANES - 1) / LANES;
    for (int r = blockIdx.x; r < row_count; r += gridDim.x) {
        const int b = rows[r];
        const State state(indptr, answers, b);
        for (unsigned w = blockIdx.y * blockDim.x + threadIdx.x; w < used;
             w += gridDim.y * blockDim.x) {
            Tally<WANT_MAX_PART | WANT_SUM_SQUARES | WANT_NLOG2N> tally[LANES];
            tally_word(matrix, state, w, steps, counters, tally);
#pragma unroll
            for (int v = 0; v < LANES; v++) {
                const int g = w * LANES + v;
                if (g >= guess_count)
                    break;
                const size_t at = (size_t)b * guess_count + g;
                parts[at] = (unsigned short)tally[v].parts;
                is_candidate[at] = tally[v].is_candidate;
                max_part[at] = (unsigned short)tally[v].max_part;
                sum_squares[at] = tally[v].sum_squares;
                sum_nlog2n[at] = tally[v].sum_nlog2n;
            }
        }
    }
}
