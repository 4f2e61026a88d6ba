/*
 * A synthetic kernel image in RAM for tests that inspect guest memory: structures of the stock kernel (`library
 * layout`), an array of struct page, one process. It is not executed.
 */
#ifndef SIMOS_TESTS_UNIT_GUEST_KERNEL_FIXTURE_H
#define SIMOS_TESTS_UNIT_GUEST_KERNEL_FIXTURE_H

#include "annotations/tcl/annotate_state.h"
#include "tests/unit/core_fixture.h"
#include <stdio.h>
#include <unistd.h>

enum {
    RAM_PAGES = 32 << 8,
    TEXT = 0x80100000,
    RESUME = 0x80101000,
    IS_PER_CPU = 0x80101100,
    VARIABLES = 0x80120000,     /* mem_map and other variables, one word each */
    IMAGE_PER_CPU = 0x80140000, /* per-CPU variables in the kernel image */
    ZERO_PAGE = 0x81200000,
    STACKS = 0x80121000, /* kernelsp */
    INIT_TASK = 0x80122000,
    PAGES = 0x81000000, /* array of struct page */
    OWN_PER_CPU = 0x81300000,
    THREAD = 0x81402000, /* a kernel stack */
    TASK = 0x81404000,   /* task_struct of that thread, in a slab cache */
    CACHE = 0x81406000,  /* its kmem_cache */
    NAMES = 0x81407000,  /* strings */
    MM = 0x81408000,
    PGD = 0x81409000,
    FILES = 0x8140a000, /* address_space, inode, dentry */
    PAGE_BYTES = 36,
};

/* Flags of struct page in this kernel. */
enum { PAGE_SLAB = 1 << 9, PAGE_RESERVED = 1 << 12, PAGE_HEAD = 1 << 16 };

struct guest_kernel {
    struct fixture *f;
    Tcl_Interp *interp;
    struct symbols *symbols;
    struct annotate *annotate;
};

static inline cycles fixture_now(void *opaque)
{
    (void)opaque;
    return 0;
}

static inline uint64_t fixture_insns(void *opaque)
{
    (void)opaque;
    return 0;
}

static inline void fixture_select(void *opaque, unsigned cpu)
{
    (void)opaque;
    (void)cpu;
}

static inline void fixture_stop(void *opaque, unsigned status)
{
    (void)opaque;
    (void)status;
}

static inline void fixture_fail(void *opaque, const struct err *reason)
{
    (void)opaque;
    (void)reason;
}

static inline void word_at(struct guest_kernel *g, vaddr address, uint32_t value)
{
    memcpy(physmem_host(g->f->mem, address & 0x1fffffff), &value, sizeof value);
}

static inline void text_at(struct guest_kernel *g, vaddr address, const char *text)
{
    memcpy(physmem_host(g->f->mem, address & 0x1fffffff), text, strlen(text) + 1);
}

static inline uint32_t offset_of(struct guest_kernel *g, const char *structure, const char *field)
{
    uint32_t offset = 0;
    assert_true(layout_offset(&g->annotate->view, structure, field, &offset));
    return offset;
}

static inline void field_at(struct guest_kernel *g, vaddr at, const char *structure, const char *field, uint32_t value)
{
    word_at(g, at + offset_of(g, structure, field), value);
}

/* The struct page of ADDRESS. */
static inline vaddr page_of(vaddr address)
{
    return PAGES + ((address & 0x1fffffff) >> PAGE_SHIFT) * PAGE_BYTES;
}

static inline void page_field(struct guest_kernel *g, vaddr address, const char *field, uint32_t value)
{
    field_at(g, page_of(address), "page", field, value);
}

/* Mark a page as in use, without a mapping or flags. */
static inline void used_page(struct guest_kernel *g, vaddr address)
{
    page_field(g, address, "flags", 0);
    page_field(g, address, "mapping", 0);
    page_field(g, address, "compound_head", 0);
    page_field(g, address, "page_type", 0xffffffff);
    page_field(g, address, "_refcount", 1);
}

static inline uint32_t insn_of(unsigned op, unsigned s, unsigned t, uint32_t low)
{
    return (uint32_t)op << 26 | (uint32_t)s << 21 | (uint32_t)t << 16 | (low & 0xffff);
}

/* The immediate of lui for VALUE, rounded for a sign-extended lower half. */
static inline uint32_t upper_of(uint32_t value)
{
    return (value + 0x8000) >> 16;
}

static inline struct symbols *fixture_symbols(void)
{
    static const struct {
        const char *name;
        vaddr address;
    } all[] = {{"_text", TEXT},
               {"resume", RESUME},
               {"__is_kernel_percpu_address", IS_PER_CPU},
               {"_etext", 0x80110000},
               {"mem_map", VARIABLES},
               {"max_mapnr", VARIABLES + 4},
               {"nr_cpu_ids", VARIABLES + 8},
               {"empty_zero_page", VARIABLES + 12},
               {"__per_cpu_offset", VARIABLES + 64},
               {"init_task", INIT_TASK}};
    char path[] = "/tmp/simos-symbols-XXXXXX";
    struct err err = {""};
    FILE *file = fdopen(mkstemp(path), "w");
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        fprintf(file, "%08x T %s\n", all[i].address, all[i].name);
    fclose(file);
    struct symbols *symbols = symbols_load(path, &err);
    unlink(path);
    assert_non_null(symbols);
    return symbols;
}

