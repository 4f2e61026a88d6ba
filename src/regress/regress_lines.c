#include "src/regress/regress_lines.h"

#include "src/base/printable.h"
#include "src/regress/regress_layouts.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

const struct regress_row *regress_row_of(const struct regress_report *report, const struct regress_result *result)
{
    return &report->run->file->rows[result->row];
}

const char *regress_machine_of(const struct regress_report *report, const struct regress_result *result)
{
    return report->run->machine_name[result->machine];
}

/* "+14.2 % (+12.1 to +16.3)", or without interval; the values if there is no percentage. */
void regress_put_change(const struct regress_finding *finding, char text[REGRESS_LINE])
{
    if (finding->verdict == REGRESS_MISSING)
        text[0] = 0;
    else if (isnan(finding->change))
        snprintf(text, REGRESS_LINE, "%.6g to %.6g", finding->old, finding->new);
    else if (finding->median.decides)
        snprintf(text, REGRESS_LINE, "%+.2f %% (%+.2f to %+.2f), median", finding->median.change, finding->median.low,
                 finding->median.high);
    else if (isnan(finding->half))
        snprintf(text, REGRESS_LINE, "%+.3g %%", finding->change);
    else
        snprintf(text, REGRESS_LINE, "%+.2f %% (%+.2f to %+.2f)", finding->change, finding->change - finding->half,
                 finding->change + finding->half);
}

void regress_put_limit(const struct regress_row *row, const struct regress_finding *finding, char text[REGRESS_LINE])
{
    switch (finding->limit) {
    case REGRESS_WITHIN: snprintf(text, REGRESS_LINE, "%s%g %%", row->both ? "+-" : "", row->within); break;
    case REGRESS_EXACT: snprintf(text, REGRESS_LINE, "exact"); break;
    case REGRESS_AT_MOST: snprintf(text, REGRESS_LINE, "%" PRIu64, row->most); break;
    }
}

const char *regress_verdict_of(const struct regress_result *result)
{
    if (regress_rank_of(result) != REGRESS_RANK_UNLUCKY)
        return regress_verdict_name(result->finding.verdict);
    return result->finding.linked.is_lucky ? "lucky placement" : "unlucky placement";
}

/* "; as linked +88.60 %: own +0.12 %, placement +88.48 %" */
static void put_parts(const struct regress_finding *finding, char text[REGRESS_LINE])
{
    const struct regress_parts_of_change *parts = &finding->linked;
    const double own = (double)parts->held - (double)parts->old, linked = (double)parts->linked - (double)parts->held;
    text[0] = 0;
    if (!parts->is_known)
        return;
    if (parts->old == 0)
        snprintf(text, REGRESS_LINE, "; as linked %" PRIu64 " to %" PRIu64 ": own %+.0f, placement %+.0f", parts->old,
                 parts->linked, own, linked);
    else
        snprintf(text, REGRESS_LINE, "; as linked %+.2f %%: own %+.2f %%, placement %+.2f %%",
                 regress_percent(finding, own + linked), regress_percent(finding, own),
                 regress_percent(finding, linked));
    if (parts->is_unlucky || parts->is_lucky)
        snprintf(text + strlen(text), REGRESS_LINE - strlen(text), ", more than %u of %u random layouts", parts->below,
                 parts->layouts);
}

/* The place that contributes most in the direction of the difference. */
static const struct regress_change *main_change(const struct regress_result *result)
{
    const struct regress_parts_of_change *parts = &result->finding.linked;
    const double difference = regress_rank_of(result) == REGRESS_RANK_UNLUCKY
                                  ? (double)parts->linked - (double)parts->held
                                  : result->finding.new - result->finding.old;
    for (size_t i = 0; i < result->change_count; i++)
        if (result->changes[i].amount * difference > 0 && result->changes[i].place[0] != '(')
            return &result->changes[i];
    return NULL;
}

/* One line that says what a row has come to. */
void regress_put_summary(const struct regress_report *report, const struct regress_result *result,
                         char text[REGRESS_SUMMARY])
{
    char change[REGRESS_LINE], parts[REGRESS_LINE];
    const struct regress_change *most = main_change(result);
    if (result->finding.verdict == REGRESS_MISSING) {
        regress_row_pattern(regress_row_of(report, result), result->finding.unmatched, change);
        snprintf(text, REGRESS_SUMMARY, "missing: %s on %s: %s matches nothing", regress_row_of(report, result)->name,
                 regress_machine_of(report, result), change);
        return;
    }
    regress_put_change(&result->finding, change);
    put_parts(&result->finding, parts);
    snprintf(text, REGRESS_SUMMARY, "%s: %s on %s: %s%s%s%s", regress_verdict_of(result),
             regress_row_of(report, result)->name, regress_machine_of(report, result), change, parts,
             most ? ": most in " : "", most ? most->place : "");
    if (result->finding.verdict == REGRESS_UNDECIDED && result->finding.more)
        snprintf(text + strlen(text), REGRESS_SUMMARY - strlen(text), ": about %u more repetitions would decide",
                 result->finding.more);
}

/* What the changes that are not printed add up to. */
double regress_rest_of(const struct regress_result *result)
{
    double rest = 0;
    for (size_t i = REGRESS_CHANGES_PRINTED; i < result->change_count; i++)
        rest += result->changes[i].amount;
    return rest;
}

