#include "annotations/symbols/data_kinds.h"

#include "annotations/symbols/module_ranges.h"
#include "src/base/hash_map.h"
#include "src/base/log.h"
#include <stdio.h>
#include <stdlib.h>

enum { KINDS_MAX = 1 << 16, NAME = 48, TEXT = 80, CACHED = 1024, COMM = 16, MAPPING_FLAGS = 3, MAPPING_ANONYMOUS = 1 };
enum { MODE_TYPE = 0170000, MODE_BLOCK = 0060000 };

struct kind {
    enum data_class class;
    char name[NAME], text[TEXT];
};

/* Cached kind of a kernel object, valid as long as the object's words are unchanged. */
struct cached {
    enum data_class class;
    vaddr of;
    uint32_t words[4];
    unsigned kind;
};

struct data_kinds {
    struct kernel_memory *kernel;
    struct kind *kinds;
    unsigned count, room;
    struct hash_map numbers;      /* index in `kinds` by class and name */
    struct cached cached[CACHED]; /* direct-mapped cache */
    struct module_ranges modules;
};

/* Text of a kind without name, and prefix of its name. */
static const struct {
    const char *name, *before;
} classes[DATA_CLASSES] = {
    [DATA_UNKNOWN] = {"unknown", ""},
    [DATA_KERNEL_TEXT] = {"kernel text", ""},
    [DATA_KERNEL_DATA] = {"kernel data", ""},
    [DATA_PER_CPU] = {"per-CPU data", ""},
    [DATA_MODULE] = {"module", "module "},
    [DATA_MAPPED] = {"vmalloc", ""},
    [DATA_UNCACHED] = {"uncached", ""},
    [DATA_PAGE_STRUCTS] = {"page structures", ""},
    [DATA_BOOT] = {"boot memory", ""},
    [DATA_SLAB] = {"slab", "slab "},
    [DATA_KERNEL_STACK] = {"kernel stack", "kernel stack of "},
    [DATA_PAGE_TABLE] = {"page table", ""},
    [DATA_ZERO_PAGE] = {"zero page", ""},
    [DATA_FREE] = {"free page", ""},
    [DATA_ALLOCATED] = {"allocated page", ""},
    [DATA_BLOCK] = {"block of pages", ""},
    [DATA_FILE] = {"file", "file "},
    [DATA_DEVICE_FILE] = {"block device", ""},
    [DATA_ANONYMOUS] = {"anonymous page", ""},
    [DATA_HEAP] = {"heap", "heap of "},
    [DATA_STACK] = {"stack", "stack of "},
    [DATA_PROGRAM] = {"program data", "data of "},
    [DATA_MEMORY] = {"anonymous memory", "anonymous memory of "},
    [DATA_USER] = {"user address", "user address of "},
};

struct data_kinds *data_kinds_create(struct kernel_memory *kernel)
{
    struct data_kinds *kinds = checked_memory(calloc(1, sizeof *kinds));
    kinds->kernel = kernel;
    return kinds;
}

void data_kinds_free(struct data_kinds *kinds)
{
    if (!kinds)
        return;
    hash_map_release(&kinds->numbers);
    free(kinds->kinds);
    free(kinds);
}

/* The table */

/* A class and a name, and the kinds that they are sought in. */
struct sought {
    const struct data_kinds *kinds;
    enum data_class class;
    const char *name;
};

static bool is_kind(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    const struct kind *kind = &sought->kinds->kinds[slot->number];
    return kind->class == sought->class && strcmp(kind->name, sought->name) == 0;
}

