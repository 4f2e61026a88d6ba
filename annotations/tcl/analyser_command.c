/* The command `analyser`: declares logic analysers, which run in C (annotations/automata/analyser.c). */
#include "annotations/tcl/annotate_state.h"
#include "cpu/observe/executions.h"
#include "src/measure/measures.h"

#include <stdlib.h>
#include <string.h>

#define NAMESPACE "::simos_analyser"

/* The analyser being declared. */
struct builder {
    struct annotate *annotate;
    struct analyser_plan plan;
};

static int check_name(struct annotate *annotate, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-";
    if (*name && name[0] != '-' && strlen(name) < ANALYSER_NAME && name[strspn(name, letters)] == 0)
        return TCL_OK;
    return annotate_error(annotate, "a name has 1 to %d letters, digits, or characters of _.:-, not \"%.64s\"",
                          ANALYSER_NAME - 1, name);
}

/* Recognisers */

/* VALUE, {VALUE mask MASK}, {in LOW HIGH} or, of addresses, {within FUNCTION} */
static int get_range(struct annotate *annotate, Tcl_Obj *word, bool address, struct analyser_range *range)
{
    Tcl_Size count;
    Tcl_Obj **parts;
    *range = (struct analyser_range){.mask = UINT32_MAX};
    if (Tcl_ListObjGetElements(annotate->interp, word, &count, &parts) != TCL_OK)
        return TCL_ERROR;
    if (count == 1) {
        const int code = service_get_value(annotate, parts[0], &range->low);
        range->high = range->low;
        return code;
    }
    if (count == 2 && address && strcmp(Tcl_GetString(parts[0]), "within") == 0)
        return service_get_function(annotate, parts[1], &range->low, &range->high);
    if (count == 3 && strcmp(Tcl_GetString(parts[1]), "mask") == 0) {
        if (service_get_value(annotate, parts[0], &range->low) != TCL_OK ||
            service_get_value(annotate, parts[2], &range->mask) != TCL_OK)
            return TCL_ERROR;
        range->high = range->low;
        return range->low & ~range->mask
                   ? annotate_error(annotate, "\"%.64s\" never matches: the value has bits outside of the mask",
                                    Tcl_GetString(word))
                   : TCL_OK;
    }
    if (count == 3 && strcmp(Tcl_GetString(parts[0]), "in") == 0) {
        if (service_get_value(annotate, parts[1], &range->low) != TCL_OK ||
            service_get_value(annotate, parts[2], &range->high) != TCL_OK)
            return TCL_ERROR;
        return range->low > range->high
                   ? annotate_error(annotate, "\"%.64s\" never matches: the first value is higher", Tcl_GetString(word))
                   : TCL_OK;
    }
    return annotate_error(annotate, "\"%.64s\" is not VALUE, {VALUE mask MASK}%s {in LOW HIGH}%s", Tcl_GetString(word),
                          address ? "," : " or", address ? " or {within FUNCTION}" : "");
}

/* Set in *MASK the bits of the words of LIST. NAME(bit): the name of a bit below COUNT. */
static int get_words(struct annotate *annotate, Tcl_Obj *list, const char *what, unsigned count,
                     const char *(*name)(unsigned bit), uint32_t *mask)
{
    Tcl_Size words;
    Tcl_Obj **parts;
    if (Tcl_ListObjGetElements(annotate->interp, list, &words, &parts) != TCL_OK)
        return TCL_ERROR;
    for (Tcl_Size i = 0; i < words; i++) {
        const char *word = Tcl_GetString(parts[i]);
        uint32_t found = 0;
        for (unsigned bit = 0; bit < count; bit++)
            if (strcmp(word, "any") == 0 || strcmp(word, name(bit)) == 0)
                found |= 1u << bit;
        if (found == 0) {
            Tcl_Obj *all = Tcl_NewStringObj("any", -1);
            for (unsigned bit = 0; bit < count; bit++)
                Tcl_AppendStringsToObj(all, " ", name(bit), NULL);
            const int code = annotate_error(annotate, "\"%.64s\" is not %s: %s", word, what, Tcl_GetString(all));
            Tcl_DecrRefCount(all);
            return code;
        }
        *mask |= found;
    }
    return words > 0 ? TCL_OK : annotate_error(annotate, "an empty list is not %s", what);
}

