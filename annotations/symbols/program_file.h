/*
 * An ELF file on the host of a guest's program or shared library: symbols and source lines (DWARF, if present).
 * Addresses are in the file's own address space, without the load address in a process.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_PROGRAM_FILE_H
#define SIMOS_ANNOTATIONS_SYMBOLS_PROGRAM_FILE_H

#include "src/base/log.h"
#include "src/base/symbols.h"
#include "src/base/types.h"

struct program_file;

/* Read PATH. NULL with ERR if it cannot be read or is not an ELF file for MIPS. */
struct program_file *program_file_open(const char *path, struct err *err);
void program_file_close(struct program_file *file); /* NULL is ignored */

/* Its file name without folders. */
const char *program_file_name(const struct program_file *file);
/* True if it is loaded at its own addresses (ET_EXEC). Otherwise it is position-independent: a shared library or
 * PIE. */
bool program_file_is_fixed(const struct program_file *file);
/* First and last address that it occupies. */
void program_file_range(const struct program_file *file, vaddr *first, vaddr *last);
/* Address of the byte OFFSET of the file. False if it is not in a loaded segment. */
bool program_file_address_of(const struct program_file *file, uint32_t offset, vaddr *address);
/* Its build-id, of SIZE bytes, and the offset of the build-id in the file; NULL: none. */
const uint8_t *program_file_build_id(const struct program_file *file, size_t *size, uint32_t *offset);

/* Add the addresses of all functions and objects NAME to LIST; false if there is none. */
bool program_file_find_all(const struct program_file *file, const char *name, struct address_list *list);
/* The function or object NAME, the one of several with the lowest address; the one that contains ADDRESS, or the last
 * one below it if that has no size. NULL: none. Names are owned by FILE. */
const struct symbol *program_file_find(const struct program_file *file, const char *name);
const struct symbol *program_file_at(const struct program_file *file, vaddr address);

/* Source line of ADDRESS as "FILE:LINE". False if unknown. */
bool program_file_line(struct program_file *file, vaddr address, char *text, size_t size);

#endif
