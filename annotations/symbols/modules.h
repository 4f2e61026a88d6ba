/*
 * Kernel modules: which are loaded, where, and their symbols, all from the guest's memory (struct module of `library
 * layout`, the module's own table of symbols). Nothing that is read is trusted.
 */
#ifndef SIMOS_ANNOTATIONS_MODULES_H
#define SIMOS_ANNOTATIONS_MODULES_H

#include "annotations/symbols/subject.h"

struct annotate;

/* The symbol of a module at ADDRESS: "MODULE::NAME+0x10", or "MODULE+0x10" if it has no names. False: no module is
 * there. */
bool modules_symbol_text(const struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size);

/* All symbols of the module called MODULE, by rising distance from where its text begins, which is what their addresses
 * are; to be freed, with their names. NULL with *COUNT 0: it is not loaded, or has none. */
struct symbol *modules_symbols(const struct annotate *annotate, struct core *core, const char *module, size_t *count);

/* The address of SYMBOL of the module called MODULE. False with ERR: it is not loaded, or has no such symbol. */
bool modules_find(const struct annotate *annotate, struct core *core, const char *module, const char *symbol,
                  vaddr *address, struct err *err);
/* Is a module of that name loaded? */
bool modules_has(const struct annotate *annotate, struct core *core, const char *module);

/* The head of the kernel's list of modules, whose first word leads to the newest. False: it cannot be found (yet). */
bool modules_list(const struct annotate *annotate, struct core *core, vaddr *head);
/* TELL of each of the list at HEAD, of every part of its memory: that of its text comes first. */
typedef void modules_fn(void *opaque, const char *name, vaddr base, uint32_t size);
void modules_each(const struct annotate *annotate, struct core *core, vaddr head, modules_fn *tell, void *opaque);

/* The name of the struct module at ADDRESS; empty if it has none. */
void modules_name(const struct annotate *annotate, struct core *core, vaddr address, char *name, size_t size);

#endif
