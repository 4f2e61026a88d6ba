#include "src/regress/regress_report.h"

#include "src/base/json_writer.h"
#include "src/base/printable.h"
#include "src/regress/regress_baseline.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_PRINTED = 8, LINE_SIZE = 400, VERDICT_WIDTH = 17 };

static const char others[] = "(others)";
static const char other_repetitions[] = "(other repetitions of the baseline)";

/* Changes */

struct changes {
    size_t count, room;
    struct regress_change *changes;
};

/* PLACE is not among CHANGES yet. */
static void add_change(struct changes *changes, const char *place, double amount)
{
    if (changes->count == changes->room) {
        changes->room = changes->room ? 2 * changes->room : 64;
        changes->changes = checked_memory(realloc(changes->changes, changes->room * sizeof *changes->changes));
    }
    changes->changes[changes->count++] = (struct regress_change){checked_memory(strdup(place)), amount};
}

/* The least amount of PARTS, which are the largest ones of a baseline, for each of COUNT repetitions; 0 if PARTS are
 * all there are. */
static double least_kept(const struct regress_parts *parts, double count)
{
    double least = INFINITY;
    if (!regress_parts_find(parts, others))
        return 0;
    for (size_t i = 0; i < parts->count; i++)
        if (strcmp(parts->parts[i].place, others) != 0)
            least = fmin(least, (double)parts->parts[i].amount / count);
    return isinf(least) ? 0 : least;
}

static int by_amount(const void *a, const void *b)
{
    const struct regress_change *x = a, *y = b;
    if (fabs(x->amount) != fabs(y->amount))
        return fabs(x->amount) < fabs(y->amount) ? 1 : -1;
    return strcmp(x->place, y->place);
}

/* NEW less OLD by place, each divided by its number of repetitions. Parts that are small in NEW and that the baseline
 * OLD does not name are among its others. */
static struct changes subtract(const struct regress_parts *new, double new_count, const struct regress_parts *old,
                               double old_count)
{
    struct changes changes = {0};
    const double least = least_kept(old, old_count);
    double rest = 0;
    for (size_t i = 0; i < old->count; i++) {
        const struct regress_part *part = regress_parts_find(new, old->parts[i].place);
        const double change = (part ? (double)part->amount / new_count : 0) - (double)old->parts[i].amount / old_count;
        if (strcmp(old->parts[i].place, others) == 0)
            rest += change;
        else if (change != 0)
            add_change(&changes, old->parts[i].place, change);
    }
    for (size_t i = 0; i < new->count; i++) {
        const double amount = (double)new->parts[i].amount / new_count;
        if (regress_parts_find(old, new->parts[i].place))
            continue;
        if (fabs(amount) > least)
            add_change(&changes, new->parts[i].place, amount);
        else
            rest += amount;
    }
    if (rest != 0)
        add_change(&changes, others, rest);
    return changes;
}

/* The order in which rows are reported. */
enum rank { RANK_MISSING, RANK_FAILS, RANK_UNDECIDED, RANK_UNLUCKY, RANK_IMPROVED, RANK_HOLDS };

static enum rank rank_of(const struct regress_result *result)
{
    switch (result->finding.verdict) {
    case REGRESS_MISSING: return RANK_MISSING;
    case REGRESS_UNDECIDED: return RANK_UNDECIDED;
    default: break;
    }
    return result->finding.fails                            ? RANK_FAILS
           : result->finding.linked.is_unlucky              ? RANK_UNLUCKY
           : result->finding.verdict == REGRESS_IMPROVEMENT ? RANK_IMPROVED
                                                            : RANK_HOLDS;
}

