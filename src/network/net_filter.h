/*
 * Filter of the guest's frames for libslirp: passes complete ARP for IPv4, and IPv4 packets of TCP, UDP and ICMP with
 * consistent lengths. A user-mode network does not support anything else, and the guest must not exercise corner cases
 * of libslirp. Fragments are rejected: reassembly in libslirp 4.7 can be made to write beyond a buffer.
 */
#ifndef SIMOS_NETWORK_NET_FILTER_H
#define SIMOS_NETWORK_NET_FILTER_H

#include "src/base/types.h"

/* Does FRAME (LENGTH bytes, at least ETHERNET_HEADER_BYTES) pass the filter? */
bool net_filter_passes(const uint8_t *frame, uint32_t length);

#endif
