/*
 * Where an instruction is, by what holds at this moment: in the kernel, in a module, in a file that the process has
 * mapped (and where in that), so that it can be named later, when the process and its mappings are gone. Cheap enough
 * to be asked at every miss: what was found for a page is kept as long as its vm_area_struct says the same.
 */
#ifndef SIMOS_ANNOTATIONS_CODE_PLACES_H
#define SIMOS_ANNOTATIONS_CODE_PLACES_H

#include "annotations/symbols/kernel_memory.h"
#include "annotations/symbols/mappings.h"
#include "annotations/symbols/program_file.h"

struct code_places;

/* An instruction: the offset in a file, an address of the kernel, the distance from the beginning of a module, ... */
struct code_place {
    unsigned object; /* CODE_KERNEL, or a number as long as there is this table */
    uint32_t offset;
};
enum { CODE_KERNEL = 0 };

struct code_places *code_places_create(struct annotate *annotate);
void code_places_free(struct code_places *places); /* NULL is fine */

struct code_place code_place_at(struct code_places *places, struct core *core, vaddr pc);

/* The name of the object: "kernel", a path ("/bin/busybox"), a module's; of code that is no file's, the process'. */
const char *code_object_name(const struct code_places *places, unsigned object);
/* The routine: "schedule", "busybox::main", "ext4::ext4_find_entry"; or what is known: "busybox, page 0x0001a". */
void code_place_text(struct code_places *places, struct code_place place, char *text, size_t size);

/* The file that has the symbols of what MAPPING has mapped at ADDRESS, and the file's own address of that. NULL: none
 * is known. */
struct program_file *code_places_file(struct code_places *places, struct core *core, const struct mapping *mapping,
                                      vaddr address, vaddr *own);

#endif
