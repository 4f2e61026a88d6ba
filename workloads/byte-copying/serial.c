#include "serial.h"

void put(char c)
{
    volatile unsigned char *uart = (volatile unsigned char *)0xb8000000;
    while (!(uart[20] & 0x20)) {
    }
    uart[0] = (unsigned char)c;
}

void put_text(const char *text)
{
    while (*text)
        put(*text++);
    put(' ');
}

void put_number(unsigned number)
{
    char digits[10];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        put(digits[--count]);
}

void count_cycles(void)
{
    __asm__ volatile("mtc0 %0, $25, 0" : : "r"(3)); /* event 0 */
}
