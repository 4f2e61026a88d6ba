/*
 * The options of the command line: the table, and the functions that apply them.
 */
#include "src/cli/command_options.h"

#include "src/base/save_file.h"
#include "src/cli/command_uses.h"
#include "src/host/copy_files.h"
#include "src/description/machine_file.h"
#include "src/page/page.h"
#include "src/run/restore.h"
#include "src/trace/trace_export.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool set_param(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    return params_set(line->run.options.params, option->param, value, err);
}

/* A file that must be named: an empty parameter is the default. */
static bool set_file(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    return params_set(line->run.options.params, option->param, value, err);
}

/* --kernel: of `test` up to two, the old and the new one. */
static bool set_kernel(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (line->subcommand != SUBCOMMAND_TEST)
        return set_file(line, option, value, err);
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (line->regress.kernel_count == REGRESS_KERNELS_MAX)
        return err_set(err, "--%s: at most two, the old one and the new one", option->name);
    line->regress.kernels[line->regress.kernel_count++] = value;
    return true;
}

static bool set_machine(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option;
    struct params *before = params_copy(line->run.options.params);
    bool done = machine_options_describe(&line->run.options, value, err);
    if (done && line->subcommand == SUBCOMMAND_RESTORE)
        restore_reset_fixed(line->run.options.params, before);
    params_free(before);
    line->run.machine_file = machine_text_find(value, NULL) ? NULL : value;
    return done;
}

static bool set_assignment(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (*value == '=' || !strchr(value, '='))
        return err_set(err, "--%s: \"%.128s\" is not NAME=VALUE", option->name, value);
    line->assigned = checked_memory(realloc(line->assigned, (line->assigned_count + 1u) * sizeof *line->assigned));
    line->assigned[line->assigned_count++] = value;
    return params_set_assignment(line->run.options.params, value, err);
}

/* An empty parameter means the built initrd; an empty argument means no initrd. */
static bool set_initrd(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    return params_set(line->run.options.params, option->param, *value ? value : "none", err);
}

/* Set the next free disk; for `restore`, the disks of the saved machine in order. */
static bool add_disk(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    const bool restored = line->subcommand == SUBCOMMAND_RESTORE;
    char name[32];
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    for (unsigned slot = restored ? line->disks_named++ : 0; slot < BOARD_DISKS; slot++) {
        snprintf(name, sizeof name, "machine.disk%u", slot);
        if (restored || !*params_string(line->run.options.params, name))
            return params_set(line->run.options.params, name, value, err);
    }
    return err_set(err, "--disk %.200s: at most %d disks", value, BOARD_DISKS);
}

static bool add_copy(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (!line->run.options.copy)
        line->run.options.copy = copy_files_create();
    bool in = strcmp(option->name, "copy-in") == 0;
    return (in ? copy_files_add_in : copy_files_add_out)(line->run.options.copy, value, &reason) ||
           err_set(err, "--%s: %s", option->name, reason.text);
}

static bool add_switch(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    return machine_options_add_switch(&line->run.options, value, &reason) ||
           err_set(err, "--%s \"%.64s\": %s", option->name, value, reason.text);
}

static bool set_stats(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->run.stats_path = value;
    return true;
}

static bool set_table(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    static const char *const names[] = {
        [RUN_TABLE_FULL] = "full", [RUN_TABLE_SHORT] = "short", [RUN_TABLE_NONE] = "none"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], value) == 0) {
            line->run.table = (enum run_table)i;
            return true;
        }
    return err_set(err, "--%s: \"%.64s\" is not one of none, short, full", option->name, value);
}

/* Set the parameter NAME to VALUE, unless it is on already. */
static bool turn_on(struct params *params, const char *name, const char *value, struct err *err)
{
    return strcmp(params_string(params, name), "off") != 0 || params_set(params, name, value, err);
}

/* Turn on the parameters that a profile requires; what calls cost is in callgrind's format alone, a layout has no
 * misses, and pages have accesses alone. */
