#include "src/base/tree_writer.h"

#include "src/base/board.h"
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

enum {
    GIC_SHARED = 0, /* first cell of the interrupt specifier of mti,gic: shared, number, type */
    IRQ_LEVEL_HIGH = 4,
};

static void note(struct tree_writer *tree, int result)
{
    if (result < 0 && !tree->error)
        tree->error = result;
}

void tree_start(struct tree_writer *tree, void *buffer, uint32_t size)
{
    *tree = (struct tree_writer){.fdt = buffer};
    memset(buffer, 0, size);
    note(tree, fdt_create(buffer, (int)size));
    note(tree, fdt_finish_reservemap(buffer));
}

uint32_t tree_finish(struct tree_writer *tree)
{
    note(tree, fdt_finish(tree->fdt));
    return tree->error ? 0 : fdt_totalsize(tree->fdt);
}

void tree_begin(struct tree_writer *tree, const char *name)
{
    note(tree, fdt_begin_node(tree->fdt, name));
}

void tree_begin_at(struct tree_writer *tree, const char *name, uint32_t address)
{
    char text[64];
    snprintf(text, sizeof text, "%s@%x", name, address);
    tree_begin(tree, text);
}

void tree_end(struct tree_writer *tree)
{
    note(tree, fdt_end_node(tree->fdt));
}

void tree_text(struct tree_writer *tree, const char *name, const char *value)
{
    note(tree, fdt_property_string(tree->fdt, name, value));
}

void tree_cells(struct tree_writer *tree, const char *name, const uint32_t *values, unsigned count)
{
    void *cells = NULL;
    note(tree, fdt_property_placeholder(tree->fdt, name, (int)(count * sizeof(fdt32_t)), &cells));
    for (unsigned i = 0; cells && i < count; i++)
        fdt32_st((uint8_t *)cells + i * sizeof(fdt32_t), values[i]);
}

void tree_flag(struct tree_writer *tree, const char *name)
{
    tree_bytes(tree, name, "", 0);
}

void tree_bytes(struct tree_writer *tree, const char *name, const void *bytes, size_t size)
{
    note(tree, fdt_property(tree->fdt, name, bytes, (int)size));
}

void tree_registers(struct tree_writer *tree, const char *compatible, uint32_t base, uint32_t size)
{
    tree_text(tree, "compatible", compatible);
    TREE_CELLS(tree, "reg", base, size);
}

void tree_interrupt(struct tree_writer *tree, uint32_t number)
{
    TREE_CELLS(tree, "interrupt-parent", BOARD_PHANDLE_GIC);
    TREE_CELLS(tree, "interrupts", GIC_SHARED, number, IRQ_LEVEL_HIGH);
}
