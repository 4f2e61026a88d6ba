#include "src/run/run.h"

#include "src/boards/board_copy.h"
#include "src/machine/board_disks.h"
#include "src/machine/board_net.h"
#include "src/observe/console.h"
#include "src/host/copy_files.h"
#include "src/host/end_signals.h"
#include "src/host/external.h"
#include "src/gdb/gdb_stub.h"
#include "src/base/error_lines.h"
#include "src/base/host_time.h"
#include "src/run/live.h"
#include "src/run/lockstep.h"
#include "src/observe/evictions.h"
#include "src/observe/profile.h"
#include "src/machine/machine_saved.h"
#include "src/run/missed_events.h"
#include "src/run/run_files.h"
#include "src/run/provenance.h"
#include "src/run/restore.h"
#include "src/run/salvage.h"
#include "src/report/run_table.h"
#include "src/run/series.h"
#include "src/run/record_options.h"
#include "src/observe/instrument.h"
#include "src/run/window.h"
#include <string.h>

struct machine_limits run_limits(const struct run_options *run)
{
    struct machine_limits limits = MACHINE_NO_LIMITS;
    limits.insns = run->max_insns;
    if (run->seconds > 0)
        limits.time = machine_seconds_in_cycles(run->seconds, params_u64(run->options.params, "cpu.clock"));
    return limits;
}

/* A run under a debugger, and what it does beside. */
struct debugged {
    const struct run_options *run;
    struct instrument *instrument;
    struct machine *machine;
};

/* The guest runs up to LIMITS, resumed by the debugger or because none is there. A checkpoint of the series that cannot
 * be written ends the run. */
static enum machine_stop run_resumed(void *opaque, const struct machine_limits *limits)
{
    const struct debugged *debugged = opaque;
    struct machine *machine = debugged->machine;
    enum machine_stop reason;
    if (!debugged->run->series_taken)
        return instrument_run(debugged->instrument, machine, limits);
    if (series_run(debugged->run->series_taken, debugged->instrument, machine, limits, &reason, &machine->failure))
        return reason;
    return MACHINE_STOP_FAILED;
}

/* Where the run ends unless the guest ends earlier; for the progress line. */
static struct machine_limits expected_end(const struct run_options *run, const struct machine *machine)
{
    struct machine_limits limits = run_limits(run);
    const uint64_t now = machine_insns(machine), window = run->window.warmup + run->window.length;
    if (run->window.length && window < limits.insns - now)
        limits.insns = now + window;
    return limits;
}

/* Run the guest until a debugger connects, or until the run ends. MACHINE_STOP_HOOK: one waits to be served. */
static enum machine_stop run_until_called(struct debugged *debugged, const struct machine_limits *limits)
{
    const struct machine *machine = debugged->machine;
    while (!gdb_server_has_caller(debugged->run->debugger)) {
        struct machine_limits slice = *limits;
        const cycles end = machine_now(machine) + GDB_SLICE_CYCLES;
        if (end < slice.time && !machine_cannot_wake(machine)) /* else the run ends */
            slice.time = end;
        const enum machine_stop reason = run_resumed(debugged, &slice);
        if (reason != MACHINE_STOP_TIME || slice.time == limits->time)
            return reason;
    }
    return MACHINE_STOP_HOOK;
}

/* Run the guest under a debugger. After it has detached the guest runs on, and another may connect. */
static bool run_debugged(struct run_options *run, struct instrument *instrument, struct console *console,
                         struct machine *machine, const struct machine_limits *limits, enum machine_stop *reason,
                         struct err *err)
{
    struct debugged debugged = {run, instrument, machine};
    const struct gdb_options gdb = {.port = run->gdb_port,
                                    .folder = run->gdb_save,
                                    .interpreter = run->interpreter,
                                    .history = run->history_wanted ? &run->history : NULL,
                                    .run = run_resumed,
                                    .opaque = &debugged,
                                    .interrupt_fd = end_signals_fd(console_signals(console))};
    run->debugger = gdb_server_create(machine, &gdb, limits, err);
    if (!run->debugger)
        return false;
    do {
        *reason = gdb_server_serve(run->debugger);
        if (*reason == MACHINE_STOP_REQUEST)
            console_host.poll(console); /* a signal has ended the wait: take note of it */
        else if (*reason == MACHINE_STOP_HOOK)
            *reason = run_until_called(&debugged, limits);
    } while (*reason == MACHINE_STOP_HOOK);
    gdb_server_end_past(run->debugger);
    return true;
}

