/*
 * The options of the command line: the table, and what each does with its value.
 */
#include "src/command_options.h"

#include "src/copy_files.h"
#include "src/machine_file.h"
#include "src/restore.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool set_param(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    return params_set(line->options.params, option->param, value, err);
}

static bool set_machine(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option;
    struct params *before = params_copy(line->options.params);
    bool done = machine_options_describe(&line->options, value, err);
    if (done && line->subcommand == SUBCOMMAND_RESTORE)
        restore_keep_fixed(line->options.params, before);
    params_free(before);
    line->machine_file = machine_text_find(value, NULL) ? NULL : value;
    return done;
}

static bool set_assignment(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option;
    return params_set_assignment(line->options.params, value, err);
}

/* An empty parameter means "the one that was built", an empty word on the command line means none. */
static bool set_initrd(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    return params_set(line->options.params, option->param, *value ? value : "none", err);
}

/* The next disk; of a machine that is restored the disks that it has, one after the other. */
static bool add_disk(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    const bool restored = line->subcommand == SUBCOMMAND_RESTORE;
    char name[32];
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    for (unsigned slot = restored ? line->disks_named++ : 0; slot < BOARD_DISKS; slot++) {
        snprintf(name, sizeof name, "machine.disk%u", slot);
        if (restored || !*params_string(line->options.params, name))
            return params_set(line->options.params, name, value, err);
    }
    return err_set(err, "--disk %.200s: at most %d disks", value, BOARD_DISKS);
}

static bool add_copy(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (!line->options.copy)
        line->options.copy = copy_files_create();
    bool in = strcmp(option->name, "copy-in") == 0;
    return (in ? copy_files_add_in : copy_files_add_out)(line->options.copy, value, &reason) ||
           err_set(err, "--%s: %s", option->name, reason.text);
}

static bool add_switch(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    return machine_options_add_switch(&line->options, value, &reason) ||
           err_set(err, "--%s \"%.64s\": %s", option->name, value, reason.text);
}

static bool set_stats(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->stats_path = value;
    return true;
}

static bool set_table(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    static const char *const names[] = {[RESULTS_FULL] = "full", [RESULTS_SHORT] = "short", [RESULTS_NONE] = "none"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], value) == 0) {
            line->table = (enum results_table)i;
            return true;
        }
    return err_set(err, "--%s: \"%.64s\" is not one of none, short, full", option->name, value);
}

/* What a profile needs is turned on, unless it has been already. */
static bool set_profile(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    static const char *const needed[][2] = {{"cache.classify", "full"}, {"cache.profile", "both"}};
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->profile_path = value;
    line->collect.profile = true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (strcmp(params_string(line->options.params, needed[i][0]), "off") == 0 &&
            !params_set(line->options.params, needed[i][0], needed[i][1], err))
            return false;
    return true;
}

static bool set_trace(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->trace_path = value;
    return true;
}

/* --record and --replay: one of them. */
static bool set_tape(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool record = strcmp(option->name, "record") == 0;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    *(record ? &line->record_path : &line->replay_path) = value;
    return !line->record_path || !line->replay_path || err_set(err, "--record and --replay: only one of them");
}

/* FILE@EVENT: the first @ behind which there is an event. */
static bool set_checkpoint(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (line->checkpoint_path)
        return err_set(err, "--%s: only one in a run", option->name);
    for (const char *at = strchr(value, '@'); at; at = strchr(at + 1, '@')) {
        reason.text[0] = 0;
        if (at == value || !machine_event_parse(&line->checkpoint_event, at + 1, &reason))
            continue;
        line->checkpoint_path = line->checkpoint_file = strndup(value, (size_t)(at - value));
        line->checkpoint_at = at + 1;
        return true;
    }
    return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text[0] ? reason.text : "not FILE@EVENT");
}

static bool set_series(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (line->series.folder)
        return err_set(err, "--%s: only one in a run", option->name);
    return series_plan_parse(&line->series, value, &reason) ||
           err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
}

static bool add_series(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (line->over_count == COMMAND_LINE_SERIES_MAX)
        return err_set(err, "--%s: at most %d series", option->name, COMMAND_LINE_SERIES_MAX);
    line->over[line->over_count++] = value;
    return true;
}

static bool set_out(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->out = value;
    return true;
}

static bool parse_count(const char *name, const char *value, uint64_t low, uint64_t high, uint64_t *number,
                        struct err *err)
{
    struct params *params = params_create();
    const struct param_def def = {
        .name = name, .type = PARAM_INT, .unit = "", .initial = "1", .min = low, .max = high, .help = ""};
    params_define(params, &def, 1);
    bool done = params_set(params, name, value, err);
    *number = done ? params_u64(params, name) : 0;
    params_free(params);
    return done;
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
    return parse_count("--max-insns", value, 1, UINT64_MAX, &line->max_insns, err);
}

