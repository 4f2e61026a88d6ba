/* Commands that print what simos has: `params`, `machines`, `devices`, `measures`, `docs`. */
#include "src/base/shipped_files.h"
#include "src/command/command_line.h"
#include "src/command/option_values.h"
#include "src/machine/board_devices.h"
#include "src/description/machine_file.h"
#include "src/measure/measures.h"
#include "src/report/diagram.h"
#include "src/run/run_files.h"
#include <limits.h>
#include <stdio.h>

/* params */

struct params_options {
    struct run_options run;
    bool picture; /* draw the machine instead of the list */
    int count;    /* of prefixes of names */
    const char *const *names;
};

static void init_params(void *options, const struct command_line *line)
{
    run_options_begin(options, RUN_KIND_PARAMS, line);
}

static bool take_names(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct params_options *options = line->options;
    options->names = words;
    options->count = count;
    return !options->picture || count == 0 ||
           err_set(err, "unexpected argument \"%.128s\": --picture draws the whole machine", words[0]);
}

static uint32_t params_uses(const void *opaque)
{
    const struct params_options *options = opaque;
    return run_based_uses(&options->run) | (options->picture ? OPTION_USE(PICTURE) : 0);
}

static void add_params_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct params_options *options = opaque;
    named_files_add_run(files, owner, &options->run);
}

static int list_params(struct command_line *line, struct err *err)
{
    const struct params_options *options = line->options;
    const struct params *params = options->run.options.params;
    if (options->picture)
        return diagram_print(options->run.options.machine_name, params, stdout, err) ? 0 : EXIT_SIMOS_FAILED;
    for (int i = 0; i < options->count; i++)
        if (params_print(params, options->names[i], stdout) == 0) {
            err_set(err, "no parameter's name begins with \"%.128s\"", options->names[i]);
            return EXIT_SIMOS_FAILED;
        }
    if (options->count == 0)
        params_print(params, NULL, stdout);
    return 0;
}

static const struct option params_table[] = {
    {"picture", NULL, OPTION_GROUP_OBSERVE, 0, "draw the machine instead of listing parameters", option_set_flag,
     .member = offsetof(struct params_options, picture)},
    {.name = NULL},
};

const struct command params_command = {
    .name = "params",
    .usages = {{"params [options] [NAME...]", "parameters, all or those named NAME..."}},
    .page = "reference/parameters.md",
    .tables = {{run_option_table, offsetof(struct params_options, run), RUN_HAS(PARAMS)}, {params_table, 0, 0}},
    .size = sizeof(struct params_options),
    .init = init_params,
    .release = run_based_release,
    .params = run_based_params,
    .operands = take_names,
    .uses = params_uses,
    .add_files = add_params_files,
    .main = list_params,
};

/* Without options */

static bool take_nothing(struct command_line *line, int count, const char *const *words, struct err *err)
{
    (void)line;
    return count == 0 || command_line_unexpected(words[0], err);
}

static int list_machines(struct command_line *line, struct err *err)
{
    (void)line, (void)err;
    machine_file_list(stdout);
    return 0;
}

static int list_devices(struct command_line *line, struct err *err)
{
    (void)line, (void)err;
    board_devices_list(stdout);
    return 0;
}

static int list_measures(struct command_line *line, struct err *err)
{
    (void)line, (void)err;
    measures_print(stdout);
    return 0;
}

/* The pages: the site beside a build, that of an installation (`make install`, a wheel), or its Markdown. */
static int name_docs(struct command_line *line, struct err *err)
{
    (void)line;
    static const char *const places[] = {"site/index.html", "share/doc/simos/site/index.html",
                                         "share/doc/simos/README.md"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (shipped_file_find(places[i], 2, path, sizeof path)) {
            printf("%s\n", path);
            return 0;
        }
    err_set(err, "no pages: there is no %s beside simos, nor %s two folders up; type \"make site\"", places[0],
            places[1]);
    return EXIT_SIMOS_FAILED;
}

const struct command machines_command = {
    .name = "machines",
    .usages = {{"machines", "the built-in machine descriptions"}},
    .page = "reference/machines.md",
    .operands = take_nothing,
    .main = list_machines,
};

const struct command devices_command = {
    .name = "devices",
    .usages = {{"devices", "the devices of the board: addresses, interrupts"}},
    .page = "reference/devices.md",
    .operands = take_nothing,
    .main = list_devices,
};

const struct command measures_command = {
    .name = "measures",
    .usages = {{"measures", "causes of cycles, classes of misses, formulas, as JSON"}},
    .page = "reference/results.md",
    .operands = take_nothing,
    .main = list_measures,
};

const struct command docs_command = {
    .name = "docs",
    .usages = {{"docs", "where these pages are on this machine, for a browser"}},
    .page = "how-to/install.md",
    .operands = take_nothing,
    .main = name_docs,
};
