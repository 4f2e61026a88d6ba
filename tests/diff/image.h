/*
 * The initial memory of a random stream: driver and handlers, page table, data windows, variables. Identical for our
 * machine and, as an ELF file, for QEMU.
 */
#ifndef SIMOS_TESTS_DIFF_IMAGE_H
#define SIMOS_TESTS_DIFF_IMAGE_H

#include "src/base/types.h"
#include "tests/diff/layout.h"
#include "tests/diff/random.h"

/* Registers at the start or end of a stream, in the layout of driver.S. */
struct context {
    uint32_t gpr[32];
    uint32_t hi, lo, fcsr, status;
    uint32_t start, end;
    uint32_t hash, exceptions;
    uint64_t fpr[32]; /* with Status.FR = 0 the low words are the registers */
};
_Static_assert(sizeof(struct context) == CONTEXT_SIZE, "driver.S");

struct image {
    uint8_t *bytes;                      /* LAYOUT_END bytes */
    bool used[LAYOUT_END >> PAGE_SHIFT]; /* pages that are not all zero */
};

/* Windows for loads and stores: user addresses, mapped to equal physical addresses unless noted. */
enum {
    WINDOW_RW = LAYOUT_DATA,        /* 8 KB */
    WINDOW_READ_ONLY = 0x00502000,  /* 4 KB, write-protected */
    WINDOW_INVALID = 0x00503000,    /* page-table entry with V = 0 */
    WINDOW_EDGE = 0x00504000,       /* writable; the next page is unmapped */
    WINDOW_UNCACHED = 0x00506000,   /* the first page of WINDOW_RW, uncached */
    WINDOW_CODE_ALIAS = 0x00507000, /* the first page of code, writable */
    WINDOW_BUS_ERROR = 0x00508000,  /* unmapped physical memory */
    POOL_OFFSET = 0x1800,           /* in WINDOW_RW: code words for self-modifying streams */
    POOL_WORDS = 64,
    TARGETS_OFFSET = 0x1a00, /* in WINDOW_RW: jump targets, for each processor */
    TARGETS = 16,
    TURN_OFFSET = 0x1b00,      /* index of the next target, for each processor */
    WINDOW_SPACE = 0x00600000, /* every second page is a code page that depends on the address space */
    SPACE_PAGES = 32,
};
#define WINDOW_KSEG2 0xc0500000u /* LAYOUT_DATA + 0x8000 physical */

void image_create(struct image *image);
void image_free(struct image *image);

void image_put(struct image *image, paddr address, const void *bytes, uint32_t size);
void image_put_word(struct image *image, paddr address, uint32_t word);

/* Initialise all but code and contexts: driver, page table, windows with random and boundary values. */
void image_prepare(struct image *image, struct random *random);

/* Add a second address space with a page table at LAYOUT_TABLE_1, and WINDOW_SPACE in both: its page 2n is page n of
 * the code, in the second space page n ^ 1. */
void image_add_spaces(struct image *image);

/* A boundary value: of integers or, from the second half, of floating-point numbers. */
uint32_t image_interesting_word(struct random *random);
uint64_t image_interesting_double(struct random *random);
uint32_t image_interesting_single(struct random *random);

/* Initialise the handler variables of CPU for a stream that runs without the driver. */
void image_set_variables(struct image *image, unsigned cpu, uint32_t flip, uint32_t period);

/* Write IMAGE to PATH as an ELF executable for kseg0. */
bool image_write_elf(const struct image *image, const char *path);

#endif
