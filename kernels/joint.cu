// Joint parts of many partitions of all answers with each of many guesses: number or entropy.
//
// Formula  With c_pq the number of answers of part p of partition w that give pattern q to guess g:
//              parts = number of positive c_pq, entropy = sum of table[c_pq].
// Twin     JointCounter of the backends reference and cpu.
// Block    the partitions blockIdx.x, + gridDim.x, ...; of each, slice blockIdx.y of the guesses: the
//          matrix words of its threads, block-stride with gridDim.y blocks side by side.
// Thread   one word of neighbouring guesses at a time; of these one part after another, by comparing
//          pairs of up to 16 answers, else by counters (tally.cuh). Threads never meet.
// Arrays   words Word[A, pitch_bytes / 4]: the matrix, see tally.cuh, of which G guesses from the
//          word first_word on are counted; answers uint16[W, A], sorted by part, and ends
//          uint16[W, E]: the end of each part, A after the last; steps int64[A]; scratch as in
//          partition_stats.cu; result [W, G], int64 for entropy and uint16 for parts, at most A.
// Shared   the counters, as in partition_stats.cu.
// Work     A look-ups a (partition, guess). Instructions a look-up of COUNTS8, counted for sm_90 by
//          scripts/gpu/instructions.py: 8.3, of them 4.5 integer, and 6.3 more where touched counters
//          are set back; in small parts n / 2 comparisons of four instructions a word. Bytes: one a
//          look-up, from the second-level cache, and 2 or 8 written a (partition, guess). Prediction, not
//          measured: arithmetic binds.
// Ties     none: nothing is chosen.
//
// Compile as tally.cuh says, with METHOD COUNTS8, COUNTS16 or COUNTS_GLOBAL by the largest part, and
// -DENTROPY=1 for the entropy, 0 for the parts.

#include "tally.cuh"

extern __shared__ long long shared_memory[];

constexpr int WANT = ENTROPY ? WANT_NLOG2N : 0;
#if ENTROPY
typedef long long Result;
#else
typedef unsigned short Result;
#endif

// Splits one part by each lane's guess. Adds the number of the new parts, or their entropy, to the
// lane's sum.
__device__ __forceinline__ void add_part(
    const Matrix &matrix, const State &part, unsigned w, const long long *__restrict__ steps,
    const Counters &counters, long long (&sum)[LANES])
{
    Tally<WANT> tally[LANES];
    if (part.n <= MOST_PAIRS)
        tally_pairs(matrix, part, w, steps, tally);
    else
        tally_counts(matrix, part, w, steps, counters, tally);
#pragma unroll
    for (int v = 0; v < LANES; v++)
        sum[v] += ENTROPY ? tally[v].sum_nlog2n : tally[v].parts;
}

extern "C" __global__ void joint(
    const Word *__restrict__ words, unsigned pitch_bytes, unsigned bins, unsigned first_word,
    int guess_count, const unsigned short *__restrict__ answers,
    const unsigned short *__restrict__ ends, int partition_count, int answer_count, int end_count,
    const long long *__restrict__ steps, Word *__restrict__ scratch, Result *__restrict__ result)
{
    const Matrix matrix = {words + first_word, pitch_bytes, bins};
    const Counters counters = own_counters(shared_memory, scratch, bins);
    const unsigned used = (guess_count + LANES - 1) / LANES;
    for (int p = blockIdx.x; p < partition_count; p += gridDim.x) {
        const unsigned short *const mine = answers + (size_t)p * answer_count;
        const unsigned short *const stops = ends + (size_t)p * end_count;
        for (unsigned w = blockIdx.y * blockDim.x + threadIdx.x; w < used;
             w += gridDim.y * blockDim.x) {
            long long sum[LANES] = {};
            for (int begin = 0, e = 0; begin < answer_count; begin = stops[e++])
                add_part(matrix, State(mine + begin, stops[e] - begin), w, steps, counters, sum);
#pragma unroll
            for (int v = 0; v < LANES; v++) {
                const int g = w * LANES + v;
                if (g < guess_count)
                    result[(size_t)p * guess_count + g] = (Result)sum[v];
            }
        }
    }
}
