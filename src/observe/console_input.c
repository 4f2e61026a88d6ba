#include "src/observe/console_input.h"

#include "src/host/external.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KEY_ESCAPE = 1,      /* Ctrl-A */
    KEY_END_OF_FILE = 4, /* Ctrl-D */
    UART_FIFO = 16,
};

struct console_input {
    enum console_input_kind kind;
    int fd;
    bool open;  /* more input may follow */
    bool live;  /* not a regular file: input may arrive later */
    bool ended; /* the end of the input was read, and must be sent to the guest */
    struct machine *machine;
    struct external_source *source;
    bool waiting; /* FD is in the wait set, with index `wait` */
    size_t wait;
    bool escape;      /* the last key was Ctrl-A */
    uint8_t last_key; /* last key sent to the guest */
    cycles next_end;  /* simulated time of the next end-of-file character */
};

struct console_input *console_input_create(enum console_input_kind kind, int fd)
{
    struct stat status;
    struct console_input *input = checked_memory(calloc(1, sizeof *input));
    input->kind = kind;
    input->fd = fd;
    input->open = kind != CONSOLE_INPUT_NONE && fstat(fd, &status) == 0;
    input->live = input->open && !S_ISREG(status.st_mode);
    return input;
}

void console_input_free(struct console_input *input)
{
    free(input);
}

void console_input_close(struct console_input *input)
{
    input->open = input->ended = false;
}

/* Handle the escape keys of a terminal. True if KEY is sent to the guest. */
static bool filter_key(struct console_input *input, uint8_t key)
{
    if (input->kind != CONSOLE_INPUT_TERMINAL)
        return true;
    if (!input->escape) {
        input->escape = key == KEY_ESCAPE;
        return !input->escape;
    }
    input->escape = false;
    if (key != 'x')
        return key == KEY_ESCAPE;
    external_stop(input->machine->external, 0);
    return false;
}

/* Read available input, at most as much as the serial port has room for. */
static void read_keys(struct console_input *input)
{
    uint8_t keys[UART_FIFO], passed[UART_FIFO];
    size_t space = machine_input_space(input->machine, 0), length = 0;
    ssize_t count = read(input->fd, keys, space < sizeof keys ? space : sizeof keys);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count <= 0) {
        input->open = false;
        input->ended = input->kind != CONSOLE_INPUT_LINE;
        return;
    }
    for (ssize_t i = 0; i < count; i++)
        if (filter_key(input, keys[i]))
            passed[length++] = input->last_key = keys[i];
    if (length)
        external_deliver(input->source, passed, length);
}

/* Send an end-of-file character. It is effective only at the start of a line, and a busy shell may lose it: it is
 * repeated every 0.1 s of simulated time. */
static void send_end_of_file(struct console_input *input)
{
    struct machine *machine = input->machine;
    static const uint8_t keys[] = {'\n', KEY_END_OF_FILE};
    const bool at_start = !input->last_key || input->last_key == '\n';
    if (!input->ended || !machine->userland_up || machine->now < input->next_end ||
        machine_input_space(machine, 0) < sizeof keys)
        return;
    external_deliver(input->source, keys + at_start, sizeof keys - at_start);
    input->last_key = 0;
    input->next_end = machine->now + machine->queue->clock_hz / 10;
}

/* External source */

static void prepare(void *opaque, struct external_waits *waits)
{
    struct console_input *input = opaque;
    const struct machine *machine = input->machine;
    input->waiting = input->open && (input->kind != CONSOLE_INPUT_STREAM || machine->userland_up) &&
                     machine_input_space(machine, 0) > 0;
    if (!input->waiting)
        return;
    input->wait = external_wait_for(waits, input->fd, POLLIN);
    if (input->live)
        external_expect_input(waits);
}

static void take(void *opaque, const struct external_waits *waits)
{
    struct console_input *input = opaque;
    send_end_of_file(input);
    if (input->waiting && external_revents(waits, input->wait) && machine_input_space(input->machine, 0) > 0)
        read_keys(input);
}

static void deliver(void *opaque, const void *bytes, size_t count)
{
    const struct console_input *input = opaque;
    machine_input(input->machine, 0, bytes, count);
}

void console_input_attach(struct console_input *input, struct machine *machine)
{
    static const struct external_ops ops = {.deliver = deliver, .prepare = prepare, .take = take};
    input->machine = machine;
    input->source = external_add(machine->external, "console", &ops, input);
}

void console_input_detach(struct console_input *input)
{
    external_remove(input->source);
    input->source = NULL;
}
