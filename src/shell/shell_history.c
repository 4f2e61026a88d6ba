/* The shell's questions about the past, and about the place. */
#include "annotations/tcl/annotate.h"
#include "cache/memsys.h"
#include "cache/placement/layout_map.h"
#include "src/machine/machine_text.h"
#include "src/shell/shell_state.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int shell_find(struct shell *shell, const struct find_request *request, bool *found, struct find_event *event)
{
    struct err err = {""};
    return history_find(shell->history, request, history_place(shell->history), found, event, &err)
               ? TCL_OK
               : shell_error(shell, "%s", err.text);
}

static void put(Tcl_Obj *dict, const char *key, Tcl_Obj *value)
{
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}

static void put_number(Tcl_Obj *dict, const char *key, uint64_t value)
{
    put(dict, key, Tcl_NewWideIntObj((Tcl_WideInt)value));
}

/* A dict of how far the past reaches and what it takes. */
static int overview(struct shell *shell)
{
    const struct history *history = shell->history;
    const struct history_counts counts = history_counts(history);
    const struct history_position place = history_place(history), present = history_present(history),
                                  first = history_first(history);
    Tcl_Obj *dict = Tcl_NewDictObj();
    char *text = NULL;
    size_t size;
    put_number(dict, "insns", place.insns);
    put(dict, "time", Tcl_NewDoubleObj(shell_seconds(shell, place.time)));
    put_number(dict, "first", first.insns);
    put_number(dict, "present", present.insns);
    put_number(dict, "snapshots", counts.snapshots);
    put_number(dict, "bytes", counts.bytes);
    put_number(dict, "limit", counts.limit);
    put_number(dict, "refused", counts.refused);
    put_number(dict, "lost", counts.lost);
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        fprintf(out, "instruction %llu, at %.9f s%s\n", (unsigned long long)place.insns,
                shell_seconds(shell, place.time), history_is_past(history) ? "" : ": the present");
        fprintf(out, "the past begins at instruction %llu, the present is at %llu\n", (unsigned long long)first.insns,
                (unsigned long long)present.insns);
        fprintf(out, "%u snapshots, of %llu MB at most; the limit is %llu MB\n", counts.snapshots,
                (unsigned long long)(counts.bytes >> 20), (unsigned long long)(counts.limit >> 20));
        fclose(out);
    }
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

static int process_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    char process[64] = "", symbol[256] = "", line[512] = "";
    (void)interp;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    struct core *core = shell->machine->cores[shell->cpu];
    machine_text_symbol(shell->machine, core->s.pc, symbol, sizeof symbol);
    if (annotate_need_layout(shell->annotate) == TCL_OK) {
        annotate_process_text(shell->annotate, core, process, sizeof process);
        if (!*symbol && !annotate_user_symbol(shell->annotate, core, core->s.pc, symbol, sizeof symbol))
            annotate_routine_text(shell->annotate, core, symbol, sizeof symbol);
        annotate_source_line(shell->annotate, core, core->s.pc, line, sizeof line);
    }
    Tcl_Obj *dict = Tcl_NewDictObj();
    put(dict, "symbol", Tcl_NewStringObj(symbol, -1));
    put(dict, "process", Tcl_NewStringObj(process, -1));
    if (*line)
        put(dict, "line", Tcl_NewStringObj(line, -1));
    Tcl_SetObjResult(shell->interp, dict);
    return TCL_OK;
}

/* Ask the process of the instant of EVENT; the result of the interpreter is the answer. */
static int ask_at(struct shell *shell, const struct find_event *event, const char *command)
{
    struct err err = {""};
    char *text = NULL;
    size_t size = 0, length;
    const unsigned cpu = shell->cpu;
    const struct history_target target = {.unit = HISTORY_INSNS, .value = event->insns};
    Tcl_Obj *word = Tcl_NewStringObj(command, -1);
    shell->cpu = event->cpu;
    char *question = shell_past_question(shell, Tcl_NewListObj(1, &word), &length);
    const bool done = history_peek(shell->history, &target, question, length, &text, &size, &err);
    free(question);
    const int code = done ? shell_past_result(shell, text, size) : shell_error(shell, "%s", err.text);
    free(text);
    shell->cpu = cpu;
    return code;
}

