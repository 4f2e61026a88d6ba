#include "src/command_line.h"

#include "src/copy_files.h"
#include "src/restore.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUBCOMMANDS "run, restore, info, windows, sweep, report, trace, shell, cluster, params, machines"

/* One option: its handler gets the value (NULL if it takes none; if its name is in brackets, it may be left out, and is
 * given as --name=value only). Those of the first pass are applied before all
 * others, wherever they stand: --set changes what --machine describes. */
struct option {
    const char *name, *value;
    bool first_pass;
    bool (*apply)(struct command_line *line, const struct option *option, const char *value, struct err *err);
    const char *param; /* for set_param */
    const char *help;
};

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
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_SHELL)
        return err_set(err, "--%s: only `run` and `shell` have it", option->name);
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
    if (line->subcommand != SUBCOMMAND_SWEEP)
        return err_set(err, "--%s: only `sweep` has it", option->name);
    if (line->over_count == COMMAND_LINE_SERIES_MAX)
        return err_set(err, "--%s: at most %d series", option->name, COMMAND_LINE_SERIES_MAX);
    line->over[line->over_count++] = value;
    return true;
}

static bool set_out(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if ((line->subcommand != SUBCOMMAND_SWEEP && line->subcommand != SUBCOMMAND_WINDOWS) || !*value)
        return err_set(err, "--%s: %s", option->name,
                       *value ? "only `sweep` and `windows` have it" : "no file is named");
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

static bool set_script(struct command_line *line, const struct option *option, const char *value, struct err *err)
{
    if (!*value)
        return err_set(err, "--%s: no file is named", option->name);
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "--%s: only `run` and `restore` take one; in the shell, `source` it", option->name);
    line->annotations = value;
    return true;
}

