/* Lower bounds on the cost of states; docs/theory/certificates.md proves the lemmas. */
#include "symmetry.h"

enum { SLOTS = 1 << 18 };
static State *ledger[WORDS]; /* entries by their first answer, or by their form */
static State *memory[SLOTS]; /* a cache of one-ply bounds, by hash */

static int after(Count rank, Count most) { /* the least k with rank < most^k */
    int k = 0;
    for (Count found = 1; rank >= found; found *= most) k++;
    return k;
}

static Count size_bound(const uint16_t *list, Count n, Count most, int turn) { /* lemma 3 */
    Count sum = 0;
    for (Count i = 0; i < n; i++) sum += charge(list[i], turn + 1 + after(i, most), turn);
    return sum;
}

static Count sum_of_sizes(const State *s, Count g, Count most) { /* lemma 1, the parts by lemma 3 */
    const uint16_t *seen = row(g);
    Count sum = 0;
    for (Count i = 0; i < s->n; i++) {
        int a = s->answers[i], p = seen[a];
        sum += charge(a, s->turn + (p == solved ? 1 : 2 + after(met[p]++, most)), s->turn);
    }
    for (Count i = 0; i < s->n; i++) met[seen[s->answers[i]]] = 0;
    return sum;
}

static int class_of(const State *s) { return s->turn < classes ? s->turn : classes; }

/* Returns a table: least[i] is a lower bound on the cost of any guess that makes i parts. */
static Count *least_by_parts(const State *s) {
    Count *least = room(s->n + 1, sizeof *least);
    int t = s->turn;
    least[s->n] = charge(s->answers[0], t + 1, t);
    for (Count i = 1; i < s->n; i++) least[s->n] += charge(s->answers[i], t + 2, t);
    for (Count i = s->n - 1; i > 0; i--)
        least[i] = least[i + 1] + charge(s->answers[i], t + 3, t) - charge(s->answers[i], t + 2, t);
    return least;
}

/* Whether the numbers of parts alone show that every guess costs `enough` or more. */
static int is_enough(const State *s, const uint16_t *list, Count count, const Count *least,
                     Count enough) {
    uint16_t parts[BLOCK];
    for (Count k = 0; k < count; k += BLOCK) {
        Count size = count - k < BLOCK ? count - k : BLOCK;
        if (least[at_most(s, list[k])] >= enough) return 1; /* nor can the guesses to come */
        count_parts(s, list + k, size, parts);
        for (Count i = 0; i < size; i++)
            if (parts[i] && least[parts[i]] < enough) return 0;
    }
    return 1;
}

/* The least bound by sizes of any guess. A guess with the most parts is tried first: then numbers
 * of parts rule out most of the others. */
static Count by_best(const State *s, const uint16_t *list, Count count, const Count *least) {
    static uint16_t parts[WORDS];
    Count done, first = 0, most = most_parts(s, list, count, parts, &done);
    while (first < done - 1 && parts[first] < most) first++;
    Count bound = done && parts[first] ? sum_of_sizes(s, list[first], most) : MOST, sum;
    for (Count k = 0; k < count; k++) {
        if (least[at_most(s, list[k])] >= bound) break; /* nor can the guesses to come be less */
        if (k >= done) count_parts(s, list + k, 1, parts + k);
        if (parts[k] && least[parts[k]] < bound && (sum = sum_of_sizes(s, list[k], most)) < bound)
            bound = sum;
    }
    return bound;
}

static Count one_ply(const State *s, Count enough) { /* lemma 4, or `enough` if that is reached */
    static uint16_t list[WORDS];
    uint64_t hash = class_of(s);
    for (Count i = 0; i < s->n; i++) hash = (hash ^ s->answers[i]) * 0x9e3779b97f4a7c15u;
    State **seat = &memory[(hash >> 32) % SLOTS], *m = *seat;
    size_t size = s->n * sizeof *s->answers;
    if (m && m->n == s->n && class_of(m) == class_of(s) && !memcmp(m->answers, s->answers, size) &&
        m->steps == s->steps && (rule == 'n' || !memcmp(m->path, s->path, sizeof m->path)) &&
        (m->bound < m->asked || m->asked >= enough))
        return m->bound;
    Count count = legal_guesses(s, list);
    Count *least = least_by_parts(s);
    int is_quick = is_enough(s, list, count, least, enough);
    Count bound = is_quick ? enough : by_best(s, list, count, least);
    free(least);
    if (m) free(m->answers);
    m = *seat = m ? m : room(1, sizeof *m);
    *m = *s;
    m->answers = memcpy(room(s->n, sizeof *s->answers), s->answers, size);
    m->bound = bound;
    m->asked = is_quick ? enough : MOST;
    return bound;
}