static const char *const kind_words[] = {
    [FIND_LOAD] = "load", [FIND_STORE] = "store",   [FIND_EXEC] = "exec", [FIND_CHANGE] = "change",
    [FIND_MISS] = "miss", [FIND_ENTER] = "entered", [FIND_LEAVE] = "left"};

static bool is_access(const struct find_event *event)
{
    return event->kind == FIND_LOAD || event->kind == FIND_STORE;
}

static bool is_of_line(const struct find_event *event)
{
    return event->kind == FIND_MISS || event->kind == FIND_ENTER || event->kind == FIND_LEAVE;
}

/* What EVENT has, without what only a process at that instant knows. */
static Tcl_Obj *event_dict(const struct shell *shell, const struct find_event *event)
{
    Tcl_Obj *dict = Tcl_NewDictObj();
    put_number(dict, "insns", event->insns);
    put(dict, "time", Tcl_NewDoubleObj(shell_seconds(shell, event->time)));
    put_number(dict, "cycle", event->time);
    put(dict, "by", Tcl_NewStringObj(event->by_device ? "device" : "cpu", -1));
    put(dict, "what", Tcl_NewStringObj(kind_words[event->kind], -1));
    if (!event->by_device) {
        put_number(dict, "cpu", event->cpu);
        put(dict, "mode", Tcl_NewStringObj(event->user ? "user" : "kernel", -1));
        put(dict, "pc", shell_hex_word(event->pc));
    }
    if (is_access(event) || is_of_line(event))
        put(dict, "physical", shell_hex_word(event->physical));
    if (is_access(event)) {
        put(dict, "address", shell_hex_word(event->address));
        put_number(dict, "size", event->size);
        if (!event->by_device)
            put(dict, "value", shell_hex(event->value, event->size));
    }
    if (is_of_line(event))
        put_number(dict, "of", event->owner);
    if (*event->why)
        put(dict, "why", Tcl_NewStringObj(event->why, -1));
    if (event->kind == FIND_EXEC) {
        put(dict, "argument", shell_hex_word(event->argument));
        put(dict, "caller", shell_hex_word(event->caller));
    }
    if (event->kind == FIND_CHANGE) {
        put(dict, "before", shell_hex(event->before, sizeof event->before));
        put(dict, "value", shell_hex(event->value, sizeof event->value));
    }
    return dict;
}

static const char *text_of(Tcl_Obj *dict, const char *key)
{
    Tcl_Obj *name = Tcl_NewStringObj(key, -1), *value = NULL;
    Tcl_IncrRefCount(name);
    Tcl_DictObjGet(NULL, dict, name, &value);
    Tcl_DecrRefCount(name);
    return value ? Tcl_GetString(value) : "";
}

static void print_event(const struct shell *shell, FILE *out, const struct find_event *event, Tcl_Obj *dict)
{
    char address[300];
    fprintf(out, "insn %llu, %.9f s: ", (unsigned long long)event->insns, shell_seconds(shell, event->time));
    if (event->by_device)
        fprintf(out, "a device");
    else
        fprintf(out, "CPU %u, %s, 0x%08x %s%s%s, process %s", event->cpu, event->user ? "user" : "kernel", event->pc,
                text_of(dict, "symbol"), *text_of(dict, "line") ? " " : "", text_of(dict, "line"),
                text_of(dict, "process"));
    if (is_access(event)) {
        shell_symbol_text(shell, event->address, address, sizeof address);
        fprintf(out, ": %s of %u bytes at 0x%08x%s%s", kind_words[event->kind], event->size, event->address,
                *address ? " " : "", address);
        if (!event->by_device)
            fprintf(out, ", 0x%0*llx", (int)event->size * 2, (unsigned long long)event->value);
    } else if (is_of_line(event))
        fprintf(out, ": line 0x%08x %s CPU %u's cache%s%s", event->physical,
                event->kind == FIND_MISS ? "misses in" : kind_words[event->kind], event->owner, *event->why ? ", " : "",
                event->why);
    else if (event->kind == FIND_EXEC) {
        shell_symbol_text(shell, event->caller, address, sizeof address);
        fprintf(out, ", from 0x%08x %s", event->caller, address);
    } else if (event->kind == FIND_CHANGE)
        fprintf(out, ": from 0x%llx to 0x%llx", (unsigned long long)event->before, (unsigned long long)event->value);
    fputc('\n', out);
}

