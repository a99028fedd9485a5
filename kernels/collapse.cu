// The guess lists of many states, and the compact matrix of each state under its list.
//
// Formula  A guess is kept if it makes two parts or more and is a candidate, or the first with its
//          partition, which no candidate has. Partitions are compared by
//          hash = sum over the answers i of label[i] * zobrist[i], two words mod 2^64; label[i]
//          is one plus the index of the first answer with the same pattern.
// Twin     Frontier.collapse of the backends reference and cpu.
// Block    collapse: the states rows[blockIdx.y], + gridDim.y, ...; of each, slice blockIdx.x of the
//          guesses: the matrix words of its threads, block-stride with gridDim.x blocks. So blocks
//          that run at one time belong to few states, whose hash tables stay in the cache.
//          keep: the states blockIdx.x, + gridDim.x, ...; of each, slice blockIdx.y of the guesses.
//          copy_columns: the rows of the states' new matrices, one after another.
// Thread   collapse: one word of neighbouring guesses at a time, as in tally_counts, with the label
//          in the upper half of each counter; then it enters each guess in the state's hash table,
//          which keeps the least rank of equal hashes. keep, after all are entered: a guess, kept
//          if it is the one in the table. copy_columns: bytes or half-words of a row,
//          block-stride, neighbours side by side.
// Arrays   words Word[A, pitch_bytes / 4]: the matrix, see tally.cuh; indptr int64[B + 1] and
//          answers uint16[nnz]: the batch, of 65,536 states at most; rows int32[row_count]: the
//          states to do; zobrist uint64[A, 2]; table_key uint64[B, slots], all ones, and table_rank
//          uint32[B, slots], all ones, slots a power of two, at least twice the guesses;
//          hash uint64[B, G, 2]; order uint64[B, G]: the sort key of a kept guess, that is its
//          state, 65535 - parts - is_candidate, whether it is no candidate, and the guess, in 16, 16,
//          1 and 31 bits; all ones for others; sum_squares uint32[B, G];
//          scratch Word[blocks, bins, WORDS_PER_BIN, threads] for LABELS_GLOBAL;
//          kept int32[at[B]] and at int64[B + 1]: the kept guesses of each state in their order;
//          matrices int64[B, 2]: address and pitch of each new matrix.
// Shared   collapse: but for LABELS_GLOBAL the counters as in tally.cuh. keep and copy_columns: none.
// Work     n look-ups a (state, guess), each with two multiplications of 64 bits; three atomic
//          operations in device memory a guess; 12 bytes a slot and state written. copy_columns: n
//          bytes read, scattered, and written, coalesced, a kept guess. Instructions a look-up of
//          LABELS16, counted for sm_90 by scripts/gpu/instructions.py: 24.6, of them 12.2 integer,
//          9.4 multiplications and 2 accesses to shared memory; 6.7 more to set counters back.
//          Prediction, not measured: arithmetic binds collapse, but that the counters of LABELS32
//          leave room for one warp a multiprocessor, so that latency does there; and sectors of the
//          second-level cache bind copy_columns.
// Ties     ranks are unique: candidates first, then the guess.
//
// Compile as tally.cuh says, with METHOD LABELS16 (up to 255 answers), LABELS32 (up to 65,535), or
// LABELS_GLOBAL: as LABELS32 with the counters in device memory.

#include "tally.cuh"

extern __shared__ long long shared_memory[];

constexpr unsigned HALF = sizeof(Counter) * 4;  // bits of a label, and of a count
constexpr Counter COUNT_MASK = (Counter)((1u << HALF) - 1);
constexpr unsigned long long EMPTY = ~0ull, NOT_KEPT = ~0ull;  // a slot; a sort key
constexpr unsigned NOT_CANDIDATE = 1u << 31;

struct Description {
    unsigned parts = 0, sum_squares = 0;
    unsigned long long hash_0 = 0, hash_1 = 0;
    bool is_candidate = false;
};

// Adds the AHEAD answers from index k on to the descriptions of the lanes' guesses. FULL promises
// that all of them exist.
template <bool FULL>
__device__ __forceinline__ void describe_ahead(
    const Matrix &matrix, const State &state, int k, unsigned w,
    const unsigned long long *__restrict__ zobrist, const Counters &counters,
    Description (&of)[LANES])
{
    Word words[AHEAD];
    fetch<FULL>(matrix, state, k, w, words);
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        const int i = k + u;
        if (!FULL && i >= state.n)
            break;
        const unsigned long long random_0 = zobrist[2 * i], random_1 = zobrist[2 * i + 1];
        // All loads come before the first store. The lanes' counters are distinct, but the compiler
        // cannot know that.
        Counter before[LANES];
#pragma unroll
        for (int v = 0; v < LANES; v++)
            before[v] = counters.at(lane(words[u], v), v);
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            const bool is_new = before[v] == 0;
            const Counter held = is_new ? (Counter)((i + 1u) << HALF) : before[v];
            const unsigned label = held >> HALF;
            counters.at(lane(words[u], v), v) = (Counter)(held + 1);
            of[v].parts += is_new;
            of[v].sum_squares += 2 * (held & COUNT_MASK) + 1;
            of[v].hash_0 += label * random_0;
            of[v].hash_1 += label * random_1;
        }
    }
}

