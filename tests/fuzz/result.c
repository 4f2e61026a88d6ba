/*
 * What a sweep finds in its work folder: a job's record (NAME.job.json), its statistics and what it said on stderr. An
 * input has the three texts after each other, a byte 0 between them.
 */
#include "src/sweep/sweep_record.h"
#include "tests/fuzz/fuzz.h"

#define JOB      "a"
#define IDENTITY "x"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

/* The file NAME has the input's bytes up to the next 0, which are taken from it. */
static void put_part(const char *name, const uint8_t **input, size_t *size)
{
    const uint8_t *end = *size ? memchr(*input, 0, *size) : NULL;
    size_t length = end ? (size_t)(end - *input) : *size;
    int fd = (int)TEMP_FAILURE_RETRY(open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (fd < 0 || write(fd, *input, length) != (ssize_t)length)
        fuzz_fail(name, "cannot be written");
    close(fd);
    *input += length + (end != NULL);
    *size -= length + (end != NULL);
}

static void print(const struct sweep_result *result)
{
    struct sweep_jobs jobs = {0};
    struct err err = {""};
    fuzz_must(sweep_jobs_add(&jobs, JOB, &err), "no list of one job", &err);
    sweep_results_print(&jobs, result, fuzz_sink());
    sweep_results_table(&jobs, result, fuzz_sink());
    sweep_jobs_release(&jobs);
}

static bool same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* What is written of RESULT is what is read again. */
static void write_and_read(const struct sweep_result *result)
{
    struct sweep_result again;
    struct err err = {""};
    while (!sweep_record_write(result, ".", JOB, IDENTITY, &err)) {
        if (!strstr(err.text, strerror(EINTR))) /* under the guard libFuzzer's timer interrupts rename() */
            fuzz_fail("a record", err.text);
        err.text[0] = 0;
    }
    sweep_record_read(&again, ".", JOB, IDENTITY, NULL);
    if (again.state != result->state || again.status != result->status || !same(again.reason, result->reason) ||
        !same(again.statistics, result->statistics))
        fuzz_fail("a record", "is not read as it was written");
    sweep_results_release(&again, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const int statuses[] = {0, 1, 124, 137};
    struct sweep_result result;
    put_part(JOB ".job.json", &input, &size);
    put_part(JOB ".stats.json", &input, &size);
    char said[1024];
    snprintf(said, sizeof said, "%.*s", (int)size, (const char *)input);
    sweep_record_read(&result, ".", JOB, IDENTITY, NULL);
    print(&result);
    sweep_results_release(&result, 1);
    for (unsigned i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        sweep_record_evaluate(&result, ".", JOB, statuses[i], statuses[i] > 128 ? statuses[i] - 128 : 0, said);
        print(&result);
        write_and_read(&result);
        sweep_results_release(&result, 1);
    }
    return 0;
}
