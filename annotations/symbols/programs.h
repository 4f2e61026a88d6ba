/*
 * Symbols of the guest's programs and shared libraries, from ELF files on the host: files that a script names, and
 * files in folders with the guest's files, found by the mappings of a process and checked by build-id.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_PROGRAMS_H
#define SIMOS_ANNOTATIONS_SYMBOLS_PROGRAMS_H

#include "annotations/symbols/debug_files.h"
#include "annotations/symbols/machine_view.h"

struct guest_view;
struct programs;

struct programs *programs_create(void);
void programs_free(struct programs *programs); /* NULL is ignored */

/* Adds FILE (owned), at *BASE (NULL: where the file says, or the process maps it), in processes called PROCESS ("": in
 * all). */
void programs_add(struct guest_view *view, struct program_file *file, const char *process, const vaddr *base);

/* "FILE:LINE" of ADDRESS in the process that CORE runs, or in the kernel; TEXT is left alone if it is not known. */
void programs_line(struct guest_view *view, struct core *core, vaddr address, char *text, size_t size);

/* Symbol of a program at ADDRESS in the process that CORE runs: "PROGRAM::NAME+0x10". False if unknown. */
bool programs_symbol_text(struct guest_view *view, struct core *core, vaddr address, char *text, size_t size);

/* The kernel's function or variable at ADDRESS, from its debug file. NULL if there is none, or no such file. */
const struct symbol *programs_kernel_symbol(struct guest_view *view, vaddr address);

/* The folders that are searched for the guest's files; add one (`symbol path`). False with ERR. */
const struct debug_files *programs_folders(const struct guest_view *view);
bool programs_add_folder(struct guest_view *view, const char *folder, struct err *err);
/* The file called NAME that `symbol load` has read. NULL: none. */
struct program_file *programs_loaded(const struct guest_view *view, const char *name);

/* Add the addresses of PROGRAM::SYMBOL[+OFFSET] of a loaded program to the empty LIST. NULL with ERR. If *FIXED, they
 * are valid in all processes called PROCESS (16 bytes; "": any process); else they are the file's own addresses. */
struct program;
const struct program *programs_find(const struct guest_view *view, const char *text, struct address_list *list,
                                    bool *fixed, char *process, struct err *err);

/* Address *PLACE of the file's ADDRESS of PROGRAM in the process that CORE runs. False if it is not mapped. */
bool programs_mapped_address(struct guest_view *view, struct core *core, const struct program *program, vaddr address,
                             vaddr *place);

#endif
