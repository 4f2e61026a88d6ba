/*
 * Kernel services in a statistics file (docs/reference/annotations.md), in the terms of SOSP'95 tables 4.2, 4.8, 5.2
 * and 5.4.
 */
#ifndef SIMOS_RESULTS_SERVICES_H
#define SIMOS_RESULTS_SERVICES_H

#include "src/results/name_index.h"
#include "src/results/results.h"
#include "src/results/processes.h"

enum { SERVICE_FIGURES_NAME = 64 };

/* One service, all CPUs together. Undefined values (for example the latency without completed calls) are NAN. */
struct service_figures {
    char name[SERVICE_FIGURES_NAME];
    double kernel;      /* share of kernel time, % (kernel time: all cycles except user and idle) */
    double calls;       /* per second */
    double computation; /* per call, microseconds; so are the next three */
    double latency, blocked, descheduled;
    double cpi, i_mcpi, d_mcpi;
    double stall_insn, stall_data; /* share of the kernel's memory stall, % */
    double cold;                   /* share of the kernel's cold misses in caches that a CPU does not share, % */
    /* Components of the computation time, %: */
    double instructions, spinlock, coherence, upgrade, insn_cache, data_cache, uncached;
    /* per call: spin-lock acquisitions; coherence misses of such caches outside spin locks */
    double acquires, coherence_misses;
};

/* A row of event rates. */
struct service_rate {
    char name[SERVICE_FIGURES_NAME];
    double rate; /* per second */
};

enum { SERVICE_RATES_MAX = 128 };

struct service_file {
    char title[RESULTS_TITLE_SIZE];
    char simos[VERSION_TEXT_SIZE]; /* the program that wrote the file; "-": unknown */
    unsigned cpus;
    double seconds;            /* simulated */
    double user, kernel, idle; /* of all cycles, % */
    bool classified;           /* misses are counted by class */
    double sync;               /* share of kernel time in spin-lock routines, % */
    unsigned rates;
    struct service_rate rate[SERVICE_RATES_MAX];
    struct name_index rate_numbers, service_numbers; /* elements of RATE and SERVICE by name */
    size_t count;
    struct service_figures *service; /* kernel services in order of decreasing time; owned */
    double clock_hz;
    struct process_list processes;
};

/* Read FILE from the statistics ROOT, with the title TITLE. Returns false with ERR, which begins with TITLE, if ROOT
 * has no services. In both cases the caller calls service_file_release(). */
bool service_file_read(struct service_file *file, const char *title, const json_t *root, struct err *err);
void service_file_release(struct service_file *file);
/* The service NAME, the event rate NAME; NULL if it did not occur. */
const struct service_figures *service_file_find(const struct service_file *file, const char *name);
const struct service_rate *service_file_rate(const struct service_file *file, const char *name);

#endif
