/* The report of tests as Markdown, to be a comment on a pull request: what does not simply hold in at most five lines a
 * test, everything else folded. Text from files is text everywhere: no link, no mention of a person, no HTML. */
#include "src/base/xml_writer.h"
#include "src/regress/regress_lines.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINES_MOST = 5 };

/* Does AT, in TEXT, begin what would become a link by itself ("://", "www.")? */
static bool begins_link(const char *text, const char *at)
{
    return (*at == ':' && at[1] == '/') || (*at == '.' && at - text >= 3 && strncasecmp(at - 3, "www", 3) == 0);
}

/* TEXT, with everything that Markdown or GitHub would take for more than a letter as a character reference. */
static void put_text(const char *text, FILE *out)
{
    for (const char *at = text; *at; at++) {
        const unsigned char letter = (unsigned char)*at;
        if (letter < ' ' || letter == 0x7f)
            fputc('?', out);
        else if (strchr("\\`*_{}[]<>#|~@&!$", *at) || begins_link(text, at))
            fprintf(out, "&#%u;", letter);
        else
            fputc(letter, out);
    }
}

/* How many results of REPORT are called VERDICT. */
static unsigned count_of(const struct regress_report *report, const char *verdict)
{
    unsigned count = 0;
    for (unsigned i = 0; i < report->count; i++)
        count += strcmp(regress_verdict_of(&report->results[i]), verdict) == 0;
    return count;
}

static bool is_noun(const char *verdict)
{
    return strcmp(verdict, regress_verdict_name(REGRESS_UNCHANGED)) != 0 &&
           strcmp(verdict, regress_verdict_name(REGRESS_UNDECIDED)) != 0 &&
           strcmp(verdict, regress_verdict_name(REGRESS_MISSING)) != 0;
}

/* "1 regression, 3 unchanged", in the order of the results. */
static void put_counts(const struct regress_report *report, FILE *out)
{
    const char *before = NULL;
    for (unsigned i = 0; i < report->count; i++) {
        const char *verdict = regress_verdict_of(&report->results[i]);
        bool is_new = true;
        for (unsigned k = 0; k < i; k++)
            is_new = is_new && strcmp(regress_verdict_of(&report->results[k]), verdict) != 0;
        if (is_new)
            fprintf(out, "%s%u %s%s", before ? ", " : "", count_of(report, verdict), verdict,
                    count_of(report, verdict) > 1 && is_noun(verdict) ? "s" : "");
        before = verdict;
    }
}

/* TEXT, in which a line breaks before parentheses only. */
static void put_unbroken(const char *text, FILE *out)
{
    for (; *text; text++)
        if (*text == ' ' && text[1] != '(')
            fputs("&nbsp;", out);
        else
            fputc(*text, out);
}

static void put_value(double value, FILE *out)
{
    if (isnan(value))
        fputs(" – |", out);
    else
        fprintf(out, " %.1f |", value);
}

static void put_row(const struct regress_report *report, const struct regress_result *result, FILE *out)
{
    const struct regress_parts_of_change *parts = &result->finding.linked;
    char text[REGRESS_LINE];
    fprintf(out, "| %s | ", regress_verdict_of(result));
    put_text(regress_machine_of(report, result), out);
    fputs(" | ", out);
    put_text(regress_row_of(report, result)->name, out);
    fputs(" |", out);
    put_value(result->finding.old, out);
    put_value(result->finding.new, out);
    regress_put_change(&result->finding, text);
    fputc(' ', out);
    put_unbroken(text, out);
    fputs(" |", out);
    if (parts->is_known && parts->old)
        fprintf(out, " %+.2f %% | %+.2f %% |",
                regress_percent(&result->finding, (double)parts->held - (double)parts->old),
                regress_percent(&result->finding, (double)parts->linked - (double)parts->held));
    else
        fputs(" – | – |", out);
    regress_put_limit(regress_row_of(report, result), &result->finding, text);
    fprintf(out, " %s | %u |\n", text, result->finding.repetitions);
}

static void begin_fold(const char *summary, FILE *out)
{
    fprintf(out, "\n<details><summary>%s</summary>\n\n", summary);
}

static void put_rows(const struct regress_report *report, FILE *out)
{
    begin_fold("All rows", out);
    fputs("| verdict | machine | row | old | new | change | own | placement | limit | repetitions |\n"
          "| --- | --- | --- | ---: | ---: | --- | ---: | ---: | --- | ---: |\n",
          out);
    for (unsigned i = 0; i < report->count; i++)
        put_row(report, &report->results[i], out);
    fputs("\n</details>\n", out);
}

/* Where the differences come from, of the rows that do not simply hold. */
static void put_parts(const struct regress_report *report, FILE *out)
{
    if (report->count == 0 || regress_rank_of(&report->results[0]) > REGRESS_RANK_UNLUCKY)
        return;
    begin_fold("Where the differences come from", out);
    fputs("<pre>", out);
    for (unsigned i = 0; i < report->count && regress_rank_of(&report->results[i]) <= REGRESS_RANK_UNLUCKY; i++) {
        char summary[REGRESS_SUMMARY], *text;
        size_t size;
        FILE *lines = checked_memory(open_memstream(&text, &size));
        regress_put_summary(report, &report->results[i], summary);
        fprintf(lines, "%s\n", summary);
        regress_put_details(report, &report->results[i], "    ", lines);
        fclose(lines);
        xml_put_escaped_lines(out, text);
        free(text);
    }
    fputs("</pre>\n\n</details>\n", out);
}

static void put_report(const struct regress_report *report, FILE *out)
{
    char summary[REGRESS_SUMMARY];
    unsigned lines = 0, more = 0;
    fputs("### ", out);
    put_text(report->run->file->path, out);
    fputs(": ", out);
    if (report->error) {
        fputs("could not be done\n\n", out);
        put_text(report->error, out);
        fputs("\n\n", out);
        return;
    }
    put_counts(report, out);
    fputs("\n\n", out);
    for (unsigned i = 0; i < report->count && regress_rank_of(&report->results[i]) <= REGRESS_RANK_UNLUCKY; i++) {
        if (lines == LINES_MOST - 1 && i + 1 < report->count &&
            regress_rank_of(&report->results[i + 1]) <= REGRESS_RANK_UNLUCKY) {
            while (i < report->count && regress_rank_of(&report->results[i]) <= REGRESS_RANK_UNLUCKY)
                more++, i++;
            fprintf(out, "- and %u more\n", more);
            break;
        }
        regress_put_summary(report, &report->results[i], summary);
        fputs("- ", out);
        put_text(summary, out);
        fputc('\n', out);
        lines++;
    }
    put_rows(report, out);
    put_parts(report, out);
    fputc('\n', out);
}

void regress_reports_markdown(const void *opaque, FILE *out)
{
    const struct regress_reports *reports = opaque;
    for (unsigned i = 0; i < reports->count; i++)
        put_report(reports->reports[i], out);
}
