/* Checks a certificate as FORMAT.md says: check CERTIFICATE GUESSES ANSWERS
 * To build it: cc -O2 -o check check.c */
#include "strategy.h"

static State *read_state(void) { /* reads the rest of a ledger's line, from `path` or `set` on */
    static char held[WORDS];
    State *s = room(1, sizeof *s);
    s->answers = room(answers, sizeof *s->answers);
    if (!strcmp(word(), "path")) {
        s->turn = s->steps = read_guesses(s->path) - 1;
        s->path[s->steps] = 0;
        Count hidden = find(answer, answers, token);
        if (!s->turn || hidden == answers) fail("no path of guesses to an answer: ", token);
        for (Count a = 0; a < answers; a++) {
            int t = 0;
            while (t < s->turn && row(s->path[t])[a] == row(s->path[t])[hidden]) t++;
            held[a] = t == s->turn;
        }
    } else {
        if (strcmp(token, "set")) fail("neither path nor set: ", token);
        Count turn = number(word());
        if (turn < 1 || turn >= TURNS) fail("turns made are 1 to 29, not ", token);
        s->turn = (int)turn;
        do {
            if (held[named(answer, answers)]++) fail("twice in a set: ", token);
        } while (!ended);
        end_line();
    }
    for (Count a = 0; a < answers; a++)
        if (held[a]) s->answers[s->n++] = (uint16_t)a;
    memset(held, 0, sizeof held);
    return s;
}

static void read_ledger(void) { /* lemma 5 */
    expect("ledger");
    Count entries = number(word());
    for (end_line(); entries > 0; entries--) {
        Count bound = number(word());
        State *s = read_state();
        line--; /* so that an error names the line of the entry */
        s->bound = size_bound(s->answers, s->n, s->n, s->turn);
        if (told_bound(s) >= bound) fail("an entry that tells nothing new", "");
        prove(s, bound, -1, 0), line++;
        s->bound = bound;
        s->form = orders ? form_of(s) : 0;
        State **seat = &ledger[seat_of(s, s->form)];
        s->next = *seat;
        *seat = s;
    }
}

static Count claim(const char *name) { /* the number that ends a line; -1 for `none` */
    Count value = strcmp(name, "none") ? number(name) : -1;
    end_line();
    return value;
}

static void say(const char *who, Count least) {
    if (least == INFEASIBLE) printf("- %s cannot be sure to find every answer in time\n", who);
    else if (least >= 0) printf("- %s costs at least %lld\n", who, (long long)least);
}

int main(int count, char **argument) {
    static const char *const kinds[] = {"letters", "pegs", 0};
    static const char *const rules[] = {"normal", "candidates", "hard", "ultra-hard", 0};
    State start = {0};
    size_t size;
    Count highest, bound = -1;
    if (count != 4) fail("usage: check CERTIFICATE GUESSES ANSWERS", "");
    char *text = at = contents(argument[1], &size);
    line = 1, expect("gpu_wordle"), expect("certificate"), expect("1"), end_line();
    char *header = at;
    guesses = load("guesses", argument[2], guess);
    answers = load("answers", argument[3], answer);
    if (answers >= MOST / INFEASIBLE) fail("too large a list: ", argument[3]);
    pegs = choice("feedback", kinds);
    rule = *rules[choice("rule", rules)];
    if (pegs ? rule == 'h' || rule == 'u' : length > 10) fail("no feedback of this game", "");
    read_prices(&highest);
    int shown = (int)(read_weights(highest) - header);
    prepare(&start);

    read_symmetries();
    if (strcmp(token, "opener")) fail("expected ", "opener");
    Count opener = strcmp(word(), "none") || !ended ? find(guess, guesses, token) : -1;
    if (opener == guesses) fail("not in the list: ", token);
    if (opener >= 0) bound = number(word());
    end_line();
    expect("others");
    Count others = claim(word());
    expect("strategy");
    Count cost = claim(word());
    int height = cost < 0 ? 0 : read_strategy();
    if (cost >= 0 && opener >= 0 && play[0][0] != opener) fail("another opener is played", "");
    if (cost >= 0 && (cost >= INFEASIBLE || follow(&start, opener) != cost))
        fail("the strategy costs something else", "");
    read_ledger();
    expect("end");
    end_line();
    if (at != text + size) fail("more after the end", "");
    Count goal = spare(&start, opener) && bound < others ? others : bound;
    prove(&start, others, opener, goal); /* -1, for `none`, is always reached */

    const char *who = opener < 0 ? "some opener" : guess[opener].text;
    printf("Proved of the game with\n%.*s", shown, header);
    say(who, bound);
    say(opener < 0 ? "every opener" : "every other opener", others);
    if (cost < 0) return 0;
    printf("- %s costs at most %lld, within %d turns\n", who, (long long)cost, height);
    if (cost == bound) printf("So the least cost of %s is %lld\n", who, (long long)cost);
    if (cost <= others && (opener < 0 || cost == bound))
        puts(opener < 0 || cost == others ? "No opener costs less" : "Every other costs more");
    return 0;
}
