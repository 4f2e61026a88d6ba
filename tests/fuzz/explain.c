/*
 * `simos explain A.json B.json --confirm 2`: an input is the two files with a form feed between them. B's file says
 * with which command its run is repeated; here no process is made for it.
 */
#include "src/explain/explain_command.h"
#include "tests/fuzz/fuzz.h"

static struct fuzz_file files[2], json;

pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
    errno = EAGAIN;
    return -1;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    files[0] = fuzz_file_create();
    files[1] = fuzz_file_create();
    json = fuzz_file_create();
    return 0;
}

static void explain(unsigned confirm, bool trust)
{
    const struct explain_options options = {
        .files = {files[0].path, files[1].path}, .json_path = json.path, .confirm = confirm, .trust = trust};
    struct err err = {""};
    fuzz_check(explain_main(&options, &err) == 0, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const uint8_t *second = memchr(input, '\f', size);
    const size_t first = second ? (size_t)(second - input) : size;
    fuzz_file_fill(&files[0], input, first);
    fuzz_file_fill(&files[1], second ? second + 1 : input, second ? size - first - 1 : size);
    explain(0, false);
    explain(2, false);
    explain(2, true);
    return 0;
}
