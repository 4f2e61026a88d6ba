/*
 * What a file of statistics says of services (docs/reference/annotation-services.md), as SOSP'95 tables 4.2, 4.8, 5.2
 * and 5.4 say it.
 */
#ifndef SIMOS_REPORT_SERVICES_H
#define SIMOS_REPORT_SERVICES_H

#include "src/report_column.h"
#include "src/report_processes.h"

enum { SERVICE_FIGURES_NAME = 64 };

/* Of one service; of all CPUs together. What cannot be said (no call has ended, say) is NAN. */
struct service_figures {
    char name[SERVICE_FIGURES_NAME];
    double kernel;      /* its part of the kernel's time, % (of all cycles but the program's and idle ones) */
    double calls;       /* a second */
    double computation; /* a call, microseconds */
    double latency, blocked, descheduled;
    double cpi, i_mcpi, d_mcpi;
    double stall_insn, stall_data; /* of the kernel's memory stall, % */
    double cold;                   /* of the kernel's cold misses of the outermost cache, % */
    /* Its computation, %: */
    double instructions, spinlock, coherence, upgrade, insn_cache, data_cache, uncached;
    double acquires, coherence_misses; /* a call: spin locks; misses of the outermost cache, but for spin locks */
};

/* A row of event rates. */
struct service_rate {
    char name[SERVICE_FIGURES_NAME];
    double rate; /* a second */
};

enum { SERVICE_RATES_MAX = 128 };

struct service_file {
    char title[REPORT_TITLE_SIZE];
    char simos[VERSION_TEXT_SIZE]; /* the program that wrote it; "-": the file does not say */
    unsigned cpus;
    double seconds;            /* simulated */
    double user, kernel, idle; /* of all cycles, % */
    bool classified;           /* misses by class are known */
    double sync;               /* of the kernel's time, in routines of spin locks, % */
    unsigned rates;
    struct service_rate rate[SERVICE_RATES_MAX];
    size_t count;
    struct service_figures *service; /* of the kernel, the one with most time first; owned */
    double clock_hz;
    struct process_list processes;
};

/* FILE from the statistics ROOT, called TITLE. False with ERR, which begins with TITLE, if there are no services in it.
 * Either way service_file_release(). */
bool service_file_read(struct service_file *file, const char *title, const json_t *root, struct err *err);
void service_file_release(struct service_file *file);
/* The service NAME; NULL: it was not met. */
const struct service_figures *service_file_find(const struct service_file *file, const char *name);

#endif
