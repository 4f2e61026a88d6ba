#include "src/report/report.h"

#include "src/report/gnuplot.h"
#include "src/base/progress.h"
#include "src/report/mcpat.h"
#include "src/report/report_compare.h"
#include "src/report/report_figures.h"
#include "src/report/report_over_time.h"
#include "src/report/report_service_tables.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DIFFERS = 1 };

static bool add_column(struct report *report, const char *title, const char *path, const json_t *root, struct err *err)
{
    struct err reason = {""};
    if (report->count == REPORT_COLUMNS_MAX)
        return err_set(err, "%.256s: too many columns: at most %d", path, REPORT_COLUMNS_MAX);
    struct report_column *column = report->columns[report->count++] = checked_memory(malloc(sizeof *column));
    return report_column_read(column, title, root, &reason) ||
           (strcmp(title, path) == 0 ? err_set(err, "%s", reason.text) : err_set(err, "%.256s: %s", path, reason.text));
}

/* The title of the last part of PATH with FOLDERS folders. Returns false if it has no more of them. */
static bool title_of(char *title, size_t size, const char *path, unsigned folders)
{
    const char *base = path + strlen(path);
    for (; base > path; base--)
        if (base[-1] == '/' && folders-- == 0)
            break;
    size_t length = strlen(base);
    static const char *const endings[] = {".json", ".stats"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t end = strlen(endings[i]);
        if (length > end && strcmp(base + length - end, endings[i]) == 0)
            length -= end;
    }
    snprintf(title, size, "%.*s", (int)length, base);
    return base > path;
}

void report_title(char *title, size_t size, const char *path)
{
    title_of(title, size, path, 0);
}

void report_title_among(char *title, size_t size, const char *const *paths, int count, int index)
{
    bool more = true, same = true;
    for (unsigned folders = 0; more && same; folders++) {
        more = title_of(title, size, paths[index], folders);
        same = false;
        for (int i = 0; i < count && !same; i++) {
            char other[REPORT_TITLE_SIZE];
            if (strcmp(paths[i], paths[index]) == 0)
                continue;
            title_of(other, sizeof other, paths[i], folders);
            same = strcmp(other, title) == 0;
        }
    }
}

static bool add_jobs(struct report *report, const char *path, const json_t *root, struct err *err)
{
    const json_t *jobs = json_object_get(root, "jobs"), *job;
    size_t i;
    unsigned before = report->count;
    if (!json_is_array(jobs))
        return err_set(err, "%.256s: not the results of a sweep: there is no list of jobs", path);
    json_array_foreach(jobs, i, job)
    {
        const char *name = json_string_value(json_object_get(job, "name"));
        const json_t *statistics = json_object_get(job, "statistics");
        if (!name || !statistics)
            return err_set(err, "%.256s: are no results of a sweep: job %zu has no name or no statistics", path, i);
        if (!json_is_null(statistics) && !add_column(report, name, path, statistics, err))
            return false;
    }
    return report->count > before || err_set(err, "%.256s: no job of the sweep has finished", path);
}

bool report_read(struct report *report, const char *const *paths, int count, struct err *err)
{
    *report = (struct report){0};
    struct progress *progress = progress_create();
    bool done = true;
    for (int i = 0; i < count && done; i++) {
        char title[REPORT_TITLE_SIZE];
        json_t *root = json_file_read(INPUT_STATISTICS, paths[i], NULL, err);
        const char *format = json_string_value(json_object_get(root, "format"));
        report_title_among(title, sizeof title, paths, count, i);
        done = root &&
               (format && strcmp(format, REPORT_SWEEP_FORMAT) == 0 ? add_jobs(report, paths[i], root, err)
                                                                   : add_column(report, title, paths[i], root, err));
        json_decref(root);
        if (progress_is_due(progress))
            progress_draw(progress, (double)(i + 1) / count, "reading %s", title);
    }
    progress_free(progress);
    return done;
}

void report_release(struct report *report)
{
    for (unsigned i = 0; i < report->count; i++)
        report_column_release(report->columns[i]), free(report->columns[i]);
    *report = (struct report){0};
}

static int compare(const struct report_options *options, struct err *err)
{
    bool differs = false;
    if (!report_compare(options->files[0], options->files[1], &differs, stdout, err))
        return EXIT_SIMOS_FAILED;
    return differs ? EXIT_DIFFERS : 0;
}

/* Draw all figures for which there is data in FOLDER. */
static bool draw(const struct report *report, const char *folder, struct err *err)
{
    return !gnuplot_is_installed() || (report_draw(report, folder, err) && report_figures_draw(report, folder, err) &&
                                       report_over_time_draw(report, folder, err));
}

static int print(const struct report_options *options, struct err *err)
{
    struct report report;
    bool done = report_read(&report, options->files, options->file_count, err);
    if (done && !options->html && !options->mcpat) {
        report_print(&report, stdout);
        report_hidden_print(&report, stdout);
        for (unsigned i = 0; i < report.count; i++)
            mix_table_print(&report.columns[i]->mix, report.columns[i]->title, stdout);
        report_over_time_print(&report, stdout);
    }
    done = done && (!options->svg || draw(&report, options->svg, err)) &&
           (!options->html || options->save_page(&report, options->html, err)) &&
           (!options->mcpat || mcpat_save(&report, options->mcpat, err));
    report_release(&report);
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

int report_main(const struct report_options *options, struct err *err)
{
    return options->compare    ? compare(options, err)
           : options->services ? print_services(options, err)
                               : print(options, err);
}
