/*
 * A whole machine: memory, CPUs, caches, devices and the guest in it, put together from parameters; and the scheduler
 * that makes it run. Nothing here knows a command line, a terminal or Tcl: what leaves the machine goes through
 * struct machine_host.
 *
 * Ordering rule: one host thread. Time is divided into quanta of machine.quantum cycles. The CPU in the earliest
 * quantum runs (of several, the one with the lowest number) to its end, at most to the next event; one that runs alone
 * needs no quantum (src/machine/schedule.h). Everything is a function of the parameters, the guest and what comes through
 * src/host/external.h.
 *
 *     machine_options_init(&options);
 *     params_set(options.params, "machine.cpus", "4", &err);
 *     machine = machine_create(&options, &host, &opaque, &err);
 *     machine_load(machine, &err);
 *     reason = machine_run(machine, &limits);
 *     machine_free(machine);
 */
#ifndef SIMOS_MACHINE_H
#define SIMOS_MACHINE_H

#include "cpu/core.h"
#include "cpu/model.h"
#include "src/base/board.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/machine/machine_event.h"
#include "src/base/params.h"
#include "src/base/physmem.h"
#include "src/base/stats.h"

struct board_devices;
struct copy_files;
struct annotate;
struct external;
struct hub_carrier;
struct machine_models;
struct memsys;
struct record;
struct replay;
struct symbols;

/* At EVENT the CPU model becomes MODEL: at every mark of that name, at the other events once. A time is exact with one
 * CPU, within a turn with several; a number of instructions is exact. */
struct machine_switch {
    const char *model; /* its name, a constant */
    struct machine_event event;
};

/* What a machine is made from. The kernel, the initrd, disks, boot arguments and all else are parameters (machine.*,
 * guest.*, cpu.*, cache.* ...): machine_param_defs and the rooms' own tables. */
struct machine_options {
    struct params *params;           /* owned */
    char machine_name[64];           /* of the machine description: "1994" or a file's name */
    bool described;                  /* by machine_options_describe(), since machine_options_init() */
    int command_count;               /* words of the guest's job */
    const char *const *command;      /* the words, not owned; NULL: no job, the guest gives a shell on its console */
    const char *job;                 /* instead of words: the line for the guest's shell; not owned; NULL: the words */
    struct machine_switch *switches; /* owned: machine_options_add_switch() */
    unsigned switch_count;
    const struct hub_carrier *hub_carrier; /* of a machine that shares its process with others; else NULL */
    struct record *record;   /* not owned: where the machine's input is kept (src/host/record.h); NULL: nowhere */
    struct replay *replay;   /* not owned: where it comes from (src/host/replay.h); NULL: from outside */
    struct copy_files *copy; /* owned: files in and out of the guest (src/host/copy_files.h); NULL: none */
    bool restored;           /* the guest comes from a checkpoint: kernel and initial RAM disk are in its RAM */
    bool trust;              /* what files ask of the host counts as asked for by the command line */
    bool quiet;              /* drop guest warnings (and, in `simos run`, the console of a guest with a job) */
};

/* Parameters of every room at their initial values, machine 1994 applied, nothing else set. */
void machine_options_init(struct machine_options *options);
void machine_options_release(struct machine_options *options);

/* Apply the machine description NAME: a built-in one ("1994") or a Tcl file (src/machine/machine_file.h). Fails with a line
 * that names the file, the line in it, and what is wrong. */
bool machine_options_describe(struct machine_options *options, const char *name, struct err *err);

/* May a machine be made of OPTIONS? False with ERR if a file, and not the command line, asks it to touch the host
 * (src/base/params.h). machine_create() looks too; this is for who opens files before that. */
bool machine_options_check(const struct machine_options *options, struct err *err);

/* Add the switch TEXT, "MODEL@EVENT" (src/machine/machine_event.h). Fails with a line that says what is wrong in it. */
bool machine_options_add_switch(struct machine_options *options, const char *text, struct err *err);

