/*
 * A window of simulated time on a hub: the frames that one node sent in it; and its encoding as bytes, which is sent
 * between processes and stored in a record.
 *
 * Window k of a hub with lookahead L lasts from k * L ns to (k + 1) * L ns of hub time (src/network/hub_port.h). A
 * frame that begins to leave in window k arrives at its receivers not before the end of that window.
 *
 * Encoding, all numbers little-endian: a header of HUB_HEADER_BYTES (magic, kind, node, flags; number of frames, bytes
 * behind the header; window number), then for every frame its arrival (8 bytes), its length (4) and its bytes.
 */
#ifndef SIMOS_NETWORK_HUB_WINDOW_H
#define SIMOS_NETWORK_HUB_WINDOW_H

#include "src/base/log.h"
#include "src/base/types.h"

enum {
    HUB_NODES_MAX = 64,
    HUB_WINDOW_FRAMES_MAX = 4096, /* further frames of one node in one window are lost */
    HUB_HEADER_BYTES = 24,
    HUB_FRAME_HEADER_BYTES = 12,
    HUB_FRAME_BYTES_MAX = 1518,
    HUB_BODY_BYTES_MAX = HUB_WINDOW_FRAMES_MAX * (HUB_FRAME_HEADER_BYTES + HUB_FRAME_BYTES_MAX),
};

struct hub_frame {
    nsec arrival; /* complete at the receivers, in hub time */
    uint32_t length;
    size_t at; /* offset in the window's bytes */
};

struct hub_window {
    uint64_t number;
    bool leaving;      /* the node leaves after this window */
    bool idle_forever; /* only a received frame can cause further events in the node */
    uint32_t count;
    struct hub_frame *frames; /* in the order of transmission */
    uint8_t *bytes;           /* bytes of all frames */
    size_t size;              /* bytes in use */
    size_t frame_room, byte_room;
};

/* Begin an empty window; buffers are reused. Zero-initialise before the first call. */
void hub_window_begin(struct hub_window *window, uint64_t number);
void hub_window_release(struct hub_window *window);

/* Append a copy of a frame of LENGTH bytes. False if the window is full, or LENGTH is invalid. */
bool hub_window_add(struct hub_window *window, nsec arrival, const uint8_t *bytes, uint32_t length);

/* A frame of a merged list of windows. */
struct hub_arrival {
    unsigned node;
    const struct hub_window *window;
    const struct hub_frame *frame;
};

/* Merge the frames of the windows (not NULL) of NODES nodes, sorted by arrival, then node, then order of transmission.
 * ARRIVALS has room for all of them; returns their number. */
size_t hub_window_merge(const struct hub_window *const *windows, unsigned nodes, struct hub_arrival *arrivals);

/* Encoding */

enum hub_kind { HUB_HELLO = 1, HUB_WINDOW = 2 };

/* Message header. HELLO: NUMBER is the node's lookahead in ns, COUNT the number of nodes, BODY 0. */
struct hub_header {
    enum hub_kind kind;
    unsigned node;
    bool leaving, asleep;
    uint32_t count;
    uint32_t body; /* bytes behind the header */
    uint64_t number;
};

void hub_header_encode(const struct hub_header *header, uint8_t bytes[HUB_HEADER_BYTES]);
/* Decode a header. BYTES are untrusted: false with ERR if invalid. A decoded header is within the limits above. */
bool hub_header_decode(struct hub_header *header, const uint8_t bytes[HUB_HEADER_BYTES], struct err *err);

/* Size of WINDOW with its header in bytes, and its encoding. */
size_t hub_window_encoded_size(const struct hub_window *window);
void hub_window_encode(const struct hub_window *window, unsigned node, uint8_t *bytes);

/* Decode the BODY behind HEADER into WINDOW. A frame that arrives before EARLIEST is invalid. BODY is untrusted: false
 * with ERR if invalid. */
bool hub_window_decode(struct hub_window *window, const struct hub_header *header, const uint8_t *body, nsec earliest,
                       struct err *err);

/* Room for SIZE bytes of messages at BYTES, which has *ROOM of them or is NULL, with what is in them: where they are
 * then. */
uint8_t *hub_window_grow(uint8_t *bytes, size_t *room, size_t size);

#endif
