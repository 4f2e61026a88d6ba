#include "annotations/symbols/modules.h"

#include "annotations/symbols/guest_view.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 60, MODULES_MAX = 4096, SYMBOLS_MAX = 1 << 16 };

/* The memory that a module keeps: one region up to Linux 6.3; later text, data and two kinds of constants, each in
 * its own pages (the first types of enum mod_mem_type). Region 0 contains the text. */
enum { REGIONS_MAX = 4 };

struct region {
    vaddr base;
    uint32_t size;
};

struct module {
    vaddr address; /* of its struct module */
    char name[NAME_BYTES];
    struct region region[REGIONS_MAX];
    unsigned regions;
};

static bool read_field(const struct guest_view *view, struct core *core, vaddr structure, const char *type,
                       const char *name, uint32_t *value)
{
    uint32_t offset;
    return layout_offset(view, type, name, &offset) &&
           machine_view_read(core, structure + offset, value, sizeof *value);
}

void modules_name(const struct guest_view *view, struct core *core, vaddr address, char *name, size_t size)
{
    uint32_t offset;
    name[0] = '\0';
    if (layout_offset(view, "module", "name", &offset))
        machine_view_string(core, address + offset, name, (uint32_t)size);
}

/* Read the region that the structure of TYPE at PLACE describes. */
static bool read_region(const struct guest_view *view, struct core *core, const char *type, vaddr place,
                        struct module *module)
{
    struct region *region = &module->region[module->regions++];
    return read_field(view, core, place, type, "base", &region->base) &&
           read_field(view, core, place, type, "size", &region->size);
}

static bool read_module(const struct guest_view *view, struct core *core, vaddr address, struct module *module)
{
    uint32_t first, bytes;
    module->address = address;
    module->regions = 0;
    modules_name(view, core, address, module->name, sizeof module->name);
    if (!module->name[0])
        return false;
    if (layout_offset(view, "module", "core_layout", &first))
        return read_region(view, core, "module_layout", address + first, module);
    if (!layout_offset(view, "module", "mem", &first) || !layout_size(view, "module_memory", &bytes))
        return false;
    while (module->regions < REGIONS_MAX)
        if (!read_region(view, core, "module_memory", address + first + module->regions * bytes, module))
            return false;
    return true;
}

/* The list */

/* True if HEAD is the head of a non-empty list of modules. */
static bool is_list(const struct guest_view *view, struct core *core, vaddr head, uint32_t list)
{
    uint32_t next, previous, back;
    struct module module;
    if (!vaddr_is_unmapped(head) || head & 3 || !machine_view_read(core, head, &next, sizeof next) ||
        !machine_view_read(core, head + 4, &previous, sizeof previous) ||
        !machine_view_read(core, next + 4, &back, sizeof back) || back != head || next == head)
        return false;
    return read_module(view, core, next - list, &module) &&
           strspn(module.name, "abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-") ==
               strlen(module.name);
}

/* The kernel's list has no symbol. Its address is searched in functions that use it: each address
 * that they name is checked with is_list(). */
static bool find_in_function(const struct guest_view *view, struct core *core, vaddr function, uint32_t list,
                             vaddr *head)
{
    enum { INSNS = 96 };
    struct isa_addresses addresses = {{0}};
    for (unsigned i = 0; i < INSNS; i++) {
        const struct isa_decoded code = isa_decode_word(core->decoder, machine_view_word(core, function + 4 * i));
        if (isa_names_address(&addresses, &code, head) && is_list(view, core, *head, list))
            return true;
    }
    return false;
}

static bool find_head(const struct guest_view *view, struct core *core, uint32_t list, vaddr *head)
{
    static const char *const functions[] = {"module_kallsyms_on_each_symbol", "print_modules", "module_get_kallsym",
                                            "find_module_all"};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct err err = {""};
        vaddr function;
        if (machine_view_symbol(&view->machine, functions[i], &function, &err) &&
            find_in_function(view, core, function, list, head))
            return true;
    }
    return false;
}

bool modules_list(const struct guest_view *view, struct core *core, vaddr *head)
{
    uint32_t list;
    return layout_offset(view, "module", "list", &list) && find_head(view, core, list, head);
}

/* Search the list of HEAD for the module for which WANTED returns true. */
static bool search_list(const struct guest_view *view, struct core *core, vaddr head, struct module *module,
                        bool (*wanted)(const struct module *module, const void *key), const void *key)
{
    uint32_t list;
    if (!layout_offset(view, "module", "list", &list))
        return false;
    vaddr at = machine_view_word(core, head);
    for (unsigned i = 0; i < MODULES_MAX && at && at != head; i++, at = machine_view_word(core, at))
        if (read_module(view, core, at - list, module) && wanted(module, key))
            return true;
    return false;
}

static bool search(const struct guest_view *view, struct core *core, struct module *module,
                   bool (*wanted)(const struct module *module, const void *key), const void *key)
{
    vaddr head;
    return modules_list(view, core, &head) && search_list(view, core, head, module, wanted, key);
}

/* What is called for each module: no module is the wanted one. */
struct each {
    const struct guest_view *view;
    struct core *core;
    modules_fn *call;
    void *opaque;
};

static bool call_with_regions(const struct module *module, const void *key)
{
    const struct each *each = key;
    for (unsigned region = 0; region < module->regions; region++)
        if (module->region[region].size)
            each->call(each->opaque, module->name, module->region[region].base, module->region[region].size);
    return false;
}

