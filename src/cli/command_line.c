#include "src/cli/command_line.h"

#include "src/cli/command_options.h"
#include "src/cli/command_uses.h"
#include "src/regress/regress_baseline.h"
#include "src/run/restore.h"
#include "src/shell/shell.h"
#include "src/base/suggest.h"
#include "src/sweep/simpoints.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pass WORD, and VALUE if it is a separate word, to each window of `windows`. */
static void pass_on(struct command_line *line, const char *word, const char *value)
{
    line->passed = checked_memory(realloc(line->passed, ((size_t)line->passed_count + 2) * sizeof *line->passed));
    line->passed[line->passed_count++] = word;
    if (value && !strchr(word, '='))
        line->passed[line->passed_count++] = value;
}

/* SUBCOMMAND does not have OPTION: report it, with the commands that have it if these are few. */
static void reject_option(enum subcommand subcommand, const struct option *option, struct err *err)
{
    enum { FEW = 3 };
    char list[160];
    const int count = __builtin_popcount(option->commands);
    subcommand_list(option->commands, list, sizeof list);
    if (count > FEW)
        err_set(err, "--%s: `%s` has no such option", option->name, subcommand_name(subcommand));
    else
        err_set(err, "--%s: only %s ha%s it", option->name, list, count > 1 ? "ve" : "s");
}

/* Find the option of SUBCOMMAND for WORD ("--name" or "--name=value"). NULL with ERR if there is none. */
static const struct option *find_option(enum subcommand subcommand, const char *word, struct err *err)
{
    char name[SUGGEST_LENGTH_MAX];
    struct suggest suggest;
    const size_t dashes = strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
    suggest_begin(&suggest, name);
    for (unsigned i = 0; i < command_option_count; i++) {
        const struct option *option = &command_options[i];
        const bool has_it = option->commands & SUBCOMMAND_BIT(subcommand);
        if (dashes == 2 && strcmp(option->name, name) == 0) {
            if (has_it)
                return option;
            reject_option(subcommand, option, err);
            return NULL;
        }
        if (has_it && option->help)
            suggest_offer(&suggest, option->name);
    }
    if (access(word, F_OK) == 0)
        err_set(err, "unknown option %.128s; the file of that name is ./%.128s", word, word);
    else if (suggest.nearest)
        err_set(err, "unknown option %.128s; did you mean --%s?", word, suggest.nearest);
    else
        err_set(err, "unknown option %.128s; \"simos %s --help\" lists them", word, subcommand_name(subcommand));
    return NULL;
}

/* Does VALUE name a file "-" to be written? simos has no file of this name by itself: no output means standard output
 * by it, and most who write it mean that. */
static bool names_dash(const struct option *option, const char *value)
{
    return option->flags & (OPTION_WRITES | OPTION_MAKES) && value && *value == '-' && strchr(",@", value[1]);
}

/* Process the options from word *AT on; *AT becomes the index of the first word that is no option. */
static bool parse_options(struct command_line *line, int count, const char *const *words, int *at, bool first_pass,
                          struct err *err)
{
    for (; *at < count && words[*at][0] == '-' && words[*at][1] && strcmp(words[*at], "--") != 0; (*at)++) {
        const char *word = words[*at];
        const struct option *option = find_option(line->subcommand, word, err);
        if (!option)
            return false;
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
        if (names_dash(option, value))
            return err_set(err, "--%s: standard output is /dev/stdout, a file named \"-\" is ./-", option->name);
        line->given |= (uint64_t)1 << (option - command_options);
        if (!first_pass && line->subcommand == SUBCOMMAND_WINDOWS && (option->flags & OPTION_OF_EACH_WINDOW))
            pass_on(line, word, value);
        const bool now = (option->flags & OPTION_EACH_PASS) || !!(option->flags & OPTION_FIRST) == first_pass;
        if (now && line->origin && (option->flags & OPTION_HOST) && !line->run.options.trust)
            return err_set(err,
                           "%.200s: its --%s%s%.200s touches this host: repeat it on the command line, or use --trust",
                           line->origin, option->name, value ? " " : "", value ? value : "");
        if (now && !option->apply(line, option, value, err))
            return false;
    }
    return true;
}

/* Number of operands before "--" that a command with a COMMAND accepts. */
static int operands_of(enum subcommand subcommand)
{
    return subcommand == SUBCOMMAND_RUN ? 0 : 1;
}

/* Format the words with "--" inserted before number AT, for a suggestion. Empty if they contain "--" or do not fit. */
static void show_with_dashes(int count, const char *const *words, int at, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "--") == 0)
            count = 0;
    for (int i = 0; i < count && used < size; i++) {
        /* quote words with characters special to the shell, if one kind of quote suffices */
        const char *quote = words[i][strcspn(words[i], " \t\n'\"\\$&;|<>()*?[]`#~!")] ? "'" : "";
        used += (size_t)snprintf(text + used, size - used, "%s %s%s%s", i == at ? " --" : "", quote, words[i], quote);
        if (*quote && strchr(words[i], '\''))
            used = size;
    }
    if (count == 0 || used >= size)
        *text = 0;
    else
        memmove(text, text + 1, used);
}

