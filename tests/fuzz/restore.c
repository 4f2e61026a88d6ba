/*
 * What a checkpoint says of the machine that it is of: `simos info`, and `simos restore` up to a machine that is filled
 * from the file, without --trust and with it.
 *
 * An input is sections that are texts, each a form feed, its name, a line feed, its text; they take the place of those
 * in the checkpoint of a small machine.
 */
#include "src/machine/machine_saved.h"
#include "src/run/restore.h"
#include "tests/checkpoint/contents.h"
#include "tests/fuzz/machine.h"

enum { MEMORY_MOST = 64 << 20 }; /* a machine of more takes no other path */

static struct contents whole;
static struct fuzz_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct err err = {""};
    struct bytes bytes;
    file = fuzz_file_create();
    struct machine *machine = fuzz_machine(NULL);
    fuzz_must(machine_save(machine, "boot", file.path, &err), "checkpoint", &err);
    machine_free(machine);
    fuzz_must(bytes_read(&bytes, file.path) && contents_of(&whole, &bytes), "checkpoint", &err);
    free(bytes.at);
    return 0;
}

/* The file with what INPUT says in it. */
static void write_file(const uint8_t *input, size_t size)
{
    struct contents changed = whole;
    changed.sections = checked_memory(malloc(whole.count * sizeof *whole.sections));
    memcpy(changed.sections, whole.sections, whole.count * sizeof *whole.sections);
    for (const uint8_t *at = input, *last = input + size, *end; at < last; at = end) {
        char name[SAVED_NAME_MAX + 1] = "";
        const uint8_t *text = memchr(at, '\n', (size_t)(last - at));
        end = memchr(at + 1, '\f', (size_t)(last - at - 1));
        end = end ? end : last;
        if (*at != '\f' || !text || text++ >= end)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(text - at - 2), (const char *)at + 1);
        struct section *section = contents_find(&changed, name);
        if (!section || section->header.version != 0)
            continue;
        section->content = (struct bytes){(uint8_t *)(uintptr_t)text, (size_t)(end - text)};
        section->header.size = section->content.size;
    }
    struct bytes bytes = contents_to_file(&changed, Z_NO_COMPRESSION);
    fuzz_file_fill(&file, bytes.at, bytes.size);
    free(bytes.at);
    free(changed.sections);
}

static void build(struct restore *restore, const struct machine_options *options)
{
    struct err err = {""};
    if (params_u64(options->params, "machine.memory") > MEMORY_MOST)
        return;
    struct machine *machine = machine_create(options, NULL, NULL, &err);
    fuzz_check(machine, &err);
    if (machine)
        fuzz_check(restore_load(restore, machine, &err), &err);
    machine_free(machine);
}

static void restore(bool trust)
{
    struct machine_options options;
    struct err err = {""};
    struct restore *restore = restore_open(file.path, &err);
    fuzz_check(restore, &err);
    if (!restore)
        return;
    fuzz_options_init(&options);
    params_free(options.params);
    options.params = restore_params(restore, &err);
    options.trust = trust;
    options.quiet = true;
    fuzz_check(options.params, &err);
    if (options.params) {
        bool done = restore_prepare(restore, &options, &err);
        fuzz_check(done, &err);
        if (done) {
            done = machine_options_check(&options, &err);
            fuzz_check(done, &err);
        }
        if (done && !trust)
            build(restore, &options);
    }
    machine_options_release(&options);
    restore_close(restore);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct err err = {""};
    write_file(input, size);
    fuzz_check(restore_info(file.path, &err) == 0, &err);
    restore(false);
    restore(true);
    return 0;
}
