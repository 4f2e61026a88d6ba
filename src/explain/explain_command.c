/*
 * `simos explain A.json B.json`: prints why B takes other time than A (src/explain/explain.h), and with --confirm runs
 * B again without its largest causes.
 */
#include "src/base/save_file.h"
#include "src/base/version.h"
#include "src/command/command_line.h"
#include "src/command/option_values.h"
#include "src/command/shared_options.h"
#include "src/explain/explain_confirm.h"
#include "src/explain/explain_output.h"
#include "src/explain/explain_placement.h"
#include "src/explain/explain.h"
#include "src/host/named_files.h"
#include <stdlib.h>

/* What a JSON file has. */
struct explained {
    const struct explanation *whole;
    const struct explain_placement *parts; /* NULL: none */
};

static void write_json(const void *opaque, FILE *out)
{
    const struct explained *explained = opaque;
    struct json_writer json = json_writer_to(out);
    explanation_write_json(explained->whole, explained->parts, &json);
    putc('\n', out);
}

/* Tell the change from its placement, and print both. */
static bool divide(const struct explain_options *options, const struct explanation *e, struct explain_placement *parts,
                   struct err *err)
{
    fflush(stdout);
    if (!explain_placement_make(parts, options, e, err))
        return false;
    explanation_print_part(parts->own, "The change's own", stdout);
    explanation_print_part(parts->placement, "Placement", stdout);
    return true;
}

static int explain(const struct explain_options *options, struct err *err)
{
    json_t *roots[EXPLAIN_SIDES] = {NULL, NULL};
    struct explanation *e = NULL;
    for (unsigned side = 0; side < EXPLAIN_SIDES && (side == 0 || roots[0]); side++)
        roots[side] = json_file_read(INPUT_STATISTICS, options->files[side], NULL, err);
    if (roots[0] && roots[1])
        e = explanation_create(options->files, roots, err);
    bool done = e != NULL;
    struct explain_placement parts = {NULL, NULL};
    if (done)
        explanation_print(e, stdout);
    if (done && options->placement)
        done = divide(options, e, &parts, err);
    const struct explained explained = {e, options->placement ? &parts : NULL};
    if (done && options->json_path)
        done = save_file("JSON file", options->json_path, write_json, &explained, err);
    if (done && options->confirm > 0)
        done = explain_confirm(options, e, err);
    explain_placement_release(&parts);
    explanation_free(e);
    json_decref(roots[0]);
    json_decref(roots[1]);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

/* The command */

static void init(void *opaque, const struct command_line *line)
{
    struct explain_options *options = opaque;
    options->commands = line->commands;
}

static bool set_confirm(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct explain_options *options = opaque;
    uint64_t causes = 0;
    (void)option;
    if (!option_parse_count("--confirm", value, 1, EXPLAIN_CONFIRM_MAX, &causes, err))
        return false;
    options->confirm = (unsigned)causes;
    return true;
}

/* The run B. */
static bool take_command(void *opaque, int count, const char *const *words, struct err *err)
{
    struct explain_options *options = opaque;
    options->words = words;
    options->word_count = count;
    return options->confirm || options->placement ||
           err_set(err, "\"--\": a command is for --confirm and --placement, which run it again");
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct explain_options *options = line->options;
    if (count != 2)
        return err_set(err, "`explain` takes two files that --stats has written, A.json B.json");
    options->files[0] = words[0];
    options->files[1] = words[1];
    return true;
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct explain_options *options = opaque;
    (void)owner;
    for (int i = 0; i < 2; i++)
        named_files_add_input(files, "the statistics", options->files[i]);
    named_files_add_input(files, "--placement", options->placement);
    named_files_add_output(files, "--json", "JSON file", options->json_path);
}

static int execute(struct command_line *line, struct err *err)
{
    return explain(line->options, err);
}

static const struct option option_table[] = {
    {OPTION_JSON, .apply = option_set_file, .member = offsetof(struct explain_options, json_path)},
    {"confirm", "N", OPTION_GROUP_RESULTS, 0,
     "run B again without each of the N largest causes that can be made free: predicted and simulated gain",
     .apply = set_confirm},
    {"placement", "KERNEL", OPTION_GROUP_RESULTS, OPTION_HOST | OPTION_READS,
     "run B again with its functions seen where KERNEL, that of A, has them: what the change costs by itself, and what "
     "its placement",
     .apply = option_set_file, .member = offsetof(struct explain_options, placement)},
    {OPTION_TRUST_FILES, .apply = option_set_flag, .member = offsetof(struct explain_options, trust)},
    {.name = NULL},
};

const struct command explain_command = {
    .name = "explain",
    .usages = {{"explain A.json B.json [options] [-- run|restore ...]",
                "why run B takes longer or shorter than A: parts that add up to the difference"}},
    .page = "how-to/explain.md",
    .tables = {{option_table, 0, 0}},
    .size = sizeof(struct explain_options),
    .init = init,
    .take_command = take_command,
    .operands = take_operands,
    .add_files = add_files,
    .main = execute,
};
