/*
 * Run B of `simos explain` again: its command with other values of parameters.
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_REPEAT_H
#define SIMOS_EXPLAIN_EXPLAIN_REPEAT_H

#include "src/explain/explain.h"
#include "src/explain/explain_options.h"

/* Words of a command, ended by NULL. */
struct explain_words {
    const char **word;
    size_t count;
};

struct explain_repeat {
    const struct explain_options *options;
    const char *option; /* that asks for it, in messages: "confirm" */
    struct explain_words from;
};

/* Find the command of B, whose statistics are B: behind --, or in the file, which must then name no file of this host
 * unless it is trusted. False with ERR; in both cases the caller calls explain_repeat_end(). */
bool explain_repeat_begin(struct explain_repeat *repeat, const struct explain_options *options, const char *option,
                          const struct results *b, struct err *err);
void explain_repeat_end(struct explain_repeat *repeat);

/* The statistics of a run like B with ASSIGNMENTS, each a name, = and a value, ended by NULL, which come behind B's
 * own. NULL with ERR. */
json_t *explain_repeat_run(const struct explain_repeat *repeat, const char *const *assignments, struct err *err);
/* The same, compared with B of E. The caller frees the explanation. NULL with ERR. */
struct explanation *explain_repeat_compare(const struct explain_repeat *repeat, const struct explanation *e,
                                           const char *const *assignments, struct err *err);
/* Does the command repeat B of E? False with ERR. */
bool explain_repeat_check(const struct explain_repeat *repeat, const struct explanation *e, struct err *err);

#endif
