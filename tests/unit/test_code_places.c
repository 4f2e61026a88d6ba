/*
 * Location of an instruction as object and offset at the current time (annotations/symbols/code_locations.h): the maple
 * tree of a process' mappings (Linux 6.1, include/linux/maple_tree.h), ELF headers in its memory (System V gABI), and
 * profiles that keep the names valid at the time of the miss.
 */
#include "annotations/symbols/code_locations.h"
#include "annotations/symbols/guest_elf.h"
#include "tests/unit/guest_kernel_fixture.h"
#include <elf.h>

enum {
    LEAF = 0x8140b000,   /* a node of the tree, of 256 bytes */
    ROOT = LEAF + 0x100, /* another one */
    SLOTS = LEAF + 4 + 31 * 4,
    AREA = 0x8140c000,    /* three vm_area_struct entries, 256 bytes apart */
    FILE_AT = 0x8140d000, /* struct file, inode, dentry: two of each, 2 KB apart */
    IMAGE = 0x00800000,   /* physical: the first page of the file */
    BASE = 0x00400000,
    LIBRARY = 0x77000000,
    USED_HEADERS = 3,
};

static void put_file(struct guest_kernel *g, unsigned number, const char *name, uint32_t inode_number)
{
    const vaddr file = FILE_AT + number * 0x800, inode = file + 0x200, dentry = file + 0x400, text = file + 0x600;
    const uint32_t path = offset_of(g, "file", "f_path") + offset_of(g, "path", "dentry");
    field_at(g, file, "file", "f_inode", inode);
    field_at(g, inode, "inode", "i_ino", inode_number);
    word_at(g, file + path, dentry);
    word_at(g, dentry + offset_of(g, "dentry", "d_name") + offset_of(g, "qstr", "name"), text);
    text_at(g, text, name);
    field_at(g, dentry, "dentry", "d_parent", dentry + 0x100);
    field_at(g, dentry + 0x100, "dentry", "d_parent", dentry + 0x100); /* the root */
}

/* Area NUMBER maps PAGES pages at FIRST to FILE, from page FROM of it. */
static void put_area(struct guest_kernel *g, unsigned number, vaddr first, unsigned pages, unsigned file, unsigned from)
{
    const vaddr area = AREA + number * 0x100;
    field_at(g, area, "vm_area_struct", "vm_start", first);
    field_at(g, area, "vm_area_struct", "vm_end", first + pages * PAGE_SIZE);
    field_at(g, area, "vm_area_struct", "vm_mm", MM);
    field_at(g, area, "vm_area_struct", "vm_pgoff", from);
    field_at(g, area, "vm_area_struct", "vm_file", FILE_AT + file * 0x800);
}

/* A leaf: parent, 31 pivots (last index of each slot), 32 slots; bits 6:3 of the pointer to it have its type. */
static void put_tree(struct guest_kernel *g)
{
    enum { LEAF_TYPE = 1, PIVOTS = LEAF + 4 };
    static const uint32_t last[] = {BASE - 1, BASE + 0x3fff, LIBRARY - 1, LIBRARY + 0x1fff, 0xffffffff};
    for (unsigned i = 0; i < 5; i++) {
        word_at(g, PIVOTS + 4 * i, last[i]);
        word_at(g, SLOTS + 4 * i, i == 1 ? AREA : i == 3 ? AREA + 0x100 : 0);
    }
    word_at(g, MM + offset_of(g, "mm_struct", "mm_mt") + offset_of(g, "maple_tree", "ma_root"), LEAF | LEAF_TYPE << 3);
}

/* Map the program at BASE from its first byte on, and a library. */
static void put_mappings(struct guest_kernel *g)
{
    put_file(g, 0, "prog", 100);
    put_file(g, 1, "lib.so", 200);
    put_area(g, 0, BASE, 4, 0, 0);
    put_area(g, 1, LIBRARY, 2, 1, 16);
    put_tree(g);
    g->f->core->user_mode = true;
}

/* A root above the leaf, of type "arange": parent, 20 pivots, 21 slots, and behind them the size of the largest gap
 * below each slot. The leaf is below the second slot. */
