/*
 * Executing jobs (src/sweep/sweep_run.h) and collecting their results (src/sweep/sweep_results.h): results depend on
 * the jobs only; finished jobs are not repeated; damaged results and those of other inputs are. The jobs' program is a
 * script.
 */
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/sweep/sweep_results.h"
#include "src/sweep/sweep_run.h"

/* simos WHAT --stats FILE INPUT: does WHAT, and logs the execution in INPUT.log. On stderr are a guest's words, which
 * may look like simos's. */
static const char script[] =
    "#!/bin/sh\n"
    "case $2 in --stats) ;; *) exit 9 ;; esac\n"
    "echo \"$1\" >>\"$4.log\"\n"
    "stats() { echo \"{\\n  \\\"machine\\\": {\\n    \\\"exit_status\\\": $1,\\n    "
    "\\\"of\\\": \\\"$(cat \"$2\")\\\"\\n  }\\n}\" >\"$3\"; }\n"
    "case $1 in\n"
    "slow) sleep 0.3; stats 0 \"$4\" \"$3\" ;;\n"
    "forever) trap : TERM; while :; do sleep 0.05; done ;;\n"
    "interrupted) stats 0 \"$4\" \"$3\"; echo 'signal 15' >>/dev/fd/$SIMOS_ERRORS_FD; echo bye >&2; exit 143 ;;\n"
    "killed) echo 'simos: the guest says so' >&2; kill -9 $$ ;;\n"
    "bug) echo 'bug x.c: one' >>/dev/fd/$SIMOS_ERRORS_FD; kill -6 $$ ;;\n"
    "limit) stats 0 \"$4\" \"$3\"; echo 'error stopped' >>/dev/fd/$SIMOS_ERRORS_FD; echo bye >&2; exit 124 ;;\n"
    "damaged) echo '{' >\"$3\"; printf 'error one\\nerror tw\\351o\\n' >>/dev/fd/$SIMOS_ERRORS_FD ;;\n"
    "silent) echo 'simos: the guest says so' >&2; exit 125 ;;\n"
    "refused) echo 'error no such thing' >>/dev/fd/$SIMOS_ERRORS_FD; echo 'the last line' >&2; exit 125 ;;\n"
    "*) stats \"$1\" \"$4\" \"$3\"; echo \"host: $$\" >&2; exit \"$1\" ;;\n"
    "esac\n";

struct fixture {
    char path[64], program[96], input[96], work[96];
    struct sweep_jobs jobs;
    struct sweep_run_options options;
    struct sweep_run_totals totals;
    struct err err;
};

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    snprintf(fixture->path, sizeof fixture->path, "/tmp/simos-sweep.XXXXXX");
    if (!fixture || !mkdtemp(fixture->path))
        return -1;
    snprintf(fixture->program, sizeof fixture->program, "%s/program", fixture->path);
    snprintf(fixture->input, sizeof fixture->input, "%s/input", fixture->path);
    snprintf(fixture->work, sizeof fixture->work, "%s/work", fixture->path);
    write_file(fixture->program, script, 0755);
    write_file(fixture->input, "one", 0644);
    fixture->options = (struct sweep_run_options){.work = fixture->work, .processes = 2, .program = fixture->program};
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", fixture->path);
    sweep_jobs_release(&fixture->jobs);
    int status = system(command);
    free(fixture);
    return status;
}

/* Add a job that does WHAT; NAME: its name, or NULL for WHAT. */
static void add(struct fixture *fixture, const char *name, const char *what)
{
    struct sweep_job *job = sweep_jobs_add(&fixture->jobs, name, &fixture->err);
    assert_non_null(job);
    assert_true(sweep_job_add_word(job, what, &fixture->err));
    assert_true(sweep_job_add_word(job, fixture->input, &fixture->err));
    assert_true(sweep_job_add_input(job, INPUT_DEPENDENCY, fixture->input, &fixture->err));
    assert_true(sweep_job_add_label(job, "what", what, &fixture->err));
}

