/*
 * `symbol data ADDRESS`: description of the data at an address, as a dict for scripts (docs/reference/annotations.md).
 */
#ifndef SIMOS_ANNOTATIONS_TCL_DATA_DESCRIBE_H
#define SIMOS_ANNOTATIONS_TCL_DATA_DESCRIBE_H

#include "annotations/symbols/machine_view.h"
#include "src/tcl/tcl_versions.h"

struct annotate;

/* COUNT words after `symbol data`. Returns a Tcl result code; result or error message is left in the interpreter. */
int data_describe_command(struct annotate *annotate, int count, Tcl_Obj *const words[]);

/* Name of the kernel or per-CPU variable at ADDRESS, as "NAME+0x10"; empty if there is no symbol. ADDRESS must be of
 * class kernel data, kernel text or per-CPU data. */
void data_variable(struct annotate *annotate, vaddr address, char *text, size_t size);

#endif
