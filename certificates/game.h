/* The game: states, feedback, legal guesses, the cost of turns, and the parts of a guess. */
#include "reading.h"

enum { TURNS = 30, PRICES = 2 * TURNS + 20 };
typedef struct State {
    Count n;                            /* number of possible answers */
    int turn, steps;                    /* turns made; guesses on the path, which bind the next */
    uint16_t *answers, path[TURNS + 2]; /* the possible answers, heaviest first; the guesses made */
    Count bound, asked; /* the bound is exact if it is below `asked`, else just large enough */
    uint64_t *form;     /* of an entry, with `symmetries all` */
    struct State *next;
} State;
static Word guess[WORDS], answer[WORDS]; /* guesses with the most parts and heavy answers first */
static Count guesses, answers, met[PATTERNS]; /* their numbers; met is zero between calls */
static int pegs, solved, classes;             /* classes: how many turns differ in price */
static Count price[PRICES];           /* of every turn that a bound can charge */
static uint16_t *pattern, *column;    /* feedback by guess and answer, and by answer and guess */
static uint16_t own[WORDS];           /* for each answer, its index as a guess */
static uint16_t reach[WORDS];  /* upper bound on the parts of a guess; 0: illegal or useless */
static uint16_t ranked[WORDS]; /* guesses by reach, the greatest first */
static char rule, copies[WORDS][128]; /* the rule's first letter; copies of letters in guesses */

static int feedback(const char *g, const char *a) { /* letters in base 3, pegs in base 16 */
    int unclaimed[128] = {0}, greens = 0, yellows = 0, colours = 0;
    for (int i = 0; i < length; i++) unclaimed[(int)a[i]] += g[i] != a[i];
    for (int i = 0; i < length; i++) {
        int green = g[i] == a[i], yellow = !green && unclaimed[(int)g[i]]-- > 0;
        greens += green;
        yellows += yellow;
        colours = 3 * colours + 2 * green + yellow;
    }
    return pegs ? 16 * greens + yellows : colours;
}

static const uint16_t *row(Count g) { return pattern + (size_t)g * answers; }

typedef struct Shown { /* what the rule hard makes of the feedback: */
    char green[sizeof guess->text], least[128]; /* letters by place; copies needed of a letter */
} Shown;

static Shown shown_in(const State *s) {
    Shown shown = {{0}, {0}};
    int a = own[*s->answers];
    for (int t = 0; t < s->steps && rule == 'h'; t++)
        for (int i = 0, g = s->path[t]; i < length; i++) {
            int c = guess[g].text[i];
            char both = (char)(copies[g][c] < copies[a][c] ? copies[g][c] : copies[a][c]);
            if (c == guess[a].text[i]) shown.green[i] = (char)c;
            if (shown.least[c] < both) shown.least[c] = both;
        }
    return shown;
}

static int agrees(const State *s, const Shown *shown, Count h) { /* h fits all feedback so far */
    const char *z = guess[h].text, *y = guess[own[*s->answers]].text;
    for (int i = 0; i < length && rule == 'h'; i++)
        if ((shown->green[i] && shown->green[i] != z[i]) ||
            copies[h][(int)y[i]] < shown->least[(int)y[i]])
            return 0;
    for (int t = 0; t < s->steps && rule == 'u'; t++)
        if (feedback(guess[s->path[t]].text, z) != feedback(guess[s->path[t]].text, y)) return 0;
    return 1;
}

static int is_legal(const State *s, Count h) {
    Shown shown = shown_in(s);
    if (rule != 'c') return agrees(s, &shown, h);
    for (Count i = 0; i < s->n; i++)
        if (own[s->answers[i]] == h) return 1;
    return 0;
}

static Count legal_guesses(const State *s, uint16_t *list) { /* those with reach, as ranked */
    Shown shown = shown_in(s);
    Count count = 0;
    for (Count k = 0; k < guesses && reach[ranked[k]]; k++)
        if (rule == 'n' || (rule == 'c' ? is_legal(s, ranked[k]) : agrees(s, &shown, ranked[k])))
            list[count++] = ranked[k];
    return count;
}

static Count charge(int a, int turn, int made) { /* cost of finding a on `turn`, after `made` */
    if (price[turn] == INFEASIBLE) return INFEASIBLE;
    return answer[a].weight * (price[turn] - price[made]);
}

static int by_size(const void *x, const void *y) { /* the largest first */
    Count one = ((const State *)x)->n, other = ((const State *)y)->n;
    return (one < other) - (one > other);
}

static State *split(const State *s, Count g, Count *parts) { /* all parts but g, largest first */
    const uint16_t *seen = row(g);
    State *part = room(s->n, sizeof *part); /* part[s->n] owns the memory of all answers */
    uint16_t *place = part[s->n].answers = room(s->n, sizeof *place);
    *parts = 0;
    for (Count i = 0; i < s->n; i++) met[seen[s->answers[i]]]++;
    for (Count i = 0; i < s->n; i++) {
        int a = s->answers[i], p = seen[a];
        if (p == solved) continue;
        if (met[p] > 0) { /* first of its part: from here on met holds minus the part's number */
            State *new = &part[(*parts)++];
            *new = *s;
            new->n = 0, new->turn++, new->path[new->steps++] = (uint16_t)g, new->answers = place;
            place += met[p], met[p] = -*parts;
        }
        State *mine = &part[-met[p] - 1];
        mine->answers[mine->n++] = (uint16_t)a;
    }
    for (Count i = 0; i < s->n; i++) met[seen[s->answers[i]]] = 0;
    qsort(part, *parts, sizeof *part, by_size);
    return part;
}
