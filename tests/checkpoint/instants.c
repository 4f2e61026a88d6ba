/*
 * Save and restore at random instants of a run.
 *
 *     instants SIMOS FOLDER COUNT SEED WORDS...
 *
 * WORDS are those of `simos run WORDS...` without --stats. The machine runs once without interruption. Then again, and
 * at each of COUNT instants between boot and the end (numbers of instructions, drawn from SEED) it is saved; a process
 * of its own (`SIMOS restore`) goes on from each of these files to the next instant and saves there too: its file must
 * be, byte for byte, the one of the machine that went on. So must the statistics at the end, both of the machine that
 * was saved so often and of the last that was restored, apart from what a CPU model says of its own work. In FOLDER,
 * which must exist, two files are left that differ, if there are any.
 *
 * Equal files mean more than equal statistics: nothing that is saved depends on whether a machine was restored.
 */
#include "checkpoint/checkpoint.h"
#include "src/cli/commands.h"
#include "src/run/run_options.h"
#include "src/machine/machine_saved.h"
#include "tests/checkpoint/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct test {
    const char *simos, *folder;
    struct run_options run;
    uint64_t *at;      /* the instants, in order */
    unsigned count;    /* of them */
    char event[40];    /* of the instant that is saved now */
    uint64_t state;    /* of the random numbers */
    uint64_t last;     /* instructions of the whole run */
    uint64_t userland; /* instructions until the job began */
    char *plain;       /* statistics of the run without interruption */
    unsigned exit_status;
    unsigned passed, failed;
};

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("instants: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(2);
}

static void check(struct test *test, bool good, const char *what)
{
    test->passed += good;
    test->failed += !good;
    if (!good)
        printf("FAIL %s: %s\n", *test->event ? test->event : "the end", what);
}

/* The machine without interruption */

static void userland_up(void *opaque)
{
    struct machine **machine = opaque;
    machine_request_stop(*machine);
}

static const struct machine_host host = {.userland_up = userland_up};

static struct machine *create(struct test *test, struct machine **place)
{
    struct err err = {""};
    *place = machine_create(&test->run.options, &host, place, &err);
    if (!*place || !machine_load(*place, &err))
        give_up("%s", err.text);
    return *place;
}

/* Take what CPU models say of their own work out of statistics. */
static void drop_models(char *text)
{
    char *models = strstr(text, "\"models\": {");
    char *end = models ? strstr(models, "\n    }") : NULL;
    if (!end)
        give_up("no machine.models in the statistics");
    memmove(models, end, strlen(end) + 1);
}

/* The others as text, to be freed. */
static char *statistics(const struct machine *machine)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    stats_write_json(machine->stats, out);
    fclose(out);
    drop_models(text);
    return text;
}

static void run_plain(struct test *test)
{
    struct machine *machine, *place;
    machine = create(test, &place);
    if (machine_run(machine, &MACHINE_NO_LIMITS) != MACHINE_STOP_REQUEST)
        give_up("userland does not come up");
    test->userland = machine_insns(machine);
    if (machine_run(machine, &MACHINE_NO_LIMITS) != MACHINE_STOP_EXIT)
        give_up("the job does not end");
    test->last = machine_insns(machine);
    test->exit_status = machine->exit_status;
    test->plain = statistics(machine);
    machine_free(machine);
}

/* The process that goes on from an instant */

static char *path_of(const struct test *test, const char *what, unsigned number, const char *suffix)
{
    char *path;
    if (asprintf(&path, "%s/%s%u%s", test->folder, what, number, suffix) < 0)
        give_up("out of memory");
    return path;
}

static void remove_path(char *path)
{
    unlink(path);
    free(path);
}

