// Tally: the statistics of a partition, counted in two ways; shared by partition_stats.cu,
// best_guess.cu, collapse.cu and, under other names, reach.cuh.
//
// Everything follows from one number for each answer of the state: `before`, the number of earlier
// answers with the same pattern. Over a part of size c it runs through 0, 1, ..., c - 1, so that
//     parts       = number of answers with before = 0
//     max_part    = 1 + the largest before
//     sum_squares = sum of 2 before + 1
//     sum_nlog2n  = sum of steps[before],   steps[c] = table[c + 1] - table[c]
// (table: partition.entropy_table). No histogram is read back when the answers are through.
//
// A thread handles one 32-bit word of the matrix: LANES neighbouring guesses, four of uint8 or two
// of uint16. The matrix is answer-major, so the threads of a warp read neighbouring words: one
// coalesced 128-byte access an answer.
//
//   tally_pairs   n <= MOST_PAIRS. The n words stay in registers and are compared pair by pair,
//                 all lanes at once: nothing to clear, no shared memory.
//   tally_counts  any n. Each thread has its own counters, [bin][word][thread], so that a thread
//                 of a warp keeps to its own bank of shared memory whatever its bins: no conflicts
//                 and no atomics. They are zero between words; afterwards either the touched ones
//                 or all are set back, whichever is less work.
//
// Compile with
//   -DPATTERN_BITS=8 (up to five letters) or 16;
//   -DMETHOD=PAIRS (up to 16 answers), COUNTS8 (up to 255), COUNTS16 (up to 65,535), or
//            COUNTS_GLOBAL: COUNTS16 with the counters in device memory, if there are too many
//            patterns for shared memory.
// The other methods belong to reach.cuh (SEEN, SEEN_GLOBAL) and collapse.cu (LABELS16, LABELS32,
// LABELS_GLOBAL), which explain them.

typedef unsigned Word;
enum Method {
    PAIRS, COUNTS8, COUNTS16, COUNTS_GLOBAL, SEEN, SEEN_GLOBAL, LABELS16, LABELS32, LABELS_GLOBAL
};

template <Method> struct CounterOf { typedef unsigned short type; };
template <> struct CounterOf<COUNTS8> { typedef unsigned char type; };
template <> struct CounterOf<LABELS32> { typedef unsigned type; };
template <> struct CounterOf<LABELS_GLOBAL> { typedef unsigned type; };
typedef CounterOf<METHOD>::type Counter;

constexpr int LANES = 32 / PATTERN_BITS;
constexpr Word LANE_MASK = (1u << PATTERN_BITS) - 1;
constexpr Word ONES = ~0u / LANE_MASK;             // 1 in every lane
constexpr Word HIGH = ONES << (PATTERN_BITS - 1);  // the top bit of every lane
constexpr int MOST_PAIRS = 16;
constexpr int AHEAD = 16;                          // answers loaded before the first is counted

constexpr unsigned COUNTERS_IN_WORD = sizeof(Word) / sizeof(Counter);
constexpr unsigned WORDS_PER_BIN = (LANES + COUNTERS_IN_WORD - 1) / COUNTERS_IN_WORD;

// Statistics to compute beyond parts and is_candidate. What is not wanted costs no instruction.
constexpr int WANT_MAX_PART = 1, WANT_SUM_SQUARES = 2, WANT_NLOG2N = 4;

// The patterns of a game: a row for each answer, `pitch_bytes` apart, zero beyond the last guess.
struct Matrix {
    const Word *words;
    unsigned pitch_bytes, bins;  // bins = 3^length

    __device__ __forceinline__ Word at(unsigned answer, unsigned w) const
    {
        return *(const Word *)((const char *)(words + w) + (size_t)answer * pitch_bytes);
    }
};

// The answers of one state.
struct State {
    const unsigned short *answers;
    int n;

    __device__ State(const unsigned short *answers, int n) : answers(answers), n(n) {}

    __device__ State(const long long *indptr, const unsigned short *batch, int b)
        : State(batch + indptr[b], (int)(indptr[b + 1] - indptr[b])) {}
};

