/*
 * Files of sweeps: `simos sweep FILE.tcl` up to where its jobs are done. Inputs are as tests/fuzz/tcl.h says.
 */
#include "src/cli/commands.h"
#include "src/sweep/sweep_file.h"
#include "tests/fuzz/tcl.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct sweep_file file;
    struct err err = {""};
    char *text = fuzz_tcl_text(input, size, "job");
    if (!text)
        return -1;
    bool done = sweep_file_parse(&file, "x.tcl", text, false, &simos_commands, &err);
    fuzz_check(done, &err);
    for (unsigned i = 0; done && i < file.jobs.count; i++) {
        const struct sweep_job *job = &file.jobs.jobs[i];
        if (strchr(job->name, '/') || !*job->name || *job->name == '.')
            fuzz_fail("a job whose files would be elsewhere", job->name);
        for (unsigned k = 0; k < job->word_count; k++)
            fputs(job->words[k], fuzz_sink());
    }
    sweep_file_release(&file);
    free(text);
    return 0;
}
