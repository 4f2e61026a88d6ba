#include "src/history/channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct head {
    uint64_t size;
    uint32_t kind, has_fd;
};

bool channel_create(int ends[2], struct err *err)
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ||
           err_set(err, "history: %s", strerror(errno));
}

static bool send_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t done = send(fd, at, size, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* The head is small enough to be sent whole. */
static bool send_head(int fd, const struct head *head, int passed)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct iovec part = {(void *)(uintptr_t)head, sizeof *head};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t done;
    if (passed >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(rights), &passed, sizeof passed);
    }
    do
        done = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (done < 0 && errno == EINTR);
    return done == (ssize_t)sizeof *head;
}

bool channel_send(int fd, enum channel_kind kind, const void *bytes, size_t size, int passed)
{
    const struct head head = {.size = size, .kind = kind, .has_fd = passed >= 0};
    return send_head(fd, &head, passed) && send_all(fd, bytes, size);
}

static bool receive_all(int fd, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        const ssize_t done = recv(fd, at, size, 0);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

static bool receive_head(int fd, struct head *head, int *passed)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {head, sizeof *head};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t done;
    do
        done = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (done < 0 && errno == EINTR);
    const struct cmsghdr *rights = done > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    *passed = -1;
    if (rights && rights->cmsg_type == SCM_RIGHTS)
        memcpy(passed, CMSG_DATA(rights), sizeof *passed);
    return done == (ssize_t)sizeof *head;
}

bool channel_receive(int fd, struct channel_message *message)
{
    struct head head;
    *message = (struct channel_message){.fd = -1};
    if (!receive_head(fd, &head, &message->fd))
        return false;
    message->kind = (enum channel_kind)head.kind;
    message->size = head.size;
    message->bytes = checked_memory(malloc(head.size + 1));
    message->bytes[head.size] = 0;
    if (receive_all(fd, message->bytes, head.size))
        return true;
    free(message->bytes);
    return false;
}

bool channel_is_ready(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}
