/*
 * For tests of src/gdb: a machine whose two CPUs loop, a server for it in a thread of its own, and a client that sends
 * packets and returns what comes back. The machine may be looked at between an answer and the next packet.
 */
#ifndef SIMOS_TESTS_UNIT_GDB_CLIENT_H
#define SIMOS_TESTS_UNIT_GDB_CLIENT_H

#include "src/gdb/gdb_stub.h"
#include "tests/unit/machine_program.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define LOOP_PC (PROGRAM_PC + 4)
#define DATA    0x80300000u /* the loop stores here, and loads from the next word */
enum { LOOP_INSNS = 5, CLIENT_REPLY = 20000 };

struct client {
    struct machine *machine;
    struct gdb_server *server;
    int end_fd; /* ends waiting for a debugger */
    pthread_t thread;
    enum machine_stop reason; /* of the session that has ended */
    int fd;
    bool no_ack;
    char reply[CLIENT_REPLY];
    char output[1000]; /* for the debugger's console, since the last packet */
};

static inline void *client_serve(void *opaque)
{
    struct client *client = opaque;
    client->reason = gdb_server_serve(client->server);
    return NULL;
}

static inline void client_begin_session(struct client *client)
{
    assert_int_equal(pthread_create(&client->thread, NULL, client_serve, client), 0);
}

/* Wait for the end of the session: its reason. */
static inline enum machine_stop client_session_end(struct client *client)
{
    pthread_join(client->thread, NULL);
    return client->reason;
}

static inline int client_connect(const struct client *client)
{
    const struct timeval timeout = {.tv_sec = 60}; /* what never comes fails the test */
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)gdb_server_port(client->server))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return fd;
}

/* The next byte; -1: the connection has ended. */
static inline int client_byte(const struct client *client)
{
    unsigned char byte;
    return recv(client->fd, &byte, 1, 0) == 1 ? byte : -1;
}

static inline void client_send_bytes(const struct client *client, const void *bytes, size_t size)
{
    assert_int_equal(send(client->fd, bytes, size, MSG_NOSIGNAL), size);
}

static inline void client_send(const struct client *client, const void *text, size_t size)
{
    char *packet = checked_memory(malloc(size + 5));
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const unsigned char *)text)[i];
    packet[0] = '$';
    memcpy(packet + 1, text, size);
    snprintf(packet + 1 + size, 4, "#%02x", sum & 0xff);
    client_send_bytes(client, packet, size + 4);
    free(packet);
}

/* The next packet that is not output for the console; NULL: the connection has ended. */
static inline const char *client_receive(struct client *client)
{
    client->output[0] = '\0';
    for (;;) {
        size_t length = 0;
        int byte;
        unsigned sum = 0;
        char digits[3] = "";
        while ((byte = client_byte(client)) == '+')
            ;
        if (byte < 0)
            return NULL;
        assert_int_equal(byte, '$');
        while ((byte = client_byte(client)) >= 0 && byte != '#') {
            assert_true(length < sizeof client->reply - 1);
            client->reply[length++] = (char)byte;
            sum += (unsigned)byte;
        }
        client->reply[length] = '\0';
        digits[0] = (char)client_byte(client);
        digits[1] = (char)client_byte(client);
        assert_int_equal(strtoul(digits, NULL, 16), sum & 0xff);
        if (!client->no_ack)
            client_send_bytes(client, "+", 1);
        if (client->reply[0] != 'O' || strcmp(client->reply, "OK") == 0)
            return client->reply;
        snprintf(client->output, sizeof client->output, "%.*s", (int)sizeof client->output - 1, client->reply + 1);
    }
}

/* Send TEXT, and return the answer. */
static inline const char *ask(struct client *client, const char *text)
{
    client_send(client, text, strlen(text));
    return client_receive(client);
}

#define ASK(client, ...)                                                                                               \
    ({                                                                                                                 \
        char text_[CLIENT_REPLY];                                                                                      \
        snprintf(text_, sizeof text_, __VA_ARGS__);                                                                    \
        ask(client, text_);                                                                                            \
    })

/* The answer to TEXT must be EXPECTED. */
static inline void expect(struct client *client, const char *text, const char *expected)
{
    const char *reply = ask(client, text);
    if (!reply || strcmp(reply, expected) != 0)
        print_error("the packet: %.80s\n", text);
    assert_non_null(reply);
    assert_string_equal(reply, expected);
}

/* A machine of 16 MB and CPUS CPUs of MODEL, the first RUNNING of which loop; and a connection to its server. */
static inline void client_begin(struct client *client, const char *model, unsigned cpus, unsigned running)
{
    static const uint32_t program[] = {LUI(9, DATA >> 16), ADDIU(8, 8, 1), SW(8, 0, 9),
                                       LW(10, 4, 9),       BRANCH_BACK(3), NOP};
    char model_text[32], cpus_text[32];
    struct err err = {""};
    unsigned port = 0;
    snprintf(model_text, sizeof model_text, "cpu.model=%s", model);
    snprintf(cpus_text, sizeof cpus_text, "machine.cpus=%u", cpus);
    *client = (struct client){.machine = MACHINE_OF("machine.memory=16M", model_text, cpus_text),
                              .end_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    memcpy(physmem_host(client->machine->mem, PROGRAM_BASE), program, sizeof program);
    for (unsigned i = 0; i < running; i++)
        machine_power_on(client->machine, i, PROGRAM_PC);
    const struct gdb_options options = {.port = port, .interrupt_fd = client->end_fd};
    client->server = gdb_server_create(client->machine, &options, &MACHINE_NO_LIMITS, &err);
    assert_non_null(client->server);
    client_begin_session(client);
    client->fd = client_connect(client);
}

/* Hang up if still connected, and free everything. The run's accounts must be right. */
static inline void client_end(struct client *client)
{
    struct err err = {""};
    if (client->fd >= 0) {
        close(client->fd);
        client_session_end(client);
    }
    if (!machine_check_accounts(client->machine, &err))
        print_error("%s\n", err.text);
    assert_string_equal(err.text, "");
    gdb_server_end(client->server, 0);
    machine_free(client->machine);
    close(client->end_fd);
}

#endif