static bool set_window(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool warmup = strcmp(option->name, "warmup") == 0;
    line->window.wanted = true;
    return parse_count(warmup ? "--warmup" : "--window", value, warmup ? 0 : 1, UINT64_MAX,
                       warmup ? &line->window.warmup : &line->window.length, err);
}

static bool set_confidence(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    char *end;
    double percent = strtod(value, &end);
    (void)option;
    if (end == value || *end || !(percent >= 50 && percent <= 99.9999))
        return err_set(err, "--confidence: \"%.64s\" is not a number of per cent from 50 to 99.9999", value);
    line->confidence = percent;
    return true;
}

static bool set_seconds(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    char *end;
    double seconds = strtod(value, &end);
    (void)option;
    if (end == value || *end || !isfinite(seconds) || seconds <= 0 || seconds > 1e9)
        return err_set(err, "--seconds: \"%.64s\" is not a number of simulated seconds above 0 and up to 1e9", value);
    line->seconds = seconds;
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
        return err_set(err, "--gdb \"%.128s\": behind the port comes nothing, or save=FOLDER", value);
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number - 1), value);
    if (!parse_count("--gdb", number, 0, 65535, &port, err))
        return false;
    line->gdb_save = value[length] ? value + length + strlen(save) : NULL;
    line->gdb_port = (unsigned)port;
    line->gdb = true;
    return true;
}

static bool set_lockstep(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    struct params *params = params_copy(line->options.params);
    bool known = params_set(params, "cpu.model", value, &reason);
    params_free(params);
    line->lockstep = value;
    return known || err_set(err, "--%s: %s", option->name, reason.text);
}

static bool set_pcap(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    return params_set(line->options.params, option->param, value, err);
}

static bool set_quiet(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->options.quiet = true;
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
    line->compare |= !value;
    line->svg = value ? value : line->svg;
    return true;
}

static bool set_services(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (value && strcmp(value, "json") != 0)
        return err_set(err, "--%s: \"%.64s\" is not json", option->name, value);
    line->services = value ? value : "text";
    return true;
}

static bool set_script(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    line->annotations = value;
    return true;
}

/* What is collected besides the statistics. */
static bool set_collect(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    static const struct {
        const char *name;
        bool (*parse)(struct collect_plan *plan, const char *text, struct err *err);
    } parts[] = {
        {"over-time", collect_parse_over_time}, {"stacks", collect_parse_stacks}, {"timeline", collect_parse_timeline}};
    struct err reason = {""};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].name, option->name) == 0 && !parts[i].parse(&line->collect, value, &reason))
            return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
    return true;
}

static bool add_symbols(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    return collect_add_symbols(&line->collect, value, &reason) ||
           err_set(err, "--%s %.300s: %s", option->name, value, reason.text);
}

static bool set_trust(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)value, (void)err;
    line->options.trust = true;
    return true;
}

