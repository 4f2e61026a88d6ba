/*
 * Numbers as expressions over statistics: a page (src/page/page.h) writes beside each of its numbers the expression
 * that it is the value of, so that whoever doubts a number can compute it from the files.
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
#ifndef SIMOS_RESULTS_EXPRESSION_H
#define SIMOS_RESULTS_EXPRESSION_H

#include "src/results/result_files.h"
#include <stdint.h>

enum { EXPRESSION_SIZE = 2048, EXPRESSION_NAME_SIZE = 800 /* bytes, escaped */ };

struct expression_value {
    bool known; /* a value that the numerator names is in the file, and the denominator is not 0 */
    bool whole; /* an integer: COUNT */
    int64_t count;
    double number; /* in either case */
};

/* The statistics of RUNS with what finds elements of their arrays by the text of a member. */
struct expressions;
struct expressions *expressions_create(const struct result_files *runs); /* RUNS stay as they are until it is freed */
void expressions_free(struct expressions *values);

/* The value of EXPRESSION over the statistics of VALUES. */
struct expression_value expression_value_of(struct expressions *values, const char *expression);

/* Call VISIT with the path of each number that is a member of RESULTS, or below one, whose name is WANTED. Paths of
 * EXPRESSION_PATH_SIZE bytes and more are left out. */
enum { EXPRESSION_PATH_SIZE = 160 };
void expression_visit_numbers(const struct results *results, bool (*wanted)(const void *opaque, const char *member),
                              void (*visit)(void *opaque, const char *path), void *opaque);

/* Set TEXT to the expression of FORMULA over the sum of the ACCOUNTS of RUN, paths that end with NULL. The terms of the
 * formula are cycles, `wait`, instructions and all memory stalls. Returns the length as snprintf() does. */
size_t expression_of_formula(char *text, size_t size, enum formula formula, unsigned run, const char *const *accounts);

/* NAME as part of a path, in ESCAPED; a name that is too long is truncated, and then denotes nothing. Returns
 * ESCAPED. */
const char *expression_escape(char escaped[EXPRESSION_NAME_SIZE], const char *name);
/* The same as an argument of printf(); valid until the end of the block. */
#define EXPRESSION_ESCAPED(name) expression_escape((char[EXPRESSION_NAME_SIZE]){""}, name)

#endif
