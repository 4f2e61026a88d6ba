/* Two functions that call each other in a loop, on different pages but at the same place of them: in a direct-mapped
 * cache of one page they are in each other's way (Monster part II, figure 12). */
#include <stdio.h>

#define PAGE(name) __attribute__((noinline, aligned(4096), section(".text." #name)))
#define MIX        sum ^= sum << 3;

static volatile unsigned sum;

PAGE(callee) static void callee(unsigned i)
{
    sum += i;
    MIX MIX MIX MIX MIX MIX MIX MIX MIX MIX MIX MIX
}

PAGE(caller) static void caller(unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        MIX MIX MIX MIX MIX MIX MIX MIX MIX MIX MIX MIX callee(i);
    }
}

int main(void)
{
    caller(20000);
    printf("%u\n", sum);
    return 0;
}
