/*
 * A reference as those handle it who look at the memory system from outside: observers (cache/observe/observe.h), traces
 * (cache/observe/trace.h), sweeps. Also what else changes the contents of caches, so that a stream of these says all that
 * another memory system needs to do the same.
 */
#ifndef SIMOS_CACHE_REFERENCE_H
#define SIMOS_CACHE_REFERENCE_H

#include "cache/memsys.h"

/* ORDER: the values stand in trace files. */
enum reference_kind {
    REFERENCE_FETCH,      /* level 1: of a line of the first-level instruction cache, once whenever it is entered */
    REFERENCE_READ,       /* a load; a level below: of a line, for a load or for a store */
    REFERENCE_WRITE,      /* a store; a level below: the line is to become modified */
    REFERENCE_WRITE_BACK, /* level 2 and below: a modified line, or a write that went through, arrives from above */
    REFERENCE_DMA_READ,   /* a device reads or writes memory; no CPU */
    REFERENCE_DMA_WRITE,
    REFERENCE_CACHE_OP, /* the CACHE instruction */
    REFERENCE_FLUSH,    /* all caches of all CPUs are emptied */
    REFERENCE_INSNS,    /* the CPU has executed so many instructions more in the mode. In traces only */
    REFERENCE_KINDS
};

struct reference {
    enum reference_kind kind;
    uint8_t cpu;
    enum mode mode;   /* who refers: fetches, reads, writes, write-backs */
    uint16_t process; /* of MODE_USER: its address space */
    paddr address;
    vaddr virtual_address; /* level 1: fetches, reads, writes */
    uint32_t size;         /* bytes */
    enum memsys_cache cache;
    enum memsys_cache_op op; /* REFERENCE_CACHE_OP: on this cache */
    cycles now;              /* the CPU's time */
    uint64_t insns;          /* REFERENCE_INSNS */
};

/* By an instruction of a CPU, or for one? */
static inline bool reference_is_access(enum reference_kind kind)
{
    return kind <= REFERENCE_WRITE_BACK;
}

#endif
