#include "src/machine/board_simos.h"

#include "cpu/registers.h"
#include "src/machine/board_devices.h"
#include "src/machine/board_control.h"
#include "src/machine/board_gic.h"
#include "src/machine/board_pins.h"
#include "src/machine/board_uarts.h"

enum { UHI_BOOT = -2 };

struct irq_line board_simos_input(const struct device_board *board, unsigned number)
{
    return gic_input(board_device(board->machine, &board_gic_type), number);
}

/* The device tree lies behind the free memory. */
bool board_simos_describe(struct machine *machine, const struct guest_places *places, struct err *err)
{
    uint32_t size;
    return device_tree_write(machine, places, physmem_host(machine->mem, places->free_end), &size, err);
}

void board_simos_start(struct machine *machine, const struct guest_places *places)
{
    struct core *core = machine->cores[0];
    core_set_argument(core, 0, (uint32_t)UHI_BOOT);
    core_set_argument(core, 1, vaddr_of_kseg0(places->free_end));
    core_set_argument(core, 2, 0);
    core_set_argument(core, 3, 0);
}

bool board_simos_receive(struct machine *machine, unsigned port, uint8_t byte)
{
    return uart_receive(board_uart(machine, port), byte);
}

unsigned board_simos_receive_space(const struct machine *machine, unsigned port)
{
    return uart_receive_space(board_uart(machine, port));
}

void board_simos_refresh_job(struct machine *machine)
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

const struct core_hooks board_simos_core_hooks = {.timer_output = timer_output,
                                                  .perf_output = perf_output,
                                                  .mode_changed = board_mode_changed,
                                                  .fault_repeats = board_fault_repeats};
