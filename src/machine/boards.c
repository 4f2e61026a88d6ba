#include "src/machine/boards.h"

#include "devices/dec/prom.h"
#include "src/base/board.h"
#include "src/machine/board_decstation.h"
#include "src/machine/board_dz.h"
#include "src/machine/board_simos.h"
#include <string.h>

#define DEVICE(type, base, irq, stats, saved, tree) extern const struct device_type type;
#include "src/machine/board.def"
#include "src/machine/board_kn01.def"
#include "src/machine/board_kn02.def"
#undef DEVICE

#define DEVICE(type, base, irq, stats, saved, tree) {&type, base, irq, stats, saved, tree},
static const struct board_row simos_rows[] = {
#include "src/machine/board.def"
};
static const struct board_row kn01_rows[] = {
#include "src/machine/board_kn01.def"
};
static const struct board_row kn02_rows[] = {
#include "src/machine/board_kn02.def"
};
#undef DEVICE

#define ROWS(table) .rows = (table), .row_count = sizeof(table) / sizeof(table)[0]

/* Where KN01 has its frame buffer (asm/dec/kn01.h), far above the 24 MB that a DECstation 3100 can have; and the 480 MB
 * of a 5000/200, up to the TURBOchannel. */
enum { KN01_MOST_MEMORY = 0x0fc00000, KN02_MOST_MEMORY = 480 << 20 };

/* What the two boards of DECstations have in common. Cause of the kernel's arguments: docs/reference/boards.md. */
#define DECSTATION                                                                                                     \
    .most_cpus = 1, .architecture = "r3000", .input = board_decstation_input, .disks = &board_no_disks_type,           \
    .core_hooks = &board_decstation_core_hooks, .reserved_end = PROM_STACK, .bootargs = "console=ttyS3,9600 panic=-1", \
    .guest = "guest-decstation", .receive = board_dz_receive, .receive_space = board_dz_receive_space,                 \
    .refresh_job = board_dz_refresh_job, .describe = board_decstation_describe, .start = board_decstation_start

static const struct board boards[] = {
    {.name = "simos",
     .summary = "the simulator's own board: MIPS GIC, 16550A, virtio, described by a device tree",
     ROWS(simos_rows),
     .input = board_simos_input,
     .network_card = &board_net_type,
     .disks = &board_disks_type,
     .core_hooks = &board_simos_core_hooks,
     .most_cpus = BOARD_MAX_CPUS,
     .most_memory = BOARD_MAX_RAM,
     .reserved_end = BOARD_MAILBOX_BASE + BOARD_MAILBOX_SIZE,
     .description_size = DEVICE_TREE_MAX,
     .takes_rom = true,
     .guest = "guest",
     .receive = board_simos_receive,
     .receive_space = board_simos_receive_space,
     .refresh_job = board_simos_refresh_job,
     .describe = board_simos_describe,
     .start = board_simos_start},
    {.name = "kn01",
     .summary = "DECstation 3100 (KN01); interrupts are the processor's IP2 to IP7",
     ROWS(kn01_rows),
     .network_card = &board_lance_type,
     .most_memory = KN01_MOST_MEMORY,
     DECSTATION},
    {.name = "kn02",
     .summary =
         "DECstation 5000/200 (KN02); interrupts 2 to 7 are the processor's IP2 to IP7, 8 to 15 inputs of the CSR",
     ROWS(kn02_rows),
     .network_card = &board_turbochannel_lance_type,
     .most_memory = KN02_MOST_MEMORY,
     DECSTATION},
};
enum { BOARDS = sizeof boards / sizeof boards[0] };

_Static_assert(sizeof simos_rows / sizeof simos_rows[0] <= BOARD_ROWS_MAX, "room for every device");

const struct board *board_at(unsigned index)
{
    return index < BOARDS ? &boards[index] : NULL;
}

const struct board *board_named(const char *name)
{
    for (unsigned i = 0; i < BOARDS; i++)
        if (strcmp(boards[i].name, name) == 0)
            return &boards[i];
    log_bug("no board %s", name);
}
