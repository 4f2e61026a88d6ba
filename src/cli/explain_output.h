/*
 * The output of `simos explain`: an explanation (src/report/explain.h) as text and as JSON.
 */
#ifndef SIMOS_CLI_EXPLAIN_OUTPUT_H
#define SIMOS_CLI_EXPLAIN_OUTPUT_H

#include "src/base/json_writer.h"
#include "src/report/explain.h"

/* All of EXPLANATION: its runs, largest causes, sums by cause, and how many leaves are new or gone. */
void explanation_print(const struct explanation *explanation, FILE *out);
/* The object with all causes and leaves (docs/reference/explain.md). */
void explanation_write_json(const struct explanation *explanation, struct json_writer *json);

#endif
