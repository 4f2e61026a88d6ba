/*
 * Messages: what reaches stderr, and how often.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/log.h"

/* stderr goes to a file between capture_begin() and capture_end(). */
struct capture {
    FILE *file;
    int saved;
    char text[8192];
};

static void capture_begin(struct capture *capture)
{
    fflush(stderr);
    capture->file = tmpfile();
    assert_non_null(capture->file);
    capture->saved = dup(STDERR_FILENO);
    dup2(fileno(capture->file), STDERR_FILENO);
}

static void capture_end(struct capture *capture)
{
    fflush(stderr);
    dup2(capture->saved, STDERR_FILENO);
    close(capture->saved);
    rewind(capture->file);
    size_t length = fread(capture->text, 1, sizeof capture->text - 1, capture->file);
    capture->text[length] = '\0';
    fclose(capture->file);
}

static void err_keeps_the_first(void **state)
{
    (void)state;
    struct err err = {0};
    assert_false(err_set(&err, "RAM of %d", 3));
    assert_false(err_set(&err, "consequence"));
    assert_string_equal(err.text, "RAM of 3");
    assert_false(err_set(NULL, "nobody listens"));
}

static void err_is_one_bounded_line(void **state)
{
    (void)state;
    char text[2 * ERR_TEXT_SIZE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    memcpy(text, "a\nb\033[2J", 7);
    struct err err = {0};
    err_set(&err, "%s", text);
    assert_int_equal(strlen(err.text), ERR_TEXT_SIZE - 1);
    assert_memory_equal(err.text, "a b [2Jx", 8);
    struct err ends = {0};
    err_set(&ends, "line\n");
    assert_string_equal(ends.text, "line");
    struct err empty = {0};
    err_set(&empty, "%s", "");
    assert_int_not_equal(strlen(empty.text), 0); /* an empty message would look like success */
}

static void guest_speaks_once_a_site(void **state)
{
    (void)state;
    struct log *log = log_create(false), *other = log_create(false);
    char copy[] = "uart: bad register";
    struct capture capture;
    capture_begin(&capture);
    for (int i = 0; i < 3; i++)
        log_guest(log, "uart: bad register", "offset %d\nx", i);
    log_guest(log, copy, "equal name, other address");
    log_guest(log, "rtc: bad register", "rtc");
    log_guest(other, "uart: bad register", "second machine");
    log_guest(NULL, "any", "dropped");
    capture_end(&capture);
    assert_string_equal(capture.text, "simos: guest: offset 0 x\nsimos: guest: rtc\nsimos: guest: second machine\n");
    log_free(log);
    log_free(other);
    log_free(NULL);
}

static void many_sites(void **state)
{
    (void)state;
    enum { SITES = 300 }; /* beyond the first capacity */
    static char names[SITES][16];
    struct log *log = log_create(false);
    struct capture capture;
    capture_begin(&capture);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < SITES; i++) {
            snprintf(names[i], sizeof names[i], "site %d", i);
            log_guest(log, names[i], "m");
        }
    capture_end(&capture);
    assert_int_equal(strlen(capture.text), SITES * strlen("simos: guest: m\n"));
    log_free(log);
}

static void quiet_drops_the_guest_only(void **state)
{
    (void)state;
    struct log *log = log_create(true);
    struct capture capture;
    capture_begin(&capture);
    log_guest(log, "site", "guest");
    log_info(log, "%d CPUs", 8);
    capture_end(&capture);
    assert_string_equal(capture.text, "simos: 8 CPUs\n");
    log_free(log);
}

static void bug_aborts_and_says_where(void **state)
{
    (void)state;
    struct capture capture;
    capture_begin(&capture);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        log_bug_at("file.c", 12, "value %d", 7);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    capture_end(&capture);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    if (strstr(capture.text, "\nqemu: ")) /* an emulator says on stderr that its program was aborted */
        strstr(capture.text, "\nqemu: ")[1] = 0;
    assert_string_equal(capture.text, "simos: bug: file.c:12: value 7\n");
}

struct taken {
    struct log_bug_step step;
    char name;
    bool fails;
};

static void take(void *opaque, const char *message)
{
    struct taken *taken = opaque;
    fprintf(stderr, "%c: %s\n", taken->name, message);
    if (taken->fails)
        log_bug_at("step.c", 3, "in step %c", taken->name);
}

/* Every step is taken once, in order, also after one that fails; a removed one is not. */
static void bug_takes_its_steps(void **state)
{
    (void)state;
    struct capture capture;
    capture_begin(&capture);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        struct taken steps[] = {{.name = 'a'}, {.name = 'b', .fails = true}, {.name = 'c'}, {.name = 'd'}};
        for (unsigned i = 0; i < 4; i++) {
            steps[i].step = (struct log_bug_step){.save = take, .opaque = &steps[i]};
            log_bug_step_add(&steps[i].step);
        }
        log_bug_step_remove(&steps[2].step);
        log_bug_step_remove(&steps[2].step);
        log_bug_at("file.c", 12, "value %d", 7);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    capture_end(&capture);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    if (strstr(capture.text, "\nqemu: "))
        strstr(capture.text, "\nqemu: ")[1] = 0;
    assert_string_equal(capture.text, "simos: bug: file.c:12: value 7\n"
                                      "a: bug: file.c:12: value 7\n"
                                      "b: bug: file.c:12: value 7\n"
                                      "simos: bug: step.c:3: in step b\n"
                                      "d: bug: step.c:3: in step b\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(err_keeps_the_first),        cmocka_unit_test(err_is_one_bounded_line),
        cmocka_unit_test(guest_speaks_once_a_site),   cmocka_unit_test(many_sites),
        cmocka_unit_test(quiet_drops_the_guest_only), cmocka_unit_test(bug_aborts_and_says_where),
        cmocka_unit_test(bug_takes_its_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
