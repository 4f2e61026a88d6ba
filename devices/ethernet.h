/*
 * Ethernet frames, and the two ends of the cable that a network card hangs on (the cable itself: ethernet_link.h).
 *
 *     card  --ethernet_link_send()-->  link  --port.send()-->  backend (hub, user-mode network ...)
 *     card  <--receiver.receive()----  link  <--ethernet_link_receive()--  backend
 *
 * A frame is what lies between preamble and check sequence: destination, source, type, payload. Who takes a frame
 * copies it: it is valid during the call only.
 */
#ifndef SIMOS_ETHERNET_H
#define SIMOS_ETHERNET_H

#include "src/base/types.h"

enum {
    ETHERNET_ADDRESS_BYTES = 6,
    ETHERNET_HEADER_BYTES = 14, /* destination, source, type: the shortest frame that is passed on */
    ETHERNET_MTU = 1500,
    ETHERNET_MAX_BYTES = 1518, /* header, an IEEE 802.1Q tag, payload */
};

/* The far end: whatever the card is connected to. */
struct ethernet_port {
    /* A frame of LENGTH bytes (ETHERNET_HEADER_BYTES..ETHERNET_MAX_BYTES) begins to leave the card at the present
     * simulated time, and is complete at the far end at ARRIVAL (cycles of the card's machine): at least the link's
     * latency and the shortest frame's time from now, ethernet_link_lookahead(). Called within an event of the card's
     * machine: the backend may keep a copy, and nothing else. */
    void (*send)(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival);
    void *opaque;
};

/* The near end: the card. */
struct ethernet_receiver {
    /* A frame is complete. False: the card has no buffer for it, and it is lost. */
    bool (*receive)(void *opaque, const uint8_t *frame, uint32_t length);
    void *opaque;
};

/* Somebody who listens: every frame that the card sends (as it begins) or receives (when it is complete, also if it is
 * lost for want of a buffer). */
struct ethernet_tap {
    void (*frame)(void *opaque, nsec time, const uint8_t *frame, uint32_t length);
    void *opaque;
};

/* Somebody who hears of every frame too, and which way it goes: SENT by the card (as it begins), or complete at it. May
 * change nothing of the link. */
struct ethernet_watcher {
    void (*frame)(void *opaque, bool sent, const uint8_t *frame, uint32_t length);
    void *opaque;
};
enum { ETHERNET_WATCHERS_MAX = 4 };

/* "02:00:00:00:00:01" to bytes. False if TEXT is anything else, or a group or zero address. */
bool ethernet_parse_address(const char *text, uint8_t address[ETHERNET_ADDRESS_BYTES]);

#endif
