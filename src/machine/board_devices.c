#include "src/machine/board_devices.h"

#include "src/machine/board_gic.h"
#include <stdlib.h>

#define DEVICE(type, base, irq, stats, saved, tree) extern const struct device_type type;
#include "src/machine/board.def"
#undef DEVICE

static const struct board_row rows[] = {
#define DEVICE(type, base, irq, stats, saved, tree) {&type, base, irq, stats, saved, tree},
#include "src/machine/board.def"
#undef DEVICE
};
enum { ROWS = sizeof rows / sizeof rows[0] };

struct board_devices {
    struct device_board board[ROWS]; /* per device */
    void *device[ROWS];              /* NULL: not configured */
};

const struct board_row *board_row_at(unsigned index)
{
    return index < ROWS ? &rows[index] : NULL;
}

void board_devices_define_params(struct params *params)
{
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned table = 0; table < DEVICE_PARAM_TABLES; table++)
            if (rows[i].type->params[table].defs)
                params_define(params, rows[i].type->params[table].defs, *rows[i].type->params[table].count);
}

/* Creation */

static struct irq_line input(const struct device_board *board, unsigned number)
{
    return gic_input(board_device(board->machine, &board_gic_type), number);
}

bool board_devices_create(struct machine *machine, struct err *err)
{
    struct board_devices *devices = machine->devices = checked_memory(calloc(1, sizeof *devices));
    bool done = true;
    for (unsigned i = 0; i < ROWS && done; i++) {
        devices->board[i] = (struct device_board){.queue = machine->queue,
                                                  .mem = machine->mem,
                                                  .params = machine->params,
                                                  .log = machine->log,
                                                  .cpus = machine->cpus,
                                                  .base = rows[i].base,
                                                  .irq = rows[i].irq,
                                                  .input = input,
                                                  .machine = machine};
        done = rows[i].type->create(&devices->board[i], &devices->device[i], err);
    }
    if (done)
        return true;
    board_devices_free(devices);
    machine->devices = NULL;
    return false;
}

void board_devices_free(struct board_devices *devices)
{
    if (!devices)
        return;
    for (unsigned i = ROWS; i-- > 0;)
        if (devices->device[i] && rows[i].type->free)
            rows[i].type->free(devices->device[i]);
    free(devices);
}

void *board_device(const struct machine *machine, const struct device_type *type)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].type == type)
            return machine->devices->device[i];
    log_bug("device %s has no row", type->name);
}

/* Output orders */

static unsigned order_in_stats(const struct board_row *row)
{
    return row->stats;
}

static unsigned order_in_saved(const struct board_row *row)
{
    return row->saved;
}

static unsigned order_in_tree(const struct board_row *row)
{
    return row->tree;
}

/* Fill ORDER with the rows of the existing devices, sorted by POSITION. Returns their number. */
static unsigned sort_rows(const struct board_devices *devices, unsigned (*position)(const struct board_row *),
                          unsigned order[ROWS])
{
    unsigned count = 0;
    for (unsigned wanted = 1; wanted <= ROWS + 1; wanted++)
        for (unsigned i = 0; i < ROWS; i++)
            if (devices->device[i] && position(&rows[i]) == (wanted <= ROWS ? wanted : 0))
                order[count++] = i;
    return count;
}

void board_devices_register_stats(const struct board_devices *devices, struct stats *stats)
{
    unsigned order[ROWS], count = sort_rows(devices, order_in_stats, order);
    for (unsigned i = 0; i < count; i++)
        if (rows[order[i]].type->register_stats)
            rows[order[i]].type->register_stats(devices->device[order[i]], stats);
}

bool board_devices_register_saved(const struct board_devices *devices, struct saved *saved, struct err *err)
{
    unsigned order[ROWS], count = sort_rows(devices, order_in_saved, order);
    for (unsigned i = 0; i < count; i++) {
        const struct device_type *type = rows[order[i]].type;
        if (type->register_saved && !type->register_saved(devices->device[order[i]], saved, err))
            return false;
    }
    return true;
}

/* Device tree */

typedef void write_tree(const void *device, const struct device_board *board, struct tree_writer *tree);

static write_tree *node_of(const struct device_type *type)
{
    return type->write_node;
}

static write_tree *aliases_of(const struct device_type *type)
{
    return type->write_aliases;
}

static write_tree *chosen_of(const struct device_type *type)
{
    return type->write_chosen;
}

static void write_all(const struct board_devices *devices, write_tree *(*writer)(const struct device_type *),
                      struct tree_writer *tree)
{
    unsigned order[ROWS], count = sort_rows(devices, order_in_tree, order);
    for (unsigned i = 0; i < count; i++) {
        write_tree *write = writer(rows[order[i]].type);
        if (write)
            write(devices->device[order[i]], &devices->board[order[i]], tree);
    }
}

void board_devices_write_nodes(const struct board_devices *devices, struct tree_writer *tree)
{
    write_all(devices, node_of, tree);
}

void board_devices_write_aliases(const struct board_devices *devices, struct tree_writer *tree)
{
    write_all(devices, aliases_of, tree);
}

void board_devices_write_chosen(const struct board_devices *devices, struct tree_writer *tree)
{
    write_all(devices, chosen_of, tree);
}

/* Listing */

void board_devices_list(FILE *out)
{
    fprintf(out, "%-18s %-17s %-10s %s\n", "DEVICE", "ADDRESSES", "INTERRUPTS", "MEANING");
    for (unsigned i = 0; i < ROWS; i++) {
        const struct device_type *type = rows[i].type;
        char where[32] = "-", lines[32] = "-";
        if (type->size)
            snprintf(where, sizeof where, "%08x-%08x", rows[i].base, rows[i].base + type->size - 1);
        if (type->interrupts)
            snprintf(lines, sizeof lines, type->interrupts > 1 ? "%u-%u" : "%u", rows[i].irq,
                     rows[i].irq + type->interrupts - 1);
        fprintf(out, "%-18s %-17s %-10s %s\n", type->name, where, lines, type->summary);
    }
}
