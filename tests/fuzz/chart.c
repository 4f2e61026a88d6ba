/*
 * `simos chart FILE.json`: what is drawn is a whole picture of numbers that are some.
 */
#include "src/chart/chart_file.h"
#include "tests/fuzz/fuzz.h"

static struct fuzz_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct err err = {""};
    char *text = NULL;
    size_t length;
    fuzz_file_fill(&file, input, size);
    FILE *out = open_memstream(&text, &length);
    const bool done = chart_file_draw(file.path, out, &err);
    fclose(out);
    fuzz_check(done, &err);
    if (!done && length > 0)
        fuzz_fail("a chart that is refused", "is drawn");
    if (done && (fuzz_count(text, "<svg") != 1 || fuzz_count(text, "</svg>") != 1 ||
                 fuzz_count(text, "<text") != fuzz_count(text, "</text>")))
        fuzz_fail("a chart", "is not whole");
    if (done)
        fuzz_check_drawn(text, "a chart");
    free(text);
    return 0;
}