static bool set_profile(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    const char *const needed[][2] = {{"execution.counts", path_ends_with(value, ".callgrind") ? "calls" : "profile"},
                                     {"cache.classify", "full"},
                                     {"cache.profile", "both"}};
    const bool of_pages = path_ends_with(value, ".pages");
    const bool of_layout = path_ends_with(value, ".layout") || path_ends_with(value, ".functions");
    const size_t count = of_pages ? 0 : of_layout ? 1 : sizeof needed / sizeof needed[0];
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->run.profile_path = value;
    line->run.collect.profile = true;
    for (size_t i = 0; i < count; i++)
        if (!turn_on(line->run.options.params, needed[i][0], needed[i][1], err))
            return false;
    if (of_pages && !params_set(line->run.options.params, "page_mapping.profile", "on", err))
        return false;
    return true;
}

static bool set_trace(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->run.trace_path = value;
    return true;
}

/* --record and --replay exclude each other. */
static bool set_tape(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool record = strcmp(option->name, "record") == 0;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    *(record ? &line->run.record_path : &line->run.replay_path) = value;
    return !line->run.record_path || !line->run.replay_path || err_set(err, "--record and --replay: only one of them");
}

/* FILE@EVENT is split at the first "@" that is followed by a valid event. */
static bool set_checkpoint(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (line->run.checkpoint_path)
        return err_set(err, "--%s: only one in a run", option->name);
    for (const char *at = strchr(value, '@'); at; at = strchr(at + 1, '@')) {
        reason.text[0] = 0;
        if (at == value || !machine_event_parse(&line->run.checkpoint_event, at + 1, &reason))
            continue;
        line->run.checkpoint_path = line->run.checkpoint_file = strndup(value, (size_t)(at - value));
        line->run.checkpoint_at = at + 1;
        return true;
    }
    return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text[0] ? reason.text : "not FILE@EVENT");
}

static bool set_series(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (line->run.series.folder)
        return err_set(err, "--%s: only one in a run", option->name);
    return series_plan_parse(&line->run.series, value, &reason) ||
           err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
}

static bool add_series(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (line->run.over_count == RUN_SERIES_MAX)
        return err_set(err, "--%s: at most %d series", option->name, RUN_SERIES_MAX);
    line->run.over[line->run.over_count++] = value;
    return true;
}

static bool set_format(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    line->trace_export = trace_export_find(value);
    return line->trace_export || err_set(err, "--%s: \"%.64s\" is not one of %s", option->name, value, TRACE_FORMATS);
}

static bool set_out(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (value[strlen(value) - 1] == '/')
        return err_set(err, "--%s: %s ends in a slash: a PREFIX is the beginning of the files' names", option->name,
                       value);
    line->run.out = value;
    return true;
}

static bool parse_count(const char *name, const char *value, uint64_t low, uint64_t high, uint64_t *number,
                        struct err *err)
{
    const struct param_def def = {.name = name, .type = PARAM_INT, .min = low, .max = high};
    return param_parse(&def, value, number, err);
}

/* --junit, --tap, --json */
static bool set_result(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    const char **path = strcmp(option->name, "junit") == 0 ? &line->regress.junit_path
                        : strcmp(option->name, "tap") == 0 ? &line->regress.tap_path
                                                           : &line->regress.json_path;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    *path = value;
    return true;
}

static bool set_bless(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->regress.bless = true;
    return true;
}

static bool set_confirm(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    uint64_t causes = 0;
    (void)option;
    if (!parse_count("--confirm", value, 1, EXPLAIN_CONFIRM_MAX, &causes, err))
        return false;
    line->explain.confirm = (unsigned)causes;
    return true;
}

static bool set_jobs(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    uint64_t jobs = 0;
    (void)option;
    if (!parse_count("--jobs", value, 1, 1024, &jobs, err))
        return false;
    line->jobs = (unsigned)jobs;
    return true;
}

/* I/N */
static bool set_part(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    int length = 0;
    if (!isdigit((unsigned char)*value) || sscanf(value, "%6u/%6u%n", &line->part, &line->parts, &length) != 2 ||
        value[length] || line->part >= line->parts)
        return err_set(err, "--%s: \"%.64s\" is not I/N, with I from 0 to N - 1", option->name, value);
    return true;
}

static bool set_merge(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->merge = true;
    return true;
}

static bool set_slurm(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    line->slurm = value ? COMMAND_LINE_SLURM_WRITE : COMMAND_LINE_SLURM_SUBMIT;
    return !value || strcmp(value, "write") == 0 ||
           err_set(err, "--%s: \"%.64s\" is not \"write\"", option->name, value);
}

