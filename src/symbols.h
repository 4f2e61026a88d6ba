/*
 * The guest kernel's symbols, from a file in the format of /proc/kallsyms: "ADDRESS TYPE NAME" lines; what a module
 * defines ("NAME [MODULE]") is left out.
 *
 * Not here: symbols of user programs, types, lines.
 */
#ifndef SIMOS_SYMBOLS_H
#define SIMOS_SYMBOLS_H

#include "src/log.h"
#include "src/types.h"

struct symbol {
    vaddr address;
    const char *name;
};

struct symbols;

/* Read PATH. NULL with ERR naming the file and the line that is malformed. */
struct symbols *symbols_load(const char *path, struct err *err);
void symbols_free(struct symbols *symbols);

/* The symbol called NAME, or NULL. Of several (static functions), the one with the lowest address. */
const struct symbol *symbols_find(const struct symbols *symbols, const char *name);

/* The last symbol at or below ADDRESS, or NULL. */
const struct symbol *symbols_at(const struct symbols *symbols, vaddr address);

/* All of them, by rising address: INDEX from 0, NULL at the end. */
const struct symbol *symbols_get(const struct symbols *symbols, size_t index);

#endif
