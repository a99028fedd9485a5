/* How many guesses the best play takes, proved anew from the words. FORMAT.md says what this reads,
 * and what holds if it ends with 0. The lemmas are those of docs/theory/certificates.md.
 *     cc -O2 -o mean mean.c && sha256sum GUESSES ANSWERS | ./mean CERTIFICATE GUESSES ANSWERS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 65536, TURNS = 30, COLOURS = 243, SEATS = 1 << 22 };
typedef struct State { int n, bound; uint16_t *answers; struct State *next; } State;
static State *known[SEATS];          /* by hash, with what they cost at least; answers in order */
static int guesses, answers;         /* how many there are */
static int own[WORDS], place[WORDS]; /* the guess that an answer is; and the answer, from 1 on */
static uint8_t *seen[WORDS];         /* feedback by answer and guess */
static char guess[WORDS][6], word[65];
static FILE *file; /* what is read; word is the last one of it */

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
static int number(const char *then) { /* and what comes after it */
    require(fscanf(file, "%8[0-9]", word) == 1 && (*word > '0' || !word[1]), "no number: ", word);
    return expect(then), atoi(word);
}
static int find(void) { /* the guess that the next word is; the number of guesses if it is none */
    int g = 0;
    require(fscanf(file, "%64[!-~]", word) == 1, "no plain word after ", word);
    while (g < guesses && strcmp(guess[g], word)) g++;
    return g;
}
static int read_path(int *path) { /* a line of guesses up to an answer */
    int turns = 0;
    do require((path[turns] = find()) < guesses, "not in the list: ", word);
    while (++turns < TURNS && is_next(' ') && fgetc(file));
    require(place[path[turns - 1]], "no answer: ", word), expect("\n");
    return turns;
}
static void read_lists(const char *guess_path, const char *answer_path) {
    for (open_file(guess_path); !is_next(EOF); expect("\n"), strcpy(guess[guesses++], word))
        require(find() == guesses && guesses < WORDS - 1 && strlen(word) > 1 && strlen(word) < 6 &&
                strlen(word) == strlen(guesses ? *guess : word), "no such list, by ", word);
    for (open_file(answer_path); !is_next(EOF); expect("\n"), place[own[answers - 1]] = answers)
        require((own[answers] = find()) < guesses && !place[own[answers++]], "no answer: ", word);
}

static uint8_t feedback(const char *g, const char *a) { /* in base 3: green 2, yellow 1 */
    int code = 0, left[128] = {0};
    for (int i = 0; a[i]; i++) left[(int)a[i]] += a[i] != g[i];
    for (int i = 0; a[i]; i++) code = 3 * code + (a[i] == g[i] ? 2 : left[(int)g[i]]-- > 0);
    return (uint8_t)code;
}

/* Lemma 1, with lemma 3 for the parts: n, and 2k - 1 for each part of k that is not found. That is
 * 2n, one more for each answer not the first of its part, one less if g is found. Or enough. */
static int by_sizes(const uint16_t *set, int n, int g, int enough) {
    static int met[COLOURS], now;
    int sum = 2 * n, stamp = ++now;
    for (int i = 0; i < n && sum <= enough; i++) {
        int colours = seen[set[i]][g];
        sum += (met[colours] == stamp) - (own[set[i]] == g);
        met[colours] = stamp;
    }
    return sum < enough ? sum : enough;
}

static State *find_state(const uint16_t *set, int n) { /* a new one is bounded by lemma 4 */
    size_t size = n * sizeof *set;
    uint64_t hash = 0;
    for (int i = 0; i < n; i++) hash = (hash ^ set[i]) * 0x9e3779b97f4a7c15u;
    State **seat = known + (hash >> 32) % SEATS, *s = *seat;
    while (s && (s->n != n || memcmp(s->answers, set, size))) s = s->next;
    if (s) return s;
    s = malloc(sizeof *s);
    *s = (State){n, 3 * n, memcpy(malloc(size), set, size), *seat}, *seat = s;
    for (int i = 0; i < n; i++) s->bound = by_sizes(set, n, own[set[i]], s->bound);
    for (int g = 0; g < guesses && s->bound > 2 * n; g++) s->bound = by_sizes(set, n, g, s->bound);
    return s;
}

