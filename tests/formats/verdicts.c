/*
 * verdicts FOLDER: reports of `simos test` from made-up findings, for tests/python/test_formats.py to read with other
 * programs' readers. FOLDER/CASE.xml, .tap and .json, of the cases
 *
 *     none     a file whose test could not be done
 *     one      a row
 *     names    each verdict, with names that are hostile to one of the formats, of two files with the same rows
 *     many     10,000 rows
 */
#include "src/base/save_file.h"
#include "src/regress/regress_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 2, REPETITIONS = 3, PARTS = 12, NAME = 128 };

/* Of rows, machines, places, files and errors. The file of a test is named by the user, places by the guest. */
static const char *const hostile[] = {"plain",
                                      "\"quoted\" 'twice'",
                                      "]]> <!-- & <b>",
                                      "# SKIP not",
                                      "back\\slash \\# \\\\",
                                      "...",
                                      "---",
                                      "- : {a: [b]} | > %tag &x",
                                      "\xff\xfe not UTF-8 \xc3",
                                      "line\nnot ok 7",
                                      "\xe2\x80\xae"
                                      "bidi \x1b[31m",
                                      "   leading and trailing   "};
enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

struct made_up {
    struct regress_file file;
    struct regress_run run;
    struct regress_side old, new;
    struct regress_report report;
};

static char *text(const char *format, const char *name, unsigned number)
{
    char buffer[NAME * 2];
    snprintf(buffer, sizeof buffer, format, name, number);
    return checked_memory(strdup(buffer));
}

static void add_parts(struct regress_side *side, unsigned cell, int64_t factor)
{
    for (unsigned i = 0; i < PARTS; i++) {
        char *place = text("clone; l1d cold; %s; %u", hostile[i % HOSTILE], i);
        /* the last one, of which only the sum is printed, is the longest number */
        const int64_t amount = i + 1 == PARTS ? 1 : 1000000 / (i + 1);
        regress_parts_add(&side->parts[cell], place, factor * amount);
        regress_parts_add(&side->plain_parts[cell], place, factor * amount);
        free(place);
    }
    regress_parts_join(&side->parts[cell]);
    regress_parts_join(&side->plain_parts[cell]);
    side->repetitions = REPETITIONS;
}

static struct regress_finding finding_of(const struct regress_row *row, unsigned cell)
{
    struct regress_finding finding = {.verdict = (enum regress_verdict)(cell % (REGRESS_MISSING + 1)),
                                      .limit = REGRESS_WITHIN,
                                      .old = 100,
                                      .new = 110,
                                      .change = 10,
                                      .half = 1,
                                      .repetitions = REPETITIONS,
                                      .more = 7};
    finding.fails = finding.verdict == REGRESS_REGRESSION;
    return finding.verdict == REGRESS_MISSING ? regress_missing(row, 1 << REGRESS_SERVICE) : finding;
}

/* A report called PATH of ROWS on MACHINES; of none of them the error WHY. */
static void make(struct made_up *made, const char *path, unsigned machines, unsigned rows, const char *why)
{
    const unsigned cells = machines * rows;
    *made = (struct made_up){.file = {.path = checked_memory(strdup(path)), .row_count = rows, .confidence = 95}};
    made->file.rows = checked_memory(calloc(rows + 1, sizeof *made->file.rows));
    made->file.most = REPETITIONS;
    for (unsigned row = 0; row < rows; row++) {
        made->file.rows[row] = (struct regress_row){.name = text("%s %u", hostile[row % HOSTILE], row)};
        made->file.rows[row].has_within = true;
        made->file.rows[row].pattern[REGRESS_SERVICE] = checked_memory(strdup(hostile[row % HOSTILE]));
    }
    made->run = (struct regress_run){.file = &made->file, .machines = machines};
    made->run.machine_name = checked_memory(calloc(machines + 1, sizeof *made->run.machine_name));
    made->run.machine_digest = checked_memory(calloc(machines + 1, sizeof *made->run.machine_digest));
    for (unsigned machine = 0; machine < machines; machine++)
        made->run.machine_name[machine] = text("%s %u", hostile[machine % HOSTILE], machine);
    regress_side_begin(&made->old, &made->run);
    regress_side_begin(&made->new, &made->run);
    made->report = (struct regress_report){
        .run = &made->run, .old = &made->old, .new = &made->new, .has_baseline = true, .error = why};
    struct regress_finding *findings = checked_memory(calloc(cells + 1, sizeof *findings));
    for (unsigned cell = 0; cell < cells; cell++) {
        findings[cell] = finding_of(&made->file.rows[cell % rows], cell);
        if (findings[cell].fails) {
            add_parts(&made->old, cell, 1);
            add_parts(&made->new, cell, 3);
        }
    }
    if (!why)
        regress_report_make(&made->report, findings);
    free(findings);
}

static void release(struct made_up *made)
{
    regress_report_release(&made->report);
    regress_side_release(&made->old, &made->run);
    regress_side_release(&made->new, &made->run);
    regress_run_end(&made->run);
    regress_file_release(&made->file);
}

static void save(const char *folder, const char *name, const char *suffix, save_file_fn *write,
                 const struct regress_reports *reports)
{
    char path[4096];
    struct err err = {""};
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
    if (!save_file("file", path, write, reports, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        unsigned files, machines, rows;
        const char *why;
    } cases[] = {
        {"none", 2, 0, 0, "test \xff]]> # \"x\"\n...: No such file"},
        {"one", 1, 1, 1, NULL},
        {"names", 2, 5, 5 * HOSTILE, NULL},
        {"many", 1, 10, 1000, NULL},
    };
    if (count != 2) {
        fputs("usage: verdicts FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const char *const paths[FILES_MAX] = {"a # \"x\" ]]>/fork.tcl", "b/fork.tcl"};
        struct made_up made[FILES_MAX];
        const struct regress_report *all[FILES_MAX];
        for (unsigned file = 0; file < cases[i].files; file++) {
            make(&made[file], paths[file], cases[i].machines, cases[i].rows, cases[i].why);
            all[file] = &made[file].report;
        }
        const struct regress_reports reports = {cases[i].files, all};
        save(arguments[1], cases[i].name, "xml", regress_reports_junit, &reports);
        save(arguments[1], cases[i].name, "tap", regress_reports_tap, &reports);
        save(arguments[1], cases[i].name, "json", regress_reports_json, &reports);
        for (unsigned file = 0; file < cases[i].files; file++)
            release(&made[file]);
    }
    return 0;
}
