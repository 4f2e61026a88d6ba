/*
 * The page of `simos report --html`, and that of `--live`: of one file of statistics, or of two with a form feed
 * between them. Whatever names they have, the page has no markup but its own.
 */
#include "src/page/page.h"
#include "src/report/report.h"
#include "tests/fuzz/fuzz.h"

static struct fuzz_file files[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    files[0] = fuzz_file_create();
    files[1] = fuzz_file_create();
    return 0;
}

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

/* Elements that no section has, and elements without an end. */
static void check_page(const char *text, size_t size)
{
    static const char *const foreign[] = {"<img", "<iframe", "<object", "<embed", "<base", "<form", "javascript:"};
    if (strlen(text) != size)
        fuzz_fail("the page", "contains a NUL");
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (strstr(text, foreign[i]))
            fuzz_fail("the page has", foreign[i]);
    if (count_of(text, "<script") != count_of(text, "</script>") || count_of(text, "<script") > 1)
        fuzz_fail("the page has", "a script that is not its own");
    if (count_of(text, "<table") != count_of(text, "</table>") || count_of(text, "<svg") != count_of(text, "</svg>"))
        fuzz_fail("the page", "has an element without an end");
}

static void write_page(const struct result_files *report, const struct page_live *live)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = checked_memory(open_memstream(&text, &size));
    page_write(report, live, out);
    fclose(out);
    check_page(text, size);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const uint8_t *second = memchr(input, '\f', size);
    const size_t first = second ? (size_t)(second - input) : size;
    const char *const paths[] = {files[0].path, files[1].path};
    struct result_files report;
    struct err err = {""};
    fuzz_file_fill(&files[0], input, first);
    if (second)
        fuzz_file_fill(&files[1], second + 1, size - first - 1);
    const bool done = result_files_read(&report, paths, second ? 2 : 1, &err);
    fuzz_check(done, &err);
    if (done) {
        write_page(&report, NULL);
        write_page(&report, &(struct page_live){0.5, 3, -1});
    }
    result_files_release(&report);
    return 0;
}
