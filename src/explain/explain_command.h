/*
 * `simos explain A.json B.json`: prints why B takes other time than A (src/explain/explain.h), and with --confirm runs
 * B again without its largest causes.
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_COMMAND_H
#define SIMOS_EXPLAIN_EXPLAIN_COMMAND_H

#include "src/base/log.h"

enum { EXPLAIN_CONFIRM_MAX = 100 };

/* An option of the command line, as far as a run is repeated without what it writes. */
struct explain_option {
    const char *name;  /* without "--" */
    const char *value; /* name of its value; NULL: no value; in brackets: optional, only as --name=value */
    bool is_output;    /* it names a file or folder that is written */
};

struct explain_options {
    const char *files[2];
    const char *json_path; /* NULL: no JSON */
    unsigned confirm;      /* number of causes; 0: none */
    bool trust;            /* the words in B's file may name files of this host */
    /* The words of the run B: after "--"; without any, those of the member `provenance` of its file. */
    int word_count;
    const char *const *words;
    /* Sets OPTION to that of WORD, "--NAME" or "--NAME=VALUE"; false if it is none. */
    bool (*find_option)(const char *word, struct explain_option *option);
};

/* Returns the exit status: 0, or EXIT_SIMOS_FAILED with ERR. */
int explain_main(const struct explain_options *options, struct err *err);

#endif
