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
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_SWEEP &&
        line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run`, `restore` and `sweep` copy files", option->name);
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
    if (!*value || (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_SWEEP))
        return err_set(err, "--%s: %s", option->name, *value ? "only `run` and `sweep` make one" : "no file is named");
    line->trace_path = value;
    return true;
}

/* --record and --replay: one of them. */
static bool set_tape(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool record = strcmp(option->name, "record") == 0;
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE &&
        line->subcommand != SUBCOMMAND_SHELL)
        return err_set(err, "--%s: only `run`, `restore` and `shell` have it", option->name);
    *(record ? &line->record_path : &line->replay_path) = value;
    return !line->record_path || !line->replay_path || err_set(err, "--record and --replay: only one of them");
}

/* FILE@EVENT: the first @ behind which there is an event. */
static bool set_checkpoint(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run` and `restore` write one", option->name);
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
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run` and `restore` write one", option->name);
    if (line->series.folder)
        return err_set(err, "--%s: only one in a run", option->name);
    return series_plan_parse(&line->series, value, &reason) ||
           err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
}

static bool add_series(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (line->subcommand != SUBCOMMAND_SWEEP && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `sweep` and `restore` have it", option->name);
    if (line->over_count == COMMAND_LINE_SERIES_MAX)
        return err_set(err, "--%s: at most %d series", option->name, COMMAND_LINE_SERIES_MAX);
    line->over[line->over_count++] = value;
    return true;
}

static bool set_out(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool has_it = line->subcommand == SUBCOMMAND_SWEEP || line->subcommand == SUBCOMMAND_WINDOWS ||
                  line->subcommand == SUBCOMMAND_RESTORE;
    if (!has_it || !*value)
        return err_set(err, "--%s: %s", option->name,
                       *value ? "only `sweep`, `windows` and `restore --over` have it" : "no file is named");
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

/* What is said of the jobs of a sweep. */
static bool check_sweep(const struct command_line *line, const struct option *option, struct err *err)
{
    return line->subcommand == SUBCOMMAND_SWEEP || line->subcommand == SUBCOMMAND_WINDOWS ||
           err_set(err, "--%s: only `sweep` and `windows` have it", option->name);
}

static bool set_jobs(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    uint64_t jobs = 0;
    if (!check_sweep(line, option, err) || !parse_count("--jobs", value, 1, 1024, &jobs, err))
        return false;
    line->jobs = (unsigned)jobs;
    return true;
}

/* I/N */
static bool set_part(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    int length = 0;
    if (!check_sweep(line, option, err))
        return false;
    if (!isdigit((unsigned char)*value) || sscanf(value, "%6u/%6u%n", &line->part, &line->parts, &length) != 2 ||
        value[length] || line->part >= line->parts)
        return err_set(err, "--%s: \"%.64s\" is not I/N, with I from 0 to N - 1", option->name, value);
    return true;
}

static bool set_merge(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)value;
    line->merge = true;
    return check_sweep(line, option, err);
}

static bool set_slurm(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    line->slurm = value ? COMMAND_LINE_SLURM_WRITE : COMMAND_LINE_SLURM_SUBMIT;
    return check_sweep(line, option, err) && (!value || strcmp(value, "write") == 0 ||
                                              err_set(err, "--%s: \"%.64s\" is not \"write\"", option->name, value));
}

static bool set_max_insns(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    (void)option;
    return parse_count("--max-insns", value, 1, UINT64_MAX, &line->max_insns, err);
}

static bool set_window(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    bool warmup = strcmp(option->name, "warmup") == 0;
    if (line->subcommand != SUBCOMMAND_RESTORE && line->subcommand != SUBCOMMAND_WINDOWS)
        return err_set(err, "--%s: only `restore` and `windows` have it", option->name);
    line->window.wanted = true;
    return parse_count(warmup ? "--warmup" : "--window", value, warmup ? 0 : 1, UINT64_MAX,
                       warmup ? &line->window.warmup : &line->window.length, err);
}

static bool set_confidence(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    char *end;
    double percent = strtod(value, &end);
    if (line->subcommand != SUBCOMMAND_WINDOWS)
        return err_set(err, "--%s: only `windows` has it", option->name);
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
    uint64_t port;
    (void)option;
    if (!parse_count("--gdb", value, 0, 65535, &port, err))
        return false;
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
    (void)value;
    if (line->subcommand != SUBCOMMAND_PARAMS)
        return err_set(err, "--%s: only `params` draws one", option->name);
    line->picture = true;
    return true;
}

static bool set_report(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (line->subcommand != SUBCOMMAND_REPORT || (value && !*value))
        return err_set(err, "--%s: %s", option->name, value && !*value ? "no folder is named" : "only `report` has it");
    line->compare |= !value;
    line->svg = value ? value : line->svg;
    return true;
}

static bool set_services(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (line->subcommand != SUBCOMMAND_REPORT)
        return err_set(err, "--%s: only `report` has it", option->name);
    if (value && strcmp(value, "json") != 0)
        return err_set(err, "--%s: \"%.64s\" is not json", option->name, value);
    line->services = value ? value : "text";
    return true;
}

static bool set_script(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run` and `restore` take one; in the shell, `source` it", option->name);
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
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run` and `restore` have it", option->name);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].name, option->name) == 0 && !parts[i].parse(&line->collect, value, &reason))
            return err_set(err, "--%s \"%.128s\": %s", option->name, value, reason.text);
    return true;
}

static bool add_symbols(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    struct err reason = {""};
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run` and `restore` have it", option->name);
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

