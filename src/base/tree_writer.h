/*
 * Writes a flattened device tree front to back, with libfdt: nodes and their properties, and the properties that every
 * device of the board has (where its registers are, which interrupt it raises).
 *
 * The first error stays: whoever has written the whole tree asks for it once, in `error`.
 */
#ifndef SIMOS_TREE_WRITER_H
#define SIMOS_TREE_WRITER_H

#include "src/base/types.h"

struct tree_writer {
    void *fdt;
    int error; /* 0, or the first error of libfdt's */
};

/* Begin an empty tree in BUFFER of SIZE bytes; its root is not begun. */
void tree_start(struct tree_writer *tree, void *buffer, uint32_t size);
/* All nodes have ended. Returns the tree's size in bytes; 0 if there was an error. */
uint32_t tree_finish(struct tree_writer *tree);

/* A node NAME, or NAME@ADDRESS, below the one that has begun last and not ended. */
void tree_begin(struct tree_writer *tree, const char *name);
void tree_begin_at(struct tree_writer *tree, const char *name, uint32_t address);
void tree_end(struct tree_writer *tree);

/* Properties of the present node: a text, COUNT cells of 32 bits, one without a value, SIZE bytes. */
void tree_text(struct tree_writer *tree, const char *name, const char *value);
void tree_cells(struct tree_writer *tree, const char *name, const uint32_t *values, unsigned count);
void tree_flag(struct tree_writer *tree, const char *name);
void tree_bytes(struct tree_writer *tree, const char *name, const void *bytes, size_t size);

/* TREE_CELLS(tree, "reg", base, size) */
#define TREE_CELLS(tree, name, ...)                                                                                    \
    tree_cells(tree, name, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* "compatible" and "reg": what every device has. */
void tree_registers(struct tree_writer *tree, const char *compatible, uint32_t base, uint32_t size);
/* The shared interrupt NUMBER of the interrupt controller, level high. */
void tree_interrupt(struct tree_writer *tree, uint32_t number);

#endif
