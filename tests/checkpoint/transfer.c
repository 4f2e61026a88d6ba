/*
 * Requests over a network of two and to a disk of each, in which nothing may be lost and nothing come twice: for
 * machines that are saved and restored meanwhile (transfer.sh). A guest program.
 *
 *     transfer serve DEVICE COUNT
 *     transfer send ADDRESS DEVICE COUNT
 *
 * The sender has up to WINDOW requests under way, as datagrams, which nobody sends again: what is lost stays lost. Each
 * has a number and content that follows from it. The server writes it to its disk, past the caches of Linux, with an
 * fdatasync, and answers with the number and the checksum of the content. Meanwhile a second process of the sender
 * writes the same records to a disk of its own, an fdatasync each, and reads each back. In the end both read all of
 * their disks. Last line: "sent N, answered N, twice 0, lost 0, written N" or "served N, twice 0, written N"; exit
 * status 0 if all is well.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 5000, RECORD = 1024, WINDOW = 8, MOST = 4000, HELLO = 0xffffffff, END = 0xfffffffe, TIMEOUT = 5 };

/* A request, and a record on a disk. */
struct request {
    uint32_t number, words[RECORD / 4 - 1];
};

struct answer {
    uint32_t number, checksum;
};

static struct request *record; /* aligned for O_DIRECT */
static uint8_t seen[MOST];     /* requests that have come, or answers */

static _Noreturn void die(const char *what)
{
    printf("transfer: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void fill(struct request *request, uint32_t number)
{
    uint32_t value = number * 2654435761u + 1;
    request->number = number;
    for (unsigned i = 0; i < RECORD / 4 - 1; i++)
        request->words[i] = value = value * 1664525u + 1013904223u;
}

static uint32_t checksum(const struct request *request)
{
    uint32_t sum = request->number;
    for (unsigned i = 0; i < RECORD / 4 - 1; i++)
        sum = (sum << 5 | sum >> 27) ^ request->words[i];
    return sum;
}

static int is_right(const struct request *request, uint32_t number)
{
    struct request expected;
    fill(&expected, number);
    return memcmp(request, &expected, sizeof expected) == 0;
}

/* Disks */

static int open_disk(const char *device)
{
    int disk = open(device, O_RDWR | O_DIRECT);
    void *memory;
    if (disk < 0 || posix_memalign(&memory, 4096, RECORD) != 0)
        die(device);
    record = memory;
    return disk;
}

static void write_record(int disk, uint32_t number)
{
    fill(record, number);
    if (pwrite(disk, record, RECORD, (off_t)number * RECORD) != RECORD || fdatasync(disk) != 0)
        die("write");
}

static int is_on_disk(int disk, uint32_t number)
{
    memset(record, 0, RECORD);
    if (pread(disk, record, RECORD, (off_t)number * RECORD) != RECORD)
        die("read");
    return is_right(record, number);
}

static unsigned count_written(int disk, unsigned count)
{
    unsigned good = 0;
    for (unsigned i = 0; i < count; i++)
        good += is_on_disk(disk, i);
    return good;
}

/* Network */

static int open_socket(const struct sockaddr_in *bound, const struct sockaddr_in *peer, unsigned milliseconds)
{
    const struct timeval timeout = {milliseconds / 1000, milliseconds % 1000 * 1000};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0 ||
        (bound && bind(fd, (const void *)bound, sizeof *bound) != 0) ||
        (peer && connect(fd, (const void *)peer, sizeof *peer) != 0))
        die("socket");
    return fd;
}

static void be_patient(int fd)
{
    const struct timeval timeout = {TIMEOUT, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
}

static int serve(const char *device, unsigned count)
{
    const struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    struct request request;
    unsigned served = 0, twice = 0;
    int disk = open_disk(device), fd = open_socket(&here, NULL, 60000);
    for (;;) {
        ssize_t got = recvfrom(fd, &request, sizeof request, 0, (void *)&from, &size);
        if (got != sizeof request)
            die("a request");
        struct answer answer = {request.number, checksum(&request)};
        if (request.number < count) {
            if (!is_right(&request, request.number))
                die("a request that nobody sent");
            twice += seen[request.number];
            seen[request.number] = 1;
            served++;
            write_record(disk, request.number);
            be_patient(fd);
        }
        if (sendto(fd, &answer, sizeof answer, 0, (void *)&from, size) != sizeof answer)
            die("an answer");
        if (request.number == END)
            break;
    }
    unsigned written = count_written(disk, count);
    printf("served %u, twice %u, written %u\n", served, twice, written);
    return served != count || twice || written != count;
}

static void send_request(int fd, uint32_t number)
{
    struct request request;
    fill(&request, number);
    if (send(fd, &request, sizeof request, 0) != sizeof request)
        die("send");
}

/* False: it does not come. */
static int get_answer(int fd, struct answer *answer)
{
    ssize_t got = recv(fd, answer, sizeof *answer, 0);
    if (got < 0 && (errno == EAGAIN || errno == ECONNREFUSED))
        return 0;
    if (got != sizeof *answer)
        die("an answer");
    return 1;
}

/* The server answers. */
static int connect_to(const char *address)
{
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct answer answer;
    if (inet_pton(AF_INET, address, &there.sin_addr) != 1)
        die(address);
    int fd = open_socket(NULL, &there, 100);
    do
        send_request(fd, HELLO);
    while (!get_answer(fd, &answer));
    while (get_answer(fd, &answer)) /* to those before it */
        ;
    be_patient(fd);
    return fd;
}

static int write_all(const char *device, unsigned count)
{
    int disk = open_disk(device);
    for (unsigned i = 0; i < count; i++) {
        write_record(disk, i);
        if (!is_on_disk(disk, i))
            die("what was read back");
    }
    return 0;
}

static int send_all(const char *address, const char *device, unsigned count)
{
    unsigned sent = 0, answered = 0, twice = 0;
    struct answer answer = {0};
    struct request expected;
    int fd = connect_to(address), status;
    fflush(stdout);
    pid_t writer = fork();
    if (writer == 0)
        exit(write_all(device, count));
    while (answered < count) {
        while (sent < count && sent - answered < WINDOW)
            send_request(fd, sent++);
        if (!get_answer(fd, &answer))
            break;
        fill(&expected, answer.number);
        if (answer.number >= sent || answer.checksum != checksum(&expected))
            die("an answer to nothing");
        twice += seen[answer.number];
        seen[answer.number] = 1;
        answered++;
    }
    if (waitpid(writer, &status, 0) != writer || status != 0)
        die("the writer");
    send_request(fd, END);
    int ended = get_answer(fd, &answer) && answer.number == END;
    unsigned written = count_written(open_disk(device), count);
    printf("sent %u, answered %u, twice %u, lost %u, written %u\n", sent, answered, twice, sent - answered + !ended,
           written);
    return !ended || answered != count || twice || written != count;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 3 ? (unsigned)strtoul(argv[argc - 1], NULL, 10) : 0;
    if (count == 0 || count > MOST) {
        fprintf(stderr, "usage: transfer serve DEVICE COUNT | send ADDRESS DEVICE COUNT\n");
        return 2;
    }
    return strcmp(argv[1], "serve") == 0 ? serve(argv[2], count) : send_all(argv[2], argv[3], count);
}
