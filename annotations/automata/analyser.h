/*
 * Logic analysers: state machines that a script declares and that run in C at every cycle of a processor, or at every
 * instruction that it fetches or executes, on what its pins show (cpu/observe/probe.h). The model is Monster's: pattern
 * recognisers, states, counters and a trace buffer with time stamps (Nagle, Uhlig and Mudge, "Monster: A Tool for
 * Analyzing the Interaction Between Operating Systems and Computer Architectures", University of Michigan 1992,
 * section 3).
 *
 * A sample matches some of the recognisers. The first transition of the present state whose condition holds gives the
 * next state and actions; each action line whose condition holds adds its actions. Then the counters that run count the
 * sample, and the sample is stored if the trace buffer runs or an action stores it.
 *
 * An analyser changes nothing of the machine: neither its time nor its statistics.
 */
#ifndef SIMOS_ANNOTATIONS_AUTOMATA_ANALYSER_H
#define SIMOS_ANNOTATIONS_AUTOMATA_ANALYSER_H

#include "annotations/symbols/machine_view.h"
#include "cpu/observe/probe.h"
#include "src/base/json_writer.h"
#include <stdio.h>

enum {
    ANALYSER_NAME = 32,
    ANALYSER_RECOGNISERS = 64,
    ANALYSER_STATES = 256,
    ANALYSER_COUNTERS = 256,
    ANALYSER_TRANSITIONS = 4096,
    ANALYSER_ACTIONS = 8,
    ANALYSER_ANY = 0xffff,        /* state, or "no change" */
    ANALYSER_ENTRIES = 512 << 10, /* of the trace buffer, as Monster's */
    ANALYSER_ENTRIES_MAX = 64 << 20
};

/* A number between LOW and HIGH after MASK. */
struct analyser_range {
    uint32_t mask, low, high;
};

/* Bus transactions, a bit mask: what the memory system does in a cycle. */
enum {
    ANALYSER_BUS_READ = 1,     /* the processor waits for a line */
    ANALYSER_BUS_WRITE = 2,    /* an entry of the outermost write buffer is written */
    ANALYSER_BUS_UNCACHED = 4, /* the processor waits for an uncached access */
    ANALYSER_BUS_IDLE = 8      /* none of these */
};
enum { ANALYSER_BUS_KINDS = 4 };
/* The name of bit BIT of these: "read", "write", "uncached", "idle". */
const char *analyser_bus_name(unsigned bit);

/* What a recogniser tests; all tests have to hold. */
enum analyser_test {
    TEST_PC = 1,       /* of the instruction on the bus: virtual address */
    TEST_PHYSICAL = 2, /* ... physical address */
    TEST_WORD = 4,     /* ... its word */
    TEST_KIND = 8,     /* ... its kind */
    TEST_ADDRESS = 16, /* of its load or store: virtual address */
    TEST_DATA = 32,    /* ... physical address */
    TEST_LOAD = 64,    /* it is a load */
    TEST_STORE = 128,
    TEST_EXCEPTION = 256,
    TEST_SQUASHED = 512,
    TEST_BUFFER = 1024, /* entries in use of the first level's write buffer */
    TEST_BUS = 2048,
    TEST_FETCHED = 4096, /* there is an instruction on the bus */
};

struct analyser_recogniser {
    char name[ANALYSER_NAME];
    uint32_t tests;                                          /* bit mask of enum analyser_test */
    struct analyser_range pc, physical, word, address, data; /* by the tests */
    struct analyser_range squashed, buffer;
    bool buffer_full;    /* TEST_BUFFER: all entries are in use, whatever their number */
    uint32_t kinds;      /* TEST_KIND: bit mask by enum mix_kind */
    uint32_t exceptions; /* TEST_EXCEPTION: bit mask by Cause.ExcCode */
    uint32_t bus;        /* TEST_BUS: ANALYSER_BUS_... */
    uint32_t states;     /* bit mask of PROBE_RUN ...; 0: any */
    uint8_t modes;       /* bit mask by enum mode; 0: any */
    uint8_t misses;      /* bit mask by enum miss, one of which has occurred; 0: any or none */
};

/* Recognisers that match, and that do not. */
struct analyser_condition {
    uint64_t match, differ;
};

struct analyser_action {
    enum analyser_act { ACT_COUNT, ACT_START, ACT_STOP, ACT_RESET, ACT_STORE, ACT_START_TRACE, ACT_STOP_TRACE } act;
    uint16_t counter;
};

struct analyser_transition {
    struct analyser_condition when;
    uint16_t from, to; /* states, or ANALYSER_ANY */
    bool also;         /* an action line */
    unsigned actions;
    struct analyser_action action[ANALYSER_ACTIONS];
};

struct analyser_plan {
    char name[ANALYSER_NAME];
    unsigned cpu;
    enum probe_clock clock;
    unsigned recognisers, states, counters, transitions;
    struct analyser_recogniser recogniser[ANALYSER_RECOGNISERS];
    char state[ANALYSER_STATES][ANALYSER_NAME]; /* the first is the initial state */
    struct {
        char name[ANALYSER_NAME];
        uint8_t bits; /* 1 to 64: the count wraps around there */
    } counter[ANALYSER_COUNTERS];
    struct analyser_transition transition[ANALYSER_TRANSITIONS];
    bool traces;           /* there is a trace buffer */
    bool trace_runs;       /* ... which runs from the beginning */
    bool trace_keeps_last; /* when it is full, the oldest entries are overwritten; otherwise it stops */
    size_t trace_entries;
    struct analyser_condition qualified; /* only such samples are stored */
};

struct analysers;

struct analysers *analysers_create(const struct machine_view *machine);
void analysers_free(struct analysers *analysers); /* NULL is ignored, here and below */

/* Add an analyser, which is copied and starts with the next run. False with ERR if the name exists. Between runs. */
bool analysers_add(struct analysers *analysers, const struct analyser_plan *plan, struct err *err);
/* Set all counters to 0 and empty the trace buffers; the analysers keep their states. */
void analysers_reset(struct analysers *analysers);
/* Does an analyser have a trace buffer? */
bool analysers_trace(const struct analysers *analysers);

/* The counter WHAT of analyser NAME or, with OF "samples", the number of samples that its state WHAT has had. False
 * with ERR if it does not exist. */
bool analysers_figure(const struct analysers *analysers, const char *name, const char *what, bool samples,
                      uint64_t *value, struct err *err);

/* Results as text, and as a JSON object. */
bool analysers_any(const struct analysers *analysers);
void analysers_print(const struct analysers *analysers, FILE *out);
void analysers_write_json(const struct analysers *analysers, struct json_writer *json);

/* Write the trace buffers of all analysers: as comma-separated values, and as a value change dump (IEEE 1364), as
 * GTKWave reads it. */
void analysers_write_csv(const void *analysers, FILE *out);
void analysers_write_vcd(const void *analysers, FILE *out);

#endif
