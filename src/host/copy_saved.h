/*
 * Copy requests in a checkpoint: the requests are saved as text, the files are not.
 *
 * The guest reads the copied-in files between requesting its job and running it, and the copy-out requests after the
 * job. A machine saved at `boot` can therefore get any requests; one saved later keeps its copy-in requests, and their
 * files must be unchanged. A direction for which the saved machine had no disk cannot be added.
 */
#ifndef SIMOS_HOST_COPY_SAVED_H
#define SIMOS_HOST_COPY_SAVED_H

#include "src/host/copy_files.h"

/* The saved text of COPY (NULL: empty): a line "in HOSTPATH:/GUESTFOLDER" or "out /GUESTPATH:HOSTFOLDER" per request,
 * with absolute host paths, and "stream BYTES SHA-256" of the copy-in disk, if it was created. The caller frees it;
 * NULL with ERR if the disk cannot be read. */
char *copy_saved_text(const struct copy_files *copy, struct err *err);

/* Complete *COPY, the requests of the options (NULL: none), with the requests in TEXT of the checkpoint PATH. TRUST:
 * the checkpoint may access host files. False with ERR if it does so without trust, or if a request is impossible. */
bool copy_saved_adopt(struct copy_files **copy, const char *text, bool trust, const char *path, struct err *err);

/* Are COPY's copied-in files those of TEXT? False with ERR. */
bool copy_saved_check(const struct copy_files *copy, const char *text, struct err *err);

#endif
