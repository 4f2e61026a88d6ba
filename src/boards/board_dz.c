#include "src/boards/board_dz.h"

#include "devices/dec/job_line.h"
#include "src/base/board.h"
#include "src/boards/board_control.h"
#include "src/machine/board_devices.h"
#include "src/machine/machine.h"
#include <stdlib.h>

enum { JOB_LINE = 0, CONSOLE_LINE = 3 };

/* The lines of the serial ports: console, the job's stdout, its stderr. */
static const unsigned line_of_port[BOARD_UART_COUNT] = {CONSOLE_LINE, 1, 2};

struct lines {
    struct machine *machine;
    struct dz *dz;
    struct job_line *job;
};

static void put_out(const struct machine *machine, unsigned port, uint8_t byte)
{
    if (machine->host && machine->host->uart_output)
        machine->host->uart_output(machine->host_opaque, port, byte);
}

static void transmit(void *opaque, unsigned line, uint8_t byte)
{
    const struct lines *lines = opaque;
    if (line == JOB_LINE)
        job_line_take(lines->job, byte);
    for (unsigned port = 0; port < BOARD_UART_COUNT; port++)
        if (line_of_port[port] == line)
            put_out(lines->machine, port, byte);
}

static void has_room(void *opaque, unsigned line)
{
    const struct lines *lines = opaque;
    if (line == JOB_LINE && lines->job)
        job_line_has_room(lines->job);
}

static bool send_to_guest(void *opaque, uint8_t byte)
{
    const struct lines *lines = opaque;
    return dz_receive(lines->dz, JOB_LINE, byte);
}

static bool create(const struct device_board *board, void **device, struct err *err)
{
    static const struct dz_ops ops = {.transmit = transmit, .room = has_room};
    const cycles character_time = time_cycles_of_nsec(board->queue, params_u64(board->params, "uart.character_time"));
    struct lines *lines = *device = checked_memory(calloc(1, sizeof *lines));
    (void)err;
    lines->machine = board->machine;
    lines->dz = dz_create(board->queue, device_irq(board, 0), &ops, lines, character_time, board->log);
    lines->job = job_line_create(board->queue, board_device(board->machine, &board_own_control_type), send_to_guest,
                                 lines, board->log);
    dz_set_up(lines->dz, CONSOLE_LINE);
    physmem_add_device(board->mem, board->base, DZ_SIZE, &dz_device_ops, lines->dz);
    return true;
}

static void free_lines(void *device)
{
    struct lines *lines = device;
    job_line_free(lines->job);
    dz_free(lines->dz);
    free(lines);
}

static void register_stats(void *device, struct stats *stats)
{
    const struct lines *lines = device;
    dz_register_stats(lines->dz, stats, "dz");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    const struct lines *lines = device;
    (void)err;
    dz_register_saved(lines->dz, saved);
    job_line_register_saved(lines->job, saved);
    return true;
}

static struct lines *lines_of(const struct machine *machine)
{
    return board_device(machine, &board_dz_type);
}

bool board_dz_receive(struct machine *machine, unsigned port, uint8_t byte)
{
    return dz_receive(lines_of(machine)->dz, line_of_port[port], byte);
}

unsigned board_dz_receive_space(const struct machine *machine, unsigned port)
{
    return dz_receive_space(lines_of(machine)->dz, line_of_port[port]);
}

void board_dz_refresh_job(struct machine *machine)
{
    job_line_refresh(lines_of(machine)->job);
    control_refresh_job(board_device(machine, &board_own_control_type));
}

void board_dz_put(struct machine *machine, uint8_t byte)
{
    put_out(machine, 0, byte);
}

int board_dz_get(struct machine *machine)
{
    return dz_take(lines_of(machine)->dz);
}

const struct device_type board_dz_type = {
    .name = "dz",
    .summary = "serial lines (DZ11): 3 the console, 1 and 2 the job's stdout and stderr, 0 the job itself",
    .size = DZ_SIZE,
    .interrupts = 1,
    .create = create,
    .free = free_lines,
    .register_stats = register_stats,
    .register_saved = register_saved,
};
