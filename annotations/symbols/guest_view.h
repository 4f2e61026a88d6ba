/*
 * What is known of the guest: the machine, the layouts of its kernel's structures, and what is derived from both. No
 * Tcl, no annotations: the owner fills in the machine and the process.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_GUEST_VIEW_H
#define SIMOS_ANNOTATIONS_SYMBOLS_GUEST_VIEW_H

#include "annotations/symbols/layouts.h"
#include "annotations/symbols/machine_view.h"

struct code_locations;
struct kernel_memory;
struct programs;

struct guest_process {
    vaddr task; /* its task_struct; 0: unknown */
    char name[16];
};

struct guest_view {
    struct machine_view machine;
    struct layouts layouts;
    struct programs *programs;
    struct kernel_memory *kernel;          /* guest_view_kernel(); NULL: not created yet */
    struct code_locations *code_locations; /* guest_view_code_places(); NULL: not created yet */
    /* Fills in the process that CORE runs, with OPAQUE. False if the owner does not follow processes. */
    bool (*process)(void *opaque, struct core *core, struct guest_process *process);
    void *opaque;
};

/* Begins with the machine MACHINE (copied), without layouts. PROCESS and OPAQUE as in struct guest_view. */
void guest_view_init(struct guest_view *view, const struct machine_view *machine,
                     bool (*process)(void *opaque, struct core *core, struct guest_process *process), void *opaque);
void guest_view_release(struct guest_view *view);

/* The kernel's memory, and the locations of code: created at the first call. */
struct kernel_memory *guest_view_kernel(struct guest_view *view);
struct code_locations *guest_view_code_places(struct guest_view *view);

/* Offset of FIELD in structure NAME. False if it is not known. */
bool layout_offset(const struct guest_view *view, const char *name, const char *field, uint32_t *offset);
/* Size of structure NAME. False if it is not known. */
bool layout_size(const struct guest_view *view, const char *name, uint32_t *size);

#endif