static const char *mode_word(unsigned bit)
{
    return mode_name((enum mode)bit);
}

/* A conditional branch may still be taken or not. */
static const char *kind_word(unsigned bit)
{
    return bit == MIX_NOT_TAKEN ? "branch" : mix_names[bit];
}

static int get_instruction(struct annotate *annotate, const char *mnemonic, struct analyser_recogniser *r)
{
    for (enum isa_id id = 0; id < ISA_RESERVED; id++)
        if (strcmp(isa_table[id].mnemonic, mnemonic) == 0) {
            r->word = (struct analyser_range){isa_table[id].mask, isa_table[id].match, isa_table[id].match};
            r->tests |= TEST_WORD;
            return TCL_OK;
        }
    return annotate_error(annotate, "there is no instruction \"%.64s\"", mnemonic);
}

static int get_exceptions(struct annotate *annotate, Tcl_Obj *list, uint32_t *mask)
{
    Tcl_Size count;
    Tcl_Obj **parts;
    struct err err = {""};
    if (Tcl_ListObjGetElements(annotate->interp, list, &count, &parts) != TCL_OK)
        return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        struct annotation parsed = {.key = ANY_KEY};
        if (!annotation_types[EVENT_EXC].parse(annotate, &parsed, Tcl_GetString(parts[i]), &err))
            return annotate_error(annotate, "%s", err.text);
        *mask |= parsed.key == ANY_KEY ? UINT32_MAX : 1u << parsed.key;
    }
    return TCL_OK;
}

static int get_buffer(struct annotate *annotate, Tcl_Obj *word, struct analyser_recogniser *r)
{
    r->buffer_full = strcmp(Tcl_GetString(word), "full") == 0;
    r->tests |= TEST_BUFFER;
    if (annotate->view.machine.memsys == NULL ||
        memsys_write_buffer_at(annotate->view.machine.memsys, 0, 0, 0).depth == 0)
        return annotate_error(annotate, "-write_buffer: the machine has none (cache.l1d.write_buffer.depth)");
    if (r->buffer_full)
        return TCL_OK;
    if (strcmp(Tcl_GetString(word), "empty") == 0) {
        r->buffer = (struct analyser_range){.mask = UINT32_MAX};
        return TCL_OK;
    }
    return get_range(annotate, word, false, &r->buffer);
}

/* A test of recognisers. */
enum option {
    OPTION_PC,
    OPTION_PHYSICAL,
    OPTION_WORD,
    OPTION_INSTRUCTION,
    OPTION_KIND,
    OPTION_ADDRESS,
    OPTION_DATA,
    OPTION_ACCESS,
    OPTION_MODE,
    OPTION_EXCEPTION,
    OPTION_MISS,
    OPTION_CPU,
    OPTION_SQUASHED,
    OPTION_BUFFER,
    OPTION_BUS
};
static const char *const options[] = {
    "-pc",   "-physical",  "-word", "-instruction", "-kind",     "-address",      "-data", "-access",
    "-mode", "-exception", "-miss", "-state",       "-squashed", "-write_buffer", "-bus",  NULL};

static int take_access(struct annotate *annotate, const char *word, struct analyser_recogniser *r)
{
    if (strcmp(word, "load") == 0)
        r->tests |= TEST_LOAD;
    else if (strcmp(word, "store") == 0)
        r->tests |= TEST_STORE;
    else
        return annotate_error(annotate, "-access is load or store, not \"%.64s\"", word);
    return TCL_OK;
}

