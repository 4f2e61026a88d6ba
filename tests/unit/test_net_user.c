/*
 * The user-mode network of a whole machine: responses of libslirp and their timing at the card, port forwarding, and
 * malformed frames. Nothing leaves the host: datagrams and connections go to sockets of this test on the loopback.
 *
 * The guest is a CPU that waits; its frames are put on the link directly.
 */
#include "src/machine/board_net.h"
#include "src/host/external.h"
#include "src/network/net_user.h"
#include "tests/unit/machine_program.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tests/unit/test.h"

enum { LATENCY = 2000, LOG = 256, ROUNDS = 5000 };
enum { ARP = 42, IP = 14, L4 = 34, TYPE_ARP = 0x0806, TYPE_IP = 0x0800 };
enum { PROTOCOL_ICMP = 1, PROTOCOL_TCP = 6, PROTOCOL_UDP = 17 };

static const uint8_t guest_mac[6] = {0x52, 0x54, 0, 0x12, 0x34, 0};
static const uint8_t guest_ip[4] = {10, 0, 2, 15}, gateway_ip[4] = {10, 0, 2, 2};

struct seen {
    cycles time;
    uint32_t length;
    uint8_t bytes[ETHERNET_MAX_BYTES];
};

struct bench {
    struct machine *machine;
    struct ethernet_link *link;
    cycles wire_free;
    unsigned count; /* frames to the guest; the last ones are kept */
    struct seen seen[LOG];
    uint64_t random;
    uint16_t udp_port, tcp_port; /* ports of this test's sockets on the loopback */
    int udp, tcp;
};

/* Frames from the guest are observed, too, and skipped. */
static void hear(void *opaque, nsec time, const uint8_t *frame, uint32_t length)
{
    struct bench *b = opaque;
    (void)time;
    if (memcmp(frame + 6, guest_mac, 6) == 0)
        return;
    struct seen *seen = &b->seen[b->count++ % LOG];
    seen->time = b->machine->queue->now;
    seen->length = length;
    memcpy(seen->bytes, frame, length);
}

static int socket_on_loopback(int type, uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void open_machine(struct bench *b, const char *net)
{
    static const uint32_t wait_for_ever[] = {WAIT_FOR_IP2, BRANCH_BACK(1), NOP};
    char assignment[128];
    snprintf(assignment, sizeof assignment, "machine.net=%s", net);
    b->machine = MACHINE_OF(assignment, "net.bandwidth=1000000000", "net.latency=10us", "cpu.clock=200MHz");
    b->link = board_net_of(b->machine)->link;
    ethernet_link_set_tap(b->link, (struct ethernet_tap){hear, b});
    start_program(b->machine, 0, wait_for_ever, sizeof wait_for_ever / sizeof *wait_for_ever);
}

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    b->random = 88172645463325252ull;
    b->udp = socket_on_loopback(SOCK_DGRAM, &b->udp_port);
    b->tcp = socket_on_loopback(SOCK_STREAM, &b->tcp_port);
    assert_int_equal(listen(b->tcp, 100), 0);
    open_machine(b, "user");
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    machine_free(b->machine);
    close(b->udp);
    close(b->tcp);
    free(b);
    return 0;
}

static void run(struct bench *b, cycles duration)
{
    struct machine_limits limits = MACHINE_NO_LIMITS;
    limits.time = b->machine->now + duration;
    assert_int_equal(machine_run(b->machine, &limits), MACHINE_STOP_TIME);
}

/* Send a frame as soon as the link has room. Returns the simulated time at which it starts. */
static cycles send_frame(struct bench *b, const uint8_t *frame, uint32_t length)
{
    if (b->wire_free > b->machine->now)
        run(b, b->wire_free - b->machine->now);
    cycles start = b->machine->queue->now;
    b->wire_free = ethernet_link_send(b->link, frame, length);
    return start;
}

/* Frames */

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static unsigned get16(const uint8_t *at)
{
    return at[0] * 256u + at[1];
}

/* RFC 1071 */
static uint32_t add_up(uint32_t sum, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum += i % 2 ? bytes[i] : bytes[i] * 256u;
    return sum;
}

static unsigned folded(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
}

static void ethernet_header(uint8_t *frame, unsigned type)
{
    static const uint8_t slirp_mac[6] = {0x52, 0x55, 10, 0, 2, 2};
    memcpy(frame, slirp_mac, 6);
    memcpy(frame + 6, guest_mac, 6);
    put16(frame + 12, type);
}

