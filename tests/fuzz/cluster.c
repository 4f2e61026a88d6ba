/*
 * Files of clusters: `simos cluster FILE.tcl` up to where its machines are made. Inputs are as tests/fuzz/tcl.h says.
 *
 * Linked with --wrap=machine_create, by which there are no machines, and --wrap=cluster_file_read: the file is the
 * input.
 */
#include "src/cli/commands.h"
#include "src/cluster/cluster_file.h"
#include "src/command/command_line.h"
#include "src/machine/machine.h"
#include "tests/fuzz/machine.h"
#include "tests/fuzz/tcl.h"

static const char *text_of_file;

struct machine *__wrap_machine_create(const struct machine_options *options, const struct machine_host *host,
                                      void *opaque, struct err *err);
bool __wrap_cluster_file_read(struct cluster_file *file, const char *path, struct err *err);

struct machine *__wrap_machine_create(const struct machine_options *options, const struct machine_host *host,
                                      void *opaque, struct err *err)
{
    (void)host, (void)opaque;
    if (machine_options_check(options, err))
        err_set(err, "no machine here");
    return NULL;
}

bool __wrap_cluster_file_read(struct cluster_file *file, const char *path, struct err *err)
{
    return cluster_file_parse(file, path, text_of_file, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const char *const words[] = {"cluster", "x.tcl"};
    struct command_line line;
    struct err err = {""};
    char *text = fuzz_tcl_text(input, size, NULL);
    if (!text)
        return -1;
    text_of_file = text;
    fuzz_must(command_line_parse(&line, &simos_commands, COMMAND_PLACE_ALONE, 2, words, &err), "command line", &err);
    int status = line.command->main(&line, &err);
    fuzz_check(status == 0, &err);
    command_line_release(&line);
    free(text);
    return 0;
}
