/*
 * Internal to the shell: its state, and the functions that its command files share.
 *
 *     shell.c              creation, scripts, standard input, help, exit
 *     shell_readline.c     the prompt: line editing, completion, history, Ctrl-C
 *     shell_machine.c      parameters, building
 *     shell_checkpoint.c   saving and restoring
 *     shell_run.c          running, stepping, breakpoints
 *     shell_console.c      the guest's console: type, expect, interact
 *     shell_registers.c    registers, TLB, position of the CPUs
 *     shell_memory.c       memory, symbols, disassembly
 *     shell_stats.c        statistics
 *     shell_annotations.c  annotations
 *     shell_back.c         the past: going there
 *     shell_history.c      the past: questions
 *     shell_past.c         commands at a place in the past
 *     shell_series.c       the past of a run that has ended
 *
 * Rule for results: a command returns a value that scripts can use (number, list, dict). If that is hard to read, the
 * command also makes a text for the prompt, only when there is one (shell->interactive), and passes it to
 * shell_pretty().
 */
#ifndef SIMOS_SHELL_SHELL_STATE_H
#define SIMOS_SHELL_SHELL_STATE_H

#include "src/tcl/tcl_versions.h"
#include "cache/memsys.h"
#include "src/history/history.h"
#include "src/observe/machine_progress.h"
#include <signal.h>
#include <stdio.h>

/* A breakpoint: a hook on every core. */
struct shell_break {
    struct shell *shell;
    struct shell_break *next;
    vaddr address;
    uint64_t hits;
    bool temporary; /* belongs to `run -until` */
};

/* The current run. */
struct shell_run {
    const char *mark;                   /* stop at this mark; NULL: none */
    const char *expect;                 /* stop when the console has printed this text; NULL: none */
    size_t expect_length;               /* bytes of `expect` */
    char *tail;                         /* the last bytes of console output, expect_length at most */
    size_t tail_length;                 /* bytes of `tail` */
    bool pattern;                       /* stop when the pattern of `console expect` matches */
    bool boot;                          /* stop when userland is up */
    struct progress *progress;          /* progress line of a script's run on a terminal; NULL: none */
    struct machine_progress of_machine; /* contents of the progress line */
    bool mid_line;                      /* the guest's output on stdout or stderr is in the middle of a line */
    const char *cause; /* why the shell stopped the run (a constant); NULL: the shell did not stop it */
    uint64_t start_insns[BOARD_MAX_CPUS]; /* of each core at the start; no breakpoint hits there */
};

struct shell {
    Tcl_Interp *interp;
    struct machine_options *options;
    struct machine *machine;   /* NULL: not built */
    struct named_files *named; /* files of the machine, its outputs locked; NULL: none */
    bool interactive;          /* the shell has a prompt */
    unsigned cpu;              /* the selected CPU */

    /* Pending `checkpoint save FILE EVENT`; NULL: none. */
    struct {
        char *path, *event;
    } save;

    /* The guest's job, if `build` named one. */
    char **command;
    int command_count;

    const struct history_options *history_wanted; /* NULL: no past is kept */
    struct history *history;                      /* of the machine; NULL: none */
    bool silent;                                  /* what the guest prints has been printed before */
    bool in_past;                                 /* this process is one of the past (src/history/history.h) */

    struct annotate *annotate; /* of the machine (docs/reference/annotations.md); NULL without a machine */
    bool read_only;            /* the shell of --script: read-only, cannot run the machine */
    bool output_failed;        /* a discarded machine's output file was not written (error printed) */
    bool exit_pending;         /* a body called `exit`: leave with exit_status when the run has ended */
    unsigned exit_status;

    struct shell_break *breaks; /* newest first */
    struct shell_run run;
    struct shell_console *console;          /* shell_console.c; NULL: no input or output yet */
    struct external_source *console_source; /* source of the input that the shell types */
    unsigned query_length;                  /* bytes held back of a terminal query (shell_run.c) */
    bool output_mid_line;                   /* the guest's output on stdout is in the middle of a line */

    struct end_signals *signals; /* signals that end the shell (src/host/end_signals.h); NULL: none */
    struct tcl_interrupt *interrupt;

    /* Ctrl-C at a prompt; set by the signal handler. */
    volatile sig_atomic_t interrupted;
    bool run_interrupted; /* Ctrl-C has stopped a run of the current command line: no other run may start */

    Tcl_Obj *pretty_value; /* the value of the last shell_pretty(), which pretty_text replaces; or NULL */
    Tcl_Obj *pretty_text;
};

