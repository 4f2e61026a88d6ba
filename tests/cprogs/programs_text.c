/*
 * Small whole programs over bytes and text: compressors, parsers, interpreters.
 */
#include "corpus.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char sample[] = "the quick brown fox jumps over the lazy dog; the dog sleeps, the fox is gone, the end. "
                             "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddd";

CASE(text_base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)sample;
    for (size_t left = 47; left > 0; p += 3, left -= left < 3 ? left : 3) {
        uint32_t v = (uint32_t)p[0] << 16 | (left > 1 ? p[1] << 8 : 0) | (left > 2 ? p[2] : 0);
        putchar(digits[v >> 18]);
        putchar(digits[v >> 12 & 63]);
        putchar(left > 1 ? digits[v >> 6 & 63] : '=');
        putchar(left > 2 ? digits[v & 63] : '=');
    }
    putchar('\n');
}

CASE(text_run_lengths)
{
    for (const char *p = sample; *p;) {
        int n = 1;
        while (p[n] == *p)
            n++;
        if (n > 1)
            printf("%d", n);
        putchar(*p);
        p += n;
    }
    putchar('\n');
}

/* LZ77 with a window of 255 bytes: packs, unpacks, compares. */
CASE(text_lz_round_trip)
{
    unsigned char packed[2 * sizeof sample], out[sizeof sample];
    size_t length = strlen(sample), n = 0, m = 0;
    for (size_t i = 0; i < length;) {
        size_t best = 0, from = 0;
        for (size_t back = 1; back <= i && back < 256; back++) {
            size_t l = 0;
            while (l < 255 && i + l < length && sample[i + l - back] == sample[i + l])
                l++;
            if (l > best) {
                best = l;
                from = back;
            }
        }
        if (best > 2) {
            packed[n++] = (unsigned char)from;
            packed[n++] = (unsigned char)best;
            i += best;
        } else {
            packed[n++] = 0;
            packed[n++] = (unsigned char)sample[i++];
        }
    }
    for (size_t i = 0; i < n; i += 2) {
        if (packed[i] == 0)
            out[m++] = packed[i + 1];
        else
            for (unsigned l = 0; l < packed[i + 1]; l++, m++)
                out[m] = out[m - packed[i]];
    }
    printf("%zu -> %zu -> %zu, same %d, hash %08x\n", length, n, m, m == length && memcmp(out, sample, m) == 0,
           corpus_hash_bytes(packed, n));
}

/* Huffman code lengths by repeated merging of the two lightest trees. */
CASE(text_huffman_lengths)
{
    unsigned weight[512] = {0}, parent[512] = {0}, used = 256;
    for (const char *p = sample; *p; p++)
        weight[(unsigned char)*p]++;
    for (;;) {
        unsigned a = 512, b = 512;
        for (unsigned i = 0; i < used; i++) {
            if (weight[i] == 0 || parent[i] != 0)
                continue;
            if (a == 512 || weight[i] < weight[a]) {
                b = a;
                a = i;
            } else if (b == 512 || weight[i] < weight[b]) {
                b = i;
            }
        }
        if (b == 512)
            break;
        weight[used] = weight[a] + weight[b];
        parent[a] = parent[b] = used++;
    }
    unsigned bits = 0;
    for (unsigned c = 0; c < 256; c++) {
        unsigned length = 0;
        for (unsigned i = c; parent[i]; i = parent[i])
            length++;
        bits += weight[c] * length;
        if (weight[c])
            printf("%c%u ", c, length);
    }
    printf("\n%u bits\n", bits);
}

CASE(text_edit_distance)
{
    static const char *const words[] = {"kitten", "sitting", "saturday", "sunday", "", "flaw", "lawn"};
    for (size_t w = 0; w + 1 < sizeof words / sizeof words[0]; w++) {
        const char *a = words[w], *b = words[w + 1];
        size_t row[32], n = strlen(b);
        for (size_t j = 0; j <= n; j++)
            row[j] = j;
        for (size_t i = 1; a[i - 1]; i++) {
            size_t corner = row[0];
            row[0] = i;
            for (size_t j = 1; j <= n; j++) {
                size_t above = row[j], best = corner + (a[i - 1] != b[j - 1]);
                if (above + 1 < best)
                    best = above + 1;
                if (row[j - 1] + 1 < best)
                    best = row[j - 1] + 1;
                corner = above;
                row[j] = best;
            }
        }
        printf("%s %s %zu\n", a, b, row[n]);
    }
}

/* Recursive descent over + - * / % ( ) and unary minus. */
static long long expression(const char **p);

static long long factor(const char **p)
{
    if (**p == '-') {
        ++*p;
        return -factor(p);
    }
    if (**p == '(') {
        ++*p;
        long long v = expression(p);
        ++*p;
        return v;
    }
    long long v = 0;
    while (isdigit((unsigned char)**p))
        v = v * 10 + *(*p)++ - '0';
    return v;
}

static long long term(const char **p)
{
    long long v = factor(p);
    while (**p == '*' || **p == '/' || **p == '%') {
        char op = *(*p)++;
        long long w = factor(p);
        v = op == '*' ? v * w : w == 0 ? 0 : op == '/' ? v / w : v % w;
    }
    return v;
}

static long long expression(const char **p)
{
    long long v = term(p);
    while (**p == '+' || **p == '-') {
        char op = *(*p)++;
        long long w = term(p);
        v = op == '+' ? v + w : v - w;
    }
    return v;
}

