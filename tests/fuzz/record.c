/*
 * Records of runs: `--replay FILE`, up to the machine that is made of one. An input is its text without the checksums,
 * which are put on here; or, behind a byte 0, the file as it is.
 */
#include "src/machine/recorded_options.h"
#include "src/host/replay.h"
#include "tests/fuzz/machine.h"

static struct fuzz_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    return 0;
}

/* A checksum at the end of every line. */
static void write_signed(const char *text, size_t size)
{
    char *signed_text;
    size_t length;
    uint32_t checksum = 0;
    FILE *out = checked_memory(open_memstream(&signed_text, &length));
    for (const char *line = text, *end; line < text + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end)
            end = text + size;
        checksum = record_checksum(checksum, line, (size_t)(end - line));
        fwrite(line, 1, (size_t)(end - line), out);
        fprintf(out, " ~%08x\n", checksum);
    }
    fclose(out);
    fuzz_file_fill(&file, signed_text, length);
    free(signed_text);
}

/* Of the run that is not restored, or is from the CHECKPOINT, whatever file that is. */
static void adopt(const struct replay_machine *machine, bool trust, const char *checkpoint)
{
    struct machine_options options;
    struct err err = {""};
    double seconds = 0;
    uint64_t insns = UINT64_MAX;
    fuzz_options_init(&options);
    options.trust = trust;
    bool done = replay_adopt(machine, &options, checkpoint, &seconds, &insns, &err);
    fuzz_check(done, &err);
    if (done)
        fuzz_check(machine_options_check(&options, &err), &err);
    if (done && !err.text[0])
        fuzz_check(replay_check(machine, &options, &err), &err);
    machine_options_release(&options);
}

static void look(const struct replay_machine *machine)
{
    static const struct file_identity identity = {.size = 1, .digest = "0123"};
    struct err err = {""};
    uint64_t sum = replay_files(machine);
    const struct replay_event *event;
    for (size_t i = 0; (event = replay_event(machine, i)); i++) {
        sum += event->position.time + event->position.insns + event->count + event->reason;
        for (size_t at = 0; at < event->count; at++)
            sum += ((const uint8_t *)event->bytes)[at];
    }
    const struct replay_checkpoint *checkpoint;
    for (size_t i = 0; (checkpoint = replay_checkpoint(machine, i)); i++) {
        sum += checkpoint->position.time + checkpoint->next + strlen(checkpoint->path) + checkpoint->identity.size;
        for (unsigned cpu = 0; cpu < checkpoint->cpus; cpu++)
            sum += checkpoint->cpu_insns[cpu];
        fuzz_check(replay_find_checkpoint(machine, &checkpoint->identity), &err);
    }
    sum += replay_end(machine).insns;
    fprintf(fuzz_sink(), "%llu", (unsigned long long)sum);
    fuzz_check(replay_check_file(machine, "guest.kernel", "k", &identity, &err), &err);
    adopt(machine, false, NULL);
    adopt(machine, false, file.path);
    adopt(machine, true, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct err err = {""};
    const struct replay_machine *machine;
    if (size > 0 && *input == 0)
        fuzz_file_fill(&file, input + 1, size - 1);
    else
        write_signed((const char *)input, size);
    struct replay *replay = replay_open(file.path, &err);
    fuzz_check(replay, &err);
    for (unsigned i = 0; replay && i < 4 && (machine = replay_next(replay, &err)); i++)
        look(machine);
    replay_free(replay);
    return 0;
}
