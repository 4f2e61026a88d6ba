/*
 * The watch registers, WatchLo and WatchHi (MD00090 sections 9.44 and 9.45): a fetch, load or store of a watched
 * doubleword raises a Watch exception before it takes effect; with Status.EXL or ERL set, Cause.WP is set instead, and
 * the exception is raised when both are clear. There are four pairs, as in the 34K and the interAptiv: 0 and 1 watch
 * fetches, 2 and 3 loads and stores. Present if the parameter cpu.watch_registers says so (Config1.WR).
 *
 * While one is enabled, or Cause.WP is set, core->checked is true: only the interpreter executes, and mxs executes
 * loads and stores at the head of its window. Otherwise they cost nothing.
 *
 * What the manual leaves to the implementation: cache, pref and synci are not watched; sc is, also if it fails.
 */
#ifndef SIMOS_CPU_PRIVILEGED_WATCH_REGISTERS_H
#define SIMOS_CPU_PRIVILEGED_WATCH_REGISTERS_H

#include "cpu/core.h"

enum { WATCH_PAIRS = 4 };

/* Bits of WatchLo and WatchHi, and what a pair can watch. */
enum { WATCH_FETCH = 1 << 2, WATCH_LOAD = 1 << 1, WATCH_STORE = 1 << 0, WATCH_KINDS = 7 };

/* Is an access of kind ACCESS to ADDRESS watched, by the present registers and ASID? */
bool watch_registers_match(const struct core *core, enum access access, vaddr address);

/* The same, of an access that is made now, with its effects: the pairs that match record it. Nonzero: it raises the
 * Watch exception (core->exception); otherwise that may have been deferred. */
int watch_registers_check(struct core *core, enum access access, vaddr address);

/* The watch registers, Cause or Status changed, or core->isolated: set core->checked. */
void core_update_checked(struct core *core);

#endif