static void put_root(struct guest_kernel *g)
{
    enum {
        LEAF_TYPE = 1,
        ARANGE_TYPE = 3,
        PIVOTS = ROOT + 4,
        ROOT_SLOTS = PIVOTS + 20 * 4,
        GAPS = ROOT_SLOTS + 21 * 4
    };
    word_at(g, PIVOTS, BASE - 1);
    word_at(g, PIVOTS + 4, 0xffffffff);
    word_at(g, ROOT_SLOTS + 4, LEAF | LEAF_TYPE << 3);
    word_at(g, GAPS, BASE);
    word_at(g, GAPS + 4, LIBRARY - BASE - 0x4000);
    word_at(g, MM + offset_of(g, "mm_struct", "mm_mt") + offset_of(g, "maple_tree", "ma_root"),
            ROOT | ARANGE_TYPE << 3);
}

/* Only the first page of the program is resident. */
static bool find_mapped(const struct core *core, vaddr address, paddr *pa)
{
    (void)core;
    *pa = IMAGE + (address & (PAGE_SIZE - 1));
    return address >> PAGE_SHIFT == BASE >> PAGE_SHIFT;
}

static void put_headers(struct guest_kernel *g)
{
    uint8_t *image = physmem_host(g->f->mem, IMAGE);
    const Elf32_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB},
                               .e_machine = EM_MIPS,
                               .e_phoff = sizeof header,
                               .e_phentsize = sizeof(Elf32_Phdr),
                               .e_phnum = USED_HEADERS};
    const Elf32_Phdr segments[USED_HEADERS] = {
        {.p_type = PT_NOTE, .p_offset = 0x200, .p_filesz = 16 + 20},
        {.p_type = PT_LOAD, .p_offset = 0, .p_vaddr = 0x500000, .p_filesz = 0x2100},
        {.p_type = PT_LOAD, .p_offset = 0x2100, .p_vaddr = 0x513100, .p_filesz = 0x300}};
    const Elf32_Nhdr note = {.n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID};
    memcpy(image, &header, sizeof header);
    memcpy(image + sizeof header, segments, sizeof segments);
    memcpy(image + 0x200, &note, sizeof note);
    memcpy(image + 0x20c, "GNU", 4);
    memset(image + 0x210, 0xab, 20);
    g->f->core->find_mapped = find_mapped;
}

static void expect(struct guest_kernel *g, vaddr pc, const char *object, uint32_t offset, const char *text)
{
    char name[128];
    struct code_locations *places = guest_view_code_places(&g->annotate->view);
    const struct code_location place = code_location_at(places, g->f->core, pc);
    assert_string_equal(code_object_name(places, place.object), object);
    assert_int_equal(place.offset, offset);
    code_location_text(places, place, name, sizeof name);
    assert_string_equal(name, text);
}

static void test_kernel(void **state)
{
    struct guest_kernel *g = *state;
    expect(g, RESUME + 12, "kernel", RESUME + 12, "resume");
    expect(g, 0x80001000, "kernel", 0x80001000, "kernel code, page 0x80001");
    expect(g, 0xc0012344, "kernel", 0xc0012344, "kernel code, page 0xc0012"); /* no module is known there */
}

/* The same byte of a file at any mapping; its link-time address comes from the headers, if resident. */
static void test_program(void **state)
{
    struct guest_kernel *g = *state;
    put_mappings(g);
    expect(g, LIBRARY + 0x1234, "/lib.so", 0x11234, "lib.so, page 0x00011");
    expect(g, BASE + 0x2200, "/prog", 0x2200, "prog, page 0x00002");
    put_headers(g);
    put_area(g, 0, BASE, 3, 0, 0); /* a cached result is checked again when the area changes */
    expect(g, BASE + 0x2200, "/prog", 0x2200, "prog, page 0x00513");
    expect(g, 0x10000000, "alpha", 0x10000000, "process alpha, page 0x10000");
}

