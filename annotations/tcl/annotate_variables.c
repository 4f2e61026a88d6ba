/*
 * The Tcl variables visible to bodies: registers and other state of the processor of the event. Each is a global Tcl
 * variable with a trace that computes its value when it is read. A script that sets a variable of such a name itself
 * removes the trace.
 */
#include "annotations/tcl/annotate_state.h"
#include "annotations/services/service_frames.h"
#include "annotations/services/service_tasks.h"
#include "cpu/privileged/data_watch.h"
#include "cpu/privileged/register_access.h"
#include "devices/disk/disk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Variables that are not registers. */
enum variable {
    VARIABLE_CPU = REGISTER_NUMBERS,
    VARIABLE_CYCLES,
    VARIABLE_INSTS,
    VARIABLE_PC,
    VARIABLE_MODE,
    VARIABLE_ASID,
    VARIABLE_SECONDS,
    VARIABLE_EVENT,
    VARIABLE_EXCEPTION_PC,
    VARIABLE_PID,
    VARIABLE_PROCESS,
    VARIABLE_TASK,
    VARIABLE_SERVICE,
    VARIABLE_MEMORY,
    VARIABLE_ADDRESS, /* from here on: details of the event */
    VARIABLE_PHYSICAL,
    VARIABLE_VALUE,
    VARIABLE_SIZE,
    VARIABLE_ACCESS,
    VARIABLE_CACHE,
    VARIABLE_CLASS,
    VARIABLE_DISK,
    VARIABLE_SECTOR,
    VARIABLE_SECTORS,
    VARIABLE_REQUEST,
    VARIABLE_OK,
    VARIABLE_PACKET,
};

static const struct {
    const char *name;
    unsigned what; /* below REGISTER_NUMBERS: a register */
    const char *types, *meaning;
} variables[] = {
#define VARIABLE(name, what, types, meaning) {name, what, types, meaning},
#include "annotations/tcl/variables.def"
#undef VARIABLE
};
enum { VARIABLE_COUNT = sizeof variables / sizeof variables[0] };

static Tcl_Obj *hex(uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08x", value);
    return Tcl_NewStringObj(text, -1);
}

static Tcl_Obj *number(uint64_t value)
{
    return Tcl_NewWideIntObj((Tcl_WideInt)value);
}

/* A number that may be above the largest that Tcl_NewWideIntObj() takes. */
static Tcl_Obj *large(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return Tcl_NewStringObj(text, -1);
}

static Tcl_Obj *of_process(const struct annotate *annotate, struct core *core, unsigned what)
{
    if (!annotate->services)
        return Tcl_NewObj();
    struct service_process process = services_current_process(annotate->services, core);
    switch (what) {
    case VARIABLE_PID: return number(process.pid);
    case VARIABLE_TASK: return hex(process.task);
    case VARIABLE_PROCESS: return Tcl_NewStringObj(process.name, -1);
    default: return Tcl_NewStringObj(services_current(annotate->services, core), -1);
    }
}

static Tcl_Obj *text_of(const char *text)
{
    return Tcl_NewStringObj(text, -1);
}

static Tcl_Obj *of_access(const struct data_access *access, unsigned what)
{
    switch (what) {
    case VARIABLE_ADDRESS: return hex(access->address);
    case VARIABLE_PHYSICAL: return hex(access->physical);
    case VARIABLE_VALUE: return access->size == 8 ? large(access->value) : hex((uint32_t)access->value);
    case VARIABLE_SIZE: return number(access->size);
    case VARIABLE_ACCESS: return text_of(access->kind == ACCESS_STORE ? "write" : "read");
    default: return Tcl_NewObj();
    }
}

static Tcl_Obj *of_miss(const struct annotate *annotate, const struct observed_miss *miss, unsigned what)
{
    static const char *const accesses[] = {[MEMSYS_FETCH] = "fetch", [MEMSYS_READ] = "read", [MEMSYS_WRITE] = "write"};
    switch (what) {
    case VARIABLE_ADDRESS: return hex(miss->virtual_address);
    case VARIABLE_PHYSICAL: return hex(miss->address);
    case VARIABLE_ACCESS: return text_of(accesses[miss->access]);
    case VARIABLE_CACHE: return text_of(memsys_cache_name(annotate->view.machine.memsys, miss->cache));
    case VARIABLE_CLASS: return text_of(miss->class < CLASS_COUNT ? classify_class_name(miss->class) : "");
    default: return Tcl_NewObj();
    }
}

