/* The board's interrupt controller, between the devices and the cores; and the hooks of the cores. */
#include "src/machine/board_gic.h"

#include "cache/memsys.h"
#include "src/machine/board_devices.h"
#include "src/machine/machine.h"
#include "src/machine/machine_power.h"
#include "src/machine/deadlock.h"

/* A raised pin may end a core's wait: the core's time then becomes the present one, and the running CPU ends its
 * quantum. */
static void set_pin(void *opaque, unsigned cpu, unsigned pin, bool level)
{
    struct machine *machine = opaque;
    struct core *core = machine->cores[cpu];
    bool waited = core->s.waiting;
    interrupt_set_pin(core, pin, level);
    if (waited && !core->s.waiting)
        machine_wake(machine, core);
}

static const struct gic_cpu_ops gic_ops = {.set_pin = set_pin};

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

/* Hooks of the cores */

static void timer_output(void *opaque, unsigned cpu, bool level)
{
    struct machine *machine = opaque;
    struct gic *gic = machine->devices ? board_device(machine, &board_gic_type) : NULL;
    if (gic) /* not yet created while the cores are created */
        gic_cpu_timer(gic, cpu, level);
}

static void perf_output(void *opaque, unsigned cpu, bool level)
{
    struct machine *machine = opaque;
    struct gic *gic = machine->devices ? board_device(machine, &board_gic_type) : NULL;
    if (gic)
        gic_cpu_perf_counter(gic, cpu, level);
}

/* Set the context (mode, address space) for miss classification. The ASID changes only in kernel mode, so it is current
 * at every switch to user mode. */
static void mode_changed(void *opaque, struct core *core)
{
    struct machine *machine = opaque;
    memsys_set_context(machine->memsys, core->number, core->mode, core_asid(core));
}

static void fault_repeats(void *opaque, struct core *core)
{
    (void)core;
    deadlock_check(opaque);
}

const struct core_hooks board_core_hooks = {.timer_output = timer_output,
                                            .perf_output = perf_output,
                                            .mode_changed = mode_changed,
                                            .fault_repeats = fault_repeats};
