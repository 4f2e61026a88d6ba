/* The event types: parsing of their event words, arming. */
#include "annotations/tcl/annotate_state.h"
#include "annotations/symbols/modules.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words and numbers */

struct word {
    const char *text;
    unsigned key;
};

static bool find_word(const struct word *words, const char *text, unsigned *key)
{
    for (; words->text; words++)
        if (strcmp(words->text, text) == 0) {
            *key = words->key;
            return true;
        }
    return false;
}

static bool names_program(const char *text)
{
    return strstr(text, "::") && strncmp(text, "kernel::", 8) != 0;
}

/* Resolve MODULE::SYMBOL[+OFFSET] of a loaded module. False with ERR empty if no such module is loaded. */
static bool find_in_module(const struct annotate *annotate, const char *text, struct address_list *list,
                           struct err *err)
{
    char module[64], symbol[128];
    const char *colons = strstr(text, "::"), *plus = strchr(colons, '+');
    char *end = NULL;
    snprintf(module, sizeof module, "%.*s", (int)(colons - text), text);
    if (!modules_has(&annotate->view, annotate->core, module))
        return false;
    snprintf(symbol, sizeof symbol, "%.*s", plus ? (int)(plus - colons - 2) : 127, colons + 2);
    const unsigned long offset = plus ? strtoul(plus + 1, &end, 0) : 0;
    if (plus && (end == plus + 1 || *end))
        return err_set(err, "\"%.64s\": an offset is a number", text);
    return modules_find(&annotate->view, annotate->core, module, symbol, list, err) &&
           (!plus || address_list_move(list, symbol, (uint32_t)offset, err));
}

/* Resolve a number or SYMBOL[+OFFSET] of the kernel. */
static bool find_in_kernel(const struct annotate *annotate, const char *text, struct address_list *list,
                           struct err *err)
{
    char name[128];
    char *end;
    if (isdigit((unsigned char)text[0])) {
        unsigned long long value = strtoull(text, &end, 0);
        if (*end || value > UINT32_MAX)
            return err_set(err, "\"%.64s\" is not an address", text);
        address_list_add(list, (vaddr)value);
        return true;
    }
    const char *plus = strchr(text, '+');
    size_t length = plus ? (size_t)(plus - text) : strlen(text);
    unsigned long offset = 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    if (plus) {
        offset = strtoul(plus + 1, &end, 0);
        if (end == plus + 1 || *end)
            return err_set(err, "\"%.64s\": an offset is a number", text);
    }
    return machine_view_symbols(&annotate->view.machine, name, list, err) &&
           (!plus || address_list_move(list, name, (uint32_t)offset, err));
}

static bool is_position_independent(const char *text, struct err *err)
{
    return err_set(err, "\"%.64s\" is position-independent: give its load address (symbol load ... -base)", text);
}

bool annotate_resolve_all(const struct annotate *annotate, const char *text, struct address_list *list, struct err *err)
{
    char process[16];
    bool fixed;
    if (!names_program(text))
        return find_in_kernel(annotate, strncmp(text, "kernel::", 8) == 0 ? text + 8 : text, list, err);
    if (find_in_module(annotate, text, list, err) || err->text[0])
        return !err->text[0];
    return programs_find(&annotate->view, text, list, &fixed, process, err) &&
           (fixed || is_position_independent(text, err));
}

bool annotate_resolve_fixed(const struct annotate *annotate, const char *text, vaddr *address, struct err *err)
{
    struct address_list list = {0};
    const bool found =
        annotate_resolve_all(annotate, text, &list, err) && address_list_single(&list, text, address, err);
    address_list_release(&list);
    return found;
}