__device__ __forceinline__ unsigned lane(Word word, int v)
{
#if PATTERN_BITS == 8
    return __byte_perm(word, 0, 0x4440 + v);  // one instruction instead of two
#else
    return word >> (v * PATTERN_BITS) & LANE_MASK;
#endif
}

// Sets the top bit of each lane in which a and b differ. The other bits are arbitrary.
__device__ __forceinline__ Word differs(Word a, Word b)
{
    const Word x = a ^ b;
    return ((x & ~HIGH) + ~HIGH) | x;
}

template <int WANT>
struct Tally {
    unsigned parts = 0, max_part = 0, sum_squares = 0;
    long long sum_nlog2n = 0;
    bool is_candidate = false;

    __device__ __forceinline__ void add(unsigned before, const long long *__restrict__ steps)
    {
        parts += (before - 1) >> 31;  // before == 0, without a branch; before < 2^16
        if constexpr ((WANT & WANT_MAX_PART) != 0)
            max_part = before < max_part ? max_part : before + 1;
        if constexpr ((WANT & WANT_SUM_SQUARES) != 0)
            sum_squares += 2 * before + 1;
        if constexpr ((WANT & WANT_NLOG2N) != 0)
            sum_nlog2n += steps[before];
    }
};

// Loads the matrix words of the COUNT answers from index k on. FULL promises that all of them
// exist; otherwise the words beyond the last answer are zero.
template <bool FULL, int COUNT>
__device__ __forceinline__ void fetch(
    const Matrix &matrix, const State &state, int k, unsigned w, Word (&words)[COUNT])
{
#pragma unroll
    for (int u = 0; u < COUNT; u++)
        words[u] = FULL || k + u < state.n ? matrix.at(state.answers[k + u], w) : 0;
#ifdef __CUDACC_VER_MAJOR__
    // Compilers save registers by moving a load to just before its use, so that every answer would
    // wait for the cache: 300 cycles on an H100. They move none over a barrier.
    if constexpr (FULL)
        __syncwarp(__activemask());
#endif
}

// Returns in each lane the number of parts into which its guess splits up to MOST answers. The top
// bit of each lane of `not_green` is set if the guess is none of them.
template <int MOST>
__device__ __forceinline__ Word parts_by_pairs(
    const Matrix &matrix, const State &state, unsigned w, Word &not_green)
{
    Word seen[MOST];
    fetch<false>(matrix, state, 0, w, seen);
    const Word green = (matrix.bins - 1) * ONES;
    Word parts = 0;
    not_green = HIGH;
#pragma unroll
    for (int k = 0; k < MOST; k++) {
        if (k >= state.n)
            break;
        not_green &= differs(seen[k], green);
        Word fresh = HIGH;  // stays set in the lanes where no earlier answer is equal
#pragma unroll
        for (int i = 0; i < k; i++)
            fresh &= differs(seen[i], seen[k]);
        parts += fresh >> (PATTERN_BITS - 1);
    }
    return parts;
}

template <int WANT>
__device__ __forceinline__ void tally_pairs(
    const Matrix &matrix, const State &state, unsigned w, const long long *__restrict__ steps,
    Tally<WANT> (&tally)[LANES])
{
    Word not_green = HIGH;
    if constexpr (WANT == 0) {
        const Word parts = parts_by_pairs<MOST_PAIRS>(matrix, state, w, not_green);
#pragma unroll
        for (int v = 0; v < LANES; v++)
            tally[v].parts = lane(parts, v);
    } else {
        Word seen[MOST_PAIRS];
        fetch<false>(matrix, state, 0, w, seen);
        const Word green = (matrix.bins - 1) * ONES;
#pragma unroll
        for (int k = 0; k < MOST_PAIRS; k++) {
            if (k >= state.n)
                break;
            not_green &= differs(seen[k], green);
            Word before = 0;
#pragma unroll
            for (int i = 0; i < k; i++)
                before += (~differs(seen[i], seen[k]) & HIGH) >> (PATTERN_BITS - 1);
#pragma unroll
            for (int v = 0; v < LANES; v++)
                tally[v].add(lane(before, v), steps);
        }
    }
#pragma unroll
    for (int v = 0; v < LANES; v++)
        tally[v].is_candidate = lane(not_green, v) == 0;
}