CASE(text_calculator)
{
    static const char *const lines[] = {
        "1+2*3", "(1+2)*3", "-(4-9)*100/7", "123456789*987654321", "1000000007%97-5*-3", "((((7))))", "2*3*4*5*6*7/8/9",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *p = lines[i];
        printf("%s = %lld\n", lines[i], expression(&p));
    }
}

CASE(text_bf_interpreter)
{
    static const char program[] =
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--"
        "------.>>+.>++.";
    unsigned char tape[64] = {0}, *cell = tape;
    for (const char *p = program; *p; p++) {
        switch (*p) {
        case '>': cell++; break;
        case '<': cell--; break;
        case '+': ++*cell; break;
        case '-': --*cell; break;
        case '.': putchar(*cell); break;
        case '[':
            if (*cell == 0)
                for (int depth = 1; depth > 0;)
                    depth += *++p == '[' ? 1 : *p == ']' ? -1 : 0;
            break;
        case ']':
            if (*cell != 0)
                for (int depth = 1; depth > 0;)
                    depth += *--p == ']' ? 1 : *p == '[' ? -1 : 0;
            break;
        default: break;
        }
    }
}

static int match_here(const char *pattern, const char *text)
{
    if (!*pattern)
        return 1;
    if (pattern[1] == '*') {
        do
            if (match_here(pattern + 2, text))
                return 1;
        while (*text && (*text++ == *pattern || *pattern == '.'));
        return 0;
    }
    if (pattern[0] == '$' && !pattern[1])
        return !*text;
    return *text && (*pattern == '.' || *pattern == *text) && match_here(pattern + 1, text + 1);
}

CASE(text_pattern_matcher)
{
    static const char *const patterns[] = {"a*b$", "x.z", ".*q.*k", "c*d*e", "b"};
    static const char *const texts[] = {"aaab", "xyz", "quick quack", "ccdde", "b", ""};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 6; j++)
            printf("%d", match_here(patterns[i], texts[j]));
        printf("\n");
    }
}

CASE(text_word_counts)
{
    char copy[sizeof sample];
    memcpy(copy, sample, sizeof sample);
    struct {
        const char *word;
        int count;
    } table[32];
    int used = 0;
    for (char *word = strtok(copy, " ,;."); word; word = strtok(NULL, " ,;.")) {
        int i = 0;
        while (i < used && strcmp(table[i].word, word) != 0)
            i++;
        if (i == used) {
            table[used].word = word;
            table[used++].count = 0;
        }
        table[i].count++;
    }
    for (int i = 0; i < used; i++)
        printf("%.8s:%d ", table[i].word, table[i].count);
    printf("\n");
}

CASE(text_roman_numerals)
{
    static const struct {
        int value;
        const char *text;
    } parts[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
                 {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
    for (int year = 1; year < 4000; year = year * 3 + 5) {
        int left = year;
        for (size_t i = 0; i < 13; i++)
            for (; left >= parts[i].value; left -= parts[i].value)
                fputs(parts[i].text, stdout);
        putchar(' ');
    }
    putchar('\n');
}

CASE(text_utf8)
{
    static const uint32_t points[] = {0x24, 0xa2, 0x20ac, 0x10348, 0x7f, 0x7ff, 0xffff, 0x10ffff};
    for (size_t i = 0; i < 8; i++) {
        unsigned char b[4];
        uint32_t c = points[i], back = 0;
        int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (int k = n - 1; k > 0; k--, c >>= 6)
            b[k] = (unsigned char)(0x80 | (c & 0x3f));
        b[0] = (unsigned char)(n == 1 ? c : c | (0xf00u >> n & 0xff));
        for (int k = 0; k < n; k++) {
            printf("%02x", b[k]);
            back = k == 0 ? (n == 1 ? b[0] : b[0] & (0x7fu >> n)) : back << 6 | (b[k] & 0x3f);
        }
        printf(" %x\n", back);
    }
}

CASE(text_caesar_and_reverse)
{
    char copy[48];
    memcpy(copy, sample, 47);
    copy[47] = 0;
    for (char *p = copy; *p; p++)
        if (isalpha((unsigned char)*p))
            *p = (char)((tolower((unsigned char)*p) - 'a' + 13) % 26 + 'A');
    for (char *a = copy, *b = copy + 46; a < b; a++, b--) {
        char c = *a;
        *a = *b;
        *b = c;
    }
    printf("[%s]\n", copy);
}

CASE(text_hash_table)
{
    struct entry {
        struct entry *next;
        char key[12];
        int value;
    } * table[37] = {0};
    for (int i = 0; i < 200; i++) {
        char key[12];
        snprintf(key, sizeof key, "k%d", i * i % 91);
        struct entry **slot = &table[corpus_hash_bytes(key, strlen(key)) % 37];
        while (*slot && strcmp((*slot)->key, key) != 0)
            slot = &(*slot)->next;
        if (!*slot) {
            *slot = calloc(1, sizeof **slot);
            strcpy((*slot)->key, key);
        }
        (*slot)->value += i;
    }
    int entries = 0, longest = 0, total = 0;
    for (int i = 0; i < 37; i++) {
        int length = 0;
        for (struct entry *e = table[i], *next; e; e = next, length++) {
            next = e->next;
            total += e->value * (int)strlen(e->key);
            free(e);
        }
        entries += length;
        longest = length > longest ? length : longest;
    }
    printf("%d entries, longest chain %d, total %d\n", entries, longest, total);
}
