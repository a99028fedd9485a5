/* The game: feedback, legal guesses, what turns cost, and how a guess parts a state. */
#include "reading.h"

enum { TURNS = 30, PRICES = 2 * TURNS + 20 };
typedef struct State { /* some answers, the heaviest first; turns made; what the guesses left say */
    int n, turn, guess, legals; /* guess: the one that left this part of the state before */
    uint16_t *answers, *legal;  /* the legal guesses are found when they are needed */
    int64_t bound;
    struct State *before, *next;
} State;
static Word guess[WORDS], answer[WORDS];
static int guesses, answers, pegs, prices, solved;
static int64_t price[PRICES];         /* of every turn that a bound can come to */
static uint16_t *pattern, own[WORDS]; /* feedback by guess and answer; the guess that is an answer */
static char rule, copies[WORDS][128]; /* the first letter of the rule; copies of letters in guesses */
static int met[WORDS];                /* answers of each pattern; zero between calls */

static const uint16_t *row(int g) /* the feedback to g for each answer */
{
    return pattern + (size_t)g * answers;
}

static int feedback(const char *g, const char *a) /* a number: letters in base 3, pegs in base 16 */
{
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

static int stays_legal(int h, int g, int a) /* h, after g when the answer is a; all as guesses */
{
    const char *x = guess[g].text, *y = guess[a].text, *z = guess[h].text;
    if (rule == 'u') return feedback(x, z) == feedback(x, y);
    for (int i = 0; i < length; i++) {
        int c = x[i], shared = copies[g][c] < copies[a][c] ? copies[g][c] : copies[a][c];
        if (copies[h][c] < shared || (c == y[i] && c != z[i])) return 0;
    }
    return 1;
}

static void find_legal(State *s)
{
    if (s->legal) return;
    if (rule == 'c') {
        s->legal = room(s->n, sizeof *s->legal);
        for (int i = 0; i < s->n; i++) s->legal[s->legals++] = own[s->answers[i]];
        return;
    }
    find_legal(s->before);
    s->legal = rule == 'n' ? s->before->legal : room(s->before->legals, sizeof *s->legal);
    for (int j = 0; j < s->before->legals && rule != 'n'; j++) {
        int h = s->before->legal[j];
        if (stays_legal(h, s->guess, own[*s->answers])) s->legal[s->legals++] = (uint16_t)h;
    }
    if (rule == 'n') s->legals = s->before->legals;
}

static int64_t charge(int a, int turn, int made) /* for finding a on a turn, less the turns made */
{
    if (price[turn] == INFEASIBLE) return INFEASIBLE;
    return answer[a].weight * (price[turn] - price[made]);
}

static int by_size(const void *x, const void *y)
{
    return ((const State *)y)->n - ((const State *)x)->n;
}

static State *split(State *s, int g, int *parts) /* those that are not found, the largest first */
{
    const uint16_t *seen = row(g);
    State *part = room(s->n, sizeof *part); /* the one beyond the last owns the room for answers */
    uint16_t *place = part[s->n].answers = room(s->n, sizeof *place);
    *parts = 0;
    for (int i = 0; i < s->n; i++) met[seen[s->answers[i]]]++;
    for (int i = 0; i < s->n; i++) {
        int a = s->answers[i], p = seen[a];
        if (p == solved) continue;
        if (met[p] > 0) { /* the first of its part; from now on met holds the number of the part */
            part[*parts] = (State){0, s->turn + 1, g, 0, place, 0, 0, s, 0};
            place += met[p];
            met[p] = -++*parts;
        }
        State *mine = &part[-met[p] - 1];
        mine->answers[mine->n++] = (uint16_t)a;
    }
    for (int i = 0; i < s->n; i++) met[seen[s->answers[i]]] = 0;
    qsort(part, *parts, sizeof *part, by_size);
    return part;
}

static void free_parts(State *part, int parts, int n)
{
    for (int i = 0; i < parts; i++) if (rule != 'n') free(part[i].legal);
    free(part[n].answers);
    free(part);
}