static void prove(const uint16_t *set, int n, int g, int goal) { /* lemma 1, by lemmas 3 to 5 */
    static uint16_t part[COLOURS][WORDS + 32];
    int size[COLOURS] = {0}, sum = by_sizes(set, n, g, goal);
    if (sum >= goal) return;
    for (int i = 0, c; i < n; i++) c = seen[set[i]][g], part[c][size[c]++] = set[i];
    for (int c = 0; c < COLOURS && sum < goal; c++) {
        if (size[c] == n && n > 1 && n < answers) return; /* useless: lemma 2 */
        if (size[c] > 2) sum += find_state(part[c], size[c])->bound - (2 * size[c] - 1);
    }
    require(sum >= goal, "too high a bound for the guess ", guess[g]);
}

static void read_entry(void) { /* lemma 5 */
    static uint16_t set[WORDS];
    int path[TURNS], n = 0, bound = number(" path ");
    int made = read_path(path) - 1, hidden = place[path[made]] - 1;
    require(made, "no guess before ", word);
    for (int a = 0, t = 0; a < answers; a++, t = 0) {
        while (t < made && seen[a][path[t]] == seen[hidden][path[t]]) t++;
        if (t == made) set[n++] = (uint16_t)a;
    }
    for (int g = 0; g < guesses; g++) prove(set, n, g, bound);
    State *s = find_state(set, n);
    s->bound = bound > s->bound ? bound : s->bound;
}

static int read_strategy(int opener) { /* lemma 6: what it costs */
    static int play[WORDS][TURNS], found[WORDS];
    int cost = 0, turns;
    for (int i = 0, t = 0; i < answers; i++, t = 0, cost += turns) {
        int *mine = play[i], a = found[i] = place[mine[(turns = read_path(mine)) - 1]] - 1;
        while (mine[t] != own[a]) t++;
        require(*mine == opener && t == turns - 1, "another opener, or too late: ", word);
        for (int k = 0; k < i; k++) /* after the same guesses and feedback, the same guess */
            for (t = 0; !t || seen[a][mine[t - 1]] == seen[found[k]][mine[t - 1]]; t++)
                require(a != found[k] && mine[t] == play[k][t], "not as on other lines: ", word);
    }
    return cost;
}

int main(int count, char **argument) {
    static uint16_t start[WORDS];
    char hash[65], other[65], lines[400];
    int read = scanf("%64s%*[^\n]%64s", hash, other), others = 0;
    require(count == 4 && read == 2, "sha256sum LISTS | mean CERTIFICATE GUESSES ANSWERS", "");
    read_lists(argument[2], argument[3]);
    for (int a = 0; a < answers; a++) {
        start[a] = (uint16_t)a, seen[a] = malloc(guesses);
        for (int g = 0; g < guesses; g++) seen[a][g] = feedback(guess[g], guess[own[a]]);
    }
    sprintf(lines, "gpu_wordle certificate 1\nguesses %d %s\nanswers %d %s\nfeedback letters\n"
            "rule normal\nprices 1 then +1\nweights equal\nopener ", guesses, hash, answers, other);
    open_file(argument[1]), expect(lines);
    int opener = find(), bound = (expect(" "), number("\nothers "));
    if (is_next('n')) expect("none\n"); else others = number("\n");
    sprintf(lines, "strategy %d\n", bound), expect(lines);
    require(answers && read_strategy(opener) == bound, "the strategy costs something else", "");
    for (int left = (expect("ledger "), number("\n")); left; left--) read_entry();
    expect("end\n"), require(is_next(EOF), "more after the end", "");
    for (int g = 0; g < guesses; g++) prove(start, answers, g, g == opener ? bound : others);
    printf("Proved: %s takes %d guesses in all", guess[opener], bound);
    printf(others ? ", and every other opener takes at least %d\n" : "\n", others);
    return 0;
}
