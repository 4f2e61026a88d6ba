/*
 * The pages of programs on which code executed in user mode, and the frames of memory that they were in. A page is
 * identified by the key of its first instruction in the profile (execution_profile.h): a page of a file is one page,
 * whatever processes map it, and where.
 *
 * Not known: a page that was written anew to its frame without executing there again.
 */
#ifndef SIMOS_CPU_OBSERVE_EXECUTION_PAGES_H
#define SIMOS_CPU_OBSERVE_EXECUTION_PAGES_H

#include "cpu/core.h"

struct execution_page {
    uint64_t key;   /* of its first instruction */
    vaddr address;  /* of that one in the process that executed the page first */
    paddr frame;    /* of that one in memory */
    bool moved;     /* it executed in another frame too, or another page executed in this one */
    uint32_t *word; /* [PAGE_SIZE / 4]: the page when it executed first; NULL if it moved */
};

struct execution_pages;

struct execution_pages *execution_pages_create(void);
void execution_pages_free(struct execution_pages *pages); /* NULL is ignored */

/* CORE's process executes the code at ADDRESS, which has KEY in the profile. Nothing if it is not in RAM, or has no
 * place on a page by its key. */
void execution_pages_see(struct execution_pages *pages, struct core *core, uint64_t key, vaddr address);

/* A copy of all pages, sorted by key, without their words: the caller frees it. NULL with *COUNT 0 if there are none.
 */
struct execution_page *execution_pages_sorted(const struct execution_pages *pages, size_t *count);

#endif
