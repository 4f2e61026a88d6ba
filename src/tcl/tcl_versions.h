/*
 * Compatibility of Tcl 8.6 and 9.0. To be included instead of <tcl.h>.
 *
 * Lengths and numbers of elements are Tcl_Size: ptrdiff_t in 9.0, int in 8.6. Functions that 9.0 lacks are not used.
 */
#ifndef SIMOS_TCL_TCL_VERSIONS_H
#define SIMOS_TCL_TCL_VERSIONS_H

#include <tcl.h>

/* A name of 8.6 for Tcl_Panic(). */
#undef panic

/* Late versions of 8.6 define both. */
#ifndef TCL_SIZE_MAX
typedef int Tcl_Size;
#define TCL_SIZE_MAX 0x7fffffff
#endif

#if TCL_MAJOR_VERSION < 9 && !defined Tcl_CreateChild
#define Tcl_CreateChild Tcl_CreateSlave
#define Tcl_GetParent   Tcl_GetMaster
#endif

#endif
