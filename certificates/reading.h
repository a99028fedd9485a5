/* Reads files, words of a line, numbers and word lists; SHA-256 (FIPS 180-4). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef Count /* tests use narrower types to show that no sum wraps */
typedef int64_t Count;
#endif
/* Every number is at most INFEASIBLE, which is 2^40. MOST is the largest Count: a sum of
 * INFEASIBLE over all answers, and one more, fits. */
#define INFEASIBLE ((Count)1 << (5 * sizeof(Count) - (sizeof(Count) == 1)))
#define MOST ((Count)(UINT64_MAX >> (65 - 8 * sizeof(Count))))
enum { WORDS = INFEASIBLE < 65536 ? INFEASIBLE : 65536, PATTERNS = 65536, BYTES = 1 << 26 };
typedef struct { char text[16]; Count weight, place; } Word; /* place: index in its list */
static int line, ended;     /* number of the current line; whether its last word was read */
static int length;          /* letters in each word of the lists */
static char token[65], *at; /* the word that was read last; the text after it */

static void fail(const char *what, const char *which) {
    if (line) fprintf(stderr, "line %d: ", line);
    fprintf(stderr, "%s%s\n", what, which);
    exit(1);
}

static void *room(size_t count, size_t size) {
    void *bytes = calloc(count + 1, size);
    if (!bytes) fail("out of memory", "");
    return bytes;
}

static char *word(void) { /* reads the next word of the line */
    int size = 0;
    for (; at[size] > ' ' && at[size] <= '~' && size < 64; size++) token[size] = at[size];
    token[size] = 0;
    if (ended || !size || (at[size] != ' ' && at[size] != '\n')) fail("no plain word: ", token);
    ended = at[size] == '\n';
    at += size + 1;
    return token;
}

static void end_line(void) {
    if (!ended) fail("the line goes on after ", token);
    ended = 0;
    line++;
}

static void expect(const char *name) {
    if (strcmp(word(), name)) fail("expected ", name);
}

static Count number(const char *text) { /* "infeasible" is the only spelling of 2^40 */
    size_t size = strlen(text);
    if (!strcmp(text, "infeasible")) return INFEASIBLE;
    if (size != strspn(text, "0123456789") || (*text == '0' && size > 1)) fail("no number: ", text);
    if (size > 13 || strtoll(text, 0, 10) >= INFEASIBLE) fail("too large a number: ", text);
    return (Count)strtoll(text, 0, 10);
}

static Count find(const Word *list, Count count, const char *text) { /* its index, else count */
    Count i = 0;
    while (i < count && strcmp(list[i].text, text)) i++;
    return i;
}

static Count named(const Word *list, Count count) {
    Count i = find(list, count, word());
    if (i == count) fail("not in the list: ", token);
    return i;
}

#define ROTATE(x, count) ((x) >> (count) | (x) << (32 - (count)))
static const uint32_t SHA256_KEY[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static const char *sha256(const char *bytes, size_t size) {
    static char text[65];
    uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint32_t w[64] = {0}, v[8];
    size_t padded = (size + 72) / 64 * 64;
    for (size_t at = 0; at < padded; at++) {
        uint32_t byte = at < size ? (unsigned char)bytes[at] : at == size ? 0x80 : 0;
        if (at >= padded - 8) byte = (uint64_t)size * 8 >> 8 * (padded - 1 - at) & 0xff;
        w[at / 4 % 16] = w[at / 4 % 16] << 8 | byte;
        if (at % 64 != 63) continue;
        memcpy(v, hash, sizeof v);
        for (int i = 0; i < 64; i++) {
            if (i >= 16) {
                uint32_t x = w[i - 15], y = w[i - 2];
                w[i] = w[i - 16] + (ROTATE(x, 7) ^ ROTATE(x, 18) ^ x >> 3) + w[i - 7] +
                       (ROTATE(y, 17) ^ ROTATE(y, 19) ^ y >> 10);
            }
            uint32_t a = v[0], e = v[4], choice = (e & v[5]) ^ (~e & v[6]);
            uint32_t majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
            uint32_t first = v[7] + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + choice +
                             SHA256_KEY[i] + w[i];
            uint32_t second = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + majority;
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += first;
            v[0] = first + second;
        }
        for (int i = 0; i < 8; i++) hash[i] += v[i];
    }
    for (int i = 0; i < 8; i++) sprintf(text + 8 * i, "%08" PRIx32, hash[i]);
    return text;
}

static char *contents(const char *path, size_t *size) {
    char *bytes = room(BYTES, 1);
    FILE *file = fopen(path, "rb");
    if (!file || (*size = fread(bytes, 1, BYTES, file)) == BYTES) fail("cannot read ", path);
    return bytes;
}

static Count load(const char *name, const char *path, Word *list) { /* checks a list by its line */
    Count n = 0;
    size_t size;
    char *bytes = contents(path, &size), *resume;
    expect(name);
    Count count = number(word());
    if (strcmp(word(), sha256(bytes, size))) fail("made for another list than ", path);
    end_line();
    for (resume = at, at = bytes; at < bytes + size; ended = 0, n++) {
        int letters = (int)strlen(word());
        length = length ? length : letters;
        if (!ended || n == WORDS - 1 || letters != length || letters < 2 || letters > 15)
            fail("no list of words of one length: ", path);
        strcpy(list[n].text, token), list[n].place = n;
        if (find(list, n, token) < n) fail("twice in a list: ", token);
    }
    if (n != count) fail("another number of words than in ", path);
    at = resume;
    return n;
}
