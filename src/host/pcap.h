/*
 * Packet capture file for tcpdump and Wireshark: libpcap's format, little-endian, with times in nanoseconds
 * (https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
 */
#ifndef SIMOS_HOST_PCAP_H
#define SIMOS_HOST_PCAP_H

#include "src/base/log.h"
#include "src/base/types.h"

struct pcap;

/* Create or truncate the file PATH. NULL with ERR naming it and the reason. PATH must outlive the result. */
struct pcap *pcap_create(const char *path, struct err *err);

/* Append an Ethernet FRAME of LENGTH bytes, captured at TIME (ns since 1970). After the first failure nothing more is
 * written; pcap_flush() reports it. */
void pcap_add_frame(struct pcap *pcap, nsec time, const uint8_t *frame, uint32_t length);

/* Flush buffered data. False with ERR naming the file and the error of this or an earlier write. */
bool pcap_flush(struct pcap *pcap, struct err *err);
/* Close the file after an attempt to flush it. NULL is allowed. */
void pcap_free(struct pcap *pcap);

#endif
