/*
 * Symbols of the guest kernel or bare program, from its own symbol table or from a file in the format of
 * /proc/kallsyms: "ADDRESS TYPE NAME" lines; symbols of modules ("NAME [MODULE]") are skipped.
 *
 * A kernel without KALLSYMS_ALL lists functions only; a file that has data too has all symbols. Symbols that it exports
 * to modules (EXPORT_SYMBOL), including data, are also in its memory; a name missing in the file is looked up there.
 *
 * Not supported: symbols of user programs, types, line numbers.
 */
#ifndef SIMOS_BASE_SYMBOLS_H
#define SIMOS_BASE_SYMBOLS_H

#include "src/base/address_list.h"
#include "src/base/log.h"
#include "src/base/types.h"

struct symbol {
    vaddr address;
    const char *name;
    uint8_t rank; /* of several at one address, symbols_at() returns one with the highest rank */
};

struct symbols;

/* Read PATH. NULL with ERR naming the file and the malformed line. */
struct symbols *symbols_load(const char *path, struct err *err);
/* The symbols of a table in memory: COUNT of LIST, in any order. Names are copied. */
struct symbols *symbols_make(const struct symbol *list, size_t count);
void symbols_free(struct symbols *symbols);

/* The kernel's memory: SIZE bytes at BASE; must be valid as long as the symbols. */
struct symbols_image {
    const uint8_t *bytes;
    vaddr base;
    size_t size;
};
void symbols_set_image(struct symbols *symbols, const struct symbols_image *image);

/* The kernel has relocated itself by OFFSET. */
void symbols_move(struct symbols *symbols, uint32_t offset);
/* By how much it has, modulo 2^32. */
uint32_t symbols_moved_by(const struct symbols *symbols);

/* The symbol NAME, or NULL. Of several (static functions) the one with the lowest address. */
const struct symbol *symbols_find(const struct symbols *symbols, const char *name);
/* Add the addresses of all symbols NAME to LIST. False if there is none. */
bool symbols_find_all(const struct symbols *symbols, const char *name, struct address_list *list);
/* The first name of a symbol that is NAME but for upper and lower case, to suggest it; NULL if there is none. */
const char *symbols_in_other_case(const struct symbols *symbols, const char *name);

/* The kernel's code, from *FIRST up to *END: its symbols _text and _etext. False if SYMBOLS, which may be NULL, lack
 * one. */
bool symbols_text(const struct symbols *symbols, vaddr *first, vaddr *end);

/* Do they include data? A list of functions only has none. */
bool symbols_have_data(const struct symbols *symbols);

/* The last symbol at or below ADDRESS, or NULL. */
const struct symbol *symbols_at(const struct symbols *symbols, vaddr address);

/* The last exported symbol, data or function, at or below ADDRESS; NULL if there is none. A file or table that has all
 * symbols exports all. */
const struct symbol *symbols_exported_at(const struct symbols *symbols, vaddr address);

/* All symbols by ascending address: INDEX from 0, NULL behind the last one. */
const struct symbol *symbols_get(const struct symbols *symbols, size_t index);

/* symbols_exports.c: find the kernel's tables of exported symbols in IMAGE. Returns the symbols by ascending address,
 * in one allocation with their names; the caller frees it. NULL with *COUNT 0 if there are none (yet). */
struct symbol *symbols_find_exports(const struct symbols_image *image, size_t *count);

#endif