/* Another file at the same address, another program in the same mm: no stale results. */
static void test_changes(void **state)
{
    struct guest_kernel *g = *state;
    put_mappings(g);
    expect(g, BASE + 0x1000, "/prog", 0x1000, "prog, page 0x00001");
    put_area(g, 0, BASE, 4, 1, 32);
    expect(g, BASE + 0x1000, "/lib.so", 0x21000, "lib.so, page 0x00021");
    field_at(g, FILE_AT + 0x800, "file", "f_inode", FILE_AT + 0x200); /* the struct file now refers to another file */
    text_at(g, FILE_AT + 0x800 + 0x600, "new");
    expect(g, BASE + 0x1000, "/new", 0x21000, "new, page 0x00021");
    struct code_locations *places = guest_view_code_places(&g->annotate->view);
    const unsigned first = code_location_at(places, g->f->core, BASE + 0x1000).object;
    put_area(g, 0, BASE, 4, 0, 0);
    assert_int_not_equal(code_location_at(places, g->f->core, BASE + 0x1000).object, first);
    put_area(g, 0, BASE, 4, 1, 32);
    /* the number of an object never changes */
    assert_int_equal(code_location_at(places, g->f->core, BASE + 0x1000).object, first);
    put_area(g, 2, BASE, 4, 0, 0); /* another area in the tree; the one that was freed keeps its fields */
    word_at(g, SLOTS + 4, AREA + 0x200);
    assert_int_not_equal(code_location_at(places, g->f->core, BASE + 0x1000).object, first);
}

/* A process with many mappings has a tree of more than one level. */
static void test_levels(void **state)
{
    struct guest_kernel *g = *state;
    put_mappings(g);
    put_root(g);
    expect(g, LIBRARY + 0x1234, "/lib.so", 0x11234, "lib.so, page 0x00011");
    expect(g, BASE + 0x2200, "/prog", 0x2200, "prog, page 0x00002");
}

static void test_headers(void **state)
{
    struct guest_kernel *g = *state;
    struct guest_elf elf;
    vaddr address;
    put_headers(g);
    assert_true(guest_elf_read(g->f->core, BASE, &elf));
    assert_int_equal(elf.id_size, 20);
    assert_int_equal(elf.id[19], 0xab);
    assert_true(guest_elf_address(&elf, 0x20ff, &address));
    assert_int_equal(address, 0x5020ff);
    assert_true(guest_elf_address(&elf, 0x2100, &address));
    assert_int_equal(address, 0x513100);
    assert_false(guest_elf_address(&elf, 0x2400, &address));
    assert_false(guest_elf_read(g->f->core, LIBRARY, &elf)); /* not resident */
}

/* Headers and mappings are untrusted. */
static void test_hostile(void **state)
{
    struct guest_kernel *g = *state;
    struct code_locations *places = guest_view_code_places(&g->annotate->view);
    struct guest_elf elf;
    uint32_t random = 99;
    char text[64];
    put_mappings(g);
    for (unsigned round = 0; round < 20000; round++) {
        if (round % 200 == 0) {
            put_mappings(g);
            put_headers(g);
        }
        random = random * 1664525u + 1013904223u;
        const vaddr places_of[] = {0x80000000 | IMAGE, 0x80000000 | (IMAGE + 0x200), AREA, LEAF, FILE_AT, MM};
        word_at(g, places_of[(random >> 8) % 6] + (random >> 16 & 63) * 4,
                random & 32 ? random : 0x80000000u | (random >> 3 & 0x1fffffc));
        guest_elf_read(g->f->core, BASE, &elf);
        const struct code_location place =
            code_location_at(places, g->f->core, random & 64 ? BASE + (random >> 20 & 0x3ffc) : LIBRARY);
        code_location_text(places, place, text, sizeof text);
        assert_true(strlen(text) < sizeof text);
    }
}

#define KERNEL_TEST(name) cmocka_unit_test_setup_teardown(name, guest_kernel_set_up, guest_kernel_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {KERNEL_TEST(test_kernel), KERNEL_TEST(test_program), KERNEL_TEST(test_changes),
                                       KERNEL_TEST(test_levels), KERNEL_TEST(test_headers), KERNEL_TEST(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