static int take_test(struct annotate *annotate, int option, Tcl_Obj *value, struct analyser_recogniser *r)
{
    uint32_t mask = 0;
    int code = TCL_OK;
    switch ((enum option)option) {
    case OPTION_PC: r->tests |= TEST_PC; return get_range(annotate, value, true, &r->pc);
    case OPTION_PHYSICAL: r->tests |= TEST_PHYSICAL; return get_range(annotate, value, true, &r->physical);
    case OPTION_WORD: r->tests |= TEST_WORD; return get_range(annotate, value, false, &r->word);
    case OPTION_INSTRUCTION: return get_instruction(annotate, Tcl_GetString(value), r);
    case OPTION_KIND:
        r->tests |= TEST_KIND;
        return get_words(annotate, value, "a kind of instruction", MIX_KINDS, kind_word, &r->kinds);
    case OPTION_ADDRESS: r->tests |= TEST_ADDRESS; return get_range(annotate, value, true, &r->address);
    case OPTION_DATA: r->tests |= TEST_DATA; return get_range(annotate, value, true, &r->data);
    case OPTION_ACCESS: return take_access(annotate, Tcl_GetString(value), r);
    case OPTION_MODE:
        code = get_words(annotate, value, "a mode", MODE_COUNT, mode_word, &mask);
        r->modes |= (uint8_t)mask;
        return code;
    case OPTION_EXCEPTION: r->tests |= TEST_EXCEPTION; return get_exceptions(annotate, value, &r->exceptions);
    case OPTION_MISS:
        code = get_words(annotate, value, "a miss", MISS_COUNT, miss_name, &mask);
        r->misses |= (uint8_t)mask;
        return code;
    case OPTION_CPU:
        return get_words(annotate, value, "a state of the processor", PROBE_STATES, probe_state_name, &r->states);
    case OPTION_SQUASHED: r->tests |= TEST_SQUASHED; return get_range(annotate, value, false, &r->squashed);
    case OPTION_BUFFER: return get_buffer(annotate, value, r);
    case OPTION_BUS:
        r->tests |= TEST_BUS;
        return get_words(annotate, value, "a transaction", ANALYSER_BUS_KINDS, analyser_bus_name, &r->bus);
    }
    return TCL_OK;
}

static unsigned find_recogniser(const struct analyser_plan *plan, const char *name)
{
    unsigned i = 0;
    while (i < plan->recognisers && strcmp(plan->recogniser[i].name, name) != 0)
        i++;
    return i;
}

/* recogniser NAME TEST VALUE ... */
static int add_recogniser(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    struct annotate *annotate = builder->annotate;
    struct analyser_plan *plan = &builder->plan;
    struct analyser_recogniser r = {.tests = 0};
    if (count < 4 || count % 2 != 0)
        return annotate_error(annotate, "wrong # args: should be \"recogniser NAME TEST VALUE ?TEST VALUE ...?\"");
    if (check_name(annotate, Tcl_GetString(words[1])) != TCL_OK)
        return TCL_ERROR;
    snprintf(r.name, sizeof r.name, "%s", Tcl_GetString(words[1]));
    if (find_recogniser(plan, r.name) < plan->recognisers)
        return annotate_error(annotate, "recogniser \"%s\" exists already", r.name);
    if (plan->recognisers == ANALYSER_RECOGNISERS)
        return annotate_error(annotate, "an analyser has at most %d recognisers", ANALYSER_RECOGNISERS);
    for (int i = 2; i < count; i += 2) {
        int option;
        if (Tcl_GetIndexFromObj(interp, words[i], options, "test", TCL_EXACT, &option) != TCL_OK ||
            take_test(annotate, option, words[i + 1], &r) != TCL_OK)
            return TCL_ERROR;
    }
    plan->recogniser[plan->recognisers++] = r;
    Tcl_ResetResult(interp);
    return TCL_OK;
}

