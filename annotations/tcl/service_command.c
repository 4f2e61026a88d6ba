/* The command `service`: declares the rules of the service accounting, which run in C (services.c). */
#include "annotations/tcl/annotate_state.h"
#include "annotations/services/service_locks.h"
#include "annotations/services/service_names.h"
#include "annotations/services/service_rules.h"
#include "annotations/services/service_report.h"
#include "annotations/services/service_cycles.h"
#include "annotations/services/service_misses.h"
#include "annotations/services/service_whatif.h"
#include "annotations/services/service_displacement.h"

#include <stdlib.h>
#include <string.h>

static const char *const gpr_names[32] = {"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2",
                                          "t3",   "t4", "t5", "t6", "t7", "s0", "s1", "s2", "s3", "s4", "s5",
                                          "s6",   "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra"};

int service_get_register(struct annotate *annotate, Tcl_Obj *word, uint8_t *reg)
{
    const char *name = Tcl_GetString(word);
    for (uint8_t i = 0; i < 32; i++)
        if (strcmp(gpr_names[i], name) == 0) {
            *reg = i;
            return TCL_OK;
        }
    return annotate_error(annotate, "\"%s\" is not a register", name);
}

int service_get_value(struct annotate *annotate, Tcl_Obj *word, uint32_t *value)
{
    Tcl_WideInt number;
    struct err err = {""};
    if (Tcl_GetWideIntFromObj(NULL, word, &number) != TCL_OK)
        return annotate_resolve_fixed(annotate, Tcl_GetString(word), value, &err)
                   ? TCL_OK
                   : annotate_error(annotate, "%s", err.text);
    if (number < INT32_MIN || number > UINT32_MAX)
        return annotate_error(annotate, "%s does not fit into 32 bits", Tcl_GetString(word));
    *value = (uint32_t)number;
    return TCL_OK;
}

/* The function at ADDRESS ends at the next symbol, *END. False with ERR if there is none. */
static bool find_end(const struct annotate *annotate, const char *name, vaddr address, vaddr *end, struct err *err)
{
    const struct symbols *symbols = annotate->view.machine.symbols;
    const struct symbol *symbol = NULL;
    for (size_t i = 0; symbols && (symbol = symbols_get(symbols, i)) && symbol->address <= address; i++)
        continue;
    *end = symbol ? symbol->address : 0;
    return symbol || err_set(err, "\"%.64s\": the kernel has no symbol behind this function", name);
}

int service_get_function(struct annotate *annotate, Tcl_Obj *word, vaddr *first, vaddr *last)
{
    struct err err = {""};
    const char *name = Tcl_GetString(word);
    vaddr end;
    if (!annotate_resolve_fixed(annotate, name, first, &err) || !find_end(annotate, name, *first, &end, &err))
        return annotate_error(annotate, "%s", err.text);
    *last = end - 1;
    return TCL_OK;
}

/* Forms: {REG ?OFFSET? == VALUE}, != VALUE, in LOW HIGH, or {REG within FUNCTION} */
int service_get_condition(struct annotate *annotate, Tcl_Obj *word, struct service_condition *condition)
{
    Tcl_Size count;
    int offset = 0;
    Tcl_Obj **parts;
    if (Tcl_ListObjGetElements(annotate->interp, word, &count, &parts) != TCL_OK)
        return TCL_ERROR;
    *condition = (struct service_condition){0};
    if (count == 3 && strcmp(Tcl_GetString(parts[1]), "within") == 0)
        return service_get_register(annotate, parts[0], &condition->reg) == TCL_OK
                   ? service_get_function(annotate, parts[2], &condition->low, &condition->high)
                   : TCL_ERROR;
    bool range = count >= 4 && strcmp(Tcl_GetString(parts[count - 3]), "in") == 0;
    Tcl_Size values = range ? 2 : 1, operator= count - 1 - values;
    const char *sign = operator >= 1 ? Tcl_GetString(parts[operator]) : "";
    if (operator<1 || operator> 2 ||(!range && strcmp(sign, "==") != 0 && strcmp(sign, "!=") != 0))
        return annotate_error(annotate,
                              "-when \"%s\" is not {REGISTER ?OFFSET? == VALUE}, != VALUE, in LOW HIGH, or {REGISTER "
                              "within FUNCTION}",
                              Tcl_GetString(word));
    condition->memory = operator== 2;
    if (service_get_register(annotate, parts[0], &condition->reg) != TCL_OK ||
        (condition->memory && Tcl_GetIntFromObj(annotate->interp, parts[1], &offset) != TCL_OK) ||
        service_get_value(annotate, parts[operator + 1], &condition->low) != TCL_OK ||
        service_get_value(annotate, parts[operator + values], &condition->high) != TCL_OK)
        return TCL_ERROR;
    condition->offset = offset;
    condition->negated = sign[0] == '!';
    return TCL_OK;
}

