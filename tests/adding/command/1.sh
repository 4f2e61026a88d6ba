# A command that prints a word several times.
create src/cli/toy.c <<'END'
/* `simos toy WORD`: prints a word. */
#include "src/command/command_line.h"
#include "src/command/option_values.h"
#include <stdio.h>

struct toy_options {
    const char *word;
    unsigned times;
    bool loud;
};

static void init(void *opaque, const struct command_line *line)
{
    struct toy_options *options = opaque;
    (void)line;
    options->times = 1;
}

static bool set_times(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct toy_options *options = opaque;
    uint64_t times = 0;
    (void)option;
    if (!option_parse_count("--times", value, 1, 9, &times, err))
        return false;
    options->times = (unsigned)times;
    return true;
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct toy_options *options = line->options;
    if (count == 0)
        return err_set(err, "`toy` needs a WORD");
    options->word = words[0];
    return count == 1 || command_line_unexpected(words[1], err);
}

static int execute(struct command_line *line, struct err *err)
{
    const struct toy_options *options = line->options;
    (void)err;
    for (unsigned i = 0; i < options->times; i++)
        printf("%s%s\n", options->word, options->loud ? "!" : "");
    return 0;
}

static const struct option option_table[] = {
    {"times", "N", OPTION_GROUP_RESULTS, 0, "how often (1)", .apply = set_times},
    {"loud", NULL, OPTION_GROUP_OTHER, 0, "with an exclamation mark", option_set_flag,
     .member = offsetof(struct toy_options, loud)},
    {.name = NULL},
};

const struct command toy_command = {
    .name = "toy",
    .usages = {{"toy [options] WORD", "a toy that prints WORD"}},
    .page = "reference/commands.md",
    .tables = {{option_table, 0, 0}},
    .size = sizeof(struct toy_options),
    .init = init,
    .operands = take_operands,
    .main = execute,
};
END
