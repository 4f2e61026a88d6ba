/*
 * Files in and out of a guest that is saved: what was asked for is in the checkpoint, as a text; the files are not.
 *
 * The guest reads the files of the way in between asking for its job and running it, and what it is to bring after the
 * job. So a machine that was saved at `boot` can be given any; one that was saved later has the same on the way in, and
 * these must be unchanged. A machine that had no disk for a way cannot be given one.
 */
#ifndef SIMOS_COPY_SAVED_H
#define SIMOS_COPY_SAVED_H

#include "src/host/copy_files.h"

/* The text for COPY (NULL: empty): a line "in HOSTPATH:/GUESTFOLDER" or "out /GUESTPATH:HOSTFOLDER" for each request,
 * host's paths from the root, and "stream BYTES SHA-256" of the disk of the way in, if it has been made. To be freed;
 * NULL with ERR if that cannot be read. */
char *copy_saved_text(const struct copy_files *copy, struct err *err);

/* Complete *COPY, what options have asked for (NULL: nothing), by what TEXT, of the checkpoint PATH, has; TRUST: the
 * checkpoint may ask for the host's files. False with ERR if it may not and does, or if what is asked for cannot be. */
bool copy_saved_adopt(struct copy_files **copy, const char *text, bool trust, const char *path, struct err *err);

/* Are COPY's files on the way in those of TEXT? False with ERR. */
bool copy_saved_check(const struct copy_files *copy, const char *text, struct err *err);

#endif
