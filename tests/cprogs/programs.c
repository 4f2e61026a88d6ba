/*
 * Small whole programs over integers: each a classic that mixes loops, tables, recursion and pointers the way compilers
 * meet them.
 */
#include "corpus.h"

#include <stdlib.h>
#include <string.h>

CASE(program_sieve)
{
    static unsigned char composite[5000];
    unsigned count = 0, last = 0;
    for (unsigned i = 2; i < sizeof composite; i++) {
        if (composite[i])
            continue;
        count++;
        last = i;
        for (unsigned j = i * i; j < sizeof composite; j += i)
            composite[j] = 1;
    }
    printf("%u primes, last %u\n", count, last);
}

CASE(program_crc32)
{
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    uint32_t crc = 0xffffffff;
    for (const char *p = "123456789"; *p; p++)
        crc = table[(crc ^ (unsigned char)*p) & 0xff] ^ crc >> 8;
    printf("%08x\n", ~crc);
}

CASE(program_adler32)
{
    uint32_t a = 1, b = 0, state = 99;
    for (int i = 0; i < 3000; i++) {
        a = (a + (corpus_random(&state) & 0xff)) % 65521;
        b = (b + a) % 65521;
    }
    printf("%08x\n", b << 16 | a);
}

static uint32_t rotate_left(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n);
}

/* SHA-1 of one padded block. */
CASE(program_sha1)
{
    unsigned char block[64] = "abc\x80";
    block[63] = 24;
    uint32_t w[80], h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate_left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t t = rotate_left(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotate_left(b, 30);
        b = a;
        a = t;
    }
    printf("%08x %08x %08x %08x %08x\n", h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e);
}

CASE(program_xtea)
{
    uint32_t v[2] = {0x41424344, 0x45464748}, key[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f}, sum = 0;
    const uint32_t delta = 0x9e3779b9;
    for (int i = 0; i < 32; i++) {
        v[0] += (((v[1] << 4) ^ (v[1] >> 5)) + v[1]) ^ (sum + key[sum & 3]);
        sum += delta;
        v[1] += (((v[0] << 4) ^ (v[0] >> 5)) + v[0]) ^ (sum + key[sum >> 11 & 3]);
    }
    printf("%08x %08x\n", v[0], v[1]);
    for (int i = 0; i < 32; i++) {
        v[1] -= (((v[0] << 4) ^ (v[0] >> 5)) + v[0]) ^ (sum + key[sum >> 11 & 3]);
        sum -= delta;
        v[0] -= (((v[1] << 4) ^ (v[1] >> 5)) + v[1]) ^ (sum + key[sum & 3]);
    }
    printf("%08x %08x\n", v[0], v[1]);
}

/* The 64-bit state and rotation of a permuted congruential generator. */
CASE(program_pcg32)
{
    uint64_t state = 0x853c49e6748fea9bu;
    const uint64_t increment = 0xda3e39cb94b95bdbu;
    for (int i = 0; i < 8; i++) {
        uint64_t old = state;
        state = old * 6364136223846793005u + increment;
        uint32_t shifted = (uint32_t)((old >> 18 ^ old) >> 27), turn = (uint32_t)(old >> 59);
        printf("%08x ", shifted >> turn | shifted << (-turn & 31));
    }
    printf("\n");
}

CASE(program_splitmix64)
{
    uint64_t state = 1234567;
    for (int i = 0; i < 6; i++) {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        printf("%llu\n", (unsigned long long)(z ^ z >> 31));
    }
}

static uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

CASE(program_power_modulo)
{
    printf("%llu %llu\n", (unsigned long long)power_modulo(3, 1000000006, 1000000007),
           (unsigned long long)power_modulo(123456789, 987654321, 4294967291u));
}

CASE(program_gcd)
{
    uint64_t total = 0;
    for (uint32_t i = 1; i < 60; i++) {
        for (uint64_t j = 1; j < 30; j++) {
            uint64_t a = i * 720720ull, b = j * 510510ull;
            while (b) {
                uint64_t t = a % b;
                a = b;
                b = t;
            }
            total += a;
        }
    }
    printf("%llu\n", (unsigned long long)total);
}

CASE(program_square_roots)
{
    uint64_t total = 0;
    for (uint64_t n = 1; n < 1ull << 62; n = n * 3 + 1) {
        uint64_t root = 0;
        for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
            if ((root | bit) * (root | bit) <= n)
                root |= bit;
        total = total * 7 + root;
    }
    printf("%llu\n", (unsigned long long)total);
}

CASE(program_fibonacci)
{
    uint64_t a = 0, b = 1;
    for (int i = 0; i < 93; i++) {
        uint64_t t = a + b;
        a = b;
        b = t;
    }
    printf("%llu\n", (unsigned long long)a);
}

