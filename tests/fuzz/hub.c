/*
 * What comes from the other machines of a hub: `--net hub:ADDRESS`. The first byte of an input says how it comes:
 * through the sockets of src/network/hub_peers.c, or handed to the port by a carrier, message by message, each behind
 * its length (two bytes). A frame that is taken goes to the card of a machine.
 *
 * Linked with --wrap=connect: the other node is the input.
 */
#include "devices/ethernet_link.h"
#include "src/network/hub_port.h"
#include "src/network/hub_window.h"
#include "tests/fuzz/machine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

enum { SOCKETS, CARRIER, WINDOW, WAYS };
enum { RUNS = 8, SLICE = 1000000 /* cycles */ };

static struct {
    const uint8_t *bytes;
    size_t count;
    bool given; /* through a socket */
} fuzz;

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder(); /* where the node's own socket is */
    return 0;
}

/* The other end says all it has to say, and goes. */
int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size)
{
    int pair[2];
    (void)address, (void)size;
    if (fuzz.given)
        return -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0 || dup2(pair[0], fd) != fd)
        fuzz_fail("sockets", "none to be had");
    close(pair[0]);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    ssize_t done = send(pair[1], fuzz.bytes, fuzz.count, MSG_NOSIGNAL);
    fuzz.given = done >= 0;
    close(pair[1]);
    return 0;
}

static void post(void *opaque, unsigned node, const uint8_t *bytes, size_t size)
{
    uint64_t sum = node;
    (void)opaque;
    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    fprintf(fuzz_sink(), "%llu", (unsigned long long)sum);
}

static void meet(void *opaque, struct hub_port *port)
{
    uint8_t length[2];
    struct err err = {""};
    (void)opaque;
    fuzz_take(&fuzz.bytes, &fuzz.count, length, sizeof length);
    size_t size = (size_t)(length[0] | length[1] << 8);
    size = size < fuzz.count ? size : fuzz.count;
    bool done = hub_port_receive(port, fuzz.bytes, size, &err);
    fuzz_check(done, &err);
    fuzz.bytes += size;
    fuzz.count -= size;
    if (!done)
        hub_port_fail(port, &err);
}

/* With its socket, and none that is left of the machine before: the guard makes bind() and unlink() calls that
 * libFuzzer's timer may interrupt. */
static struct machine *create(const struct machine_options *options)
{
    struct err err = {""};
    sigset_t timer, before;
    sigemptyset(&timer);
    sigaddset(&timer, SIGALRM);
    sigprocmask(SIG_BLOCK, &timer, &before);
    unlink("h.1");
    struct machine *machine = machine_create(options, NULL, NULL, &err);
    fuzz_must(machine, "machine", &err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return machine;
}

static void run(const struct hub_carrier *carrier)
{
    static const char *const assignments[] = {"machine.net=hub:h", "net.node=1",      "net.nodes=2",
                                              "machine.cpus=1",    "net.join_time=1", NULL};
    struct machine_options options;
    fuzz_options(&options, assignments);
    options.hub_carrier = carrier;
    struct machine *machine = create(&options);
    enum machine_stop reason = MACHINE_STOP_TIME;
    for (unsigned i = 1; i <= RUNS && reason == MACHINE_STOP_TIME; i++)
        reason = machine_run(machine, &(struct machine_limits){(cycles)i * SLICE, UINT64_MAX});
    machine_free(machine);
    machine_options_release(&options);
}

/* A window, and what becomes of it written and read again. */
static void window(void)
{
    struct hub_window window = {0}, again = {0};
    struct hub_header header;
    uint8_t head[HUB_HEADER_BYTES];
    struct err err = {""};
    fuzz_take(&fuzz.bytes, &fuzz.count, head, sizeof head);
    bool done = hub_header_decode(&header, head, &err);
    fuzz_check(done, &err);
    if (!done || header.kind != HUB_WINDOW || header.body > fuzz.count)
        return;
    hub_window_begin(&window, header.number);
    done = hub_window_decode(&window, &header, fuzz.bytes, 0, &err);
    fuzz_check(done, &err);
    if (done) {
        uint8_t *bytes = checked_memory(malloc(hub_window_encoded_size(&window)));
        hub_window_encode(&window, header.node, bytes);
        fuzz_must(hub_header_decode(&header, bytes, &err), "written and not read", &err);
        hub_window_begin(&again, header.number);
        fuzz_must(hub_window_decode(&again, &header, bytes + HUB_HEADER_BYTES, 0, &err) && again.count == window.count,
                  "written and not read", &err);
        free(bytes);
    }
    hub_window_release(&window);
    hub_window_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const struct hub_carrier carrier = {.post = post, .synchronise = meet};
    if (size < 1)
        return 0;
    fuzz.bytes = input + 1;
    fuzz.count = size - 1;
    fuzz.given = false;
    switch (input[0] % WAYS) {
    case SOCKETS: run(NULL); break;
    case CARRIER: run(&carrier); break;
    default: window(); break;
    }
    return 0;
}
