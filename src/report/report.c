#include "src/report/report.h"

#include "src/base/progress.h"
#include "src/report/mcpat.h"
#include "src/report/report_compare.h"
#include "src/report/report_figures.h"
#include "src/report/report_mix.h"
#include "src/report/report_over_time.h"
#include "src/report/report_service_tables.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DIFFERS = 1 };

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
           (!options->html || options->save_page(&report, options->html, err)) &&
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

int report_main(const struct report_options *options, struct err *err)
{
    return options->compare    ? compare(options, err)
           : options->services ? print_services(options, err)
                               : print(options, err);
}