CASE(program_factorial_digits)
{
    unsigned char digit[200] = {1};
    unsigned length = 1;
    for (unsigned n = 2; n <= 80; n++) {
        unsigned carry = 0;
        for (unsigned i = 0; i < length; i++) {
            carry += digit[i] * n;
            digit[i] = (unsigned char)(carry % 10);
            carry /= 10;
        }
        for (; carry; carry /= 10)
            digit[length++] = (unsigned char)(carry % 10);
    }
    while (length)
        putchar('0' + digit[--length]);
    putchar('\n');
}

/* Digits of pi, four at a time, by a spigot in 32-bit arithmetic. */
CASE(program_pi_digits)
{
    enum { TERMS = 14 * 15 };
    static uint32_t f[TERMS + 1];
    for (int i = 0; i < TERMS; i++)
        f[i] = 2000;
    uint32_t carry = 0;
    for (int c = TERMS; c > 0; c -= 14) {
        uint32_t d = 0;
        for (int b = c; b > 0; b--) {
            d += f[b] * 10000;
            f[b] = d % (uint32_t)(2 * b - 1);
            d /= (uint32_t)(2 * b - 1);
            if (b > 1)
                d *= (uint32_t)(b - 1);
        }
        printf("%04u", (carry + d / 10000) % 10000);
        carry = d % 10000;
    }
    printf("\n");
}

static unsigned queens(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    unsigned count = columns == all;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

CASE(program_queens)
{
    printf("%u %u %u\n", queens(0xf, 0, 0, 0), queens(0x3f, 0, 0, 0), queens(0x7f, 0, 0, 0));
}

static void hanoi(int disks, int from, int to, unsigned *moves, unsigned *trace)
{
    if (disks == 0)
        return;
    hanoi(disks - 1, from, 6 - from - to, moves, trace);
    ++*moves;
    *trace = *trace * 31 + (unsigned)(disks * 9 + from * 3 + to);
    hanoi(disks - 1, 6 - from - to, to, moves, trace);
}

CASE(program_hanoi)
{
    unsigned moves = 0, trace = 0;
    hanoi(10, 1, 3, &moves, &trace);
    printf("%u moves, trace %u\n", moves, trace);
}

static void permute(char *text, int from, int length, unsigned *count, uint32_t *hash)
{
    if (from == length) {
        ++*count;
        *hash = *hash * 31 + corpus_hash_bytes(text, (size_t)length);
        return;
    }
    for (int i = from; i < length; i++) {
        char c = text[from];
        text[from] = text[i];
        text[i] = c;
        permute(text, from + 1, length, count, hash);
        text[i] = text[from];
        text[from] = c;
    }
}

CASE(program_permutations)
{
    char text[] = "abcdef";
    unsigned count = 0;
    uint32_t hash = 0;
    permute(text, 0, 6, &count, &hash);
    printf("%u %08x %s\n", count, hash, text);
}

CASE(program_collatz)
{
    unsigned best = 0, longest = 0;
    for (unsigned n = 1; n < 300; n++) {
        unsigned steps = 0;
        for (uint64_t v = n; v != 1; steps++)
            v = v & 1 ? 3 * v + 1 : v / 2;
        if (steps > longest) {
            longest = steps;
            best = n;
        }
    }
    printf("%u takes %u steps\n", best, longest);
}

CASE(program_matrix_integer)
{
    int a[12][12], b[12][12], c[12][12];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            a[i][j] = i * 7 - j * 3;
            b[i][j] = (i ^ j) - 5;
        }
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 12; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    printf("%d %d %d %08x\n", c[0][0], c[5][7], c[11][11], corpus_hash_bytes(c, sizeof c));
}

CASE(program_game_of_life)
{
    unsigned char now[16][16] = {{0}}, next[16][16];
    now[1][2] = now[2][3] = now[3][1] = now[3][2] = now[3][3] = now[12][2] = now[12][3] = now[12][4] = 1;
    for (int step = 0; step < 30; step++) {
        for (unsigned y = 0; y < 16; y++)
            for (unsigned x = 0; x < 16; x++) {
                int n = -now[y][x];
                for (unsigned v = 15; v <= 17; v++)
                    for (unsigned u = 15; u <= 17; u++)
                        n += now[(y + v) % 16][(x + u) % 16];
                next[y][x] = n == 3 || (n == 2 && now[y][x]);
            }
        memcpy(now, next, sizeof now);
    }
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 16; x++)
            putchar(now[y][x] ? '#' : '.');
        putchar('\n');
    }
}

CASE(program_knapsack)
{
    unsigned best[201] = {0};
    for (unsigned item = 1; item <= 20; item++) {
        unsigned weight = item * 7 % 23 + 3, value = item * 11 % 37 + 1;
        for (unsigned room = 200; room >= weight; room--)
            if (best[room - weight] + value > best[room])
                best[room] = best[room - weight] + value;
    }
    printf("%u %u %u\n", best[50], best[100], best[200]);
}

