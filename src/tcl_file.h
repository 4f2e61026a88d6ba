/*
 * Files of Tcl that describe something: read in one piece, evaluated by a safe interpreter that comes to an end. Nobody
 * who is given such a file need fear more from it than a wrong description.
 */
#ifndef SIMOS_TCL_FILE_H
#define SIMOS_TCL_FILE_H

#include "annotations/tcl_versions.h"
#include "src/log.h"

/* The text of the file PATH, to be freed. NULL with ERR, which begins with WHAT ("cluster") and PATH: it cannot be
 * read, is longer than 1 MB, or is no text. */
char *tcl_file_read(const char *what, const char *path, struct err *err);

/* An interpreter without access to files, processes or the network, which ends what takes a million commands or 5
 * seconds of the host. It is the child of one that does nothing: only a child can be made safe in Tcl 9. */
Tcl_Interp *tcl_file_interp(void);
void tcl_file_interp_free(Tcl_Interp *interp);

/* Evaluate TEXT. False with ERR: WHAT, PATH, the line, and what is wrong there. */
bool tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err);

#endif
