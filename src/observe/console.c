#include "src/observe/console.h"

#include "src/observe/console_input.h"
#include "src/host/console_output.h"
#include "src/host/console_port.h"
#include "src/host/end_signals.h"
#include "src/host/external.h"
#include "src/observe/machine_progress.h"
#include "src/host/terminal.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct console {
    struct machine *machine;
    bool has_job, quiet;
    struct console_output_hooks hooks;
    struct console_output *output;
    struct console_port *port; /* of UART 0; NULL: on stdin and stdout */
    struct console_input *input;
    struct terminal *terminal; /* in raw mode; NULL if stdin is not a terminal or not used */
    struct progress *progress; /* NULL: no progress line */
    struct machine_progress of_machine;
    struct end_signals *signals;
    int interrupt_fd; /* readable when a signal requests the end of the run; -1: none */
    struct sigaction old_pipe;
};

/* Output */

static void about_to_write(void *opaque)
{
    const struct console *console = opaque;
    progress_erase(console->progress);
}

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct console *console = opaque;
    if (uart == 0 && console->port)
        console_port_put(console->port, byte);
    else if (uart == 1 || (uart == 0 && !console->has_job))
        console_output_put(console->output, CONSOLE_OUT, byte);
    else if (uart == 2)
        console_output_put(console->output, CONSOLE_ERR, byte);
    else if (!console->quiet && byte != '\r') /* kernel messages, as log lines */
        console_output_put(console->output, CONSOLE_ERR, byte);
}

/* Signals */

void console_take_signals(struct console *console)
{
    end_signals_take(console->signals);
    console->interrupt_fd = end_signals_fd(console->signals);
}

void console_release_signals(struct console *console)
{
    end_signals_release(console->signals);
    console->interrupt_fd = -1;
}

struct end_signals *console_signals(struct console *console)
{
    return console->signals;
}

/* On the first signal, request an orderly end of the run. */
static void check_signal(struct console *console)
{
    int signal = end_signals_check(console->signals);
    if (!signal)
        return;
    console->interrupt_fd = -1;
    external_stop(console->machine->external, (unsigned)signal);
}

/* Host interface of the machine */

static bool has_failed(const struct console *console, struct err *err)
{
    return console_output_failed(console->output, err) || (console->port && console_port_failed(console->port, err));
}

static void poll_host(void *opaque)
{
    struct console *console = opaque;
    check_signal(console);
    console_output_flush_old(console->output);
    if (console->port)
        console_port_flush(console->port);
    if (has_failed(console, NULL))
        external_stop(console->machine->external, 0);
    else if (console->progress && console_output_is_idle(console->output))
        machine_progress_update(&console->of_machine, console->machine, console->progress);
}

static void about_to_sleep(void *opaque)
{
    const struct console *console = opaque;
    console_output_flush(console->output);
    if (console->port)
        console_port_flush(console->port);
}

const struct machine_host console_host = {.uart_output = uart_output, .poll = poll_host, .sleep = about_to_sleep};

/* Signal source: delivers no input, but a signal ends the host's sleep. */

static void prepare(void *opaque, struct external_waits *waits)
{
    const struct console *console = opaque;
    if (console->interrupt_fd >= 0)
        external_wait_for(waits, console->interrupt_fd, POLLIN);
}

static void take(void *opaque, const struct external_waits *waits)
{
    (void)waits;
    check_signal(opaque);
}

static void deliver(void *opaque, const void *bytes, size_t count)
{
    (void)opaque, (void)bytes, (void)count;
}

/* Creation */

static struct console_input *open_input(struct console *console, const struct console_config *config)
{
    if (config->replay)
        return console_input_create(CONSOLE_INPUT_NONE, -1);
    if (console->port) {
        int fd = console_port_input(console->port);
        return console_input_create(fd < 0 ? CONSOLE_INPUT_NONE : CONSOLE_INPUT_LINE, fd);
    }
    if (config->has_job)
        return console_input_create(CONSOLE_INPUT_NONE, -1);
    console->terminal = terminal_set_raw();
    end_signals_set_terminal(console->signals, console->terminal);
    if (console->terminal && isatty(STDERR_FILENO) && !console->quiet)
        fprintf(stderr, "simos: the guest's console; Ctrl-A x ends the run\n");
    return console_input_create(console->terminal ? CONSOLE_INPUT_TERMINAL : CONSOLE_INPUT_STREAM, STDIN_FILENO);
}

struct console *console_create(const struct console_config *config, struct err *err)
{
    struct console_port *port;
    if (!console_port_open(&port, config->device, config->replay, err))
        return NULL;
    struct console *console = checked_memory(calloc(1, sizeof *console));
    console->has_job = config->has_job;
    console->quiet = config->quiet;
    console->port = port;
    console->hooks = (struct console_output_hooks){.writing = about_to_write, .opaque = console};
    console->output = console_output_create(&console->hooks);
    console->signals = end_signals_create(true);
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, &console->old_pipe); /* a closed stdout is reported by write() */
    console_take_signals(console);
    console->input = open_input(console, config);
    if (!console->terminal)
        console->progress = progress_create();
    return console;
}

static void restore_terminal(struct console *console)
{
    end_signals_set_terminal(console->signals, NULL);
    terminal_restore(console->terminal);
    console->terminal = NULL;
}

void console_close_input(struct console *console)
{
    console_input_close(console->input);
    restore_terminal(console);
}

void console_expect(struct console *console, const struct machine_limits *end)
{
    machine_progress_begin(&console->of_machine, console->machine, end);
}

void console_attach(struct console *console, struct machine *machine)
{
    static const struct external_ops signal_ops = {.deliver = deliver, .prepare = prepare, .take = take};
    console->machine = machine;
    external_add(machine->external, "signal", &signal_ops, console);
    console_input_attach(console->input, machine);
    console_expect(console, &MACHINE_NO_LIMITS);
}

bool console_flush(struct console *console, struct err *err)
{
    console_output_flush(console->output);
    if (console->port)
        console_port_flush(console->port);
    progress_erase(console->progress);
    return !has_failed(console, err);
}

void console_free(struct console *console)
{
    if (!console)
        return;
    console_flush(console, NULL);
    restore_terminal(console);
    end_signals_free(console->signals);
    sigaction(SIGPIPE, &console->old_pipe, NULL);
    progress_free(console->progress);
    console_input_free(console->input);
    console_port_close(console->port);
    console_output_free(console->output);
    free(console);
}
