/* The command `annotation`. */
#include "annotations/tcl/annotate_state.h"

#include <stdlib.h>
#include <string.h>

/* Position of a command in its script */

/* Store file and line of the command that is being executed, as far as Tcl knows them. */
static void find_source_position(struct annotate *annotate, struct annotation *annotation)
{
    Tcl_Interp *interp = annotate->interp;
    snprintf(annotation->file, sizeof annotation->file, "%s", annotate->script[0] ? annotate->script : "script");
    annotation->line = 1;
    Tcl_Obj *result = Tcl_GetObjResult(interp), *value;
    Tcl_IncrRefCount(result);
    if (Tcl_EvalEx(interp, "info frame -1", -1, 0) == TCL_OK) {
        Tcl_Obj *frame = Tcl_GetObjResult(interp), *key = Tcl_NewStringObj("line", -1);
        Tcl_IncrRefCount(frame);
        Tcl_IncrRefCount(key);
        if (Tcl_DictObjGet(NULL, frame, key, &value) == TCL_OK && value)
            Tcl_GetIntFromObj(NULL, value, &annotation->line);
        Tcl_DecrRefCount(key);
        key = Tcl_NewStringObj("file", -1);
        Tcl_IncrRefCount(key);
        if (Tcl_DictObjGet(NULL, frame, key, &value) == TCL_OK && value)
            snprintf(annotation->file, sizeof annotation->file, "%s", Tcl_GetString(value));
        Tcl_DecrRefCount(key);
        Tcl_DecrRefCount(frame);
    }
    Tcl_SetObjResult(interp, result);
    Tcl_DecrRefCount(result);
}

/* set */

enum { SET_TAG, SET_CPU, SET_ONCE, SET_EVERY, SET_PROCESS, SET_OFF };
static const char *const set_options[] = {"-tag", "-cpu", "-once", "-every", "-process", "-disabled", NULL};

static int get_number(struct annotate *annotate, Tcl_Obj *word, const char *what, Tcl_WideInt min, Tcl_WideInt max,
                      Tcl_WideInt *value)
{
    if (Tcl_GetWideIntFromObj(NULL, word, value) == TCL_OK && *value >= min && *value <= max)
        return TCL_OK;
    return annotate_error(annotate, "%s \"%s\" is not a number from %lld to %lld", what, Tcl_GetString(word),
                          (long long)min, (long long)max);
}

/* Parse -every. Of triggers it is a period in cycles or instructions. */
static int get_every(struct annotate *annotate, struct annotation *annotation, Tcl_Obj *word)
{
    Tcl_WideInt number;
    struct err err = {""};
    if (annotation->type->parse_every)
        return annotation->type->parse_every(annotate, annotation, word, &err)
                   ? TCL_OK
                   : annotate_error(annotate, "%s", err.text);
    if (get_number(annotate, word, "-every", 1, INT64_MAX, &number) != TCL_OK)
        return TCL_ERROR;
    annotation->every = (uint64_t)number;
    return TCL_OK;
}

static int parse_options(struct annotate *annotate, struct annotation *annotation, int count, Tcl_Obj *const words[])
{
    bool repeats = false;
    for (int i = 0; i < count; i++) {
        int option;
        Tcl_WideInt number;
        if (Tcl_GetIndexFromObj(annotate->interp, words[i], set_options, "option", 0, &option) != TCL_OK)
            return TCL_ERROR;
        if (option == SET_ONCE) {
            annotation->once = true;
            continue;
        }
        if (option == SET_OFF) {
            annotation->enabled = false;
            continue;
        }
        if (++i == count)
            return annotate_error(annotate, "%s: its value is missing", set_options[option]);
        switch (option) {
        case SET_TAG: snprintf(annotation->tag, sizeof annotation->tag, "%s", Tcl_GetString(words[i])); break;
        case SET_PROCESS:
            if (!annotate->services)
                return annotate_error(annotate, "-process needs the process accounting: run `library services` first");
            snprintf(annotation->process, sizeof annotation->process, "%s", Tcl_GetString(words[i]));
            break;
        case SET_CPU:
            if (get_number(annotate, words[i], "-cpu", 0, annotate->view.machine.cpus - 1, &number) != TCL_OK)
                return TCL_ERROR;
            annotation->cpus = UINT64_C(1) << number;
            break;
        default:
            repeats = true;
            if (get_every(annotate, annotation, words[i]) != TCL_OK)
                return TCL_ERROR;
        }
    }
    if (annotation->type->clock != CLOCK_NONE && !repeats)
        annotation->once = true;
    return TCL_OK;
}