/* The kinds of rules; the flags say which words precede SYMBOL. */
static const struct {
    const char *verb, *usage;
    enum service_rule_kind kind;
    bool service, class, reg, counter;
} rules[] = {
    {"enter", "NAME SYMBOL ?OPTIONS?", RULE_ENTER, true, false, false, false},
    {"become", "fault|interrupt NAME SYMBOL ?OPTIONS?", RULE_RECLASSIFY, true, true, false, false},
    {"switch", "REGISTER SYMBOL ?OPTIONS?", RULE_SWITCH, false, false, true, false},
    {"born", "REGISTER SYMBOL ?OPTIONS?", RULE_CREATED, false, false, true, false},
    {"named", "REGISTER SYMBOL ?OPTIONS?", RULE_NAMED, false, false, true, false},
    {"woken", "REGISTER SYMBOL ?OPTIONS?", RULE_WOKEN, false, false, true, false},
    {"moved", "REGISTER SYMBOL ?OPTIONS?", RULE_MOVED, false, false, true, false},
    {"count", "NAME SYMBOL ?OPTIONS?", RULE_COUNT, false, false, false, true},
};
enum { RULE_KINDS = sizeof rules / sizeof rules[0] };

static int get_options(struct annotate *annotate, struct service_rule *rule, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"-when", "-rank", NULL};
    rule->rank = 1;
    for (int i = 0; i < count; i++) {
        int option, rank;
        if (Tcl_GetIndexFromObj(annotate->interp, words[i], options, "option", 0, &option) != TCL_OK)
            return TCL_ERROR;
        if (++i == count)
            return annotate_error(annotate, "%s: its value is missing", options[option]);
        if (option == 0 && rule->conditions == SERVICE_CONDITIONS)
            return annotate_error(annotate, "a rule has at most %d conditions", SERVICE_CONDITIONS);
        if (option == 0 && service_get_condition(annotate, words[i], &rule->condition[rule->conditions++]) != TCL_OK)
            return TCL_ERROR;
        if (option == 1) {
            if (Tcl_GetIntFromObj(NULL, words[i], &rank) != TCL_OK || rank < 1 || rank > 255)
                return annotate_error(annotate, "-rank \"%s\" is not a number from 1 to 255", Tcl_GetString(words[i]));
            rule->rank = (uint8_t)rank;
        }
    }
    return TCL_OK;
}

static int get_service(struct annotate *annotate, Tcl_Obj *word, unsigned *service)
{
    const char *name = Tcl_GetString(word);
    if (!*name || strlen(name) >= SERVICE_NAME)
        return annotate_error(annotate, "a service's name has 1 to %d bytes, not \"%.64s\"", SERVICE_NAME - 1, name);
    *service = services_find(annotate->services, name);
    if (*service < SERVICES_MAX)
        return TCL_OK;
    return annotate_error(annotate, "there are %d services already", SERVICES_MAX);
}

