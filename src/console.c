#include "src/console.h"

#include "src/progress.h"
#include "src/terminal.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 8192,
    FLUSH_NS = 20000000, /* at least that often on the host's clock */
    KEY_ESCAPE = 1,      /* Ctrl-A */
    KEY_END_OF_FILE = 4  /* Ctrl-D */
};

/* One of the host's outputs. */
struct output {
    int fd;
    bool terminal;
    int error; /* errno of the first failed write; nothing is written afterwards */
    bool mid_line;
    size_t length;
    uint8_t buffer[BUFFER_SIZE];
};

struct console {
    struct machine *machine;
    bool has_job, quiet;
    struct output out, err;
    struct progress *progress; /* NULL: none is shown */
    nsec flushed_at;

    bool input_open;           /* stdin may give more */
    bool input_live;           /* stdin is a terminal or pipe: somebody may be typing */
    bool escape;               /* Ctrl-A was typed */
    bool ended;                /* stdin has ended */
    cycles next_end;           /* simulated time at which the guest is told so the next time */
    uint8_t last_key;          /* that was given to the guest */
    struct terminal *terminal; /* taken for raw input; NULL if stdin is none, or not for us */
    int signals; /* descriptor from which SIGINT, SIGTERM and SIGHUP are read, -1: they take their default effect */
    int signal;  /* the one that was */
    sigset_t old_mask;
    struct sigaction old_pipe;
};

static nsec host_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (nsec)now.tv_sec * 1000000000u + (nsec)now.tv_nsec;
}

/* Output */

/* Nobody takes our output, and a signal wants the end: there can be none in good order. */
static void die_of_signal(struct console *console)
{
    struct signalfd_siginfo info;
    if (read(console->signals, &info, sizeof info) != sizeof info)
        return;
    console_release_signals(console);
    terminal_give_back(console->terminal);
    console->terminal = NULL;
    raise((int)info.ssi_signo);
}

/* Wait until OUTPUT takes something: at least PIPE_BUF bytes, if it is a pipe. Signals are blocked, so a write() that
 * waits could not be interrupted. */
static void await_output(struct console *console, const struct output *output)
{
    for (;;) {
        struct pollfd fds[] = {{.fd = output->fd, .events = POLLOUT}, {.fd = console->signals, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (fds[0].revents)
            return;
        if (fds[1].revents)
            die_of_signal(console);
    }
}

static void write_out(struct console *console, struct output *output)
{
    size_t done = 0;
    while (done < output->length && !output->error) {
        size_t rest = output->length - done;
        await_output(console, output);
        ssize_t count = write(output->fd, output->buffer + done, rest < PIPE_BUF ? rest : PIPE_BUF);
        if (count >= 0)
            done += (size_t)count;
        else if (errno != EINTR && errno != EAGAIN)
            output->error = errno;
    }
    output->length = 0;
}

static void write_all(struct console *console)
{
    if (console->progress && (console->out.length || console->err.length))
        progress_erase(console->progress);
    write_out(console, &console->out);
    write_out(console, &console->err);
    console->flushed_at = host_time();
    if (console->machine && (console->out.error || console->err.error))
        machine_request_stop(console->machine);
}

static void put_byte(struct console *console, struct output *output, uint8_t byte)
{
    struct output *other = output == &console->out ? &console->err : &console->out;
    /* both may be the same terminal: keep the order */
    if (other->length || output->length == BUFFER_SIZE)
        write_all(console);
    output->buffer[output->length++] = byte;
    output->mid_line = byte != '\n';
}

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct console *console = opaque;
    if (uart == 1 || (uart == 0 && !console->has_job))
        put_byte(console, &console->out, byte);
    else if (uart == 2)
        put_byte(console, &console->err, byte);
    else if (!console->quiet && byte != '\r') /* kernel messages, as lines of a log */
        put_byte(console, &console->err, byte);
}

/* Input */

static bool input_wanted(const struct console *console)
{
    return console->input_open && (console->terminal || console->machine->userland_up) &&
           machine_input_space(console->machine, 0) > 0;
}

/* The keys of a terminal that are for us. True if KEY goes to the guest. */
static bool filter_key(struct console *console, uint8_t key)
{
    if (!console->terminal)
        return true;
    if (!console->escape) {
        console->escape = key == KEY_ESCAPE;
        return !console->escape;
    }
    console->escape = false;
    if (key != 'x')
        return key == KEY_ESCAPE;
    machine_request_stop(console->machine);
    return false;
}

/* Take what stdin has, as much as the port has room for. True if there was something. */
static bool read_input(struct console *console)
{
    uint8_t keys[16];
    size_t space = machine_input_space(console->machine, 0);
    ssize_t count = read(STDIN_FILENO, keys, space < sizeof keys ? space : sizeof keys);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    if (count <= 0) {
        console->input_open = false;
        console->ended = true;
        return true;
    }
    for (ssize_t i = 0; i < count; i++)
        if (filter_key(console, keys[i])) {
            machine_input(console->machine, 0, &keys[i], 1);
            console->last_key = keys[i];
        }
    return true;
}

/* Wait up to DURATION for stdin and take what comes. True if something came. */
static bool await_input(struct console *console, nsec duration)
{
    const nsec longest = 1000000000;
    if (duration > longest)
        duration = longest;
    struct timespec timeout = {.tv_sec = (time_t)(duration / 1000000000u), .tv_nsec = (long)(duration % 1000000000u)};
    struct pollfd in[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = console->signals, .events = POLLIN}};
    return ppoll(in, 2, &timeout, NULL) > 0 && in[0].revents && read_input(console);
}