bool annotate_resolve(struct annotate *annotate, struct annotation *annotation, const char *text, bool may_move,
                      struct err *err)
{
    struct address_list *list = &annotation->addresses;
    bool fixed;
    if (!names_program(text))
        return annotate_resolve_all(annotate, text, list, err);
    if (find_in_module(annotate, text, list, err) || err->text[0])
        return !err->text[0];
    if (!annotate->services)
        return err_set(err, "\"%.64s\" needs the process accounting: run `library services` first", text);
    annotation->program = programs_find(&annotate->view, text, list, &fixed, annotation->process, err);
    annotation->movable = annotation->program && !fixed;
    return annotation->program && (may_move || fixed || is_position_independent(text, err));
}

/* pc */

static bool parse_pc(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    char location[ANNOTATION_FILE];
    snprintf(location, sizeof location, "%s", event);
    char *colon = strrchr(location, ':');
    if (colon && colon > location && colon[-1] != ':') {
        if (strcmp(colon, ":END") != 0 && strcmp(colon, ":START") != 0)
            return err_set(err, "\"%.64s\": only :START or :END may follow a function's name", event);
        annotation->at_return = strcmp(colon, ":END") == 0;
        *colon = '\0';
    }
    if (!annotate_resolve(annotate, annotation, location, true, err))
        return false;
    for (unsigned i = 0; i < annotation->addresses.count; i++)
        if (annotation->addresses.address[i] & 3)
            return err_set(err, "\"%.64s\": an instruction's address is a multiple of 4", event);
    return true;
}

static void function_returned(void *opaque, struct core *core, bool left)
{
    struct annotation *annotation = opaque;
    (void)left;
    annotate_fire(annotation->annotate, annotation, core);
}

bool annotate_at_pc(void *opaque, struct core *core)
{
    struct annotation *annotation = opaque;
    if (annotation->at_return)
        returns_watch_call(annotation->annotate->returns, core, function_returned, annotation);
    else
        annotate_fire(annotation->annotate, annotation, core);
    return false;
}

/* Add or remove the PC hooks of ANNOTATION on its processors. */
static void hook_pc(struct annotate *annotate, struct annotation *annotation,
                    void (*change)(struct core *, vaddr, pc_hook_fn *, void *))
{
    for (unsigned cpu = 0; cpu < annotate->view.machine.cpus; cpu++)
        for (unsigned i = 0; i < annotation->addresses.count && annotation->cpus >> cpu & 1; i++)
            change(annotate->view.machine.cores[cpu], annotation->addresses.address[i], annotate_at_pc, annotation);
}

static void arm_pc(struct annotate *annotate, struct annotation *annotation)
{
    if (annotation->movable) {
        relocatable_arm(annotate, annotation);
        return;
    }
    hook_pc(annotate, annotation, core_hook_add);
}

static void disarm_pc(struct annotate *annotate, struct annotation *annotation)
{
    if (annotation->movable)
        relocatable_disarm(annotate, annotation);
    else
        hook_pc(annotate, annotation, core_hook_remove);
    returns_cancel(annotate->returns, function_returned, annotation);
}

/* Modules: hooked where the kernel is about to call their initialisation */

static bool at_module(void *opaque, struct core *core)
{
    struct annotation *annotation = opaque;
    struct annotate *annotate = annotation->annotate;
    const char *before = annotate->event;
    char name[64];
    modules_name(&annotate->view, core, core_argument(core, 0), name, sizeof name);
    annotate->event = name;
    if (Tcl_StringMatch(name, annotation->event))
        annotate_fire(annotate, annotation, core);
    annotate->event = before;
    return false;
}

static bool parse_module(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    uint32_t offset;
    (void)event;
    if (!layout_offset(&annotate->view, "module", "name", &offset))
        return err_set(err, "the layout of struct module is unknown: run `library layout` first");
    return machine_view_symbol(&annotate->view.machine, "do_init_module", &annotation->address, err);
}

static void arm_module(struct annotate *annotate, struct annotation *annotation)
{
    for (unsigned cpu = 0; cpu < annotate->view.machine.cpus; cpu++)
        core_hook_add(annotate->view.machine.cores[cpu], annotation->address, at_module, annotation);
}

