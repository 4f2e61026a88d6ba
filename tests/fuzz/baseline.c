/*
 * Baselines of tests: of a test of two rows on two machines.
 */
#include "src/regress/regress_baseline.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static char first[] = "first", second[] = "second", path[] = "t.tcl", *names[] = {"1994", "1996"},
                *digests[] = {"a", "b"};
    static struct regress_row rows[] = {{.name = first, .has_within = true}, {.name = second, .exact = true}};
    static struct regress_file file = {.path = path, .most = 4, .row_count = 2, .rows = rows};
    static char workload[] = "c";
    const struct regress_run run = {
        .file = &file, .machines = 2, .machine_name = names, .machine_digest = digests, .workload_digest = workload};
    struct regress_side side;
    struct err err = {""};
    if (memchr(input, 0, size))
        return -1;
    char *text = fuzz_text(input, size);
    regress_side_begin(&side, &run);
    fuzz_check(regress_baseline_parse(&side, &run, "x", text, &err), &err);
    for (unsigned i = 0; i < 4; i++)
        for (size_t part = 0; part < side.parts[i].count; part++)
            fputs(side.parts[i].parts[part].place, fuzz_sink());
    regress_side_release(&side, &run);
    free(text);
    return 0;
}
