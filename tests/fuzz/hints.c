/*
 * `page_mapping.hints=@FILE`. What is accepted is written as lines that are accepted again, with the same pages.
 */
#include "cache/placement/page_hints.h"
#include "tests/fuzz/fuzz.h"

static struct fuzz_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    return 0;
}

static char *text_of(const struct page_hints *hints)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = checked_memory(open_memstream(&text, &size));
    page_hints_write(hints, out);
    fclose(out);
    return text;
}

static void check_again(const struct page_hints *hints)
{
    struct page_hints *again = NULL;
    struct err err = {""};
    for (uint32_t i = 0; i < page_hints_count(hints); i++)
        if (!page_identity_is_whole(&page_hints_at(hints, i)->of) ||
            page_hints_find(hints, &page_hints_at(hints, i)->of) != (int32_t)i)
            fuzz_fail("a page", "is not whole, or not found");
    char *text = text_of(hints);
    fuzz_must(page_hints_read(&again, text, &err), "the lines that were written", &err);
    char *other = again ? text_of(again) : strdup("");
    if (strcmp(text, other) != 0)
        fuzz_fail("the lines that were written", "are others when they are read and written again");
    page_hints_free(again);
    free(text);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    char text[64];
    struct page_hints *hints;
    struct err err = {""};
    fuzz_file_fill(&file, input, size);
    snprintf(text, sizeof text, "@%s", file.path);
    const bool done = page_hints_read(&hints, text, &err);
    fuzz_check(done, &err);
    if (hints)
        check_again(hints);
    page_hints_free(hints);
    return 0;
}
