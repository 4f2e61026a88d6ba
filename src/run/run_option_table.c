/*
 * The options of a machine and its run: the table, and the functions that apply them.
 */
#include "src/run/run_options.h"

#include "cpu/model.h"
#include "src/base/save_file.h"
#include "src/command/option_values.h"
#include "src/command/shared_options.h"
#include "src/host/copy_files.h"
#include "src/description/machine_file.h"
#include "src/run/restore.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool set_param(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    return params_set(run->options.params, option->param, value, err);
}

/* A file that must be named: an empty parameter is the default. */
static bool set_param_file(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    return params_set(run->options.params, option->param, value, err);
}

static bool set_machine(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    (void)option;
    struct params *before = params_copy(run->options.params);
    bool done = machine_options_describe(&run->options, value, err);
    if (done && run->kind == RUN_KIND_RESTORE)
        restore_reset_fixed(run->options.params, before);
    params_free(before);
    run->machine_file = machine_text_find(value, NULL) ? NULL : value;
    return done;
}

/* An empty parameter means the built initrd; an empty argument means no initrd. */
static bool set_initrd(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    return params_set(run->options.params, option->param, *value ? value : "none", err);
}

/* Set the next free disk; for `restore`, the disks of the saved machine in order. */
static bool add_disk(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    const bool restored = run->kind == RUN_KIND_RESTORE;
    char name[32];
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    for (unsigned slot = restored ? run->disks_named++ : 0; slot < BOARD_DISKS; slot++) {
        snprintf(name, sizeof name, "machine.disk%u", slot);
        if (restored || !*params_string(run->options.params, name))
            return params_set(run->options.params, name, value, err);
    }
    return err_set(err, "--disk %.200s: at most %d disks", value, BOARD_DISKS);
}

static bool add_copy(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    struct err reason = {""};
    if (!run->options.copy)
        run->options.copy = copy_files_create();
    bool in = strcmp(option->name, "copy-in") == 0;
    return (in ? copy_files_add_in : copy_files_add_out)(run->options.copy, value, &reason) ||
           err_set(err, "--%s: %s", option->name, reason.text);
}

static bool add_switch(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    struct err reason = {""};
    return machine_options_add_switch(&run->options, value, &reason) ||
           err_set(err, "--%s \"%.64s\": %s", option->name, value, reason.text);
}

static bool set_table(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    static const char *const names[] = {
        [RUN_TABLE_FULL] = "full", [RUN_TABLE_SHORT] = "short", [RUN_TABLE_NONE] = "none"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], value) == 0) {
            run->table = (enum run_table)i;
            return true;
        }
    return err_set(err, "--%s: \"%.64s\" is not one of none, short, full", option->name, value);
}

/* Set the parameter NAME to VALUE, unless it is on already. */
static bool turn_on(struct params *params, const char *name, const char *value, struct err *err)
{
    return !params_is(params, name, "off") || params_set(params, name, value, err);
}

/* Turn on the parameters that a profile requires; what calls cost is in callgrind's format alone, a layout has no
 * misses, and pages have accesses alone. */
static bool set_profile(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    const char *const needed[][2] = {{"execution.counts", path_ends_with(value, ".callgrind") ? "calls" : "profile"},
                                     {"cache.classify", "full"},
                                     {"cache.profile", "both"}};
    const bool of_pages = path_ends_with(value, ".pages");
    const bool of_layout = path_ends_with(value, ".layout") || path_ends_with(value, ".functions");
    const size_t count = of_pages ? 0 : of_layout ? 1 : sizeof needed / sizeof needed[0];
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    run->profile_path = value;
    run->collect.profile = true;
    for (size_t i = 0; i < count; i++)
        if (!turn_on(run->options.params, needed[i][0], needed[i][1], err))
            return false;
    if (of_pages && !params_set(run->options.params, "page_mapping.profile", "on", err))
        return false;
    return true;
}

/* --record and --replay exclude each other. */
static bool set_tape(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    bool record = strcmp(option->name, "record") == 0;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    *(record ? &run->record_path : &run->replay_path) = value;
    return !run->record_path || !run->replay_path || err_set(err, "--record and --replay: only one of them");
}

