/*
 * One machine that is made from a checkpoint and given damaged ones: each in a process of its own, which loads it into
 * the machine, and if it is taken runs the guest on, uses every device, and runs on again.
 */
#ifndef SIMOS_TESTS_CHECKPOINT_HOSTILE_MACHINE_H
#define SIMOS_TESTS_CHECKPOINT_HOSTILE_MACHINE_H

#include "cache/memsys.h"
#include "src/machine_saved.h"
#include "tests/checkpoint/contents.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HOSTILE_INSNS = 20000,   /* of the guest, before the devices are used and again afterwards */
    HOSTILE_ACCESSES = 400,  /* to registers */
    HOSTILE_SECONDS = 10,    /* of a processor of the host: more is taken for a hang, */
    HOSTILE_PATIENCE = 300,  /* and so is this of its clock */
    HOSTILE_OUTPUT = 1 << 12 /* bytes of what the process says that are kept */
};

/* What became of a damaged checkpoint. */
enum hostile_end { HOSTILE_TAKEN, HOSTILE_REFUSED, HOSTILE_BROKEN };

struct hostile {
    struct contents contents; /* of the file; its RAM is in the machine, so that only zeros are left here */
    struct machine *machine;  /* never runs here: only in other processes */
    struct saved *saved;
    int file, output; /* in memory: what is restored, and what the process said of it */
    char said[HOSTILE_OUTPUT];
};

static inline bool hostile_fail(const char *what, const struct err *err)
{
    fprintf(stderr, "hostile: %s%s%s\n", what, err ? ": " : "", err ? err->text : "");
    return false;
}

/* A section as struct saved_in wants it. */
static inline bool hostile_get(void *opaque, void *bytes, size_t count)
{
    struct bytes *rest = opaque;
    if (count > rest->size)
        return false;
    memcpy(bytes, rest->at, count);
    *rest = (struct bytes){rest->at + count, rest->size - count};
    return true;
}

/* RAM goes into the machine once and for all; in the file it becomes zeros, which leave the RAM of a machine that has
 * not run as it is. */
static inline bool hostile_take_memory(struct hostile *hostile)
{
    struct section *memory = contents_find(&hostile->contents, "memory");
    const struct saved_section *section = NULL;
    const struct saved_terms terms = {.same_machine = true, .clock_hz = hostile->machine->queue->clock_hz};
    struct err err = {""};
    for (size_t i = 0; saved_at(hostile->saved, i); i++)
        if (strcmp(saved_at(hostile->saved, i)->name, "memory") == 0)
            section = saved_at(hostile->saved, i);
    if (!memory || !section)
        return hostile_fail("no memory", NULL);
    struct bytes rest = memory->content;
    struct saved_in in = {.get = hostile_get, .opaque = &rest, .version = memory->header.version};
    if (!saved_read(hostile->saved, section, &in, &terms, &err))
        return hostile_fail("memory", &err);
    uint32_t pages = (uint32_t)(hostile->machine->mem->ram_bytes >> PAGE_SHIFT), fields = 0;
    uint8_t zeros = 0;
    memory->content.size = 0;
    bytes_append(&memory->content, &fields, sizeof fields);
    bytes_append(&memory->content, &pages, sizeof pages);
    bytes_append(&memory->content, &zeros, sizeof zeros);
    bytes_append(&memory->content, &pages, sizeof pages);
    memory->header.size = memory->content.size;
    return true;
}

static inline char *hostile_text(const struct hostile *hostile, const char *name)
{
    const struct section *section = contents_find(&hostile->contents, name);
    return section ? checked_memory(strndup((const char *)section->content.at, section->content.size)) : NULL;
}

/* The parameters that the file was made with. */
static inline bool hostile_set_params(const struct hostile *hostile, struct params *params)
{
    struct err err = {""};
    char *text = hostile_text(hostile, "parameters"), *model = hostile_text(hostile, "model"), *rest = NULL;
    bool done = text && model;
    for (char *line = done ? strtok_r(text, "\n", &rest) : NULL; line && done; line = strtok_r(NULL, "\n", &rest))
        done = params_set_assignment(params, line, &err);
    done = done && params_set(params, "cpu.model", model, &err);
    free(text);
    free(model);
    return done || hostile_fail("parameters", &err);
}

/* No host's time passes while all CPUs wait. */
static inline void hostile_sleep(void *opaque)
{
    struct machine **machine = opaque;
    machine_request_stop(*machine);
}

static inline bool hostile_create(struct hostile *hostile, const char *path)
{
    static const struct machine_host host = {.sleep = hostile_sleep};
    struct bytes file;
    struct machine_options options;
    struct err err = {""};
    *hostile = (struct hostile){.file = memfd_create("checkpoint", 0), .output = memfd_create("output", 0)};
    if (!bytes_read(&file, path) || !contents_of(&hostile->contents, &file))
        return hostile_fail(path, NULL);
    free(file.at);
    machine_options_init(&options);
    options.quiet = true;
    if (!hostile_set_params(hostile, options.params))
        return false;
    hostile->machine = machine_create(&options, &host, &hostile->machine, &err);
    machine_options_release(&options);
    if (!hostile->machine || !machine_load_symbols(hostile->machine, &err))
        return hostile_fail("machine", &err);
    hostile->saved = machine_saved_list(hostile->machine, &err);
    return hostile->saved ? hostile_take_memory(hostile) : hostile_fail("machine", &err);
}