static int add_rule(struct annotate *annotate, unsigned kind, int count, Tcl_Obj *const words[])
{
    struct service_rule rule = {.kind = rules[kind].kind};
    struct err err = {""};
    int i = 0;
    if (count < 2 + rules[kind].class)
        return annotate_error(annotate, "wrong # args: should be \"service %s %s\"", rules[kind].verb,
                              rules[kind].usage);
    if (rules[kind].class) {
        const char *class = Tcl_GetString(words[i++]);
        bool fault = strcmp(class, "fault") == 0;
        if (!fault && strcmp(class, "interrupt") != 0)
            return annotate_error(annotate, "only a fault or an interrupt can be reclassified, not \"%s\"", class);
        rule.class = fault ? SERVICE_IS_FAULT : SERVICE_IS_INTERRUPT;
    }
    if (rules[kind].service && get_service(annotate, words[i++], &rule.service) != TCL_OK)
        return TCL_ERROR;
    if (rules[kind].reg && service_get_register(annotate, words[i++], &rule.reg) != TCL_OK)
        return TCL_ERROR;
    if (rules[kind].counter) {
        rule.counter = services_counter(annotate->services, Tcl_GetString(words[i++]));
        if (!rule.counter)
            return annotate_error(annotate, "there are too many counters");
    }
    const char *symbol = Tcl_GetString(words[i++]);
    if (get_options(annotate, &rule, count - i, words + i) != TCL_OK)
        return TCL_ERROR;
    struct address_list addresses = {0};
    const bool found = annotate_resolve_all(annotate, symbol, &addresses, &err);
    for (unsigned at = 0; found && at < addresses.count; at++) {
        rule.address = addresses.address[at];
        services_add_rule(annotate->services, &rule);
    }
    address_list_release(&addresses);
    Tcl_ResetResult(annotate->interp);
    return found ? TCL_OK : annotate_error(annotate, "%s", err.text);
}

