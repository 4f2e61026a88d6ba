/*
 * Files of tests: `simos test FILE.tcl` up to where its runs begin. Inputs are as tests/fuzz/tcl.h says.
 */
#include "src/cli/commands.h"
#include "src/regress/regress_run.h"
#include "tests/fuzz/tcl.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct regress_file file;
    struct err err = {""};
    char *text = fuzz_tcl_text(input, size, NULL);
    if (!text)
        return -1;
    bool done = regress_file_parse(&file, "x.tcl", text, false, &err);
    fuzz_check(done, &err);
    struct regress_run run = {.file = &file, .work = "x.work", .commands = &simos_commands};
    struct err refused = {""};
    if (done)
        fuzz_check(regress_run_begin(&run, &refused), &refused);
    for (unsigned i = 0; i < run.machines; i++)
        fputs(run.machine_name[i], fuzz_sink());
    regress_run_end(&run);
    regress_file_release(&file);
    free(text);
    return 0;
}