static const struct option options[] = {
    {"machine", "NAME|FILE.tcl", true, set_machine, NULL, "machine description (1994); `simos machines` lists them"},
    {"cpu", "mipsy|embra", false, set_param, "cpu.model", "CPU model (mipsy)"},
    {"switch", "MODEL@EVENT", false, add_switch, NULL, "another CPU model from EVENT on; repeat for more"},
    {"cpus", "N", false, set_param, "machine.cpus", "CPUs, 1..16 (1)"},
    {"memory", "SIZE", false, set_param, "machine.memory", "RAM, up to 2G (128M)"},
    {"set", "NAME=VALUE", false, set_assignment, NULL, "any parameter; `simos params` lists them"},
    {"kernel", "FILE", false, set_param, "guest.kernel", "kernel or bare program, ELF (build/guest/vmlinux)"},
    {"initrd", "FILE", false, set_initrd, "guest.initrd", "initial RAM disk, or none (build/guest/initrd.cpio)"},
    {"disk", "FILE[,ro|,write|,overlay=FILE]", false, add_disk, NULL,
     "disk image, not changed unless `write`; changes kept in an overlay; repeat for more"},
    {"net", "none|user|hub:ADDRESS", false, set_param, "machine.net",
     "network; user: what this host reaches, and user,forward=tcp:127.0.0.1:HOSTPORT:GUESTPORT the other way (none)"},
    {"pcap", "FILE", false, set_pcap, "net.pcap", "the frames of the network card, for tcpdump or Wireshark"},
    {"console", "stdio|pty|file:PATH|none", false, set_param, "console.device", "where the guest's console is (stdio)"},
    {"copy-in", "PATH[:FOLDER]", false, add_copy, NULL, "host's file or tree to the guest's FOLDER (/root)"},
    {"copy-out", "PATH[:FOLDER]", false, add_copy, NULL,
     "guest's file or tree to the host's FOLDER (.), after the job"},
    {"stats", "FILE.json", false, set_stats, NULL, "all statistics at the end of the run"},
    {"profile", "FILE.json", false, set_profile, NULL,
     "misses and stalls by routine and by data; turns cache.profile on"},
    {"trace", "FILE", false, set_trace, NULL,
     "the references to memory; `simos params trace` says which, in what form"},
    {"record", "FILE", false, set_tape, NULL, "keep everything that comes in from outside, for --replay"},
    {"replay", "FILE", false, set_tape, NULL, "the recorded run again: what came in then, nothing from outside"},
    {"over", "SERIES", false, add_series, NULL,
     "with `sweep`: NAME=FIRST..LAST, or figure-4.6, figure-4.7, figure-5.3"},
    {"out", "PREFIX", false, set_out, NULL, "with `sweep`: results also in PREFIX.txt, PREFIX.tsv, PREFIX-*.svg"},
    {"jobs", "N", false, set_jobs, NULL, "with `sweep FILE.tcl`, `windows`: N processes at a time (one a processor)"},
    {"part", "I/N", false, set_part, NULL, "with `sweep FILE.tcl`: only every N-th job, from I on; others do the rest"},
    {"merge", NULL, false, set_merge, NULL, "with `sweep FILE.tcl`: no job, the results of what is done"},
    {"slurm", "[write]", false, set_slurm, NULL,
     "with `sweep FILE.tcl`: as an array of Slurm; --slurm=write: its scripts only"},
    {"svg", "FOLDER", false, set_report, NULL, "with `report`: a figure of where the time went, in FOLDER"},
    {"compare", NULL, false, set_report, NULL, "with `report OLD NEW`: what differs, exit status 1 if anything does"},
    {"max-insns", "N", false, set_max_insns, NULL, "stop after N instructions of all CPUs, status 124"},
    {"seconds", "S", false, set_seconds, NULL, "stop after S simulated seconds, status 124"},
    {"lockstep", "MODEL", false, set_lockstep, NULL, "run beside the same with this CPU model, stop where they differ"},
    {"gdb", "PORT", false, set_gdb, NULL, "wait for a debugger on 127.0.0.1:PORT"},
    {"quiet", NULL, false, set_quiet, NULL, "with a COMMAND: no kernel messages, no guest warnings"},
    {"picture", NULL, false, set_picture, NULL, "with `params`: draw the machine instead of listing parameters"},
    {"checkpoint", "FILE@EVENT", false, set_checkpoint, NULL,
     "save the whole machine when EVENT comes; the run goes on"},
    {"series", "FOLDER,every=N[,from=EVENT]", false, set_series, NULL,
     "save it every N instructions: each file holds what has changed"},
    {"warmup", "N", false, set_window, NULL,
     "with `restore`, `windows`: N instructions by embra first (0: none); figures begin then"},
    {"window", "N", false, set_window, NULL,
     "with `restore`, `windows`: stop after N instructions, status 0; --stats is of them"},
    {"confidence", "PERCENT", false, set_confidence, NULL, "with `windows`: of the intervals of its means (95)"},
    {"script", "FILE.tcl|services", false, set_script, NULL,
     "annotations: Tcl that looks at the run; services: what the operating system does with its time"},
};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

static const struct {
    const char *name;
    enum subcommand subcommand;
    const char *synopsis, *help;
} subcommands[] = {
    {"run", SUBCOMMAND_RUN, "run [options] [-- COMMAND...]",
     "boot the guest; with COMMAND run it there as the only job and exit with its status"},
    {"restore", SUBCOMMAND_RESTORE, "restore CKPT [options] [-- COMMAND...]",
     "go on from a checkpoint; one taken at `boot` runs any COMMAND"},
    {"info", SUBCOMMAND_INFO, "info CKPT", "what a checkpoint holds"},
    {"windows", SUBCOMMAND_WINDOWS, "windows FOLDER --window N [options]",
     "N instructions from each checkpoint of a --series, together"},
    {"sweep", SUBCOMMAND_SWEEP, "sweep --over SERIES [options] [TRACE | -- COMMAND...]",
     "the same, or a trace, under several caches at once"},
    {"sweep", SUBCOMMAND_SWEEP, "sweep FILE.tcl [options]", "many runs from checkpoints, as FILE.tcl says"},
    {"report", SUBCOMMAND_REPORT, "report [options] FILE.json...", "statistics of several runs side by side"},
    {"trace", SUBCOMMAND_TRACE, "trace [options] FILE", "a binary trace as din text"},
    {"shell", SUBCOMMAND_SHELL, "shell [options] [SCRIPT.tcl]", "Tcl prompt: build a machine, run, look, step"},
    {"cluster", SUBCOMMAND_CLUSTER, "cluster [options] FILE.tcl", "several machines on one network, as FILE.tcl says"},
    {"params", SUBCOMMAND_PARAMS, "params [options] [NAME...]", "the parameters whose names begin so; all"},
    {"machines", SUBCOMMAND_MACHINES, "machines", "the built-in machine descriptions"},
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

void command_line_usage(FILE *out)
{
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "%s simos %-32s %s\n", i ? "      " : "usage:", subcommands[i].synopsis, subcommands[i].help);
    fputs("options:\n", out);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options[i].help) {
            char left[64];
            snprintf(left, sizeof left, "--%s %s", options[i].name, options[i].value ? options[i].value : "");
            fprintf(out, "  %-26s %s\n", left, options[i].help);
        }
    fputs("EVENT is boot (userland is up), mark:NAME (the guest said so), time:SECONDS or insns:N.\n", out);
    fputs("Exit status: the command's own; 124 if a limit ended the run, 125 if simos could not do it.\n", out);
}

