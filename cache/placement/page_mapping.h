/*
 * Page mapping: in which frames, and so in which bins of a physically indexed cache, would the pages of programs lie if
 * the guest's kernel chose them by a policy? (Kessler and Hill, "Page placement algorithms for large real-indexed
 * caches", TOCS 10(4), 1992; Nagle, Uhlig and Mudge 1992, part II.)
 *
 * The guest's kernel allocates as it does. When it has taken a free frame, the policy chooses a bin, and the caches see
 * this frame where they saw another free one of that bin, and that one where they saw this one. Both are free: what the
 * caches hold of them stays, as it would under a kernel that had chosen the other frame.
 *
 * Nothing here knows the guest: who follows its page allocator (src/guest/page_allocations.h) says what
 * happens to frames, in the order in which it happens. A frame is the number of a page of physical memory, below 2^20;
 * it is *seen* as another frame, and the bin is that of the frame as seen, modulo the number of bins. Threads and
 * spaces (processes) are known by any nonzero numbers of the guest's.
 *
 * docs/reference/page-mapping.md
 */
#ifndef SIMOS_CACHE_PLACEMENT_PAGE_MAPPING_H
#define SIMOS_CACHE_PLACEMENT_PAGE_MAPPING_H

#include "cache/placement/page_hints.h"
#include "src/base/log.h"
#include "src/base/types.h"
#include <stdbool.h>

struct layout_map;
struct page_mapping;
struct physmem;
struct saved;
struct stats;

enum { PAGE_MAPPING_SITES = 32, PAGE_MAPPING_CACHES = 6, PAGE_MAPPING_CPUS = 64 };

enum page_mapping_policy {
#define POLICY(id, ...) PAGE_MAPPING_##id,
#include "cache/placement/page_mapping_policies.def"
    PAGE_MAPPING_POLICY_COUNT
};
/* The values of page_mapping.policy, as `choices` of its definition. */
extern const char page_mapping_policies[]; /* behind its first character */
#define PAGE_MAPPING_POLICIES (&page_mapping_policies[1])
/* The policy of a value of page_mapping.policy. */
enum page_mapping_policy page_mapping_policy_named(const char *name);
/* Does POLICY need hints? */
bool page_mapping_policy_takes_hints(enum page_mapping_policy policy);

/* A cache that a page's place decides on. */
struct page_mapping_cache {
    uint32_t bins; /* pages of a way */
    bool has_code, has_data;
};

struct page_mapping_options {
    enum page_mapping_policy policy;
    uint32_t bins; /* of the cache that has most: at least 2, a multiple of those of all others */
    struct page_mapping_cache cache[PAGE_MAPPING_CACHES]; /* those of at least 2 bins, for shading; then zeros */
    uint32_t reserved; /* bins for the kernel's own pages, fewer than BINS; 0: these pages stay */
    uint64_t seed;
    struct page_hints *hints; /* of a policy by hints, otherwise NULL */
    bool profiles;            /* count accesses: page_mapping_profile() */
};

/* MAP, of layout_map_add_pages(), is what moves; it must outlive the result, to which the hints belong. Pages that MAP
 * moves by itself are never placed. */
struct page_mapping *page_mapping_create(struct layout_map *map, const struct page_mapping_options *options);
void page_mapping_free(struct page_mapping *mapping); /* NULL is ignored */

/* What the owner of the guest does for it. */
struct page_mapping_host {
    /* The caches see FRAME elsewhere from now on: CPU models forget where they saw it. */
    void (*moved)(void *opaque, uint32_t frame);
    /* Is FRAME free, as far as the guest's memory says? A free frame of which an allocation was not seen is not. */
    bool (*is_free)(void *opaque, uint32_t frame);
    void *opaque;
};
/* Before the first of the functions below. */
void page_mapping_set_host(struct page_mapping *mapping, const struct page_mapping_host *host);

/* Has page_mapping_begin() been called, in this run or before the checkpoint? It is called when the frames that are
 * free at the beginning have been given to page_mapping_freed(). */
bool page_mapping_has_begun(const struct page_mapping *mapping);
void page_mapping_begin(struct page_mapping *mapping);

/* FRAME became free. */
void page_mapping_freed(struct page_mapping *mapping, uint32_t frame);
/* THREAD asks for 2^ORDER frames, for a page of a program or file, or else for the kernel itself ... */
void page_mapping_asked(struct page_mapping *mapping, uint32_t thread, uint32_t order, bool for_program);
/* ... and got them, from FRAME on. */
void page_mapping_got(struct page_mapping *mapping, uint32_t thread, uint32_t frame);
/* FRAME, which a thread has just got, is page INDEX of the file with inode INODE and has no contents yet. */
void page_mapping_is_of_file(struct page_mapping *mapping, uint32_t frame, uint32_t inode, uint32_t index);
/* THREAD of SPACE faults on virtual page PAGE. What it gets until its next fault is for this page. OF: which it is, of
 * a kind of a process; NULL: unknown. */
void page_mapping_faulted(struct page_mapping *mapping, uint32_t thread, uint32_t space, uint32_t page,
                          const struct page_identity *of);
/* Are pages asked for by what they are: has the policy hints, or are accesses counted? Otherwise names of processes and
 * inodes do not matter, and the next function need not be called. */
bool page_mapping_names_pages(const struct page_mapping *mapping);
/* Is FRAME in a list of free ones? */
bool page_mapping_is_free(const struct page_mapping *mapping, uint32_t frame);
/* FRAME is in use, and has page OF from now on. To be said before page_mapping_begin(); later it follows from the rest.
 */
void page_mapping_used(struct page_mapping *mapping, uint32_t frame, const struct page_identity *of);
/* CPU (below PAGE_MAPPING_CPUS) asks the first level of its caches for SEEN, an address as the caches see it. Only with
 * options.profiles. */
void page_mapping_accessed(struct page_mapping *mapping, unsigned cpu, paddr seen, enum page_use use);
/* What was accessed since the beginning, up to now; NULL: it is not counted. */
const struct page_hints *page_mapping_profile(struct page_mapping *mapping);

/* SPACE ends. */
void page_mapping_ended(struct page_mapping *mapping, uint32_t space);

/* Addresses in the guest that whoever follows it needs again after a checkpoint: [PAGE_MAPPING_SITES], 0: none. */
uint32_t *page_mapping_sites(struct page_mapping *mapping);

/* Does each frame have one place where it is seen, and each place one frame; and are the lists of free frames whole?
 * For tests and the checking build. */
bool page_mapping_check(const struct page_mapping *mapping, struct err *err);

void page_mapping_register_stats(struct page_mapping *mapping, struct stats *stats);
/* Adds the section "page_mapping", timing state. Frames that a file moves must be in MEM. */
void page_mapping_register_saved(struct page_mapping *mapping, const struct physmem *mem, struct saved *saved);

#endif