/* From the file of instant FROM to the next one, or to the end, whose statistics it writes. */
static pid_t start(const struct test *test, unsigned from)
{
    char *file = path_of(test, "saved-", from, ".ckpt"), *next = path_of(test, "restored-", from + 1, ".ckpt");
    char *figures = path_of(test, "end-", from + 1, ".json"), *at, *limit;
    bool last = from + 1 == test->count;
    uint64_t end = last ? 0 : test->at[from + 1];
    if (asprintf(&at, "%s@insns:%" PRIu64, next, end) < 0 || asprintf(&limit, "%" PRIu64, end) < 0)
        give_up("out of memory");
    const char *to_next[] = {test->simos,    "restore", file,          "--trust", "--quiet",
                             "--checkpoint", at,        "--max-insns", limit,     NULL};
    const char *to_end[] = {test->simos, "restore", file, "--trust", "--quiet", "--stats", figures, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t process;
    int failed = posix_spawn(&process, test->simos, &actions, NULL, (char *const *)(last ? to_end : to_next), environ);
    if (failed)
        give_up("%s: %s", test->simos, strerror(failed));
    posix_spawn_file_actions_destroy(&actions);
    free(file), free(next), free(figures), free(at), free(limit);
    return process;
}

static void await(struct test *test, pid_t process, unsigned expected)
{
    int status;
    if (waitpid(process, &status, 0) != process)
        give_up("%s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != (int)expected) {
        printf("status %x\n", (unsigned)status);
        check(test, false, "the restored machine does not get to the next instant");
    }
}

/* Comparing */

static void print_bytes(const struct section *section, size_t at)
{
    for (size_t i = at & ~(size_t)3; i < section->content.size && i < at + 8; i++)
        printf(" %02x", section->content.at[i]);
}

static void print_difference(const struct section *a, const struct section *b)
{
    static struct field fields[SAVED_FIELDS_MAX];
    size_t rest, at = 0, common = a->content.size < b->content.size ? a->content.size : b->content.size;
    uint32_t count = section_fields(a, fields, SAVED_FIELDS_MAX, &rest);
    while (at < common && a->content.at[at] == b->content.at[at])
        at++;
    if (at == common && a->content.size == b->content.size)
        return;
    printf("     section %s, byte %zu of %zu and %zu", a->header.name, at, a->content.size, b->content.size);
    for (uint32_t i = 0; i < count; i++)
        if (at >= fields[i].at && at < fields[i].at + (size_t)fields[i].width * fields[i].elements)
            printf(": field %s[%zu]", fields[i].name, (at - fields[i].at) / fields[i].width);
    printf(";");
    print_bytes(a, at);
    printf(",");
    print_bytes(b, at);
    putchar('\n');
}

static void print_differences(const struct bytes *a, const struct bytes *b)
{
    struct contents one, other;
    if (contents_of(&one, a) && contents_of(&other, b))
        for (uint32_t i = 0; i < one.count && i < other.count; i++)
            print_difference(&one.sections[i], &other.sections[i]);
    contents_free(&one);
    contents_free(&other);
}

/* Are the files of instant NUMBER, of the machine that went on and of the one that was restored, the same? */
static void compare_files(struct test *test, unsigned number)
{
    char *saved = path_of(test, "saved-", number, ".ckpt"), *restored = path_of(test, "restored-", number, ".ckpt");
    struct bytes a = {NULL, 0}, b = {NULL, 0};
    bool there = bytes_read(&a, saved) && bytes_read(&b, restored);
    bool same = there && a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
    check(test, same, there ? "the files differ" : "there is no file");
    if (there && !same)
        print_differences(&a, &b);
    free(a.at), free(b.at);
    free(saved);
    if (same)
        unlink(restored);
    free(restored);
}

static void compare_end(struct test *test)
{
    struct bytes text;
    char *path = path_of(test, "end-", test->count, ".json");
    bool there = bytes_read(&text, path);
    if (there) {
        text.at[text.size] = 0;
        drop_models((char *)text.at);
    }
    check(test, there && strcmp((char *)text.at, test->plain) == 0, "the statistics of the restored machine differ");
    free(text.at);
    if (!test->failed)
        unlink(path);
    free(path);
}

/* All of it */

static uint64_t draw(struct test *test, uint64_t sides)
{
    test->state ^= test->state << 13; /* xorshift64, Marsaglia 2003 */
    test->state ^= test->state >> 7;
    test->state ^= test->state << 17;
    return (test->state >> 11) % sides;
}

static int by_value(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static void choose_instants(struct test *test)
{
    test->at = checked_memory(calloc(test->count, sizeof *test->at));
    for (unsigned i = 0; i < test->count; i++)
        test->at[i] = test->userland + 1 + draw(test, test->last - test->userland - 1);
    qsort(test->at, test->count, sizeof *test->at, by_value);
}

static void save(struct test *test, struct machine *machine, unsigned number)
{
    struct err err = {""};
    char *path = path_of(test, "saved-", number, ".ckpt");
    if (!machine_save(machine, test->event, path, &err))
        give_up("%s", err.text);
    free(path);
}

/* The machine goes on to instant NUMBER and is saved there, while the one that was restored from the instant before
 * does the same. */
static void step(struct test *test, struct machine *machine, unsigned number)
{
    pid_t process = number ? start(test, number - 1) : 0;
    const struct machine_limits limits = {CYCLES_NEVER, test->at[number]};
    snprintf(test->event, sizeof test->event, "insns:%" PRIu64, test->at[number]);
    if (machine_run(machine, &limits) != MACHINE_STOP_INSNS || machine_insns(machine) != test->at[number])
        give_up("%s is not reached", test->event);
    save(test, machine, number);
    if (!process)
        return;
    await(test, process, EXIT_LIMIT);
    compare_files(test, number);
    remove_path(path_of(test, "saved-", number - 1, ".ckpt"));
}

static void run_saved(struct test *test)
{
    struct machine *machine, *place;
    machine = create(test, &place);
    machine_run(machine, &MACHINE_NO_LIMITS);
    for (unsigned i = 0; i < test->count; i++)
        step(test, machine, i);
    pid_t process = start(test, test->count - 1);
    *test->event = 0;
    check(test, machine_run(machine, &MACHINE_NO_LIMITS) == MACHINE_STOP_EXIT, "the machine that was saved goes on");
    char *figures = statistics(machine);
    check(test, strcmp(figures, test->plain) == 0, "the statistics of the machine that was saved differ");
    free(figures);
    machine_free(machine);
    await(test, process, test->exit_status);
    compare_end(test);
    remove_path(path_of(test, "saved-", test->count - 1, ".ckpt"));
}

int main(int argc, char **argv)
{
    struct err err = {""};
    if (argc < 6)
        give_up("usage: instants SIMOS FOLDER COUNT SEED WORDS...");
    struct test test = {.simos = argv[1],
                        .folder = argv[2],
                        .count = (unsigned)strtoul(argv[3], NULL, 0),
                        .state = strtoull(argv[4], NULL, 0) * 0x9e3779b97f4a7c15u + 1};
    const char *words[argc];
    words[0] = "run";
    for (int i = 5; i < argc; i++)
        words[i - 4] = argv[i];
    if (!run_options_parse(&test.run, &simos_commands, COMMAND_PLACE_ALONE, argc - 4, words, &err))
        give_up("%s", err.text);
    if (test.count == 0)
        give_up("no instants");
    run_plain(&test);
    choose_instants(&test);
    run_saved(&test);
    printf("instants: %u of %" PRIu64 " instructions, from %" PRIu64 " on, seed %s: %u passed, %u failed\n", test.count,
           test.last, test.userland, argv[4], test.passed, test.failed);
    run_options_release(&test.run);
    free(test.plain);
    free(test.at);
    return test.failed != 0;
}
