/* Description files of parameter sweeps (src/sweep/sweep_file.h, docs/how-to/sweep.md): the resulting jobs and words;
 * invalid files are rejected with a message that names file, line or job and reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/cli/commands.h"
#include "src/sweep/sweep_file.h"
#include "src/sweep/sweep_product.h"

static void parse(struct sweep_file *file, const char *text)
{
    struct err err = {""};
    if (!sweep_file_parse(file, "s.tcl", text, true, &simos_commands, &err))
        fail_msg("%s", err.text);
}

/* Check JOB's words against LINE, separated by single spaces. */
static void assert_words(const struct sweep_job *job, const char *line)
{
    char joined[1024] = "";
    for (unsigned i = 0; i < job->word_count; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, job->words[i]);
    }
    assert_string_equal(joined, line);
}

static void all_combinations_are_jobs(void **state)
{
    (void)state;
    static const char *const names[] = {"1994-cache.l1d.size=16K", "1994-cache.l1d.size=32K", "1996-cache.l1d.size=16K",
                                        "1996-cache.l1d.size=32K"};
    struct sweep_file file;
    parse(&file, "command make -j 2\n"
                 "checkpoint ckpts/boot.ckpt\n"
                 "machine 1994 1996\n"
                 "cpu mipsy\n"
                 "param cache.l1d.size 16K 32K\n"
                 "seconds 5\n");
    assert_int_equal(file.jobs.count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_string_equal(file.jobs.jobs[i].name, names[i]);
    const struct sweep_job *job = &file.jobs.jobs[2];
    assert_words(
        job, "restore ckpts/boot.ckpt --machine 1996 --cpu mipsy --set cache.l1d.size=16K --seconds 5 -- make -j 2");
    assert_int_equal(job->input_count, 1);
    assert_string_equal(job->inputs[0], "ckpts/boot.ckpt");
    assert_int_equal(job->label_count, 6);
    assert_string_equal(job->labels[0].name, "command");
    assert_string_equal(job->labels[0].value, "make -j 2");
    assert_string_equal(job->labels[4].name, "cache.l1d.size");
    assert_string_equal(job->labels[4].value, "16K");
    sweep_file_release(&file);
}

static void words_of_a_command_stay_words(void **state)
{
    (void)state;
    struct sweep_file file;
    parse(&file, "checkpoint a\ncommand sh -c {echo \"$x\"; exit 3} {} {a b}");
    const struct sweep_job *job = &file.jobs.jobs[0];
    assert_string_equal(job->name, "job");
    assert_int_equal(job->word_count, 8);
    assert_string_equal(job->words[5], "echo \"$x\"; exit 3");
    assert_string_equal(job->words[6], "");
    assert_string_equal(job->words[7], "a b");
    assert_null(job->words[8]);
    sweep_file_release(&file);
}

static void a_job_has_what_the_file_says_before_it_and_its_own(void **state)
{
    (void)state;
    struct sweep_file file;
    parse(&file, "checkpoint a.ckpt\nmachine 1994\ncpu mipsy\n"
                 "job small { param cache.l1d.size 8K }\n"
                 "foreach n {1 2} { job both-$n { machine 1996 1998; command echo $n; option --quiet; input x$n y } }\n"
                 "cpu embra\n"
                 "job last {}\n");
    assert_int_equal(file.jobs.count, 6);
    assert_string_equal(file.jobs.jobs[0].name, "small");
    assert_words(&file.jobs.jobs[0], "restore a.ckpt --machine 1994 --cpu mipsy --set cache.l1d.size=8K");
    assert_string_equal(file.jobs.jobs[1].name, "both-1-1996");
    assert_string_equal(file.jobs.jobs[4].name, "both-2-1998");
    assert_words(&file.jobs.jobs[4], "restore a.ckpt --machine 1998 --cpu mipsy --quiet -- echo 2");
    assert_int_equal(file.jobs.jobs[4].input_count, 3);
    assert_string_equal(file.jobs.jobs[4].inputs[1], "x2");
    assert_words(&file.jobs.jobs[5], "restore a.ckpt --machine 1994 --cpu embra");
    sweep_file_release(&file);
}

static void several_checkpoints_are_told_apart_by_their_names(void **state)
{
    (void)state;
    struct sweep_file file;
    parse(&file, "checkpoint a/one.ckpt {b/two three.ckpt}\nslurm --partition=long --time=10");
    assert_string_equal(file.jobs.jobs[0].name, "one");
    assert_string_equal(file.jobs.jobs[1].name, "two_three");
    assert_string_equal(file.jobs.jobs[1].inputs[0], "b/two three.ckpt");
    assert_int_equal(file.slurm_count, 2);
    assert_string_equal(file.slurm[1], "--time=10");
    sweep_file_release(&file);
}

static void a_bad_file_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "sweep bad.tcl: there is no checkpoint to start from"},
        {"machine 1994", "sweep bad.tcl: there is no checkpoint"},
        {"checkpoint", "sweep bad.tcl, line 1: wrong # args: should be \"checkpoint FILE ?FILE ...?\""},
        {"checkpoint a\n\nmachine", "line 3: wrong # args"},
        {"checkpoint a\nmachine 1995", "line 2: machine 1995: cannot be read"},
        {"checkpoint a\ncpu zork", "line 2: cpu.model: \"zork\" is not one of"},
        {"checkpoint a\nparam cache.l1d.size", "line 2: wrong # args"},
        {"checkpoint a\nset cache.l1d.size 1K",
         "bad.tcl: `set cache.l1d.size` sets a variable, not a parameter: `param cache.l1d.size VALUE` does"},
        {"checkpoint a\nparam cache.l1d.sise 1K", "line 2: unknown parameter \"cache.l1d.sise\"; did you mean"},
        {"checkpoint a\nparam cache.l1d.size 16K 3", "line 2: cache.l1d.size"},
        {"checkpoint a\nseconds 0", "sweep bad.tcl: job job: --seconds"},
        {"checkpoint a\nmax-insns x", "sweep bad.tcl: job job: --max-insns"},
        {"checkpoint a\noption --bogus", "sweep bad.tcl: job job: unknown option --bogus"},
        {"checkpoint a\noption --help", "sweep bad.tcl: job job: is neither `run` nor `restore`"},
        {"checkpoint a\noption --stats x.json", "job job: --stats: not in a sweep"},
        {"checkpoint a\noption --gdb 0", "job job: --gdb: not in a sweep"},
        {"checkpoint a\noption --checkpoint x@boot", "job job: --checkpoint: not in a sweep"},
        {"checkpoint a\noption --series x,every=1000000", "job job: --series: not in a sweep"},
        {"checkpoint a\noption --disk x,overlay=y", "job job: --disk: not in a sweep if it writes a file"},
        {"checkpoint a\noption --disk x,write", "job job: --disk: not in a sweep if it writes a file"},
        {"checkpoint a\noption --copy-in /etc/passwd", "job job: --copy-in: not in a sweep"},
        {"checkpoint a\noption b", "unexpected argument \"b\""},
        {"checkpoint a a", "job a: this name is already used"},
        {"checkpoint x/a y/a.ckpt", "job a: this name is already used"},
        {"checkpoint a\njob {a/b} {}", "line 2: job \"a/b\": a name is"},
        {"checkpoint a\njob .. {}", "line 2: job \"..\": a name is"},
        {"checkpoint a\njob a {}\njob a {}", "line 3: job a: this name is already used"},
        {"checkpoint a\njob a { job b {} }", "a job within a job"},
        {"job a {}", "line 1: there is no checkpoint"},
        {"checkpoint a\njob a", "line 2: wrong # args: should be \"job NAME SCRIPT\""},
        {"checkpoint a\njob a { error oops }", "line 2: oops"},
        {"slurm -p", "slurm: \"-p\" is not --NAME"},
        {"slurm \"--x\\n#SBATCH --y\"", "on one line"},
        {"while 1 {slurm --a}", "at most 64"},
        {"checkpoint {*}[lrepeat 200 a]", "this name is already used"},
        {"checkpoint a\nseconds {*}[split [string repeat {1 } 200]]", "job 1: this name is already used"},
        {"proc n {k} {for {set i 1} {$i <= $k} {incr i} {lappend l $i}; set l}\n"
         "checkpoint a\nseconds {*}[n 200]\nmax-insns {*}[n 200]",
         "too many jobs: at most 10000"},
        {"checkpoint \"\\u0000\"", "not UTF-8"},
        {"checkpoint a\ncommand \"\\u0000\"", "not UTF-8"},
        {"checkpoint [string repeat a 200] b", "a name is 1 to 120"},
        {"exec true", "invalid command name \"exec\""},
        {"source /etc/passwd", "invalid command name \"source\""},
        {"open /etc/passwd", "invalid command name \"open\""},
        {"checkpoint a {", "missing close-brace"},
        {"job a {while 1 {}}", "takes more than 1000000 commands"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sweep_file file;
        struct err err = {""};
        if (sweep_file_parse(&file, "bad.tcl", rows[i].text, true, &simos_commands, &err))
            fail_msg("%s: is taken", rows[i].text);
        if (!strstr(err.text, rows[i].message))
            fail_msg("%s: %s", rows[i].text, err.text);
        sweep_file_release(&file);
    }
}