/* An end-of-file character counts at the start of a line only, and a shell that is busy when it comes loses it: so it
 * comes again. */
static void give_end_of_file(struct console *console)
{
    struct machine *machine = console->machine;
    static const uint8_t keys[] = {'\n', KEY_END_OF_FILE};
    const bool at_start = !console->last_key || console->last_key == '\n';
    if (!console->ended || !machine->userland_up || machine->now < console->next_end ||
        machine_input_space(machine, 0) < sizeof keys)
        return;
    machine_input(machine, 0, keys + at_start, sizeof keys - at_start);
    console->last_key = 0;
    console->next_end = machine->now + machine->queue->clock_hz / 10;
}

/* Signals */

void console_take_signals(struct console *console)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction present;
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) /* nohup; a script's "&" */
            sigaddset(&ours, numbers[i]);
    sigprocmask(SIG_BLOCK, &ours, &console->old_mask);
    console->signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    if (console->signals < 0)
        sigprocmask(SIG_SETMASK, &console->old_mask, NULL);
}

void console_release_signals(struct console *console)
{
    if (console->signals < 0)
        return;
    close(console->signals);
    console->signals = -1;
    sigprocmask(SIG_SETMASK, &console->old_mask, NULL);
}

/* From the machine */

/* The first signal ends the run in good order; from then on they take their default effect. */
static void check_signal(struct console *console)
{
    struct signalfd_siginfo info;
    if (console->signals < 0 || read(console->signals, &info, sizeof info) != sizeof info)
        return;
    console->signal = (int)info.ssi_signo;
    console_release_signals(console);
    machine_request_stop(console->machine);
}

static void poll_host(void *opaque)
{
    struct console *console = opaque;
    check_signal(console);
    give_end_of_file(console);
    if (input_wanted(console))
        await_input(console, 0);
    if (console->out.length || console->err.length) {
        if (host_time() - console->flushed_at > FLUSH_NS)
            write_all(console);
    } else if (console->progress && !console->out.mid_line && !console->err.mid_line)
        progress_update(console->progress, console->machine);
}

static nsec pass_idle(void *opaque, nsec duration)
{
    struct console *console = opaque;
    check_signal(console);
    if (console->machine->stopping)
        return 0;
    give_end_of_file(console);
    if (!input_wanted(console))
        return duration;
    if (!console->input_live)
        return await_input(console, 0) ? 0 : duration;
    write_all(console);
    nsec start = host_time();
    await_input(console, duration);
    check_signal(console);
    nsec passed = host_time() - start;
    return passed < duration ? passed : duration;
}

const struct machine_host console_host = {.uart_output = uart_output, .poll = poll_host, .idle = pass_idle};

/* Life */

struct console *console_create(bool has_job, bool quiet)
{
    struct console *console = calloc(1, sizeof *console);
    struct stat status;
    if (!console)
        log_bug("out of memory");
    console->has_job = has_job;
    console->quiet = quiet;
    console->out.fd = STDOUT_FILENO;
    console->err.fd = STDERR_FILENO;
    console->out.terminal = isatty(STDOUT_FILENO);
    console->err.terminal = isatty(STDERR_FILENO);
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, &console->old_pipe); /* a closed stdout is an error of write() */
    console_take_signals(console);
    if (!has_job) {
        console->input_open = fstat(STDIN_FILENO, &status) == 0;
        console->input_live = console->input_open && !S_ISREG(status.st_mode);
        console->terminal = terminal_take();
        if (console->terminal && console->err.terminal && !console->quiet)
            fprintf(stderr, "simos: the guest's console; Ctrl-A x ends the run\n");
    }
    if (console->err.terminal && !console->terminal)
        console->progress = progress_create(STDERR_FILENO);
    return console;
}

void console_close_input(struct console *console)
{
    console->input_open = console->ended = false;
    terminal_give_back(console->terminal);
    console->terminal = NULL;
}

void console_attach(struct console *console, struct machine *machine)
{
    console->machine = machine;
}

bool console_flush(struct console *console, struct err *err)
{
    console->machine = NULL; /* nothing to stop any more */
    write_all(console);
    if (console->progress)
        progress_erase(console->progress);
    if (console->out.error)
        return err_set(err, "stdout: %s", strerror(console->out.error));
    return !console->err.error || err_set(err, "stderr: %s", strerror(console->err.error));
}

int console_signal(const struct console *console)
{
    return console->signal;
}

void console_free(struct console *console)
{
    if (!console)
        return;
    console_flush(console, NULL);
    terminal_give_back(console->terminal);
    console_release_signals(console);
    sigaction(SIGPIPE, &console->old_pipe, NULL);
    progress_free(console->progress);
    free(console);
}