/* RFC 826: OPERATION 1 is a request, 2 a reply. */
static void make_arp(uint8_t *frame, unsigned operation, const uint8_t *target_mac, const uint8_t *target_ip)
{
    static const uint8_t constants[6] = {0, 1, 8, 0, 6, 4};
    ethernet_header(frame, TYPE_ARP);
    memset(frame, 0xff, 6);
    memcpy(frame + 14, constants, 6);
    put16(frame + 20, operation);
    memcpy(frame + 22, guest_mac, 6);
    memcpy(frame + 28, guest_ip, 4);
    memcpy(frame + 32, target_mac, 6);
    memcpy(frame + 38, target_ip, 4);
}

static void seal_ip(uint8_t *frame)
{
    put16(frame + IP + 10, 0);
    put16(frame + IP + 10, folded(add_up(0, frame + IP, 20)));
}

/* Set the checksum of the COUNT bytes after the IP header: at offset AT, with or without the pseudo header. */
static void seal_payload(uint8_t *frame, unsigned count, unsigned at, bool pseudo)
{
    uint32_t sum = pseudo ? add_up(frame[IP + 9] + count, frame + IP + 12, 8) : 0;
    put16(frame + L4 + at, 0);
    put16(frame + L4 + at, folded(add_up(sum, frame + L4, count)));
}

/* A packet to the gateway with COUNT bytes of payload, to be filled in by the caller. */
static uint32_t make_ip(uint8_t *frame, unsigned protocol, unsigned count)
{
    memset(frame, 0, L4 + count);
    ethernet_header(frame, TYPE_IP);
    frame[IP] = 0x45;
    put16(frame + IP + 2, 20 + count);
    frame[IP + 8] = 64;
    frame[IP + 9] = (uint8_t)protocol;
    memcpy(frame + IP + 12, guest_ip, 4);
    memcpy(frame + IP + 16, gateway_ip, 4);
    seal_ip(frame);
    return L4 + count;
}

static uint32_t make_echo(uint8_t *frame, unsigned sequence)
{
    uint32_t length = make_ip(frame, PROTOCOL_ICMP, 40);
    frame[L4] = 8;
    put16(frame + L4 + 6, sequence);
    seal_payload(frame, 40, 2, false);
    return length;
}

static uint32_t make_udp(uint8_t *frame, unsigned from, unsigned to, unsigned bytes)
{
    uint32_t length = make_ip(frame, PROTOCOL_UDP, 8 + bytes);
    put16(frame + L4, from);
    put16(frame + L4 + 2, to);
    put16(frame + L4 + 4, 8 + bytes);
    seal_payload(frame, 8 + bytes, 6, true);
    return length;
}

static uint32_t make_tcp(uint8_t *frame, unsigned from, unsigned to, unsigned flags, unsigned bytes)
{
    uint32_t length = make_ip(frame, PROTOCOL_TCP, 20 + bytes);
    put16(frame + L4, from);
    put16(frame + L4 + 2, to);
    frame[L4 + 12] = 0x50;
    frame[L4 + 13] = (uint8_t)flags;
    put16(frame + L4 + 14, 8192);
    seal_payload(frame, 20 + bytes, 16, true);
    return length;
}

/* The last recorded frame to the guest that is a packet of PROTOCOL; NULL: none. */
static const uint8_t *last_packet(const struct bench *b, unsigned protocol)
{
    for (unsigned i = 1; i <= b->count && i <= LOG; i++) {
        const uint8_t *frame = b->seen[(b->count - i) % LOG].bytes;
        if (get16(frame + 12) == TYPE_IP && frame[IP + 9] == protocol)
            return frame;
    }
    return NULL;
}

/* Tests */

static void assert_arp_is_answered(struct bench *b)
{
    static const uint8_t nobody[6] = {0};
    uint8_t frame[ARP];
    make_arp(frame, 1, nobody, gateway_ip);
    send_frame(b, frame, ARP);
    run(b, 100000);
    const uint8_t *answer = b->seen[(b->count - 1) % LOG].bytes;
    assert_int_equal(get16(answer + 12), TYPE_ARP);
    assert_int_equal(get16(answer + 20), 2);
    assert_memory_equal(answer, guest_mac, 6);
    assert_memory_equal(answer + 28, gateway_ip, 4);
}

