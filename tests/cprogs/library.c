/*
 * The C library's memory and string functions, sorting and searching, allocation. Compiled with calls kept as calls
 * where it matters: the functions are hand-written for the processor, with prefetches and unaligned word accesses.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

/* Pointers the compiler cannot see through, so that no call becomes inline code. */
static void *(*volatile call_memcpy)(void *, const void *, size_t) = memcpy;
static void *(*volatile call_memmove)(void *, const void *, size_t) = memmove;
static void *(*volatile call_memset)(void *, int, size_t) = memset;
static int (*volatile call_memcmp)(const void *, const void *, size_t) = memcmp;
static size_t (*volatile call_strlen)(const char *) = strlen;
static int (*volatile call_strcmp)(const char *, const char *) = strcmp;
static int (*volatile call_strncmp)(const char *, const char *, size_t) = strncmp;

static unsigned char room[640] __attribute__((aligned(4))), other[640] __attribute__((aligned(4)));

static void fill_rooms(void)
{
    uint32_t state = 555;
    for (size_t i = 0; i < sizeof room; i += 4) {
        uint32_t a = corpus_random(&state), b = a * 2654435761u;
        memcpy(room + i, &a, 4);
        memcpy(other + i, &b, 4);
    }
}

static uint32_t rooms_hash(void)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < sizeof room; i += 4) {
        uint32_t a, b;
        memcpy(&a, room + i, 4);
        memcpy(&b, other + i, 4);
        hash = (hash ^ a) * 16777619u + b;
    }
    return hash;
}

/* All alignments of source and destination, short and long lengths. */
#define COPIES(name, statement)                                                                                        \
    CASE(library_##name)                                                                                               \
    {                                                                                                                  \
        static const size_t lengths[] = {                                                                              \
            0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 200, 300};                            \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t to = 0; to < 5; to++)                                                                              \
            for (size_t from = 0; from < 4; from++)                                                                    \
                for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l += 1 + (to + from) % 3) {                 \
                    size_t n = lengths[l];                                                                             \
                    fill_rooms();                                                                                      \
                    statement;                                                                                         \
                    SUM(&sum, rooms_hash(), "to %zu from %zu length %zu", to, from, n);                                \
                }                                                                                                      \
        corpus_sum_print("memory", &sum);                                                                              \
    }
COPIES(memcpy, call_memcpy(room + 32 + to, other + 64 + from, n))
COPIES(memmove_up, call_memmove(room + 32 + to + 4 * from, room + 32 + from, n))
COPIES(memmove_down, call_memmove(room + 32 + to, room + 40 + to + 4 * from, n))
COPIES(memset, call_memset(room + 32 + to, (int)(from * 97), n))
COPIES(mempcpy, *(unsigned char *)mempcpy(room + to, other + from, n) ^= 0x55)
COPIES(swab, swab(other + from + 32, room + to + 32, (ssize_t)(n & ~(size_t)1)))

CASE(library_memcmp)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            for (size_t n = 0; n < 80; n = n * 2 + 1) {
                fill_rooms();
                memcpy(room + 16 + a, other + 16 + b, 100);
                int same = call_memcmp(room + 16 + a, other + 16 + b, n);
                room[16 + a + n / 2] ^= 0x80;
                int differs = call_memcmp(room + 16 + a, other + 16 + b, n);
                SUM(&sum, same * 10 + (differs > 0) - (differs < 0), "%zu %zu %zu", a, b, n);
            }
    corpus_sum_print("comparisons", &sum);
}

CASE(library_memchr)
{
    memset(room, 'a', sizeof room);
    room[77] = 'b';
    room[300] = 0;
    printf("%td %td\n", (unsigned char *)memchr(room, 'b', 300) - room,
           (unsigned char *)memrchr(room, 'b', 300) - room);
    printf("%d %td\n", memchr(room, 'c', 300) == NULL, (unsigned char *)rawmemchr(room, 0) - room);
    printf("%td\n", (unsigned char *)memmem(room, 300, "aba", 3) - room);
    for (size_t offset = 0; offset < 9; offset++)
        printf("%td ", (unsigned char *)memchr(room + 70 + offset, 'b', 100) ? 77 - (ptrdiff_t)(70 + offset) : -1000);
    printf("\n");
}

CASE(library_memccpy)
{
    char out[16] = "---------------";
    char *end = memccpy(out, "one,two", ',', 7);
    printf("%s %td %d\n", out, end - out, memccpy(out, "abc", 'z', 3) == NULL);
}