static void disarm_module(struct annotate *annotate, struct annotation *annotation)
{
    for (unsigned cpu = 0; cpu < annotate->view.machine.cpus; cpu++)
        core_hook_remove(annotate->view.machine.cores[cpu], annotation->address, at_module, annotation);
}

/* Exceptions: the names of the processor's manual, and SimOS's */

static const struct {
    const char *simos, *manual;
} exception_words[] = {
    {"intr", "Int"},    {"rmiss", "TLBL"}, {"wmiss", "TLBS"}, {"rade", "AdEL"}, {"wade", "AdES"},
    {"syscall", "Sys"}, {"break", "Bp"},   {"ii", "RI"},      {"trap", "Tr"},
};

/* The code of the exception that a script calls NAME. */
static bool find_exception(const struct architecture *architecture, const char *name, unsigned *code)
{
    for (unsigned i = 0; i < sizeof exception_words / sizeof exception_words[0]; i++)
        if (strcmp(exception_words[i].simos, name) == 0)
            name = exception_words[i].manual;
    for (*code = 0; *code < EXCEPTION_CODES; ++*code) {
        const char *known = architecture->exceptions[*code].name;
        if (known && strcasecmp(known, name) == 0)
            return true;
    }
    return false;
}

static bool parse_exception(struct annotate *annotate, struct annotation *annotation, const char *event,
                            struct err *err)
{
    if (strcmp(event, "any") == 0) {
        annotation->key = ANY_KEY;
        return true;
    }
    return find_exception(annotate->view.machine.cores[0]->architecture, event, &annotation->key) ||
           err_set(err, "no exception is called \"%.64s\"", event);
}

static bool parse_any(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    (void)annotate;
    annotation->key = ANY_KEY;
    return !*event || strcmp(event, "any") == 0 || err_set(err, "the only event is any, not \"%.64s\"", event);
}

static bool parse_number(const char *text, uint64_t max, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    *number = strtoull(text, &end, 0);
    return !*end && *number <= max;
}

static bool parse_line(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    uint64_t line;
    (void)annotate;
    if (strcmp(event, "any") == 0 || !*event) {
        annotation->key = ANY_KEY;
        return true;
    }
    if (!parse_number(event, 7, &line))
        return err_set(err, "an interrupt's line is 0 to 7, or any, not \"%.64s\"", event);
    annotation->key = (unsigned)line;
    return true;
}

static const struct word mode_words[] = {
    {"any", ANY_KEY}, {"user", MODE_USER}, {"kernel", MODE_KERNEL}, {"idle", MODE_IDLE}, {NULL, 0}};

static bool parse_mode(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    (void)annotate;
    return find_word(mode_words, event, &annotation->key) ||
           err_set(err, "a mode is user, kernel, idle or any, not \"%.64s\"", event);
}

static bool parse_walk(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    static const struct word words[] = {{"any", ANY_KEY}, {"found", WALK_FOUND}, {"failed", WALK_FAILED}, {NULL, 0}};
    (void)annotate;
    return find_word(words, event, &annotation->key) ||
           err_set(err, "a page walk is found, failed or any, not \"%.64s\"", event);
}

static bool parse_inst(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    static const struct word words[] = {{"eret", 0}, {"rfe", 0}, {"wait", 1}, {NULL, 0}};
    (void)annotate;
    return find_word(words, event, &annotation->key) ||
           err_set(err, "an instruction is eret (or rfe) or wait, not \"%.64s\"", event);
}

static const struct word simos_words[] = {{"enter", ANNOTATE_ENTER},     {"exit", ANNOTATE_EXIT},
                                          {"boot", ANNOTATE_BOOT},       {"checkpoint", ANNOTATE_CHECKPOINT},
                                          {"restore", ANNOTATE_RESTORE}, {NULL, 0}};

static bool parse_simos(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    (void)annotate;
    return find_word(simos_words, event, &annotation->key) ||
           err_set(err, "an event of simos is enter, exit, boot, checkpoint or restore, not \"%.64s\"", event);
}

