#include "src/guest/page_allocations.h"

#include "annotations/symbols/guest_layouts.h"
#include "annotations/symbols/guest_view.h"
#include "annotations/symbols/kernel_memory.h"
#include "cache/memsys.h"
#include "cache/placement/page_mapping.h"
#include "cpu/registers.h"
#include "src/base/symbols.h"
#include <stdlib.h>

/* include/linux/gfp_types.h: the allocator may move the page later, as pages of programs and files. */
enum { GFP_MOVABLE = 0x08 };
/* include/linux/mm.h: a stack. */
enum { VM_GROWSDOWN = 0x100 };

struct page_allocations {
    page_allocations_fail_fn *fail;
    void *opaque;
    const char *parameter;        /* why it is followed */
    struct page_mapping *mapping; /* NULL: pages are not placed */
    struct memsys *homes;         /* in which homes of pages end; NULL: they do not */
    struct guest_view view;
    struct kernel_memory *kernel;
    uint32_t private;          /* offset in struct page */
    uint32_t flags, mmap_base; /* offsets in vm_area_struct, mm_struct; if page_mapping_names_pages() */
    bool is_read, refused;     /* the structures are read; they are not of the guest's kernel: the machine fails */
};

/* Frames */

enum { FRAMES_MOST = 1 << (32 - PAGE_SHIFT) };

/* How many struct pages the guest's kernel has, as it says. */
static uint32_t count_frames(const struct page_allocations *a)
{
    const uint32_t frames = kernel_word(a->kernel, a->kernel->pages_at);
    return frames < FRAMES_MOST ? frames : FRAMES_MOST;
}

/* The frame of the struct page at PAGE. */
static bool frame_of(const struct page_allocations *a, vaddr page, uint32_t *frame)
{
    const vaddr first = kernel_word(a->kernel, a->kernel->map_at);
    const uint32_t offset = page - first;
    *frame = offset / a->kernel->page_bytes;
    return first != 0 && page >= first && offset % a->kernel->page_bytes == 0 && *frame < count_frames(a) &&
           physmem_page_is_ram(a->view.machine.mem, *frame << PAGE_SHIFT);
}

static void report_free(struct page_allocations *a, uint32_t frame)
{
    if (a->mapping)
        page_mapping_freed(a->mapping, frame);
    if (a->homes)
        memsys_page_freed(a->homes, frame << PAGE_SHIFT);
}

/* The frames of the block of 2^ORDER from the one of the struct page at PAGE on are free. */
static void free_block(struct page_allocations *a, vaddr page, uint32_t order)
{
    uint32_t frame;
    if (order > 20 || !frame_of(a, page, &frame))
        return;
    for (uint32_t i = 0; i < UINT32_C(1) << order && frame_of(a, page + i * a->kernel->page_bytes, &frame); i++)
        report_free(a, frame);
}

/* What the buddy allocator has free now. */
static void find_free(struct page_allocations *a)
{
    const vaddr first = kernel_word(a->kernel, a->kernel->map_at);
    const uint32_t frames = count_frames(a);
    uint32_t frame;
    for (uint32_t i = 0; first != 0 && i < frames; i++) {
        const vaddr page = first + i * a->kernel->page_bytes;
        if (!frame_of(a, page, &frame))
            continue;
        const uint32_t order = kernel_word(a->kernel, page + a->private);
        if (kernel_page_has(a->kernel, page, &a->kernel->at.page.free) && order <= 20) {
            free_block(a, page, order);
            i += (UINT32_C(1) << order) - 1;
        }
    }
}

/* What is in a frame */

/* The inode number of the file whose pages are those of the struct address_space at MAPPING. */
static bool inode_of(const struct page_allocations *a, vaddr mapping, uint32_t *number)
{
    uint32_t inode;
    return kernel_read(a->kernel, mapping + a->kernel->at.mapping.host, &inode) &&
           kernel_read(a->kernel, inode + a->kernel->at.inode.number, number);
}