/* A list of recognisers, those with ! before their names must not match; * or an empty list: always. */
static int get_condition(struct builder *builder, Tcl_Obj *list, struct analyser_condition *condition)
{
    struct annotate *annotate = builder->annotate;
    Tcl_Size count;
    Tcl_Obj **parts;
    *condition = (struct analyser_condition){0};
    if (Tcl_ListObjGetElements(annotate->interp, list, &count, &parts) != TCL_OK)
        return TCL_ERROR;
    if (count == 1 && strcmp(Tcl_GetString(parts[0]), "*") == 0)
        return TCL_OK;
    for (Tcl_Size i = 0; i < count; i++) {
        const char *name = Tcl_GetString(parts[i]);
        const bool differs = name[0] == '!';
        const unsigned r = find_recogniser(&builder->plan, name + differs);
        if (r == builder->plan.recognisers)
            return annotate_error(annotate, "there is no recogniser \"%.64s\"", name + differs);
        *(differs ? &condition->differ : &condition->match) |= UINT64_C(1) << r;
    }
    return condition->match & condition->differ ? annotate_error(annotate, "\"%.64s\" never holds", Tcl_GetString(list))
                                                : TCL_OK;
}

/* States and counters */

static unsigned find_state(const struct analyser_plan *plan, const char *name)
{
    unsigned i = 0;
    while (i < plan->states && strcmp(plan->state[i], name) != 0)
        i++;
    return i;
}

/* state NAME ... */
static int add_states(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    struct analyser_plan *plan = &builder->plan;
    for (int i = 1; i < count; i++) {
        const char *name = Tcl_GetString(words[i]);
        if (check_name(builder->annotate, name) != TCL_OK)
            return TCL_ERROR;
        if (find_state(plan, name) < plan->states)
            return annotate_error(builder->annotate, "state \"%s\" exists already", name);
        if (plan->states == ANALYSER_STATES)
            return annotate_error(builder->annotate, "an analyser has at most %d states", ANALYSER_STATES);
        snprintf(plan->state[plan->states++], ANALYSER_NAME, "%s", name);
    }
    Tcl_ResetResult(interp);
    return TCL_OK;
}

static int get_state(struct builder *builder, Tcl_Obj *word, uint16_t *state)
{
    const char *name = Tcl_GetString(word);
    *state = ANALYSER_ANY;
    if (strcmp(name, "*") == 0)
        return TCL_OK;
    *state = (uint16_t)find_state(&builder->plan, name);
    return *state < builder->plan.states ? TCL_OK
                                         : annotate_error(builder->annotate, "there is no state \"%.64s\"", name);
}

static unsigned find_counter(const struct analyser_plan *plan, const char *name)
{
    unsigned i = 0;
    while (i < plan->counters && strcmp(plan->counter[i].name, name) != 0)
        i++;
    return i;
}

static int new_counter(struct builder *builder, const char *name, uint8_t bits)
{
    struct analyser_plan *plan = &builder->plan;
    if (check_name(builder->annotate, name) != TCL_OK)
        return TCL_ERROR;
    if (strcmp(name, "trace") == 0)
        return annotate_error(builder->annotate, "a counter cannot be called trace: -start trace is the trace buffer");
    if (plan->counters == ANALYSER_COUNTERS)
        return annotate_error(builder->annotate, "an analyser has at most %d counters", ANALYSER_COUNTERS);
    snprintf(plan->counter[plan->counters].name, ANALYSER_NAME, "%s", name);
    plan->counter[plan->counters++].bits = bits;
    return TCL_OK;
}

/* counter NAME ?-bits N? */
static int add_counter(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    int bits = 64;
    const bool sized = count == 4 && strcmp(Tcl_GetString(words[2]), "-bits") == 0;
    if (count != 2 && !sized)
        return annotate_error(builder->annotate, "wrong # args: should be \"counter NAME ?-bits N?\"");
    if (sized && (Tcl_GetIntFromObj(NULL, words[3], &bits) != TCL_OK || bits < 1 || bits > 64))
        return annotate_error(builder->annotate, "-bits is 1 to 64, not \"%.64s\"", Tcl_GetString(words[3]));
    if (find_counter(&builder->plan, Tcl_GetString(words[1])) < builder->plan.counters)
        return annotate_error(builder->annotate, "counter \"%.64s\" exists already", Tcl_GetString(words[1]));
    Tcl_ResetResult(interp);
    return new_counter(builder, Tcl_GetString(words[1]), (uint8_t)bits);
}

