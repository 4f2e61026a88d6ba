#include "annotations/symbols/code_locations.h"

#include "annotations/symbols/guest_view.h"
#include "annotations/symbols/programs.h"
#include "annotations/symbols/guest_elf.h"
#include "annotations/symbols/module_ranges.h"
#include "annotations/symbols/modules.h"
#include <stdlib.h>

enum { NAME = 512, OBJECTS_MAX = 1 << 16, PLACES = 256, HEADER_TRIES = 64, COMM = 16 };

enum object_kind { OBJECT_KERNEL, OBJECT_MODULE, OBJECT_FILE, OBJECT_PROCESS };

struct object {
    enum object_kind kind;
    char name[NAME];        /* OBJECT_FILE: its path in the guest; else name of the module or process */
    uint32_t number;        /* OBJECT_FILE: inode number */
    struct symbol *symbols; /* OBJECT_MODULE: symbol table; NULL: not read yet */
    size_t symbol_count;
    struct guest_elf elf;
    unsigned tries;        /* attempts to read the ELF headers */
    unsigned search_state; /* state of the folders and headers at the last search for the file; 0: not searched yet */
    struct program_file *file; /* on the host; NULL: not found */
};

/* Cached result for a page, valid as long as the same way leads to its area (vm_area_struct), which still has the same
 * fields: an mm may be where another one was, and a freed area keeps its fields. */
struct cached_location {
    vaddr mm, page;
    struct mapping_way way;
    vaddr area;         /* vm_area_struct */
    uint32_t fields[6]; /* fields of the area: begin, end, mm, page offset, file, inode of the file */
    unsigned object;
    uint32_t difference; /* offset - pc */
};
enum { FIELD_FILE = 4 };

struct code_locations {
    struct guest_view *view;
    struct object *objects;
    unsigned count, room;
    struct module_ranges modules;
    struct cached_location known[PLACES];
};

struct code_locations *code_locations_create(struct guest_view *view)
{
    struct code_locations *places = checked_memory(calloc(1, sizeof *places));
    places->view = view;
    places->room = 16;
    places->objects = checked_memory(calloc(places->room, sizeof *places->objects));
    places->count = 1;
    snprintf(places->objects[CODE_KERNEL].name, NAME, "kernel");
    return places;
}

void code_locations_free(struct code_locations *places)
{
    if (!places)
        return;
    for (unsigned i = 0; i < places->count; i++) {
        program_file_close(places->objects[i].file);
        free(places->objects[i].symbols);
    }
    free(places->objects);
    free(places);
}

/* Objects */

/* Index of the object, created if necessary. Names come from the guest: beyond OBJECTS_MAX, new code is assigned to
 * the kernel. */
static unsigned object_of(struct code_locations *places, enum object_kind kind, const char *name, uint32_t number)
{
    for (unsigned i = places->count; i-- > 0;) {
        const struct object *object = &places->objects[i];
        if (object->kind == kind && object->number == number && strcmp(object->name, name) == 0)
            return i;
    }
    if (places->count == OBJECTS_MAX)
        return CODE_KERNEL;
    if (places->count == places->room) {
        places->room *= 2;
        places->objects = checked_memory(realloc(places->objects, places->room * sizeof *places->objects));
    }
    struct object *object = &places->objects[places->count];
    *object = (struct object){.kind = kind, .number = number};
    snprintf(object->name, sizeof object->name, "%s", name);
    for (char *at = object->name; *at; at++)
        if (*at == '"' || *at == '\\')
            *at = '?';
    return places->count++;
}

/* The ELF headers are at offset 0 of the file, which is mapped directly below, and may not be in memory yet. At most
 * HEADER_TRIES attempts. */
