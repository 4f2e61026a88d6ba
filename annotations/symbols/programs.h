/*
 * Symbols of the guest's programs and shared libraries, from ELF files on the host: those that a script names, and
 * those of a folder that holds the guest's files, found by what a process has mapped and told by the build-id.
 */
#ifndef SIMOS_ANNOTATIONS_PROGRAMS_H
#define SIMOS_ANNOTATIONS_PROGRAMS_H

#include "annotations/symbols/debug_files.h"
#include "annotations/symbols/subject.h"
#include "src/base/tcl_versions.h"

struct annotate;
struct annotation;
struct programs;

struct programs *programs_create(struct annotate *annotate);
void programs_free(struct programs *programs); /* NULL is fine */

/* symbol load FILE ?-process NAME? ?-base ADDRESS?; symbol path FOLDER; symbol where ADDRESS: the words behind
 * `symbol`. Results and errors are left in the interpreter. */
int programs_command(struct annotate *annotate, int count, Tcl_Obj *const words[]);

/* The symbol of a program at ADDRESS, as the process that CORE runs has it: "PROGRAM::NAME+0x10". False: none is
 * known. */
bool programs_symbol_text(struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size);

/* The kernel's own function or variable at ADDRESS, from its debug file. NULL: there is none, or no such file. */
const struct symbol *programs_kernel_symbol(struct annotate *annotate, vaddr address);

/* The folders in which files of the guest are looked for; one more (`symbol path`). False with ERR. */
const struct debug_files *programs_folders(const struct annotate *annotate);
bool programs_add_folder(struct annotate *annotate, const char *folder, struct err *err);
/* The file called NAME that `symbol load` has read. NULL: none. */
struct program_file *programs_loaded(const struct annotate *annotate, const char *name);

/* PROGRAM::SYMBOL[+OFFSET] of a program that has been loaded. False with ERR. FIXED: *ADDRESS is that of all processes
 * called PROCESS (16 bytes; "": of any); else it is the file's own. */
struct program;
const struct program *programs_find(const struct annotate *annotate, const char *text, vaddr *address, bool *fixed,
                                    char *process, struct err *err);

/* Where the file's ADDRESS of PROGRAM is in the process that CORE runs now. False: that has not mapped it. */
bool programs_place(struct annotate *annotate, struct core *core, const struct program *program, vaddr address,
                    vaddr *place);

#endif