/* Transitions */

static int add_action(struct builder *builder, struct analyser_transition *line, enum analyser_act act,
                      const char *counter)
{
    struct analyser_plan *plan = &builder->plan;
    unsigned index = 0;
    if (line->actions == ANALYSER_ACTIONS)
        return annotate_error(builder->annotate, "a line has at most %d actions", ANALYSER_ACTIONS);
    if (strcmp(counter, "trace") == 0 && (act == ACT_START || act == ACT_STOP)) {
        act = act == ACT_START ? ACT_START_TRACE : ACT_STOP_TRACE;
    } else if (act != ACT_STORE) {
        index = find_counter(plan, counter);
        if (index == plan->counters && new_counter(builder, counter, 64) != TCL_OK)
            return TCL_ERROR;
    }
    line->action[line->actions++] = (struct analyser_action){.act = act, .counter = (uint16_t)index};
    return TCL_OK;
}

static int get_actions(struct builder *builder, struct analyser_transition *line, int count, Tcl_Obj *const words[])
{
    static const char *const acts[] = {"-count", "-start", "-stop", "-reset", "-store", NULL}; /* enum analyser_act */
    struct annotate *annotate = builder->annotate;
    for (int i = 0; i < count; i++) {
        int act;
        if (Tcl_GetIndexFromObj(annotate->interp, words[i], acts, "action", TCL_EXACT, &act) != TCL_OK)
            return TCL_ERROR;
        if (act != ACT_STORE && i + 1 == count)
            return annotate_error(annotate, "%s: its value is missing", acts[act]);
        const char *value = act == ACT_STORE ? "" : Tcl_GetString(words[++i]);
        if (add_action(builder, line, (enum analyser_act)act, value) != TCL_OK)
            return TCL_ERROR;
    }
    return TCL_OK;
}

static int append(struct builder *builder, const struct analyser_transition *line)
{
    struct analyser_plan *plan = &builder->plan;
    if (plan->transitions == ANALYSER_TRANSITIONS)
        return annotate_error(builder->annotate, "an analyser has at most %d lines", ANALYSER_TRANSITIONS);
    plan->transition[plan->transitions++] = *line;
    Tcl_ResetResult(builder->annotate->interp);
    return TCL_OK;
}

/* on CONDITION FROM -> TO ?ACTIONS? */
static int add_transition(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    struct analyser_transition line = {.also = false};
    (void)interp;
    if (count < 5 || strcmp(Tcl_GetString(words[3]), "->") != 0)
        return annotate_error(builder->annotate, "wrong # args: should be \"on CONDITION FROM -> TO ?ACTIONS?\"");
    if (get_condition(builder, words[1], &line.when) != TCL_OK || get_state(builder, words[2], &line.from) != TCL_OK ||
        get_state(builder, words[4], &line.to) != TCL_OK || get_actions(builder, &line, count - 5, words + 5) != TCL_OK)
        return TCL_ERROR;
    return append(builder, &line);
}

/* also CONDITION STATE ACTIONS */
static int add_line(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct builder *builder = data;
    struct analyser_transition line = {.also = true, .to = ANALYSER_ANY};
    (void)interp;
    if (count < 4)
        return annotate_error(builder->annotate, "wrong # args: should be \"also CONDITION STATE ACTIONS\"");
    if (get_condition(builder, words[1], &line.when) != TCL_OK || get_state(builder, words[2], &line.from) != TCL_OK ||
        get_actions(builder, &line, count - 3, words + 3) != TCL_OK)
        return TCL_ERROR;
    return append(builder, &line);
}

