/*
 * Files of Tcl that describe something: read in one piece, evaluated in a process of their own by a safe interpreter
 * that comes to an end. What comes back from there are the commands that the file has given, as plain words, and only
 * those are carried out here. So nobody who is given such a file need fear more from it than a wrong description: not a
 * crash of Tcl's parser on deep nesting either, nor a number that takes a gigabyte.
 */
#ifndef SIMOS_TCL_FILE_H
#define SIMOS_TCL_FILE_H

#include "src/base/tcl_versions.h"
#include "src/base/log.h"

/* The text of the file PATH, to be freed. NULL with ERR, which begins with WHAT ("cluster") and PATH: it cannot be
 * read, is longer than 1 MB, or is no text. */
char *tcl_file_read(const char *what, const char *path, struct err *err);

/* An interpreter without access to files, processes or the network, which ends what takes a million commands. It is the
 * child of one that does nothing: only a child can be made safe in Tcl 9. */
Tcl_Interp *tcl_file_interp(void);
void tcl_file_interp_free(Tcl_Interp *interp);

/* Add a command of the file's language. PLAIN: it is carried out with its words. BLOCK: so it is, and its last word is
 * a script of the language. INLINE: it only evaluates others of the language. */
enum tcl_file_kind { TCL_FILE_PLAIN, TCL_FILE_BLOCK, TCL_FILE_INLINE };
void tcl_file_command(Tcl_Interp *interp, const char *name, enum tcl_file_kind kind, Tcl_ObjCmdProc *proc,
                      ClientData data);

/* Evaluate TEXT in a process of its own, and carry out here the commands of the language that it gives. There it may
 * take 2 seconds of processor time, 512 MB of memory more than this process has, and commands of 16 MB. False with ERR:
 * WHAT, PATH, the line, and what is wrong there. */
bool tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);

/* The same of a text of our own, in this process. */
bool tcl_file_eval_own(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);

#endif
