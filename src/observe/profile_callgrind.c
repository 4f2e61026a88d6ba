/* A profile by routine in callgrind format, for KCachegrind and callgrind_annotate (Valgrind manual, "Callgrind Format
 * Specification"). */
#include "src/observe/profile.h"
#include "src/base/printable.h"

#include "cpu/observe/execution_profile.h"
#include "src/base/save_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entries {
    struct profile_insns insns;
    bool pipeline; /* any entry has pipeline stall */
    struct execution_edge *edge;
    size_t edge_count;
};

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

/* The calls by the instruction at KEY; *NEXT is the first edge from KEY or a later instruction. The costs of what is
 * called are not known, so they are 0. */
static void put_calls(const struct entries *entries, uint64_t key, size_t *next, FILE *out)
{
    static const struct classify_profile_entry unknown;
    char name[PROFILE_NAME];
    while (*next < entries->edge_count && entries->edge[*next].from < key)
        ++*next;
    for (; *next < entries->edge_count && entries->edge[*next].from == key; ++*next) {
        const struct execution_edge *edge = &entries->edge[*next];
        if (!edge->is_call)
            continue;
        profile_name_routine(entries->insns.machine, edge->to, name);
        put_object(entries->insns.machine, edge->to, "cob=", out);
        put_text("cfn=", name, out);
        fprintf(out, "calls=%" PRId64 " 0x%" PRIx32 "\n0x%" PRIx32, edge->count, (vaddr)edge->to, (vaddr)key);
        put_costs(entries, &unknown, 0, out);
    }
}

static void write_callgrind(const void *opaque, FILE *out)
{
    const struct entries *entries = opaque;
    const struct machine *machine = entries->insns.machine;
    char name[PROFILE_NAME], last[PROFILE_NAME] = "";
    uint64_t object = UINT64_MAX;
    size_t edge = 0;
    put_head(entries, out);
    for (struct profile_insn insn = {.key = 0}; profile_insns_next(&entries->insns, &insn);) {
        profile_name_routine(machine, insn.key, name);
        if (insn.key >> 32 != object || strcmp(name, last) != 0) {
            fputc('\n', out);
            if (insn.key >> 32 != object)
                put_object(machine, insn.key, "ob=", out);
            fputs("fl=?\n", out);
            put_text("fn=", name, out);
            object = insn.key >> 32;
            memcpy(last, name, sizeof last);
        }
        fprintf(out, "0x%" PRIx32, (vaddr)insn.key);
        put_costs(entries, insn.costs, insn.executions, out);
        put_calls(entries, insn.key, &edge, out);
    }
}

bool profile_save_callgrind(const struct machine *machine, const char *path, struct err *err)
{
    struct entries entries = {.pipeline = false};
    if (!profile_insns_read(&entries.insns, machine, path, err))
        return false;
    if (machine->execution_profile)
        entries.edge = execution_profile_edges(machine->execution_profile, &entries.edge_count);
    for (size_t i = 0; i < entries.insns.missed_count; i++)
        entries.pipeline |= entries.insns.missed[i].pipeline_stall > 0;
    const bool done = save_file("profile", path, write_callgrind, &entries, err);
    profile_insns_free(&entries.insns);
    free(entries.edge);
    return done;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
}

bool profile_save(const struct machine *machine, const char *path, struct err *err)
{
    return (ends_with(path, ".callgrind") ? profile_save_callgrind
            : ends_with(path, ".pb.gz")   ? profile_save_pprof
            : ends_with(path, ".perf")    ? profile_save_perf
                                          : profile_save_json)(machine, path, err);
}