/* Round trip: the frame's bits and twice the latency, independent of the host's time. */
static void test_answers_come_at_an_exact_time(void **state)
{
    struct bench *b = *state;
    uint8_t frame[200];
    assert_arp_is_answered(b);
    for (unsigned i = 0; i < 3; i++) {
        unsigned before = b->count;
        uint32_t length = make_echo(frame, i);
        cycles sent = send_frame(b, frame, length);
        cycles bits = ((8 + length + 4) * 8 + 4) / 5; /* 1 Gbit/s at 200 MHz */
        run(b, bits + 2 * LATENCY - 1);
        assert_int_equal(b->count, before);
        run(b, 1);
        assert_int_equal(b->count, before + 1);
        const struct seen *seen = &b->seen[before % LOG];
        assert_int_equal(seen->time, sent + bits + 2 * LATENCY);
        assert_int_equal(seen->bytes[L4], 0); /* echo reply */
        assert_int_equal(get16(seen->bytes + L4 + 6), i);
        run(b, 12345);
    }
}

/* Run until the test's socket FD is readable, at most one simulated second. */
static void await(struct bench *b, int fd)
{
    char byte;
    for (unsigned i = 0; i < 1000 && recv(fd, &byte, 1, MSG_PEEK) < 0 && errno == EAGAIN; i++)
        run(b, 200000);
}

static void test_datagrams_both_ways(void **state)
{
    struct bench *b = *state;
    uint8_t frame[200];
    char text[16] = "";
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    assert_arp_is_answered(b);
    uint32_t length = make_udp(frame, 4444, b->udp_port, 5);
    memcpy(frame + L4 + 8, "hello", 5);
    seal_payload(frame, 13, 6, true);
    send_frame(b, frame, length);
    await(b, b->udp);
    assert_int_equal(recvfrom(b->udp, text, sizeof text, 0, (struct sockaddr *)&from, &size), 5);
    assert_string_equal(text, "hello");
    assert_int_equal(sendto(b->udp, "back", 4, 0, (struct sockaddr *)&from, size), 4);
    for (unsigned i = 0; i < 1000 && !last_packet(b, PROTOCOL_UDP); i++)
        run(b, 200000);
    const uint8_t *packet = last_packet(b, PROTOCOL_UDP);
    assert_non_null(packet);
    assert_memory_equal(packet + IP + 12, gateway_ip, 4);
    assert_int_equal(get16(packet + L4), b->udp_port);
    assert_int_equal(get16(packet + L4 + 2), 4444);
    assert_memory_equal(packet + L4 + 8, "back", 4);
}

/* The guest gets an ARP request, answers, and then gets the packets: run until one of PROTOCOL. */
static const uint8_t *await_packet(struct bench *b, unsigned protocol)
{
    uint8_t frame[ARP];
    for (unsigned i = 0; i < 1000 && b->count == 0; i++)
        run(b, 200000);
    assert_true(b->count > 0);
    const uint8_t *asked = b->seen[0].bytes;
    assert_int_equal(get16(asked + 12), TYPE_ARP);
    assert_int_equal(get16(asked + 20), 1);
    assert_memory_equal(asked + 38, guest_ip, 4);
    make_arp(frame, 2, asked + 22, gateway_ip);
    send_frame(b, frame, ARP);
    for (unsigned i = 0; i < 1000 && !last_packet(b, protocol); i++)
        run(b, 2000000);
    assert_non_null(last_packet(b, protocol));
    return last_packet(b, protocol);
}

/* A datagram to the host's port reaches the guest's port. */
static void test_forwarded_datagrams(void **state)
{
    struct bench *b = *state, second = {0};
    char net[64];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    uint16_t port;
    close(socket_on_loopback(SOCK_DGRAM, &port)); /* finds a free port */
    snprintf(net, sizeof net, "user,forward=udp::%u:53", port);
    open_machine(&second, net);
    address.sin_port = htons(port);
    assert_int_equal(sendto(b->udp, "question", 8, 0, (struct sockaddr *)&address, sizeof address), 8);
    const uint8_t *packet = await_packet(&second, PROTOCOL_UDP);
    assert_int_equal(get16(packet + L4 + 2), 53);
    assert_memory_equal(packet + L4 + 8, "question", 8);
    machine_free(second.machine);
}

