/*
 * `symbol data ADDRESS`: all that can be said of the data at an address, as a dict for scripts
 * (docs/reference/annotations.md).
 */
#ifndef SIMOS_ANNOTATIONS_DATA_DESCRIBE_H
#define SIMOS_ANNOTATIONS_DATA_DESCRIBE_H

#include "annotations/subject.h"
#include "annotations/tcl_versions.h"

struct annotate;

/* The words behind `symbol data`; the result or an error is left in the interpreter. */
int data_describe_command(struct annotate *annotate, int count, Tcl_Obj *const words[]);

/* The variable of the kernel, or of each processor, that ADDRESS of class kernel data, kernel text or per-CPU data is
 * in, "NAME+0x10"; empty if no symbol is known there. */
void data_variable(struct annotate *annotate, vaddr address, char *text, size_t size);

#endif
