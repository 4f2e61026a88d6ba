#include "src/gdb/gdb_listener.h"

#include "src/base/types.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool gdb_listener_open(struct gdb_listener *listener, unsigned port, unsigned *actual, struct err *err)
{
    const int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (port > 65535)
        return err_set(err, "--gdb %u: a port is 0 to 65535", port);
    listener->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener->fd < 0)
        return err_set(err, "--gdb: no socket: %s", strerror(errno));
    setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener->fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener->fd, 4) != 0 ||
        getsockname(listener->fd, (struct sockaddr *)&address, &size) != 0) {
        err_set(err, "--gdb %u: %s", port, strerror(errno));
        gdb_listener_close(listener);
        return false;
    }
    *actual = ntohs(address.sin_port);
    return true;
}

void gdb_listener_close(struct gdb_listener *listener)
{
    if (listener->fd >= 0)
        close(listener->fd);
    listener->fd = -1;
}

static int accept_one(const struct gdb_listener *listener)
{
    const int on = 1;
    const int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

int gdb_listener_accept(struct gdb_listener *listener)
{
    for (;;) {
        const int fd = gdb_listener_wait(listener, listener->fd) ? accept_one(listener) : -1;
        if (fd >= 0 || (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR))
            return fd;
    }
}

bool gdb_listener_has_caller(const struct gdb_listener *listener)
{
    struct pollfd poller = {.fd = listener->fd, .events = POLLIN};
    return poll(&poller, 1, 0) > 0;
}

bool gdb_listener_wait(const struct gdb_listener *listener, int fd)
{
    for (;;) {
        struct pollfd pollers[] = {{.fd = listener->interrupt_fd, .events = POLLIN},
                                   {.fd = fd, .events = POLLIN},
                                   {.fd = fd == listener->fd ? -1 : listener->fd, .events = POLLIN}};
        errno = 0;
        if (listener->is_ending && listener->is_ending(listener->opaque))
            return false;
        const int ready = poll(pollers, 3, -1);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready <= 0)
            continue;
        errno = 0;
        if (pollers[0].revents)
            return false;
        if (pollers[2].revents)
            gdb_listener_refuse(listener);
        if (pollers[1].revents)
            return true;
    }
}

void gdb_listener_refuse(const struct gdb_listener *listener)
{
    while (gdb_listener_has_caller(listener)) {
        const int fd = accept_one(listener);
        if (fd < 0)
            return;
        close(fd);
    }
}