static void run(struct fixture *fixture)
{
    if (!sweep_run(&fixture->jobs, &fixture->options, &fixture->totals, &fixture->err))
        fail_msg("%s", fixture->err.text);
}

static void assert_totals(const struct fixture *fixture, unsigned reused, unsigned finished, unsigned failed)
{
    assert_int_equal(fixture->totals.reused, reused);
    assert_int_equal(fixture->totals.finished, finished);
    assert_int_equal(fixture->totals.failed, failed);
}

/* The contents of the results file; the caller frees it. */
static char *results_of(const struct fixture *fixture)
{
    struct sweep_result *results = calloc(fixture->jobs.count, sizeof *results);
    struct err err = {""};
    char *text = NULL;
    size_t size;
    assert_true(sweep_results_read(&fixture->jobs, fixture->work, results, &err));
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    sweep_results_print(&fixture->jobs, results, out);
    sweep_results_table(&fixture->jobs, results, out);
    fclose(out);
    sweep_results_release(results, fixture->jobs.count);
    free(results);
    return text;
}

static void assert_result(const struct fixture *fixture, unsigned number, enum sweep_state state, int status,
                          const char *reason)
{
    struct sweep_result *results = calloc(fixture->jobs.count, sizeof *results);
    struct err err = {""};
    assert_true(sweep_results_read(&fixture->jobs, fixture->work, results, &err));
    assert_int_equal(results[number].state, state);
    assert_int_equal(results[number].status, status);
    if (reason)
        assert_string_equal(results[number].reason, reason);
    else
        assert_null(results[number].reason);
    assert_int_equal(results[number].statistics != NULL, state == SWEEP_FINISHED);
    sweep_results_release(results, fixture->jobs.count);
    free(results);
}

static unsigned lines_of_log(const struct fixture *fixture)
{
    char path[128];
    unsigned lines = 0;
    snprintf(path, sizeof path, "%s.log", fixture->input);
    FILE *in = fopen(path, "r");
    for (int c; in && (c = getc(in)) != EOF;)
        lines += c == '\n';
    if (in)
        fclose(in);
    return lines;
}

static void how_a_job_ends_decides(void **state)
{
    struct fixture *fixture = *state;
    static const char *const what[] = {"0",      "3",           "limit",   "125", "refused",
                                       "killed", "interrupted", "damaged", "bug", "silent"};
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++)
        add(fixture, what[i], what[i]);
    run(fixture);
    assert_totals(fixture, 0, 4, 6);
    assert_result(fixture, 0, SWEEP_FINISHED, 0, NULL);
    assert_result(fixture, 1, SWEEP_FINISHED, 3, NULL); /* exit status of the command, not a failure of simos */
    assert_result(fixture, 2, SWEEP_FINISHED, 124, "stopped");
    assert_result(fixture, 3, SWEEP_FINISHED, 125, NULL);
    assert_result(fixture, 4, SWEEP_FAILED, 125, "no such thing");
    assert_result(fixture, 5, SWEEP_FAILED, 137, "ended by signal 9");
    assert_result(fixture, 6, SWEEP_FAILED, 143,
                  "ended by signal 15"); /* in good order: its statistics are incomplete */
    assert_result(fixture, 7, SWEEP_FAILED, 0, "tw?o");
    assert_result(fixture, 8, SWEEP_FAILED, 134, "ended by signal 6: bug: x.c: one");
    assert_result(fixture, 9, SWEEP_FAILED, 125, "simos printed no error");
}

static void what_is_finished_is_not_done_again(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, "a", "0");
    add(fixture, "b", "refused");
    add(fixture, "c", "3");
    run(fixture);
    assert_int_equal(lines_of_log(fixture), 3);
    run(fixture); /* failed jobs are repeated */
    assert_totals(fixture, 2, 0, 1);
    assert_int_equal(lines_of_log(fixture), 4);
}

