# One processor, whose pins the devices drive; the kernel is told nothing.
create src/boards/board_toy.c <<'END'
#include "src/boards/board_control.h"
#include "src/boards/board_kn.h"
#include "src/boards/board_pins.h"
#include "src/machine/board_devices.h"
#include "src/machine/board_net.h"
#include "src/machine/boards.h"

enum { FIRST_PIN = 2 };

static void set_pin(void *opaque, unsigned line, bool level)
{
    board_set_pin(opaque, 0, line - FIRST_PIN, level);
}

static struct irq_line input(const struct device_board *board, unsigned number)
{
    return (struct irq_line){.set = set_pin, .opaque = board->machine, .line = number};
}

static bool receive(struct machine *machine, unsigned port, uint8_t byte)
{
    (void)machine, (void)port, (void)byte;
    return false;
}

static unsigned receive_space(const struct machine *machine, unsigned port)
{
    (void)machine, (void)port;
    return 0;
}

static void refresh_job(struct machine *machine)
{
    control_refresh_job(board_device(machine, &board_control_type));
}

static bool describe(struct machine *machine, const struct guest_places *places, struct err *err)
{
    (void)machine, (void)places, (void)err;
    return true;
}

static void start(struct machine *machine, const struct guest_places *places)
{
    (void)machine, (void)places;
}

#define DEVICE BOARD_DEVICE_EXTERN
#include "src/boards/board_toy.def"
#undef DEVICE
#define DEVICE BOARD_DEVICE_ROW
static const struct board_row rows[] = {
#include "src/boards/board_toy.def"
};
#undef DEVICE

static const struct core_hooks core_hooks = {.mode_changed = board_mode_changed, .fault_repeats = board_fault_repeats};

const struct board board_toy = {.name = "toy",
                                .summary = "a toy board; interrupts are the processor's IP2 to IP7",
                                BOARD_ROWS(rows),
                                .input = input,
                                .network_card = &board_net_type,
                                .disks = &board_no_disks_type,
                                .core_hooks = &core_hooks,
                                .most_cpus = 1,
                                .most_memory = BOARD_MAX_RAM,
                                .reserved_end = BOARD_MAILBOX_BASE + BOARD_MAILBOX_SIZE,
                                .guest = "guest",
                                .receive = receive,
                                .receive_space = receive_space,
                                .refresh_job = refresh_job,
                                .describe = describe,
                                .start = start};
END