__device__ __forceinline__ void describe(
    const Matrix &matrix, const State &state, unsigned w,
    const unsigned long long *__restrict__ zobrist, const Counters &counters,
    Description (&of)[LANES])
{
    int k = 0;
    for (; k + AHEAD <= state.n; k += AHEAD)
        describe_ahead<true>(matrix, state, k, w, zobrist, counters, of);
    describe_ahead<false>(matrix, state, k, w, zobrist, counters, of);
#pragma unroll
    for (int v = 0; v < LANES; v++)
        of[v].is_candidate = counters.at(matrix.bins - 1, v) != 0;
    set_back(matrix, state, w, counters);
}

// Returns the slot of a hash in a state's table, and claims an empty one if the hash is new.
__device__ __forceinline__ unsigned find_slot(
    unsigned long long *keys, unsigned slots, unsigned long long hash)
{
    unsigned slot = (unsigned)(hash ^ hash >> 32) & (slots - 1);
    for (;;) {
        const unsigned long long held = atomicCAS(&keys[slot], EMPTY, hash);
        if (held == EMPTY || held == hash)
            return slot;
        slot = (slot + 1) & (slots - 1);
    }
}

extern "C" __global__ void collapse(
    const Word *__restrict__ words, unsigned pitch_bytes, unsigned bins, int guess_count,
    const long long *__restrict__ indptr, const unsigned short *__restrict__ answers,
    const int *__restrict__ rows, int row_count, const unsigned long long *__restrict__ zobrist,
    unsigned long long *__restrict__ table_key, unsigned *__restrict__ table_rank, unsigned slots,
    unsigned long long *__restrict__ hash, unsigned long long *__restrict__ order,
    unsigned *__restrict__ sum_squares, Word *__restrict__ scratch)
{
    const Matrix matrix = {words, pitch_bytes, bins};
    const Counters counters = own_counters(shared_memory, scratch, bins);
    const unsigned used = (guess_count + LANES - 1) / LANES;
    for (int r = blockIdx.y; r < row_count; r += gridDim.y) {
        const int b = rows[r];
        unsigned long long *const keys = table_key + (size_t)b * slots;
        unsigned *const ranks = table_rank + (size_t)b * slots;
        const State state(indptr, answers, b);
        const size_t row = (size_t)b * guess_count;
        for (unsigned w = blockIdx.x * blockDim.x + threadIdx.x; w < used;
             w += gridDim.x * blockDim.x) {
            Description of[LANES];
            describe(matrix, state, w, zobrist, counters, of);
#pragma unroll
            for (int v = 0; v < LANES; v++) {
                const unsigned g = w * LANES + v;
                if (g >= (unsigned)guess_count)
                    break;
                const unsigned rank = of[v].is_candidate ? g : g | NOT_CANDIDATE;
                const unsigned reach = of[v].parts + of[v].is_candidate;
                hash[2 * (row + g)] = of[v].hash_0;
                hash[2 * (row + g) + 1] = of[v].hash_1;
                order[row + g] = of[v].parts < 2
                    ? NOT_KEPT : (unsigned long long)b << 48 | (65535ull - reach) << 32 | rank;
                sum_squares[row + g] = of[v].sum_squares;
                atomicMin(&ranks[find_slot(keys, slots, of[v].hash_0)], rank);
            }
        }
    }
}

extern "C" __global__ void keep(
    int guess_count, int state_count, unsigned long long *__restrict__ table_key,
    const unsigned *__restrict__ table_rank, unsigned slots,
    const unsigned long long *__restrict__ hash, unsigned long long *__restrict__ order)
{
    for (int b = blockIdx.x; b < state_count; b += gridDim.x) {
        const size_t row = (size_t)b * guess_count;
        for (int g = blockIdx.y * blockDim.x + threadIdx.x; g < guess_count;
             g += gridDim.y * blockDim.x) {
            const unsigned rank = (unsigned)order[row + g];
            if (order[row + g] == NOT_KEPT || rank < NOT_CANDIDATE)
                continue;
            const unsigned long long *const mine = hash + 2 * (row + g);
            const unsigned slot = find_slot(table_key + (size_t)b * slots, slots, mine[0]);
            const unsigned best = table_rank[(size_t)b * slots + slot];
            const unsigned other = best & ~NOT_CANDIDATE;
            if (best != rank && hash[2 * (row + other) + 1] == mine[1])
                order[row + g] = NOT_KEPT;
        }
    }
}

extern "C" __global__ void copy_columns(
    const Word *__restrict__ words, unsigned pitch_bytes,
    const long long *__restrict__ indptr, const unsigned short *__restrict__ answers,
    int state_count, const int *__restrict__ kept, const long long *__restrict__ at,
    const long long *__restrict__ matrices)
{
#if PATTERN_BITS == 8
    typedef unsigned char Pattern;
#else
    typedef unsigned short Pattern;
#endif
    for (int b = blockIdx.x; b < state_count; b += gridDim.x) {
        const State state(indptr, answers, b);
        const int *const column = kept + at[b];
        const int count = (int)(at[b + 1] - at[b]);
        const size_t new_bytes = (size_t)matrices[2 * b + 1];
        for (int i = blockIdx.y; i < state.n; i += gridDim.y) {
            const Pattern *const source = (const Pattern *)(
                (const char *)words + (size_t)state.answers[i] * pitch_bytes);
            Pattern *const row = (Pattern *)((char *)matrices[2 * b] + i * new_bytes);
            for (int k = threadIdx.x; k < (int)(new_bytes / sizeof(Pattern)); k += blockDim.x)
                row[k] = k < count ? source[column[k]] : 0;
        }
    }
}
