/*
 * The command line: words to options. Nothing is opened, run or printed here.
 */
#ifndef SIMOS_COMMAND_LINE_H
#define SIMOS_COMMAND_LINE_H

#include "src/base/log.h"
#include "src/report/report.h"
#include "src/run/run_options.h"
#include "src/sweep/sweep_batch.h"
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

struct command_line {
    enum subcommand subcommand;
    enum subcommand help_of; /* of `help`: the command that it is about; SUBCOMMAND_HELP: all */
    struct run_options run;
    const char *origin;       /* while they are parsed: the file that the words come from; NULL: a person */
    const char *replay;       /* of `sweep` and `trace`: the trace to read; NULL: a run */
    const char *jobs_file;    /* of `sweep`: FILE.tcl; NULL: it has none */
    const char *first_option; /* of those words the first that is about a machine or its run; NULL: there is none */
    unsigned jobs;            /* of `sweep FILE.tcl`: processes at a time; 0: as many as there are processors */
    unsigned part, parts;     /* the same: the jobs whose number is PART modulo PARTS; PARTS 0: all */
    bool merge;               /* the same: no job */
    enum command_line_slurm slurm;
    struct report_options report;
    const char *script;   /* of the shell; NULL: interactive. Of `cluster`: its file */
    int word_count;       /* of `cluster`: all words behind it, the file among them */
    const char *const *words;
    bool picture;          /* of `params`: a picture of the machine instead of the list */
    double confidence;     /* of `windows`: per cent */
    int passed_count;      /* of `windows`: words that `restore` gets too */
    const char **passed;   /* ... owned */
    unsigned disks_named;  /* of `restore`: disks that its options have named so far */
    int all_count;         /* all words there are */
    const char *const *all_words;
    int name_count; /* of `params` */
    const char *const *names;
};

/* Fill LINE from the words after the program's name; they must outlive it. False with ERR naming the word that is
 * wrong. Either way command_line_release() it. */
bool command_line_parse(struct command_line *line, int count, const char *const *words, struct err *err);
void command_line_release(struct command_line *line);

/* The same words again, on top of PARAMS (owned from now on) of the machine called NAME instead of the initial ones. */
bool command_line_parse_onto(struct command_line *line, struct params *params, const char *name, struct err *err);

/* The options of a run alone (src/run/run_options.h). */
run_options_parser command_line_parse_run;

/* What becomes of the jobs of LINE, a `sweep FILE.tcl` or `windows`. */
struct sweep_batch_options command_line_batch(const struct command_line *line);

#endif
