/* The game: its states, feedback, legal guesses, what turns cost, and how a guess parts a state. */
#include "reading.h"

enum { TURNS = 30, PRICES = 2 * TURNS + 20 };
typedef struct State { /* n answers left, heaviest first; turns made; guesses that bind the next */
    Count n;
    int turn, steps;
    uint16_t *answers, path[TURNS + 2];
    Count bound, asked; /* the bound is exact if it is less than was asked for */
    uint64_t *form; /* of an entry, if renamings matter */
    struct State *next;
} State;
static Word guess[WORDS], answer[WORDS]; /* those first that make the most parts, or weigh most */
static Count guesses, answers, met[PATTERNS]; /* met is zero between calls */
static int pegs, solved, classes;             /* classes: turns that prices tell apart */
static Count price[PRICES];         /* of every turn that a bound can come to */
static uint16_t *pattern, *column;    /* feedback by guess and answer, and by answer and guess */
static uint16_t own[WORDS];           /* the guess that each answer is */
static uint16_t reach[WORDS];  /* the parts that each guess can make; none: illegal or useless */
static uint16_t ranked[WORDS]; /* guesses, those first that can make the most */
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

typedef struct Shown { /* what feedback has shown, if a state is under the rule hard */
    char green[sizeof guess->text], least[128]; /* the letter in a place; copies of a letter */
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

static int agrees(const State *s, const Shown *shown, Count h) { /* with all feedback */
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

static Count legal_guesses(const State *s, uint16_t *list) { /* that can make parts, in order */
    Shown shown = shown_in(s);
    Count count = 0;
    for (Count k = 0; k < guesses && reach[ranked[k]]; k++)
        if (rule == 'n' || (rule == 'c' ? is_legal(s, ranked[k]) : agrees(s, &shown, ranked[k])))
            list[count++] = ranked[k];
    return count;
}

static Count charge(int a, int turn, int made) { /* for finding a on a turn, less turns made */
    if (price[turn] == INFEASIBLE) return INFEASIBLE;
    return answer[a].weight * (price[turn] - price[made]);
}

static int by_size(const void *x, const void *y) { /* the largest first */
    Count one = ((const State *)x)->n, other = ((const State *)y)->n;
    return (one < other) - (one > other);
}

static State *split(const State *s, Count g, Count *parts) { /* but for the found one, by size */
    const uint16_t *seen = row(g);
    State *part = room(s->n, sizeof *part); /* the one beyond the last owns the room for answers */
    uint16_t *place = part[s->n].answers = room(s->n, sizeof *place);
    *parts = 0;
    for (Count i = 0; i < s->n; i++) met[seen[s->answers[i]]]++;
    for (Count i = 0; i < s->n; i++) {
        int a = s->answers[i], p = seen[a];
        if (p == solved) continue;
        if (met[p] > 0) { /* the first of its part; from now on met holds the number of the part */
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
