/*
 * Trends: what `simos report --trend` prints and draws of one is a whole page of numbers that are some.
 */
#include "src/page/page_trend.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct trend trend;
    struct trend_view view;
    struct err err = {""};
    char *page = NULL;
    size_t length;
    if (memchr(input, 0, size))
        return -1;
    char *text = fuzz_text(input, size);
    const bool done = trend_parse(&trend, "x", text, &err);
    fuzz_check(done, &err);
    if (done) {
        FILE *out = open_memstream(&page, &length);
        trend_view_make(&view, &trend, 95);
        trend_view_print(&view, &trend, fuzz_sink());
        page_trend_write(&trend, &view, out);
        fclose(out);
        if (fuzz_count(page, "<svg") != view.count || fuzz_count(page, "</svg>") != view.count ||
            fuzz_count(page, "</script>") != 1)
            fuzz_fail("a page of a trend", "is not whole");
        fuzz_check_drawn(page, "a page of a trend");
        trend_view_release(&view);
        free(page);
    }
    trend_release(&trend);
    free(text);
    return 0;
}
