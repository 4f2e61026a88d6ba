/* A reference as observers (cache/observe/observe.h), traces (cache/observe/trace.h) and sweeps use it. It also
 * represents all other events that change the contents of caches, so that another memory system can reproduce them from
 * a stream of references alone. */
#ifndef SIMOS_CACHE_REFERENCE_H
#define SIMOS_CACHE_REFERENCE_H

#include "cache/memsys.h"

/* ORDER: the values are stored in trace files. */
enum reference_kind {
    /* level 1: a line of the first-level instruction cache, once each time the CPU enters it; level 0: an instruction
     * that has been executed */
    REFERENCE_FETCH,
    REFERENCE_READ,       /* levels 0, 1: a load; levels below: a line, for a load or for a store */
    REFERENCE_WRITE,      /* levels 0, 1: a store; levels below: the line becomes modified */
    REFERENCE_WRITE_BACK, /* level 2 and below: a modified line or a write-through from the level above */
    REFERENCE_DMA_READ,   /* a device reads or writes memory; no CPU */
    REFERENCE_DMA_WRITE,
    REFERENCE_CACHE_OP, /* the CACHE instruction */
    REFERENCE_FLUSH,    /* all caches of all CPUs are emptied */
    REFERENCE_INSNS,    /* the CPU has executed this many instructions more in the mode; in traces only */
    /* the CPU takes an exception, whose handler its next fetch begins; in traces of level 0 only */
    REFERENCE_EXCEPTION,
    REFERENCE_KINDS
};

/* Cause.ExcCode of a REFERENCE_EXCEPTION: those that a reader of traces tells from others. */
enum { REFERENCE_CODE_INTERRUPT = 0, REFERENCE_CODE_SYSTEM_CALL = 8 };

struct reference {
    enum reference_kind kind;
    uint8_t cpu;
    enum mode mode;   /* of the CPU: fetches, reads, writes, write-backs */
    uint16_t process; /* its address space in MODE_USER */
    paddr address;
    /* levels 0, 1: fetches, reads, writes; REFERENCE_CACHE_OP: selects the set; REFERENCE_EXCEPTION: EPC */
    vaddr virtual_address;
    uint32_t word; /* level 0: of a fetch, the instruction; of an exception by a system call, its number ($v0) */
    uint8_t code;  /* REFERENCE_EXCEPTION: Cause.ExcCode */
    uint8_t space; /* likewise: its address space, as in struct memsys_request; traces do not record it */
    bool walk;     /* level 1: REFERENCE_READ by the page-table walker */
    uint32_t size; /* bytes */
    enum memsys_cache cache;
    enum memsys_cache_op op; /* REFERENCE_CACHE_OP: on `cache` */
    cycles now;              /* time on the CPU */
    uint64_t insns;          /* REFERENCE_INSNS */
};

/* Whether the reference is caused by an instruction of a CPU. */
static inline bool reference_is_access(enum reference_kind kind)
{
    return kind <= REFERENCE_WRITE_BACK;
}

#endif
