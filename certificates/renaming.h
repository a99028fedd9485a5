/* Renamings (lemma 8) permute places and symbols. They do not change what a state costs. */
#include "parts.h"

enum { PLACES = 6, ORDERS = 720, SYMBOLS = 128 };
static int orders, order[ORDERS][PLACES]; /* of the places; none without `symmetries all` */
static int symbols, symbol[SYMBOLS];      /* the symbols of the guesses, ascending */
static uint64_t number_of[SYMBOLS];

static void add_orders(int *places, int first) { /* all orders of the places from `first` on */
    if (first == length) memcpy(order[orders++], places, length * sizeof *places);
    for (int i = first; i < length; i++) {
        int one = places[first], other = places[i];
        places[first] = other, places[i] = one;
        add_orders(places, first + 1);
        places[first] = one, places[i] = other;
    }
}

static void require_image(const Word *list, Count count, const Word *word, const char *image) {
    Count i = find(list, count, image);
    if (i == count || list[i].weight != (list == answer ? word->weight : list[i].weight))
        fail("not every renaming is a symmetry: ", word->text);
}

/* Requires every renaming to map a list onto itself. Exchanges of neighbours generate them all. */
static void require_closed(const Word *list, Count count) {
    for (Count k = 0; k < count; k++) {
        const char *text = list[k].text;
        char image[sizeof list->text] = {0};
        for (int i = 1; i < length; i++) {
            memcpy(image, text, length);
            image[i] = text[i - 1], image[i - 1] = text[i];
            require_image(list, count, &list[k], image);
        }
        for (int c = 1; c < symbols; c++) {
            int one = symbol[c - 1], other = symbol[c];
            for (int i = 0; i < length; i++)
                image[i] = (char)(text[i] == one ? other : text[i] == other ? one : text[i]);
            require_image(list, count, &list[k], image);
        }
    }
}

static int renames(const State *s, const int *places, const char *text, char *image) {
    /* Whether a renaming with this order keeps all guesses made; image: the least word for text. */
    int name[SYMBOLS] = {0}, taken[SYMBOLS] = {0};
    for (int t = 0; t < s->turn; t++)
        for (int i = 0; i < length; i++) {
            const char *kept = guess[s->path[t]].text;
            int from = kept[places[i]], to = kept[i];
            if (name[from] ? name[from] != to : taken[to]) return 0;
            name[from] = to, taken[to] = 1;
        }
    for (int i = 0; i < length; i++) {
        int *to = &name[(int)text[places[i]]];
        for (int c = 0; !*to; c++)
            if (!taken[symbol[c]]) taken[*to = symbol[c]] = 1;
        image[i] = (char)*to;
    }
    return 1;
}

/* The least word that a renaming which keeps all guesses made in s gives for a word. */
static const char *least_image(const State *s, const char *text) {
    static char least[sizeof guess->text];
    char image[sizeof least] = {0};
    strcpy(least, text);
    for (int k = 0; k < orders; k++)
        if (renames(s, order[k], text, image) && strcmp(image, least) < 0) strcpy(least, image);
    return least;
}

static int is_passed_over(const State *s, int g) { /* a lesser word stands for g: lemma 8 */
    return orders && s->turn && s->steps == s->turn && /* entries given by a set have no path */
           strcmp(least_image(s, guess[g].text), guess[g].text);
}

static int ascending(const void *x, const void *y) {
    uint64_t first = *(const uint64_t *)x, second = *(const uint64_t *)y;
    return (first > second) - (first < second);
}

static int is_more_often(Count counts[][PLACES], const int *places, int one, int other) {
    int i = 0;
    while (i < length - 1 && counts[one][places[i]] == counts[other][places[i]]) i++;
    return counts[one][places[i]] > counts[other][places[i]];
}

static uint64_t *form_of(const State *s) { /* defined in FORMAT.md; each symbol takes a byte */
    Count counts[SYMBOLS][PLACES] = {{0}};
    int sorted[SYMBOLS];
    uint64_t *least = room(2 * (size_t)s->n, sizeof *least), *mine = least + s->n;
    for (Count i = 0; i < s->n; i++)
        for (int at = 0; at < length; at++) counts[(int)answer[s->answers[i]].text[at]][at]++;
    for (int k = 0; k < orders; k++) {
        for (int c = 0; c < symbols; c++) {
            int rank = c;
            for (; rank && is_more_often(counts, order[k], symbol[c], sorted[rank - 1]); rank--)
                sorted[rank] = sorted[rank - 1];
            sorted[rank] = symbol[c];
        }
        for (int rank = 0; rank < symbols; rank++) number_of[sorted[rank]] = (uint64_t)rank;
        for (Count i = 0; i < s->n; i++) {
            const char *text = answer[s->answers[i]].text;
            mine[i] = 0;
            for (int at = 0; at < length; at++)
                mine[i] = mine[i] << 8 | number_of[(int)text[order[k][at]]];
        }
        qsort(mine, s->n, sizeof *mine, ascending);
        Count i = 0;
        while (i < s->n - 1 && mine[i] == least[i]) i++;
        if (!k || mine[i] < least[i]) memcpy(least, mine, s->n * sizeof *mine);
    }
    return least;
}

static void allow_renamings(void) {
    int places[PLACES] = {0, 1, 2, 3, 4, 5}, met_symbol[SYMBOLS] = {0};
    static const Word *listed[WORDS];
    if (!pegs || length > PLACES) fail("places and symbols are not to be renamed here", "");
    for (Count g = 0; g < guesses; g++) {
        listed[guess[g].place] = &guess[g];
        for (int i = 0; i < length; i++) met_symbol[(int)guess[g].text[i]] = 1;
    }
    for (Count g = 1; g < guesses; g++)
        if (strcmp(listed[g - 1]->text, listed[g]->text) > 0)
            fail("not in ascending order: ", listed[g]->text);
    for (int c = 0; c < SYMBOLS; c++)
        if (met_symbol[c]) symbol[symbols++] = c;
    require_closed(guess, guesses);
    require_closed(answer, answers);
    add_orders(places, 0);
}
