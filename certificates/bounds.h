/* What states cost at least; the lemmas are those of docs/theory/certificates.md. */
#include "game.h"

enum { SLOTS = 1 << 18 };
static State *ledger[WORDS]; /* entries by their first answer */
static State *memory[SLOTS]; /* states and what one ply says of them, by hash */

static int after(int64_t i, int64_t most) /* the least k with i < most^k */
{
    int k = 0;
    for (int64_t reach = 1; i >= reach; reach *= most) k++;
    return k;
}

static int64_t size_bound(const uint16_t *list, int n, int most, int turn) /* lemma 3 */
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) sum += charge(list[i], turn + 1 + after(i, most), turn);
    return sum;
}

static int64_t sum_of_sizes(const State *s, int g, int most) /* lemma 1, the parts by lemma 3 */
{
    const uint16_t *seen = row(g);
    int64_t sum = 0;
    for (int i = 0; i < s->n; i++) {
        int a = s->answers[i], p = seen[a];
        sum += charge(a, s->turn + (p == solved ? 1 : 2 + after(met[p]++, most)), s->turn);
    }
    for (int i = 0; i < s->n; i++) met[seen[s->answers[i]]] = 0;
    return sum;
}

static int most_parts(const State *s, uint16_t *parts) /* and how many each legal guess makes */
{
    static int64_t stamp, stamped[WORDS];
    int most = 2;
    for (int j = 0; j < s->legals; j++) {
        const uint16_t *seen = row(s->legal[j]);
        int count = 0;
        stamp++;
        for (int i = 0; i < s->n; i++) {
            int p = seen[s->answers[i]];
            count += stamped[p] != stamp;
            stamped[p] = stamp;
        }
        parts[j] = (uint16_t)count;
        most = count > most ? count : most;
    }
    return most;
}

static int class_of(const State *s) /* lemma 2: turns beyond the last price are alike */
{
    return s->turn < prices ? s->turn : prices;
}

static int is_same(const State *s, const State *t)
{
    return class_of(s) == class_of(t) && s->n == t->n && s->legals == t->legals &&
           !memcmp(s->answers, t->answers, s->n * sizeof *s->answers) &&
           !memcmp(s->legal, t->legal, s->legals * sizeof *s->legal);
}

static State *copy(const State *s)
{
    State *t = room(1, sizeof *t);
    *t = *s;
    t->answers = memcpy(room(s->n, sizeof *s->answers), s->answers, s->n * sizeof *s->answers);
    if (rule != 'n')
        t->legal = memcpy(room(s->legals, sizeof *s->legal), s->legal, s->legals * sizeof *s->legal);
    return t;
}

static void free_state(State *s)
{
    if (rule != 'n') free(s->legal);
    free(s->answers);
    free(s);
}

static int64_t one_ply(State *s) /* lemma 4 */
{
    static uint16_t parts[WORDS];
    static int64_t least[WORDS]; /* what a guess costs at least that makes so many parts */
    uint64_t hash = s->turn;
    find_legal(s);
    for (int i = 0; i < s->n; i++) hash = (hash ^ s->answers[i]) * 0x9e3779b97f4a7c15u;
    State **seat = &memory[(hash >> 32) % SLOTS];
    if (*seat && is_same(*seat, s)) return (*seat)->bound;
    int most = most_parts(s, parts), first = 0, t = s->turn;
    least[s->n] = charge(s->answers[0], t + 1, t);
    for (int i = 1; i < s->n; i++) least[s->n] += charge(s->answers[i], t + 2, t);
    for (int i = s->n - 1; i > 0; i--) {
        int64_t second = charge(s->answers[i], t + 2, t), third = charge(s->answers[i], t + 3, t);
        least[i] = least[i + 1] + third - second;
    }
    while (parts[first] < most) first++;
    int64_t bound = sum_of_sizes(s, s->legal[first], most), sum;
    for (int j = 0; j < s->legals; j++)
        if (parts[j] > 1 && least[parts[j]] < bound)
            if ((sum = sum_of_sizes(s, s->legal[j], most)) < bound) bound = sum;
    if (*seat) free_state(*seat);
    (*seat = copy(s))->bound = bound;
    return bound;
}

static int lies_in(const State *e, State *s, const char *held) /* held: the answers of s */
{
    int k = 0;
    if (class_of(e) != class_of(s) || e->n > s->n || (rule == 'c' && e->n < s->n)) return 0;
    for (int i = 0; i < e->n; i++) if (!held[e->answers[i]]) return 0;
    find_legal(s);
    for (int j = 0; j < s->legals && (rule == 'h' || rule == 'u'); j++, k++) {
        while (k < e->legals && e->legal[k] < s->legal[j]) k++;
        if (k == e->legals || e->legal[k] != s->legal[j]) return 0;
    }
    return 1;
}

static int64_t ledger_bound(State *s, int most) /* lemma 5 */
{
    static char held[WORDS];
    static uint16_t rest[WORDS];
    int64_t best = 0, bound;
    for (int i = 0; i < s->n; i++) held[s->answers[i]] = 1;
    for (int i = 0; i < s->n; i++)
        for (State *e = ledger[s->answers[i]]; e; e = e->next) {
            if (!lies_in(e, s, held)) continue;
            int others = 0;
            for (int k = 0; k < e->n; k++) held[e->answers[k]] = 0;
            for (int k = 0; k < s->n; k++)
                if (held[s->answers[k]]) rest[others++] = s->answers[k];
            for (int k = 0; k < e->n; k++) held[e->answers[k]] = 1;
            bound = e->bound + size_bound(rest, others, most, s->turn);
            best = bound > best ? bound : best;
        }
    for (int i = 0; i < s->n; i++) held[s->answers[i]] = 0;
    return best;
}

static int reaches(State *s, int g, int most, int64_t goal) /* lemma 1, the parts by lemmas 3 to 5 */
{
    int64_t sum = sum_of_sizes(s, g, most);
    int parts;
    if (sum >= goal) return 1;
    State *part = split(s, g, &parts);
    for (int i = 0; i < parts; i++)
        part[i].bound = size_bound(part[i].answers, part[i].n, most, s->turn + 1);
    for (int i = 0; i < 2 * parts && sum < goal; i++) {
        State *p = &part[i % parts];
        int64_t bound = i < parts ? ledger_bound(p, most) : p->n > 2 ? one_ply(p) : 0;
        if (bound > p->bound) sum += bound - p->bound, p->bound = bound;
    }
    free_parts(part, parts, s->n);
    return sum >= goal;
}