static Tcl_Obj *of_disk(const struct disk_event *event, unsigned what)
{
    switch (what) {
    case VARIABLE_DISK: return number(event->disk);
    case VARIABLE_SECTOR: return number(event->request->sector);
    case VARIABLE_SECTORS: return number(event->request->sectors);
    case VARIABLE_REQUEST: return text_of(disk_kind_name(event->request->kind));
    case VARIABLE_OK: return number(event->ok);
    default: return Tcl_NewObj();
    }
}

/* The length of a frame, or its bytes as hexadecimal digits. */
static Tcl_Obj *of_packet(const struct packet_event *event, unsigned what)
{
    if (what == VARIABLE_SIZE)
        return number(event->length);
    Tcl_Obj *text = Tcl_NewObj();
    for (uint32_t i = 0; what == VARIABLE_PACKET && i < event->length; i++) {
        char digits[4];
        snprintf(digits, sizeof digits, "%02x", event->frame[i]);
        Tcl_AppendToObj(text, digits, 2);
    }
    return text;
}

/* A detail of the event; empty if the event has none of this kind. */
static Tcl_Obj *of_detail(const struct annotate *annotate, unsigned what)
{
    const struct annotate_detail *detail = &annotate->detail;
    return detail->access                               ? of_access(detail->access, what)
           : detail->miss                               ? of_miss(annotate, detail->miss, what)
           : detail->disk                               ? of_disk(detail->disk, what)
           : detail->packet                             ? of_packet(detail->packet, what)
           : detail->walked && what == VARIABLE_ADDRESS ? hex(*detail->walked)
                                                        : Tcl_NewObj();
}

static vaddr pc_of(const struct annotate *annotate, const struct core *core)
{
    const struct annotate_detail *detail = &annotate->detail;
    return detail->miss ? detail->miss->pc : detail->pc ? *detail->pc : core->s.pc;
}

static Tcl_Obj *value_of(const struct annotate *annotate, struct core *core, unsigned what)
{
    static const char *const modes[MODE_COUNT] = {"user", "kernel", "idle"};
    if (what < REGISTER_NUMBERS)
        return hex((uint32_t)register_stored(core->architecture, &core->s, what));
    switch (what) {
    case VARIABLE_CPU: return number(core->number);
    case VARIABLE_CYCLES: return number(machine_view_time(core));
    case VARIABLE_SECONDS:
        return Tcl_NewDoubleObj((double)machine_view_time(core) / (double)annotate->view.machine.clock_hz);
    case VARIABLE_INSTS:
        core_sync(core);
        return number(core->s.insns + (annotate->detail.access && annotate->detail.access->uncounted));
    case VARIABLE_PC: return hex(pc_of(annotate, core));
    case VARIABLE_MODE: return Tcl_NewStringObj(modes[core->mode], -1);
    case VARIABLE_ASID: return number(core_asid(core));
    case VARIABLE_EVENT: return Tcl_NewStringObj(annotate->event ? annotate->event : "", -1);
    case VARIABLE_EXCEPTION_PC: return annotate->entry ? hex(annotate->entry->pc) : Tcl_NewObj();
    default: return what >= VARIABLE_ADDRESS ? of_detail(annotate, what) : of_process(annotate, core, what);
    }
}

/* Read trace of MEMORY(ADDRESS). Creates the array element, and deletes the previous one. */
static char *read_memory(struct annotate *annotate, Tcl_Interp *interp, const char *address)
{
    struct err err = {""};
    static char not_mapped[] = "the address is not mapped to RAM", no_address[] = "not an address";
    vaddr location;
    uint32_t word;
    if (annotate->last_memory && strcmp(Tcl_GetString(annotate->last_memory), address) != 0) {
        Tcl_UnsetVar2(interp, "MEMORY", Tcl_GetString(annotate->last_memory), TCL_GLOBAL_ONLY);
        Tcl_DecrRefCount(annotate->last_memory);
        annotate->last_memory = NULL;
    }
    if (!annotate_resolve_fixed(annotate, address, &location, &err))
        return no_address;
    if (!machine_view_read(annotate->core, location, &word, sizeof word))
        return not_mapped;
    if (!annotate->last_memory) {
        annotate->last_memory = Tcl_NewStringObj(address, -1);
        Tcl_IncrRefCount(annotate->last_memory);
    }
    Tcl_SetVar2Ex(interp, "MEMORY", address, hex(word), TCL_GLOBAL_ONLY);
    return NULL;
}

