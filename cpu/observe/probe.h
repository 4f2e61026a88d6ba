/*
 * A probe on the pins of a core, for logic analysers (annotations/automata/analyser.h): it shows every cycle, every
 * instruction fetched and every instruction executed, each as a sample.
 *
 * While a core has a probe, in-order models interpret (mipsy and embra do not translate) and mxs graduates with all
 * special cases; neither changes time or statistics. Without one, a run tests one pointer.
 *
 * A sample of PROBE_CYCLES is a cycle: all cycles of all modes, which the core's accounts have too, each once and in
 * the state and mode that they are charged to.
 *
 *   in-order models: an instruction has one cycle in which it runs, and then those of its stalls: for the fetch, for
 *     interlocks, for the data. The instruction is on the bus in its first cycle or, if its line misses, in the last
 *     one of the fetch's stall: in the first cycle the bus then has what the cache held in that place, and the miss is
 *     signalled in the cycle after it, as on an R2000, whose caches are outside of the chip (Nagle, Uhlig and Mudge,
 *     "Monster", 1992, section 3.3).
 *   mxs: the first instruction that the cycle fetches is on the bus, the number of instructions that it graduates
 *     beside it, and the state is the reason why it did not graduate more. Instructions that are squashed are a signal.
 *
 * PROBE_FETCHES has each word on the bus as a sample, in the order of fetch, and one that is not known where a fetch
 * misses and the cache held nothing in that place (mxs: at each such miss), or raises an exception; PROBE_GRADUATIONS
 * each instruction that s.insns counts, in program order. Signals (misses, exceptions, squashes) are in the first
 * sample that follows them; several misses of a kind at once are in as many cycles.
 */
#ifndef SIMOS_CPU_OBSERVE_PROBE_H
#define SIMOS_CPU_OBSERVE_PROBE_H

#include "cpu/core.h"

enum probe_clock { PROBE_CYCLES, PROBE_FETCHES, PROBE_GRADUATIONS, PROBE_CLOCKS };

/* What the processor does in a cycle, or did in the one of a fetch or graduation. From each of the first values on, the
 * enumeration of src/measure/attribution.h. */
enum {
    PROBE_RUN, /* an instruction issues; mxs: as many graduate as can */
    PROBE_STALL,
    PROBE_INTERLOCK = PROBE_STALL + STALL_COUNT,
    PROBE_PIPELINE = PROBE_INTERLOCK + INTERLOCK_COUNT,
    PROBE_WAIT = PROBE_PIPELINE + PIPELINE_COUNT, /* the instruction wait */
    PROBE_STATES
};
/* The name of a state: "run", "l1i" ... "uncached", "integer" ..., "dependence" ..., "wait". */
const char *probe_state_name(unsigned state);

enum { PROBE_NO_EXCEPTION = 0xff };

struct probe_sample {
    cycles time;
    vaddr pc; /* if fetched: virtual and physical address of the instruction, and its word */
    paddr physical;
    uint32_t word;
    vaddr address; /* if accesses: virtual and physical address of its load or store */
    paddr data;
    bool fetched, accesses, stores;
    uint8_t kind;      /* if fetched: enum mix_kind; a conditional branch is MIX_NOT_TAKEN */
    uint8_t state;     /* PROBE_RUN ... */
    uint8_t mode;      /* enum mode */
    uint8_t exception; /* Cause.ExcCode of an exception or interrupt taken, or PROBE_NO_EXCEPTION */
    uint8_t misses;    /* bit mask by enum miss */
    uint16_t squashed; /* mxs: instructions squashed, the youngest ones */
    uint16_t graduated;
};

struct core_probe {
    /* A sample of CLOCK, and COUNT - 1 more cycles like it (of PROBE_CYCLES only; their time is that much later). May
     * read everything, and change nothing. */
    void (*sample)(void *opaque, struct core *core, enum probe_clock clock, const struct probe_sample *sample,
                   cycles count);
    void *opaque;
    bool clocks[PROBE_CLOCKS]; /* those that are wanted */

    uint8_t taken; /* Cause.ExcCode of an exception whose instruction has not been shown yet, or PROBE_NO_EXCEPTION */

    /* Signals that have not been in a sample yet, by clock. */
    struct probe_signals {
        bool any;
        uint8_t exception, misses[MISS_COUNT];
        uint16_t squashed;
    } signal[PROBE_CLOCKS];
};

/* Attach PROBE, of which sample, opaque and clocks are set, to CORE. Between runs, before the first. NULL: remove it.
 */
void probe_attach(struct core *core, struct core_probe *probe);

/* An exception with CODE has been taken; it becomes a signal with probe_signal_exception(), when the samples of the
 * instruction that raised it have been delivered. */
void probe_note_exception(struct core_probe *probe, unsigned code);
void probe_signal_exception(struct core_probe *probe);
/* The misses FIRST to LAST (enum miss) by which NOW exceeds BEFORE have occurred. */
void probe_note_misses(struct core_probe *probe, const uint64_t before[MISS_COUNT], const uint64_t now[MISS_COUNT],
                       enum miss first, enum miss last);
/* The COUNT youngest instructions have been squashed. */
void probe_note_squash(struct core_probe *probe, uint64_t count);

/* Put the word at PC, whose physical address is PHYSICAL, on the bus of SAMPLE. */
void probe_set_insn(const struct core *core, struct probe_sample *sample, vaddr pc, paddr physical, uint32_t word);
/* The same of the word at PC by CORE's present translations; not fetched if there is none. */
void probe_set_insn_at(const struct core *core, struct probe_sample *sample, vaddr pc);
/* Set the access of SAMPLE, whose instruction is fetched and is the next to execute on CORE: it is a load or store, or
 * there is none. */
void probe_set_access(const struct core *core, struct probe_sample *sample);

/* Deliver SAMPLE, COUNT times, with the pending signals of CLOCK, if that clock is wanted. */
void probe_deliver(struct core *core, enum probe_clock clock, struct probe_sample *sample, cycles count);
/* CORE, which has a probe, waits for DURATION cycles from NOW on. */
void probe_wait(struct core *core, cycles now, cycles duration);

/* Of SAMPLE, the first one on CORE after an exception: where the exception returns to (EPC); and whether the
 * instruction at PC, the last one before it, raised it: it is there, or in the delay slot of the branch there. An
 * interrupt is raised by none. */
vaddr probe_exception_address(const struct core *core);
bool probe_was_raised_at(const struct core *core, const struct probe_sample *sample, vaddr pc);

#endif
