/* What the runs are of: the machine's picture, its parameters, and where the figures come from. */
#include "src/page/page_sections.h"

#include "src/machine/machine.h"
#include "src/description/machine_file.h"
#include "src/report/diagram.h"
#include "src/results/values.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Parameters in a file */

/* The value of parameter NAME ("cache.l2.size"), owned by the statistics; NULL if it has none. */
static const char *parameter_of(const struct page *page, unsigned run, const char *name)
{
    return results_parameter(page->runs->columns[run], name);
}

/* The default values, as those of the built-in machine of RUN if it is one. */
static struct params *defaults_of(const struct page *page, unsigned run, bool *built_in)
{
    struct machine_options options;
    const char *machine = page->runs->columns[run]->machine;
    machine_options_init(&options);
    *built_in = machine_text_find(machine, NULL) && machine_options_describe(&options, machine, NULL);
    struct params *params = params_copy(options.params);
    machine_options_release(&options);
    return params;
}

/* Picture */

enum { LINE = 15, MARGIN = 8, GAP = 18, PICTURE_WIDTH = 660, FONT = 11 };

static unsigned height_of(const struct picture_stage *stage)
{
    int lines = stage->box[0].count;
    if (stage->split && stage->box[1].count > lines)
        lines = stage->box[1].count;
    return (unsigned)(lines * LINE + 2 * MARGIN);
}

static void draw_box(const struct page *page, const struct picture_box *box, unsigned x, unsigned y, unsigned width,
                     unsigned height)
{
    if (box->count == 0) { /* nothing is here: what is above continues */
        fprintf(page->out, "<line x1=\"%u\" x2=\"%u\" y1=\"%u\" y2=\"%u\"/>", x + width / 2, x + width / 2, y,
                y + height);
        return;
    }
    fprintf(page->out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"5\"/>", x, y, width, height);
    for (int i = 0; i < box->count; i++) {
        fprintf(page->out, "<text x=\"%u\" y=\"%u\"%s>", x + 10, y + MARGIN + (unsigned)i * LINE + FONT,
                i ? "" : " class=\"first\"");
        page_text(page->out, box->line[i]);
        fputs("</text>", page->out);
    }
}

static void draw_picture(const struct page *page, const struct picture *picture)
{
    unsigned height = 0, y = 1;
    for (int i = 0; i < picture->count; i++)
        height += height_of(&picture->stage[i]) + (i ? GAP : 0);
    fprintf(page->out, "<svg class=\"picture\" viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"the machine\">\n",
            PICTURE_WIDTH, height + 2);
    for (int i = 0; i < picture->count; i++) {
        const struct picture_stage *stage = &picture->stage[i];
        const bool split = stage->split, forked = i > 0 && (split || stage[-1].split);
        const unsigned half = (PICTURE_WIDTH - 14) / 2, own = height_of(stage);
        if (i > 0) {
            const unsigned at[2] = {forked ? half / 2 + 1 : PICTURE_WIDTH / 2, half + half / 2 + 13};
            for (unsigned side = 0; side <= (unsigned)forked; side++)
                fprintf(page->out, "<line x1=\"%u\" x2=\"%u\" y1=\"%u\" y2=\"%u\"/>", at[side], at[side], y, y + GAP);
            y += GAP;
        }
        draw_box(page, &stage->box[0], 1, y, split ? half : PICTURE_WIDTH - 2, own);
        if (split)
            draw_box(page, &stage->box[1], half + 13, y, half, own);
        y += own;
    }
    fputs("</svg>\n", page->out);
}

/* The picture of RUN's machine. Values that this version of simos refuses stay at their defaults. */
static void make_picture(const struct page *page, unsigned run, struct picture *picture)
{
    bool built_in;
    struct params *params = defaults_of(page, run, &built_in);
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        const char *value = def->traits & TRAIT_HARDWARE ? parameter_of(page, run, def->name) : NULL;
        if (value)
            params_set(params, def->name, value, NULL);
    }
    diagram_make(picture, params);
    params_free(params);
}

void page_put_machine(const struct page *page)
{
    struct picture *pictures = checked_memory(calloc(page->runs->count, sizeof *pictures));
    page_begin_section(page, "machine", "The machine");
    fputs("<div class=\"figures\">", page->out);
    for (unsigned run = 0; run < page->runs->count; run++)
        make_picture(page, run, &pictures[run]);
    for (unsigned run = 0; run < page->runs->count; run++) {
        bool drawn = false;
        for (unsigned i = 0; i < run; i++)
            drawn |= memcmp(&pictures[i], &pictures[run], sizeof pictures[run]) == 0;
        if (drawn)
            continue;
        fputs("<figure><figcaption>", page->out);
        for (unsigned i = run; i < page->runs->count; i++)
            if (memcmp(&pictures[i], &pictures[run], sizeof pictures[run]) == 0)
                page_put_run(page, i);
        fputs("</figcaption>", page->out);
        draw_picture(page, &pictures[run]);
        fputs("</figure>\n", page->out);
    }
    fputs("</div>", page->out);
    free(pictures);
    page_end_section(page);
}