static void read_headers(struct code_locations *places, struct core *core, struct object *object,
                         const struct mapping *mapping)
{
    struct mapping first = *mapping;
    if (object->elf.known || object->tries++ >= HEADER_TRIES)
        return;
    const vaddr task = kernel_current(guest_view_kernel(places->view), core);
    if (mapping->offset != 0 && (!mapping_at(places->view, core, task, mapping->first - mapping->offset, &first) ||
                                 first.offset != 0 || first.number != mapping->number))
        return;
    guest_elf_read(core, first.first, &object->elf);
}

static unsigned object_of_mapping(struct code_locations *places, struct core *core, const struct mapping *mapping)
{
    const unsigned number = object_of(places, OBJECT_FILE, mapping->path, mapping->number);
    if (number != CODE_KERNEL)
        read_headers(places, core, &places->objects[number], mapping);
    return number;
}

/* Locations */

static bool is_unchanged(const struct kernel_memory *kernel, const struct cached_location *known)
{
    const struct kernel_offsets *at = &kernel->at;
    for (unsigned i = 0; i < known->way.steps; i++)
        if (kernel_word(kernel, known->way.step[i].at) != known->way.step[i].word)
            return false;
    return kernel_word(kernel, known->area + at->area.start) == known->fields[0] &&
           kernel_word(kernel, known->area + at->area.end) == known->fields[1] &&
           kernel_word(kernel, known->area + at->area.mm) == known->fields[2] &&
           kernel_word(kernel, known->area + at->area.offset) == known->fields[3] &&
           kernel_word(kernel, known->area + at->area.file) == known->fields[FIELD_FILE] &&
           kernel_word(kernel, known->fields[FIELD_FILE] + at->file.inode) == known->fields[5];
}

static void read_fields(const struct kernel_memory *kernel, struct cached_location *known)
{
    const struct kernel_offsets *at = &kernel->at;
    known->fields[0] = kernel_word(kernel, known->area + at->area.start);
    known->fields[1] = kernel_word(kernel, known->area + at->area.end);
    known->fields[2] = kernel_word(kernel, known->area + at->area.mm);
    known->fields[3] = kernel_word(kernel, known->area + at->area.offset);
    known->fields[FIELD_FILE] = kernel_word(kernel, known->area + at->area.file);
    known->fields[5] = kernel_word(kernel, known->fields[FIELD_FILE] + at->file.inode);
}

/* Anonymous code, or code whose mapping cannot be read: identified by process name and address. */
static struct code_location place_in_process(struct code_locations *places, vaddr task, vaddr pc)
{
    const struct kernel_memory *kernel = guest_view_kernel(places->view);
    char name[COMM] = "?";
    if (task)
        kernel_text(kernel, task + kernel->at.task.comm, name, sizeof name);
    return (struct code_location){object_of(places, OBJECT_PROCESS, name, 0), pc};
}

static struct code_location place_in_program(struct code_locations *places, struct core *core, vaddr pc)
{
    struct guest_view *view = places->view;
    const struct kernel_memory *kernel = guest_view_kernel(view);
    const vaddr task = kernel_memory_find(guest_view_kernel(view)) ? kernel_current(kernel, core) : 0;
    const vaddr mm = task ? kernel_word(kernel, task + kernel->at.task.mm) : 0, page = pc >> PAGE_SHIFT;
    struct cached_location *known = &places->known[(page ^ mm >> 6 ^ mm >> 14) % PLACES];
    struct mapping mapping;
    if (!mm)
        return place_in_process(places, task, pc);
    if (known->mm == mm && known->page == page && is_unchanged(kernel, known))
        return (struct code_location){known->object, pc + known->difference};
    if (!mapping_at(view, core, task, pc, &mapping) || !mapping.path[0])
        return place_in_process(places, task, pc);
    *known = (struct cached_location){.mm = mm, .page = page, .way = mapping.way, .area = mapping.area};
    read_fields(kernel, known);
    known->object = object_of_mapping(places, core, &mapping);
    known->difference = mapping.offset - mapping.first;
    return (struct code_location){known->object, pc + known->difference};
}

