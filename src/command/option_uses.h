/*
 * Uses of the commands (option_uses.def). Each option lists the uses in which it would have no effect, and each
 * parameter that --set gives likewise (option_uses.c): there it is refused, so that whatever is accepted is obeyed. The
 * command says which uses its options are (struct command, src/command/command.h).
 */
#ifndef SIMOS_COMMAND_OPTION_USES_H
#define SIMOS_COMMAND_OPTION_USES_H

#include "src/base/params.h"

enum option_use {
#define USE(id, text) OPTION_USE_##id,
#include "src/command/option_uses.def"
#undef USE
    OPTION_USE_COUNT
};

/* The set of the one use ID: OPTION_USE(LOCKSTEP). */
#define OPTION_USE(id) ((uint32_t)1 << OPTION_USE_##id)

/* What is said of an option that has no effect in one of the uses WITHOUT, if USES has one of them; NULL: it has not.
 */
const char *option_uses_refuse(uint32_t without, uint32_t uses);

/* The uses in which the parameter DEF has no effect. Parameters describe a machine: those of parts and CPU models that
 * it does not have are allowed, so that one description serves several machines. */
uint32_t option_uses_without_param(const struct param_def *def);

#endif