/* service layout {task 0 state 0 dead 0x80 pid 1136 tgid 1140 comm 1416 mm 1032 stack 4 cpu 12} */
static int set_layout(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    static const char *const names[] = {"task", "state", "dead", "pid", "tgid", "comm", "mm", "stack", "cpu", NULL};
    struct service_layout layout = {-1, -1, 0, -1, -1, -1, -1, -1, -1};
    Tcl_Size parts;
    Tcl_Obj **part;
    if (count != 1)
        return annotate_error(annotate, "wrong # args: should be \"service layout {WHAT OFFSET ...}\"");
    if (Tcl_ListObjGetElements(annotate->interp, words[0], &parts, &part) != TCL_OK)
        return TCL_ERROR;
    if (parts % 2)
        return annotate_error(annotate, "\"%s\": each member needs an offset", Tcl_GetString(words[0]));
    for (Tcl_Size i = 0; i < parts; i += 2) {
        int name, value;
        if (Tcl_GetIndexFromObj(annotate->interp, part[i], names, "member", TCL_EXACT, &name) != TCL_OK ||
            Tcl_GetIntFromObj(annotate->interp, part[i + 1], &value) != TCL_OK)
            return TCL_ERROR;
        if (name == 2)
            layout.dead = (uint32_t)value;
        else
            *(int *[]){&layout.task_of_thread, &layout.state, NULL,          &layout.pid, &layout.tgid,
                       &layout.comm,           &layout.mm,    &layout.stack, &layout.cpu}[name] = value;
    }
    services_set_layout(annotate->services, &layout);
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

/* Add RULE for every function called SYMBOL. */
static int add_lock_functions(struct annotate *annotate, const char *symbol, struct lock_rule rule)
{
    struct address_list functions = {0};
    struct err err = {""};
    bool good = annotate_resolve_all(annotate, symbol, &functions, &err);
    for (unsigned i = 0; good && i < functions.count; i++) {
        rule.first = functions.address[i];
        good = find_end(annotate, symbol, rule.first, &rule.end, &err) &&
               (services_add_lock_rule(annotate->services, &rule) ||
                err_set(&err, "%.64s: the exits of this function cannot be found", symbol));
    }
    address_list_release(&functions);
    return good ? TCL_OK : annotate_error(annotate, "%s", err.text);
}

/* service lock KIND takes|tries|waits|gives SYMBOL; service lock releases FROM TO; service lock variables END */
static int add_lock(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    static const char *const actions[] = {"takes", "tries", "waits", "gives", NULL};
    struct err err = {""};
    struct lock_rule rule = {LOCK_SPIN, LOCK_ACQUIRE, 0, 0};
    const char *first = count > 0 ? Tcl_GetString(words[0]) : "";
    int action;
    Tcl_ResetResult(annotate->interp);
    if (count == 2 && strcmp(first, "variables") == 0) {
        if (service_get_value(annotate, words[1], &rule.end) != TCL_OK)
            return TCL_ERROR;
        services_set_image_end(annotate->services, rule.end);
        return TCL_OK;
    }
    if (count != 3)
        return annotate_error(annotate, "wrong # args: should be \"service lock KIND ACTION SYMBOL\"");
    if (strcmp(first, "releases") == 0) {
        if (!annotate_resolve_fixed(annotate, Tcl_GetString(words[1]), &rule.first, &err) ||
            !annotate_resolve_fixed(annotate, Tcl_GetString(words[2]), &rule.end, &err))
            return annotate_error(annotate, "%s", err.text);
        Tcl_SetObjResult(annotate->interp,
                         Tcl_NewIntObj((int)services_add_lock_releases(annotate->services, rule.first, rule.end)));
        return TCL_OK;
    }
    while (rule.kind < LOCK_KINDS && strcmp(lock_kind_name(rule.kind), first) != 0)
        rule.kind++;
    if (rule.kind == LOCK_KINDS)
        return annotate_error(annotate, "\"%s\" is not a kind of lock", first);
    if (Tcl_GetIndexFromObj(annotate->interp, words[1], actions, "action", TCL_EXACT, &action) != TCL_OK)
        return TCL_ERROR;
    rule.action = (enum lock_action)action;
    return add_lock_functions(annotate, Tcl_GetString(words[2]), rule);
}

static int name_call(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    int number;
    if (count != 2)
        return annotate_error(annotate, "wrong # args: should be \"service syscall NUMBER NAME\"");
    if (Tcl_GetIntFromObj(annotate->interp, words[0], &number) != TCL_OK)
        return TCL_ERROR;
    if (!services_name_call(annotate->services, (uint32_t)number, Tcl_GetString(words[1])))
        return annotate_error(annotate, "%d is not a system call number", number);
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

static int get_figure(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    uint64_t value;
    if (count != 2 && !(count == 4 && strcmp(Tcl_GetString(words[2]), "-process") == 0))
        return annotate_error(annotate, "wrong # args: should be \"service figure NAME FIGURE ?-process NAME|PID?\"");
    if (!services_figure(annotate->services, Tcl_GetString(words[0]), Tcl_GetString(words[1]),
                         count == 4 ? Tcl_GetString(words[3]) : NULL, &value))
        return annotate_error(annotate, "there is no service \"%s\" with a figure \"%s\"", Tcl_GetString(words[0]),
                              Tcl_GetString(words[1]));
    Tcl_SetObjResult(annotate->interp, Tcl_NewWideIntObj((Tcl_WideInt)value));
    return TCL_OK;
}

/* Return the results so far as text. */
static int print(struct annotate *annotate)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    services_print(annotate->services, out);
    fclose(out);
    Tcl_SetObjResult(annotate->interp, Tcl_NewStringObj(text, (int)size));
    free(text);
    return TCL_OK;
}

static void add_cause(void *opaque, const char *service, const char *cause, uint64_t misses)
{
    Tcl_Obj *keys[] = {Tcl_NewStringObj(service, -1), Tcl_NewStringObj(cause, -1)};
    Tcl_IncrRefCount(keys[0]);
    Tcl_IncrRefCount(keys[1]);
    Tcl_DictObjPutKeyList(NULL, opaque, 2, keys, Tcl_NewWideIntObj((Tcl_WideInt)misses));
    Tcl_DecrRefCount(keys[0]);
    Tcl_DecrRefCount(keys[1]);
}

/* service displaced begin; service displaced CACHE */
static int displaced(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count == 1 && strcmp(Tcl_GetString(words[0]), "begin") == 0)
        return services_record_displacement(annotate->services)
                   ? TCL_OK
                   : annotate_error(annotate, "this machine has no caches from which lines could be displaced");
    if (count != 1)
        return annotate_error(annotate, "wrong # args: should be \"service displaced begin|CACHE\"");
    if (!services_displacement_recorded(annotate->services))
        return annotate_error(annotate, "displacement is not recorded: run `service displaced begin` first");
    Tcl_Obj *dict = Tcl_NewDictObj();
    if (!services_displaced(annotate->services, Tcl_GetString(words[0]), add_cause, dict)) {
        Tcl_DecrRefCount(dict);
        return annotate_error(annotate, "there is no cache \"%s\"", Tcl_GetString(words[0]));
    }
    Tcl_SetObjResult(annotate->interp, dict);
    return TCL_OK;
}

