/* The board's serial ports, connected to the machine's host interface. */
#include "src/boards/board_uarts.h"

#include "src/machine/board_devices.h"
#include "src/machine/machine.h"
#include <stdlib.h>

/* Destination of a serial port's output. */
struct port {
    struct machine *machine;
    struct uart *uart;
    unsigned number;
};

struct ports {
    struct port port[BOARD_UART_COUNT];
};

static void transmit(void *opaque, uint8_t byte)
{
    const struct port *port = opaque;
    const struct machine *machine = port->machine;
    if (machine->host && machine->host->uart_output)
        machine->host->uart_output(machine->host_opaque, port->number, byte);
}

static bool create(const struct device_board *board, void **device, struct err *err)
{
    const cycles character_time = time_cycles_of_nsec(board->queue, params_u64(board->params, "uart.character_time"));
    struct ports *ports = *device = checked_memory(calloc(1, sizeof *ports));
    (void)err;
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        struct port *port = &ports->port[i];
        port->machine = board->machine;
        port->number = i;
        port->uart = uart_create(board->queue, device_irq(board, i), transmit, port, character_time, board->log);
        physmem_add_device(board->mem, board->base + i * BOARD_UART_STRIDE, BOARD_UART_SIZE, &uart_device_ops,
                           port->uart);
    }
    return true;
}

static void free_ports(void *device)
{
    const struct ports *ports = device;
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++)
        uart_free(ports->port[i].uart);
    free(device);
}

struct uart *board_uart(const struct machine *machine, unsigned number)
{
    const struct ports *ports = board_device(machine, &board_uarts_type);
    return ports->port[number].uart;
}

static void register_stats(void *device, struct stats *stats)
{
    const struct ports *ports = device;
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "uart%u", i);
        uart_register_stats(ports->port[i].uart, stats, prefix);
    }
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    const struct ports *ports = device;
    (void)err;
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "uart%u", i);
        uart_register_saved(ports->port[i].uart, saved, name);
    }
    return true;
}

static void write_aliases(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        char name[16], path[40];
        snprintf(name, sizeof name, "serial%u", i);
        snprintf(path, sizeof path, "/serial@%x", board->base + i * BOARD_UART_STRIDE);
        tree_text(tree, name, path);
    }
}

static void write_nodes(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        const paddr base = board->base + i * BOARD_UART_STRIDE;
        tree_begin_at(tree, "serial", base);
        tree_registers(tree, "ns16550a", base, BOARD_UART_SIZE);
        TREE_CELLS(tree, "reg-shift", 2);
        TREE_CELLS(tree, "reg-io-width", 4);
        TREE_CELLS(tree, "clock-frequency", UART_CLOCK_HZ);
        tree_interrupt(tree, board->irq + i);
        tree_end(tree);
    }
}

const struct device_type board_uarts_type = {
    .name = "uart",
    .summary = "serial ports (16550A): the console, the job's stdout and stderr",
    .size = BOARD_UART_COUNT * BOARD_UART_STRIDE,
    .interrupts = BOARD_UART_COUNT,
    .create = create,
    .free = free_ports,
    .register_stats = register_stats,
    .register_saved = register_saved,
    .write_node = write_nodes,
    .write_aliases = write_aliases,
};
