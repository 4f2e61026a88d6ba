/*
 * What a process of Linux has mapped where, read from the guest's memory: the maple tree of its vm_area_structs (Linux
 * 6.1, include/linux/maple_tree.h). Structures are those of `library layout`; nothing that is read is trusted.
 */
#ifndef SIMOS_ANNOTATIONS_MAPPINGS_H
#define SIMOS_ANNOTATIONS_MAPPINGS_H

#include "annotations/symbols/subject.h"

struct annotate;

struct mapping {
    vaddr area; /* its vm_area_struct */
    vaddr first, last;
    uint32_t flags;  /* VM_* */
    uint32_t offset; /* in the file, of its first byte */
    bool is_of_file;
    uint32_t number; /* of the file: its inode's */
    char path[512];  /* of the file, as far as its own file system goes; "" if there is none */
};

/* The mapping of process TASK (the address of its task_struct) that ADDRESS is in. False: there is none. */
bool mapping_at(const struct annotate *annotate, struct core *core, vaddr task, vaddr address, struct mapping *mapping);
/* The first mapping at or above ADDRESS. False: there is none. */
bool mapping_from(const struct annotate *annotate, struct core *core, vaddr task, vaddr address,
                  struct mapping *mapping);
/* The path of the directory entry DENTRY, as far as its own file system goes; "" if there is none. */
void mapping_path(const struct annotate *annotate, struct core *core, vaddr dentry, char *path, size_t size);
/* How many there are; 0 if TASK has none. */
uint32_t mapping_count(const struct annotate *annotate, struct core *core, vaddr task);

#endif