/* Where the machine's outside is. Any member may be NULL. All are called from within machine_run() or machine_step(),
 * in the middle of a guest instruction or between two. */
struct machine_host {
    /* The guest wrote BYTE to serial port UART (0 console, 1 the job's stdout, 2 its stderr). */
    void (*uart_output)(void *opaque, unsigned uart, uint8_t byte);
    /* Userland is up and asks for its job. */
    void (*userland_up)(void *opaque);
    /* The guest is at the position NAME. */
    void (*mark)(void *opaque, const char *name);
    /* Called between guest instructions about every MACHINE_POLL_CYCLES of simulated time: progress, signals
     * (external_stop()). Input is src/host/external.h's; what is done here must not change a run. */
    void (*poll)(void *opaque);
    /* All CPUs wait, and the host is about to sleep because something may come from outside (src/host/external.h). */
    void (*sleep)(void *opaque);
};

enum { MACHINE_POLL_CYCLES = 1 << 20 };

/* Why machine_run() returned. */
enum machine_stop {
    MACHINE_STOP_TIME,     /* the time limit */
    MACHINE_STOP_INSNS,    /* the instruction limit */
    MACHINE_STOP_EXIT,     /* the guest ended the run with machine->exit_status */
    MACHINE_STOP_REBOOT,   /* the guest asked for a reboot */
    MACHINE_STOP_REQUEST,  /* machine_request_stop() */
    MACHINE_STOP_HOOK,     /* machine_stop_at_hook(): machine->stopped_cpu is before an instruction with a PC hook, or
                            * behind an access */
    MACHINE_STOP_DEADLOCK, /* no CPU will ever do anything again: machine->failure says why */
    MACHINE_STOP_BARRIER,  /* the barrier's owner wants others to run first: never without one */
    MACHINE_STOP_FAILED,   /* machine_fail(): machine->failure says why */
    MACHINE_STOP_PAUSE,    /* machine_pause_when(): its event has come */
    MACHINE_STOP_SAVE,     /* a checkpoint was asked for in the middle of it (src/machine/save_request.h), and nothing else */
};

/*
 * A simulated time at which something outside must be heard before any CPU goes on, such as other machines on the same
 * network. When machine_now() has got to TIME (a turn is not cut short for it: a CPU of several may be a turn ahead),
 * between instructions and after the events of that time, REACHED is called with the queue at machine->now. It sets a
 * later TIME, or ends the run: then it is called again first thing in the next one.
 */
struct machine_barrier {
    cycles time; /* CYCLES_NEVER: there is none */
    void (*reached)(void *opaque);
    void *opaque;
};

/* Absolute, since power-on. CYCLES_NEVER, UINT64_MAX: no limit. */
struct machine_limits {
    cycles time;    /* every CPU has got there; exact with one CPU, within a turn with several */
    uint64_t insns; /* sum over all CPUs; exact */
};
#define MACHINE_NO_LIMITS ((struct machine_limits){CYCLES_NEVER, UINT64_MAX})

struct machine {
    struct params *params; /* a copy */
    char name[64];
    struct log *log;
    struct event_queue *queue;
    struct physmem *mem;
    struct memsys *memsys;
    struct isa_decoder *decoder;
    unsigned cpus;
    struct core *cores[BOARD_MAX_CPUS];
    struct board_devices *devices;
    struct stats *stats; /* everything registered, by the end of machine_create() */

    const struct machine_host *host;
    void *host_opaque;
    struct external *external; /* what comes in from outside (src/host/external.h) */
    struct copy_files *copy;   /* of the options; NULL: none */
    char *job;                 /* shell text of the command; NULL if there is none */
    struct annotate *names;    /* who can name user code, modules and data (annotations/); NULL: nobody */