static const struct user_type *find_user_type(const struct annotate *annotate, const char *name)
{
    const struct user_type *type = annotate->types;
    while (type && strcmp(type->name, name) != 0)
        type = type->next;
    return type;
}

static int is_event(struct annotate *annotate, const struct user_type *type, const char *event)
{
    Tcl_Size count;
    Tcl_Obj **events;
    Tcl_ListObjGetElements(NULL, type->events, &count, &events);
    for (Tcl_Size i = 0; i < count; i++)
        if (strcmp(Tcl_GetString(events[i]), event) == 0)
            return TCL_OK;
    return annotate_error(annotate, "type %s has no event \"%s\"; its events: %s", type->name, event,
                          Tcl_GetString(type->events));
}

static int find_type(struct annotate *annotate, struct annotation *annotation, const char *name)
{
    annotation->type = annotate_find_type(name);
    if (annotation->type)
        return TCL_OK;
    if (find_user_type(annotate, name)) {
        annotation->type = &annotation_user_type;
        snprintf(annotation->user_type, sizeof annotation->user_type, "%s", name);
        return TCL_OK;
    }
    Tcl_Obj *list = Tcl_NewObj();
    for (unsigned i = 0; i < EVENT_TYPES; i++)
        Tcl_AppendStringsToObj(list, i == 0 ? "" : ", ", annotation_types[i].name, NULL);
    for (const struct user_type *type = annotate->types; type; type = type->next)
        Tcl_AppendStringsToObj(list, ", ", type->name, NULL);
    int code = annotate_error(annotate, "no event type \"%s\"; available: %s", name, Tcl_GetString(list));
    Tcl_DecrRefCount(list);
    return code;
}

static int parse_event(struct annotate *annotate, struct annotation *annotation, const char *event)
{
    struct err err = {""};
    if (strlen(event) >= sizeof annotation->event)
        return annotate_error(annotate, "the event is too long: \"%.64s...\"", event);
    snprintf(annotation->event, sizeof annotation->event, "%s", event);
    if (annotation->user_type[0])
        return is_event(annotate, find_user_type(annotate, annotation->user_type), event);
    if (annotation->type->parse && !annotation->type->parse(annotate, annotation, event, &err))
        return annotate_error(annotate, "%s", err.text);
    return TCL_OK;
}

static bool is_option(Tcl_Obj *word)
{
    const char *text = Tcl_GetString(word);
    for (unsigned i = 0; set_options[i]; i++)
        if (strcmp(text, set_options[i]) == 0)
            return true;
    return false;
}

/* TYPE ?EVENT? ?OPTIONS? BODY */
static int parse_set(struct annotate *annotate, struct annotation *annotation, int count, Tcl_Obj *const words[])
{
    if (find_type(annotate, annotation, Tcl_GetString(words[0])) != TCL_OK)
        return TCL_ERROR;
    int first = 1;
    const char *event = "";
    if (count > 2 && !(annotation->type->optional && is_option(words[1])))
        event = Tcl_GetString(words[first++]);
    else if (!annotation->type->optional)
        return annotate_error(annotate, "the event is missing: %s", annotation->type->events);
    return parse_event(annotate, annotation, event) == TCL_OK
               ? parse_options(annotate, annotation, count - 1 - first, words + first)
               : TCL_ERROR;
}

