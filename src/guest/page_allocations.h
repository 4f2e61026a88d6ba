/*
 * The page allocator of a Linux guest, for page mapping (cache/placement/page_mapping.h) and for homes of pages that
 * end when they become free (memory.home=allocation): PC hooks on its functions say which frames become free, which a
 * thread gets and what for, and which page of a process a thread faults on. They do not change guest-visible state. For
 * kernels with the functions of Linux 6.1 and the structures of annotations/symbols/guest_layouts.h; no value read from
 * the guest is trusted.
 */
#ifndef SIMOS_GUEST_PAGE_ALLOCATIONS_H
#define SIMOS_GUEST_PAGE_ALLOCATIONS_H

#include "annotations/symbols/machine_view.h"

struct page_allocations;

/* Follow the allocator of the guest of VIEW (copied), whose symbols are loaded, if page_mapping.policy is not
 * arbitrary, page_mapping.profile is on or memory.home is allocation; otherwise *ALLOCATIONS is NULL. FAIL is called
 * with OPAQUE if the guest turns out to run another kernel than the structures are of. Fails naming a function that has
 * no symbol; *ALLOCATIONS is to be freed then, too. */
typedef void page_allocations_fail_fn(void *opaque, const struct err *reason);
bool page_allocations_watch(struct page_allocations **allocations, const struct machine_view *view,
                            page_allocations_fail_fn *fail, void *opaque, struct err *err);
/* The machine has been restored from a checkpoint. NULL is ignored. */
void page_allocations_resume(struct page_allocations *allocations);
void page_allocations_free(struct page_allocations *allocations); /* NULL is ignored */

#endif
