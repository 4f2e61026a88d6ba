/* What the programs of byte copying print by, and their clock. */
#ifndef SIMOS_WORKLOADS_BYTE_COPYING_SERIAL_H
#define SIMOS_WORKLOADS_BYTE_COPYING_SERIAL_H

/* serial.c: a character on the serial port. */
void put(char c);
/* serial.c: TEXT and a blank. */
void put_text(const char *text);
/* serial.c: NUMBER in decimal. */
void put_number(unsigned number);

/* serial.c: performance counter 0 counts cycles in kernel mode and at exception level
 * (docs/reference/performance-counters.md). */
void count_cycles(void);

/* Performance counter 0. */
static inline unsigned read_cycles(void)
{
    unsigned value;
    __asm__ volatile("mfc0 %0, $25, 1" : "=r"(value));
    return value;
}

#endif
