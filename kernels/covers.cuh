// Covers: sets of answers of a state with a known bound on the parts that any guess makes of them.
// They bound the parts that guesses make of other sets. Include tally.cuh and reach.cuh first.
//
// Let M(P) be the largest number of parts that any guess makes of P. One more answer adds at most
// one part, and removing an answer never adds one. So for any cover Q
//     M(P) <= M(P and Q) + |P without Q| <= M(Q) + |P without Q| = |P| - (|P and Q| - M(Q)).
// (Reach may rise by two, if the answer is the guess; so covers bound parts, and the reach of
// candidates is counted separately.)
//
// A state has a table of bits, 32 covers in a word: COVER_PLANES rows hold COVER_MOST - M(Q) in
// binary, and a row for each answer tells the covers that contain it. By adding rows bitwise, one
// thread evaluates 32 covers in a few instructions per answer.
//
// Blocks enter covers while others read, without locks. All bits are zero at first. A cover keeps
// its slot for good, until no slot is free. A bit that a reader does not see yet makes Q smaller or
// M(Q) larger, so that the bound is weaker but still valid.

constexpr unsigned COVER_PLANES = 8, COVER_MOST = 255;  // largest M(Q) that a cover can hold
// Answers of the largest part that is looked up. The sum is then at most 255 + 255 < 2^SUM_PLANES.
constexpr unsigned SUM_PLANES = 9, LOOKED_UP_MOST = 255;
// Answers of the smallest part that is looked up, and entered. To count a smaller one costs less.
constexpr int LEAST_LOOKED_UP = 6, LEAST_ENTERED = 8;

struct Covers {
    Word *table;        // Word[COVER_PLANES + answers of the state][words], zero at first
    unsigned words;
    unsigned *entered;  // covers that have asked for a slot, zero at first; may exceed the slots
};

// Adds x and y to `sum` bit by bit, all of equal weight, and returns the carry.
__device__ __forceinline__ Word carry(Word &sum, Word x, Word y)
{
    const Word carried = (sum & x) | (sum & y) | (x & y);
    sum ^= x ^ y;
    return carried;
}

// Returns an upper bound, by covers, on the parts that any guess makes of the answers. A whole warp
// calls it, and all of its threads get the result.
__device__ __forceinline__ unsigned most_by_covers(const Covers &covers, const State &part)
{
    // Other blocks write meanwhile, and only the second-level cache is common to all blocks.
    const unsigned entered = __ldcg(covers.entered);
    const unsigned words = entered < 32 * covers.words ? (entered + 31) / 32 : covers.words;
    unsigned highest = 0;
    for (unsigned w = threadIdx.x % WARP; w < words; w += WARP) {
        const Word *const planes = covers.table + w;
        const Word *const rows = planes + (size_t)COVER_PLANES * covers.words;
        Word sum[SUM_PLANES] = {};
#pragma unroll
        for (unsigned t = 0; t < COVER_PLANES; t++)
            sum[t] = __ldcg(planes + t * covers.words);
        for (int i = 0; i < part.n; i += 4) {
            Word row[4];
#pragma unroll
            for (int u = 0; u < 4; u++)
                row[u] = i + u < part.n
                    ? __ldcg(rows + (size_t)part.answers[i + u] * covers.words) : 0;
            const Word twos = carry(sum[0], row[0], row[1]);
            const Word more_twos = carry(sum[0], row[2], row[3]);
            Word carried = carry(sum[1], twos, more_twos);
#pragma unroll
            for (unsigned t = 2; t < SUM_PLANES; t++)
                carried = carry(sum[t], carried, 0);
        }
        // The maximum of 32 sums that stand as bit planes, from the top bit down: as soon as a
        // cover has a bit, the covers without it are out.
        unsigned most = 0;
        Word among = ~0u;  // the covers that may still have the highest sum
#pragma unroll
        for (int t = SUM_PLANES - 1; t >= 0; t--) {
            const Word higher = among & sum[t];
            among = higher ? higher : among;
            most |= higher ? 1u << t : 0;
        }
        highest = most > highest ? most : highest;
    }
    highest = __reduce_max_sync(~0u, highest);
    return highest > COVER_MOST ? part.n - (highest - COVER_MOST) : part.n;
}

// Enters a set that no guess splits into more than `most` parts, if a slot is free. A whole warp
// calls it.
__device__ __forceinline__ void enter_cover(
    const Covers &covers, const State &part, unsigned most)
{
    const unsigned me = threadIdx.x % WARP;
    unsigned slot = 0;
    if (me == 0)
        slot = atomicAdd(covers.entered, 1u);
    slot = __reduce_max_sync(~0u, slot);
    if (slot >= 32 * covers.words)
        return;
    Word *const planes = covers.table + slot / 32;
    Word *const rows = planes + (size_t)COVER_PLANES * covers.words;
    const Word bit = 1u << slot % 32;  // one thread sets it once in each row, so xor does
    for (unsigned t = me; t < COVER_PLANES; t += WARP)
        if ((COVER_MOST - most) >> t & 1)
            atomicXor(planes + t * covers.words, bit);
    for (int i = me; i < part.n; i += WARP)
        atomicXor(rows + (size_t)part.answers[i] * covers.words, bit);
}
