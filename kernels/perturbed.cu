// Perturbed values: the least line of each of many states, in many runs and levels at once.
//
// Formula  A line i has the true total A_i, and in run r the draws B_ir = sum over its leaves k of
//          weight_k * u(key_k, r). In lane (l, r) the value of a state is
//              min over its lines i of  alpha_lr * A_i + beta_lr * B_ir,
//          and u is Philox 4x32-10 of counter key_k and key (seed, r / 4), word r % 4, as KIND says;
//          see states/draws.py and states/lines.py.
// Twin     Perturber.least of the backends reference and cpu.
// Block    draw_leaves: threads beside each other, grid-stride. least_lines: the pieces blockIdx.x,
//          + gridDim.x, ... and the runs of slice blockIdx.y. A piece is some lines of one state.
// Thread   draw_leaves: four runs of one leaf, one Philox. least_lines: one run; it adds up the draws
//          of TOGETHER lines, then compares them level by level. Threads never meet.
// Arrays   keys uint64[K, 2]; draws int32[K, pitch], pitch = runs rounded up to four; table
//          int32[65536], the quantiles for GAUSSIAN; indptr int64[P + 1], piece p owns the lines
//          indptr[p] to indptr[p + 1]; total int64[N]; leaf_indptr int64[N + 1]; leaf int32[M], the
//          leaves line by line; weight int32[K]; alpha, beta int64[L, R]; value int64[P, L, R];
//          place int32[P, L, R], the line, counted from the first of the piece. A piece has a
//          line, and no value reaches 2^62.
// Shared   none.
// Work     draw_leaves: ten rounds of two multiplications for four draws. least_lines: a
//          multiplication for each (leaf of a line, run), two for each (line, level, run). Bytes: 16
//          in and 4 out for each (leaf, run / 4); 4 for each (leaf of a line, run), 128 a warp in one
//          piece, from the second-level cache; 12 in and out for each (piece, level, run) and
//          TOGETHER lines. Instructions of the inner loops, counted for sm_90 by
//          scripts/gpu_instructions.py: 100 for four draws; 14.3 for each (leaf of a line, run), 57
//          in a round of four; 40 for each (line, level, run), 318 in a round of eight, since a
//          product of 64 bits takes several. Prediction, not measured: arithmetic binds.
// Ties     the first line of the piece; the host merges the pieces of a state in their order.
//
// Compile with -DKIND=UNIFORM, GAUSSIAN or ONE_SIDED, as in states/draws.py.

enum Kind { UNIFORM, GAUSSIAN, ONE_SIDED };

constexpr int ROUNDS = 10;
constexpr unsigned MULTIPLIER_0 = 0xD2511F53u, MULTIPLIER_1 = 0xCD9E8D57u;
constexpr unsigned WEYL_0 = 0x9E3779B9u, WEYL_1 = 0xBB67AE85u;
constexpr int ONE_DRAWN = 1 << 23;
constexpr long long UNSOLVABLE = 1LL << 62;
constexpr int TOGETHER = 8;  // lines whose draws are added up before levels are looked at

// Four words of 32 bits for a counter of 128 bits and a key of 64.
__device__ __forceinline__ uint4 philox(
    unsigned long long low, unsigned long long high, unsigned key_0, unsigned key_1)
{
    unsigned c_0 = (unsigned)low, c_1 = (unsigned)(low >> 32);
    unsigned c_2 = (unsigned)high, c_3 = (unsigned)(high >> 32);
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        const unsigned long long product_0 = (unsigned long long)MULTIPLIER_0 * c_0;
        const unsigned long long product_1 = (unsigned long long)MULTIPLIER_1 * c_2;
        c_0 = (unsigned)(product_1 >> 32) ^ c_1 ^ key_0;
        c_1 = (unsigned)product_1;
        c_2 = (unsigned)(product_0 >> 32) ^ c_3 ^ key_1;
        c_3 = (unsigned)product_0;
        key_0 += WEYL_0;
        key_1 += WEYL_1;
    }
    return {c_0, c_1, c_2, c_3};
}

// A word as a draw, in units of 2^-23.
__device__ __forceinline__ unsigned drawn(unsigned word, const int *__restrict__ table)
{
    switch (KIND) {
    case UNIFORM: return (word >> 8) - ONE_DRAWN;
    case GAUSSIAN: return table[word >> 16];
    default: return word >> 9;
    }
}

extern "C" __global__ void draw_leaves(
    const unsigned long long *__restrict__ keys, int leaf_count, unsigned seed,
    unsigned first_quarter, int quarter_count, const int *__restrict__ table,
    uint4 *__restrict__ draws)
{
    const size_t count = (size_t)leaf_count * quarter_count;
    for (size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x; at < count;
         at += (size_t)gridDim.x * blockDim.x) {
        const size_t k = at / quarter_count;
        const unsigned quarter = first_quarter + (unsigned)(at - k * quarter_count);
        const uint4 words = philox(keys[2 * k], keys[2 * k + 1], seed, quarter);
        draws[at] = {
            drawn(words.x, table), drawn(words.y, table), drawn(words.z, table),
            drawn(words.w, table)};
    }
}

extern "C" __global__ void least_lines(
    const long long *__restrict__ indptr, const long long *__restrict__ total,
    const long long *__restrict__ leaf_indptr, const int *__restrict__ leaf,
    const int *__restrict__ weight, const int *__restrict__ draws, int pitch,
    const long long *__restrict__ alpha, const long long *__restrict__ beta, int piece_count,
    int level_count, int run_count, long long *__restrict__ value, int *__restrict__ place)
{
    const int r = blockIdx.y * blockDim.x + threadIdx.x;
    if (r >= run_count)
        return;
    for (int p = blockIdx.x; p < piece_count; p += gridDim.x) {
        const size_t own = (size_t)p * level_count * run_count + r;
        for (int l = 0; l < level_count; l++)
            value[own + (size_t)l * run_count] = UNSOLVABLE;
        for (long long i = indptr[p]; i < indptr[p + 1]; i += TOGETHER) {
            long long sum[TOGETHER] = {}, true_total[TOGETHER] = {};
            const long long left = indptr[p + 1] - i;
#pragma unroll
            for (int v = 0; v < TOGETHER; v++) {
                if (v >= left)
                    break;
                true_total[v] = total[i + v];
                for (long long at = leaf_indptr[i + v]; at < leaf_indptr[i + v + 1]; at++)
                    sum[v] += (long long)weight[leaf[at]] * draws[(size_t)leaf[at] * pitch + r];
            }
            for (int l = 0; l < level_count; l++) {
                const size_t lane = (size_t)l * run_count;
                const long long a = alpha[lane + r], b = beta[lane + r];
                long long least = value[own + lane];
                int first = -1;
#pragma unroll
                for (int v = 0; v < TOGETHER; v++) {
                    const long long found = a * true_total[v] + b * sum[v];
                    if (v < left && found < least) {
                        least = found;
                        first = v;
                    }
                }
                if (first >= 0) {
                    value[own + lane] = least;
                    place[own + lane] = (int)(i - indptr[p]) + first;
                }
            }
        }
    }
}
