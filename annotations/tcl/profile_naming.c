/* Names for profiles of misses (cache/classify/classify.h): code by object and offset, data by kind. */
#include "annotations/tcl/annotate_state.h"
#include "annotations/symbols/code_locations.h"
#include "annotations/tcl/data_describe.h"
#include "annotations/symbols/data_kinds.h"
#include "annotations/services/service_cycles.h"
#include "annotations/services/service_misses.h"
#include "cpu/observe/execution_profile.h"
#include "cpu/privileged/mode_change.h"

enum { NUMBER_SHIFT = 32 };

static unsigned number_of(uint64_t key)
{
    return (unsigned)((key & ~CLASSIFY_NAMED) >> NUMBER_SHIFT);
}

/* Data that may have names of their own, by address. */
static bool is_variable(enum data_class class)
{
    return class == DATA_KERNEL_DATA || class == DATA_PER_CPU || class == DATA_KERNEL_TEXT;
}

/* Variables have keys of their own; other data is keyed by kind and page. */
static uint64_t key_of_data(struct annotate *annotate, struct core *core, vaddr address, const paddr *physical)
{
    struct data_kinds *kinds = annotate_data_kinds(annotate);
    paddr pa = physical ? *physical : 0;
    const bool is_mapped = physical || tlb_probe_address(core, address, &pa);
    const unsigned kind = data_kind_at(kinds, core, address, is_mapped, pa);
    const enum data_class class = data_kind_class(kinds, kind);
    address &= ~(is_variable(class) ? 3u : (vaddr)(PAGE_SIZE - 1));
    return CLASSIFY_NAMED | (uint64_t)kind << NUMBER_SHIFT | address;
}

uint64_t annotate_profile_key(struct code_location place)
{
    if (place.object == CODE_KERNEL)
        return place.offset;
    return CLASSIFY_NAMED | code_location_number(place);
}

void annotate_each_module(struct annotate *annotate, code_locations_module_fn *call, void *opaque)
{
    if (annotate)
        code_locations_each_module(guest_view_code_places(&annotate->view), call, opaque);
}

static uint64_t key_of(void *opaque, unsigned cpu, enum classify_profile which, vaddr address, const paddr *physical)
{
    struct annotate *annotate = opaque;
    struct core *core = annotate->view.machine.cores[cpu];
    if (which == CLASSIFY_BY_ADDRESS)
        return key_of_data(annotate, core, address, physical);
    return annotate_profile_key(code_location_at(guest_view_code_places(&annotate->view), core, address));
}

static uint64_t key_of_code(void *annotate, unsigned cpu, vaddr address)
{
    return key_of(annotate, cpu, CLASSIFY_BY_PC, address, NULL);
}

void annotate_name_profiles(struct annotate *annotate)
{
    if (annotate->view.machine.executions)
        execution_profile_name(annotate->view.machine.executions, key_of_code, annotate);
    memsys_name_profiles(annotate->view.machine.memsys, key_of, annotate);
    annotate->names_profiles = true;
}

void annotate_stop_naming_profiles(struct annotate *annotate)
{
    if (annotate->names_profiles)
        memsys_name_profiles(annotate->view.machine.memsys, NULL, NULL);
    if (annotate->names_profiles && annotate->view.machine.executions)
        execution_profile_name(annotate->view.machine.executions, NULL, NULL);
    annotate->names_profiles = false;
}

bool annotate_record_calls(struct annotate *annotate, struct err *err)
{
    annotate->calls = call_costs_begin(&annotate->view, err);
    return annotate->calls != NULL;
}

struct call_costs *annotate_call_costs(const struct annotate *annotate)
{
    return annotate ? annotate->calls : NULL;
}

static void name_data(struct annotate *annotate, uint64_t key, char *text, size_t size)
{
    const struct data_kinds *kinds = annotate_data_kinds(annotate);
    const enum data_class class = data_kind_class(kinds, number_of(key));
    char variable[256] = "";
    if (is_variable(class))
        data_variable(annotate, (vaddr)key, variable, sizeof variable);
    char *plus = strrchr(variable, '+');
    if (plus)
        *plus = '\0';
    if (*variable)
        snprintf(text, size, "%s %s", data_class_name(class), variable);
    else if (class == DATA_KERNEL_DATA)
        snprintf(text, size, "%s, page 0x%05x", data_class_name(class), (vaddr)key >> PAGE_SHIFT);
    else
        snprintf(text, size, "%s", data_kind_text(kinds, number_of(key)));
}

