/*
 * A complete machine: memory, CPUs, caches, devices and the guest, built from parameters; and the scheduler that runs
 * it. Independent of command line, terminal and Tcl: all output leaves through struct machine_host.
 *
 * Ordering rule: one host thread. Time is divided into quanta of machine.quantum cycles. Among the CPUs in the earliest
 * quantum the one with the lowest number runs, to the end of the quantum or the next event, whichever is earlier; a CPU
 * that is the only one ready needs no quantum (src/machine/schedule.h). The run is a function of the parameters, the
 * guest and the input through src/host/external.h.
 *
 *     machine_options_init(&options);
 *     params_set(options.params, "machine.cpus", "4", &err);
 *     machine = machine_create(&options, &host, &opaque, &err);
 *     machine_load(machine, &err);
 *     reason = machine_run(machine, &limits);
 *     machine_free(machine);
 */
#ifndef SIMOS_MACHINE_MACHINE_H
#define SIMOS_MACHINE_MACHINE_H

#include "cpu/core.h"
#include "cpu/model.h"
#include "src/base/board.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/machine/machine_event.h"
#include "src/base/params.h"
#include "src/memory/physmem.h"
#include "src/base/stats.h"
#include "src/guest/halt.h"
#include "src/guest/panic.h"
#include "src/guest/relocation.h"

struct board;
struct board_devices;
struct copy_files;
struct annotate;
struct page_allocations;
struct external;
struct hub_carrier;
struct machine_models;
struct memsys;
struct record;
struct replay;
struct symbols;

/* Switch to CPU model MODEL at EVENT: at every mark of that name, once at other events. A time is exact with one CPU,
 * and within a quantum with several; a number of instructions is exact. */
struct machine_switch {
    const char *model; /* name of the model, a constant */
    struct machine_event event;
    bool reached; /* in a machine: the event has come */
};

/* The architecture of the processors of a machine with PARAMS. */
const struct architecture *machine_architecture(const struct params *params);

/* Options of machine_create(). Kernel, initrd, disks, boot arguments and everything else are parameters (machine.*,
 * guest.*, cpu.*, cache.* ...): machine_param_defs and the tables of the other modules. */
struct machine_options {
    struct params *params;           /* owned */
    char machine_name[64];           /* name of the machine description: "1994" or a file's name */
    bool described;                  /* machine_options_describe() was called since machine_options_init() */
    int command_count;               /* words of the guest's job */
    const char *const *command;      /* not owned; NULL: no job, the guest runs a shell on its console */
    const char *job;                 /* a line for the guest's shell instead of words; not owned; NULL: the words */
    struct machine_switch *switches; /* owned: machine_options_add_switch() */
    unsigned switch_count;
    const struct hub_carrier *hub_carrier; /* of machines that share a process; else NULL */
    struct record *record;   /* not owned: record of the machine's input (src/host/record.h); NULL: not recorded */
    struct replay *replay;   /* not owned: source of the machine's input (src/host/replay.h); NULL: live input */
    struct copy_files *copy; /* owned: files copied in and out (src/host/copy_files.h); NULL: none */
    const struct replay_checkpoint *entered; /* where the replay begins; NULL: where the recorded run did */
    bool restored; /* the guest comes from a checkpoint, which holds kernel and initrd in RAM */
    bool trust;    /* host accesses requested by files are permitted as if requested by the command line */
    bool quiet;    /* drop guest warnings (and in `simos run` the console of a guest with a job) */
};

/* Set the initial values of all parameters and apply machine 1994; all other options are empty. */
void machine_options_init(struct machine_options *options);
void machine_options_release(struct machine_options *options);

/* Apply the machine description NAME: a built-in one ("1994") or a Tcl file (src/description/machine_file.h). Fails
 * with a message naming the file, the line in it, and the error. */
bool machine_options_describe(struct machine_options *options, const char *name, struct err *err);

/* Do the OPTIONS permit a machine? False with ERR if a file, not the command line, requests an access to the host
 * (src/base/params.h). machine_create() checks this too; callers that open files earlier check first. */
bool machine_options_check(const struct machine_options *options, struct err *err);

/* Add the switch TEXT, "MODEL@EVENT" (src/machine/machine_event.h). Fails with a message about the error in it. */
bool machine_options_add_switch(struct machine_options *options, const char *text, struct err *err);

/* Host interface of a machine. Any member may be NULL. All are called inside machine_run() or machine_step(), within a
 * guest instruction or between two. */