    /* Of the guest (machine_load). */
    vaddr entry;
    struct symbols *symbols;         /* of the symbol file; NULL if there is none */
    char *symbols_path;              /* the file; NULL */
    char *layout_path;               /* the layouts of the kernel's structures, a file beside it; NULL: there is none */
    bool idle_loop_known;            /* the idle loop is among them: it counts as idle, not only `wait` */
    paddr kernel_first, kernel_last; /* where the kernel was loaded, bss included; last 0: that is not known */
    struct err panic;                /* why and where the kernel has panicked; empty: it has not (src/machine/panic.h) */

    /* Scheduler. */
    struct machine_models *models; /* which CPU model runs (src/machine/machine_model.h) */
    cycles now;                    /* of the last turn; never goes back */
    cycles quantum;                /* of the present model (src/machine/machine_model.h) */
    cycles next_poll;
    cycles idle_since;               /* all CPUs have waited or been off since then; CYCLES_NEVER: one has run since */
    struct core *current;            /* whose run() is under way; NULL between runs */
    cycles off_time[BOARD_MAX_CPUS]; /* how long each CPU has been without power, as of its last start */
    bool power_pending[BOARD_MAX_CPUS]; /* CPU started or stopped itself: done when its run() has returned */
    vaddr power_pc[BOARD_MAX_CPUS];     /* ... where it starts, or 0: it stops */
    bool stopping;                      /* machine_run() returns at the next boundary, because of: */
    enum machine_stop stop_reason;
    unsigned exit_status;       /* 0..255 */
    unsigned stopped_cpu;       /* the CPU of the last MACHINE_STOP_HOOK */
    bool userland_up;           /* the guest has asked for its job */
    struct machine_event pause; /* machine_pause_when(): */
    bool pause_wanted;
    struct save_request *saves; /* checkpoints that are asked for (src/machine/save_request.h), the first one first */
    bool saving;                /* they are being written */
    /* What each CPU had done when the machine was restored from a checkpoint of another one: in no mode. */
    uint64_t cycles_before[BOARD_MAX_CPUS], insns_before[BOARD_MAX_CPUS];
    uint64_t insns_loaded; /* executed by all CPUs before this process took the machine over; 0: there was nobody */
    struct machine_barrier barrier;
    const struct hub_carrier *hub_carrier; /* how frames get to the other nodes of a hub; NULL: through sockets */
    struct err failure;                    /* of MACHINE_STOP_FAILED and MACHINE_STOP_DEADLOCK */
};

extern const struct param_def machine_param_defs[];
extern const size_t machine_param_count;

/* Build the machine, powered on, nothing loaded. OPTIONS are copied; the command, the files in and out, HOST and OPAQUE
 * must outlive it. HOST may be NULL. NULL with ERR naming the parameter or the host's refusal. */
struct machine *machine_create(const struct machine_options *options, const struct machine_host *host, void *opaque,
                               struct err *err);
void machine_free(struct machine *machine);

/* Load the guest that the guest.* parameters name (kernel ELF, initrd, device tree, symbol file) and point CPU 0 at its
 * entry as a UHI boot loader does. Once a machine. */
bool machine_load(struct machine *machine, struct err *err);

/* The file that parameter NAME of PARAMS, one that is read (PARAM_INPUT), stands for: the one that is named, or of
 * guest.* the one that machine_load() finds. False: there is none. */
bool machine_guest_file(const struct params *params, const char *name, char *path, size_t size);

/* The part of it that a machine needs whose RAM comes from a checkpoint: symbols and what hangs on them. */
bool machine_load_symbols(struct machine *machine, struct err *err);

/* Once, when EVENT comes, the run ends with MACHINE_STOP_PAUSE. */
void machine_pause_when(struct machine *machine, const struct machine_event *event);

/* Run until LIMITS or something else ends it. May be called again afterwards, whatever the reason was (a run that
 * stopped at a hook continues with the instruction behind it). The guest is at an instruction boundary of every CPU,
 * and everything up to now is in the statistics. */
