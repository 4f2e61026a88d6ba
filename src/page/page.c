#include "src/page/page.h"

#include "src/base/save_file.h"
#include "src/chart/chart.h"
#include "src/page/page_sections.h"
#include "src/results/accounts.h"
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

static const char *asset(const char *name)
{
    for (const struct page_asset *at = page_assets; at->name; at++)
        if (strcmp(at->name, name) == 0)
            return at->text;
    log_bug("a page has no %s", name);
}

/* The browser loads nothing, and runs the script with this digest only (W3C Content Security Policy Level 3). A page of
 * a run that goes on may ask its own server. */
static void put_policy(const struct page *page, const char *script, bool live)
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
    sha256_init(&hash);
    sha256_update(&hash, strlen(script), (const uint8_t *)script);
    sha256_digest(&hash, sizeof digest, digest);
    base64_encode_raw(text, sizeof digest, digest);
    fprintf(page->out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "img-src data:; script-src 'sha256-%s'%s; base-uri 'none'; form-action 'none'\">\n",
            text, live ? "; connect-src 'self'" : "");
}

static void put_head(const struct page *page, bool live)
{
    const char *const script = asset("page_script");
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", page->out);
    put_policy(page, script, live);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>simos: ",
          page->out);
    for (unsigned i = 0; i < page->runs->count; i++) {
        fputs(i ? ", " : "", page->out);
        page_text(page->out, page->runs->columns[i]->title);
    }
    fprintf(page->out, "</title>\n<style>\n%s", asset("page_style"));
    chart_put_style(page->out);
    fprintf(page->out, "</style>\n<script>%s</script>\n</head>\n", script);
}

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
    put_head(&page, live != NULL);
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