/* A dict of EVENT with process and symbol; NULL with a message. */
static Tcl_Obj *whole_dict(struct shell *shell, const struct find_event *event)
{
    if (event->by_device)
        return event_dict(shell, event);
    if (ask_at(shell, event, "process") != TCL_OK)
        return NULL;
    Tcl_Obj *names = Tcl_GetObjResult(shell->interp);
    Tcl_IncrRefCount(names);
    Tcl_Obj *dict = event_dict(shell, event);
    put(dict, "symbol", Tcl_NewStringObj(text_of(names, "symbol"), -1));
    put(dict, "process", Tcl_NewStringObj(text_of(names, "process"), -1));
    if (*text_of(names, "line"))
        put(dict, "line", Tcl_NewStringObj(text_of(names, "line"), -1));
    Tcl_DecrRefCount(names);
    return dict;
}

/* The result: a dict of EVENT; a prompt prints a line. */
static int tell(struct shell *shell, const struct find_event *event)
{
    char *text = NULL;
    size_t size;
    Tcl_Obj *dict = whole_dict(shell, event);
    if (!dict)
        return TCL_ERROR;
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        print_event(shell, out, event, dict);
        fclose(out);
    }
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

/* The same, or an empty result if there is none. */
static int tell_if(struct shell *shell, bool found, const struct find_event *event)
{
    if (found)
        return tell(shell, event);
    shell_pretty(shell, Tcl_NewObj(), shell->interactive ? strdup("none, as far as the past reaches") : NULL);
    return TCL_OK;
}

/* The result of COMMAND for WORD at the place, as an address. */
static int ask_address(struct shell *shell, const char *command, Tcl_Obj *word, vaddr *address)
{
    Tcl_WideInt wide = 0;
    int code = shell_do(shell, command, word);
    if (code == TCL_OK)
        code = Tcl_GetWideIntFromObj(shell->interp, Tcl_GetObjResult(shell->interp), &wide);
    *address = (vaddr)wide;
    return code;
}

/* The physical address of ADDRESS at the place. */
static int translate(struct shell *shell, vaddr address, paddr *physical)
{
    return ask_address(shell, "translate", shell_hex_word(address), physical);
}

static int translate_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    vaddr address;
    paddr physical;
    if (count != 2)
        return shell_usage(shell, words, "ADDRESS|SYMBOL");
    if (shell_need_machine(shell) != TCL_OK || shell_get_address(shell, words[1], &address) != TCL_OK)
        return TCL_ERROR;
    if (!core_debug_translate(shell->machine->cores[shell->cpu], address, &physical))
        return shell_error(shell, "0x%08x is not mapped", address);
    Tcl_SetObjResult(interp, shell_hex_word(physical));
    return TCL_OK;
}

/* Options of questions. */
struct options {
    uint64_t size;
    int cpu;
    bool physical;
    uint64_t from, to; /* instructions */
    enum memsys_cache cache;
    bool by_argument;
    uint32_t argument;
};

