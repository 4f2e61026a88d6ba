/*
 * Executing jobs (src/sweep/sweep_run.h) and collecting their results (src/sweep/sweep_results.h): results depend on
 * the jobs only; finished jobs are not repeated; damaged results and those of other inputs are. The jobs' program is a
 * script.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "src/sweep/sweep_results.h"
#include "src/sweep/sweep_run.h"

/* simos WHAT --stats FILE INPUT: does WHAT, and logs the execution in INPUT.log. */
static const char script[] = "#!/bin/sh\n"
                             "case $2 in --stats) ;; *) exit 9 ;; esac\n"
                             "echo \"$1\" >>\"$4.log\"\n"
                             "stats() { echo \"{\\n  \\\"machine\\\": {\\n    \\\"exit_status\\\": $1,\\n    "
                             "\\\"of\\\": \\\"$(cat \"$2\")\\\"\\n  }\\n}\" >\"$3\"; }\n"
                             "case $1 in\n"
                             "slow) sleep 0.3; stats 0 \"$4\" \"$3\" ;;\n"
                             "forever) trap : TERM; while :; do sleep 0.05; done ;;\n"
                             "interrupted) stats 0 \"$4\" \"$3\"; exit 143 ;;\n"
                             "killed) kill -9 $$ ;;\n"
                             "limit) stats 0 \"$4\" \"$3\"; echo 'simos: stopped' >&2; exit 124 ;;\n"
                             "damaged) echo '{' >\"$3\"; printf 'one\\ntw\\351o\\n\\n' >&2 ;;\n"
                             "refused) echo 'simos: no such thing' >&2; exit 125 ;;\n"
                             "*) stats \"$1\" \"$4\" \"$3\"; echo \"host: $$\" >&2; exit \"$1\" ;;\n"
                             "esac\n";

struct place {
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
    struct place *place = calloc(1, sizeof *place);
    snprintf(place->path, sizeof place->path, "/tmp/simos-sweep.XXXXXX");
    if (!place || !mkdtemp(place->path))
        return -1;
    snprintf(place->program, sizeof place->program, "%s/program", place->path);
    snprintf(place->input, sizeof place->input, "%s/input", place->path);
    snprintf(place->work, sizeof place->work, "%s/work", place->path);
    write_file(place->program, script, 0755);
    write_file(place->input, "one", 0644);
    place->options = (struct sweep_run_options){.work = place->work, .processes = 2, .program = place->program};
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", place->path);
    sweep_jobs_release(&place->jobs);
    int status = system(command);
    free(place);
    return status;
}

/* Add a job that does WHAT; NAME: its name, or NULL for WHAT. */
static void add(struct place *place, const char *name, const char *what)
{
    struct sweep_job *job = sweep_jobs_add(&place->jobs, name, &place->err);
    assert_non_null(job);
    assert_true(sweep_job_add_word(job, what, &place->err));
    assert_true(sweep_job_add_word(job, place->input, &place->err));
    assert_true(sweep_job_add_input(job, place->input, &place->err));
    assert_true(sweep_job_add_label(job, "what", what, &place->err));
}

static void run(struct place *place)
{
    if (!sweep_run(&place->jobs, &place->options, &place->totals, &place->err))
        fail_msg("%s", place->err.text);
}

static void assert_totals(const struct place *place, unsigned reused, unsigned finished, unsigned failed)
{
    assert_int_equal(place->totals.reused, reused);
    assert_int_equal(place->totals.finished, finished);
    assert_int_equal(place->totals.failed, failed);
}

/* The contents of the results file; the caller frees it. */
static char *results_of(const struct place *place)
{
    struct sweep_result *results = calloc(place->jobs.count, sizeof *results);
    struct err err = {""};
    char *text = NULL;
    size_t size;
    assert_true(sweep_results_read(&place->jobs, place->work, results, &err));
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    sweep_results_print(&place->jobs, results, out);
    sweep_results_table(&place->jobs, results, out);
    fclose(out);
    sweep_results_release(results, place->jobs.count);
    free(results);
    return text;
}

