/*
 * The options of a run: what `run` and `restore` take, and the runs of `sweep`, `windows`, `cluster` and `shell`.
 */
#ifndef SIMOS_RUN_RUN_OPTIONS_H
#define SIMOS_RUN_RUN_OPTIONS_H

#include "src/base/log.h"
#include "src/command/command_line.h"
#include "src/history/history.h"
#include "src/machine/machine.h"
#include "src/observe/collect.h"
#include "src/report/run_table.h"
#include "src/run/series.h"
#include "src/run/window.h"

struct annotated_interpreter;

enum { RUN_SERIES_MAX = 8 };

/* The command that the options belong to. */
enum run_kind {
    RUN_KIND_NONE,
    RUN_KIND_RUN,
    RUN_KIND_RESTORE,
    RUN_KIND_SWEEP,
    RUN_KIND_WINDOWS,
    RUN_KIND_SHELL,
    RUN_KIND_CLUSTER,
    RUN_KIND_PARAMS
};

struct run_options {
    enum run_kind kind;
    enum command_place place;
    struct machine_options options;
    const char *machine_file;                        /* --machine, if it is a file; NULL: a built-in description */
    enum run_table table;                            /* table to print at the end of the run */
    const char *stats_path;                          /* --stats; NULL: none */
    const char *profile_path;                        /* --profile; NULL: none */
    const char *trace_path;                          /* --trace; NULL: none */
    const char *annotations;                         /* --script: a file, or the name of a library; NULL: none */
    const struct annotated_interpreter *interpreter; /* that evaluates it */
    const char *record_path;                         /* --record; NULL: none */
    const char *replay_path;                         /* --replay; NULL: none */
    unsigned disks_named;                            /* for `restore`: number of --disk options so far */
    unsigned over_count;                             /* for `sweep`: the series of sweep points */
    const char *over[RUN_SERIES_MAX];
    const char *out;               /* for `sweep`: prefix of the result files; NULL: none */
    double seconds;                /* simulated; 0: no limit */
    uint64_t max_insns;            /* UINT64_MAX: no limit */
    bool gdb;                      /* serve a debugger on gdb_port */
    unsigned gdb_port;             /* 0: any free port */
    const char *gdb_save;          /* folder where the debugger may save checkpoints; NULL: not allowed */
    struct gdb_server *debugger;   /* during the run: serves the debugger (src/gdb/gdb_stub.h) */
    bool live_wanted;              /* --live: serve the page of the run on live_port */
    unsigned live_port;            /* 0: any free port */
    struct live *live;             /* during the run: serves the page (src/run/live.h) */
    bool provenance_wanted;        /* --provenance */
    struct provenance *provenance; /* during the run (src/run/provenance.h) */
    int signal;                    /* that ended the run; 0: none */
    int word_count;                /* the words of the command line, for the statistics; not owned */
    const char *const *words;
    const char *lockstep;        /* CPU model of the second machine; NULL: no lockstep */
    const char *checkpoint_path; /* --checkpoint: the file; NULL: none */
    char *checkpoint_file;       /* the same, owned */
    const char *checkpoint_at;   /* the event as text; NULL: none */
    struct machine_event checkpoint_event;
    struct series_plan series;   /* --series */
    struct series *series_taken; /* ... during the run */
    struct window window;        /* --warmup, --window */
    struct collect_plan collect; /* --over-time, --stacks, --timeline */
    const char *restored;        /* for `restore`, `info`: the checkpoint; for `windows`: the folder */
    struct restore *restore;     /* for `restore`: the opened checkpoint (src/run/restore.h) */
    bool history_wanted;         /* --history: keep the past of the machine, as HISTORY says */
    struct history_options history;
    char *history_series; /* --history=series=: the folder, owned; NULL: none */
};

/* The options of a command line that gives none. */
void run_options_init(struct run_options *run);
void run_options_release(struct run_options *run);

/* The options of LINE, a command of KIND, as long as none is applied. */
void run_options_begin(struct run_options *run, enum run_kind kind, const struct command_line *line);

/* Parse the words of a command line of COMMANDS at PLACE, the command's name first, which must outlive RUN. RUN has
 * kind RUN_KIND_NONE if it is of a command without a machine. Returns false with ERR naming the invalid word, or the
 * option that has no effect there. In both cases the caller calls run_options_release(). */
bool run_options_parse(struct run_options *run, const struct commands *commands, enum command_place place, int count,
                       const char *const *words, struct err *err);

/* Functions of a command (struct command) whose OPTIONS begin with a struct run_options. */
void run_based_release(void *options);
struct params *run_based_params(void *options);
bool run_based_take_command(void *options, int count, const char *const *words, struct err *err);
uint32_t run_based_uses(const void *options);

/* The options of a machine and its run, of the commands of every kind (run_option_table.c): `has` of the rows, and of
 * the commands with this table, is RUN_HAS() of the kinds. */
extern const struct option run_option_table[];
#define RUN_HAS(kind) ((uint32_t)1 << RUN_KIND_##kind)

#endif
