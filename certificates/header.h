/* The first lines of a certificate, which describe the game. */
#include "bounds.h"

static int choice(const char *name, const char *const *names) { /* index of the name on the line */
    int i = 0;
    expect(name);
    for (word(); names[i] && strcmp(token, names[i]); i++) continue;
    if (!names[i]) fail("not a choice here: ", token);
    end_line();
    return i;
}

static int heaviest_first(const void *x, const void *y) {
    Count first = ((const Word *)x)->weight, second = ((const Word *)y)->weight;
    return (first < second) - (first > second);
}

static void read_prices(Count *highest) {
    expect("prices");
    for (; strcmp(word(), "then"); price[++classes] = number(token))
        if (classes == TURNS) fail("too many prices: ", token);
    int step = !strcmp(word(), "+1"), count = classes;
    Count last = step ? 0 : number(token);
    end_line();
    *highest = step ? price[count] + answers + PRICES : last < INFEASIBLE ? last : price[count];
    classes += !step; /* all turns beyond the listed ones cost the same (lemma 2) */
    for (int t = count + 1; t < PRICES; t++) price[t] = step ? price[t - 1] + 1 : last;
    for (int t = 1; t < PRICES; t++) if (price[t] < price[t - 1]) fail("prices never fall", "");
    if (!count) fail("no price", "");
}

static const char *read_weights(Count highest) { /* returns where the first of their lines ends */
    Count total = 0;
    expect("weights");
    int equal = !strcmp(word(), "equal");
    char hash[sizeof token], *start = at;
    strcpy(hash, token);
    end_line();
    for (Count a = 0; a < answers; a++) {
        total += answer[a].weight = equal ? 1 : number(word());
        if (!equal) end_line();
    }
    if (!equal && strcmp(hash, sha256(start, at - start))) fail("other weights than of ", hash);
    if (!total || total >= INFEASIBLE || highest > (INFEASIBLE - 1) / total)
        fail("weights or prices too large, or none", "");
    if (!equal) qsort(answer, answers, sizeof *answer, heaviest_first);
    return start;
}

static void sort_guesses(void) { /* by the number of parts of all answers, the most first */
    static Count seen_by[PATTERNS];
    for (Count g = 0; g < guesses; g++)
        for (Count a = 0; a < answers; a++) {
            Count *last = &seen_by[feedback(guess[g].text, answer[a].text)];
            guess[g].weight += *last != g + 1;
            *last = g + 1;
        }
    qsort(guess, guesses, sizeof *guess, heaviest_first);
}

static void prepare(State *start) { /* the tables that depend on lists and weights alone */
    sort_guesses(); /* first, so that the search reads the tables in the order of memory */
    pattern = room((size_t)guesses * answers, sizeof *pattern);
    column = room((size_t)guesses * answers, sizeof *column);
    start->answers = room(answers, sizeof *start->answers);
    for (Count g = 0; g < guesses; g++) {
        for (int i = 0; i < length; i++) copies[g][(int)guess[g].text[i]]++;
        for (Count a = 0; a < answers; a++)
            column[(size_t)a * guesses + g] = pattern[(size_t)g * answers + a] =
                (uint16_t)feedback(guess[g].text, answer[a].text);
    }
    solved = feedback(guess->text, guess->text);
    for (Count a = 0; a < answers; a++) {
        start->answers[start->n++] = (uint16_t)a;
        own[a] = (uint16_t)find(guess, guesses, answer[a].text);
        if (own[a] == guesses) fail("an answer that is no guess: ", answer[a].text);
    }
}
