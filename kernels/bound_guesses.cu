// Lower bounds of guesses on states: by the sizes of the parts, then by their one-ply bounds.
//
// Formula  For a state of n answers, its list, whose first guess reaches `top`, and a guess with the
//          parts p of k_p answers, ALL_GREEN left out:
//              bound = n + sum over p of lower_p,   lower_p = max(2 k_p - 1, 3 k_p - top),
//          where lower_p is raised, until bound >= cutoff, towards
//              LB1_p = 3 k_p - max over the guesses g of the list of the reach of g on p:
//          first for all parts at once, by the memo (memo.cuh), or else by the reach of their own
//          answers and by covers (covers.cuh); then part by part, by counting. A bound below the
//          cutoff uses max(lower_p, LB1_p) for each part. Any other is a lower bound that reaches
//          the cutoff. Parts of one or two answers never rise, since their candidates are listed.
// Twin     Frontier.refute of the backends reference and cpu.
// Block    whole warps. Takes pairs of a state and a guess from a common counter, since their costs
//          differ and are not known beforehand. All threads count together (reach.cuh). A list
//          is ordered by the reach on the whole state, an upper bound on the parts that its guesses
//          make of a part, so that a block stops at the first round that cannot beat its best.
// Warp     one part after another, to bound how far it can rise without counting.
// Thread   answers of the state, block-stride, to find the parts by a histogram; each part of three
//          answers or more, to rank it among the others; then words of neighbouring guesses.
// Arrays   matrices int64[B, 2]: address and pitch of each state's matrix, rows its answers, columns
//          the guesses of its list; at int64[B + 1] and reach uint16[.]: the lists; indptr
//          int64[B + 1] and own int32[.]: for each answer of each state the index of its own guess
//          in the list; covers int64[B, 2] and entered uint32[B]: address and words of each state's
//          covers, and their number; memos int64[B, 2]: address and entries of each state's
//          memo; random uint64[., 2]: random words of the rows, for keys; cutoff int64[B];
//          state and column int32[P]: the pairs; bound int64[P]; next int32[1], zero: the counter;
//          scratch for SEEN_GLOBAL: Word[blocks, slab], a slab as in shared memory.
// Shared   24 bytes; for n answers of the largest state 2n of patterns, 2n of rows by part, where the
//          parts stand before they are ranked, and 4n/3 of the ranked parts; when rows are in place,
//          what covers say of each part takes the room of the patterns. Then, but for SEEN_GLOBAL,
//          the slab: 4 bytes a pattern for the histogram, and the bits of reach.cuh. With five
//          letters, 128 threads and 255 answers 19 KB, eleven blocks a multiprocessor; registers
//          leave room for eight.
// Work     n scattered bytes of the matrix a pair, m^2 comparisons of its m parts, and k words for
//          the key of each part. Where that is new, k^2 look-ups and k / 32 words a cover; and for a
//          part that is counted at most k look-ups a guess of the list. Six barriers a pair, three
//          where sizes refute it, and one a round.
//          Instructions, counted for sm_90 by scripts/gpu/instructions.py: counting by bits takes
//          10.6 a look-up, 6.3 of them integer and 2.3 accesses to shared memory; a word of covers
//          33 an answer. Prediction, not measured: arithmetic binds where parts are counted, latency
//          where pairs are refuted by sizes alone.
// Ties     none. Covers and memos depend on when blocks run, and so do bounds that reach the
//          cutoff. Bounds below the cutoff do not.
//
// Compile as tally.cuh says, with METHOD SEEN, or SEEN_GLOBAL: with histogram and bits in device
// memory.

#include "tally.cuh"
#include "reach.cuh"
#include "covers.cuh"
#include "memo.cuh"

extern __shared__ long long shared_memory[];

constexpr unsigned LEAST_TO_RAISE = 3;  // answers; the bound by size of a smaller part is exact
constexpr unsigned SMALL_MOST = 12, MIDDLE_MOST = 45;  // answers, see place_in_order

// Scalars that the threads of a block share.
struct Common {
    unsigned slots[3], sum, parts;
    int pair;
};