/* Run the guest, with a debugger if requested. */
static bool run_guest(struct run_options *run, struct instrument *instrument, struct console *console,
                      struct machine *machine, enum machine_stop *reason, struct err *err)
{
    struct machine_limits limits = run_limits(run);
    *reason = MACHINE_STOP_HOOK;
    if (run->series.folder && !machine_can_save(machine, "--series", err))
        return false;
    if (run->series.folder && !run->gdb)
        return series_run(run->series_taken, instrument, machine, &limits, reason, err);
    if (run->window.wanted)
        return window_run(&run->window, instrument, machine, &limits, reason, err);
    if (run->checkpoint_path) {
        if (!machine_can_save(machine, "--checkpoint", err))
            return false;
        machine_pause_when(machine, &run->checkpoint_event);
    }
    if (run->gdb)
        return run_debugged(run, instrument, console, machine, &limits, reason, err);
    while (*reason == MACHINE_STOP_HOOK || *reason == MACHINE_STOP_PAUSE) {
        if (*reason == MACHINE_STOP_PAUSE)
            instrument_checkpoint(instrument);
        if (*reason == MACHINE_STOP_PAUSE && !machine_save(machine, run->checkpoint_at, run->checkpoint_path, err))
            return false;
        *reason = instrument_run(instrument, machine, &limits);
    }
    return true;
}

/* Status 127 (command not found): report a first disk without a known file system, which is the likely cause. */
static int status_of_job(const struct machine *machine, struct err *err)
{
    enum { NOT_FOUND = 127 };
    char disk[300];
    if (!machine->job || machine->exit_status != NOT_FOUND ||
        !board_disks_first_has_no_fs(board_disks_of(machine), machine->params, disk, sizeof disk))
        return (int)machine->exit_status;
    err_set(err, "%s: no file system known to the guest; the command was not found outside of it (status 127)", disk);
    return EXIT_SIMOS_FAILED;
}

/* Status of a run whose guest ended itself, as WHAT says, without its init: `poweroff -f`, `halt -f`, `reboot -f`. */
static int status_of_end(const struct machine *machine, const char *what, struct err *err)
{
    if (machine->job)
        err_set(err, "the guest %s before its command reported an exit status", what);
    return 0;
}

/* The exit status of simos for the end of the run. */
static int status_of(const struct run_options *run, const struct machine *machine, enum machine_stop reason,
                     struct err *err)
{
    unsigned signal = external_stop_reason(machine->external);
    switch (reason) {
    case MACHINE_STOP_EXIT:
        return machine->halted ? status_of_end(machine, machine->halted, err) : status_of_job(machine, err);
    case MACHINE_STOP_TIME: err_set(err, "stopped by the limit of --seconds"); return EXIT_LIMIT;
    case MACHINE_STOP_INSNS:
        if (run->window.complete)
            return 0;
        err_set(err, "stopped by the limit of --max-insns");
        return EXIT_LIMIT;
    case MACHINE_STOP_REBOOT:
        if (machine->panic.text[0]) {
            *err = machine->panic;
            return EXIT_SIMOS_FAILED;
        }
        return status_of_end(machine, "rebooted", err);
    case MACHINE_STOP_DEADLOCK:
    case MACHINE_STOP_FAILED: err_set(err, "%s", machine->failure.text); return EXIT_SIMOS_FAILED;
    case MACHINE_STOP_BARRIER: /* of a machine in a cluster that was ended */
    case MACHINE_STOP_PAUSE:
    case MACHINE_STOP_SAVE:
    case MACHINE_STOP_REQUEST:
    case MACHINE_STOP_STEP:
    case MACHINE_STOP_HELD:
    case MACHINE_STOP_HORIZON:
    case MACHINE_STOP_HOOK: break;
    }
    if (signal)
        return error_lines_status_of_signal((int)signal);
    if (!machine->job)
        return 0; /* ended by a key or by the debugger's kill, without a result */
    err_set(err, "the run was ended before its command reported an exit status");
    return EXIT_SIMOS_FAILED;
}