void modules_each(const struct guest_view *view, struct core *core, vaddr head, modules_fn *call, void *opaque)
{
    struct module module;
    search_list(view, core, head, &module, call_with_regions, &(struct each){view, core, call, opaque});
}

static bool call_with_code(const struct module *module, const void *key)
{
    const struct each *each = key;
    const uint32_t whole = module->region[0].size;
    uint32_t first, size = whole;
    if (layout_offset(each->view, "module", "core_layout", &first))
        read_field(each->view, each->core, module->address + first, "module_layout", "text_size", &size);
    each->call(each->opaque, module->name, module->region[0].base, size < whole ? size : whole);
    return false;
}

void modules_each_code(const struct guest_view *view, struct core *core, modules_fn *call, void *opaque)
{
    struct module module;
    search(view, core, &module, call_with_code, &(struct each){view, core, call, opaque});
}

static bool is_called(const struct module *module, const void *name)
{
    return strcmp(module->name, name) == 0;
}

static bool holds(const struct module *module, const void *address)
{
    for (unsigned i = 0; i < module->regions; i++)
        if (*(const vaddr *)address - module->region[i].base < module->region[i].size)
            return true;
    return false;
}

bool modules_has(const struct guest_view *view, struct core *core, const char *name)
{
    struct module module;
    return search(view, core, &module, is_called, name);
}

/* Symbols */

struct table {
    Elf32_Sym *symbols;
    uint32_t count;
    vaddr strings;
};

/* Copy the module's symbol table; the caller frees table->symbols. */
static bool read_table(const struct guest_view *view, struct core *core, const struct module *module,
                       struct table *table)
{
    uint32_t kallsyms, symbols;
    if (!read_field(view, core, module->address, "module", "kallsyms", &kallsyms) ||
        !read_field(view, core, kallsyms, "mod_kallsyms", "symtab", &symbols) ||
        !read_field(view, core, kallsyms, "mod_kallsyms", "num_symtab", &table->count) ||
        !read_field(view, core, kallsyms, "mod_kallsyms", "strtab", &table->strings) || table->count > SYMBOLS_MAX)
        return false;
    const uint32_t bytes = table->count * (uint32_t)sizeof *table->symbols;
    table->symbols = checked_memory(malloc(bytes + 1));
    if (machine_view_read(core, symbols, table->symbols, bytes))
        return true;
    free(table->symbols);
    return false;
}

static void read_name(struct core *core, const struct table *table, uint32_t index, char *name, size_t size)
{
    machine_view_string(core, table->strings + table->symbols[index].st_name, name, (uint32_t)size);
}

bool modules_symbol_text(const struct guest_view *view, struct core *core, vaddr address, char *text, size_t size)
{
    struct module module;
    struct table table;
    char name[128] = "";
    vaddr best = 0;
    if (!search(view, core, &module, holds, &address))
        return false;
    if (read_table(view, core, &module, &table)) {
        uint32_t at = table.count;
        for (uint32_t i = 0; i < table.count; i++)
            if (table.symbols[i].st_shndx != SHN_UNDEF && table.symbols[i].st_value <= address &&
                table.symbols[i].st_value > best && holds(&module, &table.symbols[i].st_value)) {
                best = table.symbols[i].st_value;
                at = i;
            }
        if (at < table.count)
            read_name(core, &table, at, name, sizeof name);
        free(table.symbols);
    }
    if (!name[0])
        best = module.region[0].base;
    int length = snprintf(text, size, "%s%s%s", module.name, name[0] ? "::" : "", name);
    if (address != best && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "+0x%x", address - best);
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    return x->address != y->address ? (x->address < y->address ? -1 : 1) : strcmp(x->name, y->name);
}

struct symbol *modules_symbols(const struct guest_view *view, struct core *core, const char *name, size_t *count)
{
    enum { NAME_MAX_BYTES = 64 };
    struct module module;
    struct table table;
    *count = 0;
    if (!search(view, core, &module, is_called, name) || !read_table(view, core, &module, &table))
        return NULL;
    struct symbol *symbols = checked_memory(calloc(table.count + 1, sizeof *symbols + NAME_MAX_BYTES));
    char *text = (char *)(symbols + table.count + 1);
    for (uint32_t i = 0; i < table.count; i++, text += NAME_MAX_BYTES) {
        if (table.symbols[i].st_shndx == SHN_UNDEF || !holds(&module, &table.symbols[i].st_value))
            continue;
        read_name(core, &table, i, text, NAME_MAX_BYTES);
        if (*text)
            symbols[(*count)++] =
                (struct symbol){.address = table.symbols[i].st_value - module.region[0].base, .name = text};
    }
    free(table.symbols);
    qsort(symbols, *count, sizeof *symbols, by_address);
    return symbols;
}

bool modules_find(const struct guest_view *view, struct core *core, const char *name, const char *symbol,
                  struct address_list *list, struct err *err)
{
    struct module module;
    struct table table;
    bool found = false;
    if (!search(view, core, &module, is_called, name))
        return err_set(err, "no module \"%.64s\" is loaded", name);
    if (!read_table(view, core, &module, &table))
        return err_set(err, "the symbols of module \"%.64s\" cannot be read", name);
    for (uint32_t i = 0; i < table.count; i++) {
        char text[128];
        if (table.symbols[i].st_shndx == SHN_UNDEF)
            continue;
        read_name(core, &table, i, text, sizeof text);
        if (strcmp(text, symbol) != 0)
            continue;
        found = true;
        address_list_add(list, table.symbols[i].st_value);
    }
    free(table.symbols);
    return found || err_set(err, "module \"%.64s\" has no symbol \"%.64s\"", name, symbol);
}
