/*
 * The lines of errors for the program that started this one: what they look like, and who can write them.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/error_lines.h"

/* Execute BODY in a process of its own, whose environment names descriptor FD. Returns how it ended. */
static int in_child(int fd, void (*body)(int fd))
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", fd);
        setenv("SIMOS_ERRORS_FD", number, 1);
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        body(fd);
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(pid, &how, 0), pid);
    return how;
}

static int open_lines(void)
{
    int fd = memfd_create("errors", 0);
    assert_true(fd > STDERR_FILENO);
    return fd;
}

static void assert_lines(int fd, const char *expected)
{
    char text[4096];
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    assert_true(length >= 0);
    text[length] = '\0';
    assert_string_equal(text, expected);
    close(fd);
}

static void write_all(int fd)
{
    (void)fd;
    struct err err = {""}, other = {""};
    if (!error_lines_open(&err))
        _exit(1);
    error_lines_print("%s: bad\nsignal 9", "file");
    err_set(&err, "first");
    err_set(&other, "second");
    err_add(&err, &other);
    if (error_lines_status_of_signal(15) != 143)
        _exit(2);
    log_bug("%d is odd", 2);
}

static void each_kind_is_a_line(void **state)
{
    (void)state;
    int fd = open_lines(), how = in_child(fd, write_all);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(WTERMSIG(how), SIGABRT);
    char text[256], *at;
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    at = strstr(text, "bug ");
    assert_non_null(at);
    assert_non_null(strstr(at, ": 2 is odd\n"));
    *at = '\0';
    assert_string_equal(text, "error file: bad signal 9\nerror first\nsignal 15\n");
    close(fd);
}

static void write_long(int fd)
{
    (void)fd;
    static char text[5000];
    struct err err = {""};
    memset(text, 'x', sizeof text - 1);
    error_lines_open(&err);
    error_lines_print("%s", text);
    error_lines_print("next");
}

static void a_long_line_is_cut(void **state)
{
    (void)state;
    int fd = open_lines();
    assert_int_equal(in_child(fd, write_long), 0);
    char text[4096];
    ssize_t length = pread(fd, text, sizeof text, 0);
    assert_true(length > 512 && length <= 1024 + 11);
    assert_memory_equal(text + length - 12, "\nerror next\n", 12);
    close(fd);
}

static void exec_another(int fd)
{
    struct err err = {""};
    error_lines_open(&err);
    char command[100];
    snprintf(command, sizeof command, "test -z \"$SIMOS_ERRORS_FD\" && ! echo error x >&%d", fd);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(1);
}

static void other_programs_do_not_inherit_it(void **state)
{
    (void)state;
    int fd = open_lines();
    assert_int_equal(in_child(fd, exec_another), 0);
    assert_lines(fd, "");
}

static void expect_refusal(int fd)
{
    (void)fd;
    struct err err = {""};
    if (error_lines_open(&err) || !strstr(err.text, "is no descriptor that can be written to"))
        _exit(1);
    error_lines_print("nobody reads it");
}

static void what_cannot_be_written_to_is_refused(void **state)
{
    (void)state;
    int fd = open("/dev/null", O_RDONLY);
    assert_int_equal(in_child(fd, expect_refusal), 0);
    close(fd);
    assert_int_equal(in_child(900, expect_refusal), 0);
    assert_int_equal(in_child(-1, expect_refusal), 0);
}

static int gone_effect;

static void write_to_nobody(int fd)
{
    (void)fd;
    struct err err = {""};
    signal(SIGPIPE, gone_effect ? SIG_IGN : SIG_DFL);
    if (!error_lines_open(&err))
        _exit(1);
    error_lines_print("nobody reads it");
    if (error_lines_status_of_signal(15) != 143)
        _exit(2);
    sigset_t pending, mask;
    sigpending(&pending);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    _exit(sigismember(&pending, SIGPIPE) || sigismember(&mask, SIGPIPE) ? 3 : 42);
}

/* Whether SIGPIPE would end the process or is ignored. */
static void a_reader_that_has_gone_changes_nothing(void **state)
{
    (void)state;
    for (gone_effect = 0; gone_effect < 2; gone_effect++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        const int how = in_child(ends[1], write_to_nobody);
        close(ends[1]);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), 42);
    }
}

/* Does process PID sleep, or has it ended? */
static bool rests(pid_t pid)
{
    char path[64], state = 'R';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(fscanf(in, "%*d (%*[^)]) %c", &state), 1);
    fclose(in);
    return state == 'S' || state == 'Z';
}

/* The writer of a full pipe sleeps; its line comes when there is room. */
static void one_that_does_not_read_is_waited_for(void **state)
{
    (void)state;
    static const char line[] = "error somebody reads it\n";
    static char filling[4096];
    char last[sizeof line] = "";
    int ends[2], how;
    size_t filled = 0, got = 0;
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    while (write(ends[1], filling, sizeof filling) == sizeof filling)
        filled += sizeof filling;
    assert_true(filled > 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(fcntl(ends[i], F_SETFL, 0), 0);
    fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char number[16];
        struct err err = {""};
        close(ends[0]);
        snprintf(number, sizeof number, "%d", ends[1]);
        setenv("SIMOS_ERRORS_FD", number, 1);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        if (!error_lines_open(&err))
            _exit(1);
        error_lines_print("somebody reads it");
        _exit(42);
    }
    close(ends[1]);
    while (!rests(pid))
        usleep(1000);
    assert_int_equal(waitpid(pid, &how, WNOHANG), 0);
    while (got < filled) {
        const ssize_t more = read(ends[0], filling, filled - got < sizeof filling ? filled - got : sizeof filling);
        assert_true(more > 0);
        got += (size_t)more;
    }
    assert_int_equal(read(ends[0], last, sizeof last - 1), sizeof line - 1);
    assert_string_equal(last, line);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_a_line),
        cmocka_unit_test(a_long_line_is_cut),
        cmocka_unit_test(other_programs_do_not_inherit_it),
        cmocka_unit_test(what_cannot_be_written_to_is_refused),
        cmocka_unit_test(a_reader_that_has_gone_changes_nothing),
        cmocka_unit_test(one_that_does_not_read_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
