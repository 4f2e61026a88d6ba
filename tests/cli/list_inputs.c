/*
 * Prints what names an input file, from the tables of the command line, one a line:
 *
 *     option COMMAND NAME     an option that reads a file, of each command that has it
 *     param NAME VALUE        a parameter that does; VALUE with @ for the file
 *     operand SYNOPSIS        a command whose operand is a file
 *     output COMMAND NAME     an option that writes a file, of each command that has it
 *
 * An option whose value is called a file and that neither reads nor writes one, nor is in the list below, is "unknown
 * NAME".
 */
#include "src/cli/commands.h"
#include "src/machine/machine.h"

#include <stdio.h>
#include <string.h>

/* Options that name files and have none of the flags: the file that later words are from; a port; the past of a run,
 * whose folder is read. */
static const char *const others[] = {"from", "gdb", "history"};

static bool names_a_file(const char *text)
{
    static const char *const words[] = {"FILE", "PATH", "FOLDER", "CKPT", "TRACE", "SCRIPT", "PREFIX"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text && strstr(text, words[i]))
            return true;
    return false;
}

static bool is_other(const char *name)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return false;
}

/* KIND, command and name, for each command that has OPTION. */
static void print_commands(const char *kind, const struct option *option)
{
    for (unsigned i = 0; simos_commands.list[i]; i++)
        if (command_option(simos_commands.list[i], option->name))
            printf("%s %s %s\n", kind, simos_commands.list[i]->name, option->name);
}

static void print_operands(const char *synopsis)
{
    char operands[200] = "";
    for (const char *at = synopsis; *at && !strstr(operands, "-- "); at++) /* without "-- COMMAND" */
        strncat(operands, at, 1);
    if (names_a_file(operands))
        printf("operand %s\n", synopsis);
}

static void print_option(const struct option *option)
{
    if (option->flags & (OPTION_WRITES | OPTION_MAKES))
        print_commands("output", option);
    if (!(option->flags & (OPTION_READS | OPTION_READS_BELOW))) {
        if (names_a_file(option->value) && !(option->flags & (OPTION_WRITES | OPTION_MAKES)) && !is_other(option->name))
            printf("unknown %s\n", option->name);
        return;
    }
    print_commands("option", option);
}

int main(void)
{
    struct machine_options options;
    const struct param_def *def;
    const struct option *option;
    struct option_walk walk = {0};
    while ((option = commands_next_option(&simos_commands, &walk)))
        print_option(option);
    machine_options_init(&options);
    for (size_t i = 0; (def = params_at(options.params, i)); i++)
        if (def->type == PARAM_INPUT || def->type == PARAM_DISK)
            printf("param %s @\n", def->name);
        else if (def->type == PARAM_WORDS)
            printf("param %s @@\n", def->name);
    machine_options_release(&options);
    for (unsigned i = 0; simos_commands.list[i]; i++)
        for (unsigned k = 0; k < COMMAND_USAGES && simos_commands.list[i]->usages[k].synopsis; k++)
            print_operands(simos_commands.list[i]->usages[k].synopsis);
    return 0;
}
