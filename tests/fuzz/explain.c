/*
 * `simos explain A.json B.json --confirm 2`: an input is the two files with a form feed between them. B's file says
 * with which command its run is repeated; here no process is made for it.
 */
#include "src/cli/commands.h"
#include "src/command/command_line.h"
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

/* `explain A.json B.json --json FILE` with the first COUNT of more words. */
static void explain(int count)
{
    const char *const words[] = {"explain", files[0].path, files[1].path, "--json",
                                 json.path, "--confirm",   "2",           "--trust"};
    struct command_line line;
    struct err err = {""};
    fuzz_must(command_line_parse(&line, &simos_commands, COMMAND_PLACE_ALONE, 5 + count, words, &err), "command line",
              &err);
    fuzz_check(line.command->main(&line, &err) == 0, &err);
    command_line_release(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const uint8_t *second = memchr(input, '\f', size);
    const size_t first = second ? (size_t)(second - input) : size;
    fuzz_file_fill(&files[0], input, first);
    fuzz_file_fill(&files[1], second ? second + 1 : input, second ? size - first - 1 : size);
    explain(0);
    explain(2);
    explain(3);
    return 0;
}
