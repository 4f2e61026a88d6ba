/* The command `automaton`: declares automata, which run in C (automaton.c). */
#include "annotations/tcl/annotate_state.h"
#include "annotations/automata/automaton.h"

#include <stdlib.h>
#include <string.h>

enum { TRANSITION_LINES_MAX = 64 };
#define NAMESPACE "::simos_automaton"

/* The automaton being declared. */
struct builder {
    struct annotate *annotate;
    struct automaton_plan plan;
    unsigned lines; /* that declare transitions */
};

/* Index of NAME among COUNT names; COUNT if not found. */
static unsigned index_of(const char (*names)[AUTOMATON_NAME], unsigned count, const char *name)
{
    unsigned i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static int check_name(struct annotate *annotate, const char *name)
{
    if (*name && strlen(name) < AUTOMATON_NAME)
        return TCL_OK;
    return annotate_error(annotate, "a name has 1 to %d bytes, not \"%.64s\"", AUTOMATON_NAME - 1, name);
}

/* state NAME ... */
static int add_states(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    struct automaton_plan *plan = &builder->plan;
    (void)interp;
    for (int i = 1; i < count; i++) {
        const char *name = Tcl_GetString(words[i]);
        if (check_name(builder->annotate, name) != TCL_OK)
            return TCL_ERROR;
        if (strcmp(name, "*") == 0 || index_of(plan->state, plan->states, name) < plan->states)
            return annotate_error(builder->annotate, "state \"%s\" is reserved or exists already", name);
        if (plan->states == AUTOMATON_STATES)
            return annotate_error(builder->annotate, "an automaton has at most %d states", AUTOMATON_STATES);
        snprintf(plan->state[plan->states++], AUTOMATON_NAME, "%s", name);
    }
    Tcl_ResetResult(builder->annotate->interp);
    return TCL_OK;
}

static int get_state(struct builder *builder, Tcl_Obj *word, uint8_t *state)
{
    const char *name = Tcl_GetString(word);
    unsigned index = index_of(builder->plan.state, builder->plan.states, name);
    *state = (uint8_t)index;
    if (strcmp(name, "*") == 0)
        *state = AUTOMATON_ANY;
    else if (index == builder->plan.states)
        return annotate_error(builder->annotate, "there is no state \"%.64s\"", name);
    return TCL_OK;
}

/* Parse the class of a miss, or any. */
static bool parse_class(struct annotate *annotate, const char *word, uint32_t *key, struct err *err)
{
    const struct classify *classify =
        annotate->view.machine.memsys ? memsys_classification(annotate->view.machine.memsys) : NULL;
    *key = UINT32_MAX;
    for (enum miss_class class = 0; class < CLASS_COUNT; class ++)
        if (strcmp(classify_class_name(class), word) == 0) {
            *key = 1u << class;
            return class == CLASS_UPGRADE || classify ||
                   err_set(err, "\"%.64s\": misses are not classified (cache.classify)", word);
        }
    return strcmp(word, "any") == 0 || err_set(err, "\"%.64s\" is not a miss class", word);
}

/* An event type of transitions. */
struct transition_event {
    const char *type;
    enum automaton_event event;
    enum annotation_event words; /* the annotation type with the same event word */
    bool of_lines;               /* for automata per line; else for those per processor or process */
    /* Parse the event word WORD into ONE, with event from the row and key UINT32_MAX set; or its addresses into KEYS:
     * the line is then a transition for each. NULL: any word is accepted. */
    bool (*take)(struct annotate *annotate, const struct transition_event *row, const char *word,
                 struct automaton_transition *one, struct address_list *keys, struct err *err);
};

/* Parse the event word WORD as an annotation of the same type does. */
static bool parse_word(struct annotate *annotate, const struct transition_event *row, const char *word,
                       struct annotation *parsed, struct err *err)
{
    *parsed = (struct annotation){.key = ANY_KEY};
    return annotation_types[row->words].parse(annotate, parsed, word, err);
}

static bool take_pc(struct annotate *annotate, const struct transition_event *row, const char *word,
                    struct automaton_transition *one, struct address_list *keys, struct err *err)
{
    struct annotation parsed;
    const bool good = parse_word(annotate, row, word, &parsed, err) &&
                      (!parsed.movable || err_set(err,
                                                  "\"%.64s\" is position-independent: give its load address "
                                                  "(symbol load ... -base)",
                                                  word));
    *keys = parsed.addresses;
    one->event = parsed.at_return ? WHEN_RETURN : WHEN_PC;
    return good;
}

static bool take_inst(struct annotate *annotate, const struct transition_event *row, const char *word,
                      struct automaton_transition *one, struct address_list *keys, struct err *err)
{
    struct annotation parsed;
    (void)keys;
    if (!parse_word(annotate, row, word, &parsed, err))
        return false;
    one->event = parsed.key == 0 ? WHEN_ERET : WHEN_WAIT;
    return true;
}

static bool take_key(struct annotate *annotate, const struct transition_event *row, const char *word,
                     struct automaton_transition *one, struct address_list *keys, struct err *err)
{
    struct annotation parsed;
    (void)keys;
    if (!parse_word(annotate, row, word, &parsed, err))
        return false;
    one->key = parsed.key == ANY_KEY ? UINT32_MAX : parsed.key;
    return true;
}

static bool take_class(struct annotate *annotate, const struct transition_event *row, const char *word,
                       struct automaton_transition *one, struct address_list *keys, struct err *err)
{
    (void)row;
    (void)keys;
    return parse_class(annotate, word, &one->key, err);
}

static bool take_any(struct annotate *annotate, const struct transition_event *row, const char *word,
                     struct automaton_transition *one, struct address_list *keys, struct err *err)
{
    (void)annotate;
    (void)one;
    (void)keys;
    return strcmp(word, "any") == 0 || err_set(err,
                                               "\"%.64s\": for automata per line the event of %s is any; automaton "
                                               "define ... -in ADDRESS,LENGTH limits the lines",
                                               word, row->type);
}

static const struct transition_event transition_events[] = {
    {"pc", WHEN_PC, EVENT_PC, false, take_pc},          {"exc", WHEN_EXCEPTION, EVENT_EXC, false, take_key},
    {"utlb", WHEN_REFILL, EVENT_UTLB, false, take_key}, {"switch", WHEN_SWITCH, EVENT_TYPES, false, NULL},
    {"inst", WHEN_ERET, EVENT_INST, false, take_inst},  {"interrupt", WHEN_INTERRUPT, EVENT_INTERRUPT, false, take_key},
    {"mode", WHEN_MODE, EVENT_MODE, false, take_key},   {"miss", WHEN_MISS, EVENT_MISS, true, take_class},
    {"load", WHEN_LOAD, EVENT_LOAD, true, take_any},    {"store", WHEN_STORE, EVENT_STORE, true, take_any},
};
enum { TRANSITION_EVENTS = sizeof transition_events / sizeof transition_events[0] };

static int get_event(struct builder *builder, const char *type, const char *word, struct automaton_transition *one,
                     struct address_list *keys)
{
    const bool of_lines = builder->plan.per == PER_LINE;
    const struct transition_event *row = transition_events, *end = transition_events + TRANSITION_EVENTS;
    struct err err = {""};
    while (row < end && (strcmp(row->type, type) != 0 || row->of_lines != of_lines))
        row++;
    if (row == end)
        return annotate_error(builder->annotate, "\"%.64s\" is not an event type of automata per %s", type,
                              of_lines ? "line (miss, load, store)" : "cpu or process");
    one->event = row->event;
    one->key = UINT32_MAX;
    if (row->take && !row->take(builder->annotate, row, word, one, keys, &err))
        return annotate_error(builder->annotate, "%s", err.text);
    return TCL_OK;
}

static int get_count(struct builder *builder, Tcl_Obj *word, uint8_t *count)
{
    struct automaton_plan *plan = &builder->plan;
    const char *name = Tcl_GetString(word);
    unsigned index = index_of(plan->count, plan->counts, name);
    if (check_name(builder->annotate, name) != TCL_OK)
        return TCL_ERROR;
    if (index == AUTOMATON_COUNTS)
        return annotate_error(builder->annotate, "an automaton has at most %d counts", AUTOMATON_COUNTS);
    if (index == plan->counts)
        snprintf(plan->count[plan->counts++], AUTOMATON_NAME, "%s", name);
    *count = (uint8_t)index;
    return TCL_OK;
}

static int get_options(struct builder *builder, struct automaton_transition *one, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"-count", "-when", "-of", "-by", NULL};
    static const char *const by[] = {"any", "same", "other", NULL};
    struct annotate *annotate = builder->annotate;
    for (int i = 0; i < count; i += 2) {
        int option, code = TCL_OK;
        if (Tcl_GetIndexFromObj(annotate->interp, words[i], options, "option", TCL_EXACT, &option) != TCL_OK)
            return TCL_ERROR;
        if (i + 1 == count)
            return annotate_error(annotate, "%s: its value is missing", options[option]);
        if (option == 0) {
            code = get_count(builder, words[i + 1], &one->count);
        } else if (option == 1) {
            if (one->conditions == SERVICE_CONDITIONS)
                return annotate_error(annotate, "a transition has at most %d conditions", SERVICE_CONDITIONS);
            code = service_get_condition(annotate, words[i + 1], &one->condition[one->conditions++]);
        } else if (option == 3) {
            int who;
            code = Tcl_GetIndexFromObj(annotate->interp, words[i + 1], by, "processor", TCL_EXACT, &who);
            if (code == TCL_OK)
                one->by = (enum automaton_by)who;
        } else {
            one->of_other = true;
            code = service_get_register(annotate, words[i + 1], &one->reg);
        }
        if (code != TCL_OK)
            return code;
    }
    if (one->of_other && (builder->plan.per != PER_PROCESS || one->event != WHEN_PC))
        return annotate_error(annotate, "-of is for automata per process, at an instruction");
    if (one->by != BY_ANY && builder->plan.per != PER_LINE)
        return annotate_error(annotate, "-by is for automata per line");
    return TCL_OK;
}