/* May `sweep FILE.tcl` have it? */
static bool is_about_sweep(const struct option *option)
{
    static bool (*const handlers[])(struct command_line *, const struct option *, const char *,
                                    struct err *) = {set_out, set_jobs, set_part, set_merge, set_slurm, set_quiet};
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
        if (option->apply == handlers[i])
            return true;
    return false;
}

/* Does each window of `windows` get it? */
static bool is_of_windows(const struct option *option)
{
    static const char *const names[] = {"machine", "cpu", "set", "warmup", "window"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(option->name, names[i]) == 0)
            return true;
    return false;
}

/* WORD, and VALUE if that is a word of its own. False with ERR if it is not for `windows`. */
static bool pass_on(struct command_line *line, const struct option *option, const char *word, const char *value,
                    struct err *err)
{
    if (is_about_sweep(option) || option->apply == set_confidence)
        return true;
    if (!is_of_windows(option))
        return err_set(err, "--%s: `windows` has no such option", option->name);
    line->passed = checked_memory(realloc(line->passed, ((size_t)line->passed_count + 2) * sizeof *line->passed));
    line->passed[line->passed_count++] = word;
    if (!strchr(word, '='))
        line->passed[line->passed_count++] = value;
    return true;
}

/* The option that WORD ("--name" or "--name=value") begins with. */
static const struct option *find_option(const char *word)
{
    size_t length = strcspn(word + 2, "=");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, word + 2, length) == 0)
            return &options[i];
    return NULL;
}

/* Handles words from *AT on until one that is no option; *AT is then its index. */
static bool parse_options(struct command_line *line, int count, const char *const *words, int *at, bool first_pass,
                          struct err *err)
{
    for (; *at < count && words[*at][0] == '-' && words[*at][1] && strcmp(words[*at], "--") != 0; (*at)++) {
        const char *word = words[*at];
        const struct option *option = word[1] == '-' ? find_option(word) : NULL;
        if (!option)
            return err_set(err, "unknown option %.128s; \"simos --help\" lists them", word);
        const char *value = strchr(word, '=');
        if (!option->value && value)
            return err_set(err, "--%s takes no value", option->name);
        if (option->value && value)
            value++;
        else if (option->value && option->value[0] == '[')
            value = NULL;
        else if (option->value && *at + 1 < count)
            value = words[++*at];
        else if (option->value)
            return err_set(err, "--%s needs a value: %s", option->name, option->value);
        if (!line->first_option && !is_about_sweep(option))
            line->first_option = option->name;
        if (!first_pass && line->subcommand == SUBCOMMAND_WINDOWS && !pass_on(line, option, word, value, err))
            return false;
        if (option->first_pass == first_pass && !option->apply(line, option, value, err))
            return false;
    }
    return true;
}

/* Options anywhere before "--"; of the rest OPERANDS are gathered where the words were. */
static bool parse_words(struct command_line *line, int count, const char *const *words, int *operands, int *first,
                        int *after, struct err *err)
{
    for (int pass = 0; pass < 2; pass++) {
        int at = 0;
        *operands = 0;
        for (;;) {
            if (!parse_options(line, count, words, &at, pass == 0, err))
                return false;
            if (at >= count || strcmp(words[at], "--") == 0)
                break;
            if (*operands == 0)
                *first = at;
            else if (at != *first + *operands)
                return err_set(err, "unexpected argument \"%.128s\"", words[at]);
            ++*operands;
            at++;
        }
        *after = at;
    }
    return true;
}