/* FILE@EVENT is split at the first "@" that is followed by a valid event. */
static bool set_checkpoint(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    struct err reason = {""};
    if (run->checkpoint_path)
        return err_set(err, "--%s: only one in a run", option->name);
    for (const char *at = strchr(value, '@'); at; at = strchr(at + 1, '@')) {
        reason.text[0] = 0;
        if (at == value || !machine_event_parse(&run->checkpoint_event, at + 1, &reason))
            continue;
        run->checkpoint_path = run->checkpoint_file = strndup(value, (size_t)(at - value));
        run->checkpoint_at = at + 1;
        return true;
    }
    return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text[0] ? reason.text : "not FILE@EVENT");
}

static bool set_series(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    struct err reason = {""};
    if (run->series.folder)
        return err_set(err, "--%s: only one in a run", option->name);
    return series_plan_parse(&run->series, value, &reason) ||
           err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
}

static bool add_series(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    if (run->over_count == RUN_SERIES_MAX)
        return err_set(err, "--%s: at most %d series", option->name, RUN_SERIES_MAX);
    run->over[run->over_count++] = value;
    return true;
}

static bool set_max_insns(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    (void)option;
    return option_parse_count("--max-insns", value, 1, UINT64_MAX, &run->max_insns, err);
}

static bool set_window(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    bool warmup = strcmp(option->name, "warmup") == 0;
    run->window.wanted = true;
    return option_parse_count(warmup ? "--warmup" : "--window", value, warmup ? 0 : 1, UINT64_MAX,
                              warmup ? &run->window.warmup : &run->window.length, err);
}

static bool set_seconds(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    char *end;
    double seconds = strtod(value, &end);
    (void)option;
    if (end == value || *end || !isfinite(seconds) || seconds <= 0 || seconds > 1e9)
        return err_set(err, "--seconds: \"%.64s\" is not a number of simulated seconds above 0 and up to 1e9", value);
    run->seconds = seconds;
    return true;
}

static bool set_gdb(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    static const char save[] = ",save=";
    uint64_t port;
    char number[32];
    const size_t length = strcspn(value, ",");
    (void)option;
    if (value[length] && (strncmp(value + length, save, strlen(save)) != 0 || !value[length + strlen(save)]))
        return err_set(err, "--gdb \"%.128s\": expected PORT or PORT,save=FOLDER", value);
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number - 1), value);
    if (!option_parse_count("--gdb", number, 0, 65535, &port, err))
        return false;
    run->gdb_save = value[length] ? value + length + strlen(save) : NULL;
    run->gdb_port = (unsigned)port;
    run->gdb = true;
    return true;
}

static bool set_history(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    (void)option;
    run->history_wanted = true;
    free(run->history_series);
    if (!history_options_parse(&run->history, &run->history_series, value ? value : "", err))
        return false;
    return !run->history_series || run->kind == RUN_KIND_SHELL ||
           err_set(err, "--history: series=, the past of a run that has ended, is for `simos shell`");
}

static bool set_live(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    uint64_t port;
    (void)option;
    if (!option_parse_count("--live", value, 0, 65535, &port, err))
        return false;
    run->live_port = (unsigned)port;
    run->live_wanted = true;
    return true;
}

static bool set_lockstep(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    struct err reason = {""};
    struct params *params = params_copy(run->options.params);
    bool known = params_set(params, "cpu.model", value, &reason);
    params_free(params);
    run->lockstep = value;
    return known || err_set(err, "--%s: %s", option->name, reason.text);
}

/* Options that select collectors (src/observe/collect.h). */
static bool set_collect(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    static const struct {
        const char *name;
        bool (*parse)(struct collect_plan *plan, const char *text, struct err *err);
    } parts[] = {{"over-time", collect_parse_over_time},
                 {"stacks", collect_parse_stacks},
                 {"timeline", collect_parse_timeline},
                 {"samples", collect_parse_samples},
                 {"bbv", collect_parse_vectors}};
    struct err reason = {""};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].name, option->name) == 0 && !parts[i].parse(&run->collect, value, &reason))
            return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
    return strcmp(option->name, "bbv") != 0 || turn_on(run->options.params, "execution.counts", "profile", err);
}

static bool add_symbols(void *options, const struct option *option, const char *value, struct err *err)
{
    struct run_options *run = options;
    struct err reason = {""};
    return collect_add_symbols(&run->collect, value, &reason) ||
           err_set(err, "--%s %.300s: %s", option->name, value, reason.text);
}

/* Which commands have an option */
#define RUN      RUN_HAS(RUN)
#define RESTORE  RUN_HAS(RESTORE)
#define SWEEP    RUN_HAS(SWEEP)
#define WINDOWS  RUN_HAS(WINDOWS)
#define SHELL    RUN_HAS(SHELL)
#define CLUSTER  RUN_HAS(CLUSTER)
#define PARAMS   RUN_HAS(PARAMS)
#define RUNS     (RUN | RESTORE | SWEEP)
#define MACHINES (RUNS | SHELL | CLUSTER | PARAMS)

