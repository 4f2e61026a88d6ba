/*
 * Kernel modules: which are loaded, where, and their symbols, all read from guest memory (struct module of `library
 * layout`, and each module's symbol table). No value read from the guest is trusted.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_MODULES_H
#define SIMOS_ANNOTATIONS_SYMBOLS_MODULES_H

#include "annotations/symbols/machine_view.h"

struct guest_view;

/* Symbol of a module at ADDRESS: "MODULE::NAME+0x10", or "MODULE+0x10" if it has no symbol. False if there is no
 * module. */
bool modules_symbol_text(const struct guest_view *view, struct core *core, vaddr address, char *text, size_t size);

/* All symbols of module MODULE, sorted by address, which is relative to the start of its text; the caller frees
 * them, names included. NULL with *COUNT 0 if it is not loaded or has no symbol table. */
struct symbol *modules_symbols(const struct guest_view *view, struct core *core, const char *module, size_t *count);

/* Add the addresses of all symbols SYMBOL in module MODULE to LIST. False with ERR if the module is not loaded or has
 * no such symbol. */
bool modules_find(const struct guest_view *view, struct core *core, const char *module, const char *symbol,
                  struct address_list *list, struct err *err);
/* True if a module NAME is loaded. */
bool modules_has(const struct guest_view *view, struct core *core, const char *module);

/* Address of the head of the kernel's module list, whose first link leads to the newest module. False if not found
 * (yet). */
bool modules_list(const struct guest_view *view, struct core *core, vaddr *head);
/* Call CALL for each memory region of each module in the list at HEAD; a module's text region comes first. */
typedef void modules_fn(void *opaque, const char *name, vaddr base, uint32_t size);
void modules_each(const struct guest_view *view, struct core *core, vaddr head, modules_fn *call, void *opaque);

/* Call CALL with the code of each loaded module: the beginning of its text region, of SIZE bytes. */
void modules_each_code(const struct guest_view *view, struct core *core, modules_fn *call, void *opaque);

/* Name of the struct module at ADDRESS; empty if it has none. */
void modules_name(const struct guest_view *view, struct core *core, vaddr address, char *name, size_t size);

#endif
