/*
 * `simos --help`, `simos COMMAND --help`, made from the tables of commands and options, 80 columns wide; `simos
 * --version`.
 *
 * docs/man.sh parses this output. A row is: words to type, two blanks or a newline, explanation. Continuation lines
 * have more leading blanks than any row.
 */
#include "cpu/model.h"
#include "src/tcl/tcl_versions.h"
#include "src/base/deprecated.h"
#include "src/base/version.h"
#include "src/base/style.h"
#include "src/base/wrap.h"
#include "src/command/command_line.h"
#include <stdio.h>
#include <string.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum { COMMAND_MEANING = 13, OPTION_MEANING = 26 };

/* Print TEXT from column AT on; continuation lines begin at the same column. */
static void put_wrapped(const char *text, int at, FILE *out)
{
    struct wrap wrap = {.out = out, .indent = at, .at = at};
    wrap_put_words(&wrap, text);
    wrap_end(&wrap);
}

/* Print the usages of COMMAND; FIRST: nothing has been printed yet. */
static void put_usages(const struct command *command, bool first, FILE *out)
{
    char help[512];
    for (unsigned i = 0; i < COMMAND_USAGES && command->usages[i].synopsis; i++, first = false) {
        fprintf(out, "%s simos %s\n%*s", first ? "usage:" : "      ", command->usages[i].synopsis, COMMAND_MEANING, "");
        put_wrapped(deprecated_help(DEPRECATED_COMMAND, command->name, command->usages[i].help, help, sizeof help),
                    COMMAND_MEANING, out);
    }
}

static bool has_option(const struct command *command, const void *name)
{
    return command_option(command, name);
}

/* WITH: the commands to name, or empty. */
static void put_option(const struct option *option, const char *with, FILE *out)
{
    char left[96], help[512], text[640];
    const char *value = option->value ? option->value : "";
    const char *between = *value == '[' ? "[=" : *value ? " " : ""; /* "--name VALUE", "--name[=VALUE]" */
    int length = snprintf(left, sizeof left, "  --%s%s%s", option->name, between, value + (*value == '['));
    snprintf(text, sizeof text, "%s%s%s%s", *with ? "with " : "", with, *with ? ": " : "",
             deprecated_help(DEPRECATED_OPTION, option->name, option->help, help, sizeof help));
    fputs(left, out);
    if (length + 2 > OPTION_MEANING)
        fprintf(out, "\n%*s", OPTION_MEANING, "");
    else
        fprintf(out, "%*s", OPTION_MEANING - length, "");
    put_wrapped(text, OPTION_MEANING, out);
}

/* Print the options of COMMAND, or of all COMMANDS if it is NULL, below the headings of their groups. Returns true if
 * there are any. Options that the first command does not have say which do. */
static bool put_options(const struct commands *commands, const struct command *command, FILE *out)
{
    static const char *const headings[OPTION_GROUPS] = {
        [OPTION_GROUP_MACHINE] = "The machine",
        [OPTION_GROUP_GUEST] = "The guest and its connections",
        [OPTION_GROUP_LIMITS] = "Limits",
        [OPTION_GROUP_RESULTS] = "Results",
        [OPTION_GROUP_CHECKPOINTS] = "Checkpoints and records",
        [OPTION_GROUP_SWEEPS] = "Many runs",
        [OPTION_GROUP_OBSERVE] = "Observation",
        [OPTION_GROUP_OTHER] = "Other",
    };
    struct option_walk walk = {0};
    const struct option *option;
    unsigned group = OPTION_GROUPS;
    while ((option = command ? command_next_option(command, &walk) : commands_next_option(commands, &walk))) {
        char with[160] = "";
        if (!option->help)
            continue;
        if (option->group != group)
            fprintf(out, "\n%s%s:%s\n", style_on(out, STYLE_HEADING), headings[option->group], style_off(out));
        group = option->group;
        if (!command && !command_option(commands->list[0], option->name))
            commands_list(commands, has_option, option->name, with, sizeof with);
        put_option(option, with, out);
    }
    return group != OPTION_GROUPS;
}

/* COMMAND: NULL: all. */
static void put_help(const struct commands *commands, const struct command *command, FILE *out)
{
    for (unsigned i = 0; commands->list[i]; i++)
        if (!command || command == commands->list[i])
            put_usages(commands->list[i], command || i == 0, out);
    if (put_options(commands, command, out))
        fputc('\n', out);
    if (!command || command->guest_command) {
        put_wrapped("EVENT is boot (userland is up), mark:NAME (the guest said so), time:SECONDS or insns:N.", 0, out);
        put_wrapped("Exit status: the command's own; 124 if a limit ended the run, 125 if simos could not do it.", 0,
                    out);
    }
    if (!command)
        fputs("`simos COMMAND --help` has the options of one command.\n", out);
    else if (command->page)
        fprintf(out, "More: docs/%s\n", command->page);
}

/* The command `help`, also as --help */

struct help_options {
    const struct command *of; /* NULL: all */
};

static bool takes_all(int count, const char *const *words)
{
    (void)count, (void)words;
    return true;
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct help_options *options = line->options;
    if (count > 0)
        options->of = commands_find(line->commands, words[0], err);
    if (count > 1)
        return command_line_unexpected(words[1], err);
    return options->of || count == 0;
}

static int help(struct command_line *line, struct err *err)
{
    const struct help_options *options = line->options;
    (void)err;
    put_help(line->commands, options->of == line->commands->help ? NULL : options->of, stdout);
    return 0;
}

const struct command help_command = {
    .name = "help",
    .usages = {{"help [COMMAND]", "all options, or those of COMMAND, as `simos COMMAND --help`"}},
    .size = sizeof(struct help_options),
    .takes_all = takes_all,
    .operands = take_operands,
    .main = help,
};

/* --version */

static bool take_nothing(struct command_line *line, int count, const char *const *words, struct err *err)
{
    (void)line;
    return count == 0 || command_line_unexpected(words[0], err);
}

/* Three lines: version and commit; how it was built; what of it works on this host. */
static void put_version(FILE *out)
{
    const struct version *version = version_of_program();
    char text[VERSION_TEXT_SIZE];
    version_describe(version->number, version->commit, text);
    fprintf(out, "simos %s\n", text);
    fprintf(out, "built for %s by %s, %s, with Tcl %s\n", version->target, COMPILER, version->flags, TCL_PATCH_LEVEL);
    for (unsigned i = 0; cpu_model_at(i); i++) {
        const struct cpu_model_ops *model = cpu_model_at(i);
        fprintf(out, "%s%s", i ? ", " : "CPU models: ", model->name);
        if (model->supported && !model->supported())
            fprintf(out, " (not on this host: %s runs instead)", mipsy_model.name);
        else if (model == &mipsy_model && !translate_supported())
            fprintf(out, " (every instruction interpreted: no translator for this host)");
    }
    fprintf(out, "\n");
}

static int version(struct command_line *line, struct err *err)
{
    (void)line, (void)err;
    put_version(stdout);
    return 0;
}

const struct command version_command = {
    .name = "--version",
    .usages = {{"--version", "version, commit, build options, features of this host"}},
    .takes_all = takes_all,
    .operands = take_nothing,
    .main = version,
};
