#include "annotations/symbols/kernel_memory.h"

#include "annotations/symbols/guest_view.h"
#include "src/base/board.h"

enum { STACK_BYTES = 8192 };

/* Offset of slab_cache in the slab pages of the stock kernel: after flags and a list or RCU head (mm/slab.h, SLUB).
 * No package contains that header. */
enum { SLAB_CACHE = 12 };

/* Up to Linux 6.9, a page has a type if page_type starts with TYPE_BASE, and the type is the bit that is 0; slab
 * pages have a flag. In later versions the type is the highest byte, and its value is an enumerator in DWARF. */
enum { TYPE_BASE = 0xf0000000u, TYPE_FREE = 0x80, TYPE_TABLE = 0x200, TYPE_SHIFT = 24 };

void kernel_memory_init(struct kernel_memory *kernel, const struct guest_view *view)
{
    *kernel = (struct kernel_memory){.view = view, .mem = view->machine.mem};
}

/* Memory */

bool kernel_bytes(const struct kernel_memory *kernel, vaddr address, void *buffer, uint32_t size)
{
    const paddr pa = vaddr_physical(address);
    if (!vaddr_in_kseg0(address) || !physmem_is_ram(kernel->mem, pa, size))
        return false;
    memcpy(buffer, physmem_host(kernel->mem, pa), size);
    return true;
}

void kernel_text(const struct kernel_memory *kernel, vaddr address, char *buffer, uint32_t size)
{
    uint32_t length = 0;
    for (; length + 1 < size; length++) {
        char byte;
        if (!kernel_bytes(kernel, address + length, &byte, 1) || byte == '\0')
            break;
        buffer[length] = byte < ' ' || byte > '~' || byte == '"' || byte == '\\' ? '?' : byte;
    }
    buffer[length] = '\0';
}

/* Offsets and symbols */

static bool flag(const struct guest_view *view, const char *name, struct page_property *mark)
{
    const struct layout_constant *bit = layouts_constant(&view->layouts, name);
    if (!bit || bit->value > 31 || !layout_offset(view, "page", "flags", &mark->field))
        return false;
    mark->mask = mark->value = UINT32_C(1) << bit->value;
    return true;
}

/* Fill MARK for page type NAME; BIT is the type's bit in older kernels. False if page_type is unknown. */
static bool type(const struct guest_view *view, const char *name, uint32_t bit, struct page_property *mark)
{
    const struct layout_constant *number = layouts_constant(&view->layouts, name);
    if (!layout_offset(view, "page", "page_type", &mark->field))
        return false;
    mark->mask = number ? 0xffu << TYPE_SHIFT : (uint32_t)TYPE_BASE | bit;
    mark->value = number ? number->value << TYPE_SHIFT : (uint32_t)TYPE_BASE;
    return true;
}

static bool look_up_marks(const struct guest_view *view, struct kernel_offsets *at)
{
    return flag(view, "PG_reserved", &at->page.reserved) && flag(view, "PG_head", &at->page.head) &&
           (flag(view, "PG_slab", &at->page.slab) || type(view, "PGTY_slab", 0, &at->page.slab)) &&
           type(view, "PGTY_buddy", TYPE_FREE, &at->page.free) && type(view, "PGTY_table", TYPE_TABLE, &at->page.table);
}

static bool look_up_offsets(const struct guest_view *view, struct kernel_offsets *at)
{
    const struct {
        const char *structure, *field;
        uint32_t *offset;
    } wanted[] = {
        {"page", "compound_head", &at->page.compound_head},
        {"page", "mapping", &at->page.mapping},
        {"page", "index", &at->page.index},
        {"page", "_refcount", &at->page.count},
        {"kmem_cache", "name", &at->cache.name},
        {"kmem_cache", "size", &at->cache.size},
        {"thread_info", "task", &at->thread.task},
        {"task_struct", "stack", &at->task.stack},
        {"task_struct", "mm", &at->task.mm},
        {"task_struct", "active_mm", &at->task.active_mm},
        {"task_struct", "comm", &at->task.comm},
        {"task_struct", "pid", &at->task.pid},
        {"task_struct", "tasks", &at->task.tasks},
        {"mm_struct", "pgd", &at->mm.pgd},
        {"mm_struct", "start_data", &at->mm.start_data},
        {"mm_struct", "end_data", &at->mm.end_data},
        {"mm_struct", "start_brk", &at->mm.start_brk},
        {"mm_struct", "brk", &at->mm.brk},
        {"mm_struct", "start_stack", &at->mm.start_stack},
        {"mm_struct", "env_end", &at->mm.env_end},
        {"vm_area_struct", "vm_mm", &at->area.mm},
        {"vm_area_struct", "vm_start", &at->area.start},
        {"vm_area_struct", "vm_end", &at->area.end},
        {"vm_area_struct", "vm_pgoff", &at->area.offset},
        {"vm_area_struct", "vm_file", &at->area.file},
        {"file", "f_inode", &at->file.inode},
        {"address_space", "host", &at->mapping.host},
        {"inode", "i_mode", &at->inode.mode},
        {"inode", "i_ino", &at->inode.number},
        {"inode", "i_dentry", &at->inode.dentries},
        {"dentry", "d_u", &at->dentry.alias},
        {"dentry", "d_name", &at->dentry.name},
    };
    uint32_t name;
    if (!layout_offset(view, "slab", "slab_cache", &at->page.slab_cache))
        at->page.slab_cache = SLAB_CACHE;
    at->mm.has_owner = layout_offset(view, "mm_struct", "owner", &at->mm.owner);
    for (unsigned i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!layout_offset(view, wanted[i].structure, wanted[i].field, wanted[i].offset))
            return false;
    if (!layout_offset(view, "qstr", "name", &name))
        return false;
    at->dentry.name += name;
    return true;
}

