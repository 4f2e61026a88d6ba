/*
 * The options of a run: what `run` and `restore` take, and the runs of `sweep`, `windows`, `cluster` and `shell`.
 */
#ifndef SIMOS_RUN_OPTIONS_H
#define SIMOS_RUN_OPTIONS_H

#include "src/base/log.h"
#include "src/machine/machine.h"
#include "src/observe/collect.h"
#include "src/report/results.h"
#include "src/run/series.h"
#include "src/run/window.h"

struct annotated_interpreter;

enum { RUN_SERIES_MAX = 8 };

/* The command that the options belong to. */
enum run_kind { RUN_KIND_NONE, RUN_KIND_RUN, RUN_KIND_RESTORE, RUN_KIND_SHELL };

struct run_options {
    enum run_kind kind;
    struct machine_options options;
    const char *machine_file; /* --machine, if that is a file; NULL: a built-in one */
    enum results_table table; /* what is printed at the end of the run */
    const char *stats_path;   /* NULL: no file */
    const char *profile_path; /* the same */
    const char *trace_path;   /* to be written; NULL: none */
    const char *annotations;  /* --script: a file, or the name of a library; NULL: none */
    const struct annotated_interpreter *interpreter; /* that evaluates it */
    const char *record_path;                         /* the run's input is recorded there; NULL: nowhere */
    const char *replay_path;                         /* the record to be replayed; NULL: none */
    unsigned over_count;                             /* --over: series of caches beside the run */
    const char *over[RUN_SERIES_MAX];
    const char *out;      /* prefix of the files of results; NULL: none */
    double seconds;       /* simulated; 0: no limit */
    uint64_t max_insns;   /* UINT64_MAX: no limit */
    bool gdb;             /* serve a debugger on gdb_port */
    unsigned gdb_port;    /* 0: any */
    const char *gdb_save; /* the folder where it may save checkpoints; NULL: nowhere */
    const char *lockstep; /* CPU model of the machine beside it; NULL: there is none */
    const char *checkpoint_path; /* --checkpoint: to be written at ... */
    char *checkpoint_file;       /* the same, owned */
    const char *checkpoint_at;   /* ... this event; NULL: none */
    struct machine_event checkpoint_event;
    struct series_plan series;   /* --series */
    struct window window;        /* --warmup, --window */
    struct collect_plan collect; /* --over-time, --stacks, --timeline */
    const char *restored;        /* the checkpoint, or the folder of a series; NULL: a machine that is powered on */
    struct restore *restore;     /* the machine comes from there (src/run/restore.h); NULL: it is powered on */
};

/* Fill RUN with the options of a command that names none. */
void run_options_init(struct run_options *run);
void run_options_release(struct run_options *run);

/* Fill RUN from the words of a command line, which must outlive it, the command's name first. False with ERR naming the
 * word that is wrong. Either way run_options_release() it. */
typedef bool run_options_parser(struct run_options *run, int count, const char *const *words, struct err *err);

/* Is RUN good for a run that is one of several: a node of a cluster, or, if SWEEP, a job of a sweep, whose only
 * result is its statistics, which the sweep keeps? False with ERR naming the option that is not. */
bool run_options_allow_several(const struct run_options *run, bool sweep, struct err *err);

#endif
