/* Members of page mapping, for page_mapping.c, page_mapping_hints.c and page_mapping_saved.c. */
#ifndef SIMOS_CACHE_PLACEMENT_PAGE_MAPPING_STATE_H
#define SIMOS_CACHE_PLACEMENT_PAGE_MAPPING_STATE_H

#include "cache/placement/page_mapping.h"

enum { MAPPING_FRAMES = 1 << 20, MAPPING_THREADS = 1 << 16, MAPPING_SPACES = 4096, MAPPING_ORDER_MAX = 20 };

/* A process, from its first fault to its end. */
struct mapping_space {
    uint32_t key, serial; /* the guest's number of it; a number of our own, not 0 and never used again */
    uint32_t next;        /* the bin that bin hopping takes next */
    uint32_t base;        /* with numbering: the bin of number 0 of its pages, plus 1; 0: not drawn yet */
    uint32_t *used;       /* [bins]: pages of the process in it */
};

/* `owner` of pages of no process. */
#define MAPPING_NO_SPACE UINT32_MAX

/* The last fault and the last request of a thread. */
struct mapping_thread {
    uint32_t key; /* 0: none */
    uint32_t space, page;
    uint32_t order;
    bool for_program;
    struct page_identity
        of; /* of the fault, until it got a page; without a process: none, or hints are not asked for */
};

/* After those of code and of data: their sum, for caches of both. */
enum { MAPPING_BOTH = PAGE_USES, MAPPING_WEIGHTS };

/* A hint, for the bins of the machine. */
struct mapping_hint {
    uint32_t owner;
    /* Accesses, and turns, by accesses to all pages while it is there */
    uint32_t accesses[MAPPING_WEIGHTS][PAGE_FRAGMENTS], turns[MAPPING_WEIGHTS][PAGE_FRAGMENTS];
    uint32_t number; /* numbering: from 0 to bins - 1 */
    uint32_t set;    /* of the file's or the process's pages */
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
    uint64_t placed, moved, full, reserved, missed, hinted;

    uint32_t *seen, *holder; /* [frame]: seen as, XOR its own number; [seen]: the frame, likewise */
    bool *is_laid_out;       /* [frame]: the map moves it by itself: it is in no list, and seen and holder are 0 */
    /* Free frames as they are seen: a list for each bin, the last that was freed first. All numbers plus 1; 0: none. */
    uint32_t *top;           /* [bin] */
    uint32_t *count;         /* [bin] */
    uint32_t *below, *above; /* [seen]: its neighbours in the list */
    uint8_t *is_free;        /* [seen] */
    uint32_t *owner;         /* [frame]: serial of the space that counts it; 0: not placed */

    struct mapping_space *space;
    uint32_t spaces;
    struct mapping_thread *thread; /* [MAPPING_THREADS], by bits of its number */

    /* With options.hints */
    uint32_t *hint;             /* [frame]: that of its page, plus 1; 0: none */
    struct mapping_hint *hints; /* [count of options.hints] */
    uint32_t *hinted_frame;     /* [hinted_frames]: those with a hint, in no order that means anything */
    uint32_t *place;            /* [frame]: its index there */
    uint32_t hinted_frames;
    uint32_t *set_base; /* [sets]: of a file, as mapping_space.base */
    uint32_t sets;

    /* With options.profiles */
    struct page_hints *profile;
    uint32_t *profiled; /* [frame]: where it is counted, plus 1; 0: nowhere */
    uint64_t accesses;  /* to all pages */
    uint64_t *born;     /* [frame]: their number when the life of its page was last counted */
    uint32_t turns;     /* how often owners took turns */
    struct {
        uint32_t fragment[PAGE_USES]; /* that it accessed last: a number, plus 1 */
        uint32_t owner[PAGE_USES], turn[PAGE_USES];
    } last[PAGE_MAPPING_CPUS]; /* of a CPU */
};

static inline uint32_t mapping_seen(const struct page_mapping *mapping, uint32_t frame)
{
    return mapping->seen[frame] ^ frame;
}

static inline uint32_t mapping_holder(const struct page_mapping *mapping, uint32_t seen)
{
    return mapping->holder[seen] ^ seen;
}

static inline uint32_t mapping_bin(const struct page_mapping *mapping, uint32_t seen)
{
    return seen % mapping->options.bins;
}

/* What a policy does (cache/placement/page_mapping_policies.def): the bin for FRAME, for the page that THREAD of SPACE
 * (NULL: unknown) faulted on; by hint HINT, plus 1; for page INDEX of a file. */
typedef uint32_t mapping_choose_fn(struct page_mapping *mapping, struct mapping_space *space,
                                   const struct mapping_thread *thread, uint32_t frame);
typedef uint32_t mapping_hinted_fn(struct page_mapping *mapping, struct mapping_space *space, uint32_t hint,
                                   uint32_t frame);
typedef uint32_t mapping_for_file_fn(const struct page_mapping *mapping, uint32_t index);

/* FRAME is seen as SEEN from now on. */
void mapping_set(struct page_mapping *mapping, uint32_t frame, uint32_t seen);
/* Frame as SEEN is free: the first of its bin. */
void mapping_push(struct page_mapping *mapping, uint32_t seen);
/* Appends a space; NULL: there are too many. */
struct mapping_space *mapping_add_space(struct page_mapping *mapping, uint32_t key, uint32_t serial);
/* Draws a bin for pages of programs and files. */
uint32_t mapping_draw(struct page_mapping *mapping);
/* Is a frame of BIN free, or FRAME itself? Those that are not, of which the allocation was not seen, leave the list. */
bool mapping_has_free(struct page_mapping *mapping, uint32_t bin, uint32_t frame);
/* The bin for FRAME with fewest pages of SPACE (NULL: of none), of those the one with most free frames; among all bins
 * for programs whose COST (NULL: all the same) is least. */
uint32_t mapping_best_bin(struct page_mapping *mapping, const struct mapping_space *space, const uint64_t *cost,
                          uint32_t frame);

/* page_mapping_hints.c */
void mapping_hints_create(struct page_mapping *mapping);
void mapping_hints_free(struct page_mapping *mapping);
/* The hint of page OF, plus 1; 0: there is none, or the policy has no hints. */
uint32_t mapping_hint_of(const struct page_mapping *mapping, const struct page_identity *of);
/* Of the policies by hints: the bin for FRAME by hint HINT, plus 1, of a page of SPACE (NULL: of none). */
mapping_hinted_fn mapping_shaded_bin, mapping_numbered_bin;
/* FRAME has no known page any more. */
void mapping_forget(struct page_mapping *mapping, uint32_t frame);
/* FRAME has hint HINT, plus 1; 0: none. With options.hints. */
void mapping_set_hint(struct page_mapping *mapping, uint32_t frame, uint32_t hint);

#endif