/* trace ?-entries N? ?-keep first|last? ?-qualify CONDITION? */
static int add_trace(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const names[] = {"-entries", "-keep", "-qualify", NULL};
    static const char *const keeps[] = {"first", "last", NULL};
    struct builder *builder = data;
    struct annotate *annotate = builder->annotate;
    struct analyser_plan *plan = &builder->plan;
    plan->traces = true;
    for (int i = 1; i < count; i += 2) {
        int name, value = 0, code = TCL_OK;
        if (Tcl_GetIndexFromObj(interp, words[i], names, "option", TCL_EXACT, &name) != TCL_OK)
            return TCL_ERROR;
        if (i + 1 == count)
            return annotate_error(annotate, "%s: its value is missing", names[name]);
        if (name == 0) {
            if (Tcl_GetIntFromObj(NULL, words[i + 1], &value) != TCL_OK || value < 1 || value > ANALYSER_ENTRIES_MAX)
                return annotate_error(annotate, "-entries is 1 to %d, not \"%.64s\"", ANALYSER_ENTRIES_MAX,
                                      Tcl_GetString(words[i + 1]));
            plan->trace_entries = (size_t)value;
        } else if (name == 1) {
            code = Tcl_GetIndexFromObj(interp, words[i + 1], keeps, "choice", TCL_EXACT, &value);
            plan->trace_keeps_last = value == 1;
        } else {
            code = get_condition(builder, words[i + 1], &plan->qualified);
        }
        if (code != TCL_OK)
            return code;
    }
    Tcl_ResetResult(interp);
    return TCL_OK;
}

/* The trace buffer runs from the beginning unless some line says when it stores. */
static int finish_trace(struct builder *builder)
{
    struct analyser_plan *plan = &builder->plan;
    bool stores = false;
    for (unsigned i = 0; i < plan->transitions; i++)
        for (unsigned j = 0; j < plan->transition[i].actions; j++) {
            const enum analyser_act act = plan->transition[i].action[j].act;
            stores |= act == ACT_STORE || act == ACT_START_TRACE;
            if (!plan->traces && (act == ACT_STORE || act == ACT_START_TRACE || act == ACT_STOP_TRACE))
                return annotate_error(builder->annotate, "analyser %s stores samples, but declares no trace",
                                      plan->name);
        }
    plan->trace_runs = plan->traces && !stores;
    return TCL_OK;
}

/* The command */

static const struct {
    const char *name;
    Tcl_ObjCmdProc *call;
} lines[] = {{"recogniser", add_recogniser}, {"state", add_states}, {"counter", add_counter},
             {"on", add_transition},         {"also", add_line},    {"trace", add_trace}};
enum { LINES = sizeof lines / sizeof lines[0] };

static int evaluate(struct annotate *annotate, struct builder *builder, Tcl_Obj *body)
{
    char name[64];
    for (unsigned i = 0; i < LINES; i++) {
        snprintf(name, sizeof name, "%s::%s", NAMESPACE, lines[i].name);
        Tcl_CreateObjCommand(annotate->interp, name, lines[i].call, builder, NULL);
    }
    Tcl_Obj *words[] = {Tcl_NewStringObj("namespace", -1), Tcl_NewStringObj("eval", -1),
                        Tcl_NewStringObj(NAMESPACE, -1), body};
    for (int i = 0; i < 4; i++)
        Tcl_IncrRefCount(words[i]);
    const int code = Tcl_EvalObjv(annotate->interp, 4, words, TCL_EVAL_GLOBAL);
    for (int i = 0; i < 4; i++)
        Tcl_DecrRefCount(words[i]);
    for (unsigned i = 0; i < LINES; i++) {
        snprintf(name, sizeof name, "%s::%s", NAMESPACE, lines[i].name);
        Tcl_DeleteCommand(annotate->interp, name);
    }
    return code;
}