CASE(program_shortest_paths)
{
    enum { N = 16, FAR = 1 << 20 };
    int d[N][N];
    uint32_t state = 77;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : corpus_random(&state) % 4 ? FAR : (int)(corpus_random(&state) % 100);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    printf("%d %d %d %08x\n", d[0][5], d[3][12], d[15][1], corpus_hash_bytes(d, sizeof d));
}

struct node {
    struct node *left, *right;
    int key;
};

static struct node *tree_insert(struct node *tree, int key)
{
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
    } else if (key < tree->key) {
        tree->left = tree_insert(tree->left, key);
    } else if (key > tree->key) {
        tree->right = tree_insert(tree->right, key);
    }
    return tree;
}

static int tree_walk(struct node *tree, uint32_t *hash)
{
    if (!tree)
        return 0;
    int left = tree_walk(tree->left, hash);
    *hash = *hash * 33 + (uint32_t)tree->key;
    int right = tree_walk(tree->right, hash);
    free(tree);
    return 1 + (left > right ? left : right);
}

CASE(program_binary_tree)
{
    struct node *tree = NULL;
    uint32_t state = 4711, hash = 5381;
    for (int i = 0; i < 500; i++)
        tree = tree_insert(tree, (int)(corpus_random(&state) % 1000));
    int depth = tree_walk(tree, &hash);
    printf("depth %d hash %08x\n", depth, hash);
}

struct cell {
    struct cell *next;
    int value;
};

CASE(program_list_merge_sort)
{
    struct cell *list = NULL;
    uint32_t state = 31337;
    for (int i = 0; i < 300; i++) {
        struct cell *cell = malloc(sizeof *cell);
        *cell = (struct cell){list, (int)(corpus_random(&state) % 10000)};
        list = cell;
    }
    for (int run = 1, merges = 2; merges > 1; run *= 2) {
        struct cell *p = list, *tail = NULL;
        list = NULL;
        merges = 0;
        while (p) {
            struct cell *q = p;
            int left = 0, right = run;
            merges++;
            while (left < run && q) {
                q = q->next;
                left++;
            }
            while (left > 0 || (right > 0 && q)) {
                struct cell **from = left == 0 || (right > 0 && q && q->value < p->value) ? &q : &p;
                struct cell *taken = *from;
                *from = taken->next;
                if (from == &p)
                    left--;
                else
                    right--;
                if (tail)
                    tail->next = taken;
                else
                    list = taken;
                tail = taken;
            }
            p = q;
        }
        tail->next = NULL;
    }
    uint32_t hash = 0;
    int sorted = 1;
    while (list) {
        struct cell *next = list->next;
        if (next && next->value < list->value)
            sorted = 0;
        hash = hash * 31 + (uint32_t)list->value;
        free(list);
        list = next;
    }
    printf("sorted %d hash %08x\n", sorted, hash);
}

static void heap_down(uint32_t *v, size_t root, size_t n)
{
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && v[child + 1] > v[child])
            child++;
        if (v[root] >= v[child])
            return;
        uint32_t t = v[root];
        v[root] = v[child];
        v[child] = t;
    }
}

CASE(program_heap_sort)
{
    uint32_t v[256], state = 2024;
    for (size_t i = 0; i < 256; i++)
        v[i] = corpus_random(&state);
    for (size_t i = 128; i-- > 0;)
        heap_down(v, i, 256);
    for (size_t n = 256; n-- > 1;) {
        uint32_t t = v[0];
        v[0] = v[n];
        v[n] = t;
        heap_down(v, 0, n);
    }
    printf("%08x %08x %08x hash %08x\n", v[0], v[128], v[255], corpus_hash_bytes(v, sizeof v));
}

CASE(program_radix_sort)
{
    uint16_t v[300], w[300];
    uint32_t state = 8;
    for (int i = 0; i < 300; i++)
        v[i] = (uint16_t)corpus_random(&state);
    for (int shift = 0; shift < 16; shift += 4) {
        unsigned start[17] = {0};
        for (int i = 0; i < 300; i++)
            start[(v[i] >> shift & 15) + 1]++;
        for (int i = 1; i < 17; i++)
            start[i] += start[i - 1];
        for (int i = 0; i < 300; i++)
            w[start[v[i] >> shift & 15]++] = v[i];
        memcpy(v, w, sizeof v);
    }
    printf("%u %u %u hash %08x\n", v[0], v[150], v[299], corpus_hash_bytes(v, sizeof v));
}

CASE(program_union_find)
{
    int parent[200], groups = 200;
    uint32_t state = 123;
    for (int i = 0; i < 200; i++)
        parent[i] = i;
    for (int i = 0; i < 160; i++) {
        int a = (int)(corpus_random(&state) % 200), b = (int)(corpus_random(&state) % 200);
        while (parent[a] != a)
            a = parent[a] = parent[parent[a]];
        while (parent[b] != b)
            b = parent[b] = parent[parent[b]];
        if (a != b) {
            parent[a] = b;
            groups--;
        }
    }
    printf("%d groups\n", groups);
}
