/*
 * The settings of a description file's jobs, as Tcl commands (src/tcl/tcl_file.h): which checkpoint, machine,
 * parameters, command and limits. Each is an axis of a product (src/sweep/sweep_product.h).
 *
 *     checkpoint FILE ?FILE ...?      the checkpoint to restore
 *     machine NAME|FILE.tcl ?...?     --machine
 *     cpu MODEL ?MODEL ...?           --cpu
 *     param NAME VALUE ?VALUE ...?    --set
 *     seconds S ?S ...?               --seconds
 *     max-insns N ?N ...?             --max-insns
 *     command WORD ?WORD ...?         the guest's command
 *     option WORD ?WORD ...?          further arguments of `simos restore`; name their files with `input`
 *     input FILE ?FILE ...?           further files that the result depends on
 */
#ifndef SIMOS_SWEEP_SWEEP_SETTINGS_H
#define SIMOS_SWEEP_SWEEP_SETTINGS_H

#include "src/tcl/tcl_versions.h"
#include "src/machine/machine.h"
#include "src/sweep/sweep_product.h"

struct sweep_settings {
    struct sweep_product *product;  /* the commands set its axes; may be exchanged between them */
    struct machine_options scratch; /* to validate values */
};

/* ORIGIN: the file, if it has no access to the host; NULL: it is trusted. */
void sweep_settings_begin(struct sweep_settings *settings, struct sweep_product *product, const char *origin);
void sweep_settings_end(struct sweep_settings *settings);

/* Add the commands to INTERP; SETTINGS is their argument. */
void sweep_settings_define(struct sweep_settings *settings, Tcl_Interp *interp);

/* Make ERR the result of a command of INTERP. Returns TCL_ERROR. */
int sweep_settings_fail(Tcl_Interp *interp, const struct err *err);

#endif