CASE(library_strlen)
{
    char text[80];
    memset(text, 'x', sizeof text);
    unsigned total = 0;
    for (size_t start = 0; start < 9; start++)
        for (size_t end = start; end < 79; end++) {
            text[end] = 0;
            total = total * 3 + (unsigned)call_strlen(text + start);
            text[end] = 'x';
        }
    printf("%u %zu %zu\n", total, strnlen("abcdef", 4), strnlen("ab", 4));
}

CASE(library_strcmp)
{
    static const char *const words[] = {"", "a", "ab", "abc", "abcdefgh", "abcdefghi", "abcdefgi", "\xff", "Abc", "b"};
    for (size_t i = 0; i < 10; i++) {
        for (size_t j = 0; j < 10; j++) {
            int c = call_strcmp(words[i], words[j]), n = call_strncmp(words[i], words[j], 2);
            int f = strcasecmp(words[i], words[j]);
            putchar(c < 0 ? '<' : c > 0 ? '>' : '=');
            putchar(n < 0 ? '<' : n > 0 ? '>' : '=');
            putchar(f < 0 ? '<' : f > 0 ? '>' : '=');
            putchar(' ');
        }
        putchar('\n');
    }
}

CASE(library_strcpy_strcat)
{
    char text[100];
    const char *source = " thirty";
    for (int start = 0; start < 4; start++) {
        char *p = text + start;
        strcpy(p, "first");
        strcat(p, " second");
        strncat(p, OPAQUE(source), 4);
        printf("%s|%zu|", p, strlen(p));
        char *end = stpcpy(p + 2, "xyz");
        printf("%s|%s\n", p, end - 3);
        strncpy(p, "ab", 6);
        printf("%d %d %d\n", p[1], p[2], p[5]);
    }
}

CASE(library_strchr)
{
    static const char text[] = "hello, world; hello, moon";
    printf("%td %td %td\n", strchr(text, 'o') - text, strrchr(text, 'o') - text, strchrnul(text, 'z') - text);
    printf("%td %td %d\n", strstr(text, "hello, m") - text, strcasestr(text, "WORLD") - text,
           strstr(text, "hello, x") == NULL);
    printf("%zu %zu %td\n", strspn(text, "ehlo"), strcspn(text, ";,"), strpbrk(text, ";w") - text);
}

CASE(library_strtok)
{
    char text[] = ",,alpha,beta;;gamma , delta", *state, *rest = text;
    for (char *t = strtok_r(text, ",;", &state); t; t = strtok_r(NULL, ",;", &state))
        printf("[%s]", t);
    printf("\n");
    char again[] = "a::b:";
    rest = again;
    for (char *t; (t = strsep(&rest, ":"));)
        printf("[%s]", t);
    printf("\n");
}

CASE(library_strdup_and_error)
{
    char *copy = strdup("copied"), *part = strndup("partial", 4), *made;
    int n = asprintf(&made, "%s-%s-%d", copy, part, 7);
    printf("%s %d %s %s\n", made, n, strerror(2), strsignal(11));
    free(copy);
    free(part);
    free(made);
}

