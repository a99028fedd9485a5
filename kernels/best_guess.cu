// The best guess of each of many states under a criterion, and the state's least lower bound.
//
// Formula  value = min over g of criterion(b, g), one of
//              LOWER_BOUND 3n - parts - is_candidate     ENTROPY      sum_nlog2n
//              MAX_PART    max_part                      SUM_SQUARES  sum_squares
//              PARTS       -parts
//          lower_bound = min over g of 3n - parts - is_candidate.
// Twin     Evaluator.best of the backends reference and cpu.
// Block    the states rows[blockIdx.x], + gridDim.x, ...; of each, slice blockIdx.y of the guesses:
//          the matrix words of its threads, block-stride with gridDim.y blocks side by side.
// Thread   one word of neighbouring guesses at a time (tally.cuh), keeping its best; then the
//          threads of a warp reduce by shuffles and the first thread over the warps.
// Arrays   as in partition_stats.cu; value int64, rank uint32 and lower_bound int64, each
//          [gridDim.y, row_count]: the slices are left to the host, which needs them only where
//          states are too few to fill the device. rank = guess, + 2^31 if it is no candidate.
// Shared   the warps' bests (512 bytes), then the counters of partition_stats.cu.
// Work     n look-ups a (state, guess). Bytes: n patterns read, from the second-level cache if the
//          matrix fits (30 MB for the original lists), and 20 written a state, not a guess.
//          Instructions a look-up by LOWER_BOUND, counted for sm_90 by scripts/gpu/instructions.py:
//          COUNTS8 8.2 in the main loop, 4.3 of them integer, 1.3 multiplications and two accesses
//          to shared memory without conflicts, and 3 more where touched counters are set back;
//          COUNTS16 8.7; PAIRS 11.4 for n = 16, 9.8 of them integer.
//          Measured on an H100, before all loads of a round came first (tally.cuh): PAIRS 2.0e12
//          look-ups/s, COUNTS8 6.8e11 and COUNTS16 3.3e11, a load's wait for each answer and warp.
//          Prediction with loads first, not measured: of COUNTS8 the issue binds, four warps a clock,
//          2.5e12 look-ups/s, and 1e12 with COUNTS16, whose counters leave room for three warps.
// Ties     least value, then candidates, then the lowest guess: the order of (value, rank).
//
// Compile as tally.cuh says, and with -DCRITERION= one of the names above.

#include "tally.cuh"

enum Criterion { LOWER_BOUND, ENTROPY, MAX_PART, SUM_SQUARES, PARTS };

constexpr int WANT = CRITERION == ENTROPY ? WANT_NLOG2N
    : CRITERION == MAX_PART ? WANT_MAX_PART
    : CRITERION == SUM_SQUARES ? WANT_SUM_SQUARES : 0;
constexpr unsigned NOT_CANDIDATE = 1u << 31;
constexpr int MOST_WARPS = 32;
constexpr unsigned WARP = 32;

struct Best {
    long long value = 0x7fffffffffffffffLL;
    unsigned rank = ~0u;
    int most = 0;  // the best reach: parts + is_candidate

    __device__ __forceinline__ void merge(const Best &other)
    {
        if (other.value < value || (other.value == value && other.rank < rank)) {
            value = other.value;
            rank = other.rank;
        }
        most = other.most > most ? other.most : most;
    }
};

extern __shared__ long long shared_memory[];
constexpr size_t BEST_LONGS = sizeof(Best) / sizeof(long long) * MOST_WARPS;

__device__ __forceinline__ long long criterion_of(const Tally<WANT> &tally, int n)
{
    switch (CRITERION) {
    case LOWER_BOUND: return 3LL * n - tally.parts - tally.is_candidate;
    case ENTROPY: return tally.sum_nlog2n;
    case MAX_PART: return tally.max_part;
    case SUM_SQUARES: return tally.sum_squares;
    default: return -(long long)tally.parts;
    }
}

// Merges the bests of all threads of the block. Only the first thread gets the result.
__device__ __forceinline__ Best block_best(Best best)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        Best other;
        other.value = __shfl_down_sync(~0u, best.value, offset);
        other.rank = __shfl_down_sync(~0u, best.rank, offset);
        other.most = __shfl_down_sync(~0u, best.most, offset);
        best.merge(other);
    }
    Best *of_warp = (Best *)shared_memory;
    __syncthreads();  // the bests of the previous state have been read
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = best;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned warp = 1; warp < blockDim.x / WARP; warp++)
            best.merge(of_warp[warp]);
    return best;
}

extern "C" __global__ void best_guess(
    const Word *__restrict__ words, unsigned pitch_bytes, unsigned bins, int guess_count,
    const long long *__restrict__ indptr, const unsigned short *__restrict__ answers,
    const int *__restrict__ rows, int row_count, const long long *__restrict__ steps,
    Word *__restrict__ scratch, long long *__restrict__ value, unsigned *__restrict__ rank,
    long long *__restrict__ lower_bound)
{
    const Matrix matrix = {words, pitch_bytes, bins};
    const Counters counters = own_counters(shared_memory + BEST_LONGS, scratch, bins);
    const unsigned used = (guess_count + LANES - 1) / LANES;
    for (int r = blockIdx.x; r < row_count; r += gridDim.x) {
        const State state(indptr, answers, rows[r]);
        Best best;
        for (unsigned w = blockIdx.y * blockDim.x + threadIdx.x; w < used;
             w += gridDim.y * blockDim.x) {
            Tally<WANT> tally[LANES];
            tally_word(matrix, state, w, steps, counters, tally);
#pragma unroll
            for (int v = 0; v < LANES; v++) {
                const unsigned g = w * LANES + v;
                if (g >= (unsigned)guess_count)
                    break;
                Best one;
                one.value = criterion_of(tally[v], state.n);
                one.rank = tally[v].is_candidate ? g : g | NOT_CANDIDATE;
                one.most = (int)tally[v].parts + tally[v].is_candidate;
                best.merge(one);
            }
        }
        best = block_best(best);
        if (threadIdx.x == 0) {
            const size_t at = (size_t)blockIdx.y * row_count + r;
            value[at] = best.value;
            rank[at] = best.rank;
            lower_bound[at] = 3LL * state.n - best.most;
        }
    }
}
