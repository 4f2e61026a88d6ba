/*
 * Locations of instructions, independent of the present mappings: in the kernel, at an offset in a module, or at an
 * offset in a file that the process has mapped. A location can be named later, when process and mapping no longer
 * exist. Fast enough to be used at every miss: results are cached by page, as long as the vm_area_struct is unchanged.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_CODE_LOCATIONS_H
#define SIMOS_ANNOTATIONS_SYMBOLS_CODE_LOCATIONS_H

#include "annotations/symbols/kernel_memory.h"
#include "annotations/symbols/mappings.h"
#include "annotations/symbols/program_file.h"

struct code_locations;

/* The location of an instruction: an offset in a file or in a module, an address in the kernel or in a process. */
struct code_location {
    unsigned object; /* CODE_KERNEL, or a number that is valid for the lifetime of the table */
    uint32_t offset;
};
enum { CODE_KERNEL = 0 };

/* A location as one number, and back. */
static inline uint64_t code_location_number(struct code_location place)
{
    return (uint64_t)place.object << 32 | place.offset;
}

static inline struct code_location code_location_of(uint64_t number)
{
    return (struct code_location){(unsigned)(number >> 32), (uint32_t)number};
}

struct code_locations *code_locations_create(struct guest_view *view);
void code_locations_free(struct code_locations *places); /* NULL is ignored */

/* The location of PC in the address space of CORE's current process. */
struct code_location code_location_at(struct code_locations *places, struct core *core, vaddr pc);

/* The first instruction of what code_location_text() names by PLACE: of the routine, or of the page. */
struct code_location code_location_begin(struct code_locations *places, struct code_location place);

/* The same of the instruction at PC of CORE, whether PC is that of the first one, and a range around PC of code that
 * has the same first instruction, on one page: from LOW to HIGH - 1. */
struct code_extent {
    struct code_location begin;
    bool is_first;
    vaddr low, high;
};
struct code_extent code_location_extent(struct code_locations *places, struct core *core, vaddr pc);

/* The code of each module that is loaded now. SYMBOL has its routines, with addresses that count from FIRST, ascending;
 * valid until the next call. */
struct module_code {
    unsigned object;
    vaddr first;
    uint32_t size; /* bytes */
    const struct symbol *symbol;
    size_t symbols;
};
typedef void code_locations_module_fn(void *opaque, const struct module_code *code);
void code_locations_each_module(struct code_locations *places, code_locations_module_fn *call, void *opaque);

/* Name of the object: "kernel", a path ("/bin/busybox"), the name of a module, or of the process for anonymous code. */
const char *code_object_name(const struct code_locations *places, unsigned object);
/* Is it a file of the guest, a program or a library? */
bool code_object_is_file(const struct code_locations *places, unsigned object);
/* The routine: "schedule", "busybox::main", "ext4::ext4_find_entry"; without symbol the page: "busybox, page
 * 0x0001a". */
void code_location_text(struct code_locations *places, struct code_location place, char *text, size_t size);

/* The host file with the symbols of the file that MAPPING maps at ADDRESS; *OWN is the address in the file's own
 * address space. NULL if none is known. */
struct program_file *code_locations_file(struct code_locations *places, struct core *core,
                                         const struct mapping *mapping, vaddr address, vaddr *own);

#endif
