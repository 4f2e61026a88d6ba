/* Reports of tests of two kernels (src/regress/regress_report.h): what a change costs by itself, and what because the
 * linker put it elsewhere, as text, JUnit XML and JSON. The measured values are made up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/base/json_file.h"
#include "src/regress/regress_lines.h"

enum { COUNT = 10, ROWS = 2 };

static char *names[] = {"1994"}, *digests[] = {"aa"};
static struct regress_row rows[ROWS] = {
    {.name = "read", .figure = REGRESS_CYCLES, .has_within = true, .within = 5},
    {.name = "write", .figure = REGRESS_CYCLES, .has_within = true, .within = 5},
};
static struct regress_file file = {.path = "t.tcl", .most = COUNT, .row_count = ROWS, .rows = rows, .confidence = 95};
static struct regress_run run = {
    .file = &file, .machines = 1, .machine_name = names, .machine_digest = digests, .random = true};

/* `read` is unlucky: in its own it is as before, linked it is 30 % more; `write` has a change of its own. */
static void measure(struct regress_side *old, struct regress_side *new)
{
    static const uint64_t layouts[COUNT] = {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1290, 1300};
    regress_side_begin(old, &run);
    regress_side_begin(new, &run);
    for (unsigned i = 0; i < COUNT; i++) {
        old->value[0][i] = layouts[i];
        new->value[0][i] = layouts[i] + i % 2;
        old->value[1][i] = layouts[i];
        new->value[1][i] = 2 * layouts[i] + i % 3;
    }
    new->like = "old";
    old->repetitions = new->repetitions = COUNT;
    old->plain[0] = old->plain[1] = 1000;
    new->held[0] = 1001, new->plain[0] = 1280;
    new->held[1] = 2000, new->plain[1] = 1990;
    regress_parts_add(&new->held_parts[0], "read; l1i conflict; (instructions); ksys_read", 10);
    regress_parts_add(&new->plain_parts[0], "read; l1i conflict; (instructions); ksys_read", 289);
}

/* Of three other ways to link, two make `read` less than 1280, and none is of the other row's concern. */
static void mend(struct regress_report *report)
{
    static const struct regress_mending tried[] = {
        {.link = REGRESS_LINK_ORDER}, {.link = REGRESS_LINK_ALIGNED}, {.link = REGRESS_LINK_LAST}};
    static const uint64_t values[] = {1180, 1280, 1080};
    report->mending_count = 3;
    report->mendings = calloc(3, sizeof *report->mendings);
    for (unsigned i = 0; i < 3; i++) {
        report->mendings[i] = tried[i];
        report->mendings[i].value = calloc(ROWS, sizeof(uint64_t));
        report->mendings[i].value[0] = values[i];
    }
    report->mendings[2].object = strdup("vfs_read");
}

static struct regress_report report_of(const struct regress_side *old, const struct regress_side *new)
{
    struct regress_report report = {.run = &run, .old = old, .new = new};
    struct regress_finding findings[ROWS];
    for (unsigned row = 0; row < ROWS; row++) {
        findings[row] = regress_judge(&rows[row], old->value[row], new->value[row], COUNT, 0.95, 0, 0);
        regress_divide(&rows[row], old->plain[row], new->held[row], new->plain[row], new->value[row], COUNT,
                       &findings[row]);
    }
    regress_report_make(&report, findings);
    mend(&report);
    return report;
}

/* What WRITE writes, to be freed. */
static char *written(void (*write)(const void *opaque, FILE *out), const void *opaque)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    write(opaque, out);
    fclose(out);
    return text;
}

