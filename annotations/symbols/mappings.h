/*
 * Mappings of a Linux process, read from guest memory: the maple tree of its vm_area_struct entries (Linux 6.1,
 * include/linux/maple_tree.h), with the structures of `library layout`. No value read from the guest is trusted.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_MAPPINGS_H
#define SIMOS_ANNOTATIONS_SYMBOLS_MAPPINGS_H

#include "annotations/symbols/machine_view.h"

struct guest_view;

/* The words in guest memory that lead from a process to one of its mappings. */
enum { MAPPING_STEPS = 9 };
struct mapping_way {
    unsigned steps;
    struct {
        vaddr at;
        uint32_t word;
    } step[MAPPING_STEPS];
};

struct mapping {
    vaddr area; /* its vm_area_struct */
    struct mapping_way way;
    vaddr first, last;
    uint32_t flags;  /* VM_* */
    uint32_t offset; /* offset in the file of the mapping's first byte */
    bool is_of_file;
    uint32_t number; /* inode number of the file */
    char path[512];  /* of the file, relative to the root of its file system; "": none */
};

/* The mapping of process TASK (address of its task_struct) that contains ADDRESS. False if there is none. */
bool mapping_at(const struct guest_view *view, struct core *core, vaddr task, vaddr address, struct mapping *mapping);
/* The first mapping that ends at or above ADDRESS. False if there is none. */
bool mapping_from(const struct guest_view *view, struct core *core, vaddr task, vaddr address, struct mapping *mapping);
/* Path of the dentry DENTRY, relative to the root of its file system; "" if it cannot be read. */
void mapping_path(const struct guest_view *view, struct core *core, vaddr dentry, char *path, size_t size);
/* Number of mappings of TASK; 0 if it has none. */
uint32_t mapping_count(const struct guest_view *view, struct core *core, vaddr task);

#endif