/* Was the run ended by something other than the guest or its recording? */
static bool is_early(enum machine_stop reason)
{
    return reason != MACHINE_STOP_EXIT && reason != MACHINE_STOP_REBOOT && reason != MACHINE_STOP_DEADLOCK;
}

/* Copy files out of the guest, whatever the job's status. A non-zero status takes precedence over an error of the
 * copy. */
static int bring_files(const struct run_options *run, const struct machine *machine, int status, struct err *err)
{
    struct err reason = {""};
    if (!run->options.copy || board_copy_unpack(machine, &reason))
        return status;
    if (status != 0) {
        error_lines_print("%s", reason.text);
        return status;
    }
    *err = reason;
    return EXIT_SIMOS_FAILED;
}

int run_finish(const struct run_options *run, const struct machine *machine, const struct instrument *instrument,
               enum machine_stop reason, double set_up, double host, struct err *err)
{
    struct err broken = {""};
    if (!machine_check_accounts(machine, &broken))
        log_bug("%s", broken.text);
    if (reason != MACHINE_STOP_FAILED || machine_insns(machine) > 0) /* it may fail before the first instruction */
        run_table_print(machine, run->table, set_up, host, stderr);
    int status = bring_files(run, machine, status_of(run, machine, reason, err), err);
    if (run->table != RUN_TABLE_NONE)
        profile_print(machine, stderr);
    struct err failures[5] = {{""}}, missed = {""};
    bool done = !run->stats_path || stats_save_json(machine->stats, run->stats_path, &failures[0]);
    done &= !run->profile_path || profile_save(machine, run->profile_path, &failures[1]);
    done &= machine_finish_files(machine, &failures[2]);
    done &= status == EXIT_SIMOS_FAILED || external_check_end(machine->external, is_early(reason), &failures[3]);
    done &= board_disks_finish(board_disks_of(machine), machine->params, &failures[4]);
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        err_add(err, &failures[i]);
    if (!missed_events_check(run, machine, instrument, &missed) && status == 0)
        status = EXIT_SIMOS_FAILED;
    err_add(err, &missed);
    return done ? status : EXIT_SIMOS_FAILED;
}

/* The guest has run, and then a checkpoint could not be written (ERR): the run has failed there, and its other outputs
 * are complete up to there. False if it has not run since BEGUN: there is nothing to be written. */
static bool ended_by_error(struct machine *machine, cycles begun, enum machine_stop *reason, struct err *err)
{
    if (machine_now(machine) <= begun)
        return false;
    machine->failure = *err;
    *err = (struct err){""};
    *reason = MACHINE_STOP_FAILED;
    return true;
}

