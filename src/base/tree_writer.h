/*
 * Writes a flattened device tree sequentially, with libfdt: nodes, properties, and the properties common to all devices
 * of the board (register address, interrupt).
 *
 * The first error is kept in `error`; the caller checks it once, after the entire tree.
 */
#ifndef SIMOS_BASE_TREE_WRITER_H
#define SIMOS_BASE_TREE_WRITER_H

#include "src/base/types.h"

struct tree_writer {
    void *fdt;
    int error; /* 0, or the first libfdt error */
};

/* Begin an empty tree in BUFFER of SIZE bytes, without its root node. */
void tree_start(struct tree_writer *tree, void *buffer, uint32_t size);
/* Finish the tree; all nodes must have ended. Returns its size in bytes; 0 after an error. */
uint32_t tree_finish(struct tree_writer *tree);

/* Begin a node NAME, or NAME@ADDRESS, inside the present one; end the present node. */
void tree_begin(struct tree_writer *tree, const char *name);
void tree_begin_at(struct tree_writer *tree, const char *name, uint32_t address);
void tree_end(struct tree_writer *tree);

/* Add a property to the present node: a text, COUNT cells of 32 bits, an empty value, SIZE bytes. */
void tree_text(struct tree_writer *tree, const char *name, const char *value);
void tree_cells(struct tree_writer *tree, const char *name, const uint32_t *values, unsigned count);
void tree_flag(struct tree_writer *tree, const char *name);
void tree_bytes(struct tree_writer *tree, const char *name, const void *bytes, size_t size);

/* TREE_CELLS(tree, "reg", base, size) */
#define TREE_CELLS(tree, name, ...)                                                                                    \
    tree_cells(tree, name, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* "compatible" and "reg", which every device has. */
void tree_registers(struct tree_writer *tree, const char *compatible, uint32_t base, uint32_t size);
/* "interrupts": the shared interrupt NUMBER of the interrupt controller, level high. */
void tree_interrupt(struct tree_writer *tree, uint32_t number);

#endif
