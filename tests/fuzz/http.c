/*
 * Requests to the port of a page (`--live`): an input is what a client sends.
 */
#include "src/host/http_server.h"
#include "tests/fuzz/fuzz.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

enum { TURNS = 40 /* of the server's loop: more than an answer takes */ };

static int listener, end, server_side, turns;

int __wrap_accept4(int fd, void *address, void *length, int flags);
int __wrap_accept4(int fd, void *address, void *length, int flags)
{
    (void)fd, (void)address, (void)length, (void)flags;
    const int client = server_side;
    const uint64_t one = 1;
    server_side = -1;
    if (client < 0 && ++turns == TURNS && write(end, &one, sizeof one) < 0)
        fuzz_fail("an end", "that cannot be told");
    errno = EAGAIN;
    return client;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    listener = eventfd(1, EFD_CLOEXEC); /* always readable */
    end = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (listener < 0 || end < 0)
        fuzz_fail("descriptors", "the host refuses them");
    return 0;
}

static unsigned answer(void *opaque, const char *path, FILE *body, const char **type)
{
    (void)opaque, (void)type;
    if (*path != '/' || strpbrk(path, " ?\r\n"))
        fuzz_fail("a path", path);
    fprintf(body, "%s", path);
    return strlen(path) % 2 ? 200 : 404;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    int ends[2];
    char reply[16384];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    if (size > 0 && send(ends[0], input, size, MSG_NOSIGNAL) < 0)
        fuzz_fail("a request", "cannot be sent");
    shutdown(ends[0], SHUT_WR);
    server_side = ends[1];
    turns = 0;
    http_serve((const int[HTTP_LISTENERS]){listener, -1}, end, answer, NULL);
    uint64_t told;
    if (read(end, &told, sizeof told) != (ssize_t)sizeof told)
        fuzz_fail("the server", "ended by itself");
    const ssize_t got = recv(ends[0], reply, sizeof reply - 1, 0);
    if (got > 0) {
        reply[got] = 0;
        if (strncmp(reply, "HTTP/1.1 ", 9) != 0 || !strstr(reply, "\r\n\r\n"))
            fuzz_fail("an answer", reply);
    }
    close(ends[0]);
    return 0;
}
