/* embra's parameters: there on every host, so that a command line that names them means the same everywhere. */
#include "cpu/model.h"

const struct param_def embra_param_defs[] = {
    {.name = "embra.code_cache",
     .type = PARAM_SIZE,
     .unit = "bytes",
     .initial = "64M",
     .min = 1 << 20,
     .max = 512 << 20,
     .help = "memory for embra's translated code; when it is full, translation begins anew"},
};
const size_t embra_param_count = sizeof embra_param_defs / sizeof embra_param_defs[0];
