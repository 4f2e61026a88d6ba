/*
 * One statistics file (docs/reference/results.md) as a column of a report: the machine configuration, and its accounts
 * by mode, summed over the CPUs. The kinds of stalls and misses are those in the file, so a CPU model may have its own.
 */
#ifndef SIMOS_REPORT_REPORT_COLUMN_H
#define SIMOS_REPORT_REPORT_COLUMN_H

#include "src/measure/attribution.h"
#include "src/base/json_file.h"
#include "src/base/version.h"
#include "src/report/report_mix.h"

enum { REPORT_KEY_SIZE = 64, REPORT_ROWS_MAX = 512, REPORT_TITLE_SIZE = 128 };

struct report_row {
    /* "cycles", "insns", "execute", "wait", "stall.l1i", "miss.l2_data"; "class.l2.data.cold" */
    char key[REPORT_KEY_SIZE];
    uint64_t value[MODE_COUNT];
};

struct report_column {
    char title[REPORT_TITLE_SIZE];
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
    struct report_row rows[REPORT_ROWS_MAX];
};

/* Read COLUMN from the statistics ROOT, with the title TITLE. Returns false with ERR, which begins with TITLE, if ROOT
 * are no statistics of a run. In both cases the caller calls report_column_release(). */
bool report_column_read(struct report_column *column, const char *title, const json_t *root, struct err *err);
void report_column_release(struct report_column *column);

/* The row KEY; NULL if there is none. */
const struct report_row *report_column_row(const struct report_column *column, const char *key);

/* Sums over modes. */
enum report_sum { REPORT_USER, REPORT_KERNEL, REPORT_BUSY, REPORT_IDLE, REPORT_TOTAL, REPORT_SUMS };
/* The sum of row KEY; 0 if there is no such row. */
uint64_t report_column_sum(const struct report_column *column, const char *key, enum report_sum sum);
/* The sum of all rows whose keys begin with PREFIX. */
uint64_t report_column_sum_all(const struct report_column *column, const char *prefix, enum report_sum sum);

/* CPI without cycles in `wait`; memory stall cycles per instruction (MCPI) of instruction fetches, and of loads and
 * stores (as in src/report/results.c). 0 without instructions. */
double report_column_cpi(const struct report_column *column, enum report_sum sum);
double report_column_i_mcpi(const struct report_column *column, enum report_sum sum);
double report_column_d_mcpi(const struct report_column *column, enum report_sum sum);

/* Simulated seconds of the measured part; the time of all CPUs in it that was not idle. 0 if the clock is unknown. */
double report_column_seconds(const struct report_column *column);
double report_column_busy_seconds(const struct report_column *column);

#endif