/* Parse the options from word FIRST on. */
static int get_options(struct shell *shell, int count, Tcl_Obj *const words[], int first, struct options *options)
{
    static const char *const names[] = {"-argument", "-cache", "-cpu", "-from", "-physical", "-size", "-to", NULL};
    enum { ARGUMENT, CACHE, CPU, FROM, PHYSICAL, SIZE, TO };
    unsigned cpu;
    *options = (struct options){.size = 4, .cpu = FIND_ANY_CPU, .to = UINT64_MAX, .cache = MEMSYS_L1D};
    for (int i = first, name; i < count; i++) {
        int code = TCL_OK;
        if (Tcl_GetIndexFromObj(shell->interp, words[i], names, "option", 0, &name) != TCL_OK)
            return TCL_ERROR;
        if (name == PHYSICAL) {
            options->physical = true;
            continue;
        }
        if (++i == count)
            return shell_error(shell, "%s: its value is missing", names[name]);
        switch (name) {
        case ARGUMENT:
            code = shell_get_address(shell, words[i], &options->argument);
            options->by_argument = true;
            break;
        case CACHE: code = shell_get_cache(shell, words[i], &options->cache); break;
        case CPU:
            code = shell_get_cpu(shell, words[i], &cpu);
            options->cpu = (int)cpu;
            break;
        case FROM: code = shell_get_number(shell, words[i], "-from", 0, INT64_MAX, &options->from); break;
        case TO: code = shell_get_number(shell, words[i], "-to", 0, INT64_MAX, &options->to); break;
        default: code = shell_get_number(shell, words[i], "-size", 1, 4096, &options->size); break;
        }
        if (code != TCL_OK)
            return code;
    }
    return TCL_OK;
}

/* The physical address that WORD means. */
static int get_physical(struct shell *shell, Tcl_Obj *word, const struct options *options, paddr *physical)
{
    vaddr address;
    if (shell_get_address(shell, word, &address) != TCL_OK)
        return TCL_ERROR;
    *physical = address;
    return options->physical ? TCL_OK : translate(shell, address, physical);
}

static struct find_request *request_of(enum find_kind kind, const struct options *options, bool by_virtual,
                                       uint32_t first, uint32_t last)
{
    struct find_request *request = checked_memory(calloc(1, sizeof *request));
    request->cpu = options->cpu;
    request->cache = options->cache;
    request->by_argument = options->by_argument;
    request->argument = options->argument;
    request->count = 1;
    request->points[0] = (struct find_point){kind, by_virtual, first, last};
    return request;
}

static int find_and_free(struct shell *shell, struct find_request *request, bool *found, struct find_event *event)
{
    const int code = shell_find(shell, request, found, event);
    free(request);
    return code;
}

/* history last-write|last-read|last-access ADDRESS ?OPTION ...? */
static int last_access(struct shell *shell, enum find_kind kind, int count, Tcl_Obj *const words[])
{
    struct options options;
    struct find_event event;
    bool found;
    paddr at;
    if (count < 3)
        return shell_usage(shell, words,
                           "last-write|last-read|last-access ADDRESS|SYMBOL ?-size N? ?-physical? ?-cpu C?");
    if (get_options(shell, count, words, 3, &options) != TCL_OK ||
        get_physical(shell, words[2], &options, &at) != TCL_OK ||
        find_and_free(shell, request_of(kind, &options, false, at, at + (uint32_t)options.size - 1), &found, &event) !=
            TCL_OK)
        return TCL_ERROR;
    return tell_if(shell, found, &event);
}

/* history last-change REGISTER ?-cpu C? */
static int last_change(struct shell *shell, int count, Tcl_Obj *const words[])
{
    struct options options;
    struct find_event event;
    bool found;
    unsigned number;
    if (count < 3)
        return shell_usage(shell, words, "last-change REGISTER ?-cpu C?");
    if (get_options(shell, count, words, 3, &options) != TCL_OK ||
        shell_get_register(shell, words[2], &number) != TCL_OK)
        return TCL_ERROR;
    if (options.cpu == FIND_ANY_CPU)
        options.cpu = (int)shell->cpu;
    struct find_request *request = request_of(FIND_CHANGE, &options, false, 0, 0);
    request->number = number;
    return find_and_free(shell, request, &found, &event) == TCL_OK ? tell_if(shell, found, &event) : TCL_ERROR;
}

/* The request for what happens to the line at WORD. */
static struct find_request *line_request(struct shell *shell, Tcl_Obj *word, enum find_kind kind,
                                         const struct options *options)
{
    paddr at;
    if (!memsys_cache_name(shell->machine->memsys, options->cache)) {
        shell_error(shell, "the machine has no caches (cache.model)");
        return NULL;
    }
    if (get_physical(shell, word, options, &at) != TCL_OK)
        return NULL;
    const struct layout_map *layout = memsys_layout(shell->machine->memsys);
    at = options->cache == MEMSYS_L1I ? layout_code(layout, at) : layout_data(layout, at);
    return request_of(kind, options, false, at, at);
}