static void put_changes(const struct regress_result *result, const char *indent, FILE *out)
{
    for (size_t i = 0; i < result->change_count && i < REGRESS_CHANGES_PRINTED; i++)
        fprintf(out, "%s%+16.1f  %s\n", indent, result->changes[i].amount, PRINTABLE(result->changes[i].place));
    if (result->change_count > REGRESS_CHANGES_PRINTED)
        fprintf(out, "%s%+16.1f  and %zu more places\n", indent, regress_rest_of(result),
                result->change_count - REGRESS_CHANGES_PRINTED);
}

/* The values of the new kernel's random layouts, of which it has RESULT's repetitions. */
const uint64_t *regress_layout_values(const struct regress_report *report, const struct regress_result *result)
{
    return report->new->value[result->machine * report->run->file->row_count + result->row];
}

/* A line with all layouts, and their groups, for a row that does not simply hold. */
static void put_layouts(const struct regress_report *report, const struct regress_result *result, const char *indent,
                        FILE *out)
{
    const struct regress_parts_of_change *parts = &result->finding.linked;
    char strip[LAYOUTS_STRIP + 1];
    if (!parts->is_known || parts->layouts < 2 || regress_rank_of(result) > REGRESS_RANK_UNLUCKY)
        return;
    const uint64_t *values = regress_layout_values(report, result);
    const struct regress_layouts layouts = regress_layouts_of(values, parts->layouts);
    regress_layouts_strip(values, parts->layouts, parts->linked, strip);
    fprintf(out, "%slayouts  %" PRIu64 " [%s] %" PRIu64 ", L: as linked", indent,
            parts->linked < layouts.least ? parts->linked : layouts.least, strip,
            parts->linked > layouts.most ? parts->linked : layouts.most);
    if (layouts.has_groups)
        fprintf(out, "; two groups, %u around %.0f and %u around %.0f", layouts.low_count, layouts.low,
                layouts.count - layouts.low_count, layouts.high);
    fputc('\n', out);
}

unsigned regress_pairs_of(const struct regress_report *report, const struct regress_result *result,
                          struct regress_pair found[REGRESS_PAIRS_SHOWN])
{
    const struct regress_side *side = report->new;
    if (!result->finding.linked.is_unlucky)
        return 0;
    return regress_pairs_compare(&side->pairs[result->machine], &side->held_pairs[result->machine],
                                 regress_row_of(report, result), found);
}

static void put_pairs(const struct regress_report *report, const struct regress_result *result, const char *indent,
                      FILE *out)
{
    struct regress_pair pairs[REGRESS_PAIRS_SHOWN];
    const unsigned count = regress_pairs_of(report, result, pairs);
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "%sevictions  %s", indent, PRINTABLE(pairs[i].text));
        if (pairs[i].set >= 0)
            fprintf(out, " in set %" PRId64, pairs[i].set);
        fprintf(out, ": %+" PRId64 " misses\n", pairs[i].more);
    }
}

unsigned regress_mendings_of(const struct regress_report *report, const struct regress_result *result,
                             const struct regress_mending *found[REGRESS_MENDINGS_SHOWN], unsigned *tried)
{
    unsigned count = 0, all = 0;
    for (unsigned i = 0; i < report->mending_count; i++) {
        const struct regress_mending *mending = &report->mendings[i];
        const uint64_t value = mending->value[result->row];
        if (mending->machine != result->machine || !result->finding.linked.is_unlucky)
            continue;
        all++;
        if (value >= result->finding.linked.linked)
            continue;
        unsigned at = count;
        while (at > 0 && found[at - 1]->value[result->row] > value)
            at--;
        if (at == REGRESS_MENDINGS_SHOWN)
            continue;
        count += count < REGRESS_MENDINGS_SHOWN;
        memmove(found + at + 1, found + at, (count - at - 1) * sizeof *found);
        found[at] = mending;
    }
    if (tried)
        *tried = all;
    return count;
}

void regress_put_link(const struct regress_mending *mending, char text[REGRESS_LINE])
{
    switch (mending->link) {
    case REGRESS_LINK_ORDER: snprintf(text, REGRESS_LINE, "functions in the order in which they execute"); break;
    case REGRESS_LINK_ALIGNED: snprintf(text, REGRESS_LINE, "functions aligned to 64 bytes"); break;
    case REGRESS_LINK_LAST: snprintf(text, REGRESS_LINE, "%.200s behind all others", mending->object); break;
    }
}

static void put_mendings(const struct regress_report *report, const struct regress_result *result, const char *indent,
                         FILE *out)
{
    const struct regress_mending *found[REGRESS_MENDINGS_SHOWN];
    const struct regress_parts_of_change *parts = &result->finding.linked;
    unsigned tried;
    const unsigned count = regress_mendings_of(report, result, found, &tried);
    char link[REGRESS_LINE];
    for (unsigned i = 0; i < count; i++) {
        const double gain = (double)found[i]->value[result->row] - (double)parts->linked;
        regress_put_link(found[i], link);
        fprintf(out, "%smended by linking %s: %+.0f", indent, PRINTABLE(link), gain);
        if (parts->old)
            fprintf(out, ", %+.2f %%", regress_percent(&result->finding, gain));
        fputc('\n', out);
    }
    if (tried > 0 && count == 0)
        fprintf(out, "%smended by none of %u other ways to link\n", indent, tried);
}

void regress_put_details(const struct regress_report *report, const struct regress_result *result, const char *indent,
                         FILE *out)
{
    put_layouts(report, result, indent, out);
    put_pairs(report, result, indent, out);
    put_mendings(report, result, indent, out);
    put_changes(result, indent, out);
}
