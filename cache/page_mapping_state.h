/* Members of page mapping, for page_mapping.c and page_mapping_saved.c. */
#ifndef SIMOS_CACHE_PAGE_MAPPING_STATE_H
#define SIMOS_CACHE_PAGE_MAPPING_STATE_H

#include "cache/page_mapping.h"

enum { MAPPING_FRAMES = 1 << 20, MAPPING_THREADS = 1 << 16, MAPPING_SPACES = 4096, MAPPING_ORDER_MAX = 20 };

/* A process, from its first fault to its end. */
struct mapping_space {
    uint32_t key, serial; /* the guest's number of it; a number of our own, not 0 and never used again */
    uint32_t next;        /* the bin that bin hopping takes next */
    uint32_t *used;       /* [bins]: pages of the process in it */
};

/* The last fault and the last request of a thread. */
struct mapping_thread {
    uint32_t key; /* 0: none */
    uint32_t space, page;
    uint32_t order;
    bool for_program;
};

struct page_mapping {
    struct layout_map *map;
    struct page_mapping_options options;
    struct page_mapping_host host;
    const struct physmem *mem;
    bool has_begun;
    uint64_t random;
    uint32_t next_kernel; /* the reserved bin that comes next */
    uint32_t next_serial;
    uint32_t sites[PAGE_MAPPING_SITES];
    uint64_t placed, moved, full, reserved, missed;

    uint32_t *seen, *holder; /* [frame]: seen as, XOR its own number; [seen]: the frame, likewise */
    /* Free frames as they are seen: a list for each bin, the last that was freed first. All numbers plus 1; 0: none. */
    uint32_t *top;           /* [bin] */
    uint32_t *count;         /* [bin] */
    uint32_t *below, *above; /* [seen]: its neighbours in the list */
    uint8_t *is_free;        /* [seen] */
    uint32_t *owner;         /* [frame]: serial of the space that counts it; 0: none */

    struct mapping_space *space;
    uint32_t spaces;
    struct mapping_thread *thread; /* [MAPPING_THREADS], by bits of its number */
};

static inline uint32_t mapping_seen(const struct page_mapping *mapping, uint32_t frame)
{
    return mapping->seen[frame] ^ frame;
}

static inline uint32_t mapping_holder(const struct page_mapping *mapping, uint32_t seen)
{
    return mapping->holder[seen] ^ seen;
}

/* FRAME is seen as SEEN from now on. */
void mapping_set(struct page_mapping *mapping, uint32_t frame, uint32_t seen);
/* Frame as SEEN is free: the first of its bin. */
void mapping_push(struct page_mapping *mapping, uint32_t seen);
/* Appends a space; NULL: there are too many. */
struct mapping_space *mapping_add_space(struct page_mapping *mapping, uint32_t key, uint32_t serial);

#endif