/* Report the surplus operand AT of a command that takes a COMMAND. */
static bool reject_operand(int count, const char *const *words, int at, enum subcommand subcommand, struct err *err)
{
    char meant[200];
    show_with_dashes(count, words, at, meant, sizeof meant);
    return err_set(err, "unexpected argument \"%.128s\"; the command for the guest goes after --%s%s %s", words[at],
                   *meant ? ": simos " : "", *meant ? subcommand_name(subcommand) : "", meant);
}

/* Parse options anywhere before "--", in two passes. The operands must be consecutive: *OPERANDS words from *FIRST on.
 * *AFTER: the index of "--", or COUNT. */
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
            if ((SUBCOMMANDS_WITH_COMMAND & SUBCOMMAND_BIT(line->subcommand)) &&
                *operands == operands_of(line->subcommand))
                return reject_operand(count, words, at, line->subcommand, err);
            if (*operands == 0)
                *first = at;
            else if (at != *first + *operands)
                return err_set(err, "unexpected argument \"%.128s\"", words[at]);
            ++*operands;
            at++;
        }
        *after = at;
        line->origin = NULL;
        params_set_origin(line->run.options.params, NULL);
    }
    return true;
}

static bool take_command(struct command_line *line, int count, const char *const *words, int after, struct err *err)
{
    if (after >= count)
        return true;
    if (line->subcommand == SUBCOMMAND_EXPLAIN && after + 1 < count) {
        line->explain.words = words + after + 1;
        line->explain.word_count = count - after - 1;
        return line->explain.confirm || err_set(err, "\"--\": a command is for --confirm, which runs it again");
    }
    char list[64];
    subcommand_list(SUBCOMMANDS_WITH_COMMAND, list, sizeof list);
    if (!(SUBCOMMANDS_WITH_COMMAND & SUBCOMMAND_BIT(line->subcommand)) && after + 1 < count &&
        words[after + 1][0] == '-')
        return err_set(err, "unexpected argument \"--\": a file whose name begins with \"-\" is ./%.128s",
                       words[after + 1]);
    if (!(SUBCOMMANDS_WITH_COMMAND & SUBCOMMAND_BIT(line->subcommand)))
        return err_set(err, "unexpected argument \"--\": only %s take a command", list);
    if (after + 1 == count)
        return err_set(err, "no command after --");
    line->run.options.command = words + after + 1;
    line->run.options.command_count = count - after - 1;
    return true;
}

/* Is there a --help before the guest's command? */
static bool wants_help(int count, const char *const *words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    return false;
}

/* Operands of `sweep FILE.tcl`. */
static bool take_jobs(struct command_line *line, const char *file, struct err *err)
{
    line->jobs_file = file;
    return !line->run.options.command || err_set(err, "\"--\": not allowed with %.200s, which defines the jobs", file);
}

static bool is_tcl(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tcl") == 0;
}

