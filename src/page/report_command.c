/* `simos report`: reads statistics files and prints tables of them, draws figures or writes a page. */
#include "src/page/page.h"
#include "src/page/page_trend.h"

#include "src/command/command_line.h"
#include "src/command/option_values.h"
#include "src/command/shared_options.h"
#include "src/host/named_files.h"
#include "src/report/mcpat.h"
#include "src/report/report.h"
#include "src/report/report_compare.h"
#include "src/report/report_figures.h"
#include "src/report/report_mix.h"
#include "src/report/report_over_time.h"
#include "src/report/report_service_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report_options {
    bool compare;         /* two files: what differs */
    const char *svg;      /* folder of the figures; NULL: none */
    const char *html;     /* file of the page; NULL: none */
    const char *mcpat;    /* file of McPAT's input (src/report/mcpat.h); NULL: none */
    const char *trend;    /* folder: what commits have measured; NULL: statistics */
    const char *services; /* tables of services, as "text" or "json"; NULL: no */
    int file_count;
    const char *const *files;
};

enum { EXIT_DIFFERS = 1, CONFIDENCE = 95 /* per cent, of a trend */ };

static int compare(const struct report_options *options, struct err *err)
{
    bool differs = false;
    if (!report_compare(options->files[0], options->files[1], &differs, stdout, err))
        return EXIT_SIMOS_FAILED;
    return differs ? EXIT_DIFFERS : 0;
}

/* Draw all figures for which there is data in FOLDER. */
static bool draw(const struct result_files *report, const char *folder, struct err *err)
{
    return report_draw(report, folder, err) && report_figures_draw(report, folder, err) &&
           report_over_time_draw(report, folder, err);
}

static int print(const struct report_options *options, struct err *err)
{
    struct result_files report;
    bool done = result_files_read(&report, options->files, options->file_count, err);
    if (done && !options->html && !options->mcpat) {
        report_print(&report, stdout);
        report_hidden_print(&report, stdout);
        for (unsigned i = 0; i < report.count; i++)
            mix_table_print(&report.columns[i]->mix, report.columns[i]->title, stdout);
        report_over_time_print(&report, stdout);
    }
    done = done && (!options->svg || draw(&report, options->svg, err)) &&
           (!options->html || page_save(&report, options->html, err)) &&
           (!options->mcpat || mcpat_save(&report, options->mcpat, err));
    result_files_release(&report);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

static int print_services(const struct report_options *options, struct err *err)
{
    struct service_tables tables;
    bool done = service_tables_read(&tables, options->files, options->file_count, err);
    if (done)
        (strcmp(options->services, "json") == 0 ? service_tables_write_json : service_tables_print)(&tables, stdout);
    service_tables_release(&tables);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

/* What the commits of a trend have measured, over them. */
static int show_trend(const struct report_options *options, struct err *err)
{
    struct trend trend;
    struct trend_view view = {.count = 0};
    bool done = trend_read(&trend, options->trend, false, err);
    if (done) {
        trend_view_make(&view, &trend, CONFIDENCE);
        if (options->html)
            done = page_trend_save(&trend, &view, options->html, err);
        else
            trend_view_print(&view, &trend, stdout);
    }
    trend_view_release(&view);
    trend_release(&trend);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

/* The command */

static bool set_svg(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct report_options *options = opaque;
    options->svg = value;
    return *value || err_set(err, "--%s: no folder is named", option->name);
}

static bool set_services(void *opaque, const struct option *option, const char *value, struct err *err)
{
    struct report_options *options = opaque;
    if (value && strcmp(value, "json") != 0)
        return err_set(err, "--%s: \"%.64s\" is not json", option->name, value);
    options->services = value ? value : "text";
    return true;
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct report_options *options = line->options;
    options->files = words;
    options->file_count = count;
    if (options->compare)
        return count == 2 || err_set(err, "--compare takes two files, OLD.json NEW.json");
    if (options->trend)
        return count == 0 || err_set(err, "--trend takes no statistics: %s is one too many", words[0]);
    return count > 0 || err_set(err, "`report` needs files that --stats or a sweep has written");
}

static uint32_t uses(const void *opaque)
{
    const struct report_options *options = opaque;
    return (options->compare ? OPTION_USE(COMPARE) : 0) | (options->services ? OPTION_USE(SERVICES) : 0) |
           (options->trend ? OPTION_USE(TREND) : 0);
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct report_options *options = opaque;
    (void)owner;
    for (int i = 0; i < options->file_count; i++)
        named_files_add_input(files, "the statistics", options->files[i]);
    if (options->trend) {
        char *path = trend_path(options->trend);
        named_files_add_input(files, "the trend", path);
        free(path);
    }
    named_files_add_figures(files, options->svg);
    named_files_add_output(files, "--html", "page", options->html);
    named_files_add_output(files, "--mcpat", "McPAT file", options->mcpat);
}

static int execute(struct command_line *line, struct err *err)
{
    const struct report_options *options = line->options;
    return options->trend      ? show_trend(options, err)
           : options->compare  ? compare(options, err)
           : options->services ? print_services(options, err)
                               : print(options, err);
}

#define MEMBER(name) .member = offsetof(struct report_options, name)
#define COMPARE      OPTION_USE(COMPARE)
#define SERVICES     OPTION_USE(SERVICES)
#define TREND        OPTION_USE(TREND)

static const struct option option_table[] = {
    {"svg", "FOLDER", OPTION_GROUP_RESULTS, OPTION_MAKES, "draw figures of the execution time in FOLDER", set_svg,
     .without = COMPARE | SERVICES | TREND},
    {OPTION_HTML, .apply = option_set_file, .without = COMPARE | SERVICES, MEMBER(html)},
    {"mcpat", "FILE.xml", OPTION_GROUP_RESULTS, OPTION_WRITES,
     "one run as input of McPAT, which estimates power and area", option_set_file,
     .without = COMPARE | SERVICES | TREND, MEMBER(mcpat)},
    {"services", "[json]", OPTION_GROUP_RESULTS, 0, "tables of services and event rates of `--script services`",
     set_services, .without = COMPARE | TREND},
    {"compare", NULL, OPTION_GROUP_RESULTS, 0, "compare two files OLD NEW; exit status 1 if they differ",
     option_set_flag, .without = TREND, MEMBER(compare)},
    {OPTION_TREND, .apply = option_set_folder, MEMBER(trend)},
    {.name = NULL},
};

const struct command report_command = {
    .name = "report",
    .usages = {{"report [options] FILE.json...", "statistics of several runs side by side"},
               {"report --trend FOLDER [options]",
                "what commits have measured, as `simos test --trend` has recorded it"}},
    .page = "how-to/report.md",
    .tables = {{option_table, 0, 0}},
    .size = sizeof(struct report_options),
    .operands = take_operands,
    .uses = uses,
    .add_files = add_files,
    .main = execute,
};
