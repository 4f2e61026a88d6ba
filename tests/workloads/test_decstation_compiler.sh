#!/bin/sh
# The C compiler of the DECstation's guest (programs.cpio): of MIPS I, and what it makes runs.
. "$(dirname "$0")/../guest/harness.sh"
# shellcheck source=tests/guest/decstation/mips1.sh
. "$(dirname "$0")/../guest/decstation/mips1.sh"
cd "$work" || exit

compiler=$("$root/workloads/source-mips1.sh") || exit
programs=$("$root/workloads/source-pcc.sh" "$compiler")/tree/bin || exit
for program in as ld cpp ccom; do
    check_mips1 "$programs/$program"
done

# The compiler compiles, assembles and links a program that then runs.
cat >small.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

int sum(int a, int b, int c, int d, int e, int f)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

int main(void)
{
    int i, numbers[20];
    for (i = 0; i < 20; i++)
        numbers[i] = i * 7919 % 101;
    qsort(numbers, 20, sizeof numbers[0], compare);
    for (i = 0; i < 20; i++)
        printf("%d ", numbers[i]);
    printf("%d %s\n", sum(1, 2, 3, 4, 5, 6), strrchr("a/b/c", '/'));
    return 3;
}
C
echo "file /small.c 0644 $work/small.c" | "$root/build/guest/mkcpio" "$work/test.cpio" || exit
cat "$root/build/guest-decstation/programs.cpio" test.cpio >both.cpio
simos run --quiet --machine decstation-3100 --initrd both.cpio --set machine.memory=64M --cpu embra -- sh -c 'cd /tmp && cc -o small /small.c && ./small; echo $?; cd /usr/src/byacc && cc -DHAVE_CONFIG_H -I. -o /tmp/yacc *.c &&
    ls *.o | wc -l && test -x /tmp/yacc && echo linked'
gcc -w -o small small.c
check_equal "the compiler: a program runs, and one of 14 files is compiled and linked" "$(./small; echo $?)
14
linked" "$(cat out)"
finish
