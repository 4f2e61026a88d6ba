/*
 * Ethernet frames, and the interfaces at the two ends of a network card's cable (the cable itself: ethernet_link.h).
 *
 *     card  --ethernet_link_send()-->  link  --port.send()-->  backend (hub, user-mode network ...)
 *     card  <--receiver.receive()----  link  <--ethernet_link_receive()--  backend
 *
 * A frame excludes preamble and frame check sequence: it is destination, source, type and payload. A frame is valid
 * only during the call; the callee copies what it keeps.
 */
#ifndef SIMOS_DEVICES_ETHERNET_H
#define SIMOS_DEVICES_ETHERNET_H

#include "src/base/types.h"

enum {
    ETHERNET_ADDRESS_BYTES = 6,
    ETHERNET_HEADER_BYTES = 14, /* destination, source, type: minimum length of a frame here */
    ETHERNET_MTU = 1500,
    ETHERNET_MAX_BYTES = 1518, /* header, an IEEE 802.1Q tag, payload */
};

/* The far end: the backend to which the card is connected. */
struct ethernet_port {
    /* A frame of LENGTH bytes (ETHERNET_HEADER_BYTES..ETHERNET_MAX_BYTES) begins to leave the card at the present
     * simulated time and arrives completely at the far end at ARRIVAL (cycles of the card's machine), at least
     * ethernet_link_lookahead() from now: the link's latency plus the time of the shortest frame. Called inside an
     * event of the card's machine: the backend may copy the frame, and must not do anything else. */
    void (*send)(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival);
    void *opaque;
};

/* The near end: the card. */
struct ethernet_receiver {
    /* Receive a complete frame. False: the card has no buffer, and the frame is lost. */
    bool (*receive)(void *opaque, const uint8_t *frame, uint32_t length);
    void *opaque;
};

/* Packet capture: gets every frame that the card sends (when it begins) or receives (when it is complete, even if it is
 * lost for lack of a buffer). */
struct ethernet_tap {
    void (*frame)(void *opaque, nsec time, const uint8_t *frame, uint32_t length);
    void *opaque;
};

/* Observer of every frame and its direction: SENT by the card (when it begins), or received (when it is complete). Must
 * not change the link. */
struct ethernet_observer {
    void (*frame)(void *opaque, bool sent, const uint8_t *frame, uint32_t length);
    void *opaque;
};
enum { ETHERNET_OBSERVERS_MAX = 4 };

/* "02:00:00:00:00:01" to bytes. False if TEXT is anything else, or a group or zero address. */
bool ethernet_parse_address(const char *text, uint8_t address[ETHERNET_ADDRESS_BYTES]);

#endif
