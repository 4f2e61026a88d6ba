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

struct entries {
    struct profile_insns insns;
    bool pipeline;      /* any entry has pipeline stall */
    struct call *calls; /* by ascending site, those from NOWHERE last */
    size_t call_count;
};

/* Calls from one instruction of one routine, with the costs of all that the routine calls. */
struct call {
    uint64_t site, routine; /* keys; SITE may be NOWHERE */
    int64_t count, executions;
    struct classify_profile_entry costs;
};

#define NOWHERE        UINT64_MAX /* nothing is known to have called the routine */
#define CALLER_UNKNOWN "(caller unknown)"

static bool has_executions(const struct entries *entries)
{
    return entries->insns.machine->execution_profile != NULL;
}

/* The costs of an instruction. */
static void put_costs(const struct entries *entries, const struct classify_profile_entry *costs, int64_t executions,
                      FILE *out)
{
    if (entries->insns.classify)
        fprintf(out, " %" PRIu64, costs->stall);
    if (entries->pipeline)
        fprintf(out, " %" PRIu64, costs->pipeline_stall);
    for (unsigned cache = 0; cache < profile_insns_caches(&entries->insns); cache++)
        fprintf(out, " %" PRIu64, costs->miss[cache]);
    if (has_executions(entries))
        fprintf(out, " %" PRId64, executions);
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
    if (entries->insns.classify)
        fputs(" Stall", out);
    if (entries->pipeline)
        fputs(" Pipeline", out);
    for (unsigned cache = 0; cache < profile_insns_caches(&entries->insns); cache++)
        fprintf(out, " %s", classify_cache_name(entries->insns.classify, cache));
    if (has_executions(entries))
        fputs(" Ir", out);
    fputc('\n', out);
}

static void put_head(const struct entries *entries, FILE *out)
{
    struct classify_profile_entry total = {.stall = 0};
    int64_t executions = 0;
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
    for (struct profile_insn insn = {.key = 0}; profile_insns_next(&entries->insns, &insn);) {
        total.stall += insn.costs->stall;
        total.pipeline_stall += insn.costs->pipeline_stall;
        for (unsigned cache = 0; cache < CLASSIFY_CACHES_MAX; cache++)
            total.miss[cache] += insn.costs->miss[cache];
        executions += insn.executions;
    }
    fputs("summary:", out);
    put_costs(entries, &total, executions, out);
}

/* LINE: "ob=" or "cob=" */
static void put_object(const struct machine *machine, uint64_t key, const char *line, FILE *out)
{
    char name[PROFILE_NAME];
    put_text(line, profile_object(machine, key, name), out);
}

/* Where the file has got to. */
struct position {
    FILE *out;
    uint64_t object;
    char routine[PROFILE_NAME];
    size_t next; /* the first call that has not been written */
};

/* The instruction at KEY follows: begin its routine, unless it is the one before it. */
static void put_routine(const struct entries *entries, struct position *at, uint64_t key)
{
    char name[PROFILE_NAME];
    profile_name_routine(entries->insns.machine, key, name);
    if (key >> 32 == at->object && strcmp(name, at->routine) == 0)
        return;
    fputc('\n', at->out);
    if (key >> 32 != at->object)
        put_object(entries->insns.machine, key, "ob=", at->out);
    fputs("fl=?\n", at->out);
    put_text("fn=", name, at->out);
    at->object = key >> 32;
    memcpy(at->routine, name, sizeof at->routine);
}

/* A call, by the instruction at SITE, which stands for nothing if it is 0. */
static void put_call(const struct entries *entries, const struct call *call, vaddr site, FILE *out)
{
    char name[PROFILE_NAME];
    profile_name_routine(entries->insns.machine, call->routine, name);
    put_object(entries->insns.machine, call->routine, "cob=", out);
    put_text("cfn=", name, out);
    fprintf(out, "calls=%" PRId64 " 0x%" PRIx32 "\n0x%" PRIx32, call->count, (vaddr)call->routine, site);
    put_costs(entries, &call->costs, call->executions, out);
}

/* The calls by instructions before END. */
static void put_calls(const struct entries *entries, struct position *at, uint64_t end)
{
    for (; at->next < entries->call_count && entries->calls[at->next].site < end; at->next++) {
        const struct call *call = &entries->calls[at->next];
        put_routine(entries, at, call->site);
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
        put_routine(entries, &at, insn.key);
        fprintf(out, "0x%" PRIx32, (vaddr)insn.key);
        put_costs(entries, insn.costs, insn.executions, out);
    }
    put_calls(entries, &at, NOWHERE);
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
            entries->calls[entries->call_count++] =
                (struct call){.site = edge[i].from, .routine = edge[i].to, .count = edge[i].count};
    free(edge);
}

static int by_site(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    const int by_site = (x->site > y->site) - (x->site < y->site);
    return by_site ? by_site : (x->routine > y->routine) - (x->routine < y->routine);
}

/* The calls whose costs have been recorded. */
static void read_followed_calls(struct entries *entries, struct call_costs *costs)
{
    size_t count;
    struct call_cost *cost = call_costs_read(costs, &count);
    entries->calls = new_calls(count);
    for (size_t i = 0; i < count; i++) {
        struct call *call = &entries->calls[entries->call_count++];
        *call = (struct call){.site = cost[i].is_first ? NOWHERE : annotate_profile_key(cost[i].site),
                              .routine = annotate_profile_key(cost[i].routine),
                              .count = (int64_t)cost[i].calls,
                              .executions = (int64_t)cost[i].insns};
        call->costs.stall = cost[i].charged.stall;
        call->costs.pipeline_stall = cost[i].charged.pipeline_stall;
        memcpy(call->costs.miss, cost[i].charged.miss, sizeof call->costs.miss);
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
    if (costs)
        read_followed_calls(&entries, costs);
    else if (machine->execution_profile)
        read_counted_calls(&entries);
    for (size_t i = 0; i < entries.insns.missed_count; i++)
        entries.pipeline |= entries.insns.missed[i].pipeline_stall > 0;
    const bool done = save_file("profile", path, write_callgrind, &entries, err);
    profile_insns_free(&entries.insns);
    free(entries.calls);
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
