#include "src/machine/boards.h"

#include "src/base/board.h"
#include "src/machine/board_simos.h"
#include <string.h>

#define DEVICE(type, base, irq, stats, saved, tree) extern const struct device_type type;
#include "src/machine/board.def"
#undef DEVICE

#define DEVICE(type, base, irq, stats, saved, tree) {&type, base, irq, stats, saved, tree},
static const struct board_row simos_rows[] = {
#include "src/machine/board.def"
};
#undef DEVICE

#define ROWS(table) .rows = (table), .row_count = sizeof(table) / sizeof(table)[0]

static const struct board boards[] = {
    {.name = "simos",
     .summary = "the simulator's own board: MIPS GIC, 16550A, virtio, described by a device tree",
     ROWS(simos_rows),
     .input = board_simos_input,
     .core_hooks = &board_simos_core_hooks,
     .most_memory = BOARD_MAX_RAM,
     .reserved_end = BOARD_MAILBOX_BASE + BOARD_MAILBOX_SIZE,
     .description_size = DEVICE_TREE_MAX,
     .takes_rom = true,
     .guest_folder = "guest",
     .guest_target = "guest",
     .describe = board_simos_describe,
     .start = board_simos_start},
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
