/*
 * `simos explain --confirm N`: is a cause worth what it says? B runs again with the cause made free (whatif.free), and
 * the simulated gain stands beside the predicted one (docs/reference/explain.md).
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_CONFIRM_H
#define SIMOS_EXPLAIN_EXPLAIN_CONFIRM_H

#include "src/command/command.h"
#include "src/explain/explain.h"

enum { EXPLAIN_CONFIRM_MAX = 100 };

struct explain_options {
    const char *files[2];
    const char *json_path; /* NULL: no JSON */
    unsigned confirm;      /* number of causes; 0: none */
    bool trust;            /* the words in B's file may name files of this host */
    /* The words of the run B: after "--"; without any, those of the member `provenance` of its file. */
    int word_count;
    const char *const *words;
    const struct commands *commands; /* that have their options */
};

/* Repeat B, and then without each of its options->confirm largest causes that can be made free alone; print the gains,
 * and what else changed where a gain is not the predicted one within 10 %. False with ERR if a run fails, or B's
 * command does not repeat B. */
bool explain_confirm(const struct explain_options *options, const struct explanation *explanation, struct err *err);

#endif