static int run_in_console(struct run_options *run, struct instrument *instrument, struct console *console,
                          double started, struct err *err)
{
    enum machine_stop reason;
    int status = EXIT_SIMOS_FAILED;
    const struct machine_host *const host = instrument_host(instrument, &console_host, console);
    void *const host_opaque = instrument_host_opaque(instrument, console);
    struct machine *machine = machine_create(&run->options, live_host(run->live, host, host_opaque),
                                             live_host_opaque(run->live, host_opaque), err);
    if (!machine) {
        instrument_free(instrument);
        return status;
    }
    console_attach(console, machine);
    provenance_register(run->provenance, machine->stats);
    evictions_register(machine);
    struct salvage salvage;
    salvage_begin(&salvage, run, machine, instrument, console);
    double loaded = 0, ended = 0;
    bool done = (run->restore ? restore_load(run->restore, machine, err) : machine_load(machine, err)) &&
                provenance_read(run->provenance, err) &&
                instrument_begin(instrument, machine, console_signals(console), err);
    if (done) {
        const struct machine_limits end = expected_end(run, machine);
        loaded = host_seconds();
        console_expect(console, &end);
        live_begin(run->live, machine, instrument, &end);
        const cycles begun = machine_now(machine);
        done =
            run_guest(run, instrument, console, machine, &reason, err) || ended_by_error(machine, begun, &reason, err);
        ended = host_seconds();
        live_end(run->live);
    }
    struct err failures[5] = {{""}};
    salvage.instrument_ended = true; /* it does not begin again */
    bool whole = !done || instrument_end(instrument, &failures[0]);
    whole &= !done || board_net_flush(board_net_of(machine), &failures[1]);
    whole &= console_flush(console, &failures[2]);
    if (done) {
        status = run_finish(run, machine, instrument, reason, loaded - started, ended - loaded, err);
        whole &= run->table == RUN_TABLE_NONE || instrument_print(instrument, stderr, &failures[3]);
        whole &= instrument_save(instrument, &failures[4]);
    }
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        err_add(err, &failures[i]);
    if (!whole)
        status = EXIT_SIMOS_FAILED;
    salvage_end(&salvage);
    instrument_free(instrument);
    machine_free(machine);
    return status;
}

static int run_alone(struct run_options *run, struct sweep_study *study, struct console *console, double started,
                     struct err *err)
{
    struct instrument *instrument;
    if (!instrument_create(&instrument, run->trace_path, study, run->annotations, run->interpreter, &run->collect,
                           run->options.params, err))
        return EXIT_SIMOS_FAILED;
    return run_in_console(run, instrument, console, started, err);
}

static int run_taped(struct run_options *run, struct sweep_study *study, struct err *err)
{
    const struct console_config config = {.device = params_string(run->options.params, "console.device"),
                                          .has_job = run->options.command_count > 0 || run->options.job,
                                          .quiet = run->options.quiet,
                                          .replay = run->options.replay != NULL};
    double started = host_seconds();
    struct console *console = console_create(&config, err);
    if (!console)
        return EXIT_SIMOS_FAILED;
    int status =
        run->lockstep ? lockstep_in_console(run, console, started, err) : run_alone(run, study, console, started, err);
    console_flush(console, NULL);
    run->signal = end_signals_end(console_signals(console)); /* also one after the run had ended */
    console_free(console);
    if (run->signal && status != 128 + run->signal)
        status = error_lines_status_of_signal(run->signal);
    gdb_server_end(run->debugger, status);
    run->debugger = NULL;
    return status;
}

/* The run, between the processes and descriptions that accompany it. */
static int run_accompanied(struct run_options *run, struct sweep_study *study, const struct named_files *files,
                           struct err *err)
{
    int status = EXIT_SIMOS_FAILED;
    if (run->provenance_wanted)
        run->provenance = provenance_create(run, files);
    if (!run->live_wanted || (run->live = live_create(run->live_port, err)))
        status = run_taped(run, study, err);
    live_free(run->live);
    provenance_free(run->provenance);
    run->live = NULL;
    run->provenance = NULL;
    return status;
}

int run_with_sweeps(struct run_options *run, struct sweep_study *study, struct err *err)
{
    struct record_options tape;
    struct named_files *files = NULL;
    int status = EXIT_SIMOS_FAILED;
    run->signal = 0;
    run->series_taken = NULL;
    if (record_options_open(&tape, run, err) && (!run->restore || restore_prepare(run->restore, &run->options, err)) &&
        machine_options_check(&run->options, err) && (files = named_files_take_run(run, err)) &&
        (!run->options.copy || copy_out_check(run->options.copy, err)) &&
        (!run->series.folder || (run->series_taken = series_create(&run->series, err))) &&
        record_options_create(&tape, run, err))
        status = run_accompanied(run, study, files, err);
    struct err broken = {""};
    bool closed = record_options_close(&tape, &broken);
    series_free(run->series_taken);
    named_files_free(files);
    if (closed)
        return status;
    err_add(err, &broken);
    return run->signal ? status : EXIT_SIMOS_FAILED;
}

int run_main(struct run_options *run, struct err *err)
{
    return run_with_sweeps(run, NULL, err);
}
