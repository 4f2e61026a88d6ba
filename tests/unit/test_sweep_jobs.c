/* Lists of jobs (src/sweep/sweep_jobs.h): valid names, UTF-8 texts, and job identities. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/cli/commands.h"
#include "src/sweep/sweep_jobs.h"

static struct sweep_job *add(struct sweep_jobs *jobs, const char *name)
{
    struct err err = {""};
    struct sweep_job *job = sweep_jobs_add(jobs, name, &err);
    if (!job)
        fail_msg("%s", err.text);
    return job;
}

static void names_are_file_names(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "..", ".a", "-a", "a/b", "a b", "a\n", "a\xc3\xa9", "a;b", "a*"};
    struct sweep_jobs jobs = {0};
    char long_name[SWEEP_JOB_NAME_MAX + 2];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err err = {""};
        assert_null(sweep_jobs_add(&jobs, bad[i], &err));
        assert_non_null(strstr(err.text, "a name is 1 to 120"));
    }
    struct err err = {""};
    memset(long_name, 'a', sizeof long_name);
    long_name[SWEEP_JOB_NAME_MAX + 1] = 0;
    assert_null(sweep_jobs_add(&jobs, long_name, &err));
    long_name[SWEEP_JOB_NAME_MAX] = 0;
    assert_non_null(sweep_jobs_add(&jobs, long_name, &err));
    add(&jobs, "1994-l1d.size=16K");
    err = (struct err){""};
    assert_null(sweep_jobs_add(&jobs, "1994-l1d.size=16K", &err));
    assert_non_null(strstr(err.text, "this name is already used"));
    assert_int_equal(jobs.count, 2);
    sweep_jobs_release(&jobs);
}

static void there_is_an_end_to_them(void **state)
{
    (void)state;
    struct sweep_jobs jobs = {0};
    char name[16];
    for (unsigned i = 0; i < SWEEP_JOBS_MAX; i++) {
        snprintf(name, sizeof name, "j%u", i);
        add(&jobs, name);
    }
    struct err err = {""};
    assert_null(sweep_jobs_add(&jobs, "more", &err));
    assert_non_null(strstr(err.text, "at most 10000"));
    sweep_jobs_release(&jobs);
}

static void texts_are_utf8(void **state)
{
    (void)state;
    struct sweep_jobs jobs = {0};
    struct sweep_job *job = add(&jobs, "a");
    struct err err = {""};
    assert_true(sweep_job_add_word(job, "t\xc3\xa9", &err));
    assert_false(sweep_job_add_word(job, "t\xe9", &err));
    assert_non_null(strstr(err.text, "not UTF-8"));
    assert_false(sweep_job_add_input(job, INPUT_DEPENDENCY, "\xc0\x80", &err));
    assert_false(sweep_job_add_label(job, "a", "\xff", &err));
    assert_true(sweep_job_add_label(job, "a", "b", &err));
    assert_false(sweep_job_add_label(job, "a", "c", &err));
    assert_int_equal(job->word_count, 1);
    assert_null(job->words[1]);
    assert_int_equal(job->input_count, 0);
    assert_int_equal(job->label_count, 1);
    sweep_jobs_release(&jobs);
}

static void words_that_simos_would_not_take_are_named_with_the_job(void **state)
{
    (void)state;
    struct sweep_jobs jobs = {0};
    struct err err = {""};
    struct sweep_job *job = add(&jobs, "good");
    static const char *const good[] = {"restore", "boot.ckpt", "--machine", "1998", "--", "true"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(sweep_job_add_word(job, good[i], &err));
    assert_true(sweep_jobs_check(&jobs, NULL, &simos_commands, &err));
    job = add(&jobs, "wrong");
    assert_true(sweep_job_add_word(job, "restore", &err));
    assert_true(sweep_job_add_word(job, "--set=cache.l1d.ways=33", &err));
    assert_false(sweep_jobs_check(&jobs, NULL, &simos_commands, &err));
    assert_non_null(strstr(err.text, "job wrong: cache.l1d.ways"));
    sweep_jobs_release(&jobs);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static char *identity_of(const struct sweep_job *job)
{
    struct sweep_inputs *inputs = sweep_inputs_create();
    struct err err = {""};
    char *identity = sweep_job_identity(job, inputs, &err);
    sweep_inputs_free(inputs);
    if (!identity)
        fail_msg("%s", err.text);
    assert_int_equal(strlen(identity), 64);
    return identity;
}

static void an_identity_is_words_and_contents(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-jobs.XXXXXX";
    assert_true(close(mkstemp(path)) == 0);
    write_file(path, "one");
    struct sweep_jobs jobs = {0};
    struct err err = {""};
    static const char *const words[][2] = {{"ab", "c"}, {"a", "bc"}, {"ab", "c"}, {"c", "ab"}};
    char *identities[5];
    for (unsigned i = 0; i < 4; i++) {
        char name[] = {'j', (char)('0' + i), 0};
        struct sweep_job *job = add(&jobs, name);
        for (unsigned word = 0; word < 2; word++)
            assert_true(sweep_job_add_word(job, words[i][word], &err));
        assert_true(sweep_job_add_input(job, INPUT_DEPENDENCY, path, &err));
        identities[i] = identity_of(job);
    }
    assert_string_equal(identities[0], identities[2]); /* the name is not part of the identity */
    assert_string_not_equal(identities[0], identities[1]);
    assert_string_not_equal(identities[0], identities[3]);
    write_file(path, "two");
    identities[4] = identity_of(&jobs.jobs[0]);
    assert_string_not_equal(identities[0], identities[4]);
    unlink(path);
    struct sweep_inputs *inputs = sweep_inputs_create();
    assert_null(sweep_job_identity(&jobs.jobs[0], inputs, &err));
    assert_non_null(strstr(err.text, path));
    sweep_inputs_free(inputs);
    for (unsigned i = 0; i < 5; i++)
        free(identities[i]);
    sweep_jobs_release(&jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_file_names),
        cmocka_unit_test(there_is_an_end_to_them),
        cmocka_unit_test(texts_are_utf8),
        cmocka_unit_test(words_that_simos_would_not_take_are_named_with_the_job),
        cmocka_unit_test(an_identity_is_words_and_contents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
