/*
 * The numbers of a page (src/page/page.h): each is an expression over the statistics that it shows, which is written
 * beside it, so that whoever doubts a number can compute it from the files.
 *
 * An expression is a list of terms, separated by blanks:
 *
 *     RUN:/NAME/NAME      add the value with this path in the statistics of run number RUN (from 0)
 *     -RUN:/NAME/NAME     subtract it
 *     |RUN:/NAME/NAME     add it to the denominator
 *     |-RUN:/NAME/NAME    subtract it from the denominator
 *     |NUMBER, *NUMBER    divide by, multiply with a constant
 *
 * A name that ends in a star, as "cpu*", stands for all members that begin so and go on
 * with digits, and * alone for all members; their values are added. A number selects an element of an array, and
 * "NAME?KEY=TEXT&KEY=TEXT" those elements of the array NAME whose members (or elements) KEY are TEXT. In a name,
 * everything but letters, digits, '_', '-' and '.' is escaped as in URLs: "%2F".
 */
#ifndef SIMOS_PAGE_PAGE_VALUES_H
#define SIMOS_PAGE_PAGE_VALUES_H

#include "src/report/report.h"
#include <stdint.h>

enum { PAGE_EXPRESSION = 2048, PAGE_NAME = 800 /* bytes, escaped */ };

struct page_value {
    bool known; /* a value that the numerator names is in the file, and the denominator is not 0 */
    bool whole; /* an integer: COUNT */
    int64_t count;
    double number; /* in either case */
};

/* The statistics of RUNS with what finds elements of their arrays by the text of a member. */
struct page_values;
struct page_values *page_values_create(const struct report *runs); /* RUNS stay as they are until it is freed */
void page_values_free(struct page_values *values);

/* The value of EXPRESSION over the statistics of VALUES. */
struct page_value page_value_of(struct page_values *values, const char *expression);

/* NAME as part of a path, in ESCAPED; a name that is too long is truncated, and then denotes nothing. Returns
 * ESCAPED. */
const char *page_escape(char escaped[PAGE_NAME], const char *name);
/* The same as an argument of printf(); valid until the end of the block. */
#define PAGE_ESCAPED(name) page_escape((char[PAGE_NAME]){""}, name)

#endif
