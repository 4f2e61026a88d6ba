/* `simos run --lockstep MODEL`. */
#include "src/run/lockstep.h"

#include "src/base/board.h"
#include "src/observe/console.h"
#include "src/base/host_time.h"
#include "src/machine/machine_model.h"
#include "src/run/restore.h"
#include "src/run/run.h"
#include "src/run/salvage.h"
#include <inttypes.h>
#include <string.h>

struct lockstep_run {
    const struct run_options *run;
    struct console *console;
};

/* Give both machines the same quantum; otherwise their CPU models would choose it. */
static void fix_quantum(struct params *params)
{
    char quantum[16];
    snprintf(quantum, sizeof quantum, "%d", MACHINE_QUANTUM);
    if (params_u64(params, "machine.quantum") == 0)
        params_set(params, "machine.quantum", quantum, NULL);
}

static struct machine *build(void *opaque, unsigned side, bool quiet, const struct machine_host *host,
                             void *host_opaque, struct err *err)
{
    const struct lockstep_run *both = opaque;
    struct machine_options options = both->run->options;
    options.params = params_copy(options.params);
    fix_quantum(options.params);
    options.quiet |= quiet;
    struct restore *restore = both->run->restore;
    if (side == 1)
        options.switch_count = 0; /* side 1 keeps the model of --lockstep throughout */
    struct machine *machine = NULL;
    if (side == 0 || params_set(options.params, "cpu.model", both->run->lockstep, err))
        machine = machine_create(&options, host, host_opaque, err);
    if (machine && !(restore ? restore_load(restore, machine, err) : machine_load(machine, err))) {
        machine_free(machine);
        machine = NULL;
    }
    params_free(options.params);
    return machine;
}

/* Before the search: it uses no console, and any signal ends it. */
static void searching(void *opaque, uint64_t insns)
{
    const struct lockstep_run *both = opaque;
    console_flush(both->console, NULL);
    console_release_signals(both->console);
    fprintf(stderr, "lockstep: a difference at or before instruction %" PRIu64 "; looking for the first one\n", insns);
}

/* A writable disk image would be written by both machines. */
static bool reject_writable_disks(const struct run_options *run, struct err *err)
{
    static const char mode[] = ",write", overlay[] = ",overlay=";
    for (unsigned slot = 0; slot < BOARD_DISKS; slot++) {
        char name[32];
        snprintf(name, sizeof name, "machine.disk%u", slot);
        const char *disk = params_string(run->options.params, name);
        size_t length = strlen(disk);
        bool through = length >= sizeof mode - 1 && strcmp(disk + length - (sizeof mode - 1), mode) == 0;
        if (through || strstr(disk, overlay))
            return err_set(err, "--lockstep: disk %.200s may not be written: two machines would write to it", disk);
    }
    return true;
}

/* Network input would arrive at a different time in each machine, and a capture would contain both. */
static bool reject_network(const struct run_options *run, struct err *err)
{
    if (strcmp(params_string(run->options.params, "machine.net"), "none") != 0)
        return err_set(err, "--lockstep: requires machine.net=none");
    return true;
}

static bool check_line(const struct run_options *run, struct err *err)
{
    return reject_writable_disks(run, err) && reject_network(run, err);
}

int lockstep_in_console(const struct run_options *run, struct console *console, double started, struct err *err)
{
    struct lockstep_run both = {run, console};
    const struct lockstep_setup setup = {
        .build = build,
        .opaque = &both,
        .name = {params_string(run->options.params, "cpu.model"), run->lockstep},
        .host = &console_host,
        .host_opaque = console,
        .searching = searching,
        .limits = run_limits(run),
        .report = stderr,
    };
    if (!check_line(run, err))
        return EXIT_SIMOS_FAILED;
    struct lockstep *lockstep = lockstep_create(&setup, err);
    if (!lockstep)
        return EXIT_SIMOS_FAILED;
    struct machine *machine = lockstep_machine(lockstep, 0);
    enum machine_stop reason;
    console_close_input(console);
    console_attach(console, machine);
    console_expect(console, &setup.limits);
    double loaded = host_seconds();
    int status = EXIT_SIMOS_FAILED;
    struct salvage salvage;
    salvage_begin(&salvage, run, machine, NULL, console);
    bool same = lockstep_run(lockstep, &reason, err);
    double ended = host_seconds();
    if (console_flush(console, err) && same) {
        status = run_finish(run, machine, NULL, reason, loaded - started, ended - loaded, err);
        if (reason != MACHINE_STOP_REQUEST)
            fprintf(stderr,
                    "lockstep: %s and %s are the same after %" PRIu64 " instructions; compared %" PRIu64
                    " times, all of RAM %" PRIu64 " times\n",
                    setup.name[0], setup.name[1], machine_insns(machine), lockstep_comparisons(lockstep),
                    lockstep_memory_comparisons(lockstep));
    }
    salvage_end(&salvage);
    lockstep_free(lockstep);
    return status;
}
