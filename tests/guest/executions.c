/*
 * Without a library, so that every instruction of it is the same in the guest and in another emulator: recursion,
 * nested loops, a search tree and a table of functions. tests/guest/test_counters.sh counts how often each instruction
 * executes.
 */
static unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned numbers[300];

static void sort(unsigned *at, int count)
{
    while (count > 1) {
        unsigned pivot = at[count / 2];
        int low = 0, high = count - 1;
        while (low <= high) {
            while (at[low] < pivot)
                low++;
            while (at[high] > pivot)
                high--;
            if (low <= high) {
                unsigned swapped = at[low];
                at[low++] = at[high];
                at[high--] = swapped;
            }
        }
        sort(at, high + 1);
        at += low;
        count -= low;
    }
}

static unsigned twice(unsigned n)
{
    return 2 * n;
}

static unsigned (*const functions[])(unsigned) = {fib, twice};

static void __attribute__((noreturn)) end(unsigned status)
{
    register unsigned number __asm__("v0") = 4001, argument __asm__("a0") = status;
    __asm__ volatile("syscall" : : "r"(number), "r"(argument));
    for (;;)
        continue;
}

void __start(void)
{
    unsigned seed = 1, sum = 0;
    for (unsigned i = 0; i < 300; i++)
        numbers[i] = (seed = seed * 1664525 + 1013904223) >> 8;
    sort(numbers, 300);
    for (unsigned i = 1; i < 300; i++)
        sum += functions[i % 3 == 0](i % 16) + (numbers[i] < numbers[i - 1]);
    end(sum % 50 + 1);
}
