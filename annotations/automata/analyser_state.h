/* Internal interface of the logic analysers: analyser.c runs them, analyser_report.c prints the results,
 * analyser_trace.c writes the trace buffers. */
#ifndef SIMOS_ANNOTATIONS_AUTOMATA_ANALYSER_STATE_H
#define SIMOS_ANNOTATIONS_AUTOMATA_ANALYSER_STATE_H

#include "annotations/automata/analyser.h"
#include "src/base/board.h"

/* An entry of the trace buffer. */
struct analyser_entry {
    struct probe_sample sample;
    uint64_t matched; /* bit mask of recognisers */
    uint16_t state;   /* before the sample */
    uint8_t bus;      /* ANALYSER_BUS_... */
    uint8_t buffer;   /* entries in use of the write buffer */
};

/* What the lines that hold for a sample do. */
struct analyser_outcome {
    bool valid;
    bool stores, changes; /* the sample is stored; counters or the trace begin or end to run, or are reset */
    uint16_t state, next;
    uint64_t matched; /* bit mask of recognisers, for which this holds in STATE */
    unsigned lines;   /* number of transitions in LINE, those with actions */
    uint16_t *line;
};

enum { ANALYSER_OUTCOME_BITS = 10, ANALYSER_OUTCOMES = 1 << ANALYSER_OUTCOME_BITS };

struct analyser {
    struct analyser *next; /* in order of creation */
    struct analysers *all;
    struct analyser_plan plan;
    bool needs_buffer, needs_bus; /* recognisers test them, or the trace shows them: they differ from cycle to cycle */
    uint16_t *of_state;           /* transitions by state, in order: of_state[begin[S]] up to of_state[begin[S + 1]] */
    unsigned begin[ANALYSER_STATES + 1];
    struct analyser_outcome outcome[ANALYSER_OUTCOMES]; /* by hash */
    uint16_t state;
    bool trace_runs;
    uint64_t samples[ANALYSER_STATES];
    uint64_t count[ANALYSER_COUNTERS];
    bool running[ANALYSER_COUNTERS];
    unsigned runners; /* number of counters that run */
    struct analyser_entry *entry;
    size_t room;     /* number of entries that ENTRY has memory for */
    uint64_t stored; /* samples stored so far, including those that have been overwritten */
    uint64_t missed; /* samples that a full trace buffer did not take */
};

struct analysers {
    const struct machine_view *machine;
    unsigned levels; /* of caches */
    struct analyser *first;
    struct core_probe probe[BOARD_MAX_CPUS];
};

/* The number of entries in ANALYSER's trace buffer, and entry INDEX of them, the oldest first. */
size_t analyser_entries(const struct analyser *analyser);
const struct analyser_entry *analyser_entry_at(const struct analyser *analyser, size_t index);
/* The value of counter INDEX. */
uint64_t analyser_count(const struct analyser *analyser, unsigned index);

#endif