struct machine_host {
    /* The guest wrote BYTE to serial port UART (0 console, 1 the job's stdout, 2 its stderr). */
    void (*uart_output)(void *opaque, unsigned uart, uint8_t byte);
    /* User space is up, and the guest requests its job. */
    void (*userland_up)(void *opaque);
    /* The guest has reached the mark NAME. */
    void (*mark)(void *opaque, const char *name);
    /* Called between guest instructions about every MACHINE_POLL_CYCLES of simulated time: progress, signals
     * (external_stop()). Must not affect the run; input goes through src/host/external.h. */
    void (*poll)(void *opaque);
    /* All CPUs wait, and the host is about to sleep until external input arrives (src/host/external.h). */
    void (*sleep)(void *opaque);
};

enum { MACHINE_POLL_CYCLES = 1 << 20 };

/* Why machine_run() returned. */
enum machine_stop {
    MACHINE_STOP_TIME,     /* the time limit */
    MACHINE_STOP_INSNS,    /* the instruction limit */
    MACHINE_STOP_EXIT,     /* the guest ended the run; machine->exit_status is set */
    MACHINE_STOP_REBOOT,   /* the guest requested a reboot */
    MACHINE_STOP_REQUEST,  /* machine_request_stop() */
    MACHINE_STOP_HOOK,     /* machine_stop_at_hook(): machine->stopped_cpu is before an instruction with a PC hook, or
                            * behind an observed access */
    MACHINE_STOP_DEADLOCK, /* no CPU can ever continue: machine->failure is the reason */
    MACHINE_STOP_BARRIER,  /* at a barrier whose owner lets other machines run first */
    MACHINE_STOP_FAILED,   /* machine_fail(): machine->failure is the reason */
    MACHINE_STOP_PAUSE,    /* the event of machine_pause_when() */
    MACHINE_STOP_SAVE,     /* only to write a requested checkpoint (src/machine/save_request.h) */
    MACHINE_STOP_STEP,     /* machine->stopped_cpu has made its step (src/machine/machine_hold.h) */
    MACHINE_STOP_HELD,     /* only CPUs that are held could continue (src/machine/machine_hold.h) */
    MACHINE_STOP_HORIZON,  /* machine->horizon */
};

/*
 * A synchronisation point: a simulated time at which an external partner, such as other machines on the same network,
 * must be synchronised before any CPU continues. When machine_now() has reached TIME (quanta are not shortened: with
 * several CPUs one may be a quantum ahead), between instructions and after the events of that time, REACHED is called
 * with the queue at machine->now. It sets the TIME of the next point, and is called again if that has been reached too,
 * or ends the run: then it is called again at the start of the next run.
 */
struct machine_barrier {
    cycles time; /* CYCLES_NEVER: none */
    void (*reached)(void *opaque);
    void *opaque;
};

/* Absolute limits, since power-on. CYCLES_NEVER, UINT64_MAX: no limit. */
struct machine_limits {
    cycles time;    /* reached by every CPU; exact with one CPU, within a quantum with several */
    uint64_t insns; /* sum over all CPUs; exact */
};
#define MACHINE_NO_LIMITS ((struct machine_limits){CYCLES_NEVER, UINT64_MAX})

/* What takes snapshots of the process (src/history/history.h), between the runs of CPUs. It changes nothing. */
struct machine_keeper {
    void (*begin)(void *opaque);  /* a run begins */
    bool (*is_due)(void *opaque); /* asked at every regular poll of the host: shall the run stop for keep()? */
    void (*keep)(void *opaque);
    void *opaque;
};

/* Between machine_hold_begin() and machine_hold_end() (src/machine/machine_hold.h). */
struct machine_hold {
    bool active;                       /* a CPU is held or makes a step */
    uint64_t step_end[BOARD_MAX_CPUS]; /* s.insns at which the CPU's step ends; UINT64_MAX: it makes none */
};

struct machine {
    struct params *params;     /* owned copy */
    const struct board *board; /* machine.board */
    char name[64];
    struct log *log;
    struct event_queue *queue;
    struct physmem *mem;
    struct memsys *memsys;
    struct execution_profile
        *execution_profile; /* NULL: executions are not profiled (cpu/observe/execution_profile.h) */
    struct isa_decoder *decoder;
    unsigned cpus;
    struct core *cores[BOARD_MAX_CPUS];
    struct board_devices *devices;
    struct stats *stats; /* complete by the end of machine_create() */

    const struct machine_host *host;
    void *host_opaque;
    struct external *external; /* external input (src/host/external.h) */
    struct copy_files *copy;   /* from the options; NULL: none */
    char *job;                 /* command as a line for the guest's shell; NULL if there is none */
    struct annotate *annotate; /* names of user code, modules and data (annotations/); NULL: none */

    struct page_allocations *page_allocations; /* src/guest/page_allocations.h; NULL: none */

