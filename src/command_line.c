#include "src/command_line.h"

#include "src/command_options.h"
#include "src/restore.h"
#include <stdlib.h>
#include <string.h>

#define SUBCOMMANDS "run, restore, info, windows, sweep, report, trace, shell, cluster, params, machines"

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
    {"--version", SUBCOMMAND_VERSION, "--version", "version, commit, build options, what works on this host"},
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

void command_line_usage(FILE *out)
{
    /* Two spaces or more before what it means: docs/man.sh reads it too. */
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "%s simos %-31s  %s\n", i ? "      " : "usage:", subcommands[i].synopsis, subcommands[i].help);
    fputs("options:\n", out);
    for (unsigned i = 0; i < command_option_count; i++)
        if (command_options[i].help) {
            char left[64];
            snprintf(left, sizeof left, "--%s %s", command_options[i].name,
                     command_options[i].value ? command_options[i].value : "");
            fprintf(out, "  %-25s  %s\n", left, command_options[i].help);
        }
    fputs("EVENT is boot (userland is up), mark:NAME (the guest said so), time:SECONDS or insns:N.\n", out);
    fputs("Exit status: the command's own; 124 if a limit ended the run, 125 if simos could not do it.\n", out);
}

/* WORD, and VALUE if that is a word of its own. False with ERR if it is not for `windows`. */
static bool pass_on(struct command_line *line, const struct option *option, const char *word, const char *value,
                    struct err *err)
{
    if (!(option->flags & OPTION_OF_EACH_WINDOW))
        return (option->flags & (OPTION_OF_BATCH | OPTION_OF_WINDOWS)) ||
               err_set(err, "--%s: `windows` has no such option", option->name);
    line->passed = checked_memory(realloc(line->passed, ((size_t)line->passed_count + 2) * sizeof *line->passed));
    line->passed[line->passed_count++] = word;
    if (value && !strchr(word, '='))
        line->passed[line->passed_count++] = value;
    return true;
}

/* The option that WORD ("--name" or "--name=value") begins with. */
static const struct option *find_option(const char *word)
{
    size_t length = strcspn(word + 2, "=");
    for (unsigned i = 0; i < command_option_count; i++)
        if (strlen(command_options[i].name) == length && memcmp(command_options[i].name, word + 2, length) == 0)
            return &command_options[i];
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
        if (!line->first_option && !(option->flags & OPTION_OF_BATCH))
            line->first_option = option->name;
        if (!first_pass && line->subcommand == SUBCOMMAND_WINDOWS && !pass_on(line, option, word, value, err))
            return false;
        const bool now = (option->flags & OPTION_EACH_PASS) || !!(option->flags & OPTION_FIRST) == first_pass;
        if (now && line->origin && (option->flags & OPTION_HOST) && !line->options.trust)
            return err_set(
                err, "%.200s: its --%s%s%.200s touches this host: say it on the command line, or --trust the file",
                line->origin, option->name, value ? " " : "", value ? value : "");
        if (now && !option->apply(line, option, value, err))
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
        line->origin = NULL;
        params_set_origin(line->options.params, NULL);
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
    if (strcmp(word, "--version") == 0) {
        line->subcommand = SUBCOMMAND_VERSION;
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
    return true;
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
    if (line->first_option && strcmp(line->first_option, "svg") != 0 && strcmp(line->first_option, "compare") != 0 &&
        strcmp(line->first_option, "services") != 0)
        return err_set(err, "--%s: `report` has no such option", line->first_option);
    if (line->compare)
        return (operands == 2 && !line->svg) ||
               err_set(err, "--compare takes two files, OLD.json NEW.json%s", line->svg ? ", and no --svg" : "");
    if (line->services && line->svg)
        return err_set(err, "--services draws no figure");
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
    if (line->out && line->over_count == 0)
        return err_set(err, "--out: `restore` has it with --over");
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
    if (line->subcommand == SUBCOMMAND_VERSION)
        return count == 0 || err_set(err, "unexpected argument \"%.128s\"", words[0]);
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
        return true;
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
    collect_plan_release(&line->collect);
    free(line->series.folder);
    line->series.folder = NULL;
    free(line->passed);
    line->passed = NULL;
    machine_options_release(&line->options);
}

bool command_line_is_one_of_several(const struct command_line *line, bool sweep, struct err *err)
{
    const struct {
        bool given, by_nodes; /* a node of a cluster may have it */
        const char *option;
    } refused[] = {{line->gdb, false, "gdb"},
                   {line->lockstep, false, "lockstep"},
                   {line->stats_path, true, "stats"},
                   {line->profile_path, true, "profile"},
                   {line->checkpoint_path, false, "checkpoint"},
                   {line->series.folder, false, "series"},
                   {line->trace_path, false, "trace"},
                   {line->record_path, false, "record"},
                   {line->replay_path, false, "replay"},
                   {line->options.copy, true, "copy-in, --copy-out"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].given && (sweep || !refused[i].by_nodes))
            return err_set(err, "--%s: not in a %s", refused[i].option, sweep ? "sweep" : "cluster");
    return true;
}