static bool set_max_insns(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option;
    return parse_count("--max-insns", value, 1, UINT64_MAX, &line->run.max_insns, err);
}

static bool set_window(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool warmup = strcmp(option->name, "warmup") == 0;
    line->run.window.wanted = true;
    return parse_count(warmup ? "--warmup" : "--window", value, warmup ? 0 : 1, UINT64_MAX,
                       warmup ? &line->run.window.warmup : &line->run.window.length, err);
}

/* Internal option --partial: of the jobs of `windows`, which leaves incomplete windows out itself. */
static bool set_partial(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->run.window.partial = true;
    return true;
}

static bool set_confidence(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    char *end;
    double percent = strtod(value, &end);
    (void)option;
    if (end == value || *end || !(percent >= 50 && percent <= 99.9999))
        return err_set(err, "--confidence: \"%.64s\" is not a percentage from 50 to 99.9999", value);
    line->confidence = percent;
    return true;
}

/* --simpoints FILE.simpoints[,each=M] */
static bool set_simpoints(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    static const char each[] = ",each=";
    enum { EACH = 3, EACH_MAX = 1000 };
    const char *at = strstr(value, each);
    uint64_t number = EACH;
    if (!*value || at == value)
        return err_set(err, "--%s: no file is named", option->name);
    if (at && !parse_count("--simpoints, each", at + strlen(each), 1, EACH_MAX, &number, err))
        return false;
    free(line->simpoints);
    line->simpoints = checked_memory(at ? strndup(value, (size_t)(at - value)) : strdup(value));
    line->each = (unsigned)number;
    return true;
}

static bool set_seconds(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    char *end;
    double seconds = strtod(value, &end);
    (void)option;
    if (end == value || *end || !isfinite(seconds) || seconds <= 0 || seconds > 1e9)
        return err_set(err, "--seconds: \"%.64s\" is not a number of simulated seconds above 0 and up to 1e9", value);
    line->run.seconds = seconds;
    return true;
}

static bool set_gdb(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    static const char save[] = ",save=";
    uint64_t port;
    char number[32];
    const size_t length = strcspn(value, ",");
    (void)option;
    if (value[length] && (strncmp(value + length, save, strlen(save)) != 0 || !value[length + strlen(save)]))
        return err_set(err, "--gdb \"%.128s\": expected PORT or PORT,save=FOLDER", value);
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number - 1), value);
    if (!parse_count("--gdb", number, 0, 65535, &port, err))
        return false;
    line->run.gdb_save = value[length] ? value + length + strlen(save) : NULL;
    line->run.gdb_port = (unsigned)port;
    line->run.gdb = true;
    return true;
}

static bool set_live(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    uint64_t port;
    (void)option;
    if (!parse_count("--live", value, 0, 65535, &port, err))
        return false;
    line->run.live_port = (unsigned)port;
    line->run.live_wanted = true;
    return true;
}

static bool set_provenance(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->run.provenance_wanted = true;
    return true;
}

static bool set_lockstep(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    struct params *params = params_copy(line->run.options.params);
    bool known = params_set(params, "cpu.model", value, &reason);
    params_free(params);
    line->run.lockstep = value;
    return known || err_set(err, "--%s: %s", option->name, reason.text);
}

static bool set_quiet(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->run.options.quiet = true;
    return true;
}

static bool set_picture(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->picture = true;
    return true;
}

static bool set_report(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (value && !*value)
        return err_set(err, "--%s: no folder is named", option->name);
    line->report.compare |= !value;
    line->report.svg = value ? value : line->report.svg;
    return true;
}

static bool set_html(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    line->report.html = value;
    line->report.save_page = page_save;
    return *value || err_set(err, "--%s: no file is named", option->name);
}

static bool set_mcpat(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    line->report.mcpat = value;
    return *value || err_set(err, "--%s: no file is named", option->name);
}

static bool set_services(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (value && strcmp(value, "json") != 0)
        return err_set(err, "--%s: \"%.64s\" is not json", option->name, value);
    line->report.services = value ? value : "text";
    return true;
}

