/* The reports of tests for other programs: JUnit XML, TAP, JSON. */
#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/regress/regress_baseline.h"
#include "src/regress/regress_lines.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* JUnit XML, as Jenkins and GitLab read it. */

/* TEXT is printable, but for line breaks. */
static void put_xml(const char *text, FILE *out)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
}

static void put_attribute(const char *name, const char *text, FILE *out)
{
    fprintf(out, " %s=\"", name);
    put_xml(PRINTABLE(text), out);
    fputc('"', out);
}

/* Consumers know a test by its class and name, in all files together; "." separates what they show as folders. */
static void put_class(const struct regress_report *report, const char *machine, FILE *out)
{
    char *stem = checked_memory(strdup(report->run->file->path));
    stem[regress_stem_length(stem)] = 0;
    fputs(" classname=\"", out);
    put_xml(PRINTABLE(stem), out);
    free(stem);
    if (machine) {
        fputc('.', out);
        put_xml(PRINTABLE(machine), out);
    }
    fputc('"', out);
}

/* What is below RESULT, behind the line FIRST; NULL: without one. */
static void put_details(const struct regress_report *report, const struct regress_result *result, const char *first,
                        FILE *out)
{
    char *text;
    size_t size;
    FILE *details = checked_memory(open_memstream(&text, &size));
    if (first)
        fprintf(details, "%s\n", PRINTABLE(first));
    regress_put_details(report, result, "", details);
    fclose(details);
    put_xml(text, out);
    free(text);
}