/* A connection to the host's port causes an ARP request and then a SYN to the guest. */
static void test_forwarded_port(void **state)
{
    struct bench second = {0};
    struct machine_options options;
    struct err err = {""};
    char net[64];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    uint16_t port;
    close(socket_on_loopback(SOCK_STREAM, &port)); /* finds a free port */
    snprintf(net, sizeof net, "user,forward=tcp:127.0.0.1:%u:80", port);
    open_machine(&second, net);

    machine_options_init(&options); /* the first machine has taken the port */
    assert_true(params_set(options.params, "machine.net", net, &err));
    assert_null(machine_create(&options, NULL, NULL, &err));
    machine_options_release(&options);
    assert_non_null(strstr(err.text, "Address already in use"));

    int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    address.sin_port = htons(port);
    assert_true(connect(client, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS);
    const uint8_t *packet = await_packet(&second, PROTOCOL_TCP);
    assert_int_equal(get16(packet + L4 + 2), 80);
    assert_int_equal(packet[L4 + 13], 2); /* SYN */
    machine_free(second.machine);
    close(client);
    (void)state;
}

/* xorshift64, Marsaglia 2003 */
static uint32_t below(struct bench *b, uint32_t limit)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 32) % limit;
}

static uint32_t some_frame(struct bench *b, uint8_t *frame)
{
    static const uint8_t nobody[6] = {0};
    unsigned bytes = below(b, 4) ? below(b, 64) : below(b, 1200);
    switch (below(b, 6)) {
    case 0: make_arp(frame, below(b, 4), nobody, gateway_ip); return ARP;
    case 1: return make_echo(frame, below(b, 65536));
    case 2: return make_udp(frame, 1 + below(b, 20), b->udp_port, bytes);
    case 3: return make_udp(frame, 68, 67, bytes + 240); /* to the DHCP server, nonsense */
    default: return make_tcp(frame, 1 + below(b, 20), b->tcp_port, below(b, 256), bytes);
    }
}

/* Random IP and transport fields except the destination, with valid checksums. */
static void odd_fields(struct bench *b, uint8_t *frame, uint32_t length)
{
    static const uint8_t places[] = {IP + 1,  IP + 2,  IP + 3,  IP + 4,  IP + 6,  IP + 7,  IP + 8,  IP + 14,
                                     IP + 15, L4,      L4 + 4,  L4 + 5,  L4 + 6,  L4 + 7,  L4 + 8,  L4 + 9,
                                     L4 + 10, L4 + 11, L4 + 12, L4 + 13, L4 + 14, L4 + 15, L4 + 20, L4 + 21};
    unsigned protocol = frame[IP + 9], count = length - L4;
    if (get16(frame + 12) != TYPE_IP || count < 22)
        return;
    for (unsigned n = 1 + below(b, 3); n > 0; n--)
        frame[places[below(b, sizeof places)]] = below(b, 2) ? (uint8_t)below(b, 256) : (uint8_t)(255 * below(b, 2));
    seal_payload(frame, count,
                 protocol == PROTOCOL_TCP   ? 16
                 : protocol == PROTOCOL_UDP ? 6
                                            : 2,
                 protocol != PROTOCOL_ICMP);
    seal_ip(frame);
}

/* Truncated, damaged and odd frames, and inconsistent fragments: the network continues to work. */
static void test_odd_frames(void **state)
{
    struct bench *b = *state;
    uint8_t frame[ETHERNET_MAX_BYTES + 64];
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t length = some_frame(b, frame);
        switch (below(b, 4)) {
        case 0: odd_fields(b, frame, length); break;
        case 1: length = ETHERNET_HEADER_BYTES + below(b, length - ETHERNET_HEADER_BYTES + 1); break;
        case 2: /* the checksum prevents delivery of damaged frames */
            for (unsigned n = 1 + below(b, 8); n > 0; n--)
                frame[12 + below(b, length - 12)] = (uint8_t)below(b, 256);
            break;
        default: break;
        }
        send_frame(b, frame, length);
        if (i % 512 == 0) { /* close the accumulated connections */
            int fd;
            run(b, 2000000);
            while ((fd = accept(b->tcp, NULL, NULL)) >= 0)
                close(fd);
        }
    }
    run(b, 20000000);
    assert_arp_is_answered(b);
    while (recv(b->udp, frame, sizeof frame, 0) >= 0)
        continue;
    test_datagrams_both_ways(state);
}

#define NET_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NET_TEST(test_answers_come_at_an_exact_time), NET_TEST(test_datagrams_both_ways), NET_TEST(test_forwarded_port),
        NET_TEST(test_forwarded_datagrams),           NET_TEST(test_odd_frames),
    };
    return cmocka_run_group_tests_name("net_user", tests, NULL, NULL);
}
