/*
 * An ELF file of a program or shared library of the guest, on the host: its symbols, and where its source lines are
 * (DWARF, if it has it). Addresses are the file's own; where it lies in a process is others' business.
 */
#ifndef SIMOS_ANNOTATIONS_PROGRAM_FILE_H
#define SIMOS_ANNOTATIONS_PROGRAM_FILE_H

#include "src/base/log.h"
#include "src/base/symbols.h"
#include "src/base/types.h"

struct program_file;

/* Read PATH. NULL with ERR: it is not there, or no MIPS ELF file. */
struct program_file *program_file_open(const char *path, struct err *err);
void program_file_close(struct program_file *file); /* NULL is fine */

/* Its path without folders. */
const char *program_file_name(const struct program_file *file);
/* Does it lie where its addresses say? Else it is moved as a whole: a shared library, a position-independent program.
 */
bool program_file_is_fixed(const struct program_file *file);
/* Addresses that it takes, first and last. */
void program_file_range(const struct program_file *file, vaddr *first, vaddr *last);
/* Where the byte OFFSET of the file is. False: it is not loaded. */
bool program_file_address_of(const struct program_file *file, uint32_t offset, vaddr *address);
/* Its build-id, SIZE bytes, and its offset in the file; NULL: it has none. */
const uint8_t *program_file_build_id(const struct program_file *file, size_t *size, uint32_t *offset);

/* The function or object called NAME; the one at ADDRESS, or the last below it if that does not say how long it is.
 * NULL. Names lie in FILE. */
const struct symbol *program_file_find(const struct program_file *file, const char *name);
const struct symbol *program_file_at(const struct program_file *file, vaddr address);

/* "FILE:LINE" of ADDRESS. False: it has no lines, or none there. */
bool program_file_line(struct program_file *file, vaddr address, char *text, size_t size);

#endif
