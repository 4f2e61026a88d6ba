/*
 * A disk that one machine serves to another over the network, as the kernel's network block device (NBD) has it: the
 * DECstation's own SCSI is not modelled, and its guest has to wait for a disk.
 *
 *     netdisk serve DEVICE PORT          for one client, until it is killed
 *     netdisk attach HOST PORT NBD SIZE  NBD is a disk of SIZE bytes from now on; returns when it is
 *
 * The server reads and writes DEVICE past its kernel's file cache, so that each request takes the time of its disk.
 * There is no negotiation: the client knows the size. Requests and replies are the protocol's.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NBD_SET_SOCK = 0xab00, NBD_SET_BLKSIZE, NBD_DO_IT = 0xab03, NBD_SET_SIZE_BLOCKS = 0xab07, BLOCK = 1024 };
/* The numbers of ioctl() without arguments have the direction "none" in bit 29 on MIPS. */
enum { IOC_NONE = 0x20000000 };
enum { NBD_READ, NBD_WRITE, NBD_DISCONNECT, NBD_FLUSH };
enum { REQUEST_MAGIC = 0x25609513, REPLY_MAGIC = 0x67446698, LARGEST = 1 << 20 };

/* Bytes of the network's order. */
struct request {
    uint32_t magic, type;
    unsigned char handle[8];
    uint32_t offset_high, offset_low, length;
};
struct reply {
    uint32_t magic, error;
    unsigned char handle[8];
};

static void __attribute__((noreturn)) die(const char *what)
{
    fprintf(stderr, "netdisk: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Whether all of COUNT bytes came. */
static int read_all(int from, void *to, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t got = read(from, (char *)to + done, count - done);
        if (got <= 0)
            return 0;
        done += (size_t)got;
    }
    return 1;
}

static void write_all(int to, const void *from, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t put = write(to, (const char *)from + done, count - done);
        if (put <= 0)
            die("write to the client");
        done += (size_t)put;
    }
}

static void without_delay(int connection)
{
    const int yes = 1;
    if (setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0)
        die("TCP_NODELAY");
}

static void serve(const char *device, uint16_t port)
{
    static char buffer[sizeof(struct reply) + LARGEST] __attribute__((aligned(4096)));
    char *data;
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    const int disk = open(device, O_RDWR | O_DIRECT), yes = 1, server = socket(AF_INET, SOCK_STREAM, 0);
    if (disk < 0 || posix_memalign((void **)&data, 4096, LARGEST) != 0)
        die(device);
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(server, (const struct sockaddr *)&address, sizeof address) != 0 || listen(server, 1) != 0)
        die("listen");
    const int client = accept(server, NULL, NULL);
    if (client < 0)
        die("accept");
    without_delay(client);
    struct request request;
    while (read_all(client, &request, sizeof request)) {
        const uint32_t type = ntohl(request.type) & 0xffff, length = ntohl(request.length);
        const off_t offset = (off_t)((uint64_t)ntohl(request.offset_high) << 32 | ntohl(request.offset_low));
        struct reply reply = {.magic = htonl(REPLY_MAGIC)};
        if (ntohl(request.magic) != REQUEST_MAGIC || (type != NBD_FLUSH && length > LARGEST))
            die("a request is malformed");
        if (type == NBD_DISCONNECT)
            return;
        memcpy(reply.handle, request.handle, sizeof reply.handle);
        if (type == NBD_WRITE && !read_all(client, data, length))
            return;
        if ((type == NBD_READ && pread(disk, data, length, offset) != (ssize_t)length) ||
            (type == NBD_WRITE && pwrite(disk, data, length, offset) != (ssize_t)length))
            reply.error = htonl(EIO);
        memcpy(buffer, &reply, sizeof reply);
        if (type == NBD_READ)
            memcpy(buffer + sizeof reply, data, length);
        write_all(client, buffer, sizeof reply + (type == NBD_READ && reply.error == 0 ? length : 0));
    }
}

static void attach(const char *host, uint16_t port, const char *device, unsigned long size)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int server;
    for (unsigned tries = 0;; tries++) {
        server = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(server, (const struct sockaddr *)&address, sizeof address) == 0)
            break;
        if (tries == 60)
            die("connect");
        close(server);
        sleep(1);
    }
    without_delay(server);
    const int disk = open(device, O_RDWR);
    if (disk < 0 || ioctl(disk, IOC_NONE | NBD_SET_SOCK, server) != 0 ||
        ioctl(disk, IOC_NONE | NBD_SET_BLKSIZE, BLOCK) != 0 ||
        ioctl(disk, IOC_NONE | NBD_SET_SIZE_BLOCKS, size / BLOCK) != 0)
        die(device);
    const pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return;
    setsid();
    if (ioctl(disk, IOC_NONE | NBD_DO_IT) != 0)
        die("NBD_DO_IT");
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "serve") == 0)
        serve(argv[2], (uint16_t)atoi(argv[3]));
    else if (argc == 6 && strcmp(argv[1], "attach") == 0)
        attach(argv[2], (uint16_t)atoi(argv[3]), argv[4], strtoul(argv[5], NULL, 10));
    else {
        fprintf(stderr, "usage: netdisk serve DEVICE PORT | netdisk attach HOST PORT NBD SIZE\n");
        return 2;
    }
    return 0;
}