static void assert_result(const struct place *place, unsigned number, enum sweep_state state, int status,
                          const char *last_line)
{
    struct sweep_result *results = calloc(place->jobs.count, sizeof *results);
    struct err err = {""};
    assert_true(sweep_results_read(&place->jobs, place->work, results, &err));
    assert_int_equal(results[number].state, state);
    assert_int_equal(results[number].status, status);
    if (last_line)
        assert_string_equal(results[number].last_line, last_line);
    else
        assert_null(results[number].last_line);
    assert_int_equal(results[number].statistics != NULL, state == SWEEP_FINISHED);
    sweep_results_release(results, place->jobs.count);
    free(results);
}

static unsigned lines_of_log(const struct place *place)
{
    char path[128];
    unsigned lines = 0;
    snprintf(path, sizeof path, "%s.log", place->input);
    FILE *in = fopen(path, "r");
    for (int c; in && (c = getc(in)) != EOF;)
        lines += c == '\n';
    if (in)
        fclose(in);
    return lines;
}

static void how_a_job_ends_decides(void **state)
{
    struct place *place = *state;
    static const char *const what[] = {"0", "3", "limit", "125", "refused", "killed", "interrupted", "damaged"};
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++)
        add(place, what[i], what[i]);
    run(place);
    assert_totals(place, 0, 4, 4);
    assert_result(place, 0, SWEEP_FINISHED, 0, NULL);
    assert_result(place, 1, SWEEP_FINISHED, 3, NULL); /* exit status of the command, not a failure of simos */
    assert_result(place, 2, SWEEP_FINISHED, 124, "simos: stopped");
    assert_result(place, 3, SWEEP_FINISHED, 125, NULL);
    assert_result(place, 4, SWEEP_FAILED, 125, "simos: no such thing");
    assert_result(place, 5, SWEEP_FAILED, 137, "ended by signal 9");
    assert_result(place, 6, SWEEP_FAILED, 143, "it printed no message"); /* a SIGTERM: its statistics are incomplete */
    assert_result(place, 7, SWEEP_FAILED, 0, "tw?o");
}

static void what_is_finished_is_not_done_again(void **state)
{
    struct place *place = *state;
    add(place, "a", "0");
    add(place, "b", "refused");
    add(place, "c", "3");
    run(place);
    assert_int_equal(lines_of_log(place), 3);
    run(place); /* failed jobs are repeated */
    assert_totals(place, 2, 0, 1);
    assert_int_equal(lines_of_log(place), 4);
}

static void other_inputs_are_other_jobs(void **state)
{
    struct place *place = *state;
    add(place, "a", "0");
    run(place);
    write_file(place->input, "two", 0644);
    assert_result(place, 0, SWEEP_MISSING, 0, NULL);
    run(place);
    assert_totals(place, 0, 1, 0);
    char *text = results_of(place);
    assert_non_null(strstr(text, "\"of\": \"two\""));
    free(text);
    unlink(place->input);
    assert_false(sweep_run(&place->jobs, &place->options, &place->totals, &place->err));
    assert_non_null(strstr(place->err.text, "job a: "));
    assert_non_null(strstr(place->err.text, "No such file"));
}

/* A changed byte or truncation of any of its files: repeated. */
static void a_damaged_result_is_none(void **state)
{
    struct place *place = *state;
    static const char *const files[] = {"a.job.json", "a.stats.json"};
    add(place, "a", "3");
    run(place);
    char *whole = results_of(place);
    for (size_t i = 0; i < 2; i++) {
        char path[128];
        struct stat there;
        snprintf(path, sizeof path, "%s/%s", place->work, files[i]);
        assert_int_equal(stat(path, &there), 0);
        assert_int_equal(truncate(path, there.st_size / 2), 0);
        assert_result(place, 0, SWEEP_MISSING, 0, NULL);
        run(place);
        assert_totals(place, 0, 1, 0);
        write_file(path, i ? "{\"machine\": {\"exit_status\": 3}}" : "{\"status\": 3, \"state\": \"finished\"}", 0644);
        assert_result(place, 0, SWEEP_MISSING, 0, NULL);
        unlink(path);
        assert_result(place, 0, SWEEP_MISSING, 0, NULL);
        run(place);
        assert_totals(place, 0, 1, 0);
    }
    char *again = results_of(place);
    assert_string_equal(whole, again);
    free(whole);
    free(again);
}

