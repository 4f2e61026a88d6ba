#include "src/machine/board_devices.h"

#include "src/machine/boards.h"
#include <stdlib.h>

struct board_devices {
    const struct board *of;
    struct device_board board[BOARD_ROWS_MAX]; /* per device */
    void *device[BOARD_ROWS_MAX];              /* NULL: not configured */
};

/* Has a board before BOARD, or a row of it before ROW, the same type? */
static bool is_repeated(unsigned board, unsigned row)
{
    const struct device_type *type = board_at(board)->rows[row].type;
    for (unsigned i = 0; i <= board; i++)
        for (unsigned j = 0; j < (i == board ? row : board_at(i)->row_count); j++)
            if (board_at(i)->rows[j].type == type)
                return true;
    return false;
}

static void define_params(struct params *params, const struct device_type *type)
{
    for (unsigned table = 0; table < DEVICE_PARAM_TABLES; table++)
        if (type->params[table].defs)
            params_define(params, type->params[table].defs, *type->params[table].count);
}

void board_devices_define_params(struct params *params)
{
    for (unsigned board = 0; board_at(board); board++)
        for (unsigned row = 0; row < board_at(board)->row_count; row++)
            if (!is_repeated(board, row))
                define_params(params, board_at(board)->rows[row].type);
}

/* Creation */

bool board_devices_create(struct machine *machine, struct err *err)
{
    struct board_devices *devices = machine->devices = checked_memory(calloc(1, sizeof *devices));
    const struct board *board = devices->of = machine->board;
    bool done = true;
    for (unsigned i = 0; i < board->row_count && done; i++) {
        devices->board[i] = (struct device_board){.queue = machine->queue,
                                                  .mem = machine->mem,
                                                  .params = machine->params,
                                                  .log = machine->log,
                                                  .cpus = machine->cpus,
                                                  .base = board->rows[i].base,
                                                  .irq = board->rows[i].irq,
                                                  .input = board->input,
                                                  .machine = machine};
        done = board->rows[i].type->create(&devices->board[i], &devices->device[i], err);
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
    for (unsigned i = devices->of->row_count; i-- > 0;)
        if (devices->device[i] && devices->of->rows[i].type->free)
            devices->of->rows[i].type->free(devices->device[i]);
    free(devices);
}

/* The number of the row of TYPE; that of rows: there is none. */
static unsigned row_of(const struct board *board, const struct device_type *type)
{
    unsigned row = 0;
    while (row < board->row_count && board->rows[row].type != type)
        row++;
    return row;
}

bool board_has_device(const struct machine *machine, const struct device_type *type)
{
    return row_of(machine->board, type) < machine->board->row_count;
}

void *board_device(const struct machine *machine, const struct device_type *type)
{
    if (!board_has_device(machine, type))
        log_bug("board %s: device %s has no row", machine->board->name, type->name);
    return machine->devices->device[row_of(machine->board, type)];
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
                          unsigned order[BOARD_ROWS_MAX])
{
    const unsigned rows = devices->of->row_count;
    unsigned count = 0;
    for (unsigned wanted = 1; wanted <= rows + 1; wanted++)
        for (unsigned i = 0; i < rows; i++)
            if (devices->device[i] && position(&devices->of->rows[i]) == (wanted <= rows ? wanted : 0))
                order[count++] = i;
    return count;
}

void board_devices_register_stats(const struct board_devices *devices, struct stats *stats)
{
    unsigned order[BOARD_ROWS_MAX], count = sort_rows(devices, order_in_stats, order);
    for (unsigned i = 0; i < count; i++) {
        const struct device_type *type = devices->of->rows[order[i]].type;
        if (type->register_stats)
            type->register_stats(devices->device[order[i]], stats);
    }
}

bool board_devices_register_saved(const struct board_devices *devices, struct saved *saved, struct err *err)
{
    unsigned order[BOARD_ROWS_MAX], count = sort_rows(devices, order_in_saved, order);
    for (unsigned i = 0; i < count; i++) {
        const struct device_type *type = devices->of->rows[order[i]].type;
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
    unsigned order[BOARD_ROWS_MAX], count = sort_rows(devices, order_in_tree, order);
    for (unsigned i = 0; i < count; i++) {
        write_tree *write = writer(devices->of->rows[order[i]].type);
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

static void list(const struct board *board, FILE *out)
{
    fprintf(out, "%-18s %-17s %-10s %s\n", "DEVICE", "ADDRESSES", "INTERRUPTS", "MEANING");
    for (unsigned i = 0; i < board->row_count; i++) {
        const struct board_row *row = &board->rows[i];
        const struct device_type *type = row->type;
        char where[32] = "-", lines[32] = "-";
        if (type->size)
            snprintf(where, sizeof where, "%08x-%08x", row->base, row->base + type->size - 1);
        if (type->interrupts)
            snprintf(lines, sizeof lines, type->interrupts > 1 ? "%u-%u" : "%u", row->irq,
                     row->irq + type->interrupts - 1);
        fprintf(out, "%-18s %-17s %-10s %s\n", type->name, where, lines, type->summary);
    }
}

void board_devices_list(FILE *out)
{
    for (unsigned i = 0; board_at(i); i++) {
        fprintf(out, "%sboard %s: %s\n\n", i ? "\n" : "", board_at(i)->name, board_at(i)->summary);
        list(board_at(i), out);
    }
}