static int build(struct annotate *annotate, struct builder *builder, Tcl_Obj *body)
{
    struct err err = {""};
    struct analyser_plan *plan = &builder->plan;
    if (evaluate(annotate, builder, body) != TCL_OK)
        return TCL_ERROR;
    if (plan->states == 0) /* one that only counts needs none */
        snprintf(plan->state[plan->states++], ANALYSER_NAME, "on");
    if (finish_trace(builder) != TCL_OK)
        return TCL_ERROR;
    if (!annotate->analysers)
        annotate->analysers = analysers_create(&annotate->view.machine);
    if (!analysers_add(annotate->analysers, plan, &err))
        return annotate_error(annotate, "%s", err.text);
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

static int get_options(struct builder *builder, int count, Tcl_Obj *const words[])
{
    static const char *const names[] = {"-cpu", "-clock", NULL};
    static const char *const clocks[] = {"cycle", "fetch", "graduation", NULL}; /* enum probe_clock */
    struct annotate *annotate = builder->annotate;
    for (int i = 0; i + 1 < count; i += 2) {
        int name, value = 0;
        if (Tcl_GetIndexFromObj(annotate->interp, words[i], names, "option", TCL_EXACT, &name) != TCL_OK)
            return TCL_ERROR;
        if (name == 1) {
            if (Tcl_GetIndexFromObj(annotate->interp, words[i + 1], clocks, "clock", TCL_EXACT, &value) != TCL_OK)
                return TCL_ERROR;
            builder->plan.clock = (enum probe_clock)value;
            continue;
        }
        if (Tcl_GetIntFromObj(NULL, words[i + 1], &value) != TCL_OK || value < 0 ||
            value >= (int)annotate->view.machine.cpus)
            return annotate_error(annotate, "-cpu is 0 to %u, not \"%.64s\"", annotate->view.machine.cpus - 1,
                                  Tcl_GetString(words[i + 1]));
        builder->plan.cpu = (unsigned)value;
    }
    return TCL_OK;
}

/* analyser define NAME ?-cpu N? ?-clock cycle|fetch|graduation? BODY */
static int define(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count < 2 || count % 2 != 0)
        return annotate_error(annotate, "wrong # args: should be \"analyser define NAME ?-cpu N? ?-clock "
                                        "cycle|fetch|graduation? BODY\"");
    if (annotate_is_running(annotate))
        return annotate_error(annotate, "an analyser is defined before the run, not in the body of an annotation");
    if (check_name(annotate, Tcl_GetString(words[0])) != TCL_OK)
        return TCL_ERROR;
    struct builder *builder = checked_memory(calloc(1, sizeof *builder));
    builder->annotate = annotate;
    builder->plan.trace_entries = ANALYSER_ENTRIES;
    snprintf(builder->plan.name, sizeof builder->plan.name, "%s", Tcl_GetString(words[0]));
    int code = get_options(builder, count - 2, words + 1);
    if (code == TCL_OK)
        code = build(annotate, builder, words[count - 1]);
    free(builder);
    return code;
}

/* analyser figure NAME COUNTER; analyser samples NAME STATE */
static int get_figure(struct annotate *annotate, bool samples, int count, Tcl_Obj *const words[])
{
    uint64_t value;
    struct err err = {""};
    if (count != 2)
        return annotate_error(annotate, "wrong # args: should be \"analyser %s\"",
                              samples ? "samples NAME STATE" : "figure NAME COUNTER");
    if (!analysers_figure(annotate->analysers, Tcl_GetString(words[0]), Tcl_GetString(words[1]), samples, &value, &err))
        return annotate_error(annotate, "%s", err.text);
    Tcl_SetObjResult(annotate->interp, Tcl_NewWideIntObj((Tcl_WideInt)value));
    return TCL_OK;
}

int analyser_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const verbs[] = {"define", "figure", "samples", NULL};
    int verb;
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "define|figure|samples ...");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, words[1], verbs, "subcommand", TCL_EXACT, &verb) != TCL_OK)
        return TCL_ERROR;
    return verb == 0 ? define(data, count - 2, words + 2) : get_figure(data, verb == 2, count - 2, words + 2);
}