// Returns a lower bound on the value of a part of k answers, as bounds.part_lower_bound does. No
// guess reaches more than `top`.
__device__ __forceinline__ int bound_by_size(int k, int top)
{
    return 2 * k - 1 > 3 * k - top ? 2 * k - 1 : 3 * k - top;
}

// Returns the rank of parts of k answers in the order of counting, by gain for the time: small parts
// first, ascending; then middle ones, descending; then large ones, ascending. The function is its
// own inverse.
__device__ __forceinline__ unsigned place_in_order(unsigned k)
{
    return k > SMALL_MOST && k <= MIDDLE_MOST ? SMALL_MOST + 1 + MIDDLE_MOST - k : k;
}

// Returns 3k minus the lower bound of a part of k answers. By its size alone that is `enough`. Its
// own answers reach `own`, and no guess makes more than `most` parts of it.
__device__ __forceinline__ unsigned shortfall(unsigned enough, unsigned own, unsigned most)
{
    const unsigned reach = own > most ? own : most;
    return reach < enough ? reach : enough;
}

extern "C" __global__ void bound_guesses(
    const long long *__restrict__ matrices, unsigned bins, const long long *__restrict__ at,
    const unsigned short *__restrict__ reach, const long long *__restrict__ indptr,
    const int *__restrict__ own, const long long *__restrict__ tables,
    unsigned *__restrict__ entered, const long long *__restrict__ memos,
    const unsigned long long *__restrict__ random, const long long *__restrict__ cutoff_of,
    const int *__restrict__ state_of, const int *__restrict__ column_of, int pair_count,
    int *__restrict__ next, unsigned largest, Word *__restrict__ scratch,
    long long *__restrict__ bound)
{
    Common &common = *(Common *)shared_memory;
    // First place_in_order << 16 | pattern; later the reach of the part's own answers replaces the
    // pattern.
    unsigned *const ranked = (unsigned *)(&common + 1);
    unsigned *const found = ranked + largest / LEAST_TO_RAISE;
    unsigned short *const rows = (unsigned short *)found;  // takes its place once all are ranked
    unsigned short *const pattern = rows + largest;
    unsigned short *const most = pattern;  // upper bounds on the parts of a part, by covers
    const unsigned slab = bins + bit_words(bins) * LANES * blockDim.x;
    unsigned *const histogram = METHOD == SEEN_GLOBAL
        ? scratch + (size_t)blockIdx.x * slab : found + largest;
    const Bits bits = own_bits(histogram + bins, bins);
    for (unsigned q = threadIdx.x; q < bins; q += blockDim.x)
        histogram[q] = 0;  // every pair leaves it so
    Summit summit(common.slots);
    for (;;) {
        if (threadIdx.x == 0)
            common.pair = atomicAdd(next, 1);
        __syncthreads();  // also: no thread still works on the previous pair
        const int p = common.pair;
        if (p >= pair_count)
            return;
        if (threadIdx.x == 0)
            common.sum = common.parts = 0;
        const int b = state_of[p], column = column_of[p];
        const int n = (int)(indptr[b + 1] - indptr[b]);
        const long long cutoff = cutoff_of[b];
        const Matrix matrix = {
            (const Word *)matrices[2 * b], (unsigned)matrices[2 * b + 1], bins};
        const Guesses guesses = {matrix, own + indptr[b], (int)(at[b + 1] - at[b])};
        const unsigned short *const ceilings = reach + at[b];
        const int top = ceilings[0];
        const Covers covers = {(Word *)tables[2 * b], (unsigned)tables[2 * b + 1], entered + b};
        const Memo memo = {(unsigned long long *)memos[2 * b], (unsigned)memos[2 * b + 1]};
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            const unsigned q = lane(matrix.at(i, column / LANES), column % LANES);
            pattern[i] = (unsigned short)q;
            if (q != bins - 1)
                atomicAdd(&histogram[q], 1u);
        }
        __syncthreads();

        // The first thread to ask for a part gets its size and leaves zero, so that each part is
        // added once.
        unsigned sum = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            const unsigned q = pattern[i];
            const unsigned k = q == bins - 1 ? 0 : atomicExch(&histogram[q], 0u);
            if (k > 0)
                sum += bound_by_size(k, top);
            if (k >= LEAST_TO_RAISE)
                found[atomicAdd(&common.parts, 1u)] = place_in_order(k) << 16 | q;
        }
        sum = __reduce_add_sync(~0u, sum);
        if (threadIdx.x % WARP == 0)
            atomicAdd(&common.sum, sum);
        __syncthreads();
        const unsigned parts = common.parts;
        long long total = n + common.sum;
        if (total < cutoff && parts > 0) {
            for (unsigned j = threadIdx.x; j < parts; j += blockDim.x) {
                const unsigned mine = found[j];
                unsigned rank = 0, start = 0;
                for (unsigned i = 0; i < parts; i++) {
                    const unsigned other = found[i];
                    rank += other < mine;
                    start += other < mine ? place_in_order(other >> 16) : 0;
                }
                ranked[rank] = mine;
                histogram[mine & 0xffff] = start + 1;  // where its next row goes, plus one
            }
            __syncthreads();
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                unsigned *const place = &histogram[pattern[i]];
                if (atomicAdd(place, 0u) > 0)  // a plain read would race with those who add
                    rows[atomicAdd(place, 1u) - 1] = (unsigned short)i;
            }
            __syncthreads();

            // Raise the bounds of the parts as far as memo, own answers and covers allow.
            unsigned gain = 0;
            for (unsigned j = threadIdx.x / WARP; j < parts; j += blockDim.x / WARP) {
                const unsigned q = ranked[j] & 0xffff, k = place_in_order(ranked[j] >> 16);
                const State part(rows + (histogram[q] - 1 - k), k);
                const unsigned enough = 3 * k - bound_by_size(k, top);
                const bool is_kept = k >= LEAST_REMEMBERED;
                const Key key = is_kept ? key_of(random, part) : Key{};
                const unsigned known = is_kept ? recall(memo, key) : 0;
                unsigned reached = known, at_most = known;
                if (known == 0) {
                    reached = best_own_reach(guesses, part, bits);
                    const bool is_open = reached < enough && reached < k;
                    const bool is_looked_up = k >= LEAST_LOOKED_UP && k <= LOOKED_UP_MOST;
                    at_most = is_open && is_looked_up ? most_by_covers(covers, part) : k;
                }
                const unsigned short_by = shortfall(enough, reached, at_most);
                if (is_kept && known == 0 && (reached >= enough || reached >= at_most))
                    remember(memo, key, short_by);
                gain += enough - short_by;
                __syncwarp();  // all threads have read the places that are now overwritten
                if (threadIdx.x % WARP == 0) {
                    ranked[j] = place_in_order(k) << 16 | reached;
                    most[j] = (unsigned short)at_most;
                    histogram[q] = 0;
                }
            }
            if (threadIdx.x % WARP == 0 && gain > 0)
                atomicAdd(&common.sum, gain);
            __syncthreads();
            total = n + common.sum;

            State part(rows, 0);
            for (unsigned j = 0; j < parts && total < cutoff; j++, part.answers += part.n) {
                part.n = place_in_order(ranked[j] >> 16);
                const unsigned reached = ranked[j] & 0xffff, at_most = most[j];
                const unsigned enough = 3 * part.n - bound_by_size(part.n, top);
                const unsigned stop = enough < at_most ? enough : at_most;
                if (reached >= stop)
                    continue;  // the bound is exact, or cannot rise
                const unsigned counted =
                    most_parts(guesses, ceilings, part, reached - 1, stop, bits, summit);
                const unsigned short_by = shortfall(enough, reached, counted);
                total += shortfall(enough, reached, at_most) - short_by;
                if (part.n >= LEAST_REMEMBERED && threadIdx.x < WARP)
                    remember(memo, key_of(random, part), short_by);
                // If counting stopped below `at_most`, the other guesses cannot make more, or it
                // reached `top`, the best reach on the whole state. So `counted` bounds all guesses.
                if (counted < at_most && counted <= COVER_MOST && part.n >= LEAST_ENTERED
                        && threadIdx.x < WARP)
                    enter_cover(covers, part, counted);
            }
        }
        if (threadIdx.x == 0)
            bound[p] = total;
    }
}
