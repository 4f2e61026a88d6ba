/*
 * Guard bits by name: instructions of the guest kernel at which guarded sequential prefetching stops
 * (docs/reference/prefetch.md). Set by the parameter prefetch.guards and the shell command `guards`.
 */
#ifndef SIMOS_GUEST_GUARDS_H
#define SIMOS_GUEST_GUARDS_H

#include "annotations/symbols/machine_view.h"

/* Set (ON) or clear the guards of VIEW named in TEXT: words separated by blanks, commas or newlines, each an ADDRESS,
 * SYMBOL, SYMBOL+OFFSET, or "routines", the last instruction of every kernel routine; "@FILE" alone: the words of a
 * file, in which # begins a comment. Addresses are in kseg0 or kseg1, or physical. Fails naming the word; the words
 * before it have taken effect. */
bool guards_apply(const struct machine_view *view, const char *text, bool on, struct err *err);

#endif
