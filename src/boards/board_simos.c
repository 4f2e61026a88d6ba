/*
 * Board simos: its interrupt controller is a MIPS GIC, and the kernel gets a device tree, as from a UHI boot loader
 * (MIPS Unified Hosting Interface, "boot": a0 = -2, a1 = device tree).
 */
#include "cpu/registers.h"
#include "src/machine/board_devices.h"
#include "src/boards/board_control.h"
#include "src/boards/board_gic.h"
#include "src/machine/board_net.h"
#include "src/machine/board_disks.h"
#include "src/boards/board_pins.h"
#include "src/boards/board_uarts.h"
#include "src/machine/boards.h"
#include "src/boards/device_tree.h"

enum { UHI_BOOT = -2 };

static struct irq_line input(const struct device_board *board, unsigned number)
{
    return gic_input(board_device(board->machine, &board_gic_type), number);
}

/* The device tree lies behind the free memory. */
static bool describe(struct machine *machine, const struct guest_places *places, struct err *err)
{
    uint32_t size;
    return device_tree_write(machine, places, physmem_host(machine->mem, places->free_end), &size, err);
}

static void start(struct machine *machine, const struct guest_places *places)
{
    struct core *core = machine->cores[0];
    core_set_argument(core, 0, (uint32_t)UHI_BOOT);
    core_set_argument(core, 1, vaddr_of_kseg0(places->free_end));
    core_set_argument(core, 2, 0);
    core_set_argument(core, 3, 0);
}

static bool receive(struct machine *machine, unsigned port, uint8_t byte)
{
    return uart_receive(board_uart(machine, port), byte);
}

static unsigned receive_space(const struct machine *machine, unsigned port)
{
    return uart_receive_space(board_uart(machine, port));
}

static void refresh_job(struct machine *machine)
{
    control_refresh_job(board_device(machine, &board_control_type));
}

/* Hooks of the cores */

static struct gic *gic_of(const struct machine *machine)
{
    return machine->devices ? board_device(machine, &board_gic_type) : NULL;
}

static void timer_output(void *opaque, unsigned cpu, bool level)
{
    struct gic *gic = gic_of(opaque);
    if (gic) /* not yet created while the cores are created */
        gic_cpu_timer(gic, cpu, level);
}

static void perf_output(void *opaque, unsigned cpu, bool level)
{
    struct gic *gic = gic_of(opaque);
    if (gic)
        gic_cpu_perf_counter(gic, cpu, level);
}

static const struct core_hooks core_hooks = {.timer_output = timer_output,
                                             .perf_output = perf_output,
                                             .mode_changed = board_mode_changed,
                                             .tlb_missed = board_tlb_missed,
                                             .fault_repeats = board_fault_repeats};

/* The board */

#define DEVICE BOARD_DEVICE_EXTERN
#include "src/boards/board.def"
#undef DEVICE
#define DEVICE BOARD_DEVICE_ROW
static const struct board_row simos_rows[] = {
#include "src/boards/board.def"
};
#undef DEVICE

_Static_assert(sizeof simos_rows / sizeof simos_rows[0] <= BOARD_ROWS_MAX, "room for every device");

const struct board board_simos = {.name = "simos",
                                  .summary =
                                      "the simulator's own board: MIPS GIC, 16550A, virtio, described by a device tree",
                                  BOARD_ROWS(simos_rows),
                                  .input = input,
                                  .network_card = &board_net_type,
                                  .disks = &board_disks_type,
                                  .core_hooks = &core_hooks,
                                  .most_cpus = BOARD_MAX_CPUS,
                                  .most_memory = BOARD_MAX_RAM,
                                  .reserved_end = BOARD_MAILBOX_BASE + BOARD_MAILBOX_SIZE,
                                  .description_size = DEVICE_TREE_MAX,
                                  .takes_rom = true,
                                  .guest = "guest",
                                  .receive = receive,
                                  .receive_space = receive_space,
                                  .refresh_job = refresh_job,
                                  .describe = describe,
                                  .start = start};