/* service misses begin */
static int record_misses(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count != 1 || strcmp(Tcl_GetString(words[0]), "begin") != 0)
        return annotate_error(annotate, "wrong # args: should be \"service misses begin\"");
    if (annotate_need_layout(annotate) != TCL_OK)
        return TCL_ERROR;
    return services_record_misses(annotate->services, &annotate_miss_names, annotate)
               ? TCL_OK
               : annotate_error(annotate, "this machine has no caches that could miss");
}

/* service cycles begin */
static int record_cycles(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count != 1 || strcmp(Tcl_GetString(words[0]), "begin") != 0)
        return annotate_error(annotate, "wrong # args: should be \"service cycles begin\"");
    if (annotate_need_layout(annotate) != TCL_OK)
        return TCL_ERROR;
    if (analysers_any(annotate->analysers))
        return annotate_error(annotate, "cycles by place: not together with logic analysers");
    if (annotate->calls)
        return annotate_error(annotate, "cycles by place: not together with execution.counts=calls");
    services_record_cycles(annotate->services, &annotate_miss_names, annotate_cycle_routine, annotate);
    return TCL_OK;
}

/* Can WHATIF, parsed from TEXT, be with instructions that overlap? */
static bool may_overlap(const struct whatif *whatif, const char *text, struct err *err)
{
    return !(whatif_has(whatif, WHATIF_ROUTINE) || whatif_has(whatif, WHATIF_LOCK) || whatif_has(whatif, WHATIF_TLB)) ||
           err_set(err, "whatif.free: \"%.100s\": with an out-of-order CPU only miss:... can be free", text);
}

bool annotate_check_whatif(const char *text, struct err *err)
{
    struct whatif *whatif = *text ? whatif_parse(text, err) : NULL;
    const bool may = !*text || (whatif && may_overlap(whatif, text, err));
    whatif_free(whatif);
    return may;
}

bool annotate_set_whatif(struct annotate *annotate, const char *text, bool overlaps, struct err *err)
{
    struct whatif *whatif = whatif_parse(text, err);
    if (!whatif)
        return false;
    if ((!overlaps || may_overlap(whatif, text, err)) && !services_records_cycles(annotate->services) &&
        annotate_use_library(annotate, "cycles") != TCL_OK)
        err_set(err, "whatif.free: %.400s", Tcl_GetStringResult(annotate->interp));
    if (err->text[0]) {
        whatif_free(whatif);
        return false;
    }
    services_set_whatif(annotate->services, whatif);
    return true;
}

int service_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct annotate *annotate = data;
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words,
                         "begin|enter|become|switch|born|named|woken|moved|count|lock|layout|syscall|displaced|misses|"
                         "cycles|figure|print ...");
        return TCL_ERROR;
    }
    const char *verb = Tcl_GetString(words[1]);
    if (strcmp(verb, "begin") == 0) {
        if (!annotate->services)
            annotate->services = services_create(&annotate->view.machine, annotate->events, annotate->returns);
        return TCL_OK;
    }
    if (!annotate->services)
        return annotate_error(annotate,
                              "there is no accounting of services: run `library services` or `service begin` first");
    for (unsigned kind = 0; kind < RULE_KINDS; kind++)
        if (strcmp(rules[kind].verb, verb) == 0)
            return add_rule(annotate, kind, count - 2, words + 2);
    if (strcmp(verb, "layout") == 0)
        return set_layout(annotate, count - 2, words + 2);
    if (strcmp(verb, "lock") == 0)
        return add_lock(annotate, count - 2, words + 2);
    if (strcmp(verb, "syscall") == 0)
        return name_call(annotate, count - 2, words + 2);
    if (strcmp(verb, "displaced") == 0)
        return displaced(annotate, count - 2, words + 2);
    if (strcmp(verb, "misses") == 0)
        return record_misses(annotate, count - 2, words + 2);
    if (strcmp(verb, "cycles") == 0)
        return record_cycles(annotate, count - 2, words + 2);
    if (strcmp(verb, "figure") == 0)
        return get_figure(annotate, count - 2, words + 2);
    if (strcmp(verb, "print") == 0)
        return print(annotate);
    return annotate_error(annotate, "service: bad subcommand \"%s\"", verb);
}
