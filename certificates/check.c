/* Checks a certificate of how a guessing game is best played: check CERTIFICATE GUESSES ANSWERS
 * FORMAT.md says what is checked. cc -O2 -o check check.c */
#include "bounds.h"

static uint16_t play[WORDS][TURNS]; /* the line of each answer in the strategy */
static int opener;                  /* -1 if none is named, and so are bounds and costs */
static int64_t bound, others, cost; /* what opener and all others cost at least, the strategy exactly */

static void prove(State *s, int64_t goal) /* for every useful guess; at the start the opener apart */
{
    uint16_t *parts = room(s->legals, sizeof *parts);
    int most = most_parts(s, parts);
    for (int j = 0; j < s->legals; j++) {
        int g = s->legal[j];
        int counts = s->turn ? parts[j] > 1 || row(g)[*s->answers] == solved : g != opener;
        if (counts && !reaches(s, g, most, goal)) fail("too high a bound for the guess ", guess[g].text);
    }
    if (!s->turn && opener >= 0 && !reaches(s, opener, most, bound))
        fail("too high a bound for the opener ", guess[opener].text);
    free(parts);
}

static int64_t follow(State *s) /* lemma 6: what the strategy costs from here on */
{
    int parts, legal = 0, g = play[*s->answers][s->turn];
    int64_t sum = 0;
    find_legal(s);
    for (int j = 0; j < s->legals; j++) legal |= s->legal[j] == g;
    if (!legal && (s->turn || g != opener)) fail("the strategy's guess is illegal: ", guess[g].text);
    for (int i = 0; i < s->n; i++) {
        int a = s->answers[i];
        if (play[a][s->turn] != g) fail("the same feedback, but another guess: ", answer[a].text);
        if (own[a] == g) sum += charge(a, s->turn + 1, 0);
    }
    State *part = split(s, g, &parts);
    for (int i = 0; i < parts; i++) sum += follow(&part[i]);
    free_parts(part, parts, s->n);
    return sum;
}

static int heaviest_first(const void *x, const void *y)
{
    int64_t first = ((const Word *)x)->weight, second = ((const Word *)y)->weight;
    return (first < second) - (first > second);
}

static const char *read_prices_and_weights(void) /* where the line on weights ends */
{
    expect("prices");
    while (strcmp(word(), "then")) {
        if (prices == TURNS) fail("too many prices: ", token);
        price[++prices] = number(token);
    }
    int step = !strcmp(word(), "+1");
    int64_t last = step ? 0 : number(token), total = 0;
    for (int t = prices + 1; t < PRICES; t++) price[t] = step ? price[t - 1] + 1 : last;
    for (int t = 1; t < PRICES; t++) if (price[t] < price[t - 1]) fail("prices never fall: ", token);
    end_line();
    expect("weights");
    int equal = !strcmp(word(), "equal");
    char hash[sizeof token], *start = at;
    strcpy(hash, token);
    end_line();
    for (int a = 0; a < answers; a++) {
        answer[a].weight = equal ? 1 : number(word());
        total += answer[a].weight;
        if (!equal) end_line();
    }
    if (!equal && strcmp(hash, sha256(start, at - start))) fail("other weights than those of ", hash);
    int64_t highest = step ? price[prices] + answers : last < INFEASIBLE ? last : price[prices];
    if (!prices || !total || total >= INFEASIBLE || highest > (INFEASIBLE - 1) / total)
        fail("no price, no weight, or both are too large", "");
    prices += !step; /* the turns that prices tell apart */
    if (!equal) qsort(answer, answers, sizeof *answer, heaviest_first);
    return start;
}

static void prepare(State *start) /* what depends on lists and weights alone */
{
    pattern = room((size_t)guesses * answers, sizeof *pattern);
    start->n = answers;
    start->answers = room(answers, sizeof *start->answers);
    for (int g = 0; g < guesses; g++) {
        for (int i = 0; i < length; i++) copies[g][(int)guess[g].text[i]]++;
        for (int a = 0; a < answers; a++)
            pattern[(size_t)g * answers + a] = (uint16_t)feedback(guess[g].text, answer[a].text);
    }
    solved = feedback(guess->text, guess->text);
    for (int a = 0; a < answers; a++) {
        start->answers[a] = (uint16_t)a;
        own[a] = (uint16_t)find(guess, guesses, answer[a].text);
        if (own[a] == guesses) fail("an answer that is no guess: ", answer[a].text);
    }
    start->legal = rule == 'c' ? 0 : room(guesses, sizeof *start->legal);
    for (int g = 0; g < guesses && rule != 'c'; g++) start->legal[start->legals++] = (uint16_t)g;
    find_legal(start);
}

static int read_line(uint16_t *path) /* the guesses up to the end of a line */
{
    int turns = 0;
    while (!ended) {
        if (turns == TURNS) fail("a line of too many guesses, at ", token);
        path[turns++] = (uint16_t)named(guess, guesses);
    }
    end_line();
    return turns;
}

static int read_strategy(void) /* the turns that it needs */
{
    static char seen[WORDS];
    int height = 0;
    for (int i = 0; i < answers; i++) {
        uint16_t path[TURNS];
        int turns = read_line(path), a = find(answer, answers, token);
        if (a == answers || seen[a]++) fail("no answer, or its second line: ", token);
        for (int t = 0; t < turns - 1; t++)
            if (path[t] == own[a]) fail("goes on after the answer: ", token);
        memcpy(play[a], path, turns * sizeof *path);
        height = turns > height ? turns : height;
    }
    return height;
}