/* history when ADDRESS entered|left|missed ?OPTION ...? */
static int when(struct shell *shell, int count, Tcl_Obj *const words[])
{
    static const char *const names[] = {"entered", "left", "missed", NULL};
    static const enum find_kind kinds[] = {FIND_ENTER, FIND_LEAVE, FIND_MISS};
    struct options options;
    struct find_event event;
    bool found;
    int name;
    if (count < 4)
        return shell_usage(shell, words, "when ADDRESS|SYMBOL entered|left|missed ?-cache NAME? ?-cpu C? ?-physical?");
    if (Tcl_GetIndexFromObj(shell->interp, words[3], names, "what happened", 0, &name) != TCL_OK ||
        get_options(shell, count, words, 4, &options) != TCL_OK)
        return TCL_ERROR;
    struct find_request *request = line_request(shell, words[2], kinds[name], &options);
    if (!request || find_and_free(shell, request, &found, &event) != TCL_OK)
        return TCL_ERROR;
    return tell_if(shell, found, &event);
}

/* history why ADDRESS ?OPTION ...?: the last miss, and the event that made it one: a dict of two. */
static int why(struct shell *shell, int count, Tcl_Obj *const words[])
{
    struct err err = {""};
    struct options options;
    struct find_event miss, cause;
    bool found, caused;
    char *text = NULL;
    size_t size;
    if (count < 3)
        return shell_usage(shell, words, "why ADDRESS|SYMBOL ?-cache NAME? ?-cpu C? ?-physical?");
    if (get_options(shell, count, words, 3, &options) != TCL_OK)
        return TCL_ERROR;
    struct find_request *request = line_request(shell, words[2], FIND_MISS, &options);
    if (!request || find_and_free(shell, request, &found, &miss) != TCL_OK)
        return TCL_ERROR;
    if (!found)
        return tell_if(shell, false, &miss);
    options.cpu = (int)miss.owner;
    request = line_request(shell, words[2], FIND_LEAVE, &options);
    if (!request)
        return TCL_ERROR;
    const struct history_position until = {.insns = miss.insns + 1};
    const bool done = history_find(shell->history, request, until, &caused, &cause, &err);
    free(request);
    if (!done)
        return shell_error(shell, "%s", err.text);
    Tcl_Obj *dict = Tcl_NewDictObj(), *of_miss = whole_dict(shell, &miss);
    Tcl_Obj *of_cause = of_miss && caused ? whole_dict(shell, &cause) : Tcl_NewObj();
    if (!of_miss || !of_cause)
        return TCL_ERROR;
    put(dict, "miss", of_miss);
    put(dict, "cause", of_cause);
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        print_event(shell, out, &miss, of_miss);
        if (caused)
            print_event(shell, out, &cause, of_cause);
        else
            fprintf(out, "the line was not in this cache before, as far as the past reaches\n");
        fclose(out);
    }
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

/* history calls ROUTINE ?-argument A? ?-from N? ?-to N? ?-cpu C? */
static int calls(struct shell *shell, int count, Tcl_Obj *const words[])
{
    struct err err = {""};
    struct options options;
    struct find_event *events;
    size_t event_count, size;
    vaddr address;
    char *text = NULL, caller[300];
    if (count < 3)
        return shell_usage(shell, words, "calls ROUTINE ?-argument A? ?-from INSN? ?-to INSN? ?-cpu C?");
    if (get_options(shell, count, words, 3, &options) != TCL_OK ||
        shell_get_address(shell, words[2], &address) != TCL_OK)
        return TCL_ERROR;
    const uint64_t present = history_present(shell->history).insns;
    struct find_request *request = request_of(FIND_EXEC, &options, true, address, address);
    const bool done = history_find_all(shell->history, request, options.from,
                                       options.to < present ? options.to : present, &events, &event_count, &err);
    free(request);
    if (!done)
        return shell_error(shell, "%s", err.text);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    FILE *out = shell->interactive ? shell_text_open(&text, &size) : NULL;
    for (size_t i = 0; i < event_count; i++) {
        shell_symbol_text(shell, events[i].caller, caller, sizeof caller);
        Tcl_Obj *dict = event_dict(shell, &events[i]);
        put(dict, "caller_symbol", Tcl_NewStringObj(caller, -1));
        Tcl_ListObjAppendElement(NULL, list, dict);
        if (out)
            fprintf(out, "insn %llu, %.9f s, CPU %u, from 0x%08x %s\n", (unsigned long long)events[i].insns,
                    shell_seconds(shell, events[i].time), events[i].cpu, events[i].caller, caller);
    }
    if (out)
        fclose(out);
    free(events);
    shell_pretty(shell, list, text);
    return TCL_OK;
}

