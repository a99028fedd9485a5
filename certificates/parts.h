/* How many parts guesses make of a state. */
#include "game.h"

enum { BLOCK = 64 };

/* How many parts each of some guesses makes: 0 if it is useless (lemma 2). Guesses go by blocks, so
 * that memory is read in the order in which it lies. */
static void count_parts(const State *s, const uint16_t *list, int count, uint16_t *parts) {
    static uint64_t *seen; /* a byte for each guess and feedback, zero between calls */
    int width = solved / 8 + 1;
    if (!seen) seen = room((size_t)BLOCK * width, sizeof *seen);
    for (int i = 0; i < s->n; i++) {
        const uint16_t *mine = column + (size_t)s->answers[i] * guesses;
        for (int k = 0; k < count; k++) ((char *)(seen + k * width))[mine[list[k]]] = 1;
    }
    for (int k = 0; k < count; k++) {
        uint64_t *mine = seen + (size_t)k * width, sum = 0;
        int found = ((char *)mine)[solved];
        for (int w = 0; w < width; mine[w++] = 0) /* the product adds up the eight bytes */
            sum += mine[w] * 0x0101010101010101u >> 56;
        parts[k] = sum == 1 && s->turn && !found ? 0 : (uint16_t)sum;
    }
}

/* The most parts of any guess of a list. Guesses that make the most at the start come first, and
 * none makes more of fewer answers: so it ends where those to come cannot make more. */
static int most_parts(const State *s, const uint16_t *list, int count, uint16_t *parts, int *done) {
    int most = 2;
    *done = 0;
    while (*done < count && most < s->n && most < guess[list[*done]].weight) {
        int g = *done, size = count - g < BLOCK ? count - g : BLOCK;
        count_parts(s, list + g, size, parts + g);
        for (; *done < g + size; ++*done) most = parts[*done] > most ? parts[*done] : most;
    }
    return most;
}