static inline void hostile_free(struct hostile *hostile)
{
    saved_free(hostile->saved);
    machine_free(hostile->machine);
    contents_free(&hostile->contents);
    close(hostile->file);
    close(hostile->output);
}

/* In the process that is given the file */

static inline uint32_t hostile_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    return (uint32_t)(*state >> 32);
}

static inline void hostile_use_devices(struct machine *machine)
{
    uint64_t state = 1;
    for (unsigned i = 0; i < HOSTILE_ACCESSES; i++) {
        const struct physmem_device *device =
            &machine->mem->devices[hostile_random(&state) % (unsigned)machine->mem->device_count];
        uint32_t offset = hostile_random(&state) % device->size & ~3u, value = hostile_random(&state);
        unsigned cpu = hostile_random(&state) % machine->cpus;
        if (i % 4 == 0)
            value &= 7;
        if (i % 2)
            physmem_device_write(machine->mem, device->base + offset, 4, cpu, value);
        else
            physmem_device_read(machine->mem, device->base + offset, 4, cpu, &value);
    }
}

static inline void hostile_must(bool good, const char *what, const struct err *err)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, err->text);
    abort();
}

static inline void hostile_run_on(struct machine *machine)
{
    struct err err = {""};
    const struct machine_limits limits = {CYCLES_NEVER, machine_insns(machine) + HOSTILE_INSNS};
    machine_run(machine, &limits);
    hostile_must(memsys_check(machine->memsys, &err), "caches", &err);
    hostile_must(machine_check_accounts(machine, &err), "accounts", &err);
}

static inline void hostile_drop(void *opaque, const void *bytes, size_t count)
{
    uint32_t *checksum = opaque;
    *checksum = (uint32_t)crc32_z(*checksum, bytes, count);
}

/* As if it were saved; all but RAM, which takes long. */
static inline void hostile_write_again(const struct hostile *hostile)
{
    uint32_t checksum = 0;
    struct saved_out out = {.put = hostile_drop, .opaque = &checksum};
    for (size_t i = 0; saved_at(hostile->saved, i); i++)
        if (strcmp(saved_at(hostile->saved, i)->name, "memory") != 0)
            saved_write(saved_at(hostile->saved, i), &out);
}

static inline enum hostile_end hostile_try(struct hostile *hostile)
{
    char path[64];
    struct err err = {""};
    struct machine *machine = hostile->machine;
    snprintf(path, sizeof path, "/proc/self/fd/%d", hostile->file);
    struct checkpoint *checkpoint = checkpoint_open(path, &err);
    bool taken = checkpoint && machine_restore(machine, checkpoint, true, &err);
    checkpoint_close(checkpoint);
    if (taken != (err.text[0] == 0))
        hostile_must(false, "taken with a line, or refused without one", &err);
    if (!taken) {
        fprintf(stderr, "%s\n", err.text);
        return HOSTILE_REFUSED;
    }
    hostile_must(memsys_check(machine->memsys, &err), "caches", &err);
    hostile_run_on(machine);
    hostile_use_devices(machine);
    hostile_run_on(machine);
    hostile_write_again(hostile);
    return HOSTILE_TAKEN;
}

/* Of FILE. hostile->said is what the process said: the line of the refusal, or of the sanitizer. */
static inline enum hostile_end hostile_give(struct hostile *hostile, const struct bytes *file)
{
    int status;
    if (ftruncate(hostile->file, 0) != 0 || pwrite(hostile->file, file->at, file->size, 0) != (ssize_t)file->size ||
        ftruncate(hostile->output, 0) != 0)
        abort();
    lseek(hostile->output, 0, SEEK_SET);
    fflush(NULL);
    pid_t process = fork();
    if (process < 0)
        abort();
    if (process == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){HOSTILE_SECONDS, HOSTILE_SECONDS});
        alarm(HOSTILE_PATIENCE);
        dup2(hostile->output, STDERR_FILENO);
        dup2(hostile->output, STDOUT_FILENO);
        _exit(hostile_try(hostile));
    }
    if (waitpid(process, &status, 0) != process)
        abort();
    ssize_t got = pread(hostile->output, hostile->said, sizeof hostile->said - 1, 0);
    hostile->said[got < 0 ? 0 : got] = 0;
    if (WIFEXITED(status) && (WEXITSTATUS(status) == HOSTILE_TAKEN || WEXITSTATUS(status) == HOSTILE_REFUSED))
        return (enum hostile_end)WEXITSTATUS(status);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL))
        snprintf(hostile->said, sizeof hostile->said, "it hangs");
    return HOSTILE_BROKEN;
}

#endif
