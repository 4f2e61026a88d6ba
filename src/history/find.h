/*
 * Searches in the past: the last event of a kind before an instant. A process of the past runs from a snapshot to that
 * instant and notes each event; the present asks one snapshot after another, the latest first (src/history/history.c).
 */
#ifndef SIMOS_HISTORY_FIND_H
#define SIMOS_HISTORY_FIND_H

#include "cache/memsys.h"
#include "src/machine/machine.h"

enum find_kind {
    FIND_LOAD,   /* of a byte from FIRST to LAST, by a CPU or a device */
    FIND_STORE,  /* ... */
    FIND_ACCESS, /* either */
    FIND_EXEC,   /* a CPU is before the instruction at FIRST */
    FIND_CHANGE, /* register NUMBER of CPU gets another value: at each instruction it is looked at */
    FIND_MISS,   /* a line with a byte from FIRST to LAST misses in CACHE, ... */
    FIND_ENTER,  /* ... is brought into it, ... */
    FIND_LEAVE,  /* ... or leaves it */
};

enum { FIND_POINTS_MAX = 256, FIND_ANY_CPU = -1 };

struct find_point {
    enum find_kind kind;
    bool by_virtual; /* FIRST and LAST are virtual addresses as a debugger means them; otherwise physical */
    uint32_t first, last;
};

struct find_request {
    int cpu;                 /* only its events, or those in its cache; or FIND_ANY_CPU */
    bool all;                /* all events, not the last one only */
    bool by_argument;        /* FIND_EXEC: only where the first argument of a routine is ... */
    uint32_t argument;       /* ... this */
    unsigned number;         /* of a register (cpu/privileged/register_access.h) */
    enum memsys_cache cache; /* of FIND_MISS, FIND_ENTER and FIND_LEAVE */
    unsigned count;          /* of points */
    struct find_point points[FIND_POINTS_MAX];
};

/* What happened. */
struct find_event {
    enum find_kind kind;
    unsigned cpu;
    bool by_device; /* DMA: pc, value and mode mean nothing */
    unsigned point; /* its index in the request */
    uint64_t insns; /* of all CPUs, before the instruction; of DMA: when it happened */
    uint64_t cpu_insns;
    cycles time; /* of the CPU, when it happened: of a load or store behind its misses */
    vaddr pc;
    bool user; /* mode */
    vaddr address;
    paddr physical;
    uint8_t size;
    uint64_t value, before; /* what was stored or loaded; of a register: behind the instruction, and before */
    unsigned owner;         /* of lines: the CPU whose cache it is. CPU is the one that executed what caused it */
    char why[20];           /* of FIND_LEAVE: why */
    vaddr caller;           /* of FIND_EXEC: the return address, and ... */
    uint32_t argument;      /* ... the first argument, if that is a routine */
};

struct finding; /* a search in this process of the past */

/* Note the events of REQUEST that MACHINE comes to. End it before anything else. */
struct finding *finding_begin(struct machine *machine, const struct find_request *request);
/* The CPU that must be run instruction by instruction, with finding_look() between them; FIND_ANY_CPU: none. */
int finding_steps(const struct finding *finding);
void finding_look(struct finding *finding);
/* The events, to be freed, and how many: the last one, or all. */
struct find_event *finding_end(struct finding *finding, size_t *count);

#endif