/* The page at ADDRESS of the mapping AREA of MM. False if it is not known. */
static bool page_of_fault(const struct page_allocations *a, vaddr mm, vaddr area, vaddr address,
                          struct page_identity *of)
{
    const struct kernel_memory *kernel = a->kernel;
    const struct kernel_offsets *at = &kernel->at;
    const vaddr begin = kernel_word(kernel, area + at->area.start), end = kernel_word(kernel, area + at->area.end),
                heap = kernel_word(kernel, mm + at->mm.start_brk), data = kernel_word(kernel, mm + at->mm.end_data),
                file = kernel_word(kernel, area + at->area.file), task = kernel_task_of(kernel, mm);
    const vaddr page = address >> PAGE_SHIFT;
    *of = (struct page_identity){.kind = PAGE_MAPPED};
    if (task == 0)
        return false;
    kernel_text(kernel, task + at->task.comm, of->process, sizeof of->process);
    if (file != 0) {
        of->kind = PAGE_COPIED;
        of->number = kernel_word(kernel, kernel_word(kernel, file + at->file.inode) + at->inode.number);
        of->page = kernel_word(kernel, area + at->area.offset) + page - (begin >> PAGE_SHIFT);
    } else if (kernel_word(kernel, area + a->flags) & VM_GROWSDOWN) {
        of->kind = PAGE_OF_STACK;
        of->page = ((end - 1) >> PAGE_SHIFT) - page;
    } else if (address >= heap && address < kernel_word(kernel, mm + at->mm.brk)) {
        of->kind = PAGE_OF_HEAP;
        of->page = page - (heap >> PAGE_SHIFT);
    } else if (page >= data >> PAGE_SHIFT && address < heap) {
        of->kind = PAGE_OF_BSS;
        of->page = page - (data >> PAGE_SHIFT);
    } else {
        of->page = (kernel_word(kernel, mm + a->mmap_base) >> PAGE_SHIFT) - page;
    }
    return of->process[0] != '\0';
}

/* What frame FRAME, which is in use, and whose struct page is at PAGE, has: a page of a file, or anything else. */
static struct page_identity page_in_use(const struct page_allocations *a, vaddr page, uint32_t frame)
{
    const struct kernel_offsets *at = &a->kernel->at;
    const uint32_t mapping = kernel_word(a->kernel, page + at->page.mapping);
    struct page_identity of = {.kind = PAGE_IN_USE, .page = frame};
    uint32_t inode;
    if (kernel_word(a->kernel, page + at->page.compound_head) & 1 || mapping == 0 || mapping % 4 != 0 ||
        kernel_page_has(a->kernel, page, &at->page.reserved) || kernel_page_has(a->kernel, page, &at->page.head) ||
        kernel_page_has(a->kernel, page, &at->page.slab) || kernel_word(a->kernel, page + at->page.count) == 0 ||
        !inode_of(a, mapping, &inode))
        return of;
    return (struct page_identity){
        .kind = PAGE_OF_FILE, .number = inode, .page = kernel_word(a->kernel, page + at->page.index)};
}

/* Say what all frames have that are not free. */
static void name_used(struct page_allocations *a)
{
    const vaddr first = kernel_word(a->kernel, a->kernel->map_at);
    const uint32_t frames = count_frames(a);
    uint32_t frame;
    for (uint32_t i = 0; first != 0 && i < frames; i++) {
        const vaddr page = first + i * a->kernel->page_bytes;
        if (!frame_of(a, page, &frame) || page_mapping_is_free(a->mapping, frame))
            continue;
        const struct page_identity of = page_in_use(a, page, frame);
        page_mapping_used(a->mapping, frame, &of);
    }
}

/* Symbols of variables may be known only now, in the kernel's memory. */
static bool read_structures(struct page_allocations *a, struct err *err)
{
    static const char *const variables[] = {"mem_map", "max_mapnr", "_text"};
    const char *path = a->view.machine.layout_path;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (!symbols_find(a->view.machine.symbols, variables[i]))
            return err_set(err, "no symbol %s", variables[i]);
    if (!guest_layouts_read(&a->view.layouts, path, a->view.machine.mem, err))
        return false;
    if (kernel_memory_find(a->kernel) && layout_offset(&a->view, "page", "private", &a->private) &&
        (!a->mapping || !page_mapping_names_pages(a->mapping) ||
         (layout_offset(&a->view, "vm_area_struct", "vm_flags", &a->flags) &&
          layout_offset(&a->view, "mm_struct", "mmap_base", &a->mmap_base))))
        return true;
    return err_set(err, "%s: lacks structures of the kernel that are needed", path ? path : "layout");
}

