#include "annotations/symbols/programs.h"

#include "annotations/symbols/guest_view.h"
#include "annotations/symbols/code_locations.h"
#include "annotations/symbols/kernel_memory.h"
#include "annotations/symbols/mappings.h"
#include <stdlib.h>
#include <string.h>

enum { COMM_BYTES = 16, PROGRAM_NAME = 512 };

struct program {
    struct program *next;
    struct program_file *file;
    char process[COMM_BYTES]; /* only in processes of this name; "": any process */
    bool has_base;
    vaddr base;
};

struct programs {
    struct program *all; /* newest first */
    struct debug_files folders;
    struct program_file *kernel; /* debug file of the kernel; NULL: none */
    unsigned folders_searched;   /* number of folders at the last search for it */
};

struct programs *programs_create(void)
{
    return checked_memory(calloc(1, sizeof(struct programs)));
}

void programs_free(struct programs *programs)
{
    while (programs && programs->all) {
        struct program *program = programs->all;
        programs->all = program->next;
        program_file_close(program->file);
        free(program);
    }
    if (programs) {
        debug_files_release(&programs->folders);
        program_file_close(programs->kernel);
    }
    free(programs);
}

void programs_add(struct guest_view *view, struct program_file *file, const char *process, const vaddr *base)
{
    struct program *program = checked_memory(calloc(1, sizeof *program));
    program->file = file;
    program->has_base = base;
    program->base = base ? *base : 0;
    snprintf(program->process, sizeof program->process, "%.15s", process);
    program->next = view->programs->all;
    view->programs->all = program;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Current process */

static vaddr task_of(struct guest_view *view, struct core *core)
{
    struct guest_process process;
    if (view->process(view->opaque, core, &process))
        return process.task;
    return kernel_memory_find(guest_view_kernel(view)) ? kernel_current(guest_view_kernel(view), core) : 0;
}

/* True also if processes are not followed. */
static bool is_process(const struct guest_view *view, struct core *core, const char *name)
{
    struct guest_process process;
    return !name[0] || !view->process(view->opaque, core, &process) || strcmp(process.name, name) == 0;
}

/* Files on the host */

const struct debug_files *programs_folders(const struct guest_view *view)
{
    return &view->programs->folders;
}

bool programs_add_folder(struct guest_view *view, const char *folder, struct err *err)
{
    return debug_files_add(&view->programs->folders, folder, err);
}

struct program_file *programs_loaded(const struct guest_view *view, const char *name)
{
    for (struct program *at = view->programs->all; at; at = at->next)
        if (strcmp(program_file_name(at->file), name) == 0)
            return at->file;
    return NULL;
}

/* True if FILE is of the running kernel: the functions in both symbol tables have the same addresses. */
static bool is_running_kernel(void *opaque, const struct program_file *file)
{
    static const char *const names[] = {"start_kernel", "schedule", "do_exit", "vfs_read"};
    const struct guest_view *view = opaque;
    unsigned same = 0;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct symbol *ours = symbols_find(view->machine.symbols, names[i]);
        const struct symbol *there = program_file_find(file, names[i]);
        if (!ours || !there)
            continue;
        if (ours->address != there->address)
            return false;
        same++;
    }
    return same > 0;
}

/* The kernel's file among the folders, searched when there is a new one; NULL: none. */
static struct program_file *kernel_file(struct guest_view *view)
{
    struct programs *programs = view->programs;
    if (!programs->kernel && programs->folders_searched != programs->folders.count && view->machine.symbols) {
        programs->folders_searched = programs->folders.count;
        programs->kernel = debug_files_find_kernel(&programs->folders, is_running_kernel, view);
    }
    return programs->kernel;
}

const struct symbol *programs_kernel_symbol(struct guest_view *view, vaddr address)
{
    const struct program_file *file = kernel_file(view);
    return file ? program_file_at(file, address) : NULL;
}

/* Addresses */

/* The program that contains ADDRESS by its own addresses, or with the base given by a script; *OWN is the address in
 * the file. */
static struct program *find_by_range(const struct guest_view *view, struct core *core, vaddr address, vaddr *own)
{
    for (struct program *at = view->programs->all; at; at = at->next) {
        vaddr first, last;
        if (!(program_file_is_fixed(at->file) || at->has_base) || !is_process(view, core, at->process))
            continue;
        program_file_range(at->file, &first, &last);
        *own = address - at->base;
        if (*own >= first && *own <= last)
            return at;
    }
    return NULL;
}

