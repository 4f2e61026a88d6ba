/*
 * What a machine looks like between runs, as text for whoever looks at it from a prompt: the shell's and gdb's.
 */
#ifndef SIMOS_MACHINE_TEXT_H
#define SIMOS_MACHINE_TEXT_H

#include "src/machine/machine.h"
#include <stdio.h>

/* What CORE is doing: "user", "kernel", "idle", "waiting" or "off". */
const char *machine_text_mode(const struct core *core);

/* ADDRESS of the kernel as SYMBOL or SYMBOL+OFFSET; empty where the machine's symbols are not those of ADDRESS, which
 * is so below kseg0 (user programs) and above kseg1 (modules). */
void machine_text_symbol(const struct machine *machine, vaddr address, char *text, size_t size);

/* The valid entries of CORE's TLB, a line each behind one that says what the columns are. */
void machine_text_tlb(const struct core *core, FILE *out);

/* A line for the statistic NAME of value VALUE: with its unit and what it means. */
void machine_text_statistic(const struct machine *machine, const char *name, const char *value, FILE *out);

#endif