static vaddr symbol(const struct kernel_memory *kernel, const char *name)
{
    const struct symbol *found = symbols_find(kernel->view->machine.symbols, name);
    return found ? found->address : 0;
}

/* Decode the instruction at ADDRESS, 0 where there is none. */
static struct isa_decoded insn_at(const struct kernel_memory *kernel, vaddr address)
{
    return isa_decode_word(kernel->view->machine.cores[0]->decoder, kernel_word(kernel, address));
}

/* Address of kernelsp, the array in which resume() stores the stack of the process that it switches to. It has no
 * symbol; its address is the first of a word that resume() stores to by name. */
static vaddr find_stacks(const struct kernel_memory *kernel)
{
    enum { INSNS = 64 };
    struct isa_addresses addresses = {{0}};
    const vaddr function = symbol(kernel, "resume");
    for (unsigned i = 0; function && i < INSNS; i++) {
        const struct isa_decoded code = insn_at(kernel, function + 4 * i);
        vaddr address;
        if (isa_names_address(&addresses, &code, &address) && isa_table[code.id].flags & INSN_STORE)
            return address;
    }
    return 0;
}

/* Find the range of per-CPU variables in the image. Its begin, which is page-aligned, and its end are constants in
 * __is_kernel_percpu_address(). */
static void find_cpu_variables(struct kernel_memory *kernel)
{
    enum { INSNS = 40, LONGEST = 1 << 20 };
    struct isa_addresses addresses = {{0}};
    vaddr named[INSNS];
    unsigned count = 0;
    const vaddr function = symbol(kernel, "__is_kernel_percpu_address");
    kernel->cpu_first = kernel->cpu_end = 0;
    for (unsigned i = 0; function && i < INSNS; i++) {
        const struct isa_decoded code = insn_at(kernel, function + 4 * i);
        if (isa_names_address(&addresses, &code, &named[count]) && isa_table[code.id].flags & INSN_ADDS)
            count++;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count && (named[i] & (PAGE_SIZE - 1)) == 0; j++)
            if (named[j] > named[i] && named[j] - named[i] < LONGEST &&
                (!kernel->cpu_first || named[j] - named[i] < kernel->cpu_end - kernel->cpu_first)) {
                kernel->cpu_first = named[i];
                kernel->cpu_end = named[j];
            }
}

/* End of the image, which may have no symbol: from `library layout`, of the kernel as linked, else _etext. */
static vaddr find_image_end(const struct kernel_memory *kernel)
{
    const vaddr end = kernel->view->layouts.image_end;
    return end ? end + symbols_moved_by(kernel->view->machine.symbols) : kernel->text_end;
}

bool kernel_memory_find(struct kernel_memory *kernel)
{
    const struct symbols *symbols = kernel->view->machine.symbols;
    const struct symbol *first = symbols ? symbols_get(symbols, 0) : NULL;
    if (!first)
        return false;
    if (kernel->known && kernel->from_symbol == first->address)
        return true;
    if (!look_up_offsets(kernel->view, &kernel->at) || !look_up_marks(kernel->view, &kernel->at) ||
        !layout_size(kernel->view, "page", &kernel->page_bytes) || kernel->page_bytes == 0)
        return false;
    kernel->from_symbol = first->address;
    kernel->map_at = symbol(kernel, "mem_map");
    kernel->pages_at = symbol(kernel, "max_mapnr");
    kernel->text = symbol(kernel, "_text");
    kernel->text_end = symbol(kernel, "_etext");
    kernel->image_end = find_image_end(kernel);
    kernel->cpu_offsets = symbol(kernel, "__per_cpu_offset");
    kernel->cpu_count_at = symbol(kernel, "nr_cpu_ids");
    kernel->first_task = symbol(kernel, "init_task");
    kernel->zero_page_at = symbol(kernel, "empty_zero_page");
    kernel->page_table = symbol(kernel, "invalid_pte_table");
    kernel->stacks = find_stacks(kernel);
    find_cpu_variables(kernel);
    return kernel->known = kernel->map_at && kernel->pages_at && kernel->text;
}

/* Derived objects */

