/*
 * Places in machine code that matter to locks: where a function is left, and where a spin lock is given back without a
 * call. Linux's queued spin lock is free when its first byte is 0: a release is two barriers (mmiowb() and
 * smp_store_release()) and `sb $zero`. Its queued reader-writer lock counts readers in steps of 512 (_QR_BIAS), and has
 * a byte for the writer first.
 */
#ifndef SIMOS_ANNOTATIONS_LOCK_SITES_H
#define SIMOS_ANNOTATIONS_LOCK_SITES_H

#include "src/base/types.h"
#include <stdbool.h>

/* Does INSN leave the function [FIRST, END) that it is part of: `jr $ra`, or a jump to elsewhere (then *TARGET is
 * where, else 0)? ADDRESS is its own. */
bool lock_site_leaves(uint32_t insn, vaddr address, vaddr first, vaddr end, vaddr *target);

struct lock_release {
    vaddr begin, end; /* of its instructions; END: the first one behind them; 0: the store is in a delay slot, or
                         something else goes on between: BEGIN is where the address is known */
    uint8_t base;     /* the lock is at this register + OFFSET, from BEGIN on */
    int16_t offset;
};

enum { LOCK_RELEASE_INSNS = 16 }; /* how far a release reaches at most */

/* Does a release begin with the first of CODE, COUNT instructions from ADDRESS on? PREVIOUS is the instruction before
 * it. */
bool lock_site_releases(const uint32_t *code, unsigned count, vaddr address, struct lock_release *release);

/* The same of a lock that readers share, without a call: `ll`, 512 less, `sc` is what a reader gives back (WRITER is
 * false then), a barrier and `sb $zero` a writer. END is 0. */
bool lock_site_releases_shared(const uint32_t *code, unsigned count, vaddr address, struct lock_release *release,
                               bool *writer);

#endif
