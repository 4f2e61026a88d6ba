#include "src/command/option_uses.h"

#include <string.h>

static const char *const says[OPTION_USE_COUNT] = {
#define USE(id, text) [OPTION_USE_##id] = (text),
#include "src/command/option_uses.def"
#undef USE
};

const char *option_uses_refuse(uint32_t without, uint32_t uses)
{
    const uint32_t both = without & uses;
    return both ? says[__builtin_ctz(both)] : NULL;
}

/* Parameters of what only some uses do: the first row whose prefix a name begins with holds for it. Of the others, a
 * trace has caches only. */
static const struct {
    const char *prefix;
    uint32_t without;
} param_rows[] = {
    {"trace.cpus", OPTION_USE(NO_TRACE)},
    {"trace.modes", OPTION_USE(NO_TRACE)},
    {"trace.kinds", OPTION_USE(NO_TRACE)},
    {"trace.addresses", OPTION_USE(NO_TRACE)},
    {"trace.", OPTION_USE(NO_TRACE) | OPTION_USE(PRINT) | OPTION_USE(TRACE)},
    {"sweep.method", OPTION_USE(NO_OVER) | OPTION_USE(PRINT)},
    {"sweep.", OPTION_USE(NO_OVER) | OPTION_USE(PRINT) | OPTION_USE(TRACE)},
    {"console.", OPTION_USE(CLUSTER) | OPTION_USE(SHELL) | OPTION_USE(PRINT) | OPTION_USE(TRACE)},
    {"guest.initrd", OPTION_USE(RESTORED) | OPTION_USE(PRINT) | OPTION_USE(TRACE)},
};

uint32_t option_uses_without_param(const struct param_def *def)
{
    for (size_t i = 0; i < sizeof param_rows / sizeof param_rows[0]; i++)
        if (strncmp(def->name, param_rows[i].prefix, strlen(param_rows[i].prefix)) == 0)
            return param_rows[i].without;
    return OPTION_USE(PRINT) | (def->traits & TRAIT_SWEPT ? 0 : OPTION_USE(TRACE));
}