static int set(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count < 2)
        return annotate_error(annotate,
                              "wrong # args: should be \"annotation set TYPE EVENT ?-tag T? ?-cpu N? ?-process NAME? "
                              "?-once? ?-every N? ?-disabled? BODY\"");
    struct annotation *annotation = checked_memory(calloc(1, sizeof *annotation));
    annotation->annotate = annotate;
    annotation->cpus = UINT64_MAX;
    annotation->every = 1;
    annotation->enabled = true;
    if (parse_set(annotate, annotation, count, words) != TCL_OK) {
        address_list_release(&annotation->addresses);
        free(annotation);
        return TCL_ERROR;
    }
    annotation->body = words[count - 1];
    Tcl_IncrRefCount(annotation->body);
    const char *body = Tcl_GetString(annotation->body);
    annotation->counts_only = body[strspn(body, " \t\n")] == '\0';
    annotation->number = ++annotate->numbers;
    find_source_position(annotate, annotation);
    annotate_add_variables(annotate);
    *annotate->last = annotation;
    annotate->last = &annotation->next;
    annotate_rearm(annotate, annotation);
    annotate_update_observer(annotate);
    Tcl_SetObjResult(annotate->interp, Tcl_NewWideIntObj(annotation->number));
    return TCL_OK;
}

/* enable, disable, delete */

static bool has_tag_or_number(const struct annotation *annotation, const char *word)
{
    char number[24];
    snprintf(number, sizeof number, "%u", annotation->number);
    return !annotation->deleted && (strcmp(word, number) == 0 || strcmp(word, annotation->tag) == 0);
}

/* Optional word: bit mask of the one processor that it names; all processors if it is missing. */
static int get_cpus(struct annotate *annotate, int count, Tcl_Obj *const words[], uint64_t *cpus)
{
    Tcl_WideInt number;
    *cpus = UINT64_MAX;
    if (count < 2)
        return TCL_OK;
    if (get_number(annotate, words[1], "CPU", 0, annotate->view.machine.cpus - 1, &number) != TCL_OK)
        return TCL_ERROR;
    *cpus = UINT64_C(1) << number;
    return TCL_OK;
}

static void set_enabled(struct annotate *annotate, struct annotation *annotation, bool enable, uint64_t cpus)
{
    bool armed = annotation->armed;
    annotation->enabled = false;
    annotate_rearm(annotate, annotation);
    if (!armed && enable && cpus != UINT64_MAX)
        annotation->cpus = cpus;
    else if (cpus != UINT64_MAX)
        annotation->cpus = enable ? annotation->cpus | cpus : annotation->cpus & ~cpus;
    else if (enable && annotation->cpus == 0)
        annotation->cpus = UINT64_MAX;
    annotation->enabled = enable || (armed && cpus != UINT64_MAX && annotation->cpus != 0);
    annotate_rearm(annotate, annotation);
}

enum {
    VERB_SET,
    VERB_ENABLE,
    VERB_DISABLE,
    VERB_DELETE,
    VERB_INFO,
    VERB_TYPE,
    VERB_EXEC,
    VERB_EVENTS,
    VERB_TYPES,
    VERB_VARIABLES
};

static int change_all(struct annotate *annotate, int verb, int count, Tcl_Obj *const words[])
{
    uint64_t cpus;
    unsigned found = 0;
    if (count < 1 || count > (verb == VERB_DELETE ? 1 : 2))
        return annotate_error(annotate, "wrong # args: TAG%s", verb == VERB_DELETE ? "" : " ?CPU?");
    if (get_cpus(annotate, count, words, &cpus) != TCL_OK)
        return TCL_ERROR;
    for (struct annotation *at = annotate->annotations; at; at = at->next) {
        if (!has_tag_or_number(at, Tcl_GetString(words[0])))
            continue;
        found++;
        if (verb == VERB_DELETE) {
            at->deleted = annotate->any_deleted = true;
            annotate_rearm(annotate, at);
        } else
            set_enabled(annotate, at, verb == VERB_ENABLE, cpus);
    }
    annotate_update_observer(annotate);
    annotate_free_deleted(annotate);
    if (found == 0)
        return annotate_error(annotate, "no annotation has the tag or number \"%s\"", Tcl_GetString(words[0]));
    Tcl_SetObjResult(annotate->interp, Tcl_NewWideIntObj(found));
    return TCL_OK;
}

/* info */

static void put_text(Tcl_Obj *dict, const char *key, const char *value)
{
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), Tcl_NewStringObj(value, -1));
}

static void put_number(Tcl_Obj *dict, const char *key, uint64_t value)
{
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), Tcl_NewWideIntObj((Tcl_WideInt)value));
}

