/* The board's system controller: a reboot ends the run. */
#include "devices/board/syscon.h"
#include "src/machine/board_devices.h"
#include "src/machine/machine_end.h"
#include "src/machine/machine_power.h"

static void reboot(void *opaque)
{
    machine_end(opaque, MACHINE_STOP_REBOOT);
}

static bool create(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = syscon_create(reboot, board->machine, board->log);
    physmem_add_device(board->mem, board->base, BOARD_SYSCON_SIZE, &syscon_device_ops, *device);
    return true;
}

static void free_syscon(void *device)
{
    syscon_free(device);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    syscon_register_saved(device, saved);
    return true;
}

static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    static const char compatible[] = "syscon\0simple-mfd";
    (void)device;
    tree_begin_at(tree, "syscon", board->base);
    tree_bytes(tree, "compatible", compatible, sizeof compatible);
    TREE_CELLS(tree, "reg", board->base, BOARD_SYSCON_SIZE);
    TREE_CELLS(tree, "phandle", BOARD_PHANDLE_SYSCON);
    tree_begin(tree, "reboot");
    tree_text(tree, "compatible", "syscon-reboot");
    TREE_CELLS(tree, "regmap", BOARD_PHANDLE_SYSCON);
    TREE_CELLS(tree, "offset", 0);
    TREE_CELLS(tree, "value", SYSCON_REBOOT_VALUE);
    tree_end(tree);
    tree_end(tree);
}

const struct device_type board_syscon_type = {
    .name = "syscon",
    .summary = "system controller: reboot",
    .size = BOARD_SYSCON_SIZE,
    .create = create,
    .free = free_syscon,
    .register_saved = register_saved,
    .write_node = write_node,
};
