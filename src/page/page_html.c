#include "src/page/page_html.h"

#include "src/base/xml_writer.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void page_text(FILE *out, const char *text)
{
    xml_put_escaped(out, text);
}

void page_lines(FILE *out, const char *text)
{
    xml_put_escaped_lines(out, text);
}

/* Numbers */

static void put_groups(FILE *out, int64_t count)
{
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count < 0 ? 0 - (uint64_t)count : (uint64_t)count);
    if (count < 0)
        fputs("-", out);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            putc(',', out);
        putc(digits[i], out);
    }
}

void page_put_value(FILE *out, enum page_format format, const struct expression_value *value)
{
    if (!value->known)
        fputs("–", out);
    else if (format == PAGE_COUNT && value->whole)
        put_groups(out, value->count);
    else
        switch (format) {
        case PAGE_COUNT: fprintf(out, "%.6g", value->number); break;
        case PAGE_SECONDS: fprintf(out, "%.6f", value->number); break;
        case PAGE_RATIO: fprintf(out, "%.4f", value->number); break;
        case PAGE_PERCENT: fprintf(out, "%.2f&nbsp;%%", 100 * value->number); break;
        case PAGE_RATE: fprintf(out, "%.2f", value->number); break;
        }
}

static void put_expression(const struct page *page, const char *element, enum page_format format, const char *text)
{
    const struct expression_value value = expression_value_of(page->values, text);
    fprintf(page->out, "<%s data-j=\"%s\">", element, text);
    page_put_value(page->out, format, &value);
}

void page_cell(const struct page *page, enum page_format format, const char *expression, ...)
{
    char text[EXPRESSION_SIZE];
    va_list arguments;
    va_start(arguments, expression);
    vsnprintf(text, sizeof text, expression, arguments);
    va_end(arguments);
    put_expression(page, "td", format, text);
    fputs("</td>", page->out);
}

void page_cell_formula(const struct page *page, enum formula formula, unsigned run, const char *const *accounts)
{
    char text[EXPRESSION_SIZE];
    expression_of_formula(text, sizeof text, formula, run, accounts);
    put_expression(page, "td", PAGE_RATIO, text);
    fputs("</td>", page->out);
}

void page_number(const struct page *page, enum page_format format, const char *expression, ...)
{
    char text[EXPRESSION_SIZE];
    va_list arguments;
    va_start(arguments, expression);
    vsnprintf(text, sizeof text, expression, arguments);
    va_end(arguments);
    put_expression(page, "b", format, text);
    fputs("</b>", page->out);
}

void page_cell_value(const struct page *page, enum page_format format, const struct expression_value *value,
                     const char *expression, ...)
{
    va_list arguments;
    fputs("<td data-j=\"", page->out);
    va_start(arguments, expression);
    vfprintf(page->out, expression, arguments);
    va_end(arguments);
    fputs("\">", page->out);
    page_put_value(page->out, format, value);
    fputs("</td>", page->out);
}

void page_cell_text(const struct page *page, const char *text)
{
    fputs("<td class=\"t\">", page->out);
    page_text(page->out, text);
    fputs("</td>", page->out);
}

void page_cell_named(const struct page *page, const char *text, const char *path, ...)
{
    va_list arguments;
    fputs("<td class=\"t\" data-t=\"", page->out);
    va_start(arguments, path);
    vfprintf(page->out, path, arguments);
    va_end(arguments);
    fputs("\">", page->out);
    page_text(page->out, text);
    fputs("</td>", page->out);
}

/* Sections and tables */

void page_begin_section(const struct page *page, const char *id, const char *title)
{
    fprintf(page->out, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

void page_end_section(const struct page *page)
{
    fputs("</section>\n", page->out);
}

unsigned page_say_missing(const struct page *page, const bool has[], const char *what, const char *how)
{
    unsigned with = 0;
    for (unsigned i = 0; i < page->runs->count; i++)
        with += has[i];
    if (with == page->runs->count)
        return with;
    fprintf(page->out, "<p class=\"missing\">No %s in ", what);
    if (with == 0)
        fputs(page->runs->count == 1 ? "this file" : "these files", page->out);
    const char *separator = "";
    for (unsigned i = 0; with > 0 && i < page->runs->count; i++)
        if (!has[i]) {
            fputs(separator, page->out);
            page_text(page->out, page->runs->columns[i]->title);
            separator = ", ";
        }
    fprintf(page->out, ". A run with <code>%s</code> records it.</p>\n", how);
    return with;
}

static void begin_table(const struct page *page, bool sortable, const char *search)
{
    fputs("<div class=\"table\">", page->out);
    if (search)
        fprintf(page->out,
                "<input type=\"search\" class=\"search\" placeholder=\"Search %s\" aria-label=\"Search %s\">", search,
                search);
    fprintf(page->out, "<div class=\"wide\"><table%s><thead><tr>", sortable ? " class=\"sortable\"" : "");
}

void page_begin_table(const struct page *page, const char *headings, bool sortable, const char *search)
{
    begin_table(page, sortable, search);
    for (const char *at = headings; *at;) {
        const size_t length = strcspn(at, "|");
        const bool number = *at == '#';
        fprintf(page->out, "<th%s>%.*s</th>", number ? "" : " class=\"t\"", (int)length - number, at + number);
        at += length + (at[length] == '|');
    }
    fputs("</tr></thead><tbody>\n", page->out);
}

void page_begin_run_table(const struct page *page, const char *first, bool sortable, const char *search)
{
    begin_table(page, sortable, search);
    fprintf(page->out, "<th class=\"t\">%s</th>", first);
    for (unsigned i = 0; i < page->runs->count; i++) {
        fputs("<th>", page->out);
        page_put_run(page, i);
        fputs("</th>", page->out);
    }
    fputs("</tr></thead><tbody>\n", page->out);
}

void page_end_table(const struct page *page)
{
    fputs("</tbody></table></div></div>\n", page->out);
}

void page_put_run(const struct page *page, unsigned number)
{
    fprintf(page->out, "<span class=\"run\"><i style=\"background:%s\"></i>", measure_line_colour(number));
    page_text(page->out, page->runs->columns[number]->title);
    fputs("</span>", page->out);
}
