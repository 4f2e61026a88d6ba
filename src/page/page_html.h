/*
 * HTML of a page: texts, numbers, tables. Text from a file is text wherever it stands: page_text() is the one function
 * that puts it.
 */
#ifndef SIMOS_PAGE_PAGE_HTML_H
#define SIMOS_PAGE_PAGE_HTML_H

#include "src/results/expression.h"

/* A page that is being written. */
struct page {
    FILE *out;
    const struct result_files *runs;
    struct expressions *values; /* of RUNS */
    bool live;                  /* the run goes on */
};

/* Put TEXT as xml_put_escaped() does. */
void page_text(FILE *out, const char *text);
/* The same for a text of several lines. */
void page_lines(FILE *out, const char *text);

/* How a number is written. */
enum page_format {
    PAGE_COUNT,   /* all digits, in groups of three; a fraction with as many places as it needs, up to 6 */
    PAGE_SECONDS, /* six places */
    PAGE_RATIO,   /* four places */
    PAGE_PERCENT, /* two places, and the sign; 100 times the value */
    PAGE_RATE,    /* two places */
};

/* Put VALUE as FORMAT says; a dash if it is unknown. */
void page_put_value(FILE *out, enum page_format format, const struct expression_value *value);

/* Put a cell of a table with the value of the expression, which is made as by printf(). */
void page_cell(const struct page *page, enum page_format format, const char *expression, ...)
    __attribute__((format(printf, 3, 4)));
/* A number within text. */
void page_number(const struct page *page, enum page_format format, const char *expression, ...)
    __attribute__((format(printf, 3, 4)));
/* A cell with VALUE, which the caller has computed, and which is that of the expression. */
void page_cell_value(const struct page *page, enum page_format format, const struct expression_value *value,
                     const char *expression, ...) __attribute__((format(printf, 4, 5)));
/* A cell with the figure FORMULA of the sum of the ACCOUNTS of RUN, paths that end with NULL. */
void page_cell_formula(const struct page *page, enum formula formula, unsigned run, const char *const *accounts);
/* A cell with a text; the same with the path (src/results/expression.h) at which it is in the file. */
void page_cell_text(const struct page *page, const char *text);
void page_cell_named(const struct page *page, const char *text, const char *path, ...)
    __attribute__((format(printf, 3, 4)));

/* Begin and end the section ID with the heading TITLE, a constant. */
void page_begin_section(const struct page *page, const char *id, const char *title);
void page_end_section(const struct page *page);
/* A sentence on what the runs of a section do not have: the titles of those for which HAS is false, and HOW, a constant
 * with an option, would record it. Nothing if all have it. Returns the number of runs that have it. */
unsigned page_say_missing(const struct page *page, const bool has[], const char *what, const char *how);

/* Begin a table with SORTABLE columns and, if SEARCH is not NULL, a field of this name that hides rows. HEADINGS are
 * separated by '|' and constant; one that begins with '#' is above numbers. */
void page_begin_table(const struct page *page, const char *headings, bool sortable, const char *search);
void page_end_table(const struct page *page);
/* Begin a table with a first column FIRST and a column for each run. */
void page_begin_run_table(const struct page *page, const char *first, bool sortable, const char *search);

/* The square and the title of run NUMBER. */
void page_put_run(const struct page *page, unsigned number);

#endif
