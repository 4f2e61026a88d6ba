/*
 * The commands of a machine description (src/description/machine_file.h). Each only sets parameters:
 *
 *     param NAME VALUE                       parameter NAME
 *     GROUP ?MEMBER? ?-KEY VALUE ...?        parameters GROUP.KEY, or GROUP.MEMBER.KEY: cpu -clock 200MHz,
 *                                            cache l1d -size 16K -line 16 -ways 2, memory -miss_time 1us
 *     like NAME                              apply the built-in description NAME
 *
 * There is a command for every GROUP: the part of a parameter's name before the first dot.
 */
#ifndef SIMOS_DESCRIPTION_MACHINE_COMMANDS_H
#define SIMOS_DESCRIPTION_MACHINE_COMMANDS_H

#include "src/tcl/tcl_versions.h"
#include "src/base/params.h"

/* Add the commands to INTERP; they set PARAMS, which must outlive it. */
void machine_commands_add(Tcl_Interp *interp, struct params *params);

#endif
