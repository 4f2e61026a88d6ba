/*
 * Kind of the data at an address (SOSP'95 section 2.1.1: misses "by the virtual address of the misses", by data
 * structure), from struct page and the structures it refers to: Linux 6.1, include/linux/mm_types.h,
 * include/linux/page-flags.h, mm/slab.h.
 */
#include "annotations/symbols/data_kinds.h"
#include "tests/unit/guest_kernel_fixture.h"

enum { HEAP = 0x10000000, DATA = 0x00420000, STACK_TOP = 0x7fff0000, ELSEWHERE = 0x77000000, SOMEWHERE = 0x81500000 };

/* The kind of the data at kernel address ADDRESS, or at a user address mapped to PA. */
static const char *kind_at(struct guest_kernel *g, vaddr address, paddr pa)
{
    struct data_kinds *kinds = annotate_data_kinds(g->annotate);
    return data_kind_text(kinds, data_kind_at(kinds, g->f->core, address, true, pa));
}

static const char *kernel_kind(struct guest_kernel *g, vaddr address)
{
    return kind_at(g, address, address & 0x1fffffff);
}

/* Reserved pages: the kernel image, early allocations, and others. */
static void test_reserved(void **state)
{
    struct guest_kernel *g = *state;
    assert_string_equal(kernel_kind(g, TEXT + 64), "kernel text");
    assert_string_equal(kernel_kind(g, VARIABLES + 4), "kernel data");
    assert_string_equal(kernel_kind(g, PAGES + 40), "page structures");
    assert_string_equal(kernel_kind(g, ZERO_PAGE + 5), "zero page");
    assert_string_equal(kernel_kind(g, 0x81250000), "boot memory");
    assert_string_equal(kernel_kind(g, 0x80000180), "boot memory");
    assert_string_equal(kind_at(g, 0xbf000900, 0x1f000900), "uncached");
    assert_string_equal(kind_at(g, 0x9f000900, 0x1f000900), "uncached"); /* no RAM */
    assert_string_equal(kind_at(g, 0xc0001000, 0x00500000), "vmalloc");
}

/* Per-CPU variables are at __per_cpu_offset[n] from the image's (include/asm-generic/percpu.h). */
static void test_per_cpu(void **state)
{
    struct guest_kernel *g = *state;
    unsigned cpu;
    vaddr variable;
    assert_string_equal(kernel_kind(g, OWN_PER_CPU + 0x3000), "per-CPU data");
    assert_string_equal(kernel_kind(g, OWN_PER_CPU + 0x3004), "boot memory");
    assert_true(kernel_cpu_variable(guest_view_kernel(&g->annotate->view), OWN_PER_CPU + 8, &cpu, &variable));
    assert_int_equal(cpu, 0);
    assert_int_equal(variable, IMAGE_PER_CPU + 8);
}

/* A slab page refers to its cache; tail pages of a compound page refer to the head (compound_head, bit 0). */
static void test_slab(void **state)
{
    struct guest_kernel *g = *state;
    assert_string_equal(kernel_kind(g, TASK + 100), "slab task_struct");
    page_field(g, TASK + PAGE_SIZE, "compound_head", page_of(TASK) | 1);
    assert_string_equal(kernel_kind(g, TASK + PAGE_SIZE + 8), "slab task_struct");
    text_at(g, NAMES, "filp"); /* the page is reused by another cache */
    assert_string_equal(kernel_kind(g, TASK + 100), "slab filp");
    field_at(g, CACHE, "kmem_cache", "name", 0x12345678);
    assert_string_equal(kernel_kind(g, TASK + 100), "slab");
}

/* Stack pages, of which the first has the reference count; not freed stacks whose contents remain. */
static void test_kernel_stack(void **state)
{
    struct guest_kernel *g = *state;
    assert_string_equal(kernel_kind(g, THREAD + 4), "kernel stack of alpha");
    assert_string_equal(kernel_kind(g, THREAD + 8188), "kernel stack of alpha");
    page_field(g, THREAD, "_refcount", 0);
    assert_string_equal(kernel_kind(g, THREAD + 4), "free page");
    page_field(g, THREAD, "_refcount", 1);
    page_field(g, TASK, "flags", 0); /* the task_struct has been freed */
    assert_string_equal(kernel_kind(g, THREAD + 4), "allocated page");
}

/* page_type: a 0 bit identifies the type (include/linux/page-flags.h, PageType). */
static void test_types(void **state)
{
    struct guest_kernel *g = *state;
    assert_string_equal(kernel_kind(g, SOMEWHERE), "free page");
    used_page(g, SOMEWHERE);
    assert_string_equal(kernel_kind(g, SOMEWHERE), "allocated page");
    page_field(g, SOMEWHERE, "flags", PAGE_HEAD);
    assert_string_equal(kernel_kind(g, SOMEWHERE), "block of pages");
    page_field(g, SOMEWHERE, "page_type", 0xfffffdff);
    assert_string_equal(kernel_kind(g, SOMEWHERE), "page table");
    used_page(g, PGD); /* the table page itself has no type, but the process refers to it */
    assert_string_equal(kernel_kind(g, PGD + 12), "page table");
}

