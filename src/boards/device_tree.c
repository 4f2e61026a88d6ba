#include "src/boards/device_tree.h"

#include "src/machine/board_devices.h"
#include "src/base/splitmix.h"
#include "src/base/tree_writer.h"
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

/* The kernel assumes that CP0 Count runs at half the CPU clock. */
enum { CPU_CLOCK_HZ = 2 * BOARD_COUNT_HZ };

/* Pages that guest.page_seed sets aside. Linux allocates the smallest free blocks first, of ascending addresses; each
 * page set aside leaves one block of every order beside it. So the first 4032 single pages (64 blocks of 1, 2, 4 ...
 * 32) are at random places, and more are wherever these leave off. Linux reserves at most 128 ranges this early. */
enum { SEEDED_PAGES = 64 };

static void write_chosen(struct tree_writer *tree, const struct machine *machine, const struct guest_places *places)
{
    char *bootargs = machine_bootargs(machine);
    tree_begin(tree, "chosen");
    tree_text(tree, "bootargs", bootargs);
    free(bootargs);
    tree_text(tree, "stdout-path", "serial0:115200n8");
    if (places->initrd_size) {
        TREE_CELLS(tree, "linux,initrd-start", places->initrd);
        TREE_CELLS(tree, "linux,initrd-end", places->initrd + places->initrd_size);
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

/* Draw SEEDED_PAGES different pages of the free memory of PLACES. */
static void draw_pages(uint64_t seed, const struct guest_places *places, uint32_t cells[2 * SEEDED_PAGES])
{
    const uint32_t pages = (places->free_end - places->free) >> PAGE_SHIFT;
    uint8_t *taken = checked_memory(calloc(pages, 1));
    for (unsigned drawn = 0; drawn < SEEDED_PAGES;) {
        const uint32_t page = splitmix_below(&seed, pages);
        if (taken[page]++)
            continue;
        cells[2 * drawn] = places->free + (page << PAGE_SHIFT);
        cells[2 * drawn + 1] = PAGE_SIZE;
        drawn++;
    }
    free(taken);
}

/* The pages that the kernel is not to use, by guest.page_seed: they divide the free memory into other blocks, so that
 * the kernel hands out page frames in another order. */
static void write_seeded_pages(struct tree_writer *tree, const struct machine *machine,
                               const struct guest_places *places)
{
    uint32_t cells[2 * SEEDED_PAGES];
    const uint64_t seed = params_u64(machine->params, "guest.page_seed");
    if (seed == 0)
        return;
    draw_pages(seed, places, cells);
    tree_begin(tree, "seeded-pages");
    tree_cells(tree, "reg", cells, 2 * SEEDED_PAGES);
    tree_end(tree);
}

static void write_memory(struct tree_writer *tree, const struct machine *machine, const struct guest_places *places)
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
    write_seeded_pages(tree, machine, places);
    tree_end(tree);
}

bool device_tree_write(const struct machine *machine, const struct guest_places *places, void *buffer, uint32_t *size,
                       struct err *err)
{
    struct tree_writer writer, *tree = &writer;
    if (params_u64(machine->params, "guest.page_seed") &&
        (places->free_end - places->free) >> PAGE_SHIFT < 2 * SEEDED_PAGES)
        return err_set(err, "guest.page_seed: the guest leaves fewer than %u pages of RAM free", 2 * SEEDED_PAGES);
    tree_start(tree, buffer, DEVICE_TREE_MAX);
    tree_begin(tree, "");
    TREE_CELLS(tree, "#address-cells", 1);
    TREE_CELLS(tree, "#size-cells", 1);
    tree_text(tree, "compatible", BOARD_COMPATIBLE);
    tree_text(tree, "model", "simos");
    tree_begin(tree, "aliases");
    board_devices_write_aliases(machine->devices, tree);
    tree_end(tree);
    write_chosen(tree, machine, places);
    write_cpus(tree, machine);
    write_memory(tree, machine, places);
    board_devices_write_nodes(machine->devices, tree);
    tree_end(tree);
    *size = tree_finish(tree);
    if (tree->error == -FDT_ERR_NOSPACE)
        return err_set(err, "guest.bootargs: the device tree does not fit in %d bytes with it", DEVICE_TREE_MAX);
    if (tree->error)
        log_bug("device tree: %s", fdt_strerror(tree->error));
    return true;
}
