/*
 * Every kind of input against everything that a path can name: what is accepted, and what is refused with one line,
 * before anything is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "src/base/input_file.h"

static char folder[] = "/tmp/simos-input-XXXXXX", path[64];

static const enum input_kind of_one_pass[] = {INPUT_SYMBOLS, INPUT_LAYOUTS,    INPUT_GUARDS,     INPUT_PREFETCHES,
                                              INPUT_LAYOUT,  INPUT_PAGE_HINTS, INPUT_MACHINE,    INPUT_SWEEP,
                                              INPUT_CLUSTER, INPUT_TEST,       INPUT_STATISTICS, INPUT_CHART,
                                              INPUT_SCRIPT,  INPUT_SIMPOINTS,  INPUT_TRACE};

static bool takes_pipes(enum input_kind kind)
{
    for (size_t i = 0; i < sizeof of_one_pass / sizeof of_one_pass[0]; i++)
        if (of_one_pass[i] == kind)
            return true;
    return false;
}

/* NAME is refused as KIND: with its name, the path and REASON. */
static void refused(enum input_kind kind, const char *name, const char *reason)
{
    struct err err = {""};
    uint64_t size;
    int fd = input_file_open(kind, name, &size, &err);
    if (fd >= 0)
        fail_msg("%s as %s is accepted", name, input_file_name(kind));
    char begin[128];
    snprintf(begin, sizeof begin, "%s %s: ", input_file_name(kind), name);
    if (strncmp(err.text, begin, strlen(begin)) != 0 || !strstr(err.text, reason) || strchr(err.text, '\n'))
        fail_msg("%s: \"%s\" does not say \"%s\"", begin, err.text, reason);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void make(const char *text, off_t size)
{
    unlink(path); /* a pipe that a test which failed has left is not opened: there is no reader */
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(ftruncate(fd, size), 0);
    close(fd);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        refused(kind, "/nonexistent", "No such file or directory");
        refused(kind, folder, "but a directory");
        refused(kind, "/dev/zero", "but a character device");
        refused(kind, "/dev/full", "but a character device");
        refused(kind, "/dev/tty", "but a character device");
        refused(kind, "/proc/kmsg", "an interface of the kernel");
        refused(kind, "/proc/self/maps", "an interface of the kernel");
        refused(kind, "/sys/kernel/uevent_seqnum", "an interface of the kernel");
    }
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    memcpy(name.sun_path, path, sizeof path);
    assert_int_equal(bind(listener, (struct sockaddr *)&name, sizeof name), 0);
    for (int kind = 0; kind < INPUT_KINDS; kind++)
        refused(kind, path, "but a socket");
    close(listener);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    for (int kind = 0; kind < INPUT_KINDS; kind++)
        refused(kind, path, takes_pipes(kind) ? "the pipe has no writer" : "but a pipe");
    unlink(path);
}

/* A file of the maximum is accepted, a byte more is not; both are holes, and nothing of them is read. */
static void length_is_bounded(void **state)
{
    (void)state;
    unsigned bounded = 0;
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        const uint64_t max = input_file_max(kind);
        uint64_t size = 0;
        if (max == UINT64_MAX)
            continue;
        bounded++;
        make("", (off_t)max);
        int fd = input_file_open(kind, path, &size, NULL);
        assert_true(fd >= 0);
        close(fd);
        assert_true(size == max);
        make("", (off_t)max + 1);
        refused(kind, path, "are read");
        make("", (off_t)6 << 40);
        refused(kind, path, "6597069766656 bytes; at most ");
    }
    assert_int_equal(bounded, INPUT_KINDS - 3); /* not traces, disks, and the files of --copy-in, which has its own */
    unlink(path);
}

static void texts_are_read_whole(void **state)
{
    (void)state;
    size_t length = 1;
    struct err err = {""};
    make("", 0);
    char *text = input_file_read(INPUT_SYMBOLS, path, &length, &err);
    assert_string_equal(text, "");
    assert_int_equal(length, 0);
    free(text);
    make("some text", 9);
    text = input_file_text(INPUT_SYMBOLS, path, &err);
    assert_string_equal(text, "some text");
    free(text);
    make("some text", 10);
    assert_null(input_file_text(INPUT_SYMBOLS, path, &err));
    assert_non_null(strstr(err.text, "NUL"));
    text = input_file_read(INPUT_SYMBOLS, "/dev/null", &length, NULL);
    assert_string_equal(text, "");
    free(text);
    unlink(path);
}

/* COUNT bytes from a pipe, as KIND. */
static char *read_pipe(enum input_kind kind, size_t count, size_t *length, struct err *err)
{
    int ends[2];
    char name[32], block[4096];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        memset(block, 'x', sizeof block);
        for (size_t part; count > 0; count -= part) {
            part = count < sizeof block ? count : sizeof block;
            if (write(ends[1], block, part) != (ssize_t)part)
                break;
        }
        _exit(0);
    }
    close(ends[1]);
    char *text = input_file_read(kind, name, length, err);
    close(ends[0]);
    return text;
}

static void pipes_are_bounded_too(void **state)
{
    (void)state;
    struct err err = {""};
    size_t length = 0;
    char *text = read_pipe(INPUT_MACHINE, 300000, &length, &err);
    assert_non_null(text);
    assert_int_equal(length, 300000);
    assert_int_equal(strlen(text), 300000);
    free(text);
    assert_null(read_pipe(INPUT_MACHINE, (size_t)input_file_max(INPUT_MACHINE) + 1, &length, &err));
    assert_non_null(strstr(err.text, "longer than 1048576 bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(length_is_bounded),
        cmocka_unit_test(texts_are_read_whole),
        cmocka_unit_test(pipes_are_bounded_too),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
