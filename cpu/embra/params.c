/* embra's parameters and figures: there on every host, so that command lines and statistics mean the same everywhere.
 */
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

/* Every host's statistics have them: where embra does not run they are 0. */
const struct cpu_model_figure embra_figures[EMBRA_FIGURES + 1] = {
    {"traces", "traces", "translated"},
    {"translated_insns", "instructions", "of the guest in them"},
    {"code_bytes", "bytes", "of the host's code in them"},
    {"dropped_pages", "pages", "of translated code dropped because the guest's code changed, or hooks"},
    {"flushes", "", "times that embra.code_cache was full and all code dropped"},
    {0},
};