static char *variable_trace(ClientData data, Tcl_Interp *interp, const char *name, const char *element, int flags);

static void remove_trace(struct annotate *annotate, const char *name)
{
    Tcl_UntraceVar2(annotate->interp, name, NULL, TCL_GLOBAL_ONLY | TCL_TRACE_READS | TCL_TRACE_WRITES, variable_trace,
                    annotate);
}

static char *variable_trace(ClientData data, Tcl_Interp *interp, const char *name, const char *element, int flags)
{
    struct annotate *annotate = data;
    for (unsigned i = 0; i < VARIABLE_COUNT; i++) {
        if (strcmp(variables[i].name, name) != 0)
            continue;
        if (flags & TCL_TRACE_WRITES)
            remove_trace(annotate, name);
        else if (variables[i].what == VARIABLE_MEMORY)
            return element ? read_memory(annotate, interp, element) : NULL;
        else
            Tcl_SetVar2Ex(interp, name, NULL, value_of(annotate, annotate->core, variables[i].what), TCL_GLOBAL_ONLY);
    }
    return NULL;
}

/* Tcl does not call the trace for values set while it is active. A variable imported into a procedure by `global` is
 * traced there too. */
void annotate_add_variables(struct annotate *annotate)
{
    if (annotate->has_variables)
        return;
    annotate->has_variables = true;
    for (unsigned i = 0; i < VARIABLE_COUNT; i++) {
        const char *name = variables[i].name;
        if (Tcl_GetVar2Ex(annotate->interp, name, NULL, TCL_GLOBAL_ONLY))
            continue; /* defined by the script */
        if (variables[i].what == VARIABLE_MEMORY) {
            Tcl_SetVar2(annotate->interp, name, "", "", TCL_GLOBAL_ONLY); /* makes it an array */
            Tcl_UnsetVar2(annotate->interp, name, "", TCL_GLOBAL_ONLY);
        }
        Tcl_TraceVar2(annotate->interp, name, NULL, TCL_GLOBAL_ONLY | TCL_TRACE_READS | TCL_TRACE_WRITES,
                      variable_trace, annotate);
    }
}

void annotate_drop_variables(struct annotate *annotate)
{
    if (annotate->last_memory)
        Tcl_DecrRefCount(annotate->last_memory);
    annotate->last_memory = NULL;
    for (unsigned i = 0; annotate->has_variables && i < VARIABLE_COUNT; i++)
        remove_trace(annotate, variables[i].name);
    annotate->has_variables = false;
}

int annotate_list_variables(struct annotate *annotate, int count)
{
    if (count > 0)
        return annotate_error(annotate, "wrong # args: should be \"annotation variables\"");
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (unsigned i = 0; i < VARIABLE_COUNT; i++) {
        const char *const members[] = {"variable",         variables[i].name, "types",
                                       variables[i].types, "meaning",         variables[i].meaning};
        Tcl_Obj *row = Tcl_NewDictObj();
        for (unsigned j = 0; j < 6; j += 2)
            Tcl_DictObjPut(NULL, row, text_of(members[j]), text_of(members[j + 1]));
        Tcl_ListObjAppendElement(NULL, list, row);
    }
    Tcl_SetObjResult(annotate->interp, list);
    return TCL_OK;
}

/* Arguments of a call */
int arg_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    enum { ARGUMENTS_MAX = 64 };
    struct annotate *annotate = data;
    struct core *core = annotate->core;
    int index;
    uint32_t value;
    if (count != 2) {
        Tcl_WrongNumArgs(interp, 1, words, "N");
        return TCL_ERROR;
    }
    if (Tcl_GetIntFromObj(NULL, words[1], &index) != TCL_OK || index < 0 || index >= ARGUMENTS_MAX)
        return annotate_error(annotate, "argument \"%s\" is not a number from 0 to %d", Tcl_GetString(words[1]),
                              ARGUMENTS_MAX - 1);
    if (index < ARGUMENT_REGISTERS)
        value = core_argument(core, (unsigned)index);
    else if (!machine_view_read(core, core_argument_address(core, (unsigned)index), &value, sizeof value))
        return annotate_error(annotate, "argument %d: the stack at 0x%08x is not mapped to RAM", index,
                              core_stack_pointer(core));
    Tcl_SetObjResult(interp, hex(value));
    return TCL_OK;
}
