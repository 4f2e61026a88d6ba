/*
 * For the guest: sends COUNT frames that no sane program sends (random bytes, truncated and damaged IP, fragments that
 * never end, unknown types) through the network card, straight past the kernel's protocols. Prints how many went out.
 *
 *     frames INTERFACE COUNT
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static uint32_t state = 2463534242u;

/* xorshift32, Marsaglia 2003 */
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
}

/* A packet to the gateway of PROTOCOL, COUNT bytes long; its checksum is right as long as nothing changes it. */
static void make_ip(uint8_t *ip, unsigned protocol, unsigned count)
{
    static const uint8_t header[20] = {0x45, 0, 0, 0, 0, 1, 0, 0, 64, 0, 0, 0, 10, 0, 2, 15, 10, 0, 2, 2};
    uint32_t sum = 0;
    memcpy(ip, header, sizeof header);
    ip[2] = (uint8_t)(count >> 8);
    ip[3] = (uint8_t)count;
    ip[4] = (uint8_t)below(4); /* few identities, so that fragments meet */
    if (below(2)) {            /* a fragment */
        ip[6] = (uint8_t)(below(2) << 5 | below(3));
        ip[7] = (uint8_t)below(256);
    }
    ip[9] = (uint8_t)protocol;
    for (unsigned i = 0; i < 20; i += 2)
        sum += ip[i] * 256u + ip[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~(sum + (sum >> 16));
    ip[10] = (uint8_t)(sum >> 8);
    ip[11] = (uint8_t)sum;
}

static unsigned make_frame(uint8_t *frame)
{
    static const uint8_t gateway[6] = {0x52, 0x55, 10, 0, 2, 2};
    static const unsigned protocols[] = {1, 1, 6, 17, 2, 255};
    static const uint16_t types[] = {0x0800, 0x0800, 0x0800, 0x0806, 0x86dd, 0x88f8, 0x8100, 46};
    unsigned length = 14 + below(1501);
    uint16_t type = htons(types[below(8)]);
    for (unsigned i = 0; i < length; i++)
        frame[i] = (uint8_t)below(256);
    memcpy(frame, gateway, 6);
    memcpy(frame + 12, &type, 2);
    if (type == htons(0x0800) && length >= 14 + 28) {
        make_ip(frame + 14, protocols[below(6)], length - 14);
        frame[14 + 20] = 8;            /* an echo request, or a port where nobody is */
        memset(frame + 14 + 22, 0, 2); /* port 0 */
        if (below(4) == 0)
            length = 14 + below(length - 13); /* cut off */
    }
    return length;
}

int main(int argc, char **argv)
{
    struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_halen = 6};
    static uint8_t frame[2048];
    int fd = socket(AF_PACKET, SOCK_RAW, 0), sent = 0;
    if (argc != 3 || fd < 0 || !(to.sll_ifindex = (int)if_nametoindex(argv[1]))) {
        perror("frames");
        return 1;
    }
    for (int i = atoi(argv[2]); i > 0; i--) {
        unsigned length = make_frame(frame);
        sent += sendto(fd, frame, length, 0, (struct sockaddr *)&to, sizeof to) == (ssize_t)length;
    }
    printf("%d\n", sent);
    return 0;
}