static bool take_command(struct command_line *line, int count, const char *const *words, int after, struct err *err)
{
    if (after >= count)
        return true;
    if (line->subcommand != SUBCOMMAND_RUN && line->subcommand != SUBCOMMAND_SWEEP &&
        line->subcommand != SUBCOMMAND_RESTORE)
        return err_set(err, "unexpected argument \"--\": only `run`, `restore` and `sweep` take a command");
    if (after + 1 == count)
        return err_set(err, "no command after --");
    line->options.command = words + after + 1;
    line->options.command_count = count - after - 1;
    return true;
}

static bool find_subcommand(struct command_line *line, const char *word, struct err *err)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        line->subcommand = SUBCOMMAND_HELP;
        return true;
    }
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(subcommands[i].name, word) == 0) {
            line->subcommand = subcommands[i].subcommand;
            return true;
        }
    return err_set(err, "unknown command \"%.64s\"; valid: " SUBCOMMANDS, word);
}

/* Is there a --help before the guest's command? */
static bool asks_for_help(int count, const char *const *words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    return false;
}

static bool check_modes(const struct command_line *line, struct err *err)
{
    return (line->merge ? 1 : 0) + (line->parts ? 1 : 0) + (line->slurm ? 1 : 0) <= 1 ||
           err_set(err, "--part, --merge, --slurm: only one of them");
}

/* `sweep FILE.tcl` */
static bool take_jobs(struct command_line *line, const char *file, struct err *err)
{
    line->jobs_file = file;
    if (line->first_option)
        return err_set(err, "--%s: %.200s says what its jobs are", line->first_option, file);
    if (line->options.command)
        return err_set(err, "\"--\": %.200s says what its jobs are", file);
    return check_modes(line, err);
}

static bool is_tcl(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tcl") == 0;
}