static void explain(const struct regress_report *report, struct regress_result *result)
{
    const unsigned cell = result->machine * report->run->file->row_count + result->row;
    const struct regress_side *old = report->old, *new = report->new;
    struct changes changes;
    if (rank_of(result) == RANK_UNLUCKY) {
        changes = subtract(&new->plain_parts[cell], 1, &new->held_parts[cell], 1);
    } else if (result->finding.limit != REGRESS_WITHIN) {
        changes = subtract(&new->plain_parts[cell], 1, &old->plain_parts[cell], 1);
    } else {
        changes = subtract(&new->parts[cell], new->repetitions, &old->parts[cell], old->repetitions);
        const double more = regress_mean(old->value[cell], old->repetitions) - result->finding.old;
        if (old->repetitions > result->finding.repetitions && more != 0)
            add_change(&changes, other_repetitions, more);
    }
    if (changes.count > 0)
        qsort(changes.changes, changes.count, sizeof *changes.changes, by_amount);
    result->changes = changes.changes;
    result->change_count = changes.count;
}

static int by_rank(const void *a, const void *b)
{
    const struct regress_result *x = a, *y = b;
    const double by = fabs(y->finding.change) - fabs(x->finding.change);
    if (rank_of(x) != rank_of(y))
        return rank_of(x) < rank_of(y) ? -1 : 1;
    if (rank_of(x) == RANK_FAILS && by != 0 && !isnan(by))
        return by > 0 ? 1 : -1;
    return x->machine != y->machine ? (x->machine < y->machine ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

void regress_report_make(struct regress_report *report, const struct regress_finding *findings)
{
    const unsigned rows = report->run->file->row_count;
    report->count = report->run->machines * rows;
    report->results = checked_memory(calloc(report->count + 1, sizeof *report->results));
    for (unsigned i = 0; i < report->count; i++) {
        struct regress_result *result = &report->results[i];
        *result = (struct regress_result){.machine = i / rows, .row = i % rows, .finding = findings[i]};
        if (rank_of(result) != RANK_MISSING && rank_of(result) != RANK_UNDECIDED && rank_of(result) != RANK_HOLDS)
            explain(report, result);
    }
    qsort(report->results, report->count, sizeof *report->results, by_rank);
}

void regress_report_release(struct regress_report *report)
{
    for (unsigned i = 0; i < report->count; i++) {
        for (size_t change = 0; change < report->results[i].change_count; change++)
            free(report->results[i].changes[change].place);
        free(report->results[i].changes);
    }
    free(report->results);
    report->results = NULL;
    report->count = 0;
}

int regress_report_status(const struct regress_report *report)
{
    switch (report->count ? rank_of(&report->results[0]) : RANK_HOLDS) {
    case RANK_MISSING: return EXIT_SIMOS_FAILED;
    case RANK_FAILS: return 1;
    case RANK_UNDECIDED: return 2;
    default: return 0;
    }
}

/* Texts */

static const struct regress_row *row_of(const struct regress_report *report, const struct regress_result *result)
{
    return &report->run->file->rows[result->row];
}

static const char *machine_of(const struct regress_report *report, const struct regress_result *result)
{
    return report->run->machine_name[result->machine];
}

/* "+14.2 % (+12.1 to +16.3)", or without interval; the values if there is no percentage. */
static void put_change(const struct regress_finding *finding, char text[LINE_SIZE])
{
    if (finding->verdict == REGRESS_MISSING)
        text[0] = 0;
    else if (isnan(finding->change))
        snprintf(text, LINE_SIZE, "%.6g to %.6g", finding->old, finding->new);
    else if (isnan(finding->half))
        snprintf(text, LINE_SIZE, "%+.3g %%", finding->change);
    else
        snprintf(text, LINE_SIZE, "%+.2f %% (%+.2f to %+.2f)", finding->change, finding->change - finding->half,
                 finding->change + finding->half);
}

static void put_limit(const struct regress_row *row, const struct regress_finding *finding, char text[LINE_SIZE])
{
    switch (finding->limit) {
    case REGRESS_WITHIN: snprintf(text, LINE_SIZE, "%s%g %%", row->both ? "+-" : "", row->within); break;
    case REGRESS_EXACT: snprintf(text, LINE_SIZE, "exact"); break;
    case REGRESS_AT_MOST: snprintf(text, LINE_SIZE, "%" PRIu64, row->most); break;
    }
}

static const char *verdict_of(const struct regress_result *result)
{
    return rank_of(result) == RANK_UNLUCKY ? "unlucky placement" : regress_verdict_name(result->finding.verdict);
}

/* "; as linked +88.60 %: own +0.12 %, placement +88.48 %" */
static void put_parts(const struct regress_finding *finding, char text[LINE_SIZE])
{
    const struct regress_parts_of_change *parts = &finding->linked;
    const double own = (double)parts->held - (double)parts->old, linked = (double)parts->linked - (double)parts->held;
    text[0] = 0;
    if (!parts->is_known)
        return;
    if (parts->old == 0)
        snprintf(text, LINE_SIZE, "; as linked %" PRIu64 " to %" PRIu64 ": own %+.0f, placement %+.0f", parts->old,
                 parts->linked, own, linked);
    else
        snprintf(text, LINE_SIZE, "; as linked %+.2f %%: own %+.2f %%, placement %+.2f %%",
                 regress_percent(finding, own + linked), regress_percent(finding, own),
                 regress_percent(finding, linked));
    if (parts->is_unlucky)
        snprintf(text + strlen(text), LINE_SIZE - strlen(text), ", more than %u of %u random layouts", parts->below,
                 parts->layouts);
}

/* The place that contributes most in the direction of the difference. */
static const struct regress_change *main_change(const struct regress_result *result)
{
    const struct regress_parts_of_change *parts = &result->finding.linked;
    const double difference = rank_of(result) == RANK_UNLUCKY ? (double)parts->linked - (double)parts->held
                                                              : result->finding.new - result->finding.old;
    for (size_t i = 0; i < result->change_count; i++)
        if (result->changes[i].amount * difference > 0 && result->changes[i].place[0] != '(')
            return &result->changes[i];
    return NULL;
}

/* One line that says what a row has come to. */
static void put_summary(const struct regress_report *report, const struct regress_result *result,
                        char text[2 * LINE_SIZE])
{
    char change[LINE_SIZE], parts[LINE_SIZE];
    const struct regress_change *most = main_change(result);
    if (result->finding.verdict == REGRESS_MISSING) {
        regress_row_pattern(row_of(report, result), result->finding.unmatched, change);
        snprintf(text, 2 * LINE_SIZE, "missing: %s on %s: %s matches nothing", row_of(report, result)->name,
                 machine_of(report, result), change);
        return;
    }
    put_change(&result->finding, change);
    put_parts(&result->finding, parts);
    snprintf(text, 2 * LINE_SIZE, "%s: %s on %s: %s%s%s%s", verdict_of(result), row_of(report, result)->name,
             machine_of(report, result), change, parts, most ? ": most in " : "", most ? most->place : "");
    if (result->finding.verdict == REGRESS_UNDECIDED && result->finding.more)
        snprintf(text + strlen(text), 2 * LINE_SIZE - strlen(text), ": about %u more repetitions would decide",
                 result->finding.more);
}

/* What the changes that are not printed add up to. */
static double rest_of(const struct regress_result *result)
{
    double rest = 0;
    for (size_t i = CHANGES_PRINTED; i < result->change_count; i++)
        rest += result->changes[i].amount;
    return rest;
}

static void put_changes(const struct regress_result *result, const char *indent, FILE *out)
{
    for (size_t i = 0; i < result->change_count && i < CHANGES_PRINTED; i++)
        fprintf(out, "%s%+16.1f  %s\n", indent, result->changes[i].amount, PRINTABLE(result->changes[i].place));
    if (result->change_count > CHANGES_PRINTED)
        fprintf(out, "%s%+16.1f  and %zu more places\n", indent, rest_of(result),
                result->change_count - CHANGES_PRINTED);
}

static void put_side(const char *what, const struct regress_side *side, FILE *out)
{
    if (side->kernel_path)
        fprintf(out, "%s %s (%.12s)", what, PRINTABLE(side->kernel_path), side->kernel_digest);
    else
        fprintf(out, "%s: the checkpoint's kernel", what);
}

static int width_of(const struct regress_report *report, bool of_rows)
{
    int width = of_rows ? 3 : 7;
    for (unsigned i = 0; i < report->count; i++) {
        const struct regress_result *result = &report->results[i];
        const int length = (int)strlen(of_rows ? row_of(report, result)->name : machine_of(report, result));
        width = length > width ? length : width;
    }
    return width;
}

static void put_value(double value, FILE *out)
{
    if (isnan(value))
        fprintf(out, "%14s  ", "-");
    else
        fprintf(out, "%14.1f  ", value);
}

void regress_report_missing(const struct regress_report *report, struct err *err)
{
    char line[2 * LINE_SIZE];
    for (unsigned i = 0; i < report->count && rank_of(&report->results[i]) == RANK_MISSING; i++) {
        struct err reason = {""};
        put_summary(report, &report->results[i], line);
        err_set(&reason, "test %.200s: %s", report->run->file->path, line);
        err_add(err, &reason);
    }
}

void regress_report_text(const struct regress_report *report, FILE *out)
{
    const struct regress_file *file = report->run->file;
    const int machines = width_of(report, false), rows = width_of(report, true);
    char line[2 * LINE_SIZE];
    for (unsigned i = 0; i < report->count && rank_of(&report->results[i]) < RANK_HOLDS; i++) {
        put_summary(report, &report->results[i], line);
        fprintf(out, "%s: %s\n", PRINTABLE(file->path), PRINTABLE(line));
    }
    fprintf(out, "%s: %u row%s on %u machine%s; all verdicts hold with %g %%; ", PRINTABLE(file->path), file->row_count,
            file->row_count > 1 ? "s" : "", report->run->machines, report->run->machines > 1 ? "s" : "",
            file->confidence);
    put_side("new", report->new, out);
    fputs(", ", out);
    put_side(report->has_baseline ? "baseline" : "old", report->old, out);
    fprintf(out, "\n\n%-*s  %-*s  %-*s  %14s  %14s  %-30s %9s  %s\n", VERDICT_WIDTH, "verdict", machines, "machine",
            rows, "row", "old", "new", "change", "limit", "repetitions");
    for (unsigned i = 0; i < report->count; i++) {
        const struct regress_result *result = &report->results[i];
        char change[LINE_SIZE], limit[LINE_SIZE];
        put_change(&result->finding, change);
        put_limit(row_of(report, result), &result->finding, limit);
        fprintf(out, "%-*s  %-*s  %-*s  ", VERDICT_WIDTH, verdict_of(result), machines,
                PRINTABLE(machine_of(report, result)), rows, PRINTABLE(row_of(report, result)->name));
        put_value(result->finding.old, out);
        put_value(result->finding.new, out);
        fprintf(out, "%-30s %9s  ", change, limit);
        if (result->finding.repetitions)
            fprintf(out, "%u", result->finding.repetitions);
        else
            fputc('-', out);
        if (result->finding.verdict == REGRESS_UNDECIDED && result->finding.more)
            fprintf(out, ", about %u more would decide", result->finding.more);
        fputc('\n', out);
        put_changes(result, "    ", out);
    }
}

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

static void put_case(const struct regress_report *report, const struct regress_result *result, FILE *out)
{
    char line[2 * LINE_SIZE];
    const enum rank rank = rank_of(result);
    fputs("    <testcase", out);
    put_class(report, machine_of(report, result), out);
    put_attribute("name", row_of(report, result)->name, out);
    if (rank > RANK_UNDECIDED) {
        fputs("/>\n", out);
        return;
    }
    put_summary(report, result, line);
    fprintf(out, ">\n      <%s", rank == RANK_MISSING ? "error" : rank == RANK_FAILS ? "failure" : "skipped");
    put_attribute("message", line, out);
    if (rank == RANK_FAILS) {
        char *text;
        size_t size;
        FILE *changes = checked_memory(open_memstream(&text, &size));
        put_changes(result, "", changes);
        fclose(changes);
        fputc('>', out);
        put_xml(text, out);
        fputs("</failure>\n", out);
        free(text);
    } else {
        fputs("/>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void put_suite(const struct regress_report *report, FILE *out)
{
    unsigned failures = 0, skipped = 0, errors = report->error ? 1 : 0;
    for (unsigned i = 0; i < report->count; i++) {
        errors += rank_of(&report->results[i]) == RANK_MISSING;
        failures += rank_of(&report->results[i]) == RANK_FAILS;
        skipped += rank_of(&report->results[i]) == RANK_UNDECIDED;
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
    for (size_t i = 0; i < result->change_count && i < CHANGES_PRINTED; i++) {
        fprintf(out, "    - amount: %.1f\n      place: ", result->changes[i].amount);
        put_yaml(PRINTABLE(result->changes[i].place), out);
        fputc('\n', out);
    }
    if (result->change_count > CHANGES_PRINTED)
        fprintf(out, "    - amount: %.1f\n      place: \"%zu more places\"\n", rest_of(result),
                result->change_count - CHANGES_PRINTED);
    fputs("  ...\n", out);
}

static void put_points(const struct regress_report *report, unsigned *number, FILE *out)
{
    char line[2 * LINE_SIZE];
    for (unsigned i = 0; i < report->count; i++) {
        const struct regress_result *result = &report->results[i];
        const enum rank rank = rank_of(result);
        put_summary(report, result, line);
        fprintf(out, "%s %u - ", rank <= RANK_FAILS ? "not ok" : "ok", ++*number);
        put_tap(PRINTABLE(report->run->file->path), out);
        fputs(": ", out);
        put_tap(PRINTABLE(line), out);
        fputs(rank == RANK_UNDECIDED ? " # SKIP undecided\n" : "\n", out);
        if (rank == RANK_FAILS)
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
    json_member_count(json, "repetitions", side->repetitions);
    json_end_object(json);
}

/* What is known of the placement: counts without perturbation, and what they say. */
static void put_json_placement(const struct regress_parts_of_change *parts, struct json_writer *json)
{
    json_member_object(json, "placement");
    json_member_count(json, "old", parts->old);
    json_member_count(json, "held", parts->held);
    json_member_count(json, "linked", parts->linked);
    json_key(json, "unlucky");
    json_put_bool(json, parts->is_unlucky);
    json_member_count(json, "layouts", parts->layouts);
    json_member_count(json, "below", parts->below);
    json_end_object(json);
}

static void put_json_result(const struct regress_report *report, const struct regress_result *result,
                            struct json_writer *json)
{
    const struct regress_finding *finding = &result->finding;
    json_line(json, 6);
    json_begin_object(json);
    json_member_text(json, "machine", machine_of(report, result));
    json_member_text(json, "row", row_of(report, result)->name);
    json_member_text(json, "verdict", regress_verdict_name(finding->verdict));
    json_key(json, "fails");
    json_put_bool(json, finding->fails);
    json_member_text(json, "limit", regress_limit_name(finding->limit));
    if (finding->verdict == REGRESS_MISSING) {
        char pattern[REGRESS_PATTERN_TEXT];
        json_member_text(json, "unmatched", regress_row_pattern(row_of(report, result), finding->unmatched, pattern));
    }
    put_number(json, "old", finding->old);
    put_number(json, "new", finding->new);
    put_number(json, "change", finding->change);
    put_number(json, "half_width", finding->half);
    json_member_count(json, "repetitions", finding->repetitions);
    json_member_count(json, "more", finding->more);
    if (finding->linked.is_known)
        put_json_placement(&finding->linked, json);
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
