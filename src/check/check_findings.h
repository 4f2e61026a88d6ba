/*
 * What a check of a JSON file finds, and where: shared by check.c, check_shape.c and check_sums.c.
 */
#ifndef SIMOS_CHECK_CHECK_FINDINGS_H
#define SIMOS_CHECK_CHECK_FINDINGS_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* A place in a JSON file: member NAME of OUTER, or with NAME NULL its element INDEX. The file itself is NULL. */
struct check_place {
    const struct check_place *outer;
    const char *name;
    size_t index;
};

/* The findings of one file. */
struct check_findings {
    const char *file;
    FILE *out;
    size_t sums;   /* that were compared */
    size_t broken; /* lines printed or left out */
};

/* Print that at PLACE something is not as it should be: "FILE: cpu0.mode.user: WHAT". Only the first lines of a file
 * are printed; all are counted. */
void check_complain(struct check_findings *findings, const struct check_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Compare VALUE, at PLACE, with SCHEMA, of which ROOT has the $defs. Of JSON Schema 2020-12 it knows type, enum,
 * minimum, properties, patternProperties, additionalProperties, required, items, prefixItems, minItems, maxItems and
 * $ref into $defs; others are ignored. */
void check_shape(struct check_findings *findings, const json_t *value, const json_t *schema, const json_t *root,
                 const struct check_place *place);

/* Evaluate the sum rules RULES (the member `sums` of a schema) on DOCUMENT, which is at PLACE of the file. */
void check_sums(struct check_findings *findings, const json_t *document, const json_t *rules,
                const struct check_place *place);

#endif