static State *read_path(State *start) /* what the guesses leave when the last word is hidden */
{
    uint16_t path[TURNS], witness;
    State chain[TURNS] = {*start};
    int turns = read_line(path) - 1, hidden = find(answer, answers, token);
    if (hidden == answers || turns < 1) fail("no path of guesses to an answer: ", token);
    witness = (uint16_t)hidden;
    for (int t = 1; t <= turns; t++)
        chain[t] = (State){1, t, path[t - 1], 0, &witness, 0, 0, &chain[t - 1], 0};
    State *s = &chain[turns];
    s->answers = room(answers, sizeof *s->answers);
    s->n = 0;
    for (int a = 0; a < answers; a++) {
        int t = 0;
        while (t < turns && row(path[t])[a] == row(path[t])[hidden]) t++;
        if (t == turns) s->answers[s->n++] = (uint16_t)a;
    }
    find_legal(s);
    return copy(s);
}

static State *read_set(State *start)
{
    static char held[WORDS];
    int64_t turn = number(word());
    if (turn < 1 || turn >= TURNS) fail("turns made are 1 to 29, not ", token);
    State s = {0, (int)turn, 0, 0, 0, 0, 0, start, 0};
    s.answers = room(answers, sizeof *s.answers);
    do {
        int a = named(answer, answers);
        if (held[a]++) fail("twice in a set: ", token);
    } while (!ended);
    end_line();
    for (int a = 0; a < answers; a++)
        if (held[a]) s.answers[s.n++] = (uint16_t)a;
    memset(held, 0, sizeof held);
    if (rule != 'c') s.legal = start->legal, s.legals = start->legals;
    find_legal(&s);
    return copy(&s);
}

static void read_entry(State *start)
{
    int64_t least = number(word());
    int is_path = !strcmp(word(), "path");
    if (!is_path && strcmp(token, "set")) fail("expected path or set, not ", token);
    State *entry = is_path ? read_path(start) : read_set(start);
    State **chain = &ledger[*entry->answers];
    line--; /* where the entry stands */
    for (const State *e = *chain; e; e = e->next)
        if (is_same(e, entry)) fail("a state that stands there already", "");
    prove(entry, least);
    line++;
    entry->bound = least;
    entry->next = *chain;
    *chain = entry;
}

static int choice(const char *name, const char *const *names) /* which of the names a line gives */
{
    int i = 0;
    expect(name);
    for (word(); names[i] && strcmp(token, names[i]); i++) continue;
    if (!names[i]) fail("not a choice here: ", token);
    end_line();
    return i;
}

static void read_claims(void)
{
    expect("opener");
    opener = strcmp(word(), "none") ? find(guess, guesses, token) : -1;
    if (opener == guesses) fail("not in the list: ", token);
    bound = opener < 0 ? -1 : number(word());
    end_line();
    expect("others");
    others = strcmp(word(), "none") ? number(token) : -1;
    end_line();
    expect("strategy");
    cost = strcmp(word(), "none") ? number(token) : -1;
    end_line();
}

static void say(const char *who, int64_t least)
{
    if (least == INFEASIBLE) printf("- %s cannot be sure to find every answer in time\n", who);
    else if (least >= 0) printf("- %s costs at least %" PRId64 "\n", who, least);
}

static void print_theorem(const char *header, int size, int height)
{
    const char *name = opener < 0 ? "some opener" : guess[opener].text;
    printf("Proved of the game with\n%.*s", size, header);
    say(name, bound);
    say(opener < 0 ? "every opener" : "every other opener", others);
    if (cost >= 0) printf("- %s costs at most %" PRId64 ", within %d turns\n", name, cost, height);
    if (cost >= 0 && cost == bound) printf("So the least cost of %s is %" PRId64 "\n", name, cost);
    if (cost >= 0 && (opener < 0 || cost == bound) && cost <= others)
        printf("No opener costs less%s\n", cost < others && opener >= 0 ? ", and no other as little" : "");
}

int main(int count, char **argument)
{
    static const char *const kinds[] = {"letters", "pegs", 0};
    static const char *const rules[] = {"normal", "candidates", "hard", "ultra-hard", 0};
    State start = {0};
    size_t size;
    if (count != 4) fail("usage: check CERTIFICATE GUESSES ANSWERS", "");
    char *text = at = contents(argument[1], &size);
    expect("gpu_wordle"), expect("certificate"), expect("1"), end_line();
    const char *header = at;
    guesses = load("guesses", argument[2], guess);
    answers = load("answers", argument[3], answer);
    pegs = choice("feedback", kinds);
    rule = *rules[choice("rule", rules)];
    if (pegs ? rule != 'n' && rule != 'c' : length > 10) fail("no feedback for such a game", "");
    int shown = (int)(read_prices_and_weights() - header);
    prepare(&start);
    read_claims();
    int height = cost < 0 ? 0 : read_strategy();
    if (cost >= 0 && (opener >= 0 && play[0][0] != opener)) fail("another opener is played", "");
    if (cost >= 0 && (cost >= INFEASIBLE || follow(&start) != cost)) fail("a strategy of another cost", "");
    expect("ledger");
    int64_t entries = number(word());
    for (end_line(); entries > 0; entries--) read_entry(&start);
    expect("end");
    end_line();
    if (at != text + size) fail("more lines after the end", "");
    prove(&start, others);
    print_theorem(header, shown, height);
    return 0;
}
