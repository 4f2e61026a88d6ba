/* Baselines (src/regress/regress_baseline.h): what is written is read back; what is not a baseline of this test is
 * refused with one line, whatever its bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/splitmix.h"
#include "src/regress/regress_baseline.h"

enum { ROWS = 2, MACHINES = 2, CELLS = ROWS * MACHINES, MOST = 3 };

static char path[] = "/tmp/simos-baseline-XXXXXX";
static struct regress_file file;
static struct regress_run run;

static int begin(void **state)
{
    (void)state;
    static char *names[] = {"1996", "1994"}, *digests[] = {"aa", "bb"};
    static struct regress_row rows[ROWS] = {{.name = "second", .figure = REGRESS_INSNS, .exact = true},
                                            {.name = "first", .has_within = true}};
    rows[1].pattern[REGRESS_SERVICE] = "clone";
    file = (struct regress_file){.path = "t.tcl", .most = MOST, .row_count = ROWS, .rows = rows};
    run = (struct regress_run){
        .file = &file, .machines = MACHINES, .machine_name = names, .machine_digest = digests, .workload_digest = "cc"};
    const int fd = mkstemp(path);
    close(fd);
    return fd < 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(path);
}

static struct regress_side new_side(void)
{
    struct regress_side side;
    regress_side_begin(&side, &run);
    return side;
}

/* A side whose values are all different. */
static struct regress_side measured(void)
{
    struct regress_side side = new_side();
    side.repetitions = MOST;
    side.has_plain = true;
    for (unsigned cell = 0; cell < CELLS; cell++) {
        side.plain[cell] = 1000 + cell;
        for (unsigned i = 0; i < MOST; i++)
            side.value[cell][i] = 100 * (cell + 1) + i;
        for (int i = 0; i < 40; i++) {
            char place[32];
            snprintf(place, sizeof place, "place %02d", i);
            regress_parts_add(&side.parts[cell], place, i + 1);
            regress_parts_add(&side.plain_parts[cell], place, 2 * i + 1);
        }
        regress_parts_join(&side.parts[cell]);
        regress_parts_join(&side.plain_parts[cell]);
    }
    return side;
}

static void write_measured(void)
{
    struct err err = {""};
    struct regress_side side = measured();
    if (!regress_baseline_write(&side, &run, path, &err))
        fail_msg("%s", err.text);
    regress_side_release(&side, &run);
}

static int64_t sum_of(const struct regress_parts *parts)
{
    int64_t sum = 0;
    for (size_t i = 0; i < parts->count; i++)
        sum += parts->parts[i].amount;
    return sum;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct err err = {""};
    struct regress_side side = new_side(), wanted = measured();
    write_measured();
    if (!regress_baseline_read(&side, &run, path, &err))
        fail_msg("%s", err.text);
    assert_int_equal(side.repetitions, MOST);
    assert_true(side.has_plain);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        assert_int_equal(side.plain[cell], wanted.plain[cell]);
        assert_memory_equal(side.value[cell], wanted.value[cell], MOST * sizeof(uint64_t));
        assert_int_equal(side.parts[cell].count, 31); /* the 30 largest and the others */
        assert_int_equal(sum_of(&side.parts[cell]), sum_of(&wanted.parts[cell]));
        assert_int_equal(sum_of(&side.plain_parts[cell]), sum_of(&wanted.plain_parts[cell]));
    }
    regress_side_release(&side, &run);
    regress_side_release(&wanted, &run);
}

static char *contents(void)
{
    FILE *in = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    text[fread(text, 1, (1 << 20) - 1, in)] = 0;
    fclose(in);
    return text;
}

static void put(const char *text)
{
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

/* Rows are sorted by machine and name, one a line, so that `git diff` shows what has changed. */
static void lines_are_sorted(void **state)
{
    (void)state;
    write_measured();
    char *text = contents();
    const char *at = text;
    static const char *const rows[] = {"\nrow\t1994\tfirst\tmisses service=clone\t1003\t400 401 402\n",
                                       "\nrow\t1994\tsecond\tinsns\t1002\t300 301 302\n",
                                       "\nrow\t1996\tfirst\tmisses service=clone\t1001\t200 201 202\n",
                                       "\nrow\t1996\tsecond\tinsns\t1000\t100 101 102\n"};
    for (unsigned i = 0; i < 4; i++)
        if (!(at = strstr(at, rows[i])))
            fail_msg("not there or not in order: %s", rows[i]);
    assert_non_null(strstr(text, "\npart\t1994\tfirst\tplace 10\t21\t11\npart\t1994\tfirst\tplace 11\t23\t12\n"));
    assert_non_null(strstr(text, "\npart\t1994\tfirst\tplace 39\t79\t40\npart\t1994\tfirst\t(others)\t100\t55\n"));
    free(text);
}

/* A baseline whose lines version control has ended with CR and LF is the same. */
static void lines_may_end_with_cr(void **state)
{
    (void)state;
    struct err err = {""};
    struct regress_side side = new_side(), wanted = measured();
    write_measured();
    char *text = contents(), *with_cr = calloc(2, strlen(text) + 1), *to = with_cr;
    for (const char *from = text; *from; *to++ = *from++)
        if (*from == '\n')
            *to++ = '\r';
    put(with_cr);
    if (!regress_baseline_read(&side, &run, path, &err))
        fail_msg("%s", err.text);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        assert_memory_equal(side.value[cell], wanted.value[cell], MOST * sizeof(uint64_t));
        assert_int_equal(sum_of(&side.parts[cell]), sum_of(&wanted.parts[cell]));
    }
    free(text);
    free(with_cr);
    regress_side_release(&side, &run);
    regress_side_release(&wanted, &run);
}

