/*
 * Guard bits by name: which instructions of the guest's kernel end a sequence of code that runs straight through memory
 * (docs/reference/prefetch.md). The parameter prefetch.guards and the shell's command `guards` name them.
 */
#ifndef SIMOS_GUARDS_H
#define SIMOS_GUARDS_H

#include "src/log.h"

struct machine;

/* Set (ON) or take away the guards that TEXT names: words separated by blanks, commas or lines, each an ADDRESS,
 * SYMBOL, SYMBOL+OFFSET, or "routines", the last instruction of every kernel routine; "@FILE" alone: the words of a
 * file, in which # begins a comment. Addresses are those of kseg0, kseg1, or physical ones. Fails naming the word;
 * those before it have been dealt with. */
bool guards_apply(struct machine *machine, const char *text, bool on, struct err *err);

#endif
