/*
 * A window of simulated time on a hub: the frames that one node sent in it. And the same as bytes, which is how windows
 * travel between processes and lie in a record of a run.
 *
 * Window k of a hub with lookahead L begins k * L ns and ends (k + 1) * L ns after the hub's time 0 (src/network/hub_port.h). A
 * frame that began to leave in window k is complete at its receivers not before that window's end.
 *
 * As bytes, all numbers little-endian: a header of HUB_HEADER_BYTES (magic, kind, node, flags; number of frames, bytes
 * behind the header; number), and behind it for every frame its arrival (8 bytes), its length (4) and itself.
 */
#ifndef SIMOS_HUB_WINDOW_H
#define SIMOS_HUB_WINDOW_H

#include "src/base/log.h"
#include "src/base/types.h"

enum {
    HUB_NODES_MAX = 64,
    HUB_WINDOW_FRAMES_MAX = 4096, /* more of one node in one window are lost */
    HUB_HEADER_BYTES = 24,
    HUB_FRAME_HEADER_BYTES = 12,
    HUB_FRAME_BYTES_MAX = 1518,
    HUB_BODY_BYTES_MAX = HUB_WINDOW_FRAMES_MAX * (HUB_FRAME_HEADER_BYTES + HUB_FRAME_BYTES_MAX),
};

struct hub_frame {
    nsec arrival; /* when it is complete at its receivers; of the hub's time */
    uint32_t length;
    size_t at; /* in the window's bytes */
};

struct hub_window {
    uint64_t number;
    bool leaving; /* the node sends nothing after this */
    bool asleep;  /* nothing will ever happen in the node unless a frame comes */
    uint32_t count;
    struct hub_frame *frames; /* in the order in which they were sent */
    uint8_t *bytes;           /* of all frames */
    size_t size;              /* ... so many */
    size_t frame_room, byte_room;
};

/* A window without frames; memory is kept for the next one. Zero-initialise before the first time. */
void hub_window_begin(struct hub_window *window, uint64_t number);
void hub_window_release(struct hub_window *window);

/* Add a copy of a frame of LENGTH bytes. False if it is one too many, or of a length
 * that no frame has. */
bool hub_window_add(struct hub_window *window, nsec arrival, const uint8_t *bytes, uint32_t length);

/* A frame of one of the windows of several nodes. */
struct hub_arrival {
    unsigned node;
    const struct hub_window *window;
    const struct hub_frame *frame;
};

/* All frames of the windows that are not NULL of NODES nodes, in the order of their arrival; of several at one time, in
 * the order of the nodes, and of one node's in the order in which they were sent. ARRIVALS has room for all of them;
 * returns how many there are. */
size_t hub_window_merge(const struct hub_window *const *windows, unsigned nodes, struct hub_arrival *arrivals);

/* Bytes */

enum hub_kind { HUB_HELLO = 1, HUB_WINDOW = 2 };

/* What stands in front. HELLO: NUMBER is the node's lookahead in ns, COUNT the number of nodes, BODY 0. */
struct hub_header {
    enum hub_kind kind;
    unsigned node;
    bool leaving, asleep;
    uint32_t count;
    uint32_t body; /* bytes behind the header */
    uint64_t number;
};

void hub_header_encode(const struct hub_header *header, uint8_t bytes[HUB_HEADER_BYTES]);
/* False with ERR saying what is wrong: BYTES may be anything. What is decoded keeps the limits above. */
bool hub_header_decode(struct hub_header *header, const uint8_t bytes[HUB_HEADER_BYTES], struct err *err);

/* Bytes of WINDOW with its header, and these bytes. */
size_t hub_window_encoded_size(const struct hub_window *window);
void hub_window_encode(const struct hub_window *window, unsigned node, uint8_t *bytes);

/* What stands behind HEADER to WINDOW, which is begun. No frame may be complete before EARLIEST. False with ERR saying
 * what is wrong: BODY may be anything. */
bool hub_window_decode(struct hub_window *window, const struct hub_header *header, const uint8_t *body, nsec earliest,
                       struct err *err);

#endif