    /* The guest (machine_load()). */
    vaddr entry;
    struct symbols *symbols;                /* from the symbol file; NULL if there is none */
    struct prefetch_point *prefetch_points; /* src/guest/prefetch_points.h */
    char *symbols_path;                     /* the symbol file; NULL if there is none */
    char *layout_path;               /* file beside it with the layouts of kernel structures; NULL if there is none */
    bool idle_loop_known;            /* the symbols include the idle loop: it counts as idle, not only `wait` */
    paddr kernel_first, kernel_last; /* physical range of the kernel, bss included; last 0: not known */
    const char *halted;              /* how the guest ended itself, without its init: "halted"; NULL: it did not */
    struct err panic;                /* reason and position of a kernel panic; empty: none */
    struct halt_watch halt_watch;    /* these three: src/machine/machine_guest.h */
    struct panic_watch panic_watch;
    struct relocation_watch relocation_watch;

    /* Scheduler. */
    struct machine_models *models; /* CPU models (src/machine/machine_model.h) */
    cycles now;                    /* time of the last quantum; never decreases */
    cycles quantum;                /* for the present model (src/machine/machine_model.h) */
    cycles next_poll;
    cycles idle_since;                  /* all CPUs wait or are off since then; CYCLES_NEVER: not at present */
    struct core *current;               /* the core in its run(); NULL otherwise */
    cycles off_time[BOARD_MAX_CPUS];    /* cycles that each CPU was off, up to its last start */
    bool power_pending[BOARD_MAX_CPUS]; /* the running CPU started or stopped itself: applied after its run() */
    vaddr power_pc[BOARD_MAX_CPUS];     /* ... start address, or 0: stop */
    bool stopping;                      /* machine_run() returns at the next boundary, because of: */
    enum machine_stop stop_reason;
    bool ends_after_pause; /* this run pauses, and the next one ends at once, because of: */
    enum machine_stop after_pause;
    unsigned exit_status;       /* 0..255 */
    unsigned stopped_cpu;       /* the CPU of the last MACHINE_STOP_HOOK or MACHINE_STOP_STEP */
    struct machine_hold hold;   /* CPUs that are held or make a step */
    bool userland_up;           /* the guest has requested its job */
    struct machine_event pause; /* event of machine_pause_when(), if pause_wanted */
    bool pause_wanted;
    struct save_request *saves;           /* requested checkpoints (src/machine/save_request.h), in order */
    bool saving;                          /* requested checkpoints are being written */
    const struct machine_keeper *keeper;  /* NULL: none */
    bool keep_wanted;                     /* the present run stops for the keeper */
    const struct machine_limits *horizon; /* no run goes further; NULL: no limit */
    const uint64_t *cpu_ends;             /* [cpus] runs end when a CPU has executed so many instructions; NULL: none */
    /* Totals of each CPU at a restore from a checkpoint of a different machine; charged to no mode. */
    uint64_t cycles_before[BOARD_MAX_CPUS], insns_before[BOARD_MAX_CPUS];
    uint64_t insns_loaded; /* instructions of all CPUs before this process restored the machine; 0: not restored */
    struct machine_barrier barrier;
    const struct hub_carrier *hub_carrier; /* transport to the other nodes of a hub; NULL: sockets */
    struct err failure;                    /* reason of MACHINE_STOP_FAILED and MACHINE_STOP_DEADLOCK */
};

extern const struct param_def machine_param_defs[];
extern const size_t machine_param_count;

/* Create a machine, powered on, nothing loaded. OPTIONS are copied; the command, the copied files, HOST and OPAQUE must
 * outlive the machine. HOST may be NULL. NULL with ERR naming the invalid parameter or the host error. */
struct machine *machine_create(const struct machine_options *options, const struct machine_host *host, void *opaque,
                               struct err *err);
void machine_free(struct machine *machine);

/* Load the guest of the guest.* parameters (kernel ELF, initrd, device tree, symbol file) and set CPU 0 to its entry
 * point as a UHI boot loader does. Once per machine. */
bool machine_load(struct machine *machine, struct err *err);

/* Store the path of the kernel of simos's own guest, which the board of PARAMS (NULL: board simos) boots if none is
 * named, in PATH of SIZE bytes. False with ERR if it is not there. */
bool machine_default_kernel(const struct params *params, char *path, size_t size, struct err *err);

/* The kernel's command line, to be freed: guest.bootargs, or the board's, if it has the initial value and the board has
 * one; and what guest.fixed_maps adds. */
char *machine_bootargs(const struct machine *machine);

/* Does the guest of PARAMS have neither initrd nor disk, so that only a kernel that contains a user land has one? */
bool machine_lacks_userland(const struct params *params);

/* The file that parameter NAME (PARAM_INPUT) of PARAMS denotes: its value, or for guest.* the default that
 * machine_load() finds. False if there is none. */
bool machine_guest_file(const struct params *params, const char *name, char *path, size_t size);

/* The symbols of PATH, a kernel or a list of symbols: of an ELF file those of kernel.sym beside it, if that is there,
 * or its table. NULL with ERR. */
