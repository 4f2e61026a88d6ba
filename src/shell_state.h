/*
 * Inside the shell: its state, and what its command files share. One file a subject:
 *
 *     shell.c            life of a shell: scripts, standard input, help, exit
 *     shell_readline.c   the prompt: line editing, completion, history, Ctrl-C
 *     shell_machine.c    parameters, building
 *     shell_checkpoint.c saving and restoring
 *     shell_run.c        running, stepping, breakpoints
 *     shell_console.c    the guest's console: type, expect, interact
 *     shell_registers.c  registers, TLB, position of the CPUs
 *     shell_memory.c     memory, symbols, disassembly
 *     shell_stats.c      statistics
 *     shell_annotations.c  annotations
 *
 * Rule for results: a command returns a value for scripts (number, list, dict). What the prompt prints in its place, if
 * it is unreadable, is made only when there is a prompt (shell->interactive) and handed over with shell_pretty().
 */
#ifndef SIMOS_SHELL_STATE_H
#define SIMOS_SHELL_STATE_H

#include "annotations/tcl_versions.h"
#include "src/machine_progress.h"
#include <signal.h>
#include <stdio.h>

/* A breakpoint: a hook on every core. */
struct shell_break {
    struct shell *shell;
    struct shell_break *next;
    vaddr address;
    uint64_t hits;
    bool temporary; /* of `run -until` */
};

/* The run under way. */
struct shell_run {
    const char *mark;                     /* stop at this one, or NULL */
    const char *expect;                   /* stop when the console has said this, or NULL */
    size_t expect_length;                 /* bytes of it */
    char *tail;                           /* the last bytes of the console, expect_length at most */
    size_t tail_length;                   /* ... so many */
    bool pattern;                         /* stop when `console expect` has what it waits for */
    bool boot;                            /* stop when userland is up */
    struct progress *progress;            /* of a script's run on a terminal; NULL */
    struct machine_progress of_machine;   /* ... what it shows */
    bool mid_line;                        /* the guest's last line has no end yet, on stdout or stderr */
    const char *cause;                    /* why the shell ended it; NULL: it did not */
    uint64_t start_insns[BOARD_MAX_CPUS]; /* of every core: a breakpoint where the run begins does not stop it */
};

struct shell {
    Tcl_Interp *interp;
    struct machine_options *options;
    struct machine *machine; /* NULL until it is built */
    bool interactive;        /* there is a prompt */
    unsigned cpu;            /* the selected one */

    /* `checkpoint save` at an event that is still to come; NULL: none. */
    struct {
        char *path, *event;
    } save;

    /* The guest's job, if `build` named it. */
    char **command;
    int command_count;

    struct annotate *annotate; /* of the machine (docs/reference/annotations.md); NULL without one */
    bool observing;            /* a script beside a run: it looks, and lets nothing run */
    bool unwritten;            /* a file of a machine that is gone could not be written: so it was said */
    bool exit_pending;         /* `exit` in a body: leave with exit_status when the run has ended */
    unsigned exit_status;

    struct shell_break *breaks; /* newest first */
    struct shell_run run;
    struct shell_console *console;          /* shell_console.c; NULL: nothing has been said or typed */
    struct external_source *console_source; /* by which the machine gets what is typed */
    unsigned question_length;               /* bytes of a terminal query held back (shell_run.c) */
    bool output_mid_line;                   /* the guest's last line on stdout has no end yet */

    struct end_signals *signals; /* that end what goes on (src/end_signals.h); NULL: none */
    struct tcl_interrupt *interrupt;

    /* Ctrl-C at a prompt: set by the signal handler. */
    volatile sig_atomic_t interrupted;
    bool run_interrupted; /* it has ended a run of the line that is being executed: no other may start */

    Tcl_Obj *pretty_value; /* what the last shell_pretty() was for; or NULL */
    Tcl_Obj *pretty_text;
};

/* A command. A table of them ends with a row without name. */
struct shell_command {
    const char *name;
    const char *usage; /* its arguments */
    const char *brief; /* half a line */
    const char *text;  /* the rest of its help, "" if there is none */
    Tcl_ObjCmdProc *call;
};
extern const struct shell_command shell_general_commands[], shell_machine_commands[], shell_checkpoint_commands[],
    shell_run_commands[], shell_console_commands[], shell_register_commands[], shell_memory_commands[],
    shell_stats_commands[], shell_annotation_commands[];
/* All tables; ends with NULL. */
extern const struct shell_command *const shell_command_tables[];