static void other_inputs_are_other_jobs(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, "a", "0");
    run(fixture);
    write_file(fixture->input, "two", 0644);
    assert_result(fixture, 0, SWEEP_MISSING, 0, NULL);
    run(fixture);
    assert_totals(fixture, 0, 1, 0);
    char *text = results_of(fixture);
    assert_non_null(strstr(text, "\"of\": \"two\""));
    free(text);
    unlink(fixture->input);
    assert_false(sweep_run(&fixture->jobs, &fixture->options, &fixture->totals, &fixture->err));
    assert_non_null(strstr(fixture->err.text, "job a: "));
    assert_non_null(strstr(fixture->err.text, "No such file"));
}

/* A changed byte or truncation of any of its files: repeated. */
static void a_damaged_result_is_none(void **state)
{
    struct fixture *fixture = *state;
    static const char *const files[] = {"a.job.json", "a.stats.json"};
    add(fixture, "a", "3");
    run(fixture);
    char *whole = results_of(fixture);
    for (size_t i = 0; i < 2; i++) {
        char path[128];
        struct stat there;
        snprintf(path, sizeof path, "%s/%s", fixture->work, files[i]);
        assert_int_equal(stat(path, &there), 0);
        assert_int_equal(truncate(path, there.st_size / 2), 0);
        assert_result(fixture, 0, SWEEP_MISSING, 0, NULL);
        run(fixture);
        assert_totals(fixture, 0, 1, 0);
        write_file(path, i ? "{\"machine\": {\"exit_status\": 3}}" : "{\"status\": 3, \"state\": \"finished\"}", 0644);
        assert_result(fixture, 0, SWEEP_MISSING, 0, NULL);
        unlink(path);
        assert_result(fixture, 0, SWEEP_MISSING, 0, NULL);
        run(fixture);
        assert_totals(fixture, 0, 1, 0);
    }
    char *again = results_of(fixture);
    assert_string_equal(whole, again);
    free(whole);
    free(again);
}

static void results_do_not_depend_on_processes_or_parts(void **state)
{
    struct fixture *fixture = *state;
    char *expected = NULL, name[16], work[128];
    static const char *const what[] = {"slow", "0", "3", "slow", "refused", "limit", "0", "1", "0"};
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        snprintf(name, sizeof name, "j%zu", i);
        add(fixture, name, what[i]);
    }
    for (unsigned round = 0; round < 4; round++) {
        snprintf(work, sizeof work, "%s/%u", fixture->path, round);
        snprintf(fixture->work, sizeof fixture->work, "%.90s", work);
        fixture->options.processes = round == 0 ? 1 : 4;
        fixture->options.parts = round == 2 ? 2 : round == 3 ? 20 : 0; /* most of 20 parts are empty */
        for (fixture->options.part = 0; fixture->options.part == 0 || fixture->options.part < fixture->options.parts;
             fixture->options.part++)
            run(fixture);
        char *text = results_of(fixture);
        assert_true(!expected || strcmp(expected, text) == 0);
        free(expected);
        expected = text;
    }
    free(expected);
}

static void the_results_are_json_in_the_order_of_the_list(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, "b", "3");
    add(fixture, "a", "refused");
    run(fixture);
    add(fixture, "c", "0");
    char *text = results_of(fixture);
    static const char expected[] = "{\n"
                                   "  \"format\": \"simos sweep 1\",\n"
                                   "  \"jobs\": [\n"
                                   "    {\n"
                                   "      \"name\": \"b\",\n"
                                   "      \"options\": {\n"
                                   "        \"what\": \"3\"\n"
                                   "      },\n"
                                   "      \"state\": \"finished\",\n"
                                   "      \"status\": 3,\n"
                                   "      \"message\": null,\n"
                                   "      \"statistics\": {\n"
                                   "        \"machine\": {\n"
                                   "          \"exit_status\": 3,\n"
                                   "          \"of\": \"one\"\n"
                                   "        }\n"
                                   "      }\n"
                                   "    },\n"
                                   "    {\n"
                                   "      \"name\": \"a\",\n"
                                   "      \"options\": {\n"
                                   "        \"what\": \"refused\"\n"
                                   "      },\n"
                                   "      \"state\": \"failed\",\n"
                                   "      \"status\": 125,\n"
                                   "      \"message\": \"no such thing\",\n"
                                   "      \"statistics\": null\n"
                                   "    },\n"
                                   "    {\n"
                                   "      \"name\": \"c\",\n"
                                   "      \"options\": {\n"
                                   "        \"what\": \"0\"\n"
                                   "      },\n"
                                   "      \"state\": \"missing\",\n"
                                   "      \"status\": null,\n"
                                   "      \"message\": null,\n"
                                   "      \"statistics\": null\n"
                                   "    }\n"
                                   "  ]\n"
                                   "}\n";
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("%s", text);
    assert_non_null(strstr(text, "a    failed: no such thing\n"));
    assert_non_null(strstr(text, "c    missing\n"));
    free(text);
}