/* Add ONE to the plan: once, or for each of KEYS. */
static void append(struct automaton_plan *plan, struct automaton_transition one, const struct address_list *keys)
{
    const unsigned count = keys->count ? keys->count : 1;
    plan->transition =
        checked_memory(realloc(plan->transition, (plan->transitions + count) * sizeof *plan->transition));
    for (unsigned i = 0; i < count; i++) {
        if (keys->count)
            one.key = keys->address[i];
        plan->transition[plan->transitions++] = one;
    }
}

/* The words from FROM on, of which there are COUNT, at least 2. */
static int get_move(struct builder *builder, int count, Tcl_Obj *const words[], struct automaton_transition *one)
{
    static const char *const moves[] = {"->", "push", "pop", NULL};
    int kind, used = 2;
    if (get_state(builder, words[0], &one->from) != TCL_OK ||
        Tcl_GetIndexFromObj(builder->annotate->interp, words[1], moves, "move", TCL_EXACT, &kind) != TCL_OK)
        return TCL_ERROR;
    one->move = (enum automaton_move)kind;
    if (one->move != MOVE_GO && builder->plan.per == PER_LINE)
        return annotate_error(builder->annotate, "automata per line have no stack: push and pop are not available");
    if (one->move != MOVE_POP) {
        if (count < 3)
            return annotate_error(builder->annotate, "the next state is missing");
        if (get_state(builder, words[used++], &one->to) != TCL_OK)
            return TCL_ERROR;
    }
    return get_options(builder, one, count - used, words + used);
}

