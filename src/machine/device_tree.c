#include "src/machine/device_tree.h"

#include "src/machine/board_devices.h"
#include "src/base/tree_writer.h"
#include <libfdt.h>
#include <string.h>

/* The kernel assumes that CP0 Count runs at half the CPU clock. */
enum { CPU_CLOCK_HZ = 2 * BOARD_COUNT_HZ };

static void write_chosen(struct tree_writer *tree, const struct machine *machine, paddr initrd, uint32_t initrd_size)
{
    tree_begin(tree, "chosen");
    tree_text(tree, "bootargs", params_string(machine->params, "guest.bootargs"));
    tree_text(tree, "stdout-path", "serial0:115200n8");
    if (initrd_size) {
        TREE_CELLS(tree, "linux,initrd-start", initrd);
        TREE_CELLS(tree, "linux,initrd-end", initrd + initrd_size);
    }
    board_devices_write_chosen(machine->devices, tree);
    tree_end(tree);
}

static void write_cpus(struct tree_writer *tree, const struct machine *machine)
{
    tree_begin(tree, "cpus");
    TREE_CELLS(tree, "#address-cells", 1);
    TREE_CELLS(tree, "#size-cells", 0);
    for (unsigned i = 0; i < machine->cpus; i++) {
        tree_begin_at(tree, "cpu", i);
        tree_text(tree, "device_type", "cpu");
        tree_text(tree, "compatible", "img,mips");
        TREE_CELLS(tree, "reg", i);
        TREE_CELLS(tree, "clocks", BOARD_PHANDLE_CPU_CLOCK);
        tree_end(tree);
    }
    tree_end(tree);
    tree_begin(tree, "cpu-clock");
    tree_text(tree, "compatible", "fixed-clock");
    TREE_CELLS(tree, "#clock-cells", 0);
    TREE_CELLS(tree, "clock-frequency", CPU_CLOCK_HZ);
    TREE_CELLS(tree, "phandle", BOARD_PHANDLE_CPU_CLOCK);
    tree_end(tree);
}

static void write_memory(struct tree_writer *tree, const struct machine *machine)
{
    uint64_t size = params_u64(machine->params, "machine.memory");
    uint32_t low = (uint32_t)(size < BOARD_LOW_RAM_MAX ? size : BOARD_LOW_RAM_MAX);
    tree_begin_at(tree, "memory", BOARD_LOW_RAM_BASE);
    tree_text(tree, "device_type", "memory");
    if (size == low)
        TREE_CELLS(tree, "reg", BOARD_LOW_RAM_BASE, low);
    else
        TREE_CELLS(tree, "reg", BOARD_LOW_RAM_BASE, low, BOARD_HIGH_RAM_BASE, (uint32_t)(size - low));
    tree_end(tree);
    tree_begin(tree, "reserved-memory");
    TREE_CELLS(tree, "#address-cells", 1);
    TREE_CELLS(tree, "#size-cells", 1);
    tree_flag(tree, "ranges");
    tree_begin_at(tree, "mailbox", BOARD_MAILBOX_BASE);
    TREE_CELLS(tree, "reg", BOARD_MAILBOX_BASE, BOARD_MAILBOX_SIZE);
    tree_flag(tree, "no-map");
    tree_end(tree);
    tree_end(tree);
}

bool device_tree_write(const struct machine *machine, paddr initrd, uint32_t initrd_size, void *buffer, uint32_t *size,
                       struct err *err)
{
    struct tree_writer writer, *tree = &writer;
    tree_start(tree, buffer, DEVICE_TREE_MAX);
    tree_begin(tree, "");
    TREE_CELLS(tree, "#address-cells", 1);
    TREE_CELLS(tree, "#size-cells", 1);
    tree_text(tree, "compatible", BOARD_COMPATIBLE);
    tree_text(tree, "model", "simos");
    tree_begin(tree, "aliases");
    board_devices_write_aliases(machine->devices, tree);
    tree_end(tree);
    write_chosen(tree, machine, initrd, initrd_size);
    write_cpus(tree, machine);
    write_memory(tree, machine);
    board_devices_write_nodes(machine->devices, tree);
    tree_end(tree);
    *size = tree_finish(tree);
    if (tree->error == -FDT_ERR_NOSPACE)
        return err_set(err, "guest.bootargs: the device tree does not fit in %d bytes with it", DEVICE_TREE_MAX);
    if (tree->error)
        log_bug("device tree: %s", fdt_strerror(tree->error));
    return true;
}
