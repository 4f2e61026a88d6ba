/* The options of `simos explain`. */
#ifndef SIMOS_EXPLAIN_EXPLAIN_OPTIONS_H
#define SIMOS_EXPLAIN_EXPLAIN_OPTIONS_H

#include "src/command/command.h"

enum { EXPLAIN_CONFIRM_MAX = 100 };

struct explain_options {
    const char *files[2];
    const char *json_path; /* NULL: no JSON */
    unsigned confirm;      /* number of causes; 0: none */
    const char *placement; /* A's kernel, or its symbols: tell a change from its placement; NULL: no */
    bool trust;            /* the words in B's file may name files of this host */
    /* The words of the run B: after "--"; without any, those of the member `provenance` of its file. */
    int word_count;
    const char *const *words;
    const struct commands *commands; /* that have their options */
};

#endif
