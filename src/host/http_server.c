#include "src/host/http_server.h"

#include "src/base/host_time.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64, PATH_MAX_LENGTH = 256 };

struct client {
    int fd;
    double deadline; /* of the request, or of the next byte of the answer */
    size_t received;
    char request[HTTP_REQUEST_MAX + 1];
    char *reply; /* head and body; owned; NULL: the request is not complete */
    size_t size, sent;
};

struct server {
    const int *listener; /* [HTTP_LISTENERS] */
    int end_fd;
    http_answer_fn *answer;
    void *opaque;
    unsigned count;
    struct client *client[HTTP_CLIENTS_MAX]; /* oldest first */
};

/* A listening socket at ADDRESS of SIZE bytes; -1 with errno. */
static int listen_at(const struct sockaddr *address, socklen_t size)
{
    const int on = 1, fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, address, size) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* Listen on both loopback addresses. False with errno; then no descriptor is open. */
static bool listen_on_both(unsigned port, int listener[HTTP_LISTENERS], unsigned *actual)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t size = sizeof four;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener[0] = listen_at((struct sockaddr *)&four, sizeof four);
    if (listener[0] < 0 || getsockname(listener[0], (struct sockaddr *)&four, &size) != 0)
        return false;
    *actual = ntohs(four.sin_port);
    six.sin6_port = four.sin_port;
    listener[1] = listen_at((struct sockaddr *)&six, sizeof six);
    if (listener[1] >= 0 || errno != EADDRINUSE) /* the host may have no IPv6 */
        return true;
    close(listener[0]);
    errno = EADDRINUSE;
    return false;
}

bool http_listen(const char *option, unsigned port, int listener[HTTP_LISTENERS], unsigned *actual, struct err *err)
{
    enum { TRIES = 20 };
    for (unsigned i = 0; i < (port ? 1 : TRIES); i++)
        if (listen_on_both(port, listener, actual))
            return true;
    return err_set(err, "%s %u: %s", option, port, strerror(errno));
}

/* Requests */

/* The value of header NAME in the request, up to its line's end; NULL if there is none. */
static const char *header_of(const char *request, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = strstr(request, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':')
            return line + 2 + length + 1 + strspn(line + 2 + length + 1, " \t");
    return NULL;
}

/* Is HOST, up to its line's end, a name of this host, with any port? */
static bool is_this_host(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) != 0)
            continue;
        const char *rest = host + length;
        if (*rest == ':')
            rest += 1 + strspn(rest + 1, "0123456789");
        if (rest[strspn(rest, " \t")] == '\r')
            return true;
    }
    return false;
}

static const char *reason_of(unsigned status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 431: return "Request Header Fields Too Large";
    default: return "Service Unavailable";
    }
}

/* The status of a request that is refused; 0: PATH is the path of a GET. */
static unsigned refusal_of(const char *request, char path[PATH_MAX_LENGTH])
{
    const char *const end = strstr(request, "\r\n"), *const host = header_of(request, "Host");
    const size_t method = strspn(request, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (method == 0 || request[method] != ' ' || request[method + 1] != '/')
        return 400;
    const char *const target = request + method + 1;
    const size_t length = strcspn(target, " ?\r\n"), whole = strcspn(target, " \r\n");
    if (strncmp(target + whole, " HTTP/1.", 8) != 0 || !isdigit((unsigned char)target[whole + 8]) ||
        target + whole + 9 != end || length >= PATH_MAX_LENGTH)
        return 400;
    if (strncmp(request, "GET ", 4) != 0)
        return 405;
    if (host && !is_this_host(host))
        return 403;
    snprintf(path, PATH_MAX_LENGTH, "%.*s", (int)length, target);
    return 0;
}

/* Make the answer of CLIENT, whose request is complete, or REFUSED with a status. */
static void make_reply(const struct server *server, struct client *client, unsigned refused)
{
    char path[PATH_MAX_LENGTH], *body = NULL;
    const char *type = "text/html; charset=utf-8";
    size_t length = 0, size;
    FILE *text = checked_memory(open_memstream(&body, &length));
    unsigned status = refused                                       ? refused
                      : strlen(client->request) == client->received ? refusal_of(client->request, path)
                                                                    : 400;
    if (status == 0)
        status = server->answer(server->opaque, path, text, &type);
    else
        fprintf(text, "%u %s\n", status, reason_of(status));
    fclose(text);
    FILE *reply = checked_memory(open_memstream(&client->reply, &size));
    fprintf(
        reply,
        "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n"
        "%s\r\n",
        status, reason_of(status), type, length, status == 405 ? "Allow: GET\r\n" : "");
    fwrite(body, 1, length, reply);
    fclose(reply);
    free(body);
    client->size = size;
}

/* Connections */

static void drop(struct server *server, unsigned number)
{
    struct client *client = server->client[number];
    close(client->fd);
    free(client->reply);
    free(client);
    server->count--;
    memmove(&server->client[number], &server->client[number + 1], (server->count - number) * sizeof(struct client *));
}

static void accept_all(struct server *server, int listener)
{
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        if (server->count == HTTP_CLIENTS_MAX)
            drop(server, 0);
        struct client *client = checked_memory(calloc(1, sizeof *client));
        *client = (struct client){.fd = fd, .deadline = host_seconds() + HTTP_SECONDS};
        server->client[server->count++] = client;
    }
}