enum machine_stop machine_run(struct machine *machine, const struct machine_limits *limits);

/* Run COUNT instructions of CPU; the other CPUs run along as far as their time allows. A CPU that waits is first woken
 * by what will wake it. A hook ends it earlier. */
enum machine_stop machine_step(struct machine *machine, unsigned cpu, uint64_t count);

/* End the present run at the next boundary with MACHINE_STOP_REQUEST. From host callbacks, hooks and devices; not from
 * signal handlers. */
void machine_request_stop(struct machine *machine);

/* End the present run at the next boundary as if the guest had ended it with exit STATUS (0..255): MACHINE_STOP_EXIT.
 */
void machine_request_exit(struct machine *machine, unsigned status);

/* End the present run at the next boundary with MACHINE_STOP_FAILED: the simulation cannot go on, because of REASON. */
void machine_fail(struct machine *machine, const struct err *reason);

/* Do all CPUs wait, or are off, and will nothing that is scheduled ever wake one? Then only the outside can. */
bool machine_is_asleep(const struct machine *machine);

/* For a PC hook (core_hook_add) that wants to end the run before its instruction: `return machine_stop_at_hook(machine,
 * core)`. Always true. A hook that returns true without this only interrupts the core's turn. Who is told of an access
 * (cpu/data_watch.h) may call it too: the run ends behind the instruction. */
bool machine_stop_at_hook(struct machine *machine, const struct core *core);

/* Present simulated time: the smallest local time of a CPU that runs, or the last event's if none does. */
cycles machine_now(const struct machine *machine);
/* Instructions executed, over all CPUs. */
uint64_t machine_insns(const struct machine *machine);

/* The CPU model that runs, of all CPUs; the models there are: INDEX from 0, NULL at the end. */
const char *machine_cpu_model(const struct machine *machine);
const char *machine_cpu_model_at(size_t index);

/* Complete the files that the CPU models write (mxs.view): nothing comes into them afterwards. False with ERR naming
 * one that could not be written, also earlier in the run. Between runs. */
bool machine_finish_files(const struct machine *machine, struct err *err);

/* Does the statistic NAME tell which model ran? All others are the same whatever model did, if the models charge the
 * same time. */
bool machine_statistic_is_of_models(const char *name);

/* Replace the CPU model of all CPUs by the one called NAME, created anew also if it is the present one. The guest and
 * every statistic go on as if nothing had happened, apart from what the models themselves make different. Between runs
 * at once: false with ERR if there is no such model or it cannot be created (the present one stays). From host
 * callbacks, hooks and devices in the middle of a CPU's run: at the next boundary (before its instruction if a hook
 * returns true), and if it cannot be created then, a line on stderr says so and the run goes on. A model that this host
 * does not support is replaced by mipsy, with a line on stderr. */
bool machine_set_cpu_model(struct machine *machine, const char *name, struct err *err);

/* Console input: bytes for serial port UART. Returns how many of COUNT it took (its FIFO may be full). */
size_t machine_input(struct machine *machine, unsigned uart, const void *bytes, size_t count);
/* How many it would take now: 0..16. */
size_t machine_input_space(const struct machine *machine, unsigned uart);

/* Debugger accesses by virtual address of CPU (device registers are not reached); the number of bytes copied. Writing
 * is seen by all CPUs and caches. */
uint32_t machine_debug_read(struct machine *machine, unsigned cpu, vaddr address, void *buffer, uint32_t size);
uint32_t machine_debug_write(struct machine *machine, unsigned cpu, vaddr address, const void *buffer, uint32_t size);

/* Do the modes' cycles sum up to each CPU's time, and execution, stalls and waits to the modes' cycles? False with ERR
 * otherwise: a bug. After machine_run(). */
bool machine_check_accounts(const struct machine *machine, struct err *err);

#endif
