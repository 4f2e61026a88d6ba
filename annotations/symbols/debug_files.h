/*
 * Host folders with the guest's files or their debug symbol files, which are searched by build-id and by name. The
 * layout is that of unpacked packages and images: FOLDER/usr/bin/x, FOLDER/usr/lib/debug/.build-id/ab/cdef.debug
 * (Debian's -dbg and -dbgsym), FOLDER/x.debug ...
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_DEBUG_FILES_H
#define SIMOS_ANNOTATIONS_SYMBOLS_DEBUG_FILES_H

#include "annotations/symbols/program_file.h"

struct debug_files {
    char **folder;
    unsigned count;
};

void debug_files_release(struct debug_files *files);
/* Also search FOLDER. False with ERR if it is not a folder. */
bool debug_files_add(struct debug_files *files, const char *folder, struct err *err);

/* Open the file with the symbols of the guest's PATH, whose build-id is ID (SIZE 0: unknown). Files with debug
 * symbols are preferred to stripped ones. NULL if there is none. Damaged files and files of another build are
 * reported on stderr. */
struct program_file *debug_files_find(const struct debug_files *files, const char *path, const uint8_t *id,
                                      size_t size);

/* Open the kernel's ELF file, vmlinux*, that ACCEPTS returns true for. NULL if there is none. */
typedef bool debug_files_accept_fn(void *opaque, const struct program_file *file);
struct program_file *debug_files_find_kernel(const struct debug_files *files, debug_files_accept_fn *accepts,
                                             void *opaque);

#endif
