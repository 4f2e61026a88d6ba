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

/* How often WORD is in TEXT. */
static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
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
    if (done && (count_of(text, "<svg") != 1 || count_of(text, "</svg>") != 1 ||
                 count_of(text, "<text") != count_of(text, "</text>")))
        fuzz_fail("a chart", "is not whole");
    if (done &&
        (strstr(text, "=\"nan") || strstr(text, "=\"-nan") || strstr(text, "=\"inf") || strstr(text, "=\"-inf")))
        fuzz_fail("a chart", "is drawn where no place is");
    free(text);
    return 0;
}