vaddr kernel_page(const struct kernel_memory *kernel, paddr pa)
{
    const vaddr map = kernel_word(kernel, kernel->map_at);
    uint32_t head;
    if (!map || pa >> PAGE_SHIFT >= kernel_word(kernel, kernel->pages_at))
        return 0;
    const vaddr page = map + (pa >> PAGE_SHIFT) * kernel->page_bytes;
    if (!kernel_read(kernel, page + kernel->at.page.compound_head, &head))
        return 0;
    return head & 1 ? head - 1 : page;
}

/* The task of the thread_info THREAD, if both point to each other; else 0. */
static vaddr owner_of(const struct kernel_memory *kernel, vaddr thread)
{
    const vaddr task = kernel_word(kernel, thread + kernel->at.thread.task);
    return task && kernel_word(kernel, task + kernel->at.task.stack) == thread ? task : 0;
}

vaddr kernel_current(const struct kernel_memory *kernel, const struct core *core)
{
    if (!core->user_mode && !core_enters_kernel(core)) {
        const vaddr task = owner_of(kernel, core_thread_pointer(core));
        if (task)
            return task;
    }
    if (!kernel->stacks)
        return 0;
    return owner_of(kernel, kernel_word(kernel, kernel->stacks + 4 * core->number) & ~(vaddr)(STACK_BYTES - 1));
}

/* The first in the list of tasks that IS_IT says it is; 0: none. */
static vaddr search_tasks(const struct kernel_memory *kernel,
                          bool (*is_it)(const struct kernel_memory *kernel, vaddr task, const void *opaque),
                          const void *opaque)
{
    enum { TASKS_MAX = 1 << 15 };
    vaddr task = kernel->first_task;
    for (unsigned i = 0; task && i < TASKS_MAX; i++) {
        if (is_it(kernel, task, opaque))
            return task;
        task = kernel_word(kernel, task + kernel->at.task.tasks) - kernel->at.task.tasks;
        if (task == kernel->first_task)
            break;
    }
    return 0;
}

static bool has_mm(const struct kernel_memory *kernel, vaddr task, const void *mm)
{
    return kernel_word(kernel, task + kernel->at.task.mm) == *(const vaddr *)mm;
}

vaddr kernel_task_of(const struct kernel_memory *kernel, vaddr mm)
{
    return kernel->at.mm.has_owner ? kernel_word(kernel, mm + kernel->at.mm.owner) : search_tasks(kernel, has_mm, &mm);
}

struct sought_task {
    uint32_t pid;
    const char *name; /* NULL: by pid */
};

static bool is_sought(const struct kernel_memory *kernel, vaddr task, const void *opaque)
{
    const struct sought_task *sought = opaque;
    char name[16];
    if (!sought->name)
        return kernel_word(kernel, task + kernel->at.task.pid) == sought->pid;
    kernel_text(kernel, task + kernel->at.task.comm, name, sizeof name);
    return strcmp(name, sought->name) == 0;
}

vaddr kernel_find_task(const struct kernel_memory *kernel, uint32_t pid, const char *name)
{
    const struct sought_task sought = {pid, name};
    return search_tasks(kernel, is_sought, &sought);
}

/* True if ADDRESS is in an object of the slab cache NAME. */
static bool is_object_of(const struct kernel_memory *kernel, vaddr address, const char *name)
{
    const vaddr page = vaddr_in_kseg0(address) ? kernel_page(kernel, vaddr_physical(address)) : 0;
    char text[16];
    if (!page || !kernel_page_has(kernel, page, &kernel->at.page.slab))
        return false;
    const vaddr cache = kernel_word(kernel, page + kernel->at.page.slab_cache);
    kernel_text(kernel, kernel_word(kernel, cache + kernel->at.cache.name), text, sizeof text);
    return strcmp(text, name) == 0;
}

/* Freed stacks may still name their last owner, so page and task_struct are checked. The stack of init_task is in
 * the image. */
vaddr kernel_stack_owner(const struct kernel_memory *kernel, vaddr address)
{
    const vaddr thread = address & ~(vaddr)(STACK_BYTES - 1), task = owner_of(kernel, thread);
    if (!task || task == kernel->first_task)
        return task;
    const vaddr page = kernel_page(kernel, vaddr_physical(thread));
    return page && kernel_word(kernel, page + kernel->at.page.count) && is_object_of(kernel, task, "task_struct") ? task
                                                                                                                  : 0;
}

bool kernel_cpu_variable(const struct kernel_memory *kernel, vaddr address, unsigned *cpu, vaddr *variable)
{
    const uint32_t count = kernel_word(kernel, kernel->cpu_count_at);
    for (unsigned i = 0; i < count && i < BOARD_MAX_CPUS && kernel->cpu_first; i++) {
        const vaddr original = address - kernel_word(kernel, kernel->cpu_offsets + 4 * i);
        if (original < kernel->cpu_first || original >= kernel->cpu_end)
            continue;
        *cpu = i;
        *variable = original;
        return true;
    }
    return false;
}
