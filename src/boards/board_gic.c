/* The board's interrupt controller, between the devices and the cores. */
#include "src/boards/board_gic.h"

#include "src/boards/board_pins.h"

static const struct gic_cpu_ops gic_ops = {.set_pin = board_set_pin};

static bool create(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = gic_create(board->queue, board->cpus, &gic_ops, board->machine, board->log);
    physmem_add_device(board->mem, board->base, BOARD_GIC_SIZE, &gic_device_ops, *device);
    return true;
}

static void free_gic(void *device)
{
    gic_free(device);
}

static void register_stats(void *device, struct stats *stats)
{
    gic_register_stats(device, stats);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    gic_register_saved(device, saved);
    return true;
}

static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    enum { GIC_LOCAL = 1 }; /* interrupt specifier of mti,gic: local, number, type */
    (void)device;
    tree_begin_at(tree, "interrupt-controller", board->base);
    tree_registers(tree, "mti,gic", board->base, BOARD_GIC_SIZE);
    tree_flag(tree, "interrupt-controller");
    TREE_CELLS(tree, "#address-cells", 0); /* no interrupt-map refers to this node */
    TREE_CELLS(tree, "#interrupt-cells", 3);
    TREE_CELLS(tree, "phandle", BOARD_PHANDLE_GIC);
    tree_begin(tree, "timer");
    tree_text(tree, "compatible", "mti,gic-timer");
    TREE_CELLS(tree, "interrupts", GIC_LOCAL, GIC_LOCAL_COMPARE, 0);
    TREE_CELLS(tree, "clock-frequency", BOARD_COUNT_HZ);
    tree_end(tree);
    tree_end(tree);
}

const struct device_type board_gic_type = {
    .name = "gic",
    .summary = "interrupt controller and timers (MIPS GIC)",
    .size = BOARD_GIC_SIZE,
    .create = create,
    .free = free_gic,
    .register_stats = register_stats,
    .register_saved = register_saved,
    .write_node = write_node,
};
