#include "annotations/tcl/data_describe.h"

#include "annotations/tcl/annotate_state.h"
#include "annotations/symbols/data_kinds.h"
#include "annotations/symbols/mappings.h"
#include "annotations/symbols/modules.h"
#include <stdlib.h>

enum { TEXT = 600 };

struct description {
    struct annotate *annotate;
    struct core *core;
    Tcl_Obj *dict;
    vaddr address;
    bool is_mapped;
    paddr pa;
};

static void put(struct description *what, const char *key, Tcl_Obj *value)
{
    Tcl_DictObjPut(NULL, what->dict, Tcl_NewStringObj(key, -1), value);
}

static void put_text(struct description *what, const char *key, const char *text)
{
    if (*text)
        put(what, key, Tcl_NewStringObj(text, -1));
}

static void put_address(struct description *what, const char *key, uint32_t address)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08x", address);
    put_text(what, key, text);
}

static void put_process(struct description *what, vaddr task)
{
    const struct kernel_memory *kernel = guest_view_kernel(&what->annotate->view);
    char name[16];
    if (!task)
        return;
    kernel_text(kernel, task + kernel->at.task.comm, name, sizeof name);
    put_text(what, "process", name);
    put(what, "pid", Tcl_NewWideIntObj(kernel_word(kernel, task + kernel->at.task.pid)));
}

/* Kernel */

/* Exported symbols have no size: an address LONGEST bytes or more after one does not belong to it. */
void data_variable(struct annotate *annotate, vaddr address, char *text, size_t size)
{
    enum { LONGEST = 4096 };
    const struct kernel_memory *kernel = guest_view_kernel(&annotate->view);
    unsigned cpu;
    vaddr at = address;
    text[0] = '\0';
    kernel_cpu_variable(kernel, address, &cpu, &at);
    const bool code = at >= kernel->text && at < kernel->text_end;
    const struct symbol *symbol = programs_kernel_symbol(&annotate->view, at);
    const bool sized = symbol != NULL;
    if (!symbol && annotate->view.machine.symbols)
        symbol = code ? symbols_at(annotate->view.machine.symbols, at)
                      : symbols_exported_at(annotate->view.machine.symbols, at);
    if (!symbol || (!sized && !code && at - symbol->address >= LONGEST))
        return;
    const int length = snprintf(text, size, "%s", symbol->name);
    if (at != symbol->address && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "+0x%x", at - symbol->address);
}

static void describe_variable(struct description *what)
{
    char text[TEXT];
    unsigned cpu;
    vaddr variable;
    data_variable(what->annotate, vaddr_of_kseg0(what->pa), text, sizeof text);
    put_text(what, "symbol", text);
    if (kernel_cpu_variable(guest_view_kernel(&what->annotate->view), vaddr_of_kseg0(what->pa), &cpu, &variable))
        put(what, "cpu", Tcl_NewWideIntObj(cpu));
}

static void describe_module(struct description *what)
{
    char text[TEXT];
    if (modules_symbol_text(&what->annotate->view, what->core, what->address, text, sizeof text))
        put_text(what, "symbol", text);
}

/* The object within its slab: objects are adjacent, from the first page of the block on. */
static void describe_slab(struct description *what, const char *name)
{
    const struct kernel_memory *kernel = guest_view_kernel(&what->annotate->view);
    const vaddr page = kernel_page(kernel, what->pa);
    const vaddr cache = kernel_word(kernel, page + kernel->at.page.slab_cache);
    const uint32_t size = kernel_word(kernel, cache + kernel->at.cache.size);
    const uint32_t number = (page - kernel_word(kernel, kernel->map_at)) / kernel->page_bytes;
    const uint32_t behind = what->pa - (number << PAGE_SHIFT);
    put_text(what, "cache", name);
    if (size == 0)
        return;
    put_address(what, "object", vaddr_of_kseg0(what->pa - behind % size));
    put(what, "size", Tcl_NewWideIntObj(size));
    put(what, "offset", Tcl_NewWideIntObj(behind % size));
}

static void describe_file_page(struct description *what)
{
    const struct kernel_memory *kernel = guest_view_kernel(&what->annotate->view);
    const vaddr page = kernel_page(kernel, what->pa);
    const vaddr inode =
        kernel_word(kernel, kernel_word(kernel, page + kernel->at.page.mapping) + kernel->at.mapping.host);
    const vaddr entry = kernel_word(kernel, inode + kernel->at.inode.dentries);
    const uint32_t index = kernel_word(kernel, page + kernel->at.page.index);
    char path[TEXT] = "";
    if (entry)
        mapping_path(&what->annotate->view, what->core, entry - kernel->at.dentry.alias, path, sizeof path);
    put_text(what, "file", path);
    put(what, "offset", Tcl_NewWideIntObj(((Tcl_WideInt)index << PAGE_SHIFT) + (what->pa & (PAGE_SIZE - 1))));
}

/* Owner of an anonymous page: an area in the interval tree of its anon_vma that includes the page's index. */

struct owner {
    vaddr task, address;
    unsigned processes, visited;
};