/* Parameters */

static void put_parameter(const struct page *page, const struct param_def *def, const char *initial,
                          struct params *const machines[])
{
    bool differs = false;
    for (unsigned run = 0; run < page->runs->count; run++) {
        const char *value = parameter_of(page, run, def->name);
        differs |= value && strcmp(value, initial) != 0;
    }
    if (!differs)
        return;
    char path[EXPRESSION_NAME_SIZE];
    expression_escape(path, def->name);
    for (char *at = path; *at; at++)
        *at = *at == '.' ? '/' : *at;
    fputs("<tr title=\"", page->out);
    page_text(page->out, def->help);
    fprintf(page->out, "\"><td class=\"t\">%s</td>", def->name);
    page_cell_text(page, initial);
    for (unsigned run = 0; run < page->runs->count; run++) {
        char described[4200];
        const char *value = parameter_of(page, run, def->name);
        const bool set = value && params_text(machines[run], def->name, described, sizeof described) &&
                         strcmp(described, value) != 0;
        fprintf(page->out, "<td class=\"t%s\" data-t=\"%u:/parameters/%s\">", set ? " set" : "", run, path);
        page_text(page->out, value ? value : "–");
        fputs("</td>", page->out);
    }
    fputs("</tr>\n", page->out);
}

void page_put_parameters(const struct page *page)
{
    struct machine_options options;
    struct params **machines = checked_memory(calloc(page->runs->count, sizeof *machines));
    const struct param_def *def;
    bool built_in;
    machine_options_init(&options);
    page_begin_section(page, "parameters", "Parameters that differ from their defaults");
    fputs("<p>The defaults are those of machine " MACHINE_DEFAULT
          ". <b class=\"set\">Bold</b> values are not those of the "
          "run's built-in machine either: the command line or a description of its own has set them.</p>\n",
          page->out);
    for (unsigned run = 0; run < page->runs->count; run++)
        machines[run] = defaults_of(page, run, &built_in);
    fputs("<div class=\"table\"><div class=\"wide\"><table class=\"sortable\"><thead><tr><th class=\"t\">parameter</th>"
          "<th class=\"t\">default</th>",
          page->out);
    for (unsigned run = 0; run < page->runs->count; run++) {
        fputs("<th class=\"t\">", page->out);
        page_put_run(page, run);
        fputs("</th>", page->out);
    }
    fputs("</tr></thead><tbody>\n", page->out);
    for (size_t i = 0; (def = params_at(options.params, i)); i++) {
        char initial[4200];
        params_text(options.params, def->name, initial, sizeof initial);
        put_parameter(page, def, initial, machines);
    }
    page_end_table(page);
    for (unsigned run = 0; run < page->runs->count; run++)
        params_free(machines[run]);
    free(machines);
    machine_options_release(&options);
    page_end_section(page);
}

/* Provenance */

static void put_words(const struct page *page, const struct results *results)
{
    const char *word;
    fputs("<dt>command line</dt><dd class=\"command\">", page->out);
    for (size_t i = 0; (word = results_word(results, i)); i++) {
        fputs(i ? " " : "", page->out);
        page_lines(page->out, word);
    }
    fputs("</dd>", page->out);
}

static void put_source(const struct page *page, const struct result_source *source)
{
    fputs("<dt>", page->out);
    page_text(page->out, source->role);
    fputs("</dt><dd>", page->out);
    page_text(page->out, source->path);
    fprintf(page->out, ", %" PRId64 " bytes, SHA-256 <code>", source->size);
    page_text(page->out, source->sha256);
    fputs("</code></dd>", page->out);
}

static void put_origin(const struct page *page, unsigned run)
{
    const struct results *column = page->runs->columns[run];
    const char *command = results_text(column, "machine.command"), *incomplete = results_text(column, "incomplete");
    struct result_source source;
    fputs("<h3>", page->out);
    page_put_run(page, run);
    fputs("</h3><dl><dt>written by</dt><dd>simos ", page->out);
    page_text(page->out, column->simos);
    fputs("</dd><dt>the guest's job</dt><dd class=\"command\">", page->out);
    page_lines(page->out, command && *command ? command : "none: a shell on the console");
    fputs("</dd>", page->out);
    if (incomplete) {
        fputs("<dt>incomplete</dt><dd>", page->out);
        page_text(page->out, incomplete);
        fputs("</dd>", page->out);
    }
    if (results_has(column, "provenance")) {
        put_words(page, column);
        for (size_t i = 0; results_source(column, i, &source); i++)
            put_source(page, &source);
    }
    fputs("</dl>\n", page->out);
}

void page_put_provenance(const struct page *page)
{
    bool has[RESULT_FILES_MAX] = {false};
    page_begin_section(page, "provenance", "Where the figures come from");
    for (unsigned run = 0; run < page->runs->count; run++) {
        put_origin(page, run);
        has[run] = results_has(page->runs->columns[run], "provenance");
    }
    page_say_missing(page, has, "command line and checksums of files", "--provenance");
    page_end_section(page);
}