/* Set the error message; returns TCL_ERROR. */
int shell_error(struct shell *shell, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Wrong number of words: names the usage of the command. */
int shell_usage(struct shell *shell, Tcl_Obj *const words[], const char *usage);

/* The result is VALUE; at a prompt, TEXT (malloc'ed, freed here) is printed in its place. */
void shell_pretty(struct shell *shell, Tcl_Obj *value, char *text);

/* A stream into memory, for shell_pretty(): *TEXT is there after fclose(). Never NULL. */
FILE *shell_text_open(char **text, size_t *size);

/* TCL_ERROR with a message unless a machine is built. */
int shell_need_machine(struct shell *shell);
/* TCL_ERROR with a message where nothing may be changed: in the body of an annotation, and beside a run. */
int shell_may_change(struct shell *shell);
/* shell_annotations.c: those of the machine that has just been built; they go before it does. */
void shell_annotate(struct shell *shell);
void shell_annotate_end(struct shell *shell);
/* Is what is evaluated being unwound, because of Ctrl-C at a prompt or a signal? */
bool shell_is_ending(const struct shell *shell);
/* Leave the process, now that no run is under way. */
void shell_leave(struct shell *shell, unsigned status);
/* shell_machine.c: build and load it unless it is there. */
int shell_build(struct shell *shell);
/* Are the files that its parameters name good for one (src/named_files.h)? False with ERR. */
bool shell_check_files(const struct shell *shell, struct err *err);
/* Free the machine and everything that belongs to it. */
void shell_discard(struct shell *shell);
/* shell_run.c: what the machine tells its outside, with the shell as opaque. */
extern const struct machine_host shell_host;
/* TCL_ERROR after Ctrl-C has stopped a run of the same line; otherwise there is a machine. */
int shell_may_start(struct shell *shell);
/* The run that is under way ends, because of CAUSE (a constant). */
void shell_end_run(struct shell *shell, const char *cause);

/* shell_checkpoint.c: annotated_run(), and what is to be saved on the way is. TCL_ERROR if that fails; what is still to
 * be saved is forgotten. */
int shell_checkpoint_run(struct shell *shell, const struct machine_limits *limits, enum machine_stop *reason);
void shell_checkpoint_discard(struct shell *shell);

/* shell_console.c: the machine has been built, it gets what is typed; its console has said BYTE; time has passed;
 * forget everything. */
void shell_console_attach(struct shell *shell);
void shell_console_hear(struct shell *shell, uint8_t byte);
void shell_console_poll(struct shell *shell);
void shell_console_discard(struct shell *shell);

/* Around everything that lets the guest run: the two kinds of output to stdout are kept in order, and a breakpoint
 * where the guest stands does not stop it again. A script's run has a progress line UNTIL there; NULL: it has none. */
void shell_run_begin(struct shell *shell, const struct machine_limits *until);
void shell_run_end(struct shell *shell);
/* Why a run ended, as `run` says it. */
const char *shell_stop_word(const struct shell *shell, enum machine_stop reason);
/* Forget breakpoints and input. */
void shell_run_discard(struct shell *shell);

/* Numbers from words; WHAT names it in the error. */
int shell_get_number(struct shell *shell, Tcl_Obj *word, const char *what, uint64_t min, uint64_t max, uint64_t *value);
int shell_get_cpu(struct shell *shell, Tcl_Obj *word, unsigned *cpu);
/* 32 bits: 0..0xffffffff, or a negative number. */
int shell_get_word(struct shell *shell, Tcl_Obj *word, const char *what, uint32_t *value);
/* An address: a number, SYMBOL or SYMBOL+OFFSET. */
int shell_get_address(struct shell *shell, Tcl_Obj *word, vaddr *address);

/* 0x and all digits of a value of BYTES bytes. */
Tcl_Obj *shell_hex(uint64_t value, unsigned bytes);
static inline Tcl_Obj *shell_hex_word(uint32_t value)
{
    return shell_hex(value, sizeof value);
}
/* "name" or "name+0x10" of ADDRESS into BUFFER; empty if there is no symbol. */
void shell_symbol_text(const struct shell *shell, vaddr address, char *buffer, size_t size);
/* One line for the instruction at ADDRESS as CPU sees it. */
void shell_print_insn(struct shell *shell, FILE *out, unsigned cpu, vaddr address);
/* One line: where CPU is. */
void shell_print_position(struct shell *shell, FILE *out, unsigned cpu);
/* Simulated seconds of a number of cycles. */
double shell_seconds(const struct shell *shell, cycles time);

/* Names of registers by INDEX from 0, NULL at the end: GPRs, pc, hi, lo, CP0, FPRs. */
const char *shell_register_name(size_t index);

/* shell_readline.c: the prompt. Returns the exit status. */
int shell_prompt(struct shell *shell);
/* Save the history and leave the terminal as it was. Without a prompt nothing. */
void shell_prompt_end(struct shell *shell);

#endif
