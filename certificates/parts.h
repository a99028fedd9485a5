/* Counts the parts that guesses make of a state. */
#include "game.h"

enum { BLOCK = 64 };

/* Counts the parts that each listed guess makes: 0 if it is useless (lemma 2). Callers pass blocks
 * of guesses, so that memory is read in order. */
static void count_parts(const State *s, const uint16_t *list, Count count, uint16_t *parts) {
    static uint64_t *seen; /* a byte for each guess and feedback, zero between calls */
    int width = solved / 8 + 1;
    if (!seen) seen = room((size_t)BLOCK * width, sizeof *seen);
    for (Count i = 0; i < s->n; i++) {
        const uint16_t *mine = column + (size_t)s->answers[i] * guesses;
        for (Count k = 0; k < count; k++) ((char *)(seen + k * width))[mine[list[k]]] = 1;
    }
    for (Count k = 0; k < count; k++) {
        uint64_t *mine = seen + (size_t)k * width, sum = 0;
        int found = ((char *)mine)[solved];
        for (int w = 0; w < width; mine[w++] = 0) /* the product sums the eight bytes of a word */
            sum += mine[w] * 0x0101010101010101u >> 56;
        parts[k] = sum == 1 && s->turn && !found ? 0 : (uint16_t)sum;
    }
}

/* Returns the most parts that a guess of a list makes. The list descends by `reach`, the parts that
 * guesses make of a larger state. No guess makes more parts of fewer answers. So the count stops
 * where the guesses to come cannot make more. */
static Count most_parts(const State *s, const uint16_t *list, Count count, uint16_t *parts,
                        Count *done) {
    Count most = 2;
    *done = 0;
    while (*done < count && most < s->n && most < reach[list[*done]]) {
        Count g = *done, size = count - g < BLOCK ? count - g : BLOCK;
        count_parts(s, list + g, size, parts + g);
        for (; *done < g + size; ++*done) most = parts[*done] > most ? parts[*done] : most;
    }
    return most;
}

static Count at_most(const State *s, int g) { /* upper bound on the parts that g makes of s */
    return reach[g] < s->n ? reach[g] : s->n;
}

static int by_reach(const void *x, const void *y) {
    int g = *(const uint16_t *)x, h = *(const uint16_t *)y;
    return reach[g] == reach[h] ? (g > h) - (g < h) : reach[h] - reach[g];
}

/* Sorts the guesses by the parts that they make of s, and returns the most. The order also serves
 * the parts of s. Illegal and useless guesses (lemma 2) count as making none. */
static Count line_up(const State *s) {
    static uint16_t list[WORDS], parts[WORDS];
    for (Count g = 0; g < guesses; g++) ranked[g] = (uint16_t)g, reach[g] = 1;
    Count count = legal_guesses(s, list);
    for (Count k = 0; k < count; k += BLOCK)
        count_parts(s, list + k, count - k < BLOCK ? count - k : BLOCK, parts + k);
    memset(reach, 0, sizeof reach);
    for (Count k = 0; k < count; k++) reach[list[k]] = parts[k];
    qsort(ranked, guesses, sizeof *ranked, by_reach);
    return reach[*ranked] > 2 ? reach[*ranked] : 2;
}
