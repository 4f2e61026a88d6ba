/*
 * One statistics file (docs/reference/results.md) as a column of a report: the machine configuration, and its accounts
 * by mode, summed over the CPUs. The kinds of stalls and misses are those in the file, so a CPU model may have its own.
 */
#ifndef SIMOS_RESULTS_RESULTS_H
#define SIMOS_RESULTS_RESULTS_H

#include "src/measure/measures.h"
#include "src/base/json_file.h"
#include "src/base/version.h"
#include "src/results/mix.h"

enum { RESULTS_KEY_SIZE = 64, RESULTS_ROWS_MAX = 512, RESULTS_TITLE_SIZE = 128 };

struct results_row {
    /* "cycles", "insns", "execute", "wait", "stall.l1i", "miss.l2_data"; "class.l2.data.cold" */
    char key[RESULTS_KEY_SIZE];
    uint64_t value[MODE_COUNT];
};

struct results {
    char title[RESULTS_TITLE_SIZE];
    /* The program that wrote the file, as version_describe() formats it. "-" here and below: not in the file. */
    char simos[VERSION_TEXT_SIZE];
    char machine[64], model[32], memory[32], clock[32], tlb_entries[16];
    unsigned cpus;
    uint64_t clock_hz;            /* 0: unknown */
    uint64_t time, measured_from; /* simulated cycles from power-on to the end, and to the start of the measured part */
    /* Of a measurement window (src/run/window.h): "insn N", its first instruction since power-on, or the number of
     * merged windows; and the instructions of its warm-up. "-": no window. */
    char window[32], warmup[48];
    uint64_t tlb_refills_load, tlb_refills_store;
    json_t *root;      /* the statistics; owned */
    json_t *over_time; /* src/observe/over_time.h; owned; NULL: not in the file */
    json_t *services;  /* annotations.services; owned; NULL: not in the file */
    struct mix_table mix;
    unsigned row_count;
    struct results_row rows[RESULTS_ROWS_MAX];
};

/* Read COLUMN from the statistics ROOT, with the title TITLE. Returns false with ERR, which begins with TITLE, if ROOT
 * are no statistics of a run. In both cases the caller calls results_release(). */
bool results_read(struct results *results, const char *title, const json_t *root, struct err *err);
void results_release(struct results *results);

/* The row KEY; NULL if there is none. */
const struct results_row *results_row(const struct results *results, const char *key);

/* Sums over modes. */
enum modes { MODES_USER, MODES_KERNEL, MODES_BUSY, MODES_IDLE, MODES_TOTAL, MODES_SUMS };
/* The sum of row KEY; 0 if there is no such row. */
uint64_t results_sum(const struct results *results, const char *key, enum modes sum);
/* The sum of all rows whose keys begin with PREFIX. */
uint64_t results_sum_all(const struct results *results, const char *prefix, enum modes sum);

/* The terms of formulas of those modes; MISSES is 0. */
void results_terms(const struct results *results, enum modes sum, double terms[TERMS]);
/* A figure of those modes; 0 where it has none. */
double results_figure(const struct results *results, enum formula formula, enum modes sum);

/* Simulated seconds of the measured part; the time of all CPUs in it that was not idle. 0 if the clock is unknown. */
double results_seconds(const struct results *results);
double results_busy_seconds(const struct results *results);

#endif