static void put_case(const struct regress_report *report, const struct regress_result *result, FILE *out)
{
    char line[REGRESS_SUMMARY];
    const enum regress_rank rank = regress_rank_of(result);
    fputs("    <testcase", out);
    put_class(report, regress_machine_of(report, result), out);
    put_attribute("name", regress_row_of(report, result)->name, out);
    if (rank > REGRESS_RANK_UNLUCKY) {
        fputs("/>\n", out);
        return;
    }
    regress_put_summary(report, result, line);
    if (rank == REGRESS_RANK_UNLUCKY) { /* it holds, and there is something to say */
        fputs(">\n      <system-out>", out);
        put_details(report, result, line, out);
        fputs("</system-out>\n    </testcase>\n", out);
        return;
    }
    fprintf(out, ">\n      <%s",
            rank == REGRESS_RANK_MISSING ? "error"
            : rank == REGRESS_RANK_FAILS ? "failure"
                                         : "skipped");
    put_attribute("message", line, out);
    if (rank == REGRESS_RANK_FAILS) {
        fputc('>', out);
        put_details(report, result, NULL, out);
        fputs("</failure>\n", out);
    } else {
        fputs("/>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void put_suite(const struct regress_report *report, FILE *out)
{
    unsigned failures = 0, skipped = 0, errors = report->error ? 1 : 0;
    for (unsigned i = 0; i < report->count; i++) {
        errors += regress_rank_of(&report->results[i]) == REGRESS_RANK_MISSING;
        failures += regress_rank_of(&report->results[i]) == REGRESS_RANK_FAILS;
        skipped += regress_rank_of(&report->results[i]) == REGRESS_RANK_UNDECIDED;
    }
    fputs("  <testsuite", out);
    put_attribute("name", report->run->file->path, out);
    fprintf(out, " tests=\"%u\" failures=\"%u\" skipped=\"%u\" errors=\"%u\">\n", report->count + !!report->error,
            failures, skipped, errors);
    for (unsigned i = 0; i < report->count; i++)
        put_case(report, &report->results[i], out);
    if (report->error) {
        fputs("    <testcase", out);
        put_class(report, NULL, out);
        fputs(" name=\"test\">\n      <error", out);
        put_attribute("message", report->error, out);
        fputs("/>\n    </testcase>\n", out);
    }
    fputs("  </testsuite>\n", out);
}

void regress_reports_junit(const void *opaque, FILE *out)
{
    const struct regress_reports *reports = opaque;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    for (unsigned i = 0; i < reports->count; i++)
        put_suite(reports->reports[i], out);
    fputs("</testsuites>\n", out);
}

/* TAP: "#" begins a directive, and not every consumer knows a way to write another one: it is put as "?". Version 13,
 * whose diagnostic blocks have the form of those of version 14, is the latest that prove of perl 5.36 accepts. */
static void put_tap(const char *text, FILE *out)
{
    for (; *text; text++)
        fputc(*text == '#' ? '?' : *text, out);
}

/* TEXT, which is printable, as a quoted string of the block. */
static void put_yaml(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_tap_changes(const struct regress_result *result, FILE *out)
{
    fputs("  ---\n  changes:\n", out);
    for (size_t i = 0; i < result->change_count && i < REGRESS_CHANGES_PRINTED; i++) {
        fprintf(out, "    - amount: %.1f\n      place: ", result->changes[i].amount);
        put_yaml(PRINTABLE(result->changes[i].place), out);
        fputc('\n', out);
    }
    if (result->change_count > REGRESS_CHANGES_PRINTED)
        fprintf(out, "    - amount: %.1f\n      place: \"%zu more places\"\n", regress_rest_of(result),
                result->change_count - REGRESS_CHANGES_PRINTED);
    fputs("  ...\n", out);
}

static void put_points(const struct regress_report *report, unsigned *number, FILE *out)
{
    char line[REGRESS_SUMMARY];
    for (unsigned i = 0; i < report->count; i++) {
        const struct regress_result *result = &report->results[i];
        const enum regress_rank rank = regress_rank_of(result);
        regress_put_summary(report, result, line);
        fprintf(out, "%s %u - ", rank <= REGRESS_RANK_FAILS ? "not ok" : "ok", ++*number);
        put_tap(PRINTABLE(report->run->file->path), out);
        fputs(": ", out);
        put_tap(PRINTABLE(line), out);
        fputs(rank == REGRESS_RANK_UNDECIDED ? " # SKIP undecided\n" : "\n", out);
        if (rank == REGRESS_RANK_FAILS)
            put_tap_changes(result, out);
    }
    if (report->error) {
        fprintf(out, "not ok %u - ", ++*number);
        put_tap(PRINTABLE(report->error), out);
        fputc('\n', out);
    }
}

void regress_reports_tap(const void *opaque, FILE *out)
{
    const struct regress_reports *reports = opaque;
    unsigned points = 0, number = 0;
    for (unsigned i = 0; i < reports->count; i++)
        points += reports->reports[i]->count + !!reports->reports[i]->error;
    fprintf(out, "TAP version 13\n1..%u\n", points);
    for (unsigned i = 0; i < reports->count; i++)
        put_points(reports->reports[i], &number, out);
}

/* JSON */

static void put_number(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    if (isfinite(value))
        json_put_double(json, value);
    else
        json_put_null(json);
}

static void put_json_side(struct json_writer *json, const char *key, const struct regress_side *side)
{
    json_line(json, 4);
    json_member_object(json, key);
    json_member_text(json, "kernel", side->kernel_path);
    json_member_text(json, "digest", side->kernel_digest);
    if (side->program_path) {
        json_member_text(json, "program", side->program_path);
        json_member_text(json, "program_digest", side->program_digest);
    }
    json_member_count(json, "repetitions", side->repetitions);
    json_end_object(json);
}

/* All that was tried to mend the placement. */
static void put_json_mendings(const struct regress_report *report, const struct regress_result *result,
                              struct json_writer *json)
{
    json_member_array(json, "mendings");
    for (unsigned i = 0; i < report->mending_count && result->finding.linked.is_unlucky; i++) {
        const struct regress_mending *mending = &report->mendings[i];
        if (mending->machine != result->machine)
            continue;
        json_begin_object(json);
        json_member_text(json, "link", regress_link_name(mending->link));
        if (mending->object)
            json_member_text(json, "object", mending->object);
        json_member_count(json, "linked", mending->value[result->row]);
        json_end_object(json);
    }
    json_end_array(json);
}

/* What is known of the placement: counts without perturbation, what they say, and the values in random layouts. */
static void put_json_placement(const struct regress_report *report, const struct regress_result *result,
                               struct json_writer *json)
{
    const struct regress_parts_of_change *parts = &result->finding.linked;
    const uint64_t *values = regress_layout_values(report, result);
    json_member_object(json, "placement");
    json_member_count(json, "old", parts->old);
    json_member_count(json, "held", parts->held);
    json_member_count(json, "linked", parts->linked);
    json_key(json, "unlucky");
    json_put_bool(json, parts->is_unlucky);
    json_key(json, "lucky");
    json_put_bool(json, parts->is_lucky);
    json_member_count(json, "layouts", parts->layouts);
    json_member_count(json, "below", parts->below);
    json_member_array(json, "pairs");
    struct regress_pair pairs[REGRESS_PAIRS_SHOWN];
    const unsigned count = regress_pairs_of(report, result, pairs);
    for (unsigned i = 0; i < count; i++) {
        json_begin_object(json);
        json_member_text(json, "pair", pairs[i].text);
        json_member_count(json, "more", (uint64_t)pairs[i].more);
        if (pairs[i].set >= 0)
            json_member_count(json, "set", (uint64_t)pairs[i].set);
        json_end_object(json);
    }
    json_end_array(json);
    put_json_mendings(report, result, json);
    json_member_array(json, "random");
    for (unsigned i = 0; i < parts->layouts; i++)
        json_put_count(json, values[i]);
    json_end_array(json);
    json_end_object(json);
}

static void put_json_result(const struct regress_report *report, const struct regress_result *result,
                            struct json_writer *json)
{
    const struct regress_finding *finding = &result->finding;
    json_line(json, 6);
    json_begin_object(json);
    json_member_text(json, "machine", regress_machine_of(report, result));
    json_member_text(json, "row", regress_row_of(report, result)->name);
    json_member_text(json, "verdict", regress_verdict_name(finding->verdict));
    json_key(json, "fails");
    json_put_bool(json, finding->fails);
    json_member_text(json, "limit", regress_limit_name(finding->limit));
    if (finding->verdict == REGRESS_MISSING) {
        char pattern[REGRESS_PATTERN_TEXT];
        json_member_text(json, "unmatched",
                         regress_row_pattern(regress_row_of(report, result), finding->unmatched, pattern));
    }
    put_number(json, "old", finding->old);
    put_number(json, "new", finding->new);
    put_number(json, "change", finding->change);
    put_number(json, "half_width", finding->half);
    if (finding->median.decides) {
        json_member_object(json, "median");
        put_number(json, "change", finding->median.change);
        put_number(json, "low", finding->median.low);
        put_number(json, "high", finding->median.high);
        json_end_object(json);
    }
    json_member_count(json, "repetitions", finding->repetitions);
    json_member_count(json, "more", finding->more);
    if (finding->linked.is_known)
        put_json_placement(report, result, json);
    json_member_array(json, "changes");
    for (size_t i = 0; i < result->change_count; i++) {
        json_line(json, 8);
        json_begin_object(json);
        json_member_text(json, "place", result->changes[i].place);
        put_number(json, "amount", result->changes[i].amount);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void put_json_file(const struct regress_report *report, struct json_writer *json)
{
    json_line(json, 2);
    json_begin_object(json);
    json_line(json, 4);
    json_member_text(json, "file", report->run->file->path);
    json_line(json, 4);
    json_member_text(json, "error", report->error);
    if (!report->error) {
        json_line(json, 4);
        put_number(json, "confidence", report->run->file->confidence);
        put_json_side(json, report->has_baseline ? "baseline" : "old", report->old);
        put_json_side(json, "new", report->new);
    }
    json_line(json, 4);
    json_member_array(json, "results");
    for (unsigned i = 0; i < report->count; i++)
        put_json_result(report, &report->results[i], json);
    json_line(json, 4);
    json_end_array(json);
    json_line(json, 2);
    json_end_object(json);
}

void regress_reports_json(const void *opaque, FILE *out)
{
    const struct regress_reports *reports = opaque;
    struct json_writer json = json_writer_to(out);
    json_begin_object(&json);
    json_member_text(&json, "format", "simos test 1");
    json_member_array(&json, "tests");
    for (unsigned i = 0; i < reports->count; i++)
        put_json_file(reports->reports[i], &json);
    json_line(&json, 0);
    json_end_array(&json);
    json_end_object(&json);
    putc('\n', out);
}