/* `sweep` and `trace`: what they read, OPERANDS words from WORDS on. */
static bool take_trace(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    bool sweep = line->subcommand == SUBCOMMAND_SWEEP;
    if (operands > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    if (sweep && operands == 1 && is_tcl(words[0]))
        return take_jobs(line, words[0], err);
    if (line->jobs || line->parts || line->merge || line->slurm)
        return err_set(err, "--jobs, --part, --merge and --slurm need the FILE.tcl that says what the jobs are");
    if (operands == 1)
        line->replay = words[0];
    if (!sweep)
        return line->replay || err_set(err, "`trace` needs the FILE that --trace has written");
    if (line->over_count == 0)
        return err_set(err, "`sweep` needs FILE.tcl, or --over SERIES, such as --over cache.l2.size=256K..4M or --over "
                            "figure-4.6");
    if (line->replay && (line->options.command || line->trace_path))
        return err_set(err, "\"%.128s\": a trace is swept without a command and without --trace", line->replay);
    return line->replay || machine_options_check_model(&line->options, err);
}

/* `windows`: the folder, OPERANDS words from WORDS on. */
static bool take_windows(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    if (operands == 0)
        return err_set(err, "`windows` needs the folder that --series has written");
    if (operands > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    line->restored = words[0];
    if (line->confidence == 0)
        line->confidence = 95;
    if (line->window.length == 0)
        return err_set(err, "`windows` needs --window N");
    return check_modes(line, err);
}

/* `report`: its files, OPERANDS words from WORDS on. */
static bool take_report(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    line->names = words;
    line->name_count = operands;
    if (line->first_option && strcmp(line->first_option, "svg") != 0 && strcmp(line->first_option, "compare") != 0)
        return err_set(err, "--%s: `report` has no such option", line->first_option);
    if (line->compare)
        return (operands == 2 && !line->svg) ||
               err_set(err, "--compare takes two files, OLD.json NEW.json%s", line->svg ? ", and no --svg" : "");
    return operands > 0 || err_set(err, "`report` needs files that --stats or a sweep has written");
}

/* `restore` and `info`: the file, OPERANDS words from WORDS on. */
static bool take_checkpoint(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    if (operands == 0)
        return err_set(err, "`%s` needs the file that --checkpoint has written",
                       line->subcommand == SUBCOMMAND_INFO ? "info" : "restore");
    if (operands > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    line->restored = words[0];
    return true;
}

static bool parse(struct command_line *line, int count, const char *const *words, struct err *err)
{
    int operands = 0, first = 0, after = 0;
    if (count == 0)
        return err_set(err, "no command; valid: " SUBCOMMANDS " (\"simos --help\" says more)");
    if (!find_subcommand(line, words[0], err))
        return false;
    if (line->subcommand == SUBCOMMAND_HELP)
        return true;
    words++, count--;
    if (asks_for_help(count, words)) {
        line->subcommand = SUBCOMMAND_HELP;
        return true;
    }
    if (!parse_words(line, count, words, &operands, &first, &after, err) ||
        !take_command(line, count, words, after, err))
        return false;
    if (line->subcommand == SUBCOMMAND_PARAMS) {
        line->names = words + first;
        line->name_count = operands;
        return !line->picture || operands == 0 ||
               err_set(err, "unexpected argument \"%.128s\": --picture draws the whole machine", words[first]);
    }
    if (line->subcommand == SUBCOMMAND_SWEEP || line->subcommand == SUBCOMMAND_TRACE)
        return take_trace(line, operands, words + first, err);
    if (line->subcommand == SUBCOMMAND_RESTORE || line->subcommand == SUBCOMMAND_INFO)
        return take_checkpoint(line, operands, words + first, err);
    if (line->subcommand == SUBCOMMAND_WINDOWS)
        return take_windows(line, operands, words + first, err);
    if (line->subcommand == SUBCOMMAND_REPORT)
        return take_report(line, operands, words + first, err);
    if (line->subcommand == SUBCOMMAND_CLUSTER) {
        line->words = words;
        line->word_count = count;
        line->script = operands == 1 ? words[first] : NULL;
        return line->script || err_set(err, "`cluster` needs one FILE.tcl that says which machines there are");
    }
    if (line->subcommand == SUBCOMMAND_SHELL && operands == 1) {
        line->script = words[first];
        return true;
    }
    if (operands == 0)
        return line->subcommand != SUBCOMMAND_RUN || machine_options_check_model(&line->options, err);
    return err_set(err, "unexpected argument \"%.128s\"%s", words[first + (line->subcommand == SUBCOMMAND_SHELL)],
                   line->subcommand == SUBCOMMAND_RUN ? "; the command for the guest goes after --" : "");
}

static void begin(struct command_line *line, int count, const char *const *words)
{
    *line = (struct command_line){.max_insns = UINT64_MAX, .all_count = count, .all_words = words};
    machine_options_init(&line->options);
}

bool command_line_parse(struct command_line *line, int count, const char *const *words, struct err *err)
{
    begin(line, count, words);
    return parse(line, count, words, err);
}

bool command_line_parse_onto(struct command_line *line, struct params *params, const char *name, struct err *err)
{
    command_line_release(line);
    begin(line, line->all_count, line->all_words);
    params_free(line->options.params);
    line->options.params = params;
    snprintf(line->options.machine_name, sizeof line->options.machine_name, "%s", name);
    return parse(line, line->all_count, line->all_words, err);
}

enum sweep_batch_mode command_line_batch_mode(const struct command_line *line)
{
    if (line->slurm)
        return line->slurm == COMMAND_LINE_SLURM_WRITE ? SWEEP_BATCH_SLURM_WRITE : SWEEP_BATCH_SLURM_SUBMIT;
    return line->merge ? SWEEP_BATCH_MERGE : line->parts ? SWEEP_BATCH_PART : SWEEP_BATCH_HERE;
}

void command_line_release(struct command_line *line)
{
    free(line->checkpoint_file);
    line->checkpoint_file = NULL;
    free(line->series.folder);
    line->series.folder = NULL;
    free(line->passed);
    line->passed = NULL;
    machine_options_release(&line->options);
}