static void results_do_not_depend_on_processes_or_parts(void **state)
{
    struct place *place = *state;
    char *expected = NULL, name[16], work[128];
    static const char *const what[] = {"slow", "0", "3", "slow", "refused", "limit", "0", "1", "0"};
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        snprintf(name, sizeof name, "j%zu", i);
        add(place, name, what[i]);
    }
    for (unsigned round = 0; round < 4; round++) {
        snprintf(work, sizeof work, "%s/%u", place->path, round);
        snprintf(place->work, sizeof place->work, "%.90s", work);
        place->options.processes = round == 0 ? 1 : 4;
        place->options.parts = round == 2 ? 2 : round == 3 ? 20 : 0; /* most of 20 parts are empty */
        for (place->options.part = 0; place->options.part == 0 || place->options.part < place->options.parts;
             place->options.part++)
            run(place);
        char *text = results_of(place);
        assert_true(!expected || strcmp(expected, text) == 0);
        free(expected);
        expected = text;
    }
    free(expected);
}

static void the_results_are_json_in_the_order_of_the_list(void **state)
{
    struct place *place = *state;
    add(place, "b", "3");
    add(place, "a", "refused");
    run(place);
    add(place, "c", "0");
    char *text = results_of(place);
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
                                   "      \"message\": \"simos: no such thing\",\n"
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
    assert_non_null(strstr(text, "a    failed: simos: no such thing\n"));
    assert_non_null(strstr(text, "c    missing\n"));
    free(text);
}

/* SIGINT during execution, in a child process: it ends soon, no job remains running, and finished results stay. */
static void a_signal_ends_it(void **state)
{
    struct place *place = *state;
    add(place, "a", "0");
    add(place, "b", "forever");
    add(place, "c", "0");
    place->options.processes = 1;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool done = sweep_run(&place->jobs, &place->options, &place->totals, &place->err);
        _exit(done && place->totals.signal == SIGINT && place->totals.finished == 1 ? 0 : 1);
    }
    for (unsigned i = 0; i < 60000 && lines_of_log(place) < 2; i++)
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
    assert_result(place, 0, SWEEP_FINISHED, 0, NULL);
    assert_result(place, 1, SWEEP_MISSING, 0, NULL);
    assert_result(place, 2, SWEEP_MISSING, 0, NULL);
    assert_int_equal(lines_of_log(place), 2);
}

static void two_do_not_work_in_one_folder(void **state)
{
    struct place *place = *state;
    char path[128];
    add(place, "a", "0");
    run(place);
    snprintf(path, sizeof path, "%s/.lock", place->work);
    int lock = open(path, O_RDWR);
    assert_true(lock >= 0);
    assert_int_equal(flock(lock, LOCK_SH), 0); /* another process executes a part */
    assert_false(sweep_run(&place->jobs, &place->options, &place->totals, &place->err));
    assert_non_null(strstr(place->err.text, "in use by another sweep"));
    place->options.parts = 2;
    run(place);
    close(lock);
}

static void a_folder_that_cannot_be_is_named(void **state)
{
    struct place *place = *state;
    add(place, "a", "0");
    place->options.work = "/nonexistent/work";
    assert_false(sweep_run(&place->jobs, &place->options, &place->totals, &place->err));
    assert_string_equal(place->err.text, "folder /nonexistent/work: No such file or directory");
    place->options.work = place->input;
    place->err = (struct err){""};
    assert_false(sweep_run(&place->jobs, &place->options, &place->totals, &place->err));
    assert_non_null(strstr(place->err.text, place->input));
}

static void a_program_that_is_not_there_is_a_failure(void **state)
{
    struct place *place = *state;
    add(place, "a", "0");
    place->options.program = "/nonexistent/simos";
    run(place);
    assert_totals(place, 0, 0, 1);
    assert_result(place, 0, SWEEP_FAILED, 125, "simos: cannot be started: No such file or directory");
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
