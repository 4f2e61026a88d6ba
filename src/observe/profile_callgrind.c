/* A profile by routine in callgrind format, for KCachegrind and callgrind_annotate (Valgrind manual, "Callgrind Format
 * Specification"). */
#include "src/observe/profile.h"
#include "src/base/printable.h"

#include "annotations/tcl/annotate.h"
#include "cpu/observe/execution_profile.h"
#include "src/base/save_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The events of a line. */
enum { COST_STALL, COST_PIPELINE, COST_MISSES, COST_INSNS = COST_MISSES + CLASSIFY_CACHES_MAX, COSTS };
struct line {
    uint64_t cost[COSTS];
};

/* A routine by its name, of which there may be several stretches of code, and what it has cost itself: as followed with
 * the calls, and by the profile of its instructions. With mxs these differ, as what is followed belongs to the oldest
 * instruction. The lines of its instructions are those of the profile, scaled to what has been followed: so costs of
 * routines and of calls agree. */
struct routine {
    uint64_t key; /* of an instruction; key >> 32 is the object */
    char name[PROFILE_NAME];
    bool begun;
    struct line followed, insns, passed; /* passed: of the instructions that have been written */
};

struct entries {
    struct profile_insns insns;
    struct routine *routines; /* by object and name; NULL: costs have not been followed */
    size_t routine_count;
    bool pipeline;      /* any entry has pipeline stall */
    struct call *calls; /* by ascending site, those from NOWHERE last */
    size_t call_count;
};

/* Calls from one instruction of one routine, with the costs of all that the routine calls. */
struct call {
    uint64_t site, caller, routine; /* keys; SITE may be NOWHERE, CALLER is of the routine of SITE */
    int64_t count;
    struct line costs;
};

#define DIGITS         "0123456789"
#define NOWHERE        UINT64_MAX /* nothing is known to have called the routine */
#define CALLER_UNKNOWN "(caller unknown)"

static bool has_executions(const struct entries *entries)
{
    return entries->insns.machine->execution_profile != NULL;
}

static struct line line_of(const struct classify_profile_entry *costs, int64_t executions)
{
    struct line line = {
        .cost = {
            [COST_STALL] = costs->stall, [COST_PIPELINE] = costs->pipeline_stall, [COST_INSNS] = (uint64_t)executions}};
    memcpy(&line.cost[COST_MISSES], costs->miss, sizeof costs->miss);
    return line;
}

static struct line charged_line(const struct classify_charged *charged, uint64_t insns)
{
    struct line line = {
        .cost = {[COST_STALL] = charged->stall, [COST_PIPELINE] = charged->pipeline_stall, [COST_INSNS] = insns}};
    memcpy(&line.cost[COST_MISSES], charged->miss, sizeof charged->miss);
    return line;
}

static void add_line(struct line *sum, const struct line *line)
{
    for (unsigned i = 0; i < COSTS; i++)
        sum->cost[i] += line->cost[i];
}

static bool is_nothing(const struct line *line)
{
    for (unsigned i = 0; i < COSTS; i++)
        if (line->cost[i])
            return false;
    return true;
}

/* Readers that follow calls (gprof2dot) divide the first event of a routine among its callers, and a call of which it
 * is 0 is as good as any: each call executes instructions, but not each stalls. Without calls stalls come first. */
static bool puts_insns_first(const struct entries *entries)
{
    return entries->routines != NULL;
}

/* The costs of an instruction. */
static void put_costs(const struct entries *entries, const struct line *line, FILE *out)
{
    if (puts_insns_first(entries))
        fprintf(out, " %" PRIu64, line->cost[COST_INSNS]);
    if (entries->insns.classify)
        fprintf(out, " %" PRIu64, line->cost[COST_STALL]);
    if (entries->pipeline)
        fprintf(out, " %" PRIu64, line->cost[COST_PIPELINE]);
    for (unsigned cache = 0; cache < profile_insns_caches(&entries->insns); cache++)
        fprintf(out, " %" PRIu64, line->cost[COST_MISSES + cache]);
    if (has_executions(entries) && !puts_insns_first(entries))
        fprintf(out, " %" PRIu64, line->cost[COST_INSNS]);
    fputc('\n', out);
}

/* A line KEY with a TEXT from outside: the format allows one line, and viewers show it. */
static void put_text(const char *key, const char *text, FILE *out)
{
    char *copy = checked_memory(strdup(text));
    printable_replace(copy, ' ');
    fprintf(out, "%s%s\n", key, copy);
    free(copy);
}

static void put_command(const struct machine *machine, FILE *out)
{
    put_text("cmd: ", machine->job ? machine->job : machine->name, out);
}