/* history run SCRIPT -from N -to N: what the script says when it has watched that part of the past. */
static int run_script(struct shell *shell, int count, Tcl_Obj *const words[])
{
    struct err err = {""};
    struct options options;
    char *text = NULL;
    size_t size = 0, length;
    if (count < 3)
        return shell_usage(shell, words, "run SCRIPT ?-from INSN? ?-to INSN?");
    if (get_options(shell, count, words, 3, &options) != TCL_OK)
        return TCL_ERROR;
    const uint64_t present = history_present(shell->history).insns, first = history_first(shell->history).insns;
    const struct history_target from = {.unit = HISTORY_INSNS, .value = options.from > first ? options.from : first};
    const uint64_t to = options.to < present ? options.to : present;
    Tcl_Obj *parts[] = {Tcl_NewStringObj("watch", -1), words[2], Tcl_NewWideIntObj((Tcl_WideInt)to)};
    char *question = shell_past_question(shell, Tcl_NewListObj(3, parts), &length);
    const bool done = history_peek(shell->history, &from, question, length, &text, &size, &err);
    free(question);
    const int code = done ? shell_past_result(shell, text, size) : shell_error(shell, "%s", err.text);
    free(text);
    return code;
}

/* history who-woke PROCESS: the last call of a routine that makes its task runnable. */
static int who_woke(struct shell *shell, int count, Tcl_Obj *const words[])
{
    static const char *const routines[] = {"try_to_wake_up", "wake_up_new_task"};
    struct find_event event;
    bool found;
    vaddr task;
    if (count != 3)
        return shell_usage(shell, words, "who-woke PID|NAME");
    if (ask_address(shell, "task", words[2], &task) != TCL_OK)
        return TCL_ERROR;
    struct find_request *request = checked_memory(calloc(1, sizeof *request));
    request->cpu = FIND_ANY_CPU;
    request->by_argument = true;
    request->argument = task;
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++) {
        const struct symbol *routine = symbols_find(shell->machine->symbols, routines[i]);
        if (routine)
            request->points[request->count++] =
                (struct find_point){FIND_EXEC, true, routine->address, routine->address};
    }
    const int code = find_and_free(shell, request, &found, &event);
    return code == TCL_OK ? tell_if(shell, found, &event) : code;
}

/* The bytes from FIRST to LAST after the store EVENT; false: it has not written all of them. */
static bool stored(const struct find_event *event, paddr first, paddr last, uint64_t *value)
{
    if (event->by_device || event->physical > first || event->physical + event->size - 1 < last)
        return false;
    *value = event->value >> 8 * (first - event->physical);
    if (last - first < sizeof *value - 1)
        *value &= (UINT64_C(1) << 8 * (last - first + 1)) - 1;
    return true;
}

/* history who-holds LOCK ?-size N?: the store that made the word of a lock what it is not when it is free, 0. */
static int who_holds(struct shell *shell, int count, Tcl_Obj *const words[])
{
    enum { STORES_MAX = 1000 };
    struct err err = {""};
    struct options options;
    struct find_event event, taken;
    bool found = true, any = false, is_free = false;
    uint64_t value;
    paddr at;
    if (count < 3)
        return shell_usage(shell, words, "who-holds ADDRESS|SYMBOL ?-size N?");
    if (get_options(shell, count, words, 3, &options) != TCL_OK ||
        get_physical(shell, words[2], &options, &at) != TCL_OK)
        return TCL_ERROR;
    const paddr last = at + (paddr)options.size - 1;
    struct find_request *request = request_of(FIND_STORE, &options, false, at, last);
    struct history_position until = history_place(shell->history);
    bool done = true;
    for (unsigned i = 0; done && found && !is_free && i < STORES_MAX; i++) {
        done = history_find(shell->history, request, until, &found, &event, &err);
        is_free = done && found && stored(&event, at, last, &value) && value == 0;
        if (done && found && !is_free) {
            taken = event;
            any = true;
        }
        until = (struct history_position){.insns = event.insns};
    }
    free(request);
    return done ? tell_if(shell, any, &taken) : shell_error(shell, "%s", err.text);
}

