#include "src/page/page.h"

#include "src/base/save_file.h"
#include "src/page/page_head.h"
#include "src/page/page_sections.h"
#include "src/results/accounts.h"
#include <stdlib.h>

static const struct section {
    const char *id, *title;
    void (*put)(const struct page *page);
} sections[] = {
    {"summary", "Summary", page_put_summary},
    {"explain", "Why", page_put_explanation},
    {"time", "Time", page_put_time},
    {"services", "Services", page_put_services},
    {"processes", "Processes", page_put_processes},
    {"over-time", "Over time", page_put_over_time},
    {"misses", "Misses", page_put_misses},
    {"caches", "Caches", page_put_caches},
    {"locks", "Locks", page_put_locks},
    {"devices", "Devices", page_put_devices},
    {"machine", "Machine", page_put_machine},
    {"parameters", "Parameters", page_put_parameters},
    {"provenance", "Provenance", page_put_provenance},
    {"statistics", "Statistics", page_put_statistics},
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static void put_live(const struct page *page, const struct page_live *live)
{
    fputs("<div id=\"live\"><b id=\"state\">The run goes on.</b> ", page->out);
    if (live->share >= 0)
        fprintf(page->out, "<progress max=\"1\" value=\"%.4f\"></progress> %.1f&nbsp;%% of its limit, ", live->share,
                100 * live->share);
    fprintf(page->out, "%.0f&nbsp;s since its first instruction", live->host);
    if (live->mips >= 0)
        fprintf(page->out, ", %.1f million instructions a second", live->mips);
    fputs(". The figures are those of its last picture.</div>\n", page->out);
}

void page_write(const struct result_files *runs, const struct page_live *live, FILE *out)
{
    struct expressions *const values = expressions_create(runs);
    const struct page page = {out, runs, values, live != NULL};
    const char **titles = checked_memory(calloc(runs->count + 1, sizeof *titles));
    for (unsigned i = 0; i < runs->count; i++)
        titles[i] = runs->columns[i]->title;
    page_put_head(out, titles, runs->count, live != NULL);
    free(titles);
    fprintf(out, "<body%s>\n<nav>", live ? " data-live" : "");
    for (unsigned i = 0; i < SECTIONS; i++)
        if (sections[i].put != page_put_explanation || runs->count == 2)
            fprintf(out, "<a href=\"#%s\">%s</a>", sections[i].id, sections[i].title);
    fputs("</nav>\n<main>\n<h1>", out);
    fputs(runs->count == 1 ? "A run of simos" : "Runs of simos", out);
    fputs("</h1>\n", out);
    if (live)
        put_live(&page, live);
    for (unsigned i = 0; i < SECTIONS; i++)
        sections[i].put(&page);
    fputs("</main>\n</body>\n</html>\n", out);
    expressions_free(values);
}

static void write_page(const void *runs, FILE *out)
{
    page_write(runs, NULL, out);
}

bool page_save(const struct result_files *runs, const char *path, struct err *err)
{
    for (unsigned i = 0; i < runs->count; i++)
        if (!results_check_accounts(runs->columns[i]->root, runs->columns[i]->title, err))
            return false;
    return save_file("page", path, write_page, runs, err);
}
