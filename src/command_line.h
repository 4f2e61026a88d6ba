/*
 * Parser of the command line. It opens, runs and prints nothing.
 */
#ifndef SIMOS_COMMAND_LINE_H
#define SIMOS_COMMAND_LINE_H

#include "src/collect.h"
#include "src/log.h"
#include "src/machine.h"
#include "src/results.h"
#include "src/series.h"
#include "src/sweep_batch.h"
#include "src/window.h"
#include <stdio.h>

enum subcommand {
    SUBCOMMAND_HELP,
    SUBCOMMAND_VERSION,
    SUBCOMMAND_RUN,
    SUBCOMMAND_SWEEP,
    SUBCOMMAND_TRACE,
    SUBCOMMAND_PARAMS,
    SUBCOMMAND_MACHINES,
    SUBCOMMAND_DEVICES,
    SUBCOMMAND_SHELL,
    SUBCOMMAND_CLUSTER,
    SUBCOMMAND_RESTORE,
    SUBCOMMAND_INFO,
    SUBCOMMAND_WINDOWS,
    SUBCOMMAND_REPORT
};

/* How `sweep FILE.tcl` executes its jobs: here, or write (and submit) Slurm scripts. */
enum command_line_slurm { COMMAND_LINE_NO_SLURM, COMMAND_LINE_SLURM_WRITE, COMMAND_LINE_SLURM_SUBMIT };

enum { COMMAND_LINE_SERIES_MAX = 8 };

struct command_line {
    enum subcommand subcommand;
    enum subcommand help_of; /* for `help`: the command to explain; SUBCOMMAND_HELP: all */
    struct machine_options options;
    const char *machine_file; /* --machine, if it is a file; NULL: a built-in description */
    const char *origin;       /* while parsing: the file that the words come from; NULL: the command line */
    enum results_table table; /* table to print at the end of the run */
    const char *stats_path;   /* --stats; NULL: none */
    const char *profile_path; /* --profile; NULL: none */
    const char *trace_path;   /* --trace; NULL: none */
    const char *replay;       /* for `sweep` and `trace`: the trace to read; NULL: none */
    const char *annotations;  /* --script: a file, or the name of a library; NULL: none */
    const char *record_path;  /* --record; NULL: none */
    const char *replay_path;  /* --replay; NULL: none */
    const char *out;          /* for `sweep`: prefix of the result files; NULL: none */
    unsigned over_count;      /* for `sweep`: the series of sweep points */
    const char *over[COMMAND_LINE_SERIES_MAX];
    const char *jobs_file;    /* for `sweep`: FILE.tcl; NULL: none */
    const char *first_option; /* the first option that describes a machine or its run; NULL: none */
    unsigned jobs;            /* for `sweep FILE.tcl`: parallel processes; 0: one per processor */
    unsigned part, parts;     /* for `sweep FILE.tcl`: jobs with number modulo PARTS equal to PART; PARTS 0: all */
    bool merge;               /* for `sweep FILE.tcl`: only merge existing results */
    enum command_line_slurm slurm;
    bool compare;         /* for `report`: compare two files */
    const char *svg;      /* for `report`: folder of the figures; NULL: none */
    const char *services; /* for `report`: tables of services, "text" or "json"; NULL: none */
    double seconds;       /* simulated; 0: no limit */
    uint64_t max_insns;   /* UINT64_MAX: no limit */
    bool gdb;             /* serve a debugger on gdb_port */
    unsigned gdb_port;    /* 0: any free port */
    const char *gdb_save; /* folder where the debugger may save checkpoints; NULL: not allowed */
    const char *lockstep; /* CPU model of the second machine; NULL: no lockstep */
    const char *script;   /* for `shell`: NULL: interactive; for `cluster`: its file */
    int word_count;       /* for `cluster`: all words after it, the file included */
    const char *const *words;
    bool picture;                /* for `params`: draw the machine instead of the list */
    const char *checkpoint_path; /* --checkpoint: the file; NULL: none */
    char *checkpoint_file;       /* the same, owned */
    const char *checkpoint_at;   /* the event as text; NULL: none */
    struct machine_event checkpoint_event;
    struct series_plan series;   /* --series */
    struct window window;        /* --warmup, --window */
    struct collect_plan collect; /* --over-time, --stacks, --timeline */
    const char *restored;        /* for `restore`, `info`: the checkpoint; for `windows`: the folder */
    double confidence;           /* for `windows`: per cent */
    int passed_count;            /* for `windows`: words to pass to `restore` */
    const char **passed;         /* owned */
    unsigned disks_named;        /* for `restore`: number of --disk options so far */
    struct restore *restore;     /* for `restore`: the opened checkpoint (src/restore.h) */
    int all_count;               /* all words after the program's name */
    const char *const *all_words;
    int name_count; /* for `params`: name prefixes; for `report`: files */
    const char *const *names;
};

/* Parse the words after the program's name, which must outlive LINE. Returns false with ERR naming the invalid word. In
 * both cases the caller calls command_line_release(). */
bool command_line_parse(struct command_line *line, int count, const char *const *words, struct err *err);
void command_line_release(struct command_line *line);

/* Parse the same words again, based on PARAMS (ownership passes to LINE) of the machine NAME instead of the initial
 * parameters. */
bool command_line_parse_onto(struct command_line *line, struct params *params, const char *name, struct err *err);

/* The batch mode of LINE, a `sweep FILE.tcl` or `windows`. */
enum sweep_batch_mode command_line_batch_mode(const struct command_line *line);

/* Is LINE suitable for one of several runs: a node of a cluster or, if SWEEP, a job of a sweep, whose only output is
 * the statistics that the sweep collects? Returns false with ERR naming the unsuitable option. */
bool command_line_is_one_of_several(const struct command_line *line, bool sweep, struct err *err);

#endif