/* Nobody types it: it stands before the words that simos takes from a file for a process of its own. */
static bool set_origin(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option, (void)err;
    line->origin = value;
    params_set_origin(line->options.params, value);
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
#define RUNS     (RUN | RESTORE | SWEEP)
#define MACHINES (RUNS | SHELL | CLUSTER | PARAMS)

const char *const command_option_groups[COMMAND_GROUPS] = {
    [COMMAND_GROUP_MACHINE] = "The machine",
    [COMMAND_GROUP_GUEST] = "The guest and what it is connected to",
    [COMMAND_GROUP_LIMITS] = "Where it ends",
    [COMMAND_GROUP_RESULTS] = "Results",
    [COMMAND_GROUP_STATES] = "Checkpoints and records",
    [COMMAND_GROUP_MANY] = "Many runs",
    [COMMAND_GROUP_LOOK] = "Looking into it",
    [COMMAND_GROUP_OTHER] = "Other",
};

const struct option command_options[] = {
    {"machine", "NAME|FILE.tcl", COMMAND_GROUP_MACHINE, MACHINES | WINDOWS | TRACE,
     OPTION_FIRST | OPTION_OF_EACH_WINDOW, set_machine, NULL,
     "machine description (1994); `simos machines` lists them"},
    {"cpu", "mipsy|embra|mxs", COMMAND_GROUP_MACHINE, MACHINES | WINDOWS, OPTION_OF_EACH_WINDOW, set_param, "cpu.model",
     "CPU model (mipsy)"},
    {"switch", "MODEL@EVENT", COMMAND_GROUP_MACHINE, RUNS | SHELL | CLUSTER, 0, add_switch, NULL,
     "another CPU model from EVENT on; repeat for more"},
    {"cpus", "N", COMMAND_GROUP_MACHINE, MACHINES, 0, set_param, "machine.cpus", "CPUs, 1..16 (1)"},
    {"memory", "SIZE", COMMAND_GROUP_MACHINE, MACHINES, 0, set_param, "machine.memory", "RAM, up to 2G (128M)"},
    {"set", "NAME=VALUE", COMMAND_GROUP_MACHINE, MACHINES | WINDOWS | TRACE, OPTION_OF_EACH_WINDOW, set_assignment,
     NULL, "any parameter; `simos params` lists them"},
    {"kernel", "FILE", COMMAND_GROUP_GUEST, MACHINES, 0, set_param, "guest.kernel",
     "kernel or bare program, ELF (build/guest/vmlinux)"},
    {"initrd", "FILE", COMMAND_GROUP_GUEST, MACHINES, 0, set_initrd, "guest.initrd",
     "initial RAM disk, or none (build/guest/initrd.cpio)"},
    {"disk", "FILE[,ro|,write|,overlay=FILE]", COMMAND_GROUP_GUEST, MACHINES, 0, add_disk, NULL,
     "disk image, not changed unless `write`; changes kept in an overlay; repeat for more"},
    {"net", "none|user|hub:ADDRESS", COMMAND_GROUP_GUEST, MACHINES, 0, set_param, "machine.net",
     "network; user: what this host reaches, and user,forward=tcp:127.0.0.1:HOSTPORT:GUESTPORT the other way (none)"},
    {"pcap", "FILE", COMMAND_GROUP_GUEST, MACHINES, 0, set_pcap, "net.pcap",
     "the frames of the network card, for tcpdump or Wireshark"},
    {"console", "stdio|pty|file:PATH|none", COMMAND_GROUP_GUEST, MACHINES, 0, set_param, "console.device",
     "where the guest's console is (stdio)"},
    {"copy-in", "PATH[:FOLDER]", COMMAND_GROUP_GUEST, RUNS, OPTION_HOST, add_copy, NULL,
     "host's file or tree to the guest's FOLDER (/root)"},
    {"copy-out", "PATH[:FOLDER]", COMMAND_GROUP_GUEST, RUNS, OPTION_HOST, add_copy, NULL,
     "guest's file or tree to the host's FOLDER (.), after the job"},
    {"max-insns", "N", COMMAND_GROUP_LIMITS, RUNS | CLUSTER, 0, set_max_insns, NULL,
     "stop after N instructions of all CPUs, status 124"},
    {"seconds", "S", COMMAND_GROUP_LIMITS, RUNS | CLUSTER, 0, set_seconds, NULL,
     "stop after S simulated seconds, status 124"},
    {"warmup", "N", COMMAND_GROUP_LIMITS, RESTORE | WINDOWS, OPTION_OF_EACH_WINDOW, set_window, NULL,
     "N instructions by embra first (0: none); figures begin then"},
    {"window", "N", COMMAND_GROUP_LIMITS, RESTORE | WINDOWS, OPTION_OF_EACH_WINDOW, set_window, NULL,
     "stop after N instructions, status 0; --stats is of them"},
    {"stats", "FILE.json", COMMAND_GROUP_RESULTS, RUNS | CLUSTER, OPTION_HOST, set_stats, NULL,
     "all statistics at the end of the run"},
    {"table", "none|short|full", COMMAND_GROUP_RESULTS, RUNS | CLUSTER, 0, set_table, NULL,
     "what is printed of them at the end of the run, on stderr (full)"},
    {"profile", "FILE.json|FILE.callgrind", COMMAND_GROUP_RESULTS, RUNS | CLUSTER, OPTION_HOST, set_profile, NULL,
     "misses and stalls by routine and by data (callgrind: by instruction, for KCachegrind); turns cache.profile on"},
    {"symbols", "FOLDER", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST, add_symbols, NULL,
     "the guest's files or their debug symbols, for names of routines (--profile, --stacks, --script); repeat for "
     "more"},
    {"over-time", "DURATION", COMMAND_GROUP_RESULTS, RUN | RESTORE, 0, set_collect, NULL,
     "in the file of --stats: where the time went, by such intervals"},
    {"stacks", "FILE[,of=stall][,every=DURATION]", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST, set_collect, NULL,
     "folded stacks for flame graphs: process, services, routine, with cycles (or stall); turns services on"},
    {"timeline", "FILE.json[,from=EVENT][,to=EVENT][,events=N]", COMMAND_GROUP_RESULTS, RUN | RESTORE, OPTION_HOST,
     set_collect, NULL, "what ran when, for Perfetto: processes, services, interrupts, disks; turns services on"},
    {"trace", "FILE", COMMAND_GROUP_RESULTS, RUN | SWEEP, OPTION_HOST, set_trace, NULL,
     "the references to memory; `simos params trace` says which, in what form"},
    {"svg", "FOLDER", COMMAND_GROUP_RESULTS, REPORT, 0, set_report, NULL,
     "figures, of where the time went first, in FOLDER"},
    {"services", "[json]", COMMAND_GROUP_RESULTS, REPORT, 0, set_services, NULL,
     "tables of services and event rates of `--script services`"},
    {"compare", NULL, COMMAND_GROUP_RESULTS, REPORT, 0, set_report, NULL,
     "of two files OLD NEW: what differs, exit status 1 if anything does"},
    {"checkpoint", "FILE@EVENT", COMMAND_GROUP_STATES, RUN | RESTORE, OPTION_HOST, set_checkpoint, NULL,
     "save the whole machine when EVENT comes; the run goes on"},
    {"series", "FOLDER,every=N[,from=EVENT]", COMMAND_GROUP_STATES, RUN | RESTORE, OPTION_HOST, set_series, NULL,
     "save it every N instructions: each file holds what has changed"},
    {"record", "FILE", COMMAND_GROUP_STATES, RUN | RESTORE | SHELL, OPTION_HOST, set_tape, NULL,
     "keep everything that comes in from outside, for --replay"},
    {"replay", "FILE", COMMAND_GROUP_STATES, RUN | RESTORE | SHELL, OPTION_HOST, set_tape, NULL,
     "the recorded run again: what came in then, nothing from outside"},
    {"over", "SERIES", COMMAND_GROUP_MANY, RESTORE | SWEEP, 0, add_series, NULL,
     "NAME=FIRST..LAST, or figure-4.6, figure-4.7, figure-5.3; repeat for more"},
    {"out", "PREFIX", COMMAND_GROUP_MANY, RESTORE | SWEEP | WINDOWS, OPTION_OF_BATCH | OPTION_HOST, set_out, NULL,
     "results of several runs or of --over also in PREFIX.txt, PREFIX.tsv, PREFIX-*.svg"},
    {"jobs", "N", COMMAND_GROUP_MANY, SWEEP | WINDOWS, OPTION_OF_BATCH, set_jobs, NULL,
     "of FILE.tcl, of windows: N processes at a time (one a processor)"},
    {"part", "I/N", COMMAND_GROUP_MANY, SWEEP | WINDOWS, OPTION_OF_BATCH, set_part, NULL,
     "only every N-th of these jobs, from I on; others do the rest"},
    {"merge", NULL, COMMAND_GROUP_MANY, SWEEP | WINDOWS, OPTION_OF_BATCH, set_merge, NULL,
     "no job, the results of what is done"},
    {"slurm", "[write]", COMMAND_GROUP_MANY, SWEEP | WINDOWS, OPTION_OF_BATCH, set_slurm, NULL,
     "these jobs as an array of Slurm; --slurm=write: its scripts only"},
    {"confidence", "PERCENT", COMMAND_GROUP_MANY, WINDOWS, 0, set_confidence, NULL,
     "of the intervals of its means (95)"},
    {"script", "FILE.tcl|services", COMMAND_GROUP_LOOK, RUN | RESTORE, OPTION_HOST, set_script, NULL,
     "annotations: Tcl that looks at the run; services: what the operating system does with its time"},
    {"gdb", "PORT[,save=FOLDER]", COMMAND_GROUP_LOOK, RUNS, OPTION_HOST, set_gdb, NULL,
     "wait for a debugger on 127.0.0.1:PORT; it may save checkpoints as new files in FOLDER"},
    {"lockstep", "MODEL", COMMAND_GROUP_LOOK, RUNS, 0, set_lockstep, NULL,
     "run beside the same with this CPU model, stop where they differ"},
    {"picture", NULL, COMMAND_GROUP_LOOK, PARAMS, 0, set_picture, NULL,
     "draw the machine instead of listing parameters"},
    {"trust", NULL, COMMAND_GROUP_OTHER, MACHINES | WINDOWS | TRACE,
     OPTION_FIRST | OPTION_OF_BATCH | OPTION_OF_EACH_WINDOW | OPTION_HOST, set_trust, NULL,
     "what a checkpoint, record, machine, cluster or sweep file asks of this host is done, too: "
     "docs/reference/security.md"},
    {"from", "FILE", COMMAND_GROUP_OTHER, MACHINES | WINDOWS | TRACE, OPTION_EACH_PASS | OPTION_OF_BATCH | OPTION_HOST,
     set_origin, NULL, NULL},
    {"quiet", NULL, COMMAND_GROUP_OTHER, RUNS | WINDOWS | SHELL | CLUSTER, OPTION_OF_BATCH, set_quiet, NULL,
     "with a COMMAND: no kernel messages, no guest warnings"},
};
const unsigned command_option_count = sizeof command_options / sizeof command_options[0];
