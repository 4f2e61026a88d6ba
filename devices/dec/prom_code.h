/*
 * The contents of the boot PROM: its code, its tables and its texts. Private to devices/dec/.
 */
#ifndef SIMOS_DEVICES_DEC_PROM_CODE_H
#define SIMOS_DEVICES_DEC_PROM_CODE_H

#include "devices/dec/prom.h"

/* Registers of the PROM, 32 bits each, byte offsets. */
enum {
    PROM_ARGUMENT = 0x00,       /* W: four of them */
    PROM_STACK_POINTER = 0x10,  /* W: arguments from the fifth on are at + 16 */
    PROM_CALL = 0x14,           /* W: the number of the call, whose arguments are complete */
    PROM_RESULT = 0x18,         /* R */
    PROM_AGAIN = 0x1c,          /* R: 1: there is no result yet; call again */
    PROM_STARTS = 0x20,         /* R: 1 at power-on: start the kernel; 0: the guest has returned */
    PROM_ENTRY = 0x24,          /* R */
    PROM_KERNEL_ARGUMENT = 0x28 /* R: a0 to a3 for the kernel */
};

/* Numbers of calls. Below PROM_CALL_REX: entry of the jump table; from it on: entry of REX's callback table. */
enum { PROM_CALL_REX = 0x100, PROM_JUMPS = 64, PROM_CALLBACKS = 56 };
enum { PROM_ENTRY_RESET = 0, PROM_ENTRY_REFILL = 32, PROM_ENTRY_EXCEPTION = 48 }; /* vectors with Status.BEV */

/* Places in the ROM. */
enum {
    PROM_AT_CODE = 0x400,
    PROM_AT_CALLBACKS = 0x800, /* REX's callback table */
    PROM_AT_STUBS = 0xa00,     /* 8 bytes for each of its calls */
    PROM_AT_TC_INFO = 0xc00,   /* TURBOchannel: struct tcinfo (Linux: include/linux/tc.h) */
    PROM_AT_TEXTS = 0x1000,    /* the environment */
    PROM_AT_ARGV = 0x2000,
    PROM_AT_WORDS = 0x3000,
};

/* Write the code and the tables, whose registers are at physical address REGISTERS, to ROM (PROM_BYTES, zero). */
void prom_write_code(uint8_t *rom, paddr registers);

/* Write WORDS, split at blanks, behind FIRST words of the PROM's own, as argv and its texts. Returns argc; -1: they do
 * not fit. */
int prom_write_words(uint8_t *rom, const char *words, unsigned first);

/* Write the value of environment variable NAME. Returns its offset in the ROM; 0: it has no value. */
uint32_t prom_variable(const char *name);
void prom_write_variables(uint8_t *rom, uint32_t system_id);

#endif