/* SIGINT during execution, in a child process: it ends soon, no job remains running, and finished results stay. */
static void a_signal_ends_it(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, "a", "0");
    add(fixture, "b", "forever");
    add(fixture, "c", "0");
    fixture->options.processes = 1;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool done = sweep_run(&fixture->jobs, &fixture->options, &fixture->totals, &fixture->err);
        _exit(done && fixture->totals.signal == SIGINT && fixture->totals.finished == 1 ? 0 : 1);
    }
    for (unsigned i = 0; i < 60000 && lines_of_log(fixture) < 2; i++)
        usleep(10000);
    int how;
    kill(pid, SIGINT);
    /* The job ignores SIGTERM: the second signal kills it. On a busy host the first signal may not have been handled
     * yet. */
    do {
        usleep(300000);
        kill(pid, SIGINT);
    } while (waitpid(pid, &how, WNOHANG) == 0);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
    assert_result(fixture, 0, SWEEP_FINISHED, 0, NULL);
    assert_result(fixture, 1, SWEEP_MISSING, 0, NULL);
    assert_result(fixture, 2, SWEEP_MISSING, 0, NULL);
    assert_int_equal(lines_of_log(fixture), 2);
}

static void two_do_not_work_in_one_folder(void **state)
{
    struct fixture *fixture = *state;
    char path[128];
    add(fixture, "a", "0");
    run(fixture);
    snprintf(path, sizeof path, "%s/.lock", fixture->work);
    int lock = open(path, O_RDWR);
    assert_true(lock >= 0);
    assert_int_equal(flock(lock, LOCK_SH), 0); /* another process executes a part */
    assert_false(sweep_run(&fixture->jobs, &fixture->options, &fixture->totals, &fixture->err));
    assert_non_null(strstr(fixture->err.text, "in use by another sweep"));
    fixture->options.parts = 2;
    run(fixture);
    close(lock);
}

static void a_folder_that_cannot_be_is_named(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, "a", "0");
    fixture->options.work = "/nonexistent/work";
    assert_false(sweep_run(&fixture->jobs, &fixture->options, &fixture->totals, &fixture->err));
    assert_string_equal(fixture->err.text, "folder /nonexistent/work: No such file or directory");
    fixture->options.work = fixture->input;
    fixture->err = (struct err){""};
    assert_false(sweep_run(&fixture->jobs, &fixture->options, &fixture->totals, &fixture->err));
    assert_non_null(strstr(fixture->err.text, fixture->input));
}

static void a_program_that_is_not_there_is_a_failure(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, "a", "0");
    fixture->options.program = "/nonexistent/simos";
    run(fixture);
    assert_totals(fixture, 0, 0, 1);
    assert_result(fixture, 0, SWEEP_FAILED, 125, "cannot be started: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(how_a_job_ends_decides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_finished_is_not_done_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_inputs_are_other_jobs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_result_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(results_do_not_depend_on_processes_or_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_results_are_json_in_the_order_of_the_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_signal_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_do_not_work_in_one_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_that_is_not_there_is_a_failure, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
