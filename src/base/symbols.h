/*
 * The guest kernel's symbols, from a file in the format of /proc/kallsyms: "ADDRESS TYPE NAME" lines; what a module
 * defines ("NAME [MODULE]") is left out.
 *
 * A kernel without KALLSYMS_ALL lists functions only. What it exports to modules (EXPORT_SYMBOL), data among it, is in
 * its memory besides, and looked up there when a name is not in the file.
 *
 * Not here: symbols of user programs, types, lines.
 */
#ifndef SIMOS_SYMBOLS_H
#define SIMOS_SYMBOLS_H

#include "src/base/log.h"
#include "src/base/types.h"

struct symbol {
    vaddr address;
    const char *name;
};

struct symbols;

/* Read PATH. NULL with ERR naming the file and the line that is malformed. */
struct symbols *symbols_load(const char *path, struct err *err);
void symbols_free(struct symbols *symbols);

/* Where the kernel's memory is: SIZE bytes at BASE, valid as long as the symbols are. */
struct symbols_image {
    const uint8_t *bytes;
    vaddr base;
    size_t size;
};
void symbols_set_image(struct symbols *symbols, const struct symbols_image *image);

/* The kernel has moved itself by OFFSET. */
void symbols_move(struct symbols *symbols, uint32_t offset);

/* The symbol called NAME, or NULL. Of several (static functions), the one with the lowest address. */
const struct symbol *symbols_find(const struct symbols *symbols, const char *name);

/* The last symbol at or below ADDRESS, or NULL. */
const struct symbol *symbols_at(const struct symbols *symbols, vaddr address);

/* The exported symbol at or last below ADDRESS, data or function, of those that have been looked for; NULL. */
const struct symbol *symbols_exported_at(const struct symbols *symbols, vaddr address);

/* All of them, by rising address: INDEX from 0, NULL at the end. */
const struct symbol *symbols_get(const struct symbols *symbols, size_t index);

/* symbols_exports.c: the kernel's tables of exported symbols in IMAGE, by rising address, to be freed with their names.
 * NULL with *COUNT 0 if there are none (yet). */
struct symbol *symbols_find_exports(const struct symbols_image *image, size_t *count);

#endif
