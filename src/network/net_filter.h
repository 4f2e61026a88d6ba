/*
 * What of the guest's frames may reach libslirp: complete ARP for IPv4, and IPv4 packets of TCP, UDP and ICMP whose
 * lengths agree with each other. Everything else leads nowhere from a user-mode network, and a guest is not to be
 * trusted with the corners of its code. Fragments are among what is left out: libslirp 4.7 can be made to write beyond
 * a buffer when it puts them together.
 */
#ifndef SIMOS_NET_FILTER_H
#define SIMOS_NET_FILTER_H

#include "src/base/types.h"

/* May FRAME (ETHERNET_HEADER_BYTES or more, LENGTH in all) pass? */
bool net_filter_passes(const uint8_t *frame, uint32_t length);

#endif
