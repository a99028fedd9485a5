/* check CERTIFICATE GUESSES ANSWERS; FORMAT.md says what is checked. cc -O2 -o check check.c */
#include "header.h"

static uint16_t play[WORDS][TURNS]; /* the line of each answer in the strategy */

static int64_t follow(const State *s, int opener) { /* lemma 6: what the strategy costs from here */
    int parts, g = play[*s->answers][s->turn];
    int64_t sum = 0;
    if (!is_legal(s, g) && (s->turn || g != opener)) fail("an illegal guess: ", guess[g].text);
    for (int i = 0; i < s->n; i++) {
        int a = s->answers[i];
        if (play[a][s->turn] != g) fail("the same feedback, but another guess: ", answer[a].text);
        if (own[a] == g) sum = charge(a, s->turn + 1, 0);
    }
    State *part = split(s, g, &parts);
    for (int i = 0; i < parts; i++) sum += follow(&part[i], opener);
    free(part[s->n].answers);
    free(part);
    return sum;
}

static int read_guesses(uint16_t *path) { /* to the end of the line; token is the last one */
    int count = 0;
    do {
        if (count == TURNS) fail("too many guesses on a line, from ", token);
        path[count++] = (uint16_t)named(guess, guesses);
    } while (!ended);
    end_line();
    return count;
}

static int read_strategy(void) { /* the turns that it needs */
    static char seen[WORDS];
    int height = 0;
    for (int i = 0; i < answers; i++) {
        uint16_t path[TURNS];
        int turns = read_guesses(path), a = find(answer, answers, token);
        if (a == answers || seen[a]++) fail("no answer, or its second line: ", token);
        for (int t = 0; t < turns - 1; t++)
            if (path[t] == own[a]) fail("the line goes on after its answer: ", token);
        memcpy(play[a], path, turns * sizeof *path);
        height = turns > height ? turns : height;
    }
    return height;
}

static State *read_state(void) { /* of the ledger: the rest of a line from path or set on */
    static char held[WORDS];
    State *s = room(1, sizeof *s);
    s->answers = room(answers, sizeof *s->answers);
    if (!strcmp(word(), "path")) {
        s->turn = s->steps = read_guesses(s->path) - 1;
        s->path[s->steps] = 0;
        int hidden = find(answer, answers, token);
        if (!s->turn || hidden == answers) fail("no path of guesses to an answer: ", token);
        for (int a = 0; a < answers; a++) {
            int t = 0;
            while (t < s->turn && row(s->path[t])[a] == row(s->path[t])[hidden]) t++;
            held[a] = t == s->turn;
        }
    } else {
        if (strcmp(token, "set")) fail("neither path nor set: ", token);
        int64_t turn = number(word());
        if (turn < 1 || turn >= TURNS) fail("turns made are 1 to 29, not ", token);
        s->turn = (int)turn;
        do {
            if (held[named(answer, answers)]++) fail("twice in a set: ", token);
        } while (!ended);
        end_line();
    }
    for (int a = 0; a < answers; a++)
        if (held[a]) s->answers[s->n++] = (uint16_t)a;
    memset(held, 0, sizeof held);
    return s;
}

static void read_ledger(void) { /* lemma 5 */
    expect("ledger");
    int64_t entries = number(word());
    for (end_line(); entries > 0; entries--) {
        int64_t bound = number(word());
        State *s = read_state();
        line--, prove(s, bound, -1, 0), line++; /* a refusal names the line of the entry */
        s->bound = bound;
        s->next = ledger[*s->answers];
        ledger[*s->answers] = s;
    }
}

static int64_t claim(const char *name) { /* the end of a line; -1 for none */
    int64_t value = strcmp(name, "none") ? number(name) : -1;
    end_line();
    return value;
}

static void say(const char *who, int64_t least) {
    if (least == INFEASIBLE) printf("- %s cannot be sure to find every answer in time\n", who);
    else if (least >= 0) printf("- %s costs at least %" PRId64 "\n", who, least);
}

int main(int count, char **argument) {
    static const char *const kinds[] = {"letters", "pegs", 0};
    static const char *const rules[] = {"normal", "candidates", "hard", "ultra-hard", 0};
    State start = {0};
    size_t size;
    int64_t highest, bound = -1;
    if (count != 4) fail("usage: check CERTIFICATE GUESSES ANSWERS", "");
    char *text = at = contents(argument[1], &size);
    line = 1, expect("gpu_wordle"), expect("certificate"), expect("1"), end_line();
    char *header = at;
    guesses = load("guesses", argument[2], guess);
    answers = load("answers", argument[3], answer);
    pegs = choice("feedback", kinds);
    rule = *rules[choice("rule", rules)];
    if (pegs ? rule == 'h' || rule == 'u' : length > 10) fail("no feedback of this game", "");
    read_prices(&highest);
    int shown = (int)(read_weights(highest) - header);
    prepare(&start);

    expect("opener");
    int opener = strcmp(word(), "none") || !ended ? find(guess, guesses, token) : -1;
    if (opener == guesses) fail("not in the list: ", token);
    if (opener >= 0) bound = number(word());
    end_line();
    expect("others");
    int64_t others = claim(word());
    expect("strategy");
    int64_t cost = claim(word());
    int height = cost < 0 ? 0 : read_strategy();
    if (cost >= 0 && opener >= 0 && play[0][0] != opener) fail("another opener is played", "");
    if (cost >= 0 && (cost >= INFEASIBLE || follow(&start, opener) != cost))
        fail("the strategy costs something else", "");
    read_ledger();
    expect("end");
    end_line();
    if (at != text + size) fail("more after the end", "");
    prove(&start, others, opener, bound); /* -1 is always reached */

    const char *who = opener < 0 ? "some opener" : guess[opener].text;
    printf("Proved of the game with\n%.*s", shown, header);
    say(who, bound);
    say(opener < 0 ? "every opener" : "every other opener", others);
    if (cost < 0) return 0;
    printf("- %s costs at most %" PRId64 ", within %d turns\n", who, cost, height);
    if (cost == bound) printf("So the least cost of %s is %" PRId64 "\n", who, cost);
    if (cost <= others && (opener < 0 || cost == bound))
        puts(opener < 0 || cost == others ? "No opener costs less" : "Every other costs more");
    return 0;
}
