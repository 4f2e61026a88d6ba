/* mipsy's parameters: there on every host, so that a command line that names them means the same everywhere. */
#include "cpu/model.h"

const struct param_def mipsy_param_defs[] = {
    {.name = "mipsy.translate_after",
     .type = PARAM_INT,
     .unit = "times",
     .initial = "32",
     .min = 0,
     .max = 1 << 30,
     .help = "how often mipsy interprets a block of code before it translates it; 0: always. Changes speed alone"},
};
const size_t mipsy_param_count = sizeof mipsy_param_defs / sizeof mipsy_param_defs[0];
