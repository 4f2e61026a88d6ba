/*
 * One machine that is made from a checkpoint and given damaged ones: each in a process of its own, which loads it into
 * the machine, and if it is taken runs the guest on, uses every device, and runs on again.
 *
 * The checkpoint may be the second file of a series, 0001.ckpt: then RAM comes from the first one, beside it, and what
 * is damaged is the second, or the first, with the second made to expect just that.
 */
#ifndef SIMOS_TESTS_CHECKPOINT_HOSTILE_MACHINE_H
#define SIMOS_TESTS_CHECKPOINT_HOSTILE_MACHINE_H

#include "cache/memsys.h"
#include "src/host/copy_saved.h"
#include "src/machine/machine_saved.h"
#include "checkpoint/series_member.h"
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
    HOSTILE_TIMEOUT = 300,   /* and so is this of its clock */
    HOSTILE_OUTPUT = 1 << 12 /* bytes of what the process says that are kept */
};

/* What became of a damaged checkpoint. */
enum hostile_end { HOSTILE_TAKEN, HOSTILE_REFUSED, HOSTILE_BROKEN };

struct hostile {
    struct contents contents; /* of the file */
    struct contents first; /* of the series' first one, if it is of a series, else empty: the one that has all of RAM,
                              which is in the machine, so that only zeros are left here */
    char folder[40], path[64], first_path[64]; /* where they are written to */
    struct machine *machine;                   /* never runs here: only in other processes */
    struct saved *saved;
    int output; /* in memory: what the process said */
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
    struct section *memory = contents_find(hostile->first.count ? &hostile->first : &hostile->contents, "memory");
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

/* All of the file PATH. */
static inline bool hostile_read(struct contents *contents, const char *path)
{
    struct bytes file;
    bool done = bytes_read(&file, path) && contents_of(contents, &file);
    free(file.at);
    return done || hostile_fail(path, NULL);
}

/* Of the file PATH of a series: the first file, which must be the only one that it needs. */
static inline bool hostile_read_first(struct hostile *hostile, const char *path)
{
    struct err err = {""};
    struct series_member member;
    char first[4096], *text = hostile_text(hostile, "series");
    const char *slash = strrchr(path, '/');
    bool good = !text || (series_member_parse(&member, text, &err) && member.number == 1 && member.need_count == 1);
    snprintf(first, sizeof first, "%.*s/0000.ckpt", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (!good)
        hostile_fail("not the second file of its series", &err);
    else if (text)
        good = hostile_read(&hostile->first, first);
    free(text);
    return good;
}

static inline bool hostile_make_folder(struct hostile *hostile)
{
    const char *parent = getenv("TMPDIR");
    snprintf(hostile->folder, sizeof hostile->folder, "/dev/shm/simos-hostile.XXXXXX");
    if (!mkdtemp(hostile->folder)) {
        snprintf(hostile->folder, sizeof hostile->folder, "%.16s/hostile.XXXXXX", parent ? parent : "/tmp");
        if (!mkdtemp(hostile->folder))
            return hostile_fail(hostile->folder, NULL);
    }
    snprintf(hostile->path, sizeof hostile->path, "%s/0001.ckpt", hostile->folder);
    snprintf(hostile->first_path, sizeof hostile->first_path, "%s/0000.ckpt", hostile->folder);
    return true;
}

/* The first file of the series is FILE from now on, and the second one expects it. */
static inline void hostile_put_first(struct hostile *hostile, const struct bytes *file)
{
    struct err err = {""};
    struct series_member member;
    struct section *section = contents_find(&hostile->contents, "series");
    char *text = hostile_text(hostile, "series");
    if (!bytes_write(file, hostile->first_path) || !series_member_parse(&member, text, &err) ||
        !file_identity_read(&member.needs[0].identity, INPUT_CHECKPOINT, hostile->first_path, &err))
        abort();
    free(text);
    text = series_member_text(&member);
    section->content.size = 0;
    bytes_append(&section->content, text, strlen(text));
    section->header.size = section->content.size;
    free(text);
}

static inline bool hostile_create(struct hostile *hostile, const char *path)
{
    static const struct machine_host host = {.sleep = hostile_sleep};
    struct machine_options options;
    struct err err = {""};
    *hostile = (struct hostile){.output = memfd_create("output", 0)};
    if (!hostile_read(&hostile->contents, path) || !hostile_read_first(hostile, path) || !hostile_make_folder(hostile))
        return false;
    machine_options_init(&options);
    options.quiet = true;
    char *copies = hostile_text(hostile, "copies");
    bool set = hostile_set_params(hostile, options.params) &&
               (!copies || copy_saved_adopt(&options.copy, copies, true, path, &err) || hostile_fail("files", &err));
    free(copies);
    if (!set)
        return false;
    hostile->machine = machine_create(&options, &host, &hostile->machine, &err);
    machine_options_release(&options);
    if (!hostile->machine || !machine_load_symbols(hostile->machine, &err))
        return hostile_fail("machine", &err);
    hostile->saved = machine_saved_list(hostile->machine, &err);
    if (!hostile->saved)
        return hostile_fail("machine", &err);
    if (!hostile_take_memory(hostile))
        return false;
    if (hostile->first.count) {
        struct bytes first = contents_to_file(&hostile->first, Z_NO_COMPRESSION);
        hostile_put_first(hostile, &first);
        free(first.at);
    }
    return true;
}

static inline void hostile_free(struct hostile *hostile)
{
    saved_free(hostile->saved);
    machine_free(hostile->machine);
    contents_free(&hostile->contents);
    contents_free(&hostile->first);
    unlink(hostile->path);
    unlink(hostile->first_path);
    rmdir(hostile->folder);
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
    struct err err = {""};
    struct machine *machine = hostile->machine;
    struct checkpoint *checkpoint = checkpoint_open(hostile->path, &err);
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
    if (!bytes_write(file, hostile->path) || ftruncate(hostile->output, 0) != 0)
        abort();
    lseek(hostile->output, 0, SEEK_SET);
    fflush(NULL);
    pid_t process = fork();
    if (process < 0)
        abort();
    if (process == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){HOSTILE_SECONDS, HOSTILE_SECONDS});
        alarm(HOSTILE_TIMEOUT);
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
