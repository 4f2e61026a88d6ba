/*
 * The output of `simos explain`: an explanation (src/explain/explain.h) as text and as JSON.
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_OUTPUT_H
#define SIMOS_EXPLAIN_EXPLAIN_OUTPUT_H

#include "src/base/json_writer.h"
#include "src/explain/explain.h"
#include "src/explain/explain_placement.h"

/* All of EXPLANATION: its runs, largest causes, sums by cause, and how many leaves are new or gone. */
void explanation_print(const struct explanation *explanation, FILE *out);
/* The same of a part of a difference, which is called TITLE. */
void explanation_print_part(const struct explanation *explanation, const char *title, FILE *out);
/* The object with all causes and leaves (docs/reference/explain.md), and the objects of the two PARTS; NULL: none. */
void explanation_write_json(const struct explanation *explanation, const struct explain_placement *parts,
                            struct json_writer *json);

#endif