struct symbols *machine_read_symbols(const char *path, struct err *err);

/* The part of machine_load() for a machine with RAM from a checkpoint: symbols and everything that depends on them. */
bool machine_load_symbols(struct machine *machine, struct err *err);

/* End the run once with MACHINE_STOP_PAUSE, at EVENT. */
void machine_pause_when(struct machine *machine, const struct machine_event *event);

/* Run until LIMITS or another reason. May be called again whatever the reason was (after a stop at a hook the run
 * continues with the instruction of the hook). On return every CPU is at an instruction boundary, and the statistics
 * are complete up to now. */
enum machine_stop machine_run(struct machine *machine, const struct machine_limits *limits);

/* Run COUNT instructions of CPU; the other CPUs run as far as their time allows. A waiting CPU first waits for its
 * wakeup. A hook ends the step earlier. */
enum machine_stop machine_step(struct machine *machine, unsigned cpu, uint64_t count);

/* End the present run at the next boundary with MACHINE_STOP_REQUEST. For host callbacks, hooks and devices; not for
 * signal handlers. */
void machine_request_stop(struct machine *machine);

/* End the present run at the next boundary with MACHINE_STOP_EXIT, as by a guest exit with STATUS (0..255). */
void machine_request_exit(struct machine *machine, unsigned status);

/* End the present run at the next boundary with MACHINE_STOP_FAILED: the simulation cannot continue because of
 * REASON. */
void machine_fail(struct machine *machine, const struct err *reason);

/* Are all CPUs waiting or off, and can no scheduled event wake one? Then only external input can. */
bool machine_is_idle_forever(const struct machine *machine);

/* Idle for ever, and no external input can come either: a run without a limit of time ends at once. */
bool machine_cannot_wake(const struct machine *machine);

/* For a PC hook (core_hook_add) that ends the run before its instruction: `return machine_stop_at_hook(machine, core)`.
 * Always true. A hook that returns true without it only ends the core's quantum. An observer of accesses
 * (cpu/privileged/data_watch.h) may call it too: the run then ends behind the instruction. */
bool machine_stop_at_hook(struct machine *machine, const struct core *core);

/* The address from which the exception vectors have their offsets at present, as of CPU 0. */
vaddr machine_exception_base(const struct machine *machine);

/* Present simulated time: the smallest local time of the ready CPUs, or of the last event if none is ready. */
cycles machine_now(const struct machine *machine);
/* Instructions executed by all CPUs. */
uint64_t machine_insns(const struct machine *machine);

/* Name of the present CPU model of all CPUs; names of the existing models: INDEX from 0, NULL behind the last one. */
const char *machine_cpu_model(const struct machine *machine);
const char *machine_cpu_model_at(size_t index);

/* Complete the files written by the CPU models (mxs.view); nothing is appended afterwards. False with ERR naming one
 * that could not be written, now or earlier in the run. Between runs. */
bool machine_finish_files(const struct machine *machine, struct err *err);

/* Does the statistic NAME depend on which model ran? All others are equal for models that charge the same time. */
bool machine_statistic_is_of_models(const char *name);

/* Replace the CPU model of all CPUs by a new instance of the one called NAME (also if it is the present one). Guest
 * state and statistics are kept, apart from differences of the models themselves. Between runs the change is immediate:
 * false with ERR if the model is unknown or cannot be created (the present one stays). From host callbacks, hooks and
 * devices during a CPU's run: at the next boundary (before the hook's instruction if it returns true); if the model
 * then cannot be created, this is reported on stderr and the run continues. A model that the host does not support is
 * replaced by mipsy, reported on stderr. */
bool machine_set_cpu_model(struct machine *machine, const char *name, struct err *err);

/* Console input: bytes for serial port UART. Returns how many of COUNT were accepted (its FIFO may be full). */
size_t machine_input(struct machine *machine, unsigned uart, const void *bytes, size_t count);
/* Number of bytes accepted now: 0..16. */
size_t machine_input_space(const struct machine *machine, unsigned uart);

/* Debugger accesses by virtual address of CPU, RAM only; return the number of bytes copied. Writes are visible to all
 * CPUs and caches. */
uint32_t machine_debug_read(struct machine *machine, unsigned cpu, vaddr address, void *buffer, uint32_t size);
uint32_t machine_debug_write(struct machine *machine, unsigned cpu, vaddr address, const void *buffer, uint32_t size);

/* Charge the cycles of all CPUs up to the present, as the end of a run does. Also in the middle of a run, to save what
 * can be saved at an error in simos. */
void machine_settle(struct machine *machine);

/* Check the accounts: the modes' cycles must add up to each CPU's time, and execution, stalls and waits to each mode's
 * cycles. False with ERR otherwise: a bug. After machine_run(). */
bool machine_check_accounts(const struct machine *machine, struct err *err);

#endif