static unsigned kind_of(struct data_kinds *kinds, enum data_class class, const char *name)
{
    const struct sought sought = {kinds, class, name};
    const uint64_t hash = hash_text(name) + class;
    const struct hash_slot *slot = hash_map_find_equal(&kinds->numbers, hash, is_kind, &sought);
    if (slot)
        return (unsigned)slot->number;
    if (kinds->count == KINDS_MAX) /* names come from the guest */
        return *name ? kind_of(kinds, class, "") : 0;
    if (kinds->count == kinds->room) {
        kinds->room = kinds->room ? 2 * kinds->room : 64;
        kinds->kinds = checked_memory(realloc(kinds->kinds, kinds->room * sizeof *kinds->kinds));
    }
    struct kind *kind = &kinds->kinds[kinds->count];
    *kind = (struct kind){.class = class};
    snprintf(kind->name, sizeof kind->name, "%s", name);
    snprintf(kind->text, sizeof kind->text, "%s%s", *name ? classes[class].before : classes[class].name, kind->name);
    hash_map_add(&kinds->numbers, hash)->number = kinds->count;
    return kinds->count++;
}

static struct cached *cache_slot(struct data_kinds *kinds, enum data_class class, vaddr of)
{
    return &kinds->cached[(of >> 4 ^ of >> 14 ^ class * 37u) % CACHED];
}

/* True if CACHED holds the kind of CLASS for object OF, and the object's WORDS are unchanged. */
static bool is_cached(const struct cached *cached, enum data_class class, vaddr of, const uint32_t words[4])
{
    return cached->of == of && cached->class == class && memcmp(cached->words, words, sizeof cached->words) == 0;
}

static unsigned cache_kind(struct cached *cached, enum data_class class, vaddr of, const uint32_t words[4],
                           unsigned kind)
{
    *cached = (struct cached){.class = class, .of = of, .kind = kind};
    memcpy(cached->words, words, sizeof cached->words);
    return kind;
}

/* Kinds with names */

/* By the name of process TASK. */
static unsigned kind_of_process(struct data_kinds *kinds, enum data_class class, vaddr task)
{
    const struct kernel_memory *kernel = kinds->kernel;
    uint32_t comm[4] = {0};
    char name[COMM];
    if (!task || !kernel_bytes(kernel, task + kernel->at.task.comm, comm, sizeof comm))
        return kind_of(kinds, class, "");
    struct cached *slot = cache_slot(kinds, class, task);
    if (is_cached(slot, class, task, comm))
        return slot->kind;
    kernel_text(kernel, task + kernel->at.task.comm, name, sizeof name);
    return cache_kind(slot, class, task, comm, kind_of(kinds, class, name));
}

/* A cache's name may be freed with the cache and its address reused: the first 12 characters are compared. */
static unsigned kind_of_slab(struct data_kinds *kinds, vaddr page)
{
    const struct kernel_memory *kernel = kinds->kernel;
    const vaddr cache = kernel_word(kernel, page + kernel->at.page.slab_cache);
    const vaddr name_at = kernel_word(kernel, cache + kernel->at.cache.name);
    uint32_t words[4] = {name_at, 0, 0, 0};
    char name[NAME];
    kernel_bytes(kernel, name_at, words + 1, 12);
    struct cached *slot = cache_slot(kinds, DATA_SLAB, cache);
    if (is_cached(slot, DATA_SLAB, cache, words))
        return slot->kind;
    kernel_text(kernel, name_at, name, sizeof name);
    return cache_kind(slot, DATA_SLAB, cache, words, kind_of(kinds, DATA_SLAB, name));
}

/* By the name of a directory entry of the file that owns the address_space MAPPING. */
static unsigned kind_of_file(struct data_kinds *kinds, vaddr mapping)
{
    const struct kernel_memory *kernel = kinds->kernel;
    const struct kernel_offsets *at = &kernel->at;
    const vaddr inode = kernel_word(kernel, mapping + at->mapping.host);
    const vaddr entry = kernel_word(kernel, inode + at->inode.dentries);
    uint16_t mode = 0;
    uint32_t words[4] = {inode, kernel_word(kernel, inode + at->inode.number), entry, 0};
    char name[NAME] = "";
    struct cached *slot = cache_slot(kinds, DATA_FILE, mapping);
    if (entry)
        words[3] = kernel_word(kernel, entry - at->dentry.alias + at->dentry.name);
    if (is_cached(slot, DATA_FILE, mapping, words))
        return slot->kind;
    if (kernel_bytes(kernel, inode + at->inode.mode, &mode, sizeof mode) && (mode & MODE_TYPE) == MODE_BLOCK)
        return cache_kind(slot, DATA_FILE, mapping, words, kind_of(kinds, DATA_DEVICE_FILE, ""));
    if (entry)
        kernel_text(kernel, words[3], name, sizeof name);
    return cache_kind(slot, DATA_FILE, mapping, words, kind_of(kinds, DATA_FILE, name));
}

