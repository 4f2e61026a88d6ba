/*
 * What comes from a debugger: `--gdb PORT`, from the framing of packets to what they do to a machine. An input is
 * packets without their frames, a line each, which are framed here; or, behind a byte 0, what comes through the socket
 * as it is.
 *
 * Linked with --wrap of gdb_listener_open and gdb_listener_accept: the connection is a pair of sockets.
 */
#include "src/gdb/gdb_listener.h"
#include "src/gdb/gdb_stub.h"
#include "src/machine/machine_power.h"
#include "tests/fuzz/machine.h"

#include <fcntl.h>
#include <sys/socket.h>

enum { INSNS = 2000 /* that all commands of an input may execute */ };

static const uint8_t *bytes;
static size_t count;

bool __wrap_gdb_listener_open(struct gdb_listener *listener, unsigned port, unsigned *actual, struct err *err);
int __wrap_gdb_listener_accept(struct gdb_listener *listener);

static void put(int fd, const void *from, size_t size)
{
    /* what does not fit into the socket is cut off: the other end reads after this only */
    ssize_t done = send(fd, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)done;
}

/* TEXT as a packet, and the acknowledgement of the answer. */
static void put_packet(int fd, const uint8_t *text, size_t size)
{
    char tail[8];
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += text[i];
    put(fd, "$", 1);
    put(fd, text, size);
    snprintf(tail, sizeof tail, "#%02x+", sum & 0xff);
    put(fd, tail, 4);
}

static void put_lines(int fd)
{
    for (const uint8_t *line = bytes, *last = bytes + count, *end; line < last; line = end + 1) {
        end = memchr(line, '\n', (size_t)(last - line));
        if (!end)
            end = last;
        put_packet(fd, line, (size_t)(end - line));
    }
}

bool __wrap_gdb_listener_open(struct gdb_listener *listener, unsigned port, unsigned *actual, struct err *err)
{
    (void)listener, (void)port, (void)actual, (void)err;
    return true;
}

int __wrap_gdb_listener_accept(struct gdb_listener *listener)
{
    int pair[2];
    (void)listener;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        fuzz_fail("sockets", "none to be had");
    if (count > 0 && *bytes == 0)
        put(pair[1], bytes + 1, count - 1);
    else
        put_lines(pair[1]);
    close(pair[1]);
    return pair[0];
}

/* Both CPUs loop, with loads and stores. */
static void start(struct machine *machine)
{
    enum { BASE = 0x1000 };
    static const uint32_t loop[] = {0x3c098000 /* lui t1, 0x8000 */,    0x25080001 /* addiu t0, t0, 1 */,
                                    0xad282000 /* sw t0, 0x2000(t1) */, 0x8d2a2004 /* lw t2, 0x2004(t1) */,
                                    0x1000fffc /* b to the addiu */,    0x00000000 /* nop */};
    memcpy(physmem_host(machine->mem, BASE), loop, sizeof loop);
    for (unsigned i = 0; i < machine->cpus; i++)
        machine_power_on(machine, i, 0x80000000 | BASE);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct err err = {""};
    struct machine *machine = fuzz_machine(NULL);
    const struct machine_limits limits = {CYCLES_NEVER, INSNS};
    bytes = input;
    count = size;
    start(machine);
    struct gdb_server *server = gdb_server_create(machine, &(struct gdb_options){.interrupt_fd = -1}, &limits, &err);
    fuzz_must(server, "server", &err);
    for (int session = 0; session < 2; session++) /* what one leaves must not harm the next */
        if (gdb_server_serve(server) != MACHINE_STOP_HOOK)
            break;
    gdb_server_end(server, 0);
    fuzz_must(machine_check_accounts(machine, &err), "accounts", &err);
    machine_free(machine);
    return 0;
}