static void put_event_names(const struct entries *entries, FILE *out)
{
    fputs("events:", out);
    if (puts_insns_first(entries))
        fputs(" Ir", out);
    if (entries->insns.classify)
        fputs(" Stall", out);
    if (entries->pipeline)
        fputs(" Pipeline", out);
    for (unsigned cache = 0; cache < profile_insns_caches(&entries->insns); cache++)
        fprintf(out, " %s", classify_cache_name(entries->insns.classify, cache));
    if (has_executions(entries) && !puts_insns_first(entries))
        fputs(" Ir", out);
    fputc('\n', out);
}

static void put_head(const struct entries *entries, FILE *out)
{
    struct line total = {{0}};
    fputs("# callgrind format\nversion: 1\ncreator: simos\n", out);
    put_command(entries->insns.machine, out);
    fputs("positions: instr\n", out);
    if (entries->insns.classify)
        fputs("event: Stall : Stall cycles\n", out);
    if (entries->pipeline)
        fputs("event: Pipeline : Pipeline stall cycles\n", out);
    for (unsigned cache = 0; cache < profile_insns_caches(&entries->insns); cache++)
        fprintf(out, "event: %s : Misses of %s\n", classify_cache_name(entries->insns.classify, cache),
                classify_cache_name(entries->insns.classify, cache));
    if (has_executions(entries))
        fputs("event: Ir : Instructions executed\n", out);
    put_event_names(entries, out);
    for (struct profile_insn insn = {.key = 0}; !entries->routines && profile_insns_next(&entries->insns, &insn);) {
        const struct line line = line_of(insn.costs, insn.executions);
        add_line(&total, &line);
    }
    for (size_t i = 0; i < entries->routine_count; i++)
        add_line(&total, &entries->routines[i].followed);
    fputs("summary:", out);
    put_costs(entries, &total, out);
}

/* A line KEY with a NAME from outside. "(7)" at its begin is a number for a name in the format, and so gets a space:
 * "( 7)". Readers leave out spaces at the begin, and need something behind them. */
static void put_name(const char *key, const char *name, FILE *out)
{
    char *copy = checked_memory(strdup(name));
    printable_replace(copy, ' ');
    const char *from = copy + strspn(copy, " ");
    if (*from == '(' && from[1 + strspn(from + 1, DIGITS)] == ')')
        fprintf(out, "%s( %s\n", key, from + 1);
    else
        fprintf(out, "%s%s\n", key, *from ? from : "?");
    free(copy);
}

/* LINE: "ob=" or "cob=" */
static void put_object(const struct machine *machine, uint64_t key, const char *line, FILE *out)
{
    char name[PROFILE_NAME];
    put_name(line, profile_object(machine, key, name), out);
}

/* Where the file has got to. */
struct position {
    FILE *out;
    uint64_t object;
    char name[PROFILE_NAME];
    struct routine *routine; /* of that name; NULL: costs have not been followed */
    size_t next;             /* the first call that has not been written */
};

static int by_routine(const void *a, const void *b)
{
    const struct routine *x = a, *y = b;
    return x->key >> 32 != y->key >> 32 ? (x->key >> 32 < y->key >> 32 ? -1 : 1) : strcmp(x->name, y->name);
}

static struct routine *find_routine(const struct entries *entries, uint64_t key, const char *name)
{
    struct routine sought = {.key = key};
    snprintf(sought.name, sizeof sought.name, "%s", name);
    return entries->routines ? bsearch(&sought, entries->routines, entries->routine_count, sizeof sought, by_routine)
                             : NULL;
}

/* The instruction at KEY follows: begin its routine, unless it is the one before it. */
static void put_routine(const struct entries *entries, struct position *at, uint64_t key)
{
    char name[PROFILE_NAME];
    profile_name_routine(entries->insns.machine, key, name);
    if (key >> 32 == at->object && strcmp(name, at->name) == 0)
        return;
    fputc('\n', at->out);
    if (key >> 32 != at->object)
        put_object(entries->insns.machine, key, "ob=", at->out);
    fputs("fl=?\n", at->out);
    put_name("fn=", name, at->out);
    at->object = key >> 32;
    memcpy(at->name, name, sizeof at->name);
    at->routine = find_routine(entries, key, name);
}

/* The part of FOLLOWED that PASSED of WHOLE has, rounded down. */
static uint64_t part_of(uint64_t followed, uint64_t passed, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)followed * passed / whole);
}