static int task_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    Tcl_WideInt pid = 0;
    (void)interp;
    if (count != 2)
        return shell_usage(shell, words, "PID|NAME");
    if (shell_need_machine(shell) != TCL_OK || annotate_need_layout(shell->annotate) != TCL_OK)
        return TCL_ERROR;
    const bool by_pid = Tcl_GetWideIntFromObj(NULL, words[1], &pid) == TCL_OK && pid >= 0 && pid <= INT32_MAX;
    const vaddr task = annotate_task(shell->annotate, (uint32_t)pid, by_pid ? NULL : Tcl_GetString(words[1]));
    if (!task)
        return shell_error(shell, "the guest has no process %s", Tcl_GetString(words[1]));
    Tcl_SetObjResult(shell->interp, shell_hex_word(task));
    return TCL_OK;
}

static int history_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const questions[] = {"calls", "last-access", "last-change", "last-read", "last-write", "run",
                                            "when",  "who-holds",   "who-woke",    "why",       NULL};
    enum { CALLS, ACCESS, CHANGE, READ, WRITE, RUN, WHEN, HOLDS, WOKE, WHY };
    struct shell *shell = data;
    int question;
    if (shell_need_history(shell) != TCL_OK)
        return TCL_ERROR;
    if (count == 1)
        return overview(shell);
    if (Tcl_GetIndexFromObj(interp, words[1], questions, "question", 0, &question) != TCL_OK)
        return TCL_ERROR;
    switch (question) {
    case CALLS: return calls(shell, count, words);
    case ACCESS: return last_access(shell, FIND_ACCESS, count, words);
    case CHANGE: return last_change(shell, count, words);
    case READ: return last_access(shell, FIND_LOAD, count, words);
    case WRITE: return last_access(shell, FIND_STORE, count, words);
    case RUN: return run_script(shell, count, words);
    case WHEN: return when(shell, count, words);
    case HOLDS: return who_holds(shell, count, words);
    case WOKE: return who_woke(shell, count, words);
    default: return why(shell, count, words);
    }
}

const struct shell_command shell_history_commands[] = {
    {"history", "?last-write|last-read|last-access|last-change|when|why|who-woke|who-holds|calls|run ...?",
     "how far the past reaches, or what happened there",
     "    last-write|last-read|last-access ADDRESS ?-size N? ?-physical? ?-cpu C?   by a CPU or a device, before the "
     "place\n"
     "    last-change REGISTER ?-cpu C?                       the instruction that changed it last\n"
     "    when ADDRESS entered|left|missed ?-cache NAME?      the line in a cache (l1d)\n"
     "    why ADDRESS ?-cache NAME?                           its last miss, and what had taken it away\n"
     "    who-woke PID|NAME                                   what made a process runnable last\n"
     "    who-holds LOCK ?-size N?                            the store that took it, if it is held\n"
     "    calls ROUTINE ?-argument A? ?-from INSN? ?-to INSN? every time that a CPU came to it\n"
     "    run SCRIPT ?-from INSN? ?-to INSN?                  annotations that watch that part of the past",
     history_command, SHELL_HERE},
    {"translate", "ADDRESS|SYMBOL", "the physical address, by the selected CPU's TLB or the guest's page tables", "",
     translate_command, SHELL_AT_PLACE},
    {"task", "PID|NAME", "the address of the task_struct of a process", "", task_command, SHELL_AT_PLACE},
    {"process", "", "the process and the routine that the selected CPU executes: a dict", "", process_command,
     SHELL_AT_PLACE},
    {0},
};