/* Operands of `sweep` and `trace`. */
static bool take_trace(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    bool sweep = line->subcommand == SUBCOMMAND_SWEEP;
    if (operands > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    if (sweep && operands == 1 && is_tcl(words[0]))
        return take_jobs(line, words[0], err);
    if (operands == 1)
        line->replay = words[0];
    if (!sweep)
        return line->replay || err_set(err, "`trace` needs the FILE that --trace has written");
    if (line->run.over_count == 0)
        return err_set(err, "`sweep` needs FILE.tcl, or --over SERIES, such as --over cache.l2.size=256K..4M or --over "
                            "figure-4.6");
    if (line->replay && line->run.options.command)
        return err_set(err, "\"%.128s\": a sweep over a trace takes no command", line->replay);
    return true;
}

/* Operands of `windows`: the folder. */
static bool take_windows(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    if (operands == 0)
        return err_set(err, "`windows` needs the folder that --series has written");
    if (operands > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    line->run.restored = words[0];
    if (line->confidence == 0)
        line->confidence = 95;
    return line->run.window.length > 0 || err_set(err, "`windows` needs --window N");
}

/* Operands of `test`: its files. */
static bool take_tests(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    line->regress.files = words;
    line->regress.file_count = operands;
    if (operands == 0)
        return err_set(err, "`test` needs the FILE.tcl that describes the rows to keep");
    if (line->regress.bless && line->regress.kernel_count == REGRESS_KERNELS_MAX)
        return err_set(err, "--bless: not together with two kernels, which need no baseline");
    return (operands == 1 || (!line->run.out && !line->slurm && !line->parts)) ||
           err_set(err, "--out, --part and --slurm take one FILE.tcl");
}

/* Operands of `report`: its files. */
static bool take_report(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    line->report.files = words;
    line->report.file_count = operands;
    if (line->report.compare)
        return operands == 2 || err_set(err, "--compare takes two files, OLD.json NEW.json");
    return operands > 0 || err_set(err, "`report` needs files that --stats or a sweep has written");
}

/* Operands of `explain`: its two files. */
static bool take_explain(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    if (operands != 2)
        return err_set(err, "`explain` takes two files that --stats has written, A.json B.json");
    line->explain.files[0] = words[0];
    line->explain.files[1] = words[1];
    return true;
}

/* Operands of `restore` and `info`: the checkpoint. */
static bool take_checkpoint(struct command_line *line, int operands, const char *const *words, struct err *err)
{
    if (operands == 0)
        return err_set(err, "`%s` needs the file that --checkpoint has written",
                       line->subcommand == SUBCOMMAND_INFO ? "info" : "restore");
    if (operands > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    line->run.restored = words[0];
    return true;
}

/* Operands of `help [COMMAND]`. */
static bool take_help(struct command_line *line, int count, const char *const *words, struct err *err)
{
    const struct subcommand_row *row = count > 0 ? subcommand_find(words[0], err) : NULL;
    if (count > 1)
        return err_set(err, "unexpected argument \"%.128s\"", words[1]);
    line->subcommand = SUBCOMMAND_HELP;
    line->run.kind = RUN_KIND_NONE;
    line->help_of = row ? row->subcommand : SUBCOMMAND_HELP;
    return row || count == 0;
}

static enum run_kind kind_of(enum subcommand subcommand)
{
    return subcommand == SUBCOMMAND_RUN       ? RUN_KIND_RUN
           : subcommand == SUBCOMMAND_RESTORE ? RUN_KIND_RESTORE
           : subcommand == SUBCOMMAND_SHELL   ? RUN_KIND_SHELL
                                              : RUN_KIND_NONE;
}

static bool parse(struct command_line *line, int count, const char *const *words, struct err *err)
{
    int operands = 0, first = 0, after = 0;
    if (count > 0 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0))
        return take_help(line, count - 1, words + 1, err);
    const struct subcommand_row *row = subcommand_find(count > 0 ? words[0] : "", err);
    if (!row)
        return false;
    line->subcommand = row->subcommand;
    line->run.kind = kind_of(row->subcommand);
    words++, count--;
    if (line->subcommand == SUBCOMMAND_HELP)
        return take_help(line, count, words, err);
    if (line->subcommand == SUBCOMMAND_COMPLETION && count > 0 && strcmp(words[0], "candidates") == 0) {
        line->names = words; /* a command line of its own */
        line->name_count = count;
        return true;
    }
    if (line->subcommand == SUBCOMMAND_VERSION)
        return count == 0 || err_set(err, "unexpected argument \"%.128s\"", words[0]);
    if (wants_help(count, words))
        return take_help(line, 1, words - 1, err);
    if (!parse_words(line, count, words, &operands, &first, &after, err) ||
        !take_command(line, count, words, after, err))
        return false;
    if (line->subcommand == SUBCOMMAND_COMPLETION) {
        line->names = words + first;
        line->name_count = operands;
        return true;
    }
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
    if (line->subcommand == SUBCOMMAND_EXPLAIN)
        return take_explain(line, operands, words + first, err);
    if (line->subcommand == SUBCOMMAND_CHECK) {
        line->names = words + first;
        line->name_count = operands;
        return operands > 0 || err_set(err, "`check` needs a JSON file that simos has written");
    }
    if (line->subcommand == SUBCOMMAND_TEST)
        return take_tests(line, operands, words + first, err);
    if (line->subcommand == SUBCOMMAND_CLUSTER) {
        line->words = words;
        line->word_count = count;
        line->script = operands == 1 ? words[first] : NULL;
        return line->script || err_set(err, "`cluster` needs one FILE.tcl that describes its machines");
    }
    if (line->subcommand == SUBCOMMAND_SHELL && operands == 1) {
        line->script = words[first];
        return true;
    }
    if (operands == 0)
        return true;
    return err_set(err, "unexpected argument \"%.128s\"", words[first + (line->subcommand == SUBCOMMAND_SHELL)]);
}

static void begin(struct command_line *line, enum run_place place, int count, const char *const *words)
{
    *line = (struct command_line){.place = place, .all_count = count, .all_words = words};
    run_options_init(&line->run);
    line->run.interpreter = &shell_interpreter;
    line->run.word_count = count;
    line->run.words = words;
}

bool command_line_parse(struct command_line *line, int count, const char *const *words, struct err *err)
{
    begin(line, RUN_PLACE_ALONE, count, words);
    return parse(line, count, words, err) && command_uses_check(line, err);
}

bool command_line_parse_onto(struct command_line *line, struct params *params, const char *name, struct err *err)
{
    command_line_release(line);
    begin(line, RUN_PLACE_ALONE, line->all_count, line->all_words);
    params_free(line->run.options.params);
    line->run.options.params = params;
    snprintf(line->run.options.machine_name, sizeof line->run.options.machine_name, "%s", name);
    return parse(line, line->all_count, line->all_words, err) && command_uses_check(line, err);
}

struct sweep_batch_options command_line_batch(const struct command_line *line)
{
    struct sweep_batch_options batch = {.processes = line->jobs, .part = line->part, .parts = line->parts};
    batch.mode = line->slurm == COMMAND_LINE_SLURM_WRITE ? SWEEP_BATCH_SLURM_WRITE
                 : line->slurm                           ? SWEEP_BATCH_SLURM_SUBMIT
                 : line->merge                           ? SWEEP_BATCH_MERGE
                 : line->parts                           ? SWEEP_BATCH_PART
                                                         : SWEEP_BATCH_HERE;
    return batch;
}

struct trace_options command_line_trace(const struct command_line *line)
{
    return (struct trace_options){.file = line->replay, .format = line->trace_export, .out = line->run.out};
}

void command_line_release(struct command_line *line)
{
    free(line->passed);
    free(line->assigned);
    free(line->simpoints);
    line->simpoints = NULL;
    line->passed = NULL;
    line->assigned = NULL;
    line->assigned_count = 0;
    run_options_release(&line->run);
}

bool command_line_parse_run(struct run_options *run, enum run_place place, int count, const char *const *words,
                            struct err *err)
{
    struct command_line line;
    begin(&line, place, count, words);
    bool parsed = parse(&line, count, words, err) && command_uses_check(&line, err);
    *run = line.run;
    free(line.passed);
    free(line.assigned);
    free(line.simpoints);
    return parsed;
}

static void add_tests(const struct regress_options *tests, struct named_files *files)
{
    for (int i = 0; i < tests->file_count; i++) {
        char *baseline = regress_baseline_path(tests->files[i]);
        named_files_add_input(files, "the test", tests->files[i]);
        if (tests->bless)
            named_files_add_output(files, "the baseline", "baseline", baseline);
        else
            named_files_add_input(files, "the baseline", baseline);
        free(baseline);
    }
    named_files_add_output(files, "--junit", "JUnit file", tests->junit_path);
    named_files_add_output(files, "--tap", "TAP file", tests->tap_path);
    named_files_add_output(files, "--json", "JSON file", tests->json_path);
}

/* The files that a `trace` with --out may write. Which CPUs the trace has is not known yet: whether their files can be
 * written is seen when they are opened. */
static void add_trace(const struct trace_options *options, struct named_files *files)
{
    char path[4096];
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++)
        if (trace_output_path(options, cpu, path, sizeof path))
            named_files_add_output(files, "--out", NULL, path);
}

static void add_simpoints(const char *simpoints, struct named_files *files)
{
    static const char *const endings[] = {"simpoints", "weights", "labels"};
    for (size_t i = 0; simpoints && i < sizeof endings / sizeof endings[0]; i++) {
        char *path = simpoints_path(simpoints, endings[i]);
        named_files_add_input(files, "the simpoints", path);
        free(path);
    }
}

void command_line_add_files(const struct command_line *line, const char *owner, struct named_files *files)
{
    named_files_add_input(files, "the trace", line->replay);
    named_files_add_input(files, "the sweep", line->jobs_file);
    named_files_add_input(files, "the script", line->script);
    for (int i = 0; i < line->report.file_count; i++)
        named_files_add_input(files, "the statistics", line->report.files[i]);
    for (int i = 0; i < 2; i++)
        named_files_add_input(files, "the statistics", line->explain.files[i]);
    for (int i = 0; line->subcommand == SUBCOMMAND_CHECK && i < line->name_count; i++)
        named_files_add_input(files, "the file", line->names[i]);
    add_tests(&line->regress, files);
    named_files_add_run(files, owner, &line->run);
    named_files_add_figures(files, line->report.svg);
    const struct trace_options trace = command_line_trace(line);
    if (line->subcommand == SUBCOMMAND_TRACE && trace.out)
        add_trace(&trace, files);
    named_files_add_output(files, "--html", "page", line->report.html);
    named_files_add_output(files, "--mcpat", "McPAT file", line->report.mcpat);
    if (line->subcommand == SUBCOMMAND_WINDOWS)
        named_files_add_series(files, line->run.restored);
    add_simpoints(line->simpoints, files);
}
