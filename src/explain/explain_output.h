/*
 * The output of `simos explain`: an explanation (src/explain/explain.h) as text and as JSON.
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_OUTPUT_H
#define SIMOS_EXPLAIN_EXPLAIN_OUTPUT_H

#include "src/base/json_writer.h"
#include "src/explain/explain.h"

/* All of EXPLANATION: its runs, largest causes, sums by cause, and how many leaves are new or gone. */
void explanation_print(const struct explanation *explanation, FILE *out);
/* The object with all causes and leaves (docs/reference/explain.md). */
void explanation_write_json(const struct explanation *explanation, struct json_writer *json);

#endif
