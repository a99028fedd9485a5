/* Proves anew, from the words, how many guesses the best play takes. FORMAT.md says what it reads,
 * and what holds if it ends with 0. docs/theory/certificates.md proves the lemmas.
 *     cc -O2 -o mean mean.c && sha256sum GUESSES ANSWERS | ./mean CERTIFICATE GUESSES ANSWERS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef Count /* tests use narrower types to show that no sum wraps */
typedef int64_t Count;
#endif
#define LIMIT ((Count)1 << 5 * sizeof(Count)) /* all numbers read are less; 4 * LIMIT fits */
enum { WORDS = LIMIT < 65536 ? LIMIT : 65536, TURNS = 30, COLOURS = 243, SEATS = 1 << 22 };
typedef struct State { Count n, bound, told; uint16_t *answers; struct State *next; } State;
static State *known[SEATS];    /* states by hash; bound: the best known, told: by entries alone */
static Count guesses, answers; /* their numbers */
static uint16_t own[WORDS], place[WORDS], start[WORDS]; /* answer to guess; back, from 1; all */
static uint8_t *seen[WORDS]; /* feedback by answer and guess */
static char guess[WORDS][6], word[65]; /* the guesses; the word that was read last */
static FILE *file; /* the file that is read */

static void require(int holds, const char *what, const char *which) {
    if (!holds) fprintf(stderr, "%s%.*s\n", what, (int)strcspn(which, "\n"), which), exit(1);
}
static void open_file(const char *path) {
    require((file = fopen(path, "rb")) != 0, "cannot read ", path);
}
static int is_next(int c) { return ungetc(fgetc(file), file) == c; }
static void expect(const char *text) {
    for (; *text; text++) require(fgetc(file) == *text, "expected ", text);
}
static Count number(const char *then) { /* reads a number and the text after it */
    require(fscanf(file, "%13[0-9]", word) == 1 && (*word > '0' || !word[1]), "no number: ", word);
    return require(atoll(word) < LIMIT, "too large: ", word), expect(then), (Count)atoll(word);
}
static uint16_t find(void) { /* reads a word; returns its index as a guess, or `guesses` */
    Count g = 0;
    require(fscanf(file, "%64[!-~]", word) == 1, "no plain word after ", word);
    while (g < guesses && strcmp(guess[g], word)) g++;
    return (uint16_t)g;
}
static int read_path(uint16_t *path) { /* reads a line of guesses that ends with an answer */
    int turns = 0;
    do require((path[turns] = find()) < guesses, "not in the list: ", word);
    while (++turns < TURNS && is_next(' ') && fgetc(file));
    return require(place[path[turns - 1]], "no answer: ", word), expect("\n"), turns;
}
static void read_lists(const char *guess_path, const char *answer_path) {
    for (open_file(guess_path); !is_next(EOF); expect("\n"), strcpy(guess[guesses++], word))
        require(find() == guesses && guesses < WORDS - 1 && strlen(word) > 1 && strlen(word) < 6 &&
                strlen(word) == strlen(guesses ? *guess : word), "too large, or no list: ", word);
    for (open_file(answer_path); !is_next(EOF); place[own[answers - 1]] = (uint16_t)answers)
        require((own[answers] = find()) < guesses && !place[own[answers++]], "no answer: ", word),
        expect("\n");
}
static uint8_t feedback(const char *g, const char *a) { /* in base 3: grey 0, yellow 1, green 2 */
    int code = 0, left[128] = {0};
    for (int i = 0; a[i]; i++) left[(int)a[i]] += a[i] != g[i];
    for (int i = 0; a[i]; i++) code = 3 * code + (a[i] == g[i] ? 2 : left[(int)g[i]]-- > 0);
    return (uint8_t)code;
}

/* Lemmas 1 and 3: n, plus 2k - 1 for each part of k answers that is not found. That is 2n, plus one
 * for each answer that is not first in its part, minus one if g is found. At most `enough`. */
static Count by_sizes(const uint16_t *set, Count n, Count g, Count enough) {
    uint8_t met[COLOURS] = {0}; /* cleared on each call: a stamp of the call's number might wrap */
    Count sum = 2 * n;
    for (Count i = 0; i < n && sum <= enough; i++) {
        int colours = seen[set[i]][g];
        sum += met[colours] - (own[set[i]] == g), met[colours] = 1;
    }
    return sum < enough ? sum : enough;
}