/* Are the kernel's structures known? At the first event of the run: begin with what is free. */
static bool is_ready(struct page_allocations *a)
{
    struct err err = {""};
    if (a->refused)
        return false;
    if (!a->is_read && !(a->is_read = read_structures(a, &err))) {
        struct err reason = {""};
        err_set(&reason, "%s: %.400s", a->parameter, err.text);
        a->refused = true;
        a->fail(a->opaque, &reason);
        return false;
    }
    if (!kernel_memory_find(a->kernel)) /* the kernel has moved */
        return false;
    if (a->mapping && !page_mapping_has_begun(a->mapping)) {
        find_free(a);
        if (page_mapping_names_pages(a->mapping))
            name_used(a);
        page_mapping_begin(a->mapping);
    }
    return true;
}

/* Callbacks of page mapping */

static void page_moved(void *opaque, uint32_t frame)
{
    const struct page_allocations *a = opaque;
    core_page_moved((struct core **)a->view.machine.cores, a->view.machine.cpus, frame << PAGE_SHIFT);
}

/* A free page has no references. */
static bool is_free(void *opaque, uint32_t frame)
{
    const struct page_allocations *a = opaque;
    uint32_t count = 0;
    const vaddr page = kernel_word(a->kernel, a->kernel->map_at) + frame * a->kernel->page_bytes;
    return kernel_read(a->kernel, page + a->kernel->at.page.count, &count) && count == 0;
}

/* Events */

/* get_page_from_freelist() returns. */
static bool got(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    uint32_t frame;
    if (is_ready(a) && frame_of(a, core_result(core), &frame))
        page_mapping_got(a->mapping, core_thread_pointer(core), frame);
    return false;
}

/* Hook where get_page_from_freelist() returns to: all its callers are seen here before their first return. */
static void watch_return(struct page_allocations *a, vaddr site)
{
    uint32_t *sites = page_mapping_sites(a->mapping), count = 0;
    while (count < PAGE_MAPPING_SITES && sites[count] != 0 && sites[count] != site)
        count++;
    if (count == PAGE_MAPPING_SITES || sites[count] == site)
        return;
    sites[count] = site;
    for (unsigned i = 0; i < a->view.machine.cpus; i++)
        core_hook_add(a->view.machine.cores[i], site, got, a);
}

/* get_page_from_freelist(): its flags and order. */
static bool asked(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    if (!is_ready(a))
        return false;
    watch_return(a, core_return_address(core));
    page_mapping_asked(a->mapping, core_thread_pointer(core), core_argument(core, 1),
                       core_argument(core, 0) & GFP_MOVABLE);
    return false;
}

/* free_pcp_prepare(page, order), __free_pages_ok(page, order, ...) */
static bool freed(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    if (is_ready(a))
        free_block(a, core_argument(core, 0), core_argument(core, 1));
    return false;
}

/* free_unref_page_commit(zone, pcp, page, migratetype, order) */
static bool freed_to_list(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    uint32_t order;
    if (is_ready(a) && kernel_read(a->kernel, core_argument_address(core, 4), &order))
        free_block(a, core_argument(core, 2), order);
    return false;
}

/* free_one_page(zone, page, pfn, order, ...) */
static bool freed_to_buddy(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    if (is_ready(a))
        free_block(a, core_argument(core, 1), core_argument(core, 3));
    return false;
}

/* handle_mm_fault(vma, address, ...) */
static bool faulted(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    const vaddr area = core_argument(core, 0), address = core_argument(core, 1);
    struct page_identity of;
    uint32_t space;
    if (!is_ready(a) || !kernel_read(a->kernel, area + a->kernel->at.area.mm, &space) || space == 0)
        return false;
    const bool is_known = page_mapping_names_pages(a->mapping) && page_of_fault(a, space, area, address, &of);
    page_mapping_faulted(a->mapping, core_thread_pointer(core), space, address >> PAGE_SHIFT, is_known ? &of : NULL);
    return false;
}