// One thread's counters for the guesses of one word, in a slab Word[bins, WORDS_PER_BIN, threads].
struct Counters {
    unsigned char *own;  // the thread's first word
    unsigned bins, row_bytes;  // threads * sizeof(Word)

    __device__ __forceinline__ Counter &at(unsigned bin, int v) const
    {
        return *(Counter *)(own + (size_t)bin * (WORDS_PER_BIN * row_bytes)
            + v / COUNTERS_IN_WORD * row_bytes + v % COUNTERS_IN_WORD * sizeof(Counter));
    }

    __device__ __forceinline__ void clear() const
    {
        for (unsigned i = 0; i < bins * WORDS_PER_BIN; i++)
            *(Word *)(own + (size_t)i * row_bytes) = 0;
    }
};

// Returns the calling thread's counters, cleared. They lie in shared memory, or in the part of
// `scratch` that belongs to its block.
__device__ __forceinline__ Counters own_counters(void *shared, Word *scratch, unsigned bins)
{
    const size_t block = blockIdx.y * gridDim.x + blockIdx.x;
    Word *slab = METHOD == COUNTS_GLOBAL || METHOD == LABELS_GLOBAL
        ? scratch + block * bins * WORDS_PER_BIN * blockDim.x : (Word *)shared;
    const Counters counters = {
        (unsigned char *)(slab + threadIdx.x), bins, blockDim.x * (unsigned)sizeof(Word)};
    if constexpr (METHOD != PAIRS)
        counters.clear();
    return counters;
}

// Clears the counters: those that the state has touched, or all, whichever is less work.
__device__ __forceinline__ void set_back(
    const Matrix &matrix, const State &state, unsigned w, const Counters &counters)
{
    if ((unsigned)state.n * LANES >= matrix.bins * WORDS_PER_BIN) {
        counters.clear();
        return;
    }
    for (int k = 0; k < state.n; k += AHEAD) {
        Word words[AHEAD];
        fetch<false>(matrix, state, k, w, words);
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            if (k + u >= state.n)
                break;
#pragma unroll
            for (int v = 0; v < LANES; v++)
                counters.at(lane(words[u], v), v) = 0;
        }
    }
}

template <bool FULL, int WANT>
__device__ __forceinline__ void count_ahead(
    const Matrix &matrix, const State &state, int k, unsigned w,
    const long long *__restrict__ steps, const Counters &counters, Tally<WANT> (&tally)[LANES])
{
    Word words[AHEAD];
    fetch<FULL>(matrix, state, k, w, words);
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        if (!FULL && k + u >= state.n)
            break;
        // All loads come before the first store. The lanes' counters are distinct, but the compiler
        // cannot know that, and would wait for each store.
        unsigned before[LANES];
#pragma unroll
        for (int v = 0; v < LANES; v++)
            before[v] = counters.at(lane(words[u], v), v);
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            counters.at(lane(words[u], v), v) = (Counter)(before[v] + 1);
            tally[v].add(before[v], steps);
        }
    }
}

template <int WANT>
__device__ __forceinline__ void tally_counts(
    const Matrix &matrix, const State &state, unsigned w, const long long *__restrict__ steps,
    const Counters &counters, Tally<WANT> (&tally)[LANES])
{
    int k = 0;
    for (; k + AHEAD <= state.n; k += AHEAD)
        count_ahead<true>(matrix, state, k, w, steps, counters, tally);
    count_ahead<false>(matrix, state, k, w, steps, counters, tally);
#pragma unroll
    for (int v = 0; v < LANES; v++)
        tally[v].is_candidate = counters.at(matrix.bins - 1, v) != 0;

    set_back(matrix, state, w, counters);
}

// Tallies the guesses of word w on a state, by the method METHOD.
template <int WANT>
__device__ __forceinline__ void tally_word(
    const Matrix &matrix, const State &state, unsigned w, const long long *__restrict__ steps,
    const Counters &counters, Tally<WANT> (&tally)[LANES])
{
    if constexpr (METHOD == PAIRS)
        tally_pairs(matrix, state, w, steps, tally);
    else
        tally_counts(matrix, state, w, steps, counters, tally);
}