struct code_location code_location_at(struct code_locations *places, struct core *core, vaddr pc)
{
    if (vaddr_in_kuseg(pc))
        return place_in_program(places, core, pc);
    const struct kernel_memory *kernel = guest_view_kernel(places->view);
    if (vaddr_is_unmapped(pc) || !kernel_memory_find(guest_view_kernel(places->view)))
        return (struct code_location){CODE_KERNEL, pc};
    const struct module_range *module = module_ranges_find(&places->modules, kernel, core, pc);
    if (!module)
        return (struct code_location){CODE_KERNEL, pc};
    return (struct code_location){object_of(places, OBJECT_MODULE, module->name, 0), pc - module->first};
}

/* Modules */

struct module_caller {
    struct code_locations *places;
    code_locations_module_fn *call;
    void *opaque;
};

static void call_with_module(void *opaque, const char *name, vaddr base, uint32_t size)
{
    const struct module_caller *caller = opaque;
    struct code_locations *places = caller->places;
    struct module_code code = {.object = object_of(places, OBJECT_MODULE, name, 0), .first = base, .size = size};
    struct symbol *symbols = modules_symbols(places->view, places->view->machine.cores[0], name, &code.symbols);
    code.symbol = symbols;
    caller->call(caller->opaque, &code);
    free(symbols);
}

void code_locations_each_module(struct code_locations *places, code_locations_module_fn *call, void *opaque)
{
    struct module_caller caller = {places, call, opaque};
    modules_each_code(places->view, places->view->machine.cores[0], call_with_module, &caller);
}

/* Names */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *code_object_name(const struct code_locations *places, unsigned object)
{
    return object < places->count ? places->objects[object].name : "?";
}

bool code_object_is_file(const struct code_locations *places, unsigned object)
{
    return object < places->count && places->objects[object].kind == OBJECT_FILE;
}

/* The file on the host with the object's symbols; NULL: none. The search is repeated when folders have been added or
 * the ELF headers (build-id) have been read. */
static struct program_file *file_of(struct code_locations *places, struct object *object)
{
    const unsigned known = 1 + 2 * programs_folders(places->view)->count + object->elf.known;
    if (!object->file && object->search_state != known) {
        object->search_state = known;
        object->file =
            debug_files_find(programs_folders(places->view), object->name, object->elf.id, object->elf.id_size);
    }
    return object->file ? object->file : programs_loaded(places->view, base_name(object->name));
}

/* The symbol of a program at OFFSET, or NULL. *OWN is the address in the file's own address space. */
static const struct symbol *symbol_of_program(struct code_locations *places, struct object *object, uint32_t offset,
                                              vaddr *own)
{
    struct program_file *file = file_of(places, object);
    *own = offset;
    const bool placed =
        guest_elf_address(&object->elf, offset, own) || (file && program_file_address_of(file, offset, own));
    return file && placed ? program_file_at(file, *own) : NULL;
}

static void text_of_program(struct code_locations *places, struct object *object, uint32_t offset, char *text,
                            size_t size)
{
    const char *name = base_name(object->name);
    vaddr own;
    const struct symbol *symbol = symbol_of_program(places, object, offset, &own);
    if (symbol)
        snprintf(text, size, "%s::%s", name, symbol->name);
    else
        snprintf(text, size, "%s, page 0x%05x", name, own >> PAGE_SHIFT);
}