/* The line of the next instruction of ROUTINE, whose profile has LINE. The parts add up to what has been followed. */
static struct line next_line(struct routine *routine, const struct line *line)
{
    struct line scaled = {{0}};
    for (unsigned i = 0; i < COSTS; i++) {
        const uint64_t followed = routine->followed.cost[i], whole = routine->insns.cost[i];
        const uint64_t before = routine->passed.cost[i], after = before + line->cost[i];
        if (whole)
            scaled.cost[i] = part_of(followed, after, whole) - part_of(followed, before, whole);
        else if (!routine->begun)
            scaled.cost[i] = followed;
    }
    add_line(&routine->passed, line);
    routine->begun = true;
    return scaled;
}

static void put_insn(const struct entries *entries, struct position *at, const struct profile_insn *insn)
{
    struct line line = line_of(insn->costs, insn->executions);
    put_routine(entries, at, insn->key);
    if (at->routine)
        line = next_line(at->routine, &line);
    fprintf(at->out, "0x%" PRIx32, (vaddr)insn->key);
    put_costs(entries, &line, at->out);
}

/* Routines of which no instruction has a cost of its own. */
static void put_rest(const struct entries *entries, struct position *at)
{
    for (size_t i = 0; i < entries->routine_count; i++) {
        struct routine *routine = &entries->routines[i];
        if (routine->begun || is_nothing(&routine->followed))
            continue;
        put_routine(entries, at, routine->key);
        fprintf(at->out, "0x%" PRIx32, (vaddr)routine->key);
        put_costs(entries, &routine->followed, at->out);
    }
}

/* A call, by the instruction at SITE, which stands for nothing if it is 0. */
static void put_call(const struct entries *entries, const struct call *call, vaddr site, FILE *out)
{
    char name[PROFILE_NAME];
    profile_name_routine(entries->insns.machine, call->routine, name);
    put_object(entries->insns.machine, call->routine, "cob=", out);
    put_name("cfn=", name, out);
    fprintf(out, "calls=%" PRId64 " 0x%" PRIx32 "\n0x%" PRIx32, call->count, (vaddr)call->routine, site);
    put_costs(entries, &call->costs, out);
}

/* The calls by instructions before END. */
static void put_calls(const struct entries *entries, struct position *at, uint64_t end)
{
    for (; at->next < entries->call_count && entries->calls[at->next].site < end; at->next++) {
        const struct call *call = &entries->calls[at->next];
        put_routine(entries, at, call->caller);
        put_call(entries, call, (vaddr)call->site, at->out);
    }
}

/* The calls from nowhere: a root, from which viewers reach all costs. */
static void put_first_calls(const struct entries *entries, struct position *at)
{
    if (at->next < entries->call_count)
        fputs("\nob=?\nfl=?\nfn=" CALLER_UNKNOWN "\n", at->out);
    for (; at->next < entries->call_count; at->next++)
        put_call(entries, &entries->calls[at->next], 0, at->out);
}

static void write_callgrind(const void *opaque, FILE *out)
{
    const struct entries *entries = opaque;
    struct position at = {.out = out, .object = UINT64_MAX};
    put_head(entries, out);
    for (struct profile_insn insn = {.key = 0}; profile_insns_next(&entries->insns, &insn);) {
        put_calls(entries, &at, insn.key);
        put_insn(entries, &at, &insn);
    }
    put_calls(entries, &at, NOWHERE);
    put_rest(entries, &at);
    put_first_calls(entries, &at);
}

static struct call *new_calls(size_t count)
{
    return checked_memory(calloc(count + 1, sizeof(struct call)));
}

/* The calls at `jal` and `jalr`, whose costs are not known. */
static void read_counted_calls(struct entries *entries)
{
    size_t count;
    struct execution_edge *edge = execution_profile_edges(entries->insns.machine->execution_profile, &count);
    entries->calls = new_calls(count);
    for (size_t i = 0; i < count; i++)
        if (edge[i].is_call)
            entries->calls[entries->call_count++] = (struct call){
                .site = edge[i].from, .caller = edge[i].from, .routine = edge[i].to, .count = edge[i].count};
    free(edge);
}

static int by_site(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    const int by_site = (x->site > y->site) - (x->site < y->site);
    const int by_routine = (x->routine > y->routine) - (x->routine < y->routine);
    return by_site ? by_site : by_routine ? by_routine : (x->caller > y->caller) - (x->caller < y->caller);
}

static struct routine new_routine(const struct machine *machine, uint64_t key)
{
    struct routine routine = {.key = key};
    profile_name_routine(machine, key, routine.name);
    return routine;
}

