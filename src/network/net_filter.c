#include "src/network/net_filter.h"

#include "devices/ethernet.h"
#include <string.h>

enum { TYPE_OFFSET = 12, TYPE_IP = 0x0800, TYPE_ARP = 0x0806 };
enum { ARP_BYTES = 28 };
enum { IP_BYTES = 20, IP_MORE_FRAGMENTS = 0x2000, IP_OFFSET = 0x1fff };
enum { PROTOCOL_ICMP = 1, PROTOCOL_TCP = 6, PROTOCOL_UDP = 17 };
enum { ICMP_BYTES = 8, TCP_BYTES = 20, UDP_BYTES = 8 };

static unsigned get16(const uint8_t *at)
{
    return at[0] * 256u + at[1];
}

/* RFC 826: hardware type Ethernet, protocol IPv4, address lengths. */
static bool arp_passes(const uint8_t *arp, uint32_t length)
{
    static const uint8_t constants[] = {0, 1, 8, 0, 6, 4};
    return length >= ARP_BYTES && memcmp(arp, constants, sizeof constants) == 0;
}

/* RFC 792, 793, 768: the payload of an IP packet of PROTOCOL, LENGTH bytes. */
static bool payload_passes(unsigned protocol, const uint8_t *payload, uint32_t length)
{
    switch (protocol) {
    case PROTOCOL_ICMP: return length >= ICMP_BYTES;
    case PROTOCOL_UDP: return length >= UDP_BYTES && get16(payload + 4) >= UDP_BYTES && get16(payload + 4) <= length;
    case PROTOCOL_TCP: {
        uint32_t header = length >= TCP_BYTES ? payload[12] / 16 * 4u : 0;
        return header >= TCP_BYTES && header <= length;
    }
    default: return false;
    }
}

/* RFC 791. A padded frame is longer than its packet. */
static bool ip_passes(const uint8_t *ip, uint32_t length)
{
    if (length < IP_BYTES || ip[0] / 16 != 4)
        return false;
    uint32_t header = ip[0] % 16 * 4u, total = get16(ip + 2);
    return header >= IP_BYTES && header <= total && total <= length &&
           !(get16(ip + 6) & (IP_MORE_FRAGMENTS | IP_OFFSET)) && payload_passes(ip[9], ip + header, total - header);
}

bool net_filter_passes(const uint8_t *frame, uint32_t length)
{
    const uint8_t *packet = frame + ETHERNET_HEADER_BYTES;
    length -= ETHERNET_HEADER_BYTES;
    switch (get16(frame + TYPE_OFFSET)) {
    case TYPE_ARP: return arp_passes(packet, length);
    case TYPE_IP: return ip_passes(packet, length);
    default: return false;
    }
}
