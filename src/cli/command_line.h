/*
 * Parser of the command line. It opens, runs and prints nothing.
 */
#ifndef SIMOS_CLI_COMMAND_LINE_H
#define SIMOS_CLI_COMMAND_LINE_H

#include "src/base/log.h"
#include "src/regress/regress_command.h"
#include "src/explain/explain_command.h"
#include "src/report/report.h"
#include "src/run/run_files.h"
#include "src/run/run_options.h"
#include "src/sweep/sweep_batch.h"
#include "src/trace/trace_command.h"
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
    SUBCOMMAND_MEASURES,
    SUBCOMMAND_SHELL,
    SUBCOMMAND_CLUSTER,
    SUBCOMMAND_RESTORE,
    SUBCOMMAND_INFO,
    SUBCOMMAND_WINDOWS,
    SUBCOMMAND_REPORT,
    SUBCOMMAND_EXPLAIN,
    SUBCOMMAND_CHECK,
    SUBCOMMAND_TEST,
    SUBCOMMAND_COMPLETION
};

/* Of `sweep FILE.tcl`: who does its jobs. */
enum command_line_slurm { COMMAND_LINE_NO_SLURM, COMMAND_LINE_SLURM_WRITE, COMMAND_LINE_SLURM_SUBMIT };

struct command_line {
    enum subcommand subcommand;
    enum subcommand help_of; /* for `help`: the command to explain; SUBCOMMAND_HELP: all */
    struct run_options run;
    const char *origin;      /* while parsing: the file that the words come from; NULL: the command line */
    const char *replay;      /* for `sweep` and `trace`: the trace to read; NULL: none */
    const char *jobs_file;   /* for `sweep`: FILE.tcl; NULL: none */
    enum run_place place;    /* where the words stand */
    uint64_t given;          /* the options given, one bit for each row of command_options */
    unsigned assigned_count; /* the values of --set, owned */
    const char **assigned;
    unsigned jobs;        /* for `sweep FILE.tcl`: parallel processes; 0: one per processor */
    unsigned part, parts; /* for `sweep FILE.tcl`: jobs with number modulo PARTS equal to PART; PARTS 0: all */
    bool merge;           /* for `sweep FILE.tcl`: only merge existing results */
    enum command_line_slurm slurm;
    struct report_options report;
    struct explain_options explain;
    struct regress_options regress; /* for `test`: what its own options say */
    const char *script;             /* for `shell`: NULL: interactive; for `cluster`: its file */
    int word_count;                 /* for `cluster`: all words after it, the file included */
    const char *const *words;
    const struct trace_export *trace_export; /* for `trace`: NULL: din */
    bool picture;                            /* for `params`: draw the machine instead of the list */
    char *simpoints;                         /* for `windows`: FILE.simpoints, owned; NULL: none */
    unsigned each;                           /* windows of each of its clusters */
    double confidence;                       /* for `windows`: per cent */
    int passed_count;                        /* for `windows`: words to pass to `restore` */
    const char **passed;                     /* ... owned */
    unsigned disks_named;                    /* for `restore`: number of --disk options so far */
    int all_count;                           /* all words after the program's name */
    const char *const *all_words;
    int name_count; /* for `params`: name prefixes; for `completion`: all words after it; for `check`: its files */
    const char *const *names;
};

/* Parse the words after the program's name, which must outlive LINE. Returns false with ERR naming the invalid word. In
 * both cases the caller calls command_line_release(). */
bool command_line_parse(struct command_line *line, int count, const char *const *words, struct err *err);
void command_line_release(struct command_line *line);

/* Parse the same words again, based on PARAMS (ownership passes to LINE) of the machine NAME instead of the initial
 * parameters. */
bool command_line_parse_onto(struct command_line *line, struct params *params, const char *name, struct err *err);

/* Add the files that LINE names to FILES, with OWNER in front of their names in messages. */
void command_line_add_files(const struct command_line *line, const char *owner, struct named_files *files);

/* The options of a run alone (src/run/run_options.h). */
run_options_parser command_line_parse_run;

/* How LINE, a `sweep FILE.tcl`, `windows` or `test`, executes its jobs. */
struct sweep_batch_options command_line_batch(const struct command_line *line);

/* What LINE, a `trace`, is to write. */
struct trace_options command_line_trace(const struct command_line *line);

#endif
