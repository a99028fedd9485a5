/* Symmetries (lemma 7): the guesses of an orbit cost the same, so one of them is enough. */
#include "renaming.h"

static uint16_t nearer[WORDS]; /* links a guess to an earlier one of its orbit, or to itself */
static char spared[WORDS];     /* openers that need no proof: another one stands for them */

static Count first_of(Count g) { /* the guess of its orbit that is first in the list */
    while (nearer[g] != g) g = nearer[g];
    return g;
}

static void verify(const uint16_t *image) {
    for (Count a = 0; a < answers; a++) {
        Count b = 0;
        while (b < answers && own[b] != image[own[a]]) b++;
        if (b == answers || answer[a].weight != answer[b].weight)
            fail("a symmetry maps to no answer of the same weight ", answer[a].text);
        const uint16_t *mine = column + (size_t)a * guesses, *theirs = column + (size_t)b * guesses;
        for (Count g = 0; g < guesses; g++)
            if (mine[g] != theirs[image[g]]) fail("no symmetry, by feedback to ", guess[g].text);
    }
}

static void read_symmetry(const uint16_t *listed) {
    static uint16_t image[WORDS];
    static char taken[WORDS];
    memset(taken, 0, sizeof taken);
    for (Count i = 0; i < guesses; i++) {
        uint16_t g = image[listed[i]] = (uint16_t)named(guess, guesses);
        if (taken[g]++) fail("twice in a symmetry: ", token);
    }
    verify(image);
    end_line();
    for (Count g = 0; g < guesses; g++) {
        Count one = first_of(g), other = first_of(image[g]);
        if (guess[one].place < guess[other].place) nearer[other] = (uint16_t)one;
        else nearer[one] = (uint16_t)other;
    }
}

static void rename_all(void) {
    State start = {0};
    allow_renamings();
    end_line();
    for (Count g = 0; g < guesses; g++)
        nearer[g] = (uint16_t)find(guess, guesses, least_image(&start, guess[g].text));
    word();
}

static void read_symmetries(void) { /* if any; then token is the first word of the next line */
    static uint16_t listed[WORDS];
    for (Count g = 0; g < guesses; g++) listed[guess[g].place] = nearer[g] = (uint16_t)g;
    if (strcmp(word(), "symmetries")) return;
    if (rule == 'h' || rule == 'u') fail("no symmetries under this rule", "");
    if (!strcmp(word(), "all")) {
        rename_all();
        return;
    }
    Count count = number(token);
    for (end_line(); count > 0; count--) read_symmetry(listed);
    word();
}

/* Marks the openers for which another one stands; returns whether WORD stands for any of them. */
static int spare(const State *start, Count opener) {
    int stands = 0;
    for (Count g = 0; g < guesses; g++) {
        Count first = first_of(g);
        int is_kin = opener >= 0 && first == first_of(opener);
        spared[g] = is_kin || g != first;
        stands |= is_kin && g != opener && is_legal(start, g);
    }
    return stands;
}