/* Uses in which an option has no effect */
#define LOCKSTEP   OPTION_USE(LOCKSTEP)
#define GDB        OPTION_USE(GDB)
#define NO_GDB     OPTION_USE(NO_GDB)
#define CHECKPOINT OPTION_USE(CHECKPOINT)
#define WINDOW     OPTION_USE(WINDOW)
#define LENGTH     OPTION_USE(LENGTH)
#define OVER       OPTION_USE(OVER)
#define ONLY_ONE   OPTION_USE(ONE_RUN)
#define JOBS       OPTION_USE(JOBS)
#define NO_STATS   OPTION_USE(NO_STATS)
#define NO_NAMES   OPTION_USE(NO_NAMES)
#define RESTORED   OPTION_USE(RESTORED)
#define PICTURE    OPTION_USE(PICTURE)
#define IN_SHELL   OPTION_USE(SHELL)
#define IN_CLUSTER OPTION_USE(CLUSTER)
#define NODE       OPTION_USE(NODE)
#define JOB        OPTION_USE(JOB)
#define TRACED     OPTION_USE(TRACE)
#define ONE_RUN    (JOBS | TRACED) /* of a machine: where none runs, or a file defines them */

#define MEMBER(path) .member = offsetof(struct run_options, path)

const struct option run_option_table[] = {
    {"machine", "NAME|FILE.tcl", OPTION_GROUP_MACHINE, OPTION_FIRST | OPTION_PASSED | OPTION_READS,
     "machine description (1994); `simos machines` lists them", set_machine, .without = JOBS,
     .has = MACHINES | WINDOWS},
    {"cpu", &cpu_model_choices[1], OPTION_GROUP_MACHINE, OPTION_PASSED, "CPU model (mipsy)", set_param,
     .without = ONE_RUN, .has = MACHINES | WINDOWS, .param = "cpu.model"},
    {"switch", "MODEL@EVENT", OPTION_GROUP_MACHINE, 0, "switch to this CPU model at EVENT; repeatable", add_switch,
     .without = ONE_RUN, .has = RUNS | SHELL | CLUSTER},
    {"cpus", "N", OPTION_GROUP_MACHINE, 0, "CPUs, 1..64 (1)", set_param, .without = ONE_RUN, .has = MACHINES,
     .param = "machine.cpus"},
    {"memory", "SIZE", OPTION_GROUP_MACHINE, 0, "RAM, up to 2G (128M)", set_param, .without = ONE_RUN, .has = MACHINES,
     .param = "machine.memory"},
    {OPTION_SET, .apply = option_set_assignment, .without = JOBS, .has = MACHINES | WINDOWS, MEMBER(options.params)},
    {OPTION_KERNEL, .apply = set_param_file, .without = ONE_RUN | PICTURE, .has = MACHINES, .param = "guest.kernel"},
    {"initrd", "FILE", OPTION_GROUP_GUEST, OPTION_READS, "initial RAM disk, or none (build/guest/initrd.cpio)",
     set_initrd, .without = ONE_RUN | RESTORED | PICTURE, .has = MACHINES, .param = "guest.initrd"},
    {"disk", "FILE[,ro|,write|,overlay=FILE]", OPTION_GROUP_GUEST, OPTION_READS,
     "disk image, read-only unless `write`; an overlay keeps the changes; repeatable", add_disk,
     .without = ONE_RUN | PICTURE, .has = MACHINES},
    {"net", "none|user|hub:ADDRESS", OPTION_GROUP_GUEST, 0,
     "network; user: through this host; user,forward=tcp:127.0.0.1:HOSTPORT:GUESTPORT: port forwarding (none)",
     set_param, .without = ONE_RUN | PICTURE, .has = MACHINES, .param = "machine.net"},
    {"pcap", "FILE", OPTION_GROUP_GUEST, OPTION_WRITES, "capture of network frames, for tcpdump or Wireshark",
     set_param_file, .without = ONE_RUN | JOB | PICTURE, .has = MACHINES, .param = "net.pcap"},
    {"console", "stdio|pty|file:PATH|none", OPTION_GROUP_GUEST, OPTION_WRITES, "the guest's console (stdio)", set_param,
     .without = ONE_RUN | IN_CLUSTER | PICTURE | IN_SHELL, .has = MACHINES, .param = "console.device"},
    {"copy-in", "PATH[:FOLDER]", OPTION_GROUP_GUEST, OPTION_HOST | OPTION_READS_BELOW,
     "copy host file or tree to guest FOLDER (/root)", add_copy, .without = ONE_RUN | JOB, .has = RUNS},
    {"copy-out", "PATH[:FOLDER]", OPTION_GROUP_GUEST, OPTION_HOST | OPTION_MAKES,
     "copy guest file or tree to host FOLDER (.), after the job; a PATH with a colon ends in :FOLDER", add_copy,
     .without = ONE_RUN | JOB, .has = RUNS},
    {"max-insns", "N", OPTION_GROUP_LIMITS, 0, "stop after N instructions of all CPUs since power-on, status 124",
     set_max_insns, .without = ONE_RUN | LENGTH, .has = RUNS | CLUSTER},
    {"seconds", "S", OPTION_GROUP_LIMITS, 0, "stop after S simulated seconds since power-on, status 124", set_seconds,
     .without = ONE_RUN | LENGTH, .has = RUNS | CLUSTER},
    {"warmup", "N", OPTION_GROUP_LIMITS, OPTION_PASSED, "warm-up of N instructions by embra (0: none), not counted",
     set_window, .has = RESTORE | WINDOWS},
    {"window", "N", OPTION_GROUP_LIMITS, OPTION_PASSED, "measure the next N instructions and stop, status 0",
     set_window, .has = RESTORE | WINDOWS},
    {"partial", NULL, OPTION_GROUP_LIMITS, 0, NULL, option_set_flag, .has = RESTORE, MEMBER(window.partial)},
    {"stats", "FILE.json", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES, "all statistics at the end of the run",
     option_set_file, .without = ONE_RUN | JOB, .has = RUNS | CLUSTER, MEMBER(stats_path)},
    {"provenance", NULL, OPTION_GROUP_RESULTS, 0,
     "also the command line and the checksums of all files that the run reads, in the file of --stats", option_set_flag,
     .without = LOCKSTEP | NODE | NO_STATS, .has = RUN | RESTORE, MEMBER(provenance_wanted)},
    {"table", "none|short|full", OPTION_GROUP_RESULTS, 0, "table of results at the end of the run, on stderr (full)",
     set_table, .without = ONE_RUN, .has = RUNS | CLUSTER},
    {"profile", "FILE", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "misses and stalls by routine and by data, turns cache.profile on; as the name ends: .json; .callgrind, .pb.gz, "
     ".perf (by instruction, for KCachegrind, pprof, flame graphs); .layout (a map for cache.layout, and FILE.guards); "
     ".functions (the layout's order of the kernel's functions, for a linker); .points (for prefetch.points); .pages "
     "(for page_mapping.hints)",
     set_profile, .without = ONE_RUN | JOB, .has = RUNS | CLUSTER},
    {"symbols", "FOLDER", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_READS_BELOW,
     "the guest's files or their debug symbols, for names of routines (--profile, --stacks, --script); repeat for "
     "more",
     add_symbols, .without = LOCKSTEP | NODE | NO_NAMES, .has = RUN | RESTORE},
    {"over-time", "DURATION", OPTION_GROUP_RESULTS, 0, "execution time by interval, in the file of --stats",
     set_collect, .without = LOCKSTEP | GDB | NODE | NO_STATS, .has = RUN | RESTORE},
    {"stacks", "FILE[,of=stall][,every=DURATION]", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "folded stacks for flame graphs: process, services, routine, with cycles (or stall); turns services on",
     set_collect, .without = LOCKSTEP | GDB | NODE | JOB, .has = RUN | RESTORE},
    {"timeline", "FILE.json[,from=EVENT][,to=EVENT][,events=N]", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "time line for Perfetto: processes, services, interrupts, disks; turns services on", set_collect,
     .without = LOCKSTEP | GDB | NODE | JOB, .has = RUN | RESTORE},
    {"samples", "FILE.csv|FILE.vcd", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "the trace buffers of the script's logic analysers; .vcd: for GTKWave", set_collect,
     .without = LOCKSTEP | GDB | NODE | JOB, .has = RUN | RESTORE},
    {"bbv", "FILE.bb,every=N[,from=EVENT]", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "basic-block vectors of every N instructions, for SimPoint; turns execution.counts on", set_collect,
     .without = LOCKSTEP | GDB | NODE | JOB, .has = RUN | RESTORE},
    {"trace", "FILE", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_WRITES,
     "memory-reference trace; `simos params trace` lists its parameters", option_set_file,
     .without = ONE_RUN | LOCKSTEP | GDB | NODE | JOB, .has = RUN | RESTORE | SWEEP, MEMBER(trace_path)},
    {"checkpoint", "FILE@EVENT", OPTION_GROUP_CHECKPOINTS, OPTION_HOST | OPTION_WRITES,
     "save the whole machine at EVENT; the run continues", set_checkpoint,
     .without = LOCKSTEP | GDB | WINDOW | NODE | JOB, .has = RUN | RESTORE},
    {"series", "FOLDER,every=N[,from=EVENT]", OPTION_GROUP_CHECKPOINTS, OPTION_HOST | OPTION_MAKES,
     "incremental checkpoints every N instructions", set_series, .without = LOCKSTEP | CHECKPOINT | WINDOW | NODE | JOB,
     .has = RUN | RESTORE},
    {"record", "FILE", OPTION_GROUP_CHECKPOINTS, OPTION_HOST | OPTION_WRITES, "record all external input, for --replay",
     set_tape, .without = LOCKSTEP | GDB | OVER | WINDOW | NODE | JOB, .has = RUN | RESTORE | SHELL},
    {"replay", "FILE", OPTION_GROUP_CHECKPOINTS, OPTION_HOST | OPTION_READS,
     "repeat a recorded run; all input comes from FILE", set_tape, .without = LOCKSTEP | OVER | WINDOW | NODE | JOB,
     .has = RUN | RESTORE | SHELL},
    {"over", "SERIES|figure-4.6|figure-4.7|figure-5.3", OPTION_GROUP_SWEEPS, 0,
     "NAME=FIRST..LAST, or that of a figure of SOSP'95; repeat for more", add_series,
     .without = JOBS | LOCKSTEP | GDB | JOB, .has = RESTORE | SWEEP},
    {OPTION_OUT, .apply = option_set_prefix, .without = ONLY_ONE | JOB, .has = RESTORE | SWEEP | WINDOWS, MEMBER(out)},
    {"script", "FILE.tcl|services|misses|cycles", OPTION_GROUP_OBSERVE, OPTION_HOST | OPTION_PASSED | OPTION_READS,
     "annotations: Tcl that observes the run; services: time by operating system service; misses, cycles: also misses, "
     "or all cycles, by place",
     option_set_file, .without = LOCKSTEP | GDB | NODE, .has = RUN | RESTORE | WINDOWS, MEMBER(annotations)},
    {"gdb", "PORT[,save=FOLDER]", OPTION_GROUP_OBSERVE, OPTION_HOST | OPTION_MAKES,
     "wait for a debugger on 127.0.0.1:PORT; it may save checkpoints as new files in FOLDER", set_gdb,
     .without = ONE_RUN | LOCKSTEP | WINDOW | NODE | JOB, .has = RUNS},
    {"history", "[every=N][,memory=SIZE][,series=FOLDER]", OPTION_GROUP_OBSERVE, 0,
     "keep the past, to go back to: `help back` in the shell, reverse-step in gdb; a snapshot every N instructions (as "
     "the host's time allows), of SIZE together (1G); in the shell the past of the run that took the series in FOLDER",
     set_history, .without = ONE_RUN | LOCKSTEP | WINDOW | NODE | JOB | NO_GDB, .has = RUN | RESTORE | SHELL},
    {"live", "PORT", OPTION_GROUP_OBSERVE, OPTION_HOST,
     "serve the page of `report --html` on localhost:PORT while the run goes on", set_live,
     .without = LOCKSTEP | OVER | NODE | JOB, .has = RUN | RESTORE},
    {"lockstep", "MODEL", OPTION_GROUP_OBSERVE, 0, "compare with this CPU model in lockstep, stop at a difference",
     set_lockstep, .without = ONE_RUN | WINDOW | NODE | JOB, .has = RUNS},
    {OPTION_TRUST_FILES, .apply = option_set_flag, .without = TRACED, .has = (MACHINES | WINDOWS) & ~PARAMS,
     MEMBER(options.trust)},
    {"from", "FILE", OPTION_GROUP_OTHER, OPTION_ORIGIN | OPTION_HOST, NULL, NULL, .has = MACHINES | WINDOWS},
    {OPTION_QUIET, .apply = option_set_flag, .without = TRACED, .has = RUNS | WINDOWS | SHELL | CLUSTER,
     MEMBER(options.quiet)},
    {.name = NULL},
};