static struct program *find_by_name(const struct guest_view *view, struct core *core, const char *path)
{
    for (struct program *at = view->programs->all; at; at = at->next)
        if (strcmp(program_file_name(at->file), base_name(path)) == 0 && is_process(view, core, at->process))
            return at;
    return NULL;
}

/* The file of the program mapped at ADDRESS in CORE's process, the address *OWN in the file, and the program's NAME.
 * NULL if none is known. */
static struct program_file *find_at(struct guest_view *view, struct core *core, vaddr address, vaddr *own,
                                    char name[PROGRAM_NAME])
{
    struct mapping mapping;
    const struct program *program = find_by_range(view, core, address, own);
    if (program) {
        snprintf(name, PROGRAM_NAME, "%s", program_file_name(program->file));
        return program->file;
    }
    if (!mapping_at(view, core, task_of(view, core), address, &mapping) || !mapping.path[0])
        return NULL;
    program = find_by_name(view, core, mapping.path);
    snprintf(name, PROGRAM_NAME, "%s", base_name(mapping.path));
    if (!program)
        return code_locations_file(guest_view_code_places(view), core, &mapping, address, own);
    return program_file_address_of(program->file, address - mapping.first + mapping.offset, own) ? program->file : NULL;
}

bool programs_symbol_text(struct guest_view *view, struct core *core, vaddr address, char *text, size_t size)
{
    vaddr own;
    if (!vaddr_in_kuseg(address))
        return false;
    char name[PROGRAM_NAME];
    const struct program_file *file = find_at(view, core, address, &own, name);
    const struct symbol *symbol = file ? program_file_at(file, own) : NULL;
    if (!symbol)
        return false;
    const int length = snprintf(text, size, "%s::%s", name, symbol->name);
    if (own != symbol->address && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "+0x%x", own - symbol->address);
    return true;
}

const struct program *programs_find(const struct guest_view *view, const char *text, struct address_list *list,
                                    bool *fixed, char *process, struct err *err)
{
    char name[256];
    const char *colons = strstr(text, "::"), *end;
    const size_t length = (size_t)(colons - text);
    const struct program *program = view->programs->all;
    while (program && !(strncmp(program_file_name(program->file), text, length) == 0 &&
                        program_file_name(program->file)[length] == '\0'))
        program = program->next;
    if (!program) {
        err_set(err, "\"%.64s\": no such program; run `symbol load FILE` first", text);
        return NULL;
    }
    const char *plus = strchr(colons + 2, '+');
    end = plus ? plus : text + strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)(end - colons - 2), colons + 2);
    char *rest = NULL;
    const unsigned long offset = plus ? strtoul(plus + 1, &rest, 0) : 0;
    if ((plus && (rest == plus + 1 || *rest)) || !program_file_find_all(program->file, name, list)) {
        err_set(err, "\"%.64s\": %.64s has no such symbol", text, program_file_name(program->file));
        return NULL;
    }
    if (plus && !address_list_move(list, name, (uint32_t)offset, err))
        return NULL;
    *fixed = program_file_is_fixed(program->file) || program->has_base;
    for (unsigned i = 0; i < list->count; i++)
        list->address[i] += program->base;
    snprintf(process, COMM_BYTES, "%s", program->process);
    return program;
}

bool programs_mapped_address(struct guest_view *view, struct core *core, const struct program *program, vaddr address,
                             vaddr *place)
{
    const vaddr task = task_of(view, core);
    struct mapping mapping;
    vaddr own;
    if (!task || !is_process(view, core, program->process))
        return false;
    for (vaddr at = 0; mapping_from(view, core, task, at, &mapping); at = mapping.last + 1) {
        if (strcmp(base_name(mapping.path), program_file_name(program->file)) == 0 &&
            program_file_address_of(program->file, mapping.offset, &own)) {
            /* the first page of a segment may also contain the end of the previous segment */
            own &= ~(vaddr)(PAGE_SIZE - 1);
            *place = mapping.first + (address - own);
            if (address >= own && *place <= mapping.last)
                return true;
        }
        if (mapping.last == UINT32_MAX)
            break;
    }
    return false;
}

void programs_line(struct guest_view *view, struct core *core, vaddr address, char *text, size_t size)
{
    char name[PROGRAM_NAME];
    vaddr own = address;
    struct program_file *file = vaddr_in_kuseg(address) ? find_at(view, core, address, &own, name) : kernel_file(view);
    if (file)
        program_file_line(file, own, text, size);
}