/* A page-cache page has the name of its file; that of a block device has none. */
static void test_file(void **state)
{
    struct guest_kernel *g = *state;
    enum { MAPPING = FILES, INODE = FILES + 0x200, DENTRY = FILES + 0x400, NAME = FILES + 0x600 };
    const uint32_t alias = offset_of(g, "dentry", "d_u");
    const uint32_t name = offset_of(g, "dentry", "d_name") + offset_of(g, "qstr", "name");
    used_page(g, SOMEWHERE);
    page_field(g, SOMEWHERE, "mapping", MAPPING);
    field_at(g, MAPPING, "address_space", "host", INODE);
    field_at(g, INODE, "inode", "i_mode", 0100644);
    field_at(g, INODE, "inode", "i_dentry", DENTRY + alias);
    word_at(g, DENTRY + name, NAME);
    text_at(g, NAME, "libc.so.6");
    assert_string_equal(kernel_kind(g, SOMEWHERE), "file libc.so.6");
    assert_string_equal(kind_at(g, ELSEWHERE, SOMEWHERE & 0x1fffffff), "file libc.so.6"); /* through any address */
    field_at(g, INODE, "inode", "i_dentry", 0);
    assert_string_equal(kernel_kind(g, SOMEWHERE), "file");
    field_at(g, INODE, "inode", "i_ino", 9);
    field_at(g, INODE, "inode", "i_mode", 0060660);
    assert_string_equal(kernel_kind(g, SOMEWHERE), "block device");
}

/* Anonymous memory (mapping bit 0) is named by its area and process. */
static void test_anonymous(void **state)
{
    struct guest_kernel *g = *state;
    const paddr pa = SOMEWHERE & 0x1fffffff;
    used_page(g, SOMEWHERE);
    page_field(g, SOMEWHERE, "mapping", FILES | 1);
    field_at(g, MM, "mm_struct", "start_data", DATA);
    field_at(g, MM, "mm_struct", "end_data", DATA + 0x100);
    field_at(g, MM, "mm_struct", "start_brk", HEAP);
    field_at(g, MM, "mm_struct", "brk", HEAP + 0x5000);
    field_at(g, MM, "mm_struct", "start_stack", STACK_TOP - 0x800);
    field_at(g, MM, "mm_struct", "env_end", STACK_TOP - 4);
    g->f->core->user_mode = true;
    assert_string_equal(kernel_kind(g, SOMEWHERE), "anonymous page");
    assert_string_equal(kind_at(g, HEAP + 4, pa), "heap of alpha");
    assert_string_equal(kind_at(g, HEAP + 0x5000, pa), "anonymous memory of alpha");
    assert_string_equal(kind_at(g, DATA + 0x20, pa), "data of alpha");
    assert_string_equal(kind_at(g, STACK_TOP - 0x2000, pa), "stack of alpha");
    assert_string_equal(kind_at(g, ELSEWHERE, pa), "anonymous memory of alpha");
    text_at(g, TASK + offset_of(g, "task_struct", "comm"), "be\"ta"); /* exec; and names go into JSON */
    assert_string_equal(kind_at(g, HEAP + 4, pa), "heap of be?ta");
}

/* Untrusted guest memory. */
static void test_hostile(void **state)
{
    struct guest_kernel *g = *state;
    struct data_kinds *kinds = annotate_data_kinds(g->annotate);
    uint32_t random = 12345;
    for (unsigned round = 0; round < 20000; round++) {
        for (unsigned i = 0; i < 4; i++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t places[] = {page_of(SOMEWHERE), page_of(TASK), TASK, CACHE, MM, VARIABLES, STACKS, THREAD};
            const uint32_t value = random & 64 ? random : 0x80000000u | (random >> 3 & 0x1ffffff);
            word_at(g, places[random >> 8 & 7] + (random >> 16 & 31) * 4, value);
        }
        random = random * 1664525u + 1013904223u;
        const vaddr address = round & 1 ? SOMEWHERE : random;
        assert_true(data_kind_class(kinds, data_kind_at(kinds, g->f->core, address, round & 2,
                                                        round & 1 ? SOMEWHERE & 0x1fffffff : random)) < DATA_CLASSES);
    }
}

#define KERNEL_TEST(name) cmocka_unit_test_setup_teardown(name, guest_kernel_set_up, guest_kernel_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {KERNEL_TEST(test_reserved),  KERNEL_TEST(test_per_cpu),
                                       KERNEL_TEST(test_slab),      KERNEL_TEST(test_kernel_stack),
                                       KERNEL_TEST(test_types),     KERNEL_TEST(test_file),
                                       KERNEL_TEST(test_anonymous), KERNEL_TEST(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