/* Search the tree in order. Its contents are not trusted: depth and number of nodes are limited. */
static void find_owner(const struct description *what, vaddr node, uint32_t index, unsigned depth, struct owner *owner)
{
    enum { DEEPEST = 48, RIGHT = 4, LEFT = 8, NODES_MAX = 4096 };
    const struct kernel_memory *kernel = guest_view_kernel(&what->annotate->view);
    const struct kernel_offsets *at = &kernel->at;
    uint32_t chain, area_at;
    if (!node || depth == DEEPEST || owner->visited++ >= NODES_MAX ||
        !layout_offset(&what->annotate->view, "anon_vma_chain", "rb", &chain) ||
        !layout_offset(&what->annotate->view, "anon_vma_chain", "vma", &area_at))
        return;
    find_owner(what, kernel_word(kernel, node + LEFT), index, depth + 1, owner);
    const vaddr area = kernel_word(kernel, node - chain + area_at);
    const vaddr first = kernel_word(kernel, area + at->area.start), end = kernel_word(kernel, area + at->area.end);
    const uint32_t from = kernel_word(kernel, area + at->area.offset);
    if (end > first && index - from < (end - first) >> PAGE_SHIFT) {
        if (owner->processes++ == 0) {
            owner->task = kernel_task_of(kernel, kernel_word(kernel, area + at->area.mm));
            owner->address = first + ((index - from) << PAGE_SHIFT) + (what->pa & (PAGE_SIZE - 1));
        }
    }
    find_owner(what, kernel_word(kernel, node + RIGHT), index, depth + 1, owner);
}

static void describe_anonymous(struct description *what)
{
    const struct kernel_memory *kernel = guest_view_kernel(&what->annotate->view);
    const vaddr page = kernel_page(kernel, what->pa);
    const vaddr shared = kernel_word(kernel, page + kernel->at.page.mapping) & ~(vaddr)3;
    struct owner owner = {.processes = 0};
    uint32_t root;
    if (!layout_offset(&what->annotate->view, "anon_vma", "rb_root", &root))
        return;
    find_owner(what, kernel_word(kernel, shared + root), kernel_word(kernel, page + kernel->at.page.index), 0, &owner);
    if (owner.processes == 0)
        return;
    put_process(what, owner.task);
    put_address(what, "at", owner.address);
    put(what, "processes", Tcl_NewWideIntObj(owner.processes));
}

/* User addresses */

/* Use of a mapping by its process. */
static const char *use_of(const struct mapping *mapping, enum data_class class)
{
    enum { MAY_EXECUTE = 4 }; /* VM_EXEC */
    if (mapping->is_of_file)
        return mapping->flags & MAY_EXECUTE ? "text" : "data";
    return class == DATA_HEAP || class == DATA_STACK ? data_class_name(class) : "anonymous";
}

static void describe_user(struct description *what, enum data_class class)
{
    struct mapping mapping;
    char text[TEXT];
    const vaddr task = kernel_current(guest_view_kernel(&what->annotate->view), what->core);
    put_process(what, task);
    if (programs_symbol_text(&what->annotate->view, what->core, what->address, text, sizeof text))
        put_text(what, "symbol", text);
    if (!task || !mapping_at(&what->annotate->view, what->core, task, what->address, &mapping))
        return;
    put_address(what, "first", mapping.first);
    put_address(what, "last", mapping.last);
    put_text(what, "use", use_of(&mapping, class));
    if (!mapping.is_of_file)
        return;
    put_text(what, "file", mapping.path);
    put(what, "offset", Tcl_NewWideIntObj((Tcl_WideInt)mapping.offset + (what->address - mapping.first)));
}

/* The command */

static void describe(struct description *what)
{
    struct data_kinds *kinds = annotate_data_kinds(what->annotate);
    const unsigned kind = data_kind_at(kinds, what->core, what->address, what->is_mapped, what->pa);
    const enum data_class class = data_kind_class(kinds, kind);
    put_text(what, "kind", data_class_name(class));
    put_text(what, "name", data_kind_text(kinds, kind));
    if (what->is_mapped)
        put_address(what, "physical", what->pa);
    if (vaddr_in_kuseg(what->address)) {
        describe_user(what, class);
        return;
    }
    switch (class) {
    case DATA_KERNEL_TEXT:
    case DATA_KERNEL_DATA:
    case DATA_PER_CPU: describe_variable(what); break;
    case DATA_MODULE: describe_module(what); break;
    case DATA_SLAB: describe_slab(what, data_kind_name(kinds, kind)); break;
    case DATA_KERNEL_STACK:
        put_process(what, kernel_stack_owner(guest_view_kernel(&what->annotate->view), vaddr_of_kseg0(what->pa)));
        break;
    case DATA_FILE:
    case DATA_DEVICE_FILE: describe_file_page(what); break;
    case DATA_ANONYMOUS: describe_anonymous(what); break;
    default: break;
    }
}

int data_describe_command(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    static const char physical[] = "physical:";
    struct description what = {.annotate = annotate, .core = annotate->core};
    struct err err = {""};
    if (count != 1)
        return annotate_error(annotate, "wrong # args: should be \"symbol data ?physical:?ADDRESS\"");
    const char *text = Tcl_GetString(words[0]);
    const bool by_page = strncmp(text, physical, sizeof physical - 1) == 0;
    if (!annotate_resolve_fixed(annotate, by_page ? text + sizeof physical - 1 : text, &what.address, &err))
        return annotate_error(annotate, "%s", err.text);
    if (!kernel_memory_find(guest_view_kernel(&annotate->view)))
        return annotate_error(annotate, "symbol data: unsupported kernel, or no `library layout`");
    if (by_page) {
        what.pa = what.address;
        what.address = vaddr_of_kseg0(what.address);
        what.is_mapped = true;
    } else {
        what.is_mapped = tlb_probe_address(what.core, what.address, &what.pa) ||
                         (what.core->find_mapped && what.core->find_mapped(what.core, what.address, &what.pa));
    }
    what.dict = Tcl_NewDictObj();
    describe(&what);
    Tcl_SetObjResult(annotate->interp, what.dict);
    return TCL_OK;
}