/* Read the instructions from INSN on that are of one routine, into ROUTINE. False if there are none. */
static bool read_stretch(const struct entries *entries, struct profile_insn *insn, bool *has_insn,
                         struct routine *routine)
{
    if (!*has_insn)
        return false;
    *routine = new_routine(entries->insns.machine, insn->key);
    struct routine next = *routine;
    do {
        const struct line line = line_of(insn->costs, insn->executions);
        add_line(&routine->insns, &line);
        *has_insn = profile_insns_next(&entries->insns, insn);
        if (*has_insn)
            next = new_routine(entries->insns.machine, insn->key);
    } while (*has_insn && by_routine(routine, &next) == 0);
    return true;
}

static void add_routine(struct entries *entries, size_t *room, const struct routine *routine)
{
    if (entries->routine_count == *room) {
        *room *= 2;
        entries->routines = checked_memory(realloc(entries->routines, *room * sizeof *entries->routines));
    }
    entries->routines[entries->routine_count++] = *routine;
}

/* What each routine has cost itself, as followed with the calls and by its instructions. */
static void read_routines(struct entries *entries, struct call_costs *costs)
{
    size_t count, room = 1024, kept = 0;
    struct call_own_cost *own = call_costs_read_own(costs, &count);
    struct profile_insn insn = {.key = 0};
    struct routine routine;
    entries->routines = checked_memory(malloc(room * sizeof *entries->routines));
    for (size_t i = 0; i < count; i++) {
        routine = new_routine(entries->insns.machine, annotate_profile_key(own[i].routine));
        routine.followed = charged_line(&own[i].charged, own[i].insns);
        add_routine(entries, &room, &routine);
    }
    free(own);
    for (bool has_insn = profile_insns_next(&entries->insns, &insn); read_stretch(entries, &insn, &has_insn, &routine);)
        add_routine(entries, &room, &routine);
    qsort(entries->routines, entries->routine_count, sizeof *entries->routines, by_routine);
    for (size_t i = 0; i < entries->routine_count; i++) {
        struct routine *last = kept ? &entries->routines[kept - 1] : NULL;
        if (last && by_routine(last, &entries->routines[i]) == 0) {
            last->key = entries->routines[i].key < last->key ? entries->routines[i].key : last->key;
            add_line(&last->followed, &entries->routines[i].followed);
            add_line(&last->insns, &entries->routines[i].insns);
        } else {
            entries->routines[kept++] = entries->routines[i];
        }
    }
    entries->routine_count = kept;
}

/* The calls whose costs have been recorded. Those within recursion have none, and are left out: viewers would divide
 * other costs by them. */
static void read_followed_calls(struct entries *entries, struct call_costs *costs)
{
    size_t count;
    struct call_cost *cost = call_costs_read(costs, &count);
    entries->calls = new_calls(count);
    for (size_t i = 0; i < count; i++) {
        struct call *call = &entries->calls[entries->call_count];
        *call = (struct call){.site = cost[i].is_first ? NOWHERE : annotate_profile_key(cost[i].site),
                              .caller = cost[i].is_first ? NOWHERE : annotate_profile_key(cost[i].caller),
                              .routine = annotate_profile_key(cost[i].routine),
                              .count = (int64_t)cost[i].calls,
                              .costs = charged_line(&cost[i].charged, cost[i].insns)};
        entries->call_count += !is_nothing(&call->costs);
    }
    qsort(entries->calls, entries->call_count, sizeof *entries->calls, by_site);
    free(cost);
}

bool profile_save_callgrind(const struct machine *machine, const char *path, struct err *err)
{
    struct entries entries = {.pipeline = false};
    if (!profile_insns_read(&entries.insns, machine, path, err))
        return false;
    struct call_costs *costs = annotate_call_costs(machine->annotate);
    if (costs) {
        read_followed_calls(&entries, costs);
        read_routines(&entries, costs);
    } else if (machine->execution_profile) {
        read_counted_calls(&entries);
    }
    for (size_t i = 0; i < entries.insns.missed_count; i++)
        entries.pipeline |= entries.insns.missed[i].pipeline_stall > 0;
    const bool done = save_file("profile", path, write_callgrind, &entries, err);
    profile_insns_free(&entries.insns);
    free(entries.calls);
    free(entries.routines);
    return done;
}

bool profile_save(const struct machine *machine, const char *path, struct err *err)
{
    return (path_ends_with(path, ".callgrind")   ? profile_save_callgrind
            : path_ends_with(path, ".pb.gz")     ? profile_save_pprof
            : path_ends_with(path, ".perf")      ? profile_save_perf
            : path_ends_with(path, ".layout")    ? profile_save_layout
            : path_ends_with(path, ".functions") ? profile_save_functions
            : path_ends_with(path, ".points")    ? profile_save_points
            : path_ends_with(path, ".pages")     ? profile_save_pages
                                                 : profile_save_json)(machine, path, err);
}
