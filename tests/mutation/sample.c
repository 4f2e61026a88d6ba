/*
 * What test_sites.py plants faults in: each operator has a place here, and each fault changes what is printed. What is
 * in this comment, in literals and in macros has none: if (a < b) return 1; "x = 1;".
 */
#include <stdbool.h>
#include <stdio.h>

#define BIGGER(a, b) ((a) > (b) ? (a) : (b))
enum { FOUR = 2 + 2 };
static const int table[FOUR] = {2, 2, 2, FOUR - 1};

static bool is_small(int n)
{
    return n < 3;
}

static int sum(const int *of, int count)
{
    int total = 0;
    for (int i = 0; i != count; i++) {
        if (of[i] == 2 && total > 0)
            total += BIGGER(of[i], 7) * i - count;
        else
            total++;
    }
    return total;
}

static const char *kind(int n)
{
    switch (n) {
    case 1: return "one";
    default: return is_small(n) || n == 9 ? "small or nine" : "large";
    }
}

int main(void)
{
    printf("%d %s %s %s\n", sum(table, 4), kind(1), kind(8), kind(9));
    for (int n = 2; n < 5; n++) {
        puts(is_small(n) ? "small; (a)" : "large // b");
    }
    return 0;
}
