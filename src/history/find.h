/*
 * Searches in the past: the last event of a kind before an instant. A process of the past runs from a snapshot to that
 * instant and notes each event; the present asks one snapshot after another, the latest first (src/history/history.c).
 */
#ifndef SIMOS_HISTORY_FIND_H
#define SIMOS_HISTORY_FIND_H

#include "src/machine/machine.h"

enum find_kind {
    FIND_LOAD,   /* of a byte from FIRST to LAST, by a CPU or a device */
    FIND_STORE,  /* ... */
    FIND_ACCESS, /* either */
    FIND_EXEC,   /* a CPU is before the instruction at FIRST */
    FIND_CHANGE, /* register REGISTER of CPU gets another value */
    FIND_STOP,   /* any of POINTS, as a debugger has them */
};

enum { FIND_POINTS_MAX = 256, FIND_ANY_CPU = -1 };

struct find_point {
    enum find_kind kind; /* FIND_LOAD, FIND_STORE, FIND_ACCESS, FIND_EXEC */
    bool by_virtual;     /* FIRST and LAST are virtual addresses as a debugger means them; otherwise physical */
    uint32_t first, last;
};

struct find_request {
    enum find_kind kind;
    int cpu;         /* only its events, or FIND_ANY_CPU; of FIND_CHANGE the CPU */
    unsigned number; /* of a register (cpu/privileged/register_access.h) */
    unsigned count;  /* of points */
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
    cycles time; /* of the CPU, before the instruction */
    vaddr pc;
    bool user; /* mode */
    vaddr address;
    paddr physical;
    uint8_t size;
    uint64_t value, before; /* what was stored or loaded; before: of a register */
};

struct finding; /* a search in this process of the past */

/* Note the events of REQUEST that MACHINE comes to. End it before anything else. */
struct finding *finding_begin(struct machine *machine, const struct find_request *request);
/* True if there was one, with the last one in EVENT. */
bool finding_end(struct finding *finding, struct find_event *event);

#endif