/* Mapped kernel addresses */

static unsigned kind_of_mapped(struct data_kinds *kinds, struct core *core, vaddr address)
{
    const struct module_range *module = module_ranges_find(&kinds->modules, kinds->kernel, core, address);
    return module ? kind_of(kinds, DATA_MODULE, module->name) : kind_of(kinds, DATA_MAPPED, "");
}

/* Pages */

/* Class of a process's anonymous memory by its ADDRESS. Written pages of private file mappings are anonymous too. */
static enum data_class class_of_memory(const struct kernel_memory *kernel, vaddr task, vaddr address)
{
    enum { STACK_MAX = 8 << 20 }; /* default stack size limit */
    const struct kernel_offsets *at = &kernel->at;
    const vaddr mm = kernel_word(kernel, task + at->task.mm);
    if (!mm)
        return DATA_MEMORY;
    const vaddr stack = kernel_word(kernel, mm + at->mm.start_stack);
    const vaddr heap = kernel_word(kernel, mm + at->mm.start_brk);
    if (address >= heap && address < kernel_word(kernel, mm + at->mm.brk))
        return DATA_HEAP;
    if (address + STACK_MAX >= stack && address <= (kernel_word(kernel, mm + at->mm.env_end) | (PAGE_SIZE - 1)))
        return DATA_STACK;
    return address >= kernel_word(kernel, mm + at->mm.start_data) &&
                   address < (kernel_word(kernel, mm + at->mm.end_data) | (PAGE_SIZE - 1))
               ? DATA_PROGRAM
               : DATA_MEMORY;
}

static bool is_page_table(const struct kernel_memory *kernel, const struct core *core, vaddr page, vaddr start)
{
    if (kernel_page_has(kernel, page, &kernel->at.page.table))
        return true;
    const vaddr task = kernel_current(kernel, core);
    const vaddr mm = task ? kernel_word(kernel, task + kernel->at.task.active_mm) : 0;
    return mm && kernel_word(kernel, mm + kernel->at.mm.pgd) == start;
}

/* A page without mapping, for kernel use. Of a kernel stack only the first page has a reference count. */
static unsigned kind_of_unnamed(struct data_kinds *kinds, const struct core *core, vaddr page, paddr pa)
{
    const struct kernel_memory *kernel = kinds->kernel;
    const vaddr start = vaddr_of_kseg0(pa & ~(vaddr)(PAGE_SIZE - 1));
    if (kernel_page_has(kernel, page, &kernel->at.page.free))
        return kind_of(kinds, DATA_FREE, "");
    const vaddr owner = pa <= UNMAPPED_PHYSICAL ? kernel_stack_owner(kernel, start) : 0;
    if (owner)
        return kind_of_process(kinds, DATA_KERNEL_STACK, owner);
    if (kernel_word(kernel, page + kernel->at.page.count) == 0)
        return kind_of(kinds, DATA_FREE, "");
    if (is_page_table(kernel, core, page, start))
        return kind_of(kinds, DATA_PAGE_TABLE, "");
    return kind_of(kinds, kernel_page_has(kernel, page, &kernel->at.page.head) ? DATA_BLOCK : DATA_ALLOCATED, "");
}