static State *find_state(const uint16_t *set, Count n) { /* bounds a new state by lemma 4 */
    size_t size = n * sizeof *set;
    uint64_t hash = 0;
    for (Count i = 0; i < n; i++) hash = (hash ^ set[i]) * 0x9e3779b97f4a7c15u;
    State **seat = known + (hash >> 32) % SEATS, *s = *seat;
    for (; s; s = s->next) if (s->n == n && !memcmp(s->answers, set, size)) return s;
    require((s = malloc(sizeof *s + size)) != 0, "out of memory", "");
    *s = (State){n, 3 * n, 2 * n - 1, memcpy(s + 1, set, size), *seat}, *seat = s;
    for (Count k = 0; k < n || (k < n + guesses && s->bound > 2 * n); k++) /* others cost >= 2n */
        s->bound = by_sizes(set, n, k < n ? own[set[k]] : k - n, s->bound);
    return s;
}

static void prove(const uint16_t *set, Count n, Count g, Count goal, int is_start) { /* lemma 1 */
    static uint16_t part[COLOURS][WORDS + 32];
    Count size[COLOURS] = {0}, sum = by_sizes(set, n, g, goal);
    if (sum >= goal) return;
    for (Count i = 0; i < n; i++) part[seen[set[i]][g]][size[seen[set[i]][g]]++] = set[i];
    for (int c = 0; c < COLOURS && sum < goal; c++) {
        if (size[c] == n && n > 1 && !is_start) return; /* useless: lemma 2 */
        if (size[c] > 2) sum += find_state(part[c], size[c])->bound - (2 * size[c] - 1);
    }
    require(sum >= goal, "too high a bound for the guess ", guess[g]);
}

static void read_entry(void) { /* lemma 5 */
    static uint16_t set[WORDS], path[TURNS];
    Count n = 0, bound = number(" path ");
    int made = read_path(path) - 1, hidden = place[path[made]] - 1;
    require(made, "no guess before ", word);
    for (Count a = 0, t = 0; a < answers; a++, t = 0) {
        while (t < made && seen[a][path[t]] == seen[hidden][path[t]]) t++;
        if (t == made) set[n++] = (uint16_t)a;
    }
    State *s = find_state(set, n);
    require(bound > s->told, "an entry that tells nothing new, of ", word);
    for (Count g = 0; g < guesses; g++) prove(set, n, g, bound, 0);
    s->told = bound, s->bound = bound > s->bound ? bound : s->bound;
}
static Count read_strategy(Count opener) { /* returns its cost (lemma 6) */
    static uint16_t play[WORDS][TURNS], found[WORDS];
    Count cost = 0, turns;
    for (Count i = 0, t = 0; i < answers && cost < LIMIT; i++, t = 0, cost += turns) {
        int a = found[i] = place[play[i][(turns = read_path(play[i])) - 1]] - 1;
        while (play[i][t] != own[a]) t++;
        require(*play[i] == opener && t == turns - 1, "another opener, or too late: ", word);
        for (Count k = 0; k < i; k++) /* while guesses and feedback agree, so must the next guess */
            for (t = 0; !t || seen[a][play[i][t - 1]] == seen[found[k]][play[i][t - 1]]; t++)
                require(a != found[k] && play[i][t] == play[k][t], "unlike other lines: ", word);
    }
    return cost;
}

int main(int count, char **argument) {
    char hash[65], other[65], lines[400];
    Count others = 0, read = scanf("%64s%*[^\n]%64s", hash, other);
    require(count == 4 && read == 2, "sha256sum LISTS | mean CERTIFICATE GUESSES ANSWERS", "");
    read_lists(argument[2], argument[3]);
    for (Count a = 0; a < answers; a++) {
        require((seen[a] = malloc(guesses)) != 0, "out of memory", ""), start[a] = (uint16_t)a;
        for (Count g = 0; g < guesses; g++) seen[a][g] = feedback(guess[g], guess[own[a]]);
    }
    sprintf(lines, "guesses %d %s\nanswers %d %s\nfeedback letters\nrule normal\nprices 1 then +1\n"
            "weights equal\nopener ", (int)guesses, hash, (int)answers, other);
    open_file(argument[1]), expect("gpu_wordle certificate 1\n"), expect(lines);
    Count opener = find(), bound = (expect(" "), number("\nothers "));
    if (is_next('n')) expect("none\n"); else others = number("\n");
    sprintf(lines, "strategy %lld\n", (long long)bound), expect(lines);
    require(answers && read_strategy(opener) == bound, "the strategy costs something else", "");
    for (Count left = (expect("ledger "), number("\n")); left; left--) read_entry();
    expect("end\n"), require(is_next(EOF), "more after the end", "");
    for (Count g = 0; g < guesses; g++) prove(start, answers, g, g == opener ? bound : others, 1);
    printf("Proved: %s takes %lld guesses in all", guess[opener], (long long)bound);
    printf(others ? ", and every other opener takes at least %lld\n" : "\n", (long long)others);
    return 0;
}
