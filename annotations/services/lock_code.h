/*
 * Recognises code that matters to locks: exits of functions, and inlined releases of spin locks. Linux's queued spin
 * lock is free when its first byte is 0: a release is two barriers (mmiowb() and smp_store_release()) and `sb $zero`.
 * Its queued reader-writer lock counts readers in steps of 512 (_QR_BIAS), and its first byte is the writer's.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_LOCK_CODE_H
#define SIMOS_ANNOTATIONS_SERVICES_LOCK_CODE_H

#include "cpu/isa/isa.h"

/* True if INSN at ADDRESS exits its function [FIRST, END): `jr $ra`, or a jump out of it. *TARGET is the jump's
 * target, else 0. */
bool lock_code_is_exit(const struct isa_decoded *insn, vaddr address, vaddr first, vaddr end, vaddr *target);

/* True if INSN at ADDRESS is a direct call; *TARGET is the function it calls. */
bool lock_code_is_call(const struct isa_decoded *insn, vaddr address, vaddr *target);

/* True if the function CODE is a barrier and nothing else. The compiler does not always inline __sync(): a call of it
 * is a barrier in the sequences below, where the caller of these functions puts CODE[0] in place of it. */
bool lock_code_is_barrier(const struct isa_decoded code[3]);

/* An inlined release. */
struct lock_release {
    vaddr begin, end; /* of the instruction sequence; END 0: only BEGIN is known, where base + offset is valid, as the
                         store is in a delay slot or the sequence contains branches or writes of the base register */
    uint8_t base;     /* the lock is at this register + OFFSET, from BEGIN on */
    int16_t offset;
};

/* Longest sequence of a release, in instructions. */
enum { LOCK_RELEASE_INSNS = 16 };

/* True if a release begins with the first of the COUNT instructions CODE at ADDRESS. */
bool lock_code_find_release(const struct isa_decoded *code, unsigned count, vaddr address,
                            struct lock_release *release);

/* The same for inlined releases of reader-writer locks: `ll`, subtract 512, `sc` releases a reader (*WRITER false);
 * a barrier and `sb $zero`, perhaps with the computation of the address between them, release a writer. END is 0. */
bool lock_code_find_shared_release(const struct isa_decoded *code, unsigned count, vaddr address,
                                   struct lock_release *release, bool *writer);

#endif