/* Triggers: once, unless -every is given */

static bool set_trigger(struct annotation *annotation, uint64_t moment)
{
    annotation->trigger = moment;
    return true;
}

static bool parse_count(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    uint64_t number;
    (void)annotate;
    if (!parse_number(event, INT64_MAX, &number))
        return err_set(err, "\"%.64s\" is not a number", event);
    return set_trigger(annotation, number);
}

static bool parse_time(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    char *end;
    double seconds = strtod(event, &end);
    if (end == event || *end || !(seconds >= 0 && seconds <= 1e9))
        return err_set(err, "\"%.64s\" is not a number of seconds", event);
    return set_trigger(annotation, (uint64_t)round(seconds * (double)annotate->view.machine.clock_hz));
}

/* Parse -every of `time`, in seconds. */
static bool parse_every_second(struct annotate *annotate, struct annotation *annotation, Tcl_Obj *word, struct err *err)
{
    double seconds;
    if (Tcl_GetDoubleFromObj(NULL, word, &seconds) != TCL_OK || !(seconds > 0 && seconds < 1e9))
        return err_set(err, "-every \"%.64s\" is not a positive number of seconds", Tcl_GetString(word));
    annotation->every = (uint64_t)(seconds * (double)annotate->view.machine.clock_hz);
    annotation->every += annotation->every == 0;
    return true;
}

const struct annotation_type annotation_types[EVENT_TYPES] = {
#define EVENT_TYPE(id, word, words, meaning, ...) {.name = word, .events = words, .when = meaning, __VA_ARGS__},
#include "annotations/tcl/event_types.def"
#undef EVENT_TYPE
};
const struct annotation_type annotation_user_type = {.name = "", .events = "one of the type's own"};

const struct annotation_type *annotate_find_type(const char *name)
{
    for (unsigned i = 0; i < EVENT_TYPES; i++)
        if (strcmp(annotation_types[i].name, name) == 0)
            return &annotation_types[i];
    return NULL;
}

static void put_text(Tcl_Obj *dict, const char *key, const char *value)
{
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), Tcl_NewStringObj(value, -1));
}

int annotate_list_types(struct annotate *annotate, int count)
{
    if (count > 0)
        return annotate_error(annotate, "wrong # args: should be \"annotation types\"");
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (unsigned i = 0; i < EVENT_TYPES; i++) {
        Tcl_Obj *row = Tcl_NewDictObj();
        put_text(row, "type", annotation_types[i].name);
        put_text(row, "events", annotation_types[i].events);
        put_text(row, "when", annotation_types[i].when);
        Tcl_ListObjAppendElement(NULL, list, row);
    }
    Tcl_SetObjResult(annotate->interp, list);
    return TCL_OK;
}

/* Events */

void annotate_raise(struct annotate *annotate, enum annotation_event event, unsigned key, struct core *core)
{
    const struct annotation_type *wanted = &annotation_types[event];
    for (struct annotation *at = annotate->annotations; at; at = at->next)
        if (at->armed && at->type == wanted && (at->key == key || at->key == ANY_KEY))
            annotate_fire(annotate, at, core);
}

void annotate_raise_text(struct annotate *annotate, enum annotation_event event, const char *text, struct core *core)
{
    annotate->event = text;
    for (struct annotation *at = annotate->annotations; at; at = at->next)
        if (at->armed && at->type == &annotation_types[event] && Tcl_StringMatch(text, at->event))
            annotate_fire(annotate, at, core);
    annotate->event = NULL;
}

void annotate_raise_user(struct annotate *annotate, const char *type, const char *event, struct core *core)
{
    for (struct annotation *at = annotate->annotations; at; at = at->next)
        if (at->armed && strcmp(at->user_type, type) == 0 && strcmp(at->event, event) == 0)
            annotate_fire(annotate, at, core);
}