/* Memory that was never released to the page allocator. */
static unsigned kind_of_reserved(struct data_kinds *kinds, paddr pa)
{
    const struct kernel_memory *kernel = kinds->kernel;
    const vaddr address = vaddr_of_kseg0(pa), map = kernel_word(kernel, kernel->map_at);
    unsigned cpu;
    vaddr variable;
    if (pa > UNMAPPED_PHYSICAL)
        return kind_of(kinds, DATA_BOOT, "");
    if (address - map < kernel_word(kernel, kernel->pages_at) * kernel->page_bytes)
        return kind_of(kinds, DATA_PAGE_STRUCTS, "");
    if (address >> PAGE_SHIFT == kernel_word(kernel, kernel->zero_page_at) >> PAGE_SHIFT)
        return kind_of(kinds, DATA_ZERO_PAGE, "");
    if (kernel->page_table && address >> PAGE_SHIFT == kernel->page_table >> PAGE_SHIFT)
        return kind_of(kinds, DATA_PAGE_TABLE, "");
    if (kernel_cpu_variable(kernel, address, &cpu, &variable))
        return kind_of(kinds, DATA_PER_CPU, "");
    if (address < kernel->text || address >= kernel->image_end)
        return kind_of(kinds, DATA_BOOT, "");
    const vaddr owner = kernel_stack_owner(kernel, address); /* of init_task */
    if (owner)
        return kind_of_process(kinds, DATA_KERNEL_STACK, owner);
    return kind_of(kinds, address < kernel->text_end ? DATA_KERNEL_TEXT : DATA_KERNEL_DATA, "");
}

static unsigned kind_of_page(struct data_kinds *kinds, const struct core *core, vaddr address, paddr pa)
{
    const struct kernel_memory *kernel = kinds->kernel;
    const vaddr page = kernel_page(kernel, pa);
    if (!page)
        return kind_of(kinds, physmem_page_is_ram(kernel->mem, pa) ? DATA_UNKNOWN : DATA_UNCACHED, "");
    const uint32_t mapping = kernel_word(kernel, page + kernel->at.page.mapping);
    if (kernel_page_has(kernel, page, &kernel->at.page.reserved))
        return kind_of_reserved(kinds, pa);
    if (kernel_page_has(kernel, page, &kernel->at.page.slab))
        return kind_of_slab(kinds, page);
    if (mapping == 0 || (mapping & MAPPING_FLAGS) > MAPPING_ANONYMOUS ||
        kernel_word(kernel, page + kernel->at.page.count) == 0)
        return kind_of_unnamed(kinds, core, page, pa);
    if (!(mapping & MAPPING_ANONYMOUS))
        return kind_of_file(kinds, mapping);
    if (!vaddr_in_kuseg(address))
        return kind_of(kinds, DATA_ANONYMOUS, "");
    const vaddr task = kernel_current(kernel, core);
    return kind_of_process(kinds, class_of_memory(kernel, task, address), task);
}

unsigned data_kind_at(struct data_kinds *kinds, struct core *core, vaddr address, bool is_mapped, paddr pa)
{
    if (vaddr_in_kseg1(address))
        return kind_of(kinds, DATA_UNCACHED, "");
    if (!kernel_memory_find(kinds->kernel))
        return kind_of(kinds, DATA_UNKNOWN, "");
    if (address >= KSEG2_BASE)
        return kind_of_mapped(kinds, core, address);
    if (is_mapped)
        return kind_of_page(kinds, core, address, pa);
    return vaddr_in_kuseg(address) ? kind_of_process(kinds, DATA_USER, kernel_current(kinds->kernel, core))
                                   : kind_of(kinds, DATA_UNKNOWN, "");
}

/* Results */

const char *data_kind_text(const struct data_kinds *kinds, unsigned kind)
{
    return kind < kinds->count ? kinds->kinds[kind].text : "?";
}

enum data_class data_kind_class(const struct data_kinds *kinds, unsigned kind)
{
    return kind < kinds->count ? kinds->kinds[kind].class : DATA_UNKNOWN;
}

const char *data_kind_name(const struct data_kinds *kinds, unsigned kind)
{
    return kind < kinds->count ? kinds->kinds[kind].name : "";
}

const char *data_class_name(enum data_class class)
{
    return classes[class].name;
}
