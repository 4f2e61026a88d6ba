/*
 * Tcl files that contain descriptions: read completely, evaluated in a separate process by a safe interpreter with
 * resource limits. The process returns the description commands that the file executed, as plain words, and only those
 * are executed here. An untrusted file can therefore cause nothing worse than a wrong description; neither a crash of
 * Tcl's parser by deep nesting nor excessive memory use affects this process.
 */
#ifndef SIMOS_TCL_TCL_FILE_H
#define SIMOS_TCL_TCL_FILE_H

#include "src/tcl/tcl_versions.h"
#include "src/base/log.h"

/* Create an interpreter without access to files, processes or the network, and with a limit of a million commands. It
 * is the child of an empty one, since in Tcl 9 only a child can be made safe. */
Tcl_Interp *tcl_file_interp(void);
void tcl_file_interp_free(Tcl_Interp *interp);

/* Add a command of the description language. PLAIN: executed with its words. BLOCK: also executed, and its last word is
 * a script of the language. INLINE: only evaluates other commands of the language. */
enum tcl_file_kind { TCL_FILE_PLAIN, TCL_FILE_BLOCK, TCL_FILE_INLINE };
void tcl_file_command(Tcl_Interp *interp, const char *name, enum tcl_file_kind kind, Tcl_ObjCmdProc *proc,
                      ClientData data);

/* Evaluate TEXT in a separate process, and execute its description commands here. Limits of the process: 4 seconds of
 * processor time, 512 MB of memory more than this process has, 16 MB of commands. False with ERR: WHAT, PATH, the line,
 * and the error. A global variable with a dot in its name is an error: a parameter was meant. */
bool tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);

/* As tcl_file_eval(), for a trusted text, in this process. */
bool tcl_file_eval_trusted(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);

#endif