/* filemap_add_folio(mapping, folio, index, ...) */
static bool added(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    uint32_t frame, inode = 0;
    if (!is_ready(a) || !frame_of(a, core_argument(core, 1), &frame))
        return false;
    inode_of(a, core_argument(core, 0), &inode);
    page_mapping_is_of_file(a->mapping, frame, inode, core_argument(core, 2));
    return false;
}

/* exit_mmap(mm) */
static bool ended(void *opaque, struct core *core)
{
    struct page_allocations *a = opaque;
    if (is_ready(a))
        page_mapping_ended(a->mapping, core_argument(core, 0));
    return false;
}

/* The kernel's functions that are watched. */
struct function {
    const char *symbol;
    pc_hook_fn *called;
};

enum { FUNCTIONS_FREE = 2 };
/* A block that is freed passes one of these functions: of Linux 6.1, or where free_pcp_prepare() has become part of its
 * callers, as in 6.12. */
static const struct function frees_6_1[FUNCTIONS_FREE] = {{"free_pcp_prepare", freed}, {"__free_pages_ok", freed}},
                             frees_6_12[FUNCTIONS_FREE] = {{"free_unref_page_commit", freed_to_list},
                                                           {"free_one_page", freed_to_buddy}};
static const struct function others[] = {
    {"get_page_from_freelist", asked},
    {"handle_mm_fault", faulted},
    {"filemap_add_folio", added},
    {"exit_mmap", ended},
};

/* Hooks on COUNT functions. False with ERR if there is no symbol of one. */
static bool watch(struct page_allocations *a, const struct function *functions, size_t count, struct err *err)
{
    const struct machine_view *view = &a->view.machine;
    for (size_t i = 0; i < count; i++) {
        const struct symbol *symbol = view->symbols ? symbols_find(view->symbols, functions[i].symbol) : NULL;
        if (!symbol)
            return err_set(err, "%s: no symbol %s", a->parameter, functions[i].symbol);
        for (unsigned cpu = 0; cpu < view->cpus; cpu++)
            core_hook_add(view->cores[cpu], symbol->address, functions[i].called, a);
    }
    return true;
}

/* Has the kernel the functions of Linux 6.12, and not those of 6.1? */
static bool is_6_12(const struct symbols *symbols)
{
    return symbols && !symbols_find(symbols, frees_6_1[0].symbol) && symbols_find(symbols, frees_6_12[0].symbol);
}

bool page_allocations_watch(struct page_allocations **allocations, const struct machine_view *view,
                            page_allocations_fail_fn *fail, void *opaque, struct err *err)
{
    struct page_mapping *mapping = memsys_page_mapping(view->memsys);
    const bool ends_homes = memsys_follows_allocations(view->memsys);
    *allocations = NULL;
    if (mapping == NULL && !ends_homes)
        return true;
    struct page_allocations *a = *allocations = checked_memory(calloc(1, sizeof *a));
    a->fail = fail;
    a->opaque = opaque;
    a->parameter = mapping ? "page_mapping.policy" : "memory.home";
    a->mapping = mapping;
    a->homes = ends_homes ? view->memsys : NULL;
    guest_view_init(&a->view, view, NULL, NULL);
    a->kernel = guest_view_kernel(&a->view);
    if (mapping)
        page_mapping_set_host(mapping,
                              &(struct page_mapping_host){.moved = page_moved, .is_free = is_free, .opaque = a});
    return watch(a, is_6_12(view->symbols) ? frees_6_12 : frees_6_1, FUNCTIONS_FREE, err) &&
           (!mapping || watch(a, others, sizeof others / sizeof others[0], err));
}

void page_allocations_resume(struct page_allocations *a)
{
    const uint32_t *sites = a && a->mapping ? page_mapping_sites(a->mapping) : NULL;
    for (uint32_t i = 0; sites && i < PAGE_MAPPING_SITES && sites[i] != 0; i++)
        for (unsigned cpu = 0; cpu < a->view.machine.cpus; cpu++)
            core_hook_add(a->view.machine.cores[cpu], sites[i], got, a);
}

void page_allocations_free(struct page_allocations *a)
{
    if (!a)
        return;
    guest_view_release(&a->view);
    free(a);
}
