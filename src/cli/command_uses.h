/*
 * Uses of the commands: what else a command line asks for, or where it stands. Each option lists the uses in which it
 * would have no effect (command_options.c), and each parameter that --set gives likewise (command_uses.c): there it is
 * refused, so that whatever is accepted is obeyed.
 */
#ifndef SIMOS_CLI_COMMAND_USES_H
#define SIMOS_CLI_COMMAND_USES_H

#include "src/cli/command_line.h"

enum command_use {
    USE_LOCKSTEP,   /* --lockstep */
    USE_GDB,        /* --gdb */
    USE_CHECKPOINT, /* --checkpoint */
    USE_SERIES,     /* --series */
    USE_WINDOW,     /* `restore` with --warmup or --window */
    USE_LENGTH,     /* `restore` with --window, which limits the run */
    USE_OVER,       /* --over */
    USE_NO_OVER,    /* no --over */
    USE_ONE_RUN,    /* `restore` without --over: one run */
    USE_TRACE,      /* `sweep --over SERIES TRACE`: no machine runs */
    USE_NO_TRACE,   /* neither --trace nor a trace to read */
    USE_PRINT,      /* `trace`: a trace as text */
    USE_JOBS,       /* `sweep FILE.tcl`: the file defines the runs */
    USE_NO_JOBS,    /* a `sweep` that is not of jobs */
    USE_PART,       /* --part */
    USE_MERGE,      /* --merge */
    USE_SLURM,      /* --slurm */
    USE_NO_STATS,   /* a run without --stats */
    USE_NO_NAMES,   /* a run of which no result has names of routines */
    USE_COMPARE,    /* `report --compare` */
    USE_SERVICES,   /* `report --services` */
    USE_RESTORED,   /* `restore`, or windows, whose machine has its guest */
    USE_PICTURE,    /* `params --picture`: a drawing of CPUs, caches and memory */
    USE_BLESS,      /* `test --bless` */
    USE_CLUSTER,    /* `cluster`, or a node of it */
    USE_SHELL,      /* `shell` */
    USE_NODE,       /* the words of a node of a cluster */
    USE_JOB,        /* the words of a job of a sweep or of a window */
    USE_COUNT
};

#define USE_BIT(use) ((uint32_t)1 << (use))

/* Does LINE, which has been parsed, belong to USE? */
bool command_use_applies(enum command_use use, const struct command_line *line);

/* True if each option and each parameter of LINE has an effect there. False with ERR naming one that has none, and the
 * use. */
bool command_uses_check(const struct command_line *line, struct err *err);

/* The uses in which the parameter DEF has no effect, one bit each. Parameters describe a machine: those of parts and
 * CPU models that it does not have are allowed, so that one description serves several machines. */
uint32_t command_uses_without_param(const struct param_def *def);

#endif