CASE(library_strverscmp)
{
    printf("%d %d %d %d\n", strverscmp("a9", "a10") < 0, strverscmp("1.001", "1.1") < 0, strverscmp("x", "x"),
           strverscmp("part1f", "part10") < 0);
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

CASE(library_qsort_ints)
{
    int v[500];
    uint32_t state = 3;
    for (int i = 0; i < 500; i++)
        v[i] = (int)corpus_random(&state) % 1000;
    qsort(v, 500, sizeof v[0], compare_ints);
    printf("%d %d %d %08x\n", v[0], v[250], v[499], corpus_hash_bytes(v, sizeof v));
    int found = 0;
    for (int key = -1000; key < 1000; key += 7)
        found += bsearch(&key, v, 500, sizeof v[0], compare_ints) != NULL;
    printf("%d found\n", found);
}

CASE(library_qsort_doubles)
{
    double v[100];
    uint32_t state = 4;
    for (int i = 0; i < 100; i++)
        v[i] = (int32_t)corpus_random(&state) / 65536.0;
    qsort(v, 100, sizeof v[0], compare_doubles);
    printf("%a %a %a %08x\n", v[0], v[50], v[99], corpus_hash_bytes(v, sizeof v));
}

CASE(library_qsort_strings)
{
    const char *v[] = {"pear", "fig", "apple", "kiwi", "banana", "cherry", "date", "elder", "grape"};
    qsort(v, 9, sizeof v[0], compare_strings);
    for (int i = 0; i < 9; i++)
        printf("%s ", v[i]);
    printf("\n");
}

CASE(library_qsort_wide_records)
{
    struct record {
        int key;
        char text[27];
    } v[60];
    uint32_t state = 6;
    memset(v, 0, sizeof v);
    for (int i = 0; i < 60; i++) {
        v[i].key = (int)(corpus_random(&state) % 10000);
        snprintf(v[i].text, sizeof v[i].text, "record %d", v[i].key);
    }
    qsort(v, 60, sizeof v[0], compare_ints);
    printf("%s, %s, %08x\n", v[0].text, v[59].text, corpus_hash_bytes(v, sizeof v));
}

static unsigned tree_total;
static void tree_visit(const void *node, VISIT order, int level)
{
    if (order == postorder || order == leaf)
        tree_total = tree_total * 31 + (unsigned)**(int *const *)node + (level < 0);
}

CASE(library_tsearch)
{
    static int keys[50];
    void *root = NULL;
    uint32_t state = 12;
    int fresh = 0;
    for (int i = 0; i < 50; i++) {
        keys[i] = (int)(corpus_random(&state) % 60);
        int **node = tsearch(&keys[i], &root, compare_ints);
        fresh += *node == &keys[i];
    }
    twalk(root, tree_visit);
    printf("%d distinct, walk %u\n", fresh, tree_total);
}

CASE(library_hsearch)
{
    static char names[20][8];
    hcreate(40);
    for (intptr_t i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "n%d", (int)(i * i));
        hsearch((ENTRY){names[i], (void *)i}, ENTER);
    }
    ENTRY *hit = hsearch((ENTRY){(char *)"n81", NULL}, FIND), *miss = hsearch((ENTRY){(char *)"n82", NULL}, FIND);
    printf("%d %d\n", hit ? (int)(intptr_t)hit->data : -1, miss != NULL);
    hdestroy();
}

CASE(library_malloc_patterns)
{
    unsigned char *block[64] = {0};
    size_t size[64] = {0};
    uint32_t state = 77, hash = 0;
    int wrong = 0;
    for (int step = 0; step < 600; step++) {
        unsigned i = corpus_random(&state) % 64;
        if (block[i]) {
            for (size_t k = 0; k < size[i]; k += 17)
                wrong += block[i][k] != (unsigned char)(i * 3 + k);
            hash = hash * 31 + (uint32_t)size[i];
            if (step % 3) {
                free(block[i]);
                block[i] = NULL;
                continue;
            }
        }
        size[i] = corpus_random(&state) % (step % 50 == 0 ? 200000 : 600) + 1;
        block[i] = realloc(block[i], size[i]);
        for (size_t k = 0; k < size[i]; k += 17)
            block[i][k] = (unsigned char)(i * 3 + k);
    }
    for (int i = 0; i < 64; i++)
        free(block[i]);
    printf("wrong %d hash %08x\n", wrong, hash);
}

CASE(library_calloc_and_alignment)
{
    int bad = 0;
    for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
        unsigned char *p = aligned_alloc(alignment, alignment * 2);
        bad += (uintptr_t)p % alignment != 0;
        memset(p, 0xff, alignment * 2);
        free(p);
        p = calloc(alignment, 3);
        for (size_t i = 0; i < alignment * 3; i++)
            bad += p[i] != 0;
        free(p);
    }
    printf("%d\n", bad);
}

CASE(library_random)
{
    unsigned seed = 99;
    srand(1);
    srandom(42);
    srand48(7);
    for (int i = 0; i < 5; i++) {
        int a = rand(), b = rand_r(&seed);
        long c = random(), d = lrand48(), e = mrand48();
        double f = drand48();
        printf("%d %d %ld %ld %ld %.17g\n", a, b, c, d, e, f);
    }
}

CASE(library_insque)
{
    struct link {
        struct link *next, *previous;
        int value;
    } links[5] = {{NULL, NULL, 0}, {NULL, NULL, 1}, {NULL, NULL, 2}, {NULL, NULL, 3}, {NULL, NULL, 4}};
    insque(&links[0], NULL);
    for (int i = 1; i < 5; i++)
        insque(&links[i], &links[i / 2]);
    remque(&links[2]);
    for (struct link *l = &links[0]; l; l = l->next)
        printf("%d ", l->value);
    printf("\n");
}

CASE(library_wide_strings)
{
    wchar_t text[40] = L"wide";
    wcscat(text, L" characters");
    printf("%zu %d %td %ld\n", wcslen(text), wcscmp(text, L"wide") > 0, wcschr(text, L'c') - text,
           wcstol(L"-77x", NULL, 10));
    wmemset(text, L'z', 3);
    swprintf(text + 3, 20, L"%d|%s", 42, "narrow");
    printf("%ls\n", text);
}
