/* The board's power controller: it starts and stops the cores of the machine. */
#include "devices/board/power_controller.h"
#include "src/machine/board_devices.h"
#include "src/machine/machine_power.h"

static void start(void *opaque, unsigned cpu, vaddr reset_pc)
{
    machine_power_on(opaque, cpu, reset_pc);
}

static void stop(void *opaque, unsigned cpu)
{
    machine_power_off(opaque, cpu);
}

static const struct power_ops power_ops = {.start = start, .stop = stop};

static bool create(const struct device_board *board, void **device, struct err *err)
{
    struct coherence_manager *manager = board_device(board->machine, &coherence_manager_type);
    (void)err;
    *device = power_controller_create(board->cpus, manager, &power_ops, board->machine, board->log);
    physmem_add_device(board->mem, board->base, BOARD_CPC_SIZE, &power_controller_device_ops, *device);
    return true;
}

static void free_controller(void *device)
{
    power_controller_free(device);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    power_controller_register_saved(device, saved);
    return true;
}

static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    tree_begin_at(tree, "cpc", board->base);
    tree_registers(tree, "mti,mips-cpc", board->base, BOARD_CPC_SIZE);
    tree_end(tree);
}

const struct device_type board_power_type = {
    .name = "power-controller",
    .summary = "power controller: starts and stops processors (MIPS CPC)",
    .size = BOARD_CPC_SIZE,
    .create = create,
    .free = free_controller,
    .register_saved = register_saved,
    .write_node = write_node,
};