static bool set_script(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->run.annotations = value;
    return true;
}

/* Options that select collectors (src/observe/collect.h). */
static bool set_collect(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
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
        if (strcmp(parts[i].name, option->name) == 0 && !parts[i].parse(&line->run.collect, value, &reason))
            return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
    return strcmp(option->name, "bbv") != 0 || turn_on(line->run.options.params, "execution.counts", "profile", err);
}

static bool add_symbols(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    return collect_add_symbols(&line->run.collect, value, &reason) ||
           err_set(err, "--%s %.300s: %s", option->name, value, reason.text);
}

static bool set_trust(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->run.options.trust = true;
    return true;
}

/* Internal option --from FILE: marks the words after it as taken from FILE. */
static bool set_origin(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)err;
    line->origin = line->run.options.trust ? NULL : value;
    params_set_origin(line->run.options.params, line->origin);
    return true;
}

/* Sets of commands */
#define RUN      SUBCOMMAND_BIT(SUBCOMMAND_RUN)
#define RESTORE  SUBCOMMAND_BIT(SUBCOMMAND_RESTORE)
#define SWEEP    SUBCOMMAND_BIT(SUBCOMMAND_SWEEP)
#define WINDOWS  SUBCOMMAND_BIT(SUBCOMMAND_WINDOWS)
#define REPORT   SUBCOMMAND_BIT(SUBCOMMAND_REPORT)
#define TRACE    SUBCOMMAND_BIT(SUBCOMMAND_TRACE)
#define SHELL    SUBCOMMAND_BIT(SUBCOMMAND_SHELL)
#define CLUSTER  SUBCOMMAND_BIT(SUBCOMMAND_CLUSTER)
#define PARAMS   SUBCOMMAND_BIT(SUBCOMMAND_PARAMS)
#define TEST     SUBCOMMAND_BIT(SUBCOMMAND_TEST)
#define EXPLAIN  SUBCOMMAND_BIT(SUBCOMMAND_EXPLAIN)
#define RUNS     (RUN | RESTORE | SWEEP)
#define MACHINES (RUNS | SHELL | CLUSTER | PARAMS)

/* Uses in which an option has no effect */
#define LOCKSTEP   USE_BIT(USE_LOCKSTEP)
#define GDB        USE_BIT(USE_GDB)
#define CHECKPOINT USE_BIT(USE_CHECKPOINT)
#define WINDOW     USE_BIT(USE_WINDOW)
#define LENGTH     USE_BIT(USE_LENGTH)
#define OVER       USE_BIT(USE_OVER)
#define ONLY_ONE   USE_BIT(USE_ONE_RUN)
#define JOBS       USE_BIT(USE_JOBS)
#define NO_JOBS    USE_BIT(USE_NO_JOBS)
#define PART       USE_BIT(USE_PART)
#define MERGE      USE_BIT(USE_MERGE)
#define SLURM      USE_BIT(USE_SLURM)
#define NO_STATS   USE_BIT(USE_NO_STATS)
#define NO_NAMES   USE_BIT(USE_NO_NAMES)
#define COMPARE    USE_BIT(USE_COMPARE)
#define SERVICES   USE_BIT(USE_SERVICES)
#define RESTORED   USE_BIT(USE_RESTORED)
#define PICTURE    USE_BIT(USE_PICTURE)
#define IN_SHELL   USE_BIT(USE_SHELL)
#define IN_CLUSTER USE_BIT(USE_CLUSTER)
#define NODE       USE_BIT(USE_NODE)
#define JOB        USE_BIT(USE_JOB)
#define TRACED     USE_BIT(USE_TRACE)
#define BLESS      USE_BIT(USE_BLESS)
#define ONE_RUN    (JOBS | TRACED) /* of a machine: where none runs, or a file defines them */

const char *const command_option_groups[COMMAND_GROUPS] = {
    [COMMAND_GROUP_MACHINE] = "The machine",
    [COMMAND_GROUP_GUEST] = "The guest and its connections",
    [COMMAND_GROUP_LIMITS] = "Limits",
    [COMMAND_GROUP_RESULTS] = "Results",
    [COMMAND_GROUP_CHECKPOINTS] = "Checkpoints and records",
    [COMMAND_GROUP_SWEEPS] = "Many runs",
    [COMMAND_GROUP_OBSERVE] = "Observation",
    [COMMAND_GROUP_OTHER] = "Other",
};

