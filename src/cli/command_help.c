/*
 * docs/man.sh parses this output. A row is: words to type, two blanks or a newline, explanation. Continuation lines
 * have more leading blanks than any row.
 */
#include "src/cli/command_help.h"

#include "cpu/model.h"
#include "src/tcl/tcl_versions.h"
#include "src/base/version.h"
#include "src/cli/command_options.h"
#include "src/base/style.h"
#include "src/base/wrap.h"
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

static void put_commands(enum subcommand subcommand, FILE *out)
{
    const struct subcommand_row *row;
    bool first = true;
    for (unsigned i = 0; (row = subcommand_at(i)); i++) {
        if (subcommand != SUBCOMMAND_HELP && row->subcommand != subcommand)
            continue;
        fprintf(out, "%s simos %s\n%*s", first ? "usage:" : "      ", row->synopsis, COMMAND_MEANING, "");
        put_wrapped(row->help, COMMAND_MEANING, out);
        first = false;
    }
}

static void put_option(const struct option *option, enum subcommand subcommand, FILE *out)
{
    char left[96], text[400], list[160] = "";
    const char *value = option->value ? option->value : "";
    const char *between = *value == '[' ? "[=" : *value ? " " : ""; /* "--name VALUE", "--name[=VALUE]" */
    int length = snprintf(left, sizeof left, "  --%s%s%s", option->name, between, value + (*value == '['));
    if (subcommand == SUBCOMMAND_HELP && !(option->commands & SUBCOMMAND_BIT(SUBCOMMAND_RUN)))
        subcommand_list(option->commands, list, sizeof list);
    snprintf(text, sizeof text, "%s%s%s%s", *list ? "with " : "", list, *list ? ": " : "", option->help);
    fputs(left, out);
    if (length + 2 > OPTION_MEANING)
        fprintf(out, "\n%*s", OPTION_MEANING, "");
    else
        fprintf(out, "%*s", OPTION_MEANING - length, "");
    put_wrapped(text, OPTION_MEANING, out);
}

static bool is_shown(const struct option *option, enum subcommand subcommand)
{
    return option->help && (subcommand == SUBCOMMAND_HELP || (option->commands & SUBCOMMAND_BIT(subcommand)));
}

/* Print the options of a group under its heading, if there are any. Returns true if there were. */
static bool put_group(enum command_group group, enum subcommand subcommand, FILE *out)
{
    bool any = false;
    for (unsigned i = 0; i < command_option_count; i++) {
        const struct option *option = &command_options[i];
        if (option->group != group || !is_shown(option, subcommand))
            continue;
        if (!any)
            fprintf(out, "\n%s%s:%s\n", style_on(out, STYLE_HEADING), command_option_groups[group], style_off(out));
        put_option(option, subcommand, out);
        any = true;
    }
    return any;
}

static const char *page_of(enum subcommand subcommand)
{
    const struct subcommand_row *row;
    for (unsigned i = 0; (row = subcommand_at(i)); i++)
        if (row->subcommand == subcommand)
            return row->page;
    return NULL;
}

void command_help(enum subcommand subcommand, FILE *out)
{
    bool options = false;
    put_commands(subcommand, out);
    for (unsigned group = 0; group < COMMAND_GROUPS; group++)
        options |= put_group(group, subcommand, out);
    if (options)
        fputc('\n', out);
    if (subcommand == SUBCOMMAND_HELP || (SUBCOMMANDS_WITH_COMMAND & SUBCOMMAND_BIT(subcommand))) {
        put_wrapped("EVENT is boot (userland is up), mark:NAME (the guest said so), time:SECONDS or insns:N.", 0, out);
        put_wrapped("Exit status: the command's own; 124 if a limit ended the run, 125 if simos could not do it.", 0,
                    out);
    }
    if (subcommand == SUBCOMMAND_HELP)
        fputs("`simos COMMAND --help` has the options of one command.\n", out);
    else if (page_of(subcommand))
        fprintf(out, "More: docs/%s\n", page_of(subcommand));
}

void command_version(FILE *out)
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