/* Read what CLIENT has sent beyond the longest request: a connection that is closed with unread bytes is reset, and its
 * answer lost. */
static void discard_rest(const struct client *client)
{
    enum { MOST = 1 << 20 };
    char rest[HTTP_REQUEST_MAX];
    ssize_t got = 1;
    for (size_t all = 0; all < MOST && got > 0; all += (size_t)got)
        got = recv(client->fd, rest, sizeof rest, 0);
}

/* False if the connection is to be closed. */
static bool receive(const struct server *server, struct client *client)
{
    const ssize_t got = recv(client->fd, client->request + client->received, HTTP_REQUEST_MAX - client->received, 0);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    client->received += (size_t)got;
    client->request[client->received] = 0;
    const bool whole = memmem(client->request, client->received, "\r\n\r\n", 4);
    if (!whole && client->received < HTTP_REQUEST_MAX)
        return true;
    if (!whole)
        discard_rest(client);
    make_reply(server, client, whole ? 0 : 431);
    client->deadline = host_seconds() + HTTP_SECONDS;
    return true;
}

/* False if the connection is to be closed: all is sent, or nobody reads. */
static bool send_more(struct client *client)
{
    const ssize_t put = send(client->fd, client->reply + client->sent, client->size - client->sent, MSG_NOSIGNAL);
    if (put < 0)
        return errno == EAGAIN || errno == EINTR;
    client->sent += (size_t)put;
    client->deadline = host_seconds() + HTTP_SECONDS;
    return client->sent < client->size;
}

/* Serve the clients whose descriptors are ready, or too late. The last ones first: drop() moves those behind. */
static void serve_clients(struct server *server, const struct pollfd *ready, unsigned count)
{
    const double now = host_seconds();
    for (unsigned i = count; i-- > 0;) {
        struct client *client = server->client[i];
        bool stays = client->deadline > now && !(ready[i].revents & (POLLERR | POLLNVAL));
        if (stays && ready[i].revents)
            stays = client->reply ? send_more(client) : receive(server, client);
        if (!stays)
            drop(server, i);
    }
}

void http_serve(const int listener[HTTP_LISTENERS], int end_fd, http_answer_fn *answer, void *opaque)
{
    enum { FIRST_CLIENT = 1 + HTTP_LISTENERS };
    struct server server = {.listener = listener, .end_fd = end_fd, .answer = answer, .opaque = opaque};
    struct pollfd polled[FIRST_CLIENT + HTTP_CLIENTS_MAX];
    for (;;) {
        const unsigned count = server.count;
        polled[0] = (struct pollfd){.fd = end_fd, .events = POLLIN};
        for (unsigned i = 0; i < HTTP_LISTENERS; i++)
            polled[1 + i] = (struct pollfd){.fd = listener[i], .events = POLLIN};
        for (unsigned i = 0; i < count; i++)
            polled[FIRST_CLIENT + i] =
                (struct pollfd){.fd = server.client[i]->fd, .events = server.client[i]->reply ? POLLOUT : POLLIN};
        const int ready = poll(polled, FIRST_CLIENT + count, count ? 1000 : -1);
        if (ready < 0 && errno != EINTR)
            break;
        if (ready < 0)
            continue;
        if (polled[0].revents)
            break;
        serve_clients(&server, polled + FIRST_CLIENT, count);
        for (unsigned i = 0; i < HTTP_LISTENERS; i++)
            if (polled[1 + i].revents)
                accept_all(&server, listener[i]);
    }
    while (server.count > 0)
        drop(&server, 0);
}