static inline void put_variables(struct guest_kernel *g)
{
    enum { LUI = 15, ADDIU = 9, SW = 43, AT = 1, T0 = 8, V0 = 2, S1 = 17 };
    word_at(g, VARIABLES, PAGES);
    word_at(g, VARIABLES + 4, RAM_PAGES);
    word_at(g, VARIABLES + 8, 1);
    word_at(g, VARIABLES + 12, ZERO_PAGE);
    word_at(g, VARIABLES + 64, OWN_PER_CPU - IMAGE_PER_CPU);
    /* `resume` stores the stack pointer: lui $at; addu; sw $t0 */
    word_at(g, RESUME, insn_of(LUI, 0, AT, upper_of(STACKS)));
    word_at(g, RESUME + 4, 0x00290821);
    word_at(g, RESUME + 8, insn_of(SW, AT, T0, STACKS));
    /* start (page-aligned) and end of the per-CPU variables */
    word_at(g, IS_PER_CPU, insn_of(LUI, 0, V0, upper_of(IMAGE_PER_CPU)));
    word_at(g, IS_PER_CPU + 4, insn_of(ADDIU, V0, V0, IMAGE_PER_CPU));
    word_at(g, IS_PER_CPU + 8, insn_of(LUI, 0, S1, upper_of(IMAGE_PER_CPU + 0x3004)));
    word_at(g, IS_PER_CPU + 12, insn_of(ADDIU, S1, S1, IMAGE_PER_CPU + 0x3004));
}

/* Pages below THREAD are reserved; the others are free until put_process(). */
static inline void put_pages(struct guest_kernel *g)
{
    for (vaddr at = 0x80000000; at < 0x80000000 + (RAM_PAGES << PAGE_SHIFT); at += PAGE_SIZE) {
        const bool reserved = at < THREAD;
        page_field(g, at, "flags", reserved ? PAGE_RESERVED : 0);
        page_field(g, at, "page_type", reserved ? 0xffffffff : 0xffffff7f);
        page_field(g, at, "_refcount", reserved);
    }
}

static inline void put_process(struct guest_kernel *g)
{
    used_page(g, THREAD);
    /* only the first page of a compound page has a reference count */
    page_field(g, THREAD + PAGE_SIZE, "page_type", 0xffffffff);
    used_page(g, TASK);
    page_field(g, TASK, "flags", PAGE_SLAB);
    page_field(g, TASK, "mapping", CACHE);
    field_at(g, CACHE, "kmem_cache", "name", NAMES);
    field_at(g, CACHE, "kmem_cache", "size", 2816);
    text_at(g, NAMES, "task_struct");
    word_at(g, STACKS, THREAD + 8160);
    field_at(g, THREAD, "thread_info", "task", TASK);
    field_at(g, TASK, "task_struct", "stack", THREAD);
    field_at(g, TASK, "task_struct", "mm", MM);
    field_at(g, TASK, "task_struct", "active_mm", MM);
    field_at(g, TASK, "task_struct", "pid", 77);
    text_at(g, TASK + offset_of(g, "task_struct", "comm"), "alpha");
    field_at(g, MM, "mm_struct", "pgd", PGD);
    field_at(g, MM, "mm_struct", "owner", TASK);
}

static inline int guest_kernel_set_up(void **state)
{
    static const struct annotate_host host = {.now = fixture_now,
                                              .insns = fixture_insns,
                                              .select = fixture_select,
                                              .stop = fixture_stop,
                                              .fail = fixture_fail};
    struct guest_kernel *g = calloc(1, sizeof *g);
    g->f = fixture_create_sized(32);
    g->symbols = fixture_symbols();
    g->interp = Tcl_CreateInterp();
    const struct machine_view machine = {
        .cpus = FIXTURE_CPUS, .cores = g->f->cores, .mem = g->f->mem, .symbols = g->symbols, .clock_hz = 200000000};
    g->annotate = annotate_create(g->interp, &machine, &host);
    Tcl_CreateObjCommand(g->interp, "struct", struct_command, g->annotate, NULL);
    assert_int_equal(annotate_use_library(g->annotate, "layout"), TCL_OK);
    put_variables(g);
    put_pages(g);
    put_process(g);
    *state = g;
    return 0;
}

static inline int guest_kernel_tear_down(void **state)
{
    struct guest_kernel *g = *state;
    annotate_free(g->annotate);
    Tcl_DeleteInterp(g->interp);
    symbols_free(g->symbols);
    void *fixture = g->f;
    free(g);
    return fixture_teardown(&fixture);
}

#endif