const struct option command_options[] = {
    {"machine", "NAME|FILE.tcl", OPTION_FIRST | OPTION_OF_EACH_WINDOW, set_machine, NULL,
     "machine description (1994); `simos machines` lists them"},
    {"cpu", "mipsy|embra|mxs", OPTION_OF_EACH_WINDOW, set_param, "cpu.model", "CPU model (mipsy)"},
    {"switch", "MODEL@EVENT", 0, add_switch, NULL, "another CPU model from EVENT on; repeat for more"},
    {"cpus", "N", 0, set_param, "machine.cpus", "CPUs, 1..16 (1)"},
    {"memory", "SIZE", 0, set_param, "machine.memory", "RAM, up to 2G (128M)"},
    {"set", "NAME=VALUE", OPTION_OF_EACH_WINDOW, set_assignment, NULL, "any parameter; `simos params` lists them"},
    {"kernel", "FILE", 0, set_param, "guest.kernel", "kernel or bare program, ELF (build/guest/vmlinux)"},
    {"initrd", "FILE", 0, set_initrd, "guest.initrd", "initial RAM disk, or none (build/guest/initrd.cpio)"},
    {"disk", "FILE[,ro|,write|,overlay=FILE]", 0, add_disk, NULL,
     "disk image, not changed unless `write`; changes kept in an overlay; repeat for more"},
    {"net", "none|user|hub:ADDRESS", 0, set_param, "machine.net",
     "network; user: what this host reaches, and user,forward=tcp:127.0.0.1:HOSTPORT:GUESTPORT the other way (none)"},
    {"pcap", "FILE", 0, set_pcap, "net.pcap", "the frames of the network card, for tcpdump or Wireshark"},
    {"console", "stdio|pty|file:PATH|none", 0, set_param, "console.device", "where the guest's console is (stdio)"},
    {"copy-in", "PATH[:FOLDER]", OPTION_HOST, add_copy, NULL, "host's file or tree to the guest's FOLDER (/root)"},
    {"copy-out", "PATH[:FOLDER]", OPTION_HOST, add_copy, NULL,
     "guest's file or tree to the host's FOLDER (.), after the job"},
    {"stats", "FILE.json", OPTION_HOST, set_stats, NULL, "all statistics at the end of the run"},
    {"profile", "FILE.json|FILE.callgrind", OPTION_HOST, set_profile, NULL,
     "misses and stalls by routine and by data (callgrind: by instruction, for KCachegrind); turns cache.profile on"},
    {"symbols", "FOLDER", OPTION_HOST, add_symbols, NULL,
     "the guest's files or their debug symbols, for names of routines (--profile, --stacks, --script); repeat for "
     "more"},
    {"over-time", "DURATION", 0, set_collect, NULL, "in the file of --stats: where the time went, by such intervals"},
    {"stacks", "FILE[,of=stall][,every=DURATION]", OPTION_HOST, set_collect, NULL,
     "folded stacks for flame graphs: process, services, routine, with cycles (or stall); turns services on"},
    {"timeline", "FILE.json[,from=EVENT][,to=EVENT][,events=N]", OPTION_HOST, set_collect, NULL,
     "what ran when, for Perfetto: processes, services, interrupts, disks; turns services on"},
    {"trace", "FILE", OPTION_HOST, set_trace, NULL,
     "the references to memory; `simos params trace` says which, in what form"},
    {"record", "FILE", OPTION_HOST, set_tape, NULL, "keep everything that comes in from outside, for --replay"},
    {"replay", "FILE", OPTION_HOST, set_tape, NULL, "the recorded run again: what came in then, nothing from outside"},
    {"over", "SERIES", 0, add_series, NULL,
     "with `sweep`, `restore`: NAME=FIRST..LAST, or figure-4.6, figure-4.7, figure-5.3"},
    {"out", "PREFIX", OPTION_OF_BATCH | OPTION_HOST, set_out, NULL,
     "with `sweep`, `restore --over`: results also in PREFIX.txt, PREFIX.tsv, PREFIX-*.svg"},
    {"jobs", "N", OPTION_OF_BATCH, set_jobs, NULL,
     "with `sweep FILE.tcl`, `windows`: N processes at a time (one a processor)"},
    {"part", "I/N", OPTION_OF_BATCH, set_part, NULL,
     "with `sweep FILE.tcl`: only every N-th job, from I on; others do the rest"},
    {"merge", NULL, OPTION_OF_BATCH, set_merge, NULL, "with `sweep FILE.tcl`: no job, the results of what is done"},
    {"slurm", "[write]", OPTION_OF_BATCH, set_slurm, NULL,
     "with `sweep FILE.tcl`: as an array of Slurm; --slurm=write: its scripts only"},
    {"svg", "FOLDER", 0, set_report, NULL, "with `report`: a figure of where the time went, in FOLDER"},
    {"services", "[json]", 0, set_services, NULL,
     "with `report`: tables of services and event rates of `--script services`"},
    {"compare", NULL, 0, set_report, NULL, "with `report OLD NEW`: what differs, exit status 1 if anything does"},
    {"max-insns", "N", 0, set_max_insns, NULL, "stop after N instructions of all CPUs, status 124"},
    {"seconds", "S", 0, set_seconds, NULL, "stop after S simulated seconds, status 124"},
    {"lockstep", "MODEL", 0, set_lockstep, NULL, "run beside the same with this CPU model, stop where they differ"},
    {"gdb", "PORT", OPTION_HOST, set_gdb, NULL, "wait for a debugger on 127.0.0.1:PORT"},
    {"trust", NULL, OPTION_FIRST | OPTION_OF_BATCH | OPTION_OF_EACH_WINDOW | OPTION_HOST, set_trust, NULL,
     "what a checkpoint, record, machine, cluster or sweep file asks of this host is done, too: docs/security.md"},
    {"from", "FILE", OPTION_EACH_PASS | OPTION_OF_BATCH | OPTION_HOST, set_origin, NULL, NULL},
    {"quiet", NULL, OPTION_OF_BATCH, set_quiet, NULL, "with a COMMAND: no kernel messages, no guest warnings"},
    {"picture", NULL, 0, set_picture, NULL, "with `params`: draw the machine instead of listing parameters"},
    {"checkpoint", "FILE@EVENT", OPTION_HOST, set_checkpoint, NULL,
     "save the whole machine when EVENT comes; the run goes on"},
    {"series", "FOLDER,every=N[,from=EVENT]", OPTION_HOST, set_series, NULL,
     "save it every N instructions: each file holds what has changed"},
    {"warmup", "N", OPTION_OF_EACH_WINDOW, set_window, NULL,
     "with `restore`, `windows`: N instructions by embra first (0: none); figures begin then"},
    {"window", "N", OPTION_OF_EACH_WINDOW, set_window, NULL,
     "with `restore`, `windows`: stop after N instructions, status 0; --stats is of them"},
    {"confidence", "PERCENT", OPTION_OF_WINDOWS, set_confidence, NULL,
     "with `windows`: of the intervals of its means (95)"},
    {"script", "FILE.tcl|services", OPTION_HOST, set_script, NULL,
     "annotations: Tcl that looks at the run; services: what the operating system does with its time"},
};
const unsigned command_option_count = sizeof command_options / sizeof command_options[0];