/* The symbol of a module at OFFSET, or NULL. The symbol table is in guest memory as long as the module is loaded. */
static const struct symbol *symbol_of_module(struct code_locations *places, struct object *object, uint32_t offset)
{
    size_t low = 0, high;
    if (!object->symbols)
        object->symbols =
            modules_symbols(places->view, places->view->machine.cores[0], object->name, &object->symbol_count);
    for (high = object->symbols ? object->symbol_count : 0; low < high;) {
        const size_t middle = (low + high) / 2;
        if (object->symbols[middle].address <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &object->symbols[low - 1] : NULL;
}

static void text_of_module(struct code_locations *places, struct object *object, uint32_t offset, char *text,
                           size_t size)
{
    const struct symbol *symbol = symbol_of_module(places, object, offset);
    if (symbol)
        snprintf(text, size, "%s::%s", object->name, symbol->name);
    else
        snprintf(text, size, "%s, page 0x%05x", object->name, offset >> PAGE_SHIFT);
}

struct code_location code_location_begin(struct code_locations *places, struct code_location place)
{
    struct object *object = &places->objects[place.object < places->count ? place.object : CODE_KERNEL];
    const struct symbols *symbols = places->view->machine.symbols;
    const struct symbol *symbol = NULL;
    vaddr own = place.offset;
    if (object->kind == OBJECT_FILE)
        symbol = symbol_of_program(places, object, place.offset, &own);
    else if (object->kind == OBJECT_MODULE)
        symbol = symbol_of_module(places, object, place.offset);
    else if (object->kind == OBJECT_KERNEL && symbols && vaddr_is_unmapped(place.offset))
        symbol = symbols_at(symbols, place.offset);
    const vaddr first = symbol ? symbol->address : own & ~(vaddr)(PAGE_SIZE - 1);
    return (struct code_location){place.object, place.offset - (own - first)};
}

struct code_extent code_location_extent(struct code_locations *places, struct core *core, vaddr pc)
{
    const struct code_location place = code_location_at(places, core, pc);
    const struct code_location begin = code_location_begin(places, place);
    const vaddr page = pc & ~(vaddr)(PAGE_SIZE - 1), first = pc - (place.offset - begin.offset);
    struct code_extent extent = {.begin = begin,
                                 .is_first = place.offset == begin.offset,
                                 .low = first > page && first <= pc ? first : page,
                                 .high = pc + 4};
    for (vaddr more = PAGE_SIZE; more > 4; more /= 4) {
        const vaddr end = pc + more < page + PAGE_SIZE && pc + more > pc ? pc + more : page + (PAGE_SIZE - 4) + 4;
        const struct code_location last = {place.object, place.offset + (end - 4 - pc)};
        if (code_location_begin(places, last).offset == begin.offset) {
            extent.high = end;
            break;
        }
    }
    return extent;
}

void code_location_text(struct code_locations *places, struct code_location place, char *text, size_t size)
{
    struct object *object = &places->objects[place.object < places->count ? place.object : CODE_KERNEL];
    const struct symbols *symbols = places->view->machine.symbols;
    const struct symbol *symbol = symbols && vaddr_is_unmapped(place.offset) ? symbols_at(symbols, place.offset) : NULL;
    switch (object->kind) {
    case OBJECT_FILE: text_of_program(places, object, place.offset, text, size); break;
    case OBJECT_MODULE: text_of_module(places, object, place.offset, text, size); break;
    case OBJECT_PROCESS:
        snprintf(text, size, "process %s, page 0x%05x", object->name, place.offset >> PAGE_SHIFT);
        break;
    case OBJECT_KERNEL:
        if (symbol)
            snprintf(text, size, "%s", symbol->name);
        else
            snprintf(text, size, "kernel code, page 0x%05x", place.offset >> PAGE_SHIFT);
    }
}

struct program_file *code_locations_file(struct code_locations *places, struct core *core,
                                         const struct mapping *mapping, vaddr address, vaddr *own)
{
    const unsigned number = object_of_mapping(places, core, mapping);
    struct object *object = &places->objects[number];
    const uint32_t offset = address - mapping->first + mapping->offset;
    struct program_file *file = number == CODE_KERNEL ? NULL : file_of(places, object);
    return file && (guest_elf_address(&object->elf, offset, own) || program_file_address_of(file, offset, own)) ? file
                                                                                                                : NULL;
}