static void refuse_text(const char *text, const char *why)
{
    struct regress_side side = new_side();
    struct err err = {""};
    char wanted[400];
    put(text);
    snprintf(wanted, sizeof wanted, why, path);
    assert_false(regress_baseline_read(&side, &run, path, &err));
    assert_string_equal(err.text, wanted);
    regress_side_release(&side, &run);
}

/* What was written, with the first OLD replaced by NEW. */
static void refuse_changed(const char *old, const char *new, const char *why)
{
    write_measured();
    char *text = contents(), *at = strstr(text, old), *changed = calloc(1, strlen(text) + strlen(new) + 1);
    assert_non_null(at);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    refuse_text(changed, why);
    free(changed);
    free(text);
}

static void other_baselines_are_refused(void **state)
{
    (void)state;
    refuse_text("", "baseline %s: not a baseline of simos: it does not begin with \"simos baseline 1\"");
    refuse_text("simos baseline 2\n",
                "baseline %s: not a baseline of simos: it does not begin with \"simos baseline 1\"");
    refuse_text("simos baseline 1\n", "baseline %s: it ends early");
    refuse_text("simos baseline 1\nrepetitions\t9999\n", "baseline %s, line 2: not a number of repetitions");
    refuse_text("simos baseline 1\nrepetition\t9\n", "baseline %s, line 2: not a line of a baseline");
    refuse_text("simos baseline 1\nrepetitions\t9\t9\n", "baseline %s, line 2: not as many fields as this line has");
    refuse_changed("workload\tcc", "workload\tdd",
                   "baseline %s: it is of another workload (position, command or disks); --bless makes it anew");
    refuse_changed("machine\t1994\tbb", "machine\t1994\tbc",
                   "baseline %s: its machine 1994 is another one; --bless makes it anew");
    refuse_changed("machine\t1994\tbb\n", "", "baseline %s: it has no machine 1994; --bless makes it anew");
    refuse_changed("row\t1994\tfirst\tmisses service=clone", "row\t1994\tfirst\tmisses service=read",
                   "baseline %s, line 8: row \"first\" was defined otherwise; --bless makes it anew");
    refuse_changed("row\t1994\tfirst", "row\t1994\tfirst one",
                   "baseline %s: it has no row \"first\" on 1994; --bless makes it anew");
    refuse_changed("\t1003\t", "\t-\t",
                   "baseline %s, line 40: some rows have a value without perturbation, others have none");
    refuse_changed("400 401 402", "400 401", "baseline %s, line 8: not as many values as there are repetitions");
    refuse_changed("400 401 402", "400 -1 402", "baseline %s, line 8: not a value");
    refuse_changed("place 39\t79", "place 39\tx", "baseline %s, line 38: not the amount of a part");
}

/* Each amount fits, their sum does not: 1100 parts of one place and of many. */
static void too_many_parts_are_refused(void **state)
{
    (void)state;
    for (unsigned places = 1; places <= 1100; places += 1099) {
        write_measured();
        char *text = contents(), *end = text + strlen(text);
        for (unsigned i = 0; i < 1100; i++)
            end += sprintf(end, "part\t1994\tfirst\tmany %u\t0\t%s9000000000000000\n", i % places, i % 2 ? "-" : "");
        refuse_text(text, "baseline %s, line 1160: the parts are more than any run has");
        free(text);
    }
}

/* Bytes at random places of a baseline: read, or refused with a line. */
static void mutated_baselines(void **state)
{
    (void)state;
    uint64_t random = 1;
    unsigned refused = 0;
    write_measured();
    char *text = contents(), *copy = strdup(text);
    const size_t length = strlen(text);
    for (unsigned i = 0; i < 3000; i++) {
        struct regress_side side = new_side();
        struct err err = {""};
        strcpy(copy, text);
        for (unsigned changes = 1 + splitmix_below(&random, 4); changes > 0; changes--)
            copy[splitmix_below(&random, (uint32_t)length)] = "\t\n -09x\377"[splitmix_below(&random, 8)];
        put(copy);
        const bool read = regress_baseline_read(&side, &run, path, &err);
        assert_int_equal(read, !err.text[0]);
        refused += !read;
        regress_side_release(&side, &run);
    }
    assert_in_range(refused, 1000, 2999);
    free(copy);
    free(text);
}

static void names_of_baselines(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"a/fork.tcl", "a/fork.baseline"}, {"fork", "fork.baseline"}};
    for (unsigned i = 0; i < 2; i++) {
        char *name = regress_baseline_path(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),     cmocka_unit_test(lines_are_sorted),
        cmocka_unit_test(other_baselines_are_refused), cmocka_unit_test(mutated_baselines),
        cmocka_unit_test(names_of_baselines),          cmocka_unit_test(lines_may_end_with_cr),
        cmocka_unit_test(too_many_parts_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