const struct option command_options[] = {
    {"machine", "NAME|FILE.tcl", COMMAND_GROUP_MACHINE, MACHINES | WINDOWS,
     OPTION_FIRST | OPTION_OF_EACH_WINDOW | OPTION_READS, set_machine, NULL,
     "machine description (1994); `simos machines` lists them", JOBS},
    {"cpu", &cpu_model_choices[1], COMMAND_GROUP_MACHINE, MACHINES | WINDOWS, OPTION_OF_EACH_WINDOW, set_param,
     "cpu.model", "CPU model (mipsy)", ONE_RUN},
    {"switch", "MODEL@EVENT", COMMAND_GROUP_MACHINE, RUNS | SHELL | CLUSTER, 0, add_switch, NULL,
     "switch to this CPU model at EVENT; repeatable", ONE_RUN},
    {"cpus", "N", COMMAND_GROUP_MACHINE, MACHINES, 0, set_param, "machine.cpus", "CPUs, 1..16 (1)", ONE_RUN},
    {"memory", "SIZE", COMMAND_GROUP_MACHINE, MACHINES, 0, set_param, "machine.memory", "RAM, up to 2G (128M)",
     ONE_RUN},
    {"set", "NAME=VALUE", COMMAND_GROUP_MACHINE, MACHINES | WINDOWS | TRACE, OPTION_OF_EACH_WINDOW, set_assignment,
     NULL, "any parameter; `simos params` lists them", JOBS},
    {"kernel", "FILE", COMMAND_GROUP_GUEST, MACHINES | TEST, OPTION_READS, set_kernel, "guest.kernel",
     "kernel, boot ROM or bare program; FILE@ADDRESS: raw bytes (build/guest/vmlinux)", ONE_RUN | PICTURE},
    {"initrd", "FILE", COMMAND_GROUP_GUEST, MACHINES, OPTION_READS, set_initrd, "guest.initrd",
     "initial RAM disk, or none (build/guest/initrd.cpio)", ONE_RUN | RESTORED | PICTURE},
    {"disk", "FILE[,ro|,write|,overlay=FILE]", COMMAND_GROUP_GUEST, MACHINES, OPTION_READS, add_disk, NULL,
     "disk image, read-only unless `write`; an overlay keeps the changes; repeatable", ONE_RUN | PICTURE},
    {"net", "none|user|hub:ADDRESS", COMMAND_GROUP_GUEST, MACHINES, 0, set_param, "machine.net",
     "network; user: through this host; user,forward=tcp:127.0.0.1:HOSTPORT:GUESTPORT: port forwarding (none)",
     ONE_RUN | PICTURE},
    {"pcap", "FILE", COMMAND_GROUP_GUEST, MACHINES, OPTION_WRITES, set_file, "net.pcap",
     "capture of network frames, for tcpdump or Wireshark", ONE_RUN | JOB | PICTURE},
    {"console", "stdio|pty|file:PATH|none", COMMAND_GROUP_GUEST, MACHINES, OPTION_WRITES, set_param, "console.device",
     "the guest's console (stdio)", ONE_RUN | IN_CLUSTER | PICTURE | IN_SHELL},
    {"copy-in", "PATH[:FOLDER]", COMMAND_GROUP_GUEST, RUNS, OPTION_HOST | OPTION_READS_BELOW, add_copy, NULL,
     "copy host file or tree to guest FOLDER (/root)", ONE_RUN | JOB},
    {"copy-out", "PATH[:FOLDER]", COMMAND_GROUP_GUEST, RUNS, OPTION_HOST | OPTION_MAKES, add_copy, NULL,
     "copy guest file or tree to host FOLDER (.), after the job; a PATH with a colon ends in :FOLDER", ONE_RUN | JOB},
    {"max-insns", "N", COMMAND_GROUP_LIMITS, RUNS | CLUSTER, 0, set_max_insns, NULL,
     "stop after N instructions of all CPUs since power-on, status 124", ONE_RUN | LENGTH},
    {"seconds", "S", COMMAND_GROUP_LIMITS, RUNS | CLUSTER, 0, set_seconds, NULL,
     "stop after S simulated seconds since power-on, status 124", ONE_RUN | LENGTH},
    {"warmup", "N", COMMAND_GROUP_LIMITS, RESTORE | WINDOWS, OPTION_OF_EACH_WINDOW, set_window, NULL,
     "warm-up of N instructions by embra (0: none), not counted", 0},
    {"window", "N", COMMAND_GROUP_LIMITS, RESTORE | WINDOWS, OPTION_OF_EACH_WINDOW, set_window, NULL,
     "measure the next N instructions and stop, status 0", 0},
    {"partial", NULL, COMMAND_GROUP_LIMITS, RESTORE, 0, set_partial, NULL, NULL, 0},
    {"stats", "FILE.json", COMMAND_GROUP_RESULTS, RUNS | CLUSTER, OPTION_HOST | OPTION_WRITES, set_stats, NULL,
     "all statistics at the end of the run", ONE_RUN | JOB},
    {"provenance", NULL, COMMAND_GROUP_RESULTS, RUN | RESTORE, 0, set_provenance, NULL,
     "also the command line and the checksums of all files that the run reads, in the file of --stats",
     LOCKSTEP | NODE | NO_STATS},
    {"table", "none|short|full", COMMAND_GROUP_RESULTS, RUNS | CLUSTER, 0, set_table, NULL,
     "table of results at the end of the run, on stderr (full)", ONE_RUN},
    {"profile", "FILE", COMMAND_GROUP_RESULTS, RUNS | CLUSTER, OPTION_HOST | OPTION_WRITES, set_profile, NULL,
     "misses and stalls by routine and by data, turns cache.profile on; as the name ends: .json; .callgrind, .pb.gz, "
     ".perf (by instruction, for KCachegrind, pprof, flame graphs); .layout (a map for cache.layout, and FILE.guards); "
     ".functions (the layout's order of the kernel's functions, for a linker); .points (for prefetch.points); .pages "
     "(for page_mapping.hints)",
     ONE_RUN | JOB},
    {"symbols", "FOLDER", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST | OPTION_READS_BELOW, add_symbols, NULL,
     "the guest's files or their debug symbols, for names of routines (--profile, --stacks, --script); repeat for "
     "more",
     LOCKSTEP | NODE | NO_NAMES},
    {"over-time", "DURATION", COMMAND_GROUP_RESULTS, RUN | RESTORE, 0, set_collect, NULL,
     "execution time by interval, in the file of --stats", LOCKSTEP | GDB | NODE | NO_STATS},
    {"stacks", "FILE[,of=stall][,every=DURATION]", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST | OPTION_WRITES,
     set_collect, NULL,
     "folded stacks for flame graphs: process, services, routine, with cycles (or stall); turns services on",
     LOCKSTEP | GDB | NODE | JOB},
    {"timeline", "FILE.json[,from=EVENT][,to=EVENT][,events=N]", COMMAND_GROUP_RESULTS, RUN | RESTORE,
     OPTION_HOST | OPTION_WRITES, set_collect, NULL,
     "time line for Perfetto: processes, services, interrupts, disks; turns services on", LOCKSTEP | GDB | NODE | JOB},
    {"samples", "FILE.csv|FILE.vcd", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST | OPTION_WRITES, set_collect,
     NULL, "the trace buffers of the script's logic analysers; .vcd: for GTKWave", LOCKSTEP | GDB | NODE | JOB},
    {"bbv", "FILE.bb,every=N[,from=EVENT]", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST | OPTION_WRITES,
     set_collect, NULL, "basic-block vectors of every N instructions, for SimPoint; turns execution.counts on",
     LOCKSTEP | GDB | NODE | JOB},
    {"trace", "FILE", COMMAND_GROUP_RESULTS, RUN | RESTORE | SWEEP, OPTION_HOST | OPTION_WRITES, set_trace, NULL,
     "memory-reference trace; `simos params trace` lists its parameters", ONE_RUN | LOCKSTEP | GDB | NODE | JOB},
    {"format", "FORMAT", COMMAND_GROUP_RESULTS, TRACE, 0, set_format, NULL,
     "the format to write (din): din, references; of trace.level=0 champsim, ramulator-cpu; of requests to memory "
     "ramulator, ramulator2, dramsim3, dramsys",
     0},
    {"svg", "FOLDER", COMMAND_GROUP_RESULTS, REPORT, OPTION_MAKES, set_report, NULL,
     "draw figures of the execution time in FOLDER", COMPARE | SERVICES},
    {"html", "FILE.html", COMMAND_GROUP_RESULTS, REPORT, OPTION_WRITES, set_html, NULL,
     "one page that explains the runs, for a browser; it needs no other file and no network", COMPARE | SERVICES},
    {"mcpat", "FILE.xml", COMMAND_GROUP_RESULTS, REPORT, OPTION_WRITES, set_mcpat, NULL,
     "one run as input of McPAT, which estimates power and area", COMPARE | SERVICES},
    {"services", "[json]", COMMAND_GROUP_RESULTS, REPORT, 0, set_services, NULL,
     "tables of services and event rates of `--script services`", COMPARE},
    {"compare", NULL, COMMAND_GROUP_RESULTS, REPORT, 0, set_report, NULL,
     "compare two files OLD NEW; exit status 1 if they differ", 0},
    {"bless", NULL, COMMAND_GROUP_RESULTS, TEST, 0, set_bless, NULL,
     "write the baseline FILE.baseline anew, and print what changes", PART},
    {"junit", "FILE.xml", COMMAND_GROUP_RESULTS, TEST, OPTION_HOST | OPTION_WRITES, set_result, NULL,
     "verdicts as JUnit XML, for a CI server", BLESS | PART | SLURM},
    {"tap", "FILE.tap", COMMAND_GROUP_RESULTS, TEST, OPTION_HOST | OPTION_WRITES, set_result, NULL,
     "verdicts in the Test Anything Protocol", BLESS | PART | SLURM},
    {"json", "FILE.json", COMMAND_GROUP_RESULTS, TEST | EXPLAIN, OPTION_HOST | OPTION_WRITES, set_result, NULL,
     "verdicts (`explain`: causes) and all parts of the differences as JSON", BLESS | PART | SLURM},
    {"confirm", "N", COMMAND_GROUP_RESULTS, EXPLAIN, 0, set_confirm, NULL,
     "run B again without each of the N largest causes that can be made free: predicted and simulated gain", 0},
    {"checkpoint", "FILE@EVENT", COMMAND_GROUP_CHECKPOINTS, RUN | RESTORE, OPTION_HOST | OPTION_WRITES, set_checkpoint,
     NULL, "save the whole machine at EVENT; the run continues", LOCKSTEP | GDB | WINDOW | NODE | JOB},
    {"series", "FOLDER,every=N[,from=EVENT]", COMMAND_GROUP_CHECKPOINTS, RUN | RESTORE, OPTION_HOST | OPTION_MAKES,
     set_series, NULL, "incremental checkpoints every N instructions",
     LOCKSTEP | GDB | CHECKPOINT | WINDOW | NODE | JOB},
    {"record", "FILE", COMMAND_GROUP_CHECKPOINTS, RUN | RESTORE | SHELL, OPTION_HOST | OPTION_WRITES, set_tape, NULL,
     "record all external input, for --replay", LOCKSTEP | GDB | OVER | WINDOW | NODE | JOB},
    {"replay", "FILE", COMMAND_GROUP_CHECKPOINTS, RUN | RESTORE | SHELL, OPTION_HOST | OPTION_READS, set_tape, NULL,
     "repeat a recorded run; all input comes from FILE", LOCKSTEP | OVER | WINDOW | NODE | JOB},
    {"over", "SERIES|figure-4.6|figure-4.7|figure-5.3", COMMAND_GROUP_SWEEPS, RESTORE | SWEEP, 0, add_series, NULL,
     "NAME=FIRST..LAST, or that of a figure of SOSP'95; repeat for more", JOBS | LOCKSTEP | GDB | JOB},
    {"out", "PREFIX", COMMAND_GROUP_SWEEPS, RESTORE | SWEEP | WINDOWS | TEST | TRACE, OPTION_HOST | OPTION_WRITES,
     set_out, NULL,
     "results of several runs or of --over also in PREFIX.txt, PREFIX.tsv, PREFIX-*.svg; a trace in PREFIX.FORMAT",
     ONLY_ONE | JOB},
    {"jobs", "N", COMMAND_GROUP_SWEEPS, SWEEP | WINDOWS | TEST, 0, set_jobs, NULL,
     "run N processes in parallel (one per processor)", NO_JOBS | MERGE | SLURM},
    {"part", "I/N", COMMAND_GROUP_SWEEPS, SWEEP | WINDOWS | TEST, 0, set_part, NULL,
     "run only every N-th job, from job I on", NO_JOBS | MERGE | SLURM},
    {"merge", NULL, COMMAND_GROUP_SWEEPS, SWEEP | WINDOWS | TEST, 0, set_merge, NULL, "run no jobs, only merge results",
     NO_JOBS | SLURM},
    {"slurm", "[write]", COMMAND_GROUP_SWEEPS, SWEEP | WINDOWS | TEST, 0, set_slurm, NULL,
     "submit jobs as a Slurm array; --slurm=write: only write scripts", NO_JOBS},
    {"simpoints", "FILE.simpoints[,each=M]", COMMAND_GROUP_SWEEPS, WINDOWS, OPTION_READS, set_simpoints, NULL,
     "only the windows that SimPoint has chosen, weighted; with FILE.labels M of each cluster (3)", 0},
    {"confidence", "PERCENT", COMMAND_GROUP_SWEEPS, WINDOWS, 0, set_confidence, NULL,
     "level of confidence intervals (95)", PART},
    {"script", "FILE.tcl|services|misses|cycles", COMMAND_GROUP_OBSERVE, RUN | RESTORE | WINDOWS,
     OPTION_HOST | OPTION_OF_EACH_WINDOW | OPTION_READS, set_script, NULL,
     "annotations: Tcl that observes the run; services: time by operating system service; misses, cycles: also misses, "
     "or all cycles, by place",
     LOCKSTEP | GDB | NODE},
    {"gdb", "PORT[,save=FOLDER]", COMMAND_GROUP_OBSERVE, RUNS, OPTION_HOST | OPTION_MAKES, set_gdb, NULL,
     "wait for a debugger on 127.0.0.1:PORT; it may save checkpoints as new files in FOLDER",
     ONE_RUN | LOCKSTEP | WINDOW | NODE | JOB},
    {"live", "PORT", COMMAND_GROUP_OBSERVE, RUN | RESTORE, OPTION_HOST, set_live, NULL,
     "serve the page of `report --html` on localhost:PORT while the run goes on", LOCKSTEP | OVER | NODE | JOB},
    {"lockstep", "MODEL", COMMAND_GROUP_OBSERVE, RUNS, 0, set_lockstep, NULL,
     "compare with this CPU model in lockstep, stop at a difference", ONE_RUN | WINDOW | NODE | JOB},
    {"picture", NULL, COMMAND_GROUP_OBSERVE, PARAMS, 0, set_picture, NULL,
     "draw the machine instead of listing parameters", 0},
    {"trust", NULL, COMMAND_GROUP_OTHER, (MACHINES | WINDOWS | TEST | EXPLAIN) & ~PARAMS,
     OPTION_FIRST | OPTION_OF_EACH_WINDOW | OPTION_HOST, set_trust, NULL,
     "allow a checkpoint, record, machine, cluster, sweep or test file access to this host: docs/reference/security.md",
     TRACED},
    {"from", "FILE", COMMAND_GROUP_OTHER, MACHINES | WINDOWS, OPTION_EACH_PASS | OPTION_HOST, set_origin, NULL, NULL,
     0},
    {"quiet", NULL, COMMAND_GROUP_OTHER, RUNS | WINDOWS | SHELL | CLUSTER | TEST, 0, set_quiet, NULL,
     "with a COMMAND: no kernel messages, no guest warnings; `test`: no progress", TRACED},
};
const unsigned command_option_count = sizeof command_options / sizeof command_options[0];

const struct option *command_option_of(const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    for (unsigned i = 0; i < command_option_count; i++) {
        const char *name = command_options[i].name;
        if (strncmp(word + 2, name, strlen(name)) == 0 && strchr("=", word[2 + strlen(name)]))
            return &command_options[i];
    }
    return NULL;
}
