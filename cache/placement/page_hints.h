/*
 * Page hints: how often each fragment of a page was accessed as code and as data, in a run. The policies of page
 * mapping that have hints (cache/placement/page_mapping.h) place pages by those of an earlier run, in place of a
 * compiler's (Nagle, Uhlig and Mudge 1992, section 3.3).
 *
 * A fragment is a sixteenth of a page: as long as the longest lines, and long enough that a table of a run is small; it
 * does not depend on the lines of a cache. A page is named by what runs from the same checkpoint have in common.
 */
#ifndef SIMOS_CACHE_PLACEMENT_PAGE_HINTS_H
#define SIMOS_CACHE_PLACEMENT_PAGE_HINTS_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdbool.h>
#include <stdio.h>

enum { PAGE_FRAGMENTS = 16, PAGE_FRAGMENT_BYTES = PAGE_SIZE / PAGE_FRAGMENTS };
/* HINTS_MAX: pages with hints; those of 1 GB. */
enum { PAGE_HINTS_MAX = 1 << 18, PAGE_HINT_NONE = -1, PAGE_PROCESS_NAME = 16 };

/* Pages of a process are counted from where the kernel, which randomises addresses, has put their part of memory. */
enum page_kind {
    PAGE_OF_FILE,  /* page `page` of the file with inode `number` */
    PAGE_COPIED,   /* the same, as the private copy of a process */
    PAGE_OF_BSS,   /* of a process, `page` pages from the end of its initialised data on */
    PAGE_OF_HEAP,  /* ... from the begin of its heap (brk) */
    PAGE_OF_STACK, /* ... below the end of the stack */
    PAGE_MAPPED,   /* ... below the end of the area of mappings (mmap) */
    PAGE_IN_USE,   /* frame `page`, which was in use when the run began, and not by a file */
    PAGE_KINDS
};

/* Identities are compared as bytes: what is not of the kind is 0. */
struct page_identity {
    uint32_t kind;
    uint32_t number;                 /* of kinds of a file: its inode */
    char process[PAGE_PROCESS_NAME]; /* of kinds of a process: its name, not empty, and 0 up to the end */
    uint32_t page;
};
/* Has OF a file, and a process, where its kind has one, and nothing where not? */
bool page_identity_is_whole(const struct page_identity *of);

enum page_use { PAGE_CODE, PAGE_DATA, PAGE_USES };

struct page_hint {
    struct page_identity of;
    uint64_t life; /* accesses of the CPUs to all pages while frames had this one: the time for which it was there */
    /* Those to this page: what the first level was asked for. Accesses of a CPU to a fragment in a row are one: nothing
     * comes between them that could take its lines. */
    uint64_t accesses[PAGE_USES][PAGE_FRAGMENTS];
    /* Of these, those before which the CPU accessed a page of another owner, since it last accessed the fragment. */
    uint64_t turns[PAGE_USES][PAGE_FRAGMENTS];
    uint32_t turn[PAGE_USES][PAGE_FRAGMENTS]; /* of a profile that is made: the number of the last turn */
};

/* Whose page it is: a number for each file, one for each name of processes, and PAGE_OWNER_KERNEL. */
enum { PAGE_OWNER_KERNEL = 0 };
uint32_t page_identity_owner(const struct page_identity *of);

struct page_hints;

struct page_hints *page_hints_create(void);
void page_hints_free(struct page_hints *hints); /* NULL is ignored */

/* Reads TEXT, a value of page_mapping.hints: "@FILE", lines, or nothing (*HINTS is NULL). False with ERR, which names
 * the file and the line, if a line is none of docs/reference/page-mapping.md or a page comes twice. */
bool page_hints_read(struct page_hints **hints, const char *text, struct err *err);
/* Writes the lines of all pages that were accessed, by kind, owner and page. */
void page_hints_write(const struct page_hints *hints, FILE *out);

uint32_t page_hints_count(const struct page_hints *hints);
/* Hint INDEX, below the count; valid until a page is added. */
struct page_hint *page_hints_at(const struct page_hints *hints, uint32_t index);
/* The index of the hint of page OF, or PAGE_HINT_NONE. */
int32_t page_hints_find(const struct page_hints *hints, const struct page_identity *of);
/* The same; a page without a hint gets one, all 0. PAGE_HINT_NONE: there are PAGE_HINTS_MAX. */
int32_t page_hints_add(struct page_hints *hints, const struct page_identity *of);
/* A number by which different tables can be told apart, not 0. */
uint64_t page_hints_digest(const struct page_hints *hints);

#endif
