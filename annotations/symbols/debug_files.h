/*
 * Folders on the host with the guest's files, or with the files of debug symbols that go with them: where those of a
 * program are, by its build-id or by its name. As unpacked packages and images have them: FOLDER/usr/bin/x,
 * FOLDER/usr/lib/debug/.build-id/ab/cdef.debug (Debian's -dbg and -dbgsym), FOLDER/x.debug ...
 */
#ifndef SIMOS_ANNOTATIONS_DEBUG_FILES_H
#define SIMOS_ANNOTATIONS_DEBUG_FILES_H

#include "annotations/symbols/program_file.h"

struct debug_files {
    char **folder;
    unsigned count;
};

void debug_files_release(struct debug_files *files);
/* Look in FOLDER too. False with ERR: it is none. */
bool debug_files_add(struct debug_files *files, const char *folder, struct err *err);

/* The file with the symbols of the guest's PATH, whose build-id is ID (SIZE 0: not known). NULL: there is none. What is
 * there, but damaged or of another build, is said on stderr. Debug symbols come before what is stripped of them. */
struct program_file *debug_files_find(const struct debug_files *files, const char *path, const uint8_t *id,
                                      size_t size);

/* The kernel's, ELF: vmlinux*. ACCEPTS says whether this is the one. */
typedef bool debug_files_accept_fn(void *opaque, const struct program_file *file);
struct program_file *debug_files_find_kernel(const struct debug_files *files, debug_files_accept_fn *accepts,
                                             void *opaque);

#endif