/* Names for misses by place (services_record_misses()): keys as those of profiles, but one for a routine of the kernel,
 * and one for a kind of data that has no name of its own. So there are few, and the tables of them stay in the host's
 * caches. */

static uint64_t key_of_routine(void *opaque, struct core *core, vaddr pc)
{
    struct annotate *annotate = opaque;
    const struct code_location place = code_location_at(guest_view_code_places(&annotate->view), core, pc);
    const struct symbols *symbols = annotate->view.machine.symbols;
    const struct symbol *symbol = place.object == CODE_KERNEL && symbols ? symbols_at(symbols, place.offset) : NULL;
    return code_location_number((struct code_location){place.object, symbol ? symbol->address : place.offset});
}

static uint64_t key_of_place(void *opaque, struct core *core, vaddr address, paddr physical)
{
    const uint64_t key = key_of_data(opaque, core, address, &physical);
    const enum data_class class = data_kind_class(annotate_data_kinds(opaque), number_of(key));
    return is_variable(class) ? key : key & ~(uint64_t)UINT32_MAX;
}

/* Is PC within the code at the TLB refill vector? It has room for 32 instructions, on MIPS32 for 64 with the unused
 * vector behind it; Linux uses all of it. */
static bool is_refill(const struct core *core, vaddr pc)
{
    const struct architecture *architecture = core->architecture;
    const uint32_t room = architecture->general_offset - architecture->refill_offset;
    const uint32_t most = room < 0x100 ? room : 0x100;
    return pc - (exception_base(core) + architecture->refill_offset) < most;
}

uint64_t annotate_cycle_routine(void *opaque, struct core *core, vaddr pc, vaddr *low, vaddr *high)
{
    struct annotate *annotate = opaque;
    struct code_locations *places = guest_view_code_places(&annotate->view);
    if (is_refill(core, pc))
        return CYCLES_TLB_REFILL;
    const struct code_extent extent = code_location_extent(places, core, pc);
    *low = extent.low;
    *high = extent.high;
    return code_location_number(extent.begin);
}

static void name_routine(void *opaque, uint64_t key, char *text, size_t size)
{
    struct annotate *annotate = opaque;
    const struct code_location place = {number_of(key), (uint32_t)key};
    code_location_text(guest_view_code_places(&annotate->view), place, text, size);
}

static void name_place(void *opaque, uint64_t key, char *text, size_t size)
{
    name_data(opaque, key, text, size);
}

const struct miss_names annotate_miss_names = {key_of_routine, key_of_place, name_routine, name_place};

bool annotate_profile_text(struct annotate *annotate, enum classify_profile which, uint64_t key, char *text,
                           size_t size)
{
    if (!annotate || !(key & CLASSIFY_NAMED))
        return false;
    if (which == CLASSIFY_BY_ADDRESS)
        name_data(annotate, key, text, size);
    else
        code_location_text(guest_view_code_places(&annotate->view),
                           (struct code_location){number_of(key), (uint32_t)key}, text, size);
    return true;
}

const char *annotate_profile_object(struct annotate *annotate, uint64_t key)
{
    return annotate && key & CLASSIFY_NAMED ? code_object_name(guest_view_code_places(&annotate->view), number_of(key))
                                            : NULL;
}

bool annotate_profile_is_file(struct annotate *annotate, uint64_t key)
{
    return annotate && key & CLASSIFY_NAMED &&
           code_object_is_file(guest_view_code_places(&annotate->view), number_of(key));
}

void annotate_process_text(struct annotate *annotate, const struct core *core, char *text, size_t size)
{
    struct kernel_memory *kernel = guest_view_kernel(&annotate->view);
    char name[16];
    const vaddr task = kernel_memory_find(kernel) ? kernel_current(kernel, core) : 0;
    snprintf(text, size, "%s", "");
    if (!task)
        return;
    kernel_text(kernel, task + kernel->at.task.comm, name, sizeof name);
    snprintf(text, size, "%u %s", kernel_word(kernel, task + kernel->at.task.pid), name);
}

void annotate_source_line(struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size)
{
    snprintf(text, size, "%s", "");
    programs_line(&annotate->view, core, address, text, size);
}

vaddr annotate_task(struct annotate *annotate, uint32_t pid, const char *name)
{
    struct kernel_memory *kernel = guest_view_kernel(&annotate->view);
    return kernel_memory_find(kernel) ? kernel_find_task(kernel, pid, name) : 0;
}

void annotate_routine_text(struct annotate *annotate, struct core *core, char *text, size_t size)
{
    struct code_locations *places = guest_view_code_places(&annotate->view);
    code_location_text(places, code_location_at(places, core, core->s.pc), text, size);
}
