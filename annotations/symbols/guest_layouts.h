/*
 * Choice of the structure layouts that match the guest. A kernel may have its own file (kernel.layout beside it); the
 * built-in layouts are those of one stock kernel. Offsets of another kernel would silently read wrong data, so the
 * release of the layouts must be the one found in guest memory.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_GUEST_LAYOUTS_H
#define SIMOS_ANNOTATIONS_SYMBOLS_GUEST_LAYOUTS_H

#include "annotations/symbols/layouts.h"

struct physmem;

/* The built-in layouts, made from annotations/linux/layout.txt: one row, and one without a name. */
struct guest_layout_text {
    const char *name, *text;
};
extern const struct guest_layout_text guest_layout_texts[];

/* Read the layouts of the kernel in MEM into LAYOUTS, which is empty: from the file at PATH, NULL: the built-in ones.
 * False with one line in ERR if they cannot be read, or MEM has another kernel; LAYOUTS is empty then. If there is no
 * Linux in MEM (yet), any release is right. */
bool guest_layouts_read(struct layouts *layouts, const char *path, const struct physmem *mem, struct err *err);

#endif
