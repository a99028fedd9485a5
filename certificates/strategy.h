/* Reads the strategy of a certificate and adds up what it costs. */
#include "header.h"

static uint16_t play[WORDS][TURNS]; /* for each answer, the guesses on its line */

static Count follow(const State *s, Count opener) { /* cost of the strategy from s on: lemma 6 */
    Count parts;
    int g = play[*s->answers][s->turn];
    Count sum = 0;
    if (!is_legal(s, g) && (s->turn || g != opener)) fail("an illegal guess: ", guess[g].text);
    for (Count i = 0; i < s->n; i++) {
        int a = s->answers[i];
        if (play[a][s->turn] != g) fail("the same feedback, but another guess: ", answer[a].text);
        if (own[a] == g) sum = charge(a, s->turn + 1, 0);
    }
    State *part = split(s, g, &parts);
    for (Count i = 0; i < parts; i++) sum += follow(&part[i], opener);
    free(part[s->n].answers);
    free(part);
    return sum;
}

static int read_guesses(uint16_t *path) { /* reads the rest of the line; token: its last word */
    int count = 0;
    do {
        if (count == TURNS) fail("too many guesses on a line, from ", token);
        path[count++] = (uint16_t)named(guess, guesses);
    } while (!ended);
    end_line();
    return count;
}

static int read_strategy(void) { /* returns the number of guesses on its longest line */
    static char seen[WORDS];
    int height = 0;
    for (Count i = 0; i < answers; i++) {
        uint16_t path[TURNS];
        int turns = read_guesses(path);
        Count a = find(answer, answers, token);
        if (a == answers || seen[a]++) fail("no answer, or its second line: ", token);
        for (int t = 0; t < turns - 1; t++)
            if (path[t] == own[a]) fail("the line goes on after its answer: ", token);
        memcpy(play[a], path, turns * sizeof *path);
        height = turns > height ? turns : height;
    }
    return height;
}