static void there_is_an_end_to_what_is_varied(void **state)
{
    (void)state;
    struct sweep_product product = {0};
    static const char *const values[] = {"1", "2"};
    struct err err = {""};
    char name[16];
    for (unsigned i = 0; i < SWEEP_AXES_MAX; i++) {
        snprintf(name, sizeof name, "p%u", i);
        assert_true(sweep_product_set_axis(&product, SWEEP_PARAM, name, 2, values, &err));
    }
    assert_true(sweep_product_set_axis(&product, SWEEP_PARAM, "p3", 1, values, &err)); /* replaced */
    assert_int_equal(product.axes[3].count, 1);
    assert_false(sweep_product_set_axis(&product, SWEEP_PARAM, "one", 1, values, &err));
    assert_non_null(strstr(err.text, "too many axes: at most 64"));
    sweep_product_release(&product);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    struct sweep_file file;
    struct err err = {""};
    assert_false(sweep_file_read(&file, "/nonexistent/s.tcl", false, &simos_commands, &err));
    assert_string_equal(err.text, "sweep /nonexistent/s.tcl: No such file or directory");
    sweep_file_release(&file);
    err = (struct err){""};
    assert_false(sweep_file_read(&file, "/dev/zero", false, &simos_commands, &err));
    assert_non_null(strstr(err.text, "sweep /dev/zero: not a regular file but a character device"));
    sweep_file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_combinations_are_jobs),
        cmocka_unit_test(words_of_a_command_stay_words),
        cmocka_unit_test(a_job_has_what_the_file_says_before_it_and_its_own),
        cmocka_unit_test(several_checkpoints_are_told_apart_by_their_names),
        cmocka_unit_test(a_bad_file_is_named_with_its_line),
        cmocka_unit_test(there_is_an_end_to_what_is_varied),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