/* on TYPE EVENT FROM ->|push STATE ?OPTIONS?; on TYPE EVENT FROM pop ?OPTIONS? */
static int add_transition(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    struct automaton_transition one = {.to = AUTOMATON_ANY, .count = AUTOMATON_ANY};
    struct address_list keys = {0};
    if (count < 5)
        return annotate_error(builder->annotate,
                              "wrong # args: should be \"on TYPE EVENT FROM ->|push STATE|pop ?OPTIONS?\"");
    if (builder->lines == TRANSITION_LINES_MAX)
        return annotate_error(builder->annotate, "an automaton has at most %d transitions", TRANSITION_LINES_MAX);
    int code = get_event(builder, Tcl_GetString(words[1]), Tcl_GetString(words[2]), &one, &keys);
    if (code == TCL_OK)
        code = get_move(builder, count - 3, words + 3, &one);
    if (code == TCL_OK) {
        append(&builder->plan, one, &keys);
        builder->lines++;
        Tcl_ResetResult(interp);
    }
    address_list_release(&keys);
    return code;
}

static int build(struct annotate *annotate, struct builder *builder, Tcl_Obj *body)
{
    struct err err = {""};
    Tcl_CreateObjCommand(annotate->interp, NAMESPACE "::state", add_states, builder, NULL);
    Tcl_CreateObjCommand(annotate->interp, NAMESPACE "::on", add_transition, builder, NULL);
    Tcl_Obj *words[] = {Tcl_NewStringObj("namespace", -1), Tcl_NewStringObj("eval", -1),
                        Tcl_NewStringObj(NAMESPACE, -1), body};
    for (int i = 0; i < 4; i++)
        Tcl_IncrRefCount(words[i]);
    int code = Tcl_EvalObjv(annotate->interp, 4, words, TCL_EVAL_GLOBAL);
    for (int i = 0; i < 4; i++)
        Tcl_DecrRefCount(words[i]);
    Tcl_DeleteCommand(annotate->interp, NAMESPACE "::state");
    Tcl_DeleteCommand(annotate->interp, NAMESPACE "::on");
    if (code != TCL_OK)
        return code;
    if (builder->plan.states == 0)
        return annotate_error(annotate, "automaton %s has no states", builder->plan.name);
    if (!annotate->automata)
        annotate->automata = automata_create(&annotate->view.machine, annotate->events, annotate->returns);
    if (!automata_add(annotate->automata, &builder->plan, annotate->services, &err))
        return annotate_error(annotate, "automaton %s: %s", builder->plan.name, err.text);
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

/* Parse the range of loads and stores, with the syntax of `load` annotations. */
static int get_range(struct annotate *annotate, const char *text, struct automaton_range *range)
{
    struct annotation parsed = {.key = ANY_KEY};
    struct err err = {""};
    const bool good = access_parse(annotate, &parsed, text, &err);
    address_list_release(&parsed.addresses);
    if (!good)
        return annotate_error(annotate, "%s", err.text);
    *range = (struct automaton_range){parsed.by_virtual, parsed.address, parsed.address + (parsed.length - 1)};
    return TCL_OK;
}

/* automaton define NAME -per cpu|process|line ?-in PLACE,LENGTH? BODY */
static int define(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    static const char *const pers[] = {"cpu", "process", "line", NULL};
    struct automaton_range range = {.last = UINT32_MAX};
    int per;
    const bool limited = count == 6 && strcmp(Tcl_GetString(words[3]), "-in") == 0;
    if ((count != 4 && !limited) || strcmp(Tcl_GetString(words[1]), "-per") != 0)
        return annotate_error(annotate, "wrong # args: should be \"automaton define NAME -per cpu|process|line ?-in "
                                        "PLACE,LENGTH? BODY\"");
    if (limited && (strcmp(Tcl_GetString(words[2]), "line") != 0))
        return annotate_error(annotate, "-in is for automata per line");
    if (limited && get_range(annotate, Tcl_GetString(words[4]), &range) != TCL_OK)
        return TCL_ERROR;
    if (check_name(annotate, Tcl_GetString(words[0])) != TCL_OK ||
        Tcl_GetIndexFromObj(annotate->interp, words[2], pers, "owner", TCL_EXACT, &per) != TCL_OK)
        return TCL_ERROR;
    struct builder *builder = checked_memory(calloc(1, sizeof *builder));
    builder->annotate = annotate;
    builder->plan.per = (enum automaton_per)per;
    builder->plan.range = range;
    snprintf(builder->plan.name, sizeof builder->plan.name, "%s", Tcl_GetString(words[0]));
    int code = build(annotate, builder, words[count - 1]);
    free(builder->plan.transition);
    free(builder);
    return code;
}

/* automaton figure NAME STATE FIGURE; automaton figure NAME COUNT */
static int get_figure(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    uint64_t value;
    struct err err = {""};
    if (count != 2 && count != 3)
        return annotate_error(annotate, "wrong # args: should be \"automaton figure NAME STATE FIGURE|COUNT\"");
    const char *name = Tcl_GetString(words[0]), *what = Tcl_GetString(words[1]);
    if (!annotate->automata)
        return annotate_error(annotate, "there is no automaton %.64s", name);
    if (!automata_figure(annotate->automata, name, what, count == 3 ? Tcl_GetString(words[2]) : NULL, &value, &err))
        return annotate_error(annotate, "%s", err.text);
    Tcl_SetObjResult(annotate->interp, Tcl_NewWideIntObj((Tcl_WideInt)value));
    return TCL_OK;
}

int automaton_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const verbs[] = {"define", "figure", NULL};
    int verb;
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "define|figure ...");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, words[1], verbs, "subcommand", TCL_EXACT, &verb) != TCL_OK)
        return TCL_ERROR;
    return verb == 0 ? define(data, count - 2, words + 2) : get_figure(data, count - 2, words + 2);
}