/* Where a command is executed while one looks at the past. */
enum shell_place {
    SHELL_AT_PLACE, /* in the process of the past */
    SHELL_HERE,     /* in this process, as ever */
    SHELL_PRESENT,  /* nowhere: it would change the machine */
};

/* A command. A table of commands ends with a row whose name is NULL. */
struct shell_command {
    const char *name;
    const char *usage; /* its arguments */
    const char *brief; /* one-line summary */
    const char *text;  /* the rest of its help; "" if none */
    Tcl_ObjCmdProc *call;
    enum shell_place place;
};
extern const struct shell_command shell_general_commands[], shell_machine_commands[], shell_checkpoint_commands[],
    shell_run_commands[], shell_console_commands[], shell_register_commands[], shell_memory_commands[],
    shell_stats_commands[], shell_annotation_commands[], shell_back_commands[], shell_history_commands[];
/* All command tables; ends with NULL. */
extern const struct shell_command *const shell_command_tables[];

/* Set the result to an error message; returns TCL_ERROR. */
int shell_error(struct shell *shell, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Report a wrong number of arguments, with the command's USAGE; returns TCL_ERROR. */
int shell_usage(struct shell *shell, Tcl_Obj *const words[], const char *usage);

/* Set the result to VALUE. A prompt prints TEXT instead, unless it is NULL; TEXT is malloc'ed and freed here. */
void shell_pretty(struct shell *shell, Tcl_Obj *value, char *text);

/* Open a stream to memory, for shell_pretty(). *TEXT is valid after fclose(). Never returns NULL. */
FILE *shell_text_open(char **text, size_t *size);

/* Returns TCL_ERROR with a message if no machine is built. */
int shell_need_machine(struct shell *shell);
/* Returns TCL_ERROR with a message in read-only contexts: in an annotation body, and in the script of --script. */
int shell_check_writable(struct shell *shell);
/* The same for a command that changes the machine, which the past does not allow either. */
int shell_check_change(struct shell *shell);
/* shell_annotations.c: create the annotations of a machine that has just been built, with what whatif.free says; false
 * with ERR if it cannot be. Free them (before the machine). */
bool shell_annotate(struct shell *shell, struct err *err);
/* May the present machine change to the CPU model NAME, as far as whatif.free is concerned? Otherwise false with ERR.
 */
bool shell_check_whatif(const struct shell *shell, const char *name, struct err *err);
void shell_annotate_end(struct shell *shell);
/* Is the current evaluation being unwound, because of Ctrl-C at a prompt or a signal? */
bool shell_is_ending(const struct shell *shell);
/* The command of that name; NULL: none. */
const struct shell_command *shell_find_command(const char *name);
/* shell_past.c: execute COMMAND, wherever it is to be executed. */
int shell_call(struct shell *shell, const struct shell_command *command, int count, Tcl_Obj *const words[]);
/* shell_past.c: the question of history_ask() for the command WORDS, of *SIZE bytes, to be freed; the result of its
 * answer TEXT. */
char *shell_past_question(const struct shell *shell, Tcl_Obj *words, size_t *size);
int shell_past_result(struct shell *shell, const char *text, size_t size);
/* Keep the past of the machine that has just been built, if it is wanted; false with ERR. */
bool shell_history_begin(struct shell *shell, struct err *err);
/* Execute COMMAND at the place, with an ARGUMENT, or without one (NULL), as shell_call() does. */
int shell_do(struct shell *shell, const char *command, Tcl_Obj *argument);
/* TCL_OK if the past of the machine is kept and can be asked here; else TCL_ERROR with a message. */
int shell_need_history(struct shell *shell);
/* history_find() before the place, as a Tcl result code. */
int shell_find(struct shell *shell, const struct find_request *request, bool *found, struct find_event *event);

/* shell_series.c: the machine and the past of the run that took the series in FOLDER, whose record is opened. The place
 * is its end. False with ERR. */
bool shell_series_open(struct shell *shell, const char *folder, struct err *err);
/* For history_front.load. */
struct machine *shell_series_load(void *opaque, const char *path, struct err *err);
/* Where the present place is, for the prompt: "" or "[insn 1234 of 0..5678]". */
void shell_place_text(const struct shell *shell, char *text, size_t size);
/* Remove all breakpoints. Set one at ADDRESS, if there is none. */
void shell_breaks_remove(struct shell *shell);
void shell_break_set(struct shell *shell, vaddr address);
/* Exit the process. No run may be active. */
void shell_leave(struct shell *shell, unsigned status);
/* shell_machine.c: build and load the machine if there is none. */
int shell_build(struct shell *shell);
/* Check that the files named by the parameters can be used (src/run/run_files.h). Returns false with ERR. */
bool shell_check_files(struct shell *shell, struct err *err);
/* Check that the command NAME may write PATH: it is no file of the machine, nor of another run. False with ERR. */
bool shell_check_output(struct shell *shell, const char *name, const char *path, struct err *err);
/* Free the machine and everything that belongs to it. */
void shell_discard(struct shell *shell);
/* shell_run.c: the host interface of the shell's machines; the opaque pointer is the shell. */
extern const struct machine_host shell_host;
/* Build the machine if there is none, and clear the cause of the last run. Returns TCL_ERROR if Ctrl-C has stopped a
 * run of the same command line, in read-only contexts, or if building fails. */
int shell_prepare_run(struct shell *shell);
/* Stop the current run; CAUSE is a string constant. */
void shell_end_run(struct shell *shell, const char *cause);

/* shell_checkpoint.c: annotated_run() that also writes the pending checkpoint of `checkpoint save FILE EVENT`. Returns
 * TCL_ERROR if that cannot be written. shell_checkpoint_discard() cancels the pending checkpoint. */
int shell_checkpoint_run(struct shell *shell, const struct machine_limits *limits, enum machine_stop *reason);
void shell_checkpoint_discard(struct shell *shell);

/* shell_console.c: attach the console input of a machine that has been built; process one BYTE of console output; match
 * the pattern of `console expect` periodically; discard all console state. */
void shell_console_attach(struct shell *shell);
void shell_console_receive(struct shell *shell, uint8_t byte);
void shell_console_poll(struct shell *shell);
void shell_console_discard(struct shell *shell);

/* Call before and after anything that runs the guest. They keep the output of guest and Tcl on stdout in order, and
 * make breakpoints ignore the start position. A script's run shows its progress towards UNTIL on a terminal; NULL: it
 * does not. */
void shell_run_begin(struct shell *shell, const struct machine_limits *until);
void shell_run_end(struct shell *shell);
/* The word that `run` returns for a stop reason. */
const char *shell_stop_word(const struct shell *shell, enum machine_stop reason);
/* Discard breakpoints, console input and pending checkpoints. */
void shell_run_discard(struct shell *shell);

/* Parse a number from MIN to MAX; WHAT names it in the error message. Return TCL_OK or TCL_ERROR with a message. */
int shell_get_number(struct shell *shell, Tcl_Obj *word, const char *what, uint64_t min, uint64_t max, uint64_t *value);
int shell_get_cpu(struct shell *shell, Tcl_Obj *word, unsigned *cpu);
/* Parse a 32-bit value: -0x80000000 to 0xffffffff. */
int shell_get_word(struct shell *shell, Tcl_Obj *word, const char *what, uint32_t *value);
/* Parse an address: a number, SYMBOL or SYMBOL+OFFSET. */
int shell_get_address(struct shell *shell, Tcl_Obj *word, vaddr *address);

/* The cache of the machine that WORD names; the number of a register (cpu/privileged/register_access.h). */
int shell_get_cache(struct shell *shell, Tcl_Obj *word, enum memsys_cache *cache);
int shell_get_register(struct shell *shell, Tcl_Obj *word, unsigned *number);

/* "0x" and all hexadecimal digits of a value of BYTES bytes. */
Tcl_Obj *shell_hex(uint64_t value, unsigned bytes);
static inline Tcl_Obj *shell_hex_word(uint32_t value)
{
    return shell_hex(value, sizeof value);
}
/* Write "name" or "name+0x10" for ADDRESS to BUFFER; the empty string if no symbol is known. */
void shell_symbol_text(const struct shell *shell, vaddr address, char *buffer, size_t size);
/* Print one line: the instruction at the virtual address ADDRESS of CPU. */
void shell_print_insn(struct shell *shell, FILE *out, unsigned cpu, vaddr address);
/* Print one line: the position of CPU. */
void shell_print_position(struct shell *shell, FILE *out, unsigned cpu);
/* Convert cycles to simulated seconds. */
double shell_seconds(const struct shell *shell, cycles time);

/* The name of the first register from *NUMBER on that has one; *NUMBER becomes its number. NULL at the end. */
const char *shell_register_name(const struct shell *shell, unsigned *number);

/* shell_readline.c: read and execute commands at a prompt. Returns the exit status. */
int shell_prompt(struct shell *shell);
/* Save the history and restore the terminal. Does nothing if this shell has no prompt. */
void shell_prompt_end(struct shell *shell);

#endif
