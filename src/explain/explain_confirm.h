/*
 * `simos explain --confirm N`: is a cause worth what it says? B runs again with the cause made free (whatif.free), and
 * the simulated gain stands beside the predicted one (docs/reference/explain.md).
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_CONFIRM_H
#define SIMOS_EXPLAIN_EXPLAIN_CONFIRM_H

#include "src/explain/explain.h"
#include "src/explain/explain_options.h"

/* Repeat B, and then without each of its options->confirm largest causes that can be made free alone; print the gains,
 * and what else changed where a gain is not the predicted one within 10 %. False with ERR if a run fails, or B's
 * command does not repeat B. */
bool explain_confirm(const struct explain_options *options, const struct explanation *explanation, struct err *err);

#endif