static int is_inside(const State *e, const State *s, const char *held) { /* held: answers of s */
    if (class_of(e) != class_of(s) || (rule == 'c' && e->n < s->n)) return 0;
    for (Count i = 0; i < e->n; i++)
        if (!held[e->answers[i]]) return 0;
    return 1;
}

static int allows_more(const State *e, const State *s) { /* what is legal in s is legal in e */
    if (rule != 'h' && rule != 'u') return 1;
    Shown mine = shown_in(s), theirs = shown_in(e);
    for (Count i = 0; i < s->n; i++)
        if (!agrees(e, &theirs, own[s->answers[i]])) return 0;
    for (Count h = 0; h < guesses; h++)
        if (agrees(s, &mine, h) && !agrees(e, &theirs, h)) return 0;
    return 1;
}

static int seat_of(const State *s, const uint64_t *form) { /* index of its list in the ledger */
    uint64_t hash = s->n;
    for (Count i = 0; i < s->n && form; i++) hash = (hash ^ form[i]) * 0x9e3779b97f4a7c15u;
    return form ? (int)((hash >> 32) % WORDS) : *s->answers;
}

/* The best of the bound of s and the bounds of entries with the same state, or form. */
static Count told_bound(const State *s) {
    uint64_t *form = orders ? form_of(s) : 0;
    Count best = s->bound;
    for (const State *e = ledger[seat_of(s, form)]; e; e = e->next)
        if (e->bound > best && e->n == s->n && class_of(e) == class_of(s) &&
            (form ? !memcmp(e->form, form, s->n * sizeof *form)
                  : !memcmp(e->answers, s->answers, s->n * sizeof *s->answers) &&
                        allows_more(e, s) && allows_more(s, e)))
            best = e->bound;
    free(form);
    return best;
}

/* The best of the bound of s and those of lemma 5: an entry inside s, with sizes for the rest. */
static Count ledger_bound(const State *s, Count most) {
    static char held[WORDS];
    static uint16_t rest[WORDS];
    if (orders) return told_bound(s); /* lemma 8 */
    Count best = s->bound;
    for (Count i = 0; i < s->n; i++) held[s->answers[i]] = 1;
    for (Count i = 0; i < s->n; i++)
        for (const State *e = ledger[s->answers[i]]; e; e = e->next) {
            if (!is_inside(e, s, held)) continue;
            Count others = 0;
            for (Count k = 0; k < e->n; k++) held[e->answers[k]] = 0;
            for (Count k = 0; k < s->n; k++)
                if (held[s->answers[k]]) rest[others++] = s->answers[k];
            for (Count k = 0; k < e->n; k++) held[e->answers[k]] = 1;
            Count bound = e->bound + size_bound(rest, others, most, s->turn);
            if (bound > best && allows_more(e, s)) best = bound;
        }
    for (Count i = 0; i < s->n; i++) held[s->answers[i]] = 0;
    return best;
}

/* Whether the sum of g (lemma 1) reaches the goal. The cheap bounds come first: sizes of the parts,
 * then the ledger for each part, then one ply. */
static int reaches(const State *s, Count g, Count most, Count goal) {
    Count parts;
    Count sum = sum_of_sizes(s, g, most);
    if (sum >= goal) return 1;
    State *part = split(s, g, &parts);
    for (Count i = 0; i < parts; i++)
        part[i].bound = size_bound(part[i].answers, part[i].n, most, part[i].turn);
    for (Count i = 0; i < 2 * parts && sum < goal; i++) {
        State *p = &part[i % parts];
        Count enough = p->bound + goal - sum;
        Count bound = i < parts ? ledger_bound(p, most) : p->n > 2 ? one_ply(p, enough) : 0;
        if (bound <= p->bound) continue;
        sum += bound - p->bound;
        p->bound = bound;
    }
    free(part[s->n].answers);
    free(part);
    return sum >= goal;
}

/* Requires every guess to reach its goal. The opener has its own; some guesses need no proof. */
static void prove(const State *s, Count goal, Count opener, Count opener_goal) {
    Count most = line_up(s);
    Count *least = least_by_parts(s);
    for (Count k = 0; k < guesses && reach[ranked[k]]; k++) {
        int g = ranked[k];
        if (g == opener || (!s->turn && spared[g]) || is_passed_over(s, g)) continue;
        if (least[reach[g]] < goal && !reaches(s, g, most, goal))
            fail("too high a bound for the guess ", guess[g].text);
    }
    if (opener >= 0 && !reaches(s, opener, most, opener_goal))
        fail("too high a bound for the guess ", guess[opener].text);
    free(least);
}
