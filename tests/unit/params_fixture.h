/* Parameters from strings. */
#ifndef SIMOS_TESTS_UNIT_PARAMS_FIXTURE_H
#define SIMOS_TESTS_UNIT_PARAMS_FIXTURE_H

#include "src/base/params.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

/* Define COUNT rows and apply SETTINGS: "name=value name=value", or "". */
static inline struct params *params_from(const struct param_def *rows, size_t count, const char *settings)
{
    struct params *params = params_create();
    params_define(params, rows, count);
    char *text = strdup(settings);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        struct err err = {""};
        if (!params_set_assignment(params, word, &err))
            fail_msg("%s", err.text);
    }
    free(text);
    return params;
}

#endif
