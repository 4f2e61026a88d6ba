/*
 * A file of captured network frames, as tcpdump and Wireshark read it: libpcap's format, little-endian, with times in
 * nanoseconds (https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
 */
#ifndef SIMOS_PCAP_H
#define SIMOS_PCAP_H

#include "src/base/log.h"
#include "src/base/types.h"

struct pcap;

/* Create (or replace) the file PATH. NULL with ERR naming it and the reason. PATH must outlive the result. */
struct pcap *pcap_create(const char *path, struct err *err);

/* Append an Ethernet FRAME of LENGTH bytes, seen at TIME since 1970. The first failure stops the writing, and is told
 * by pcap_close(). */
void pcap_add_frame(struct pcap *pcap, nsec time, const uint8_t *frame, uint32_t length);

/* Write out what is buffered. False with ERR naming the file and why it, or any write before, failed. */
bool pcap_flush(struct pcap *pcap, struct err *err);
/* Close it; what is buffered is written as far as it goes. NULL is allowed. */
void pcap_free(struct pcap *pcap);

#endif