static int info(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count > 1)
        return annotate_error(annotate, "wrong # args: ?TAG?");
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const struct annotation *at = annotate->annotations; at; at = at->next) {
        if (at->deleted || (count == 1 && !has_tag_or_number(at, Tcl_GetString(words[0]))))
            continue;
        Tcl_Obj *row = Tcl_NewDictObj();
        put_number(row, "number", at->number);
        put_text(row, "type", at->user_type[0] ? at->user_type : at->type->name);
        put_text(row, "event", at->event);
        put_text(row, "tag", at->tag);
        put_number(row, "enabled", at->enabled);
        put_number(row, "events", at->count);
        put_number(row, "runs", at->runs);
        put_text(row, "file", at->file);
        put_number(row, "line", (uint64_t)at->line);
        Tcl_ListObjAppendElement(NULL, list, row);
    }
    Tcl_SetObjResult(annotate->interp, list);
    return TCL_OK;
}

/* Total number of events of the annotations with a tag. */
static int count_events(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    uint64_t events = 0;
    bool found = false;
    if (count != 1)
        return annotate_error(annotate, "wrong # args: TAG");
    for (const struct annotation *at = annotate->annotations; at; at = at->next)
        if (has_tag_or_number(at, Tcl_GetString(words[0]))) {
            found = true;
            events += at->count;
        }
    if (!found)
        return annotate_error(annotate, "no annotation has the tag or number \"%s\"", Tcl_GetString(words[0]));
    Tcl_SetObjResult(annotate->interp, Tcl_NewWideIntObj((Tcl_WideInt)events));
    return TCL_OK;
}

/* type, exec */

static int define_type(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    Tcl_Size events;
    if (count != 3 || strcmp(Tcl_GetString(words[1]), "enum") != 0)
        return annotate_error(annotate, "wrong # args: should be \"annotation type NAME enum {EVENT ...}\"");
    const char *name = Tcl_GetString(words[0]);
    if (!*name || strlen(name) >= ANNOTATION_NAME || annotate_find_type(name))
        return annotate_error(annotate, "a type cannot be called \"%.64s\"", name);
    if (find_user_type(annotate, name))
        return annotate_error(annotate, "there is a type \"%s\" already", name);
    if (Tcl_ListObjLength(annotate->interp, words[2], &events) != TCL_OK)
        return TCL_ERROR;
    struct user_type *type = checked_memory(calloc(1, sizeof *type));
    snprintf(type->name, sizeof type->name, "%s", name);
    type->events = words[2];
    Tcl_IncrRefCount(type->events);
    type->next = annotate->types;
    annotate->types = type;
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

static int execute(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    enum { DEEPEST = 32 };
    if (count != 2)
        return annotate_error(annotate, "wrong # args: should be \"annotation exec TYPE EVENT\"");
    const struct user_type *type = find_user_type(annotate, Tcl_GetString(words[0]));
    if (!type)
        return annotate_error(annotate, "no type \"%s\" has been defined", Tcl_GetString(words[0]));
    const char *event = Tcl_GetString(words[1]);
    if (is_event(annotate, type, event) != TCL_OK)
        return TCL_ERROR;
    if (annotate->depth >= DEEPEST)
        return annotate_error(annotate, "annotations are nested more than %d deep", DEEPEST);
    annotate_raise_user(annotate, type->name, event, annotate->core);
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

int annotation_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const verbs[] = {"set",  "enable", "disable", "delete",    "info", "type",
                                        "exec", "events", "types",   "variables", NULL};
    struct annotate *annotate = data;
    int verb;
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "set|enable|disable|delete|info|events|type|exec|types|variables ...");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, words[1], verbs, "subcommand", 0, &verb) != TCL_OK)
        return TCL_ERROR;
    switch (verb) {
    case VERB_SET: return set(annotate, count - 2, words + 2);
    case VERB_EVENTS: return count_events(annotate, count - 2, words + 2);
    case VERB_TYPES: return annotate_list_types(annotate, count - 2);
    case VERB_VARIABLES: return annotate_list_variables(annotate, count - 2);
    case VERB_INFO: return info(annotate, count - 2, words + 2);
    case VERB_TYPE: return define_type(annotate, count - 2, words + 2);
    case VERB_EXEC: return execute(annotate, count - 2, words + 2);
    default: return change_all(annotate, verb, count - 2, words + 2);
    }
}
