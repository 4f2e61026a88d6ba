/*
 * One file of statistics (docs/reference/results.md) as a column of a report: what machine it was, and its accounts by
 * mode, summed over the CPUs. Kinds of stalls and misses are whatever the file has, so a CPU model may bring its own.
 */
#ifndef SIMOS_REPORT_COLUMN_H
#define SIMOS_REPORT_COLUMN_H

#include "src/attribution.h"
#include "src/json_file.h"
#include "src/version.h"

enum { REPORT_KEY_SIZE = 64, REPORT_ROWS_MAX = 512, REPORT_TITLE_SIZE = 128 };

struct report_row {
    /* "cycles", "insns", "execute", "wait", "stall.l1i", "miss.l2_data"; "class.l2.data.cold" */
    char key[REPORT_KEY_SIZE];
    uint64_t value[MODE_COUNT];
};

struct report_column {
    char title[REPORT_TITLE_SIZE];
    /* The program that wrote it, as version_describe() has it; "-" if the file does not say, as those below. */
    char simos[VERSION_TEXT_SIZE];
    char machine[64], model[32], memory[32], clock[32], tlb_entries[16];
    unsigned cpus;
    uint64_t clock_hz;    /* 0: not known */
    uint64_t time, begun; /* simulated cycles since power-on; of those, before the figures begin */
    /* Of a window (src/window.h): where it begins, in instructions since power-on, or of how many it is merged; the
     * instructions of its warm-up. "-": none. */
    char window[32], warmup[48];
    uint64_t tlb_refills_load, tlb_refills_store;
    json_t *over_time; /* src/over_time.h; owned; NULL: it has none */
    json_t *services;  /* annotations.services; the same */
    unsigned row_count;
    struct report_row rows[REPORT_ROWS_MAX];
};

/* COLUMN from the statistics ROOT, called TITLE. False with ERR, which begins with TITLE, if that is something else.
 * Either way report_column_release(). */
bool report_column_read(struct report_column *column, const char *title, const json_t *root, struct err *err);
void report_column_release(struct report_column *column);

/* The row KEY; NULL: there is none. */
const struct report_row *report_column_row(const struct report_column *column, const char *key);

/* What a row is summed to. */
enum report_sum { REPORT_USER, REPORT_KERNEL, REPORT_BUSY, REPORT_IDLE, REPORT_TOTAL, REPORT_SUMS };
/* Of KEY; 0 if there is no such row. */
uint64_t report_column_sum(const struct report_column *column, const char *key, enum report_sum sum);
/* Over all rows whose keys begin with PREFIX. */
uint64_t report_column_sum_all(const struct report_column *column, const char *prefix, enum report_sum sum);

/* Cycles an instruction without those spent in `wait`; memory stalls an instruction, of fetches, of loads and stores
 * (as in src/results.c). 0 where there are no instructions. */
double report_column_cpi(const struct report_column *column, enum report_sum sum);
double report_column_i_mcpi(const struct report_column *column, enum report_sum sum);
double report_column_d_mcpi(const struct report_column *column, enum report_sum sum);

/* Simulated seconds since the figures begin: that have passed; that all CPUs together were not idle. 0 if the clock is
 * not known. */
double report_column_seconds(const struct report_column *column);
double report_column_busy_seconds(const struct report_column *column);

#endif
