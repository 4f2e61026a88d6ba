#include "src/host/console_port.h"

#include "src/base/save_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { KEPT = 1 << 16 /* bytes of output */ };

struct console_port {
    char *name;     /* path of the file */
    char *link;     /* symbolic link to the pseudo-terminal, or NULL */
    char *terminal; /* name of the pseudo-terminal, if there is a link */
    int fd;         /* the file, or the master of the pseudo-terminal; -1: none */
    int other;      /* the slave, held open so that programs can connect and disconnect; -1: no pseudo-terminal */
    int error;
    size_t first, length; /* ring buffer of unwritten output */
    uint8_t kept[KEPT];
};

const struct param_def console_params[] = {
    {"console.device", PARAM_CONSOLE, TRAIT_UNTIMED | TRAIT_LOCATION, "", "stdio", 0, 0, false, NULL,
     "where serial port 0 is: stdio, pty, pty:LINK, file:PATH or none"},
};
const size_t console_param_count = sizeof console_params / sizeof console_params[0];

/* Opening */

/* Disable all processing of bytes by the terminal. */
static bool make_raw(int fd)
{
    struct termios settings;
    if (tcgetattr(fd, &settings) != 0)
        return false;
    cfmakeraw(&settings);
    return tcsetattr(fd, TCSANOW, &settings) == 0;
}

static bool open_terminal(struct console_port *port, char *name, size_t size)
{
    port->fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (port->fd < 0 || grantpt(port->fd) != 0 || unlockpt(port->fd) != 0 || ptsname_r(port->fd, name, size) != 0 ||
        fcntl(port->fd, F_SETFL, O_NONBLOCK) != 0)
        return false;
    port->other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return port->other >= 0 && make_raw(port->other);
}

/* Read the target of the symbolic link PATH into FOUND; "" if it is not a link. */
static const char *link_target(const char *path, char found[PATH_MAX])
{
    ssize_t length = readlink(path, found, PATH_MAX - 1);
    found[length < 0 ? 0 : length] = 0;
    return found;
}

/* Create the link. A link left by an earlier run is replaced; any other existing file is not. */
static bool make_link(struct console_port *port, const char *name, const char *path, struct err *err)
{
    char target[PATH_MAX];
    if (strncmp(link_target(path, target), "/dev/pts/", 9) == 0)
        unlink(path);
    if (symlink(name, path) != 0)
        return err_set(err, "console.device: link %.200s: %s", path, strerror(errno));
    port->link = checked_memory(strdup(path));
    port->terminal = checked_memory(strdup(name));
    return true;
}

static bool open_pty(struct console_port *port, const char *link, struct err *err)
{
    char name[PATH_MAX];
    if (!open_terminal(port, name, sizeof name))
        return err_set(err, "console.device: no pseudo-terminal: %s", strerror(errno));
    if (*link && !make_link(port, name, link, err))
        return false;
    fprintf(stderr, "simos: the guest's console is %s\n", name);
    return true;
}

static bool open_file(struct console_port *port, const char *path, struct err *err)
{
    if (!*path)
        return err_set(err, "console.device: file: no file is named");
    port->fd = save_open("console.device:", path, O_TRUNC, err);
    port->name = checked_memory(strdup(path));
    return port->fd >= 0;
}

/* The part of TEXT behind PREFIX, or NULL if TEXT does not begin with it. */
static const char *behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

bool console_port_open(struct console_port **port, const char *device, bool replay, struct err *err)
{
    const char *rest;
    bool pty = strcmp(device, "pty") == 0 || behind(device, "pty:");
    *port = NULL;
    if (strcmp(device, "stdio") == 0 || (pty && replay))
        return true;
    struct console_port *new = checked_memory(calloc(1, sizeof *new));
    bool done = true;
    new->fd = new->other = -1;
    if (strcmp(device, "pty:") == 0)
        done = err_set(err, "console.device: \"pty:\" names no link; valid: pty, pty:LINK");
    else if (pty)
        done = open_pty(new, device[3] ? device + 4 : "", err);
    else if ((rest = behind(device, "file:")))
        done = open_file(new, rest, err);
    else if (strcmp(device, "none") != 0)
        done = err_set(err, "console.device: \"%.64s\" is not known; valid: stdio, pty, pty:LINK, file:PATH, none",
                       device);
    if (done)
        *port = new;
    else
        console_port_close(new);
    return done;
}

void console_port_close(struct console_port *port)
{
    if (!port)
        return;
    console_port_flush(port);
    char target[PATH_MAX];
    if (port->link && strcmp(link_target(port->link, target), port->terminal) == 0) /* not replaced by another run */
        unlink(port->link);
    if (port->fd >= 0)
        save_close(port->fd);
    if (port->other >= 0)
        close(port->other);
    free(port->link);
    free(port->terminal);
    free(port->name);
    free(port);
}

/* Output */

void console_port_flush(struct console_port *port)
{
    while (port->length && !port->error) {
        size_t count = port->first + port->length > KEPT ? KEPT - port->first : port->length;
        ssize_t written = write(port->fd, port->kept + port->first, count);
        if (written > 0) {
            port->first = (port->first + (size_t)written) % KEPT;
            port->length -= (size_t)written;
        } else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            port->error = errno;
    }
}

void console_port_put(struct console_port *port, uint8_t byte)
{
    if (port->fd < 0)
        return;
    if (port->length == KEPT)
        console_port_flush(port);
    if (port->length == KEPT) { /* drop the oldest byte */
        port->first = (port->first + 1) % KEPT;
        port->length--;
    }
    port->kept[(port->first + port->length++) % KEPT] = byte;
}

bool console_port_failed(const struct console_port *port, struct err *err)
{
    if (!port->name || !port->error)
        return false;
    err_set(err, "console %.200s: %s", port->name, strerror(port->error));
    return true;
}

int console_port_input(const struct console_port *port)
{
    return port->other >= 0 ? port->fd : -1;
}
