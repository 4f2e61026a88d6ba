/*
 * The command line: words to options. Nothing is opened, run or printed here.
 */
#ifndef SIMOS_COMMAND_LINE_H
#define SIMOS_COMMAND_LINE_H

#include "src/observe/collect.h"
#include "src/base/log.h"
#include "src/machine/machine.h"
#include "src/report/results.h"
#include "src/run/series.h"
#include "src/sweep/sweep_batch.h"
#include "src/run/window.h"
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

/* Of `sweep FILE.tcl`: who does its jobs. */
enum command_line_slurm { COMMAND_LINE_NO_SLURM, COMMAND_LINE_SLURM_WRITE, COMMAND_LINE_SLURM_SUBMIT };

enum { COMMAND_LINE_SERIES_MAX = 8 };

struct command_line {
    enum subcommand subcommand;
    enum subcommand help_of; /* of `help`: the command that it is about; SUBCOMMAND_HELP: all */
    struct machine_options options;
    const char *machine_file; /* --machine, if that is a file; NULL: a built-in one */
    const char *origin;       /* while they are parsed: the file that the words come from; NULL: a person */
    enum results_table table; /* what is printed at the end of the run */
    const char *stats_path;   /* NULL: no file */
    const char *profile_path; /* the same */
    const char *trace_path;   /* to be written; NULL: none */
    const char *replay;       /* of `sweep` and `trace`: the trace to read; NULL: a run */
    const char *annotations;  /* --script: a file, or the name of a library; NULL: none */
    const char *record_path;  /* where the run's input is kept; NULL: nowhere */
    const char *replay_path;  /* where it comes from; NULL: from outside */
    const char *out;          /* of `sweep`: prefix of the files of results; NULL: none */
    unsigned over_count;      /* of `sweep`: what it varies */
    const char *over[COMMAND_LINE_SERIES_MAX];
    const char *jobs_file;    /* of `sweep`: FILE.tcl; NULL: it has none */
    const char *first_option; /* of those words the first that is about a machine or its run; NULL: there is none */
    unsigned jobs;            /* of `sweep FILE.tcl`: processes at a time; 0: as many as there are processors */
    unsigned part, parts;     /* the same: the jobs whose number is PART modulo PARTS; PARTS 0: all */
    bool merge;               /* the same: no job */
    enum command_line_slurm slurm;
    bool compare;         /* of `report`: two files, what differs */
    const char *svg;      /* the same: folder of the figure; NULL: none */
    const char *services; /* the same: tables of services, as "text" or "json"; NULL: no */
    double seconds;       /* simulated; 0: no limit */
    uint64_t max_insns;   /* UINT64_MAX: no limit */
    bool gdb;             /* serve a debugger on gdb_port */
    unsigned gdb_port;    /* 0: any */
    const char *gdb_save; /* the folder where it may save checkpoints; NULL: nowhere */
    const char *lockstep; /* CPU model of the machine beside it; NULL: there is none */
    const char *script;   /* of the shell; NULL: interactive. Of `cluster`: its file */
    int word_count;       /* of `cluster`: all words behind it, the file among them */
    const char *const *words;
    bool picture;                /* of `params`: a picture of the machine instead of the list */
    const char *checkpoint_path; /* --checkpoint: to be written at ... */
    char *checkpoint_file;       /* the same, owned */
    const char *checkpoint_at;   /* ... this event; NULL: none */
    struct machine_event checkpoint_event;
    struct series_plan series;   /* --series */
    struct window window;        /* --warmup, --window */
    struct collect_plan collect; /* --over-time, --stacks, --timeline */
    const char *restored;        /* of `restore` and `info`: the checkpoint to be read; of `windows`: the folder */
    double confidence;           /* of `windows`: per cent */
    int passed_count;            /* of `windows`: words that `restore` gets too */
    const char **passed;         /* ... owned */
    unsigned disks_named;        /* of `restore`: disks that its options have named so far */
    struct restore *restore;     /* of `restore`: the machine comes from there (src/run/restore.h) */
    int all_count;               /* all words there are */
    const char *const *all_words;
    int name_count; /* of `params`; of `report`: its files */
    const char *const *names;
};

/* Fill LINE from the words after the program's name; they must outlive it. False with ERR naming the word that is
 * wrong. Either way command_line_release() it. */
bool command_line_parse(struct command_line *line, int count, const char *const *words, struct err *err);
void command_line_release(struct command_line *line);

/* The same words again, on top of PARAMS (owned from now on) of the machine called NAME instead of the initial ones. */
bool command_line_parse_onto(struct command_line *line, struct params *params, const char *name, struct err *err);

/* What becomes of the jobs of LINE, a `sweep FILE.tcl` or `windows`. */
enum sweep_batch_mode command_line_batch_mode(const struct command_line *line);

/* Is LINE good for a run that is one of several: a node of a cluster, or, if SWEEP, a job of a sweep, whose only
 * outcome is its statistics, which the sweep keeps? False with ERR naming the option that is not. */
bool command_line_is_one_of_several(const struct command_line *line, bool sweep, struct err *err);

#endif