static void write_text(const void *opaque, FILE *out)
{
    regress_report_text(opaque, out);
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void changes_are_told_from_placements(void **state)
{
    (void)state;
    struct regress_side old, new;
    measure(&old, &new);
    struct regress_report report = report_of(&old, &new);
    const struct regress_report *const list[] = {&report};
    const struct regress_reports reports = {1, list};
    char *text = written(write_text, &report), *junit = written(regress_reports_junit, &reports),
         *json = written(regress_reports_json, &reports);
    static const char
        regression
            [] = "t.tcl: regression: write on 1994: +100.",
  unlucky[] = "unlucky placement: read on 1994: ",
  parts[] =
        "; as linked +28.00 %: own +0.10 %, placement +27.90 %, more than 8 of 10 random layouts: most in read; l1i "
        "conflict; (instructions); ksys_read\n",
  strip[] = "layouts  1000 [||                                          L. .] 1301, L: as linked; two groups, 8 "
            "around 1004 "
            "and 2 around 1296\n",
  mended[] = "    mended by linking vfs_read behind all others: -200, -20.00 %\n"
             "    mended by linking functions in the order in which they execute: -100, -10.00 %\n";
    assert_memory_equal(text, regression, strlen(regression)); /* it fails, and comes first */
    assert_has(text, "; as linked +99.00 %: own +100.00 %, placement -1.00 %\n");
    assert_has(text, unlucky);
    assert_has(text, parts);
    assert_has(text, strip);
    assert_has(text, mended);
    assert_int_equal(count_of(text, "    mended by "), 2);
    assert_int_equal(regress_report_status(&report), 1);
    assert_has(junit, "tests=\"2\" failures=\"1\" skipped=\"0\" errors=\"0\"");
    assert_has(junit, "<system-out>unlucky placement: read on 1994: ");
    assert_has(junit, strip);
    char *markdown = written(regress_reports_markdown, &reports);
    assert_has(markdown, "### t.tcl: 1 regression, 1 unlucky placement\n\n- regression: write on 1994: +100.");
    assert_has(markdown, "\n- unlucky placement: read on 1994: ");
    assert_has(markdown, "| unlucky placement | 1994 | read | 1061.8 | 1062.3 | +0.05&nbsp;% ");
    assert_has(markdown, "| +0.10 % | +27.90 % |");
    assert_has(markdown,
               "<details><summary>Where the differences come from</summary>\n\n<pre>regression: write on 1994");
    assert_has(markdown, mended);
    free(markdown);
    struct err err = {""};
    json_t *root = json_file_parse("verdicts", "made", json, strlen(json), &err);
    json_t *result = json_array_get(json_object_get(json_array_get(json_object_get(root, "tests"), 0), "results"),
                                    1); /* behind the regression */
    json_t *placement = json_object_get(result, "placement");
    assert_string_equal(json_string_value(json_object_get(result, "verdict")), "unchanged");
    assert_true(json_is_true(json_object_get(placement, "unlucky")));
    assert_int_equal(json_integer_value(json_object_get(placement, "linked")), 1280);
    assert_int_equal(json_array_size(json_object_get(placement, "random")), COUNT);
    json_t *last = json_array_get(json_object_get(placement, "mendings"), 2);
    assert_string_equal(json_string_value(json_object_get(last, "link")), "last");
    assert_string_equal(json_string_value(json_object_get(last, "object")), "vfs_read");
    assert_int_equal(json_integer_value(json_object_get(last, "linked")), 1080);
    json_decref(root);
    free(text);
    free(junit);
    free(json);
    for (unsigned i = 0; i < report.mending_count; i++)
        report.mendings[i].value[0] = 1280;
    char *none = written(write_text, &report);
    assert_has(none, "    mended by none of 3 other ways to link\n");
    free(none);
    regress_report_release(&report);
    regress_side_release(&old, &run);
    regress_side_release(&new, &run);
}

/* Names are text: no link, no mention, no table, no HTML; and of many rows five lines are shown. */
static void markdown_takes_names_for_text(void **state)
{
    (void)state;
    enum { MANY = 9 };
    static struct regress_row many[MANY];
    static struct regress_file hostile = {
        .path = "a_b*@me.tcl", .most = 2, .row_count = MANY, .rows = many, .confidence = 95};
    static struct regress_run own = {.file = &hostile, .machines = 1, .machine_name = names, .machine_digest = digests};
    struct regress_side old, new;
    struct regress_finding findings[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        many[i] = (struct regress_row){.name = (char *)(uintptr_t) "x|<b>`[l](http://h) www.h #1\n", .exact = true};
        findings[i] = regress_judge(&many[i], NULL, NULL, 0, 0.95, 1, 2);
    }
    regress_side_begin(&old, &own);
    regress_side_begin(&new, &own);
    struct regress_report report = {.run = &own, .old = &old, .new = &new};
    regress_report_make(&report, findings);
    const struct regress_report *const list[] = {&report};
    char *text = written(regress_reports_markdown, &(struct regress_reports){1, list});
    assert_has(text, "### a&#95;b&#42;&#64;me.tcl: 9 regressions\n");
    assert_has(text, "| x&#124;&#60;b&#62;&#96;&#91;l&#93;(http&#58;//h) www&#46;h &#35;1? |");
    assert_int_equal(count_of(text, "\n- regression: "), 4);
    assert_has(text, "\n- and 5 more\n");
    assert_int_equal(count_of(text, "\n| regression | "), MANY);
    assert_null(strstr(text, "<b>"));
    free(text);
    regress_report_release(&report);
    regress_side_release(&old, &own);
    regress_side_release(&new, &own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_told_from_placements),
        cmocka_unit_test(markdown_takes_names_for_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
