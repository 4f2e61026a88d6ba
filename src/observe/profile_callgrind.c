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
    const struct machine *machine;
    const struct classify *classify;
    struct classify_profile_entry *entry;
    size_t count;
    bool pipeline; /* any entry has pipeline stall */
    struct execution_count *executed;
    size_t executed_count;
    struct execution_edge *edge;
    size_t edge_count;
};

static unsigned cache_count(const struct classify *classify)
{
    unsigned count = 0;
    while (classify && count < CLASSIFY_CACHES_MAX && classify_cache_name(classify, count))
        count++;
    return count;
}

static bool has_executions(const struct entries *entries)
{
    return entries->machine->execution_profile != NULL;
}

/* The costs of an instruction: ENTRY, NULL if it never missed, and its executions. */
static void put_costs(const struct entries *entries, const struct classify_profile_entry *entry, int64_t executions,
                      FILE *out)
{
    const struct classify_profile_entry none = {.stall = 0};
    const struct classify_profile_entry *costs = entry ? entry : &none;
    if (entries->classify)
        fprintf(out, " %" PRIu64, costs->stall);
    if (entries->pipeline)
        fprintf(out, " %" PRIu64, costs->pipeline_stall);
    for (unsigned cache = 0; cache < cache_count(entries->classify); cache++)
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
    if (entries->classify)
        fputs(" Stall", out);
    if (entries->pipeline)
        fputs(" Pipeline", out);
    for (unsigned cache = 0; cache < cache_count(entries->classify); cache++)
        fprintf(out, " %s", classify_cache_name(entries->classify, cache));
    if (has_executions(entries))
        fputs(" Ir", out);
    fputc('\n', out);
}

static void put_head(const struct entries *entries, FILE *out)
{
    struct classify_profile_entry total = {.stall = 0};
    int64_t executions = 0;
    fputs("# callgrind format\nversion: 1\ncreator: simos\n", out);
    put_command(entries->machine, out);
    fputs("positions: instr\n", out);
    if (entries->classify)
        fputs("event: Stall : Stall cycles\n", out);
    if (entries->pipeline)
        fputs("event: Pipeline : Pipeline stall cycles\n", out);
    for (unsigned cache = 0; cache < cache_count(entries->classify); cache++)
        fprintf(out, "event: %s : Misses of %s\n", classify_cache_name(entries->classify, cache),
                classify_cache_name(entries->classify, cache));
    if (has_executions(entries))
        fputs("event: Ir : Instructions executed\n", out);
    put_event_names(entries, out);
    for (size_t i = 0; i < entries->count; i++) {
        total.stall += entries->entry[i].stall;
        total.pipeline_stall += entries->entry[i].pipeline_stall;
        for (unsigned cache = 0; cache < CLASSIFY_CACHES_MAX; cache++)
            total.miss[cache] += entries->entry[i].miss[cache];
    }
    for (size_t i = 0; i < entries->executed_count; i++)
        executions += entries->executed[i].count;
    fputs("summary:", out);
    put_costs(entries, &total, executions, out);
}

/* LINE: "ob=" or "cob=" */
static void put_object(const struct machine *machine, uint64_t key, const char *line, FILE *out)
{
    const char *object = annotate_profile_object(machine->annotate, key);
    if (object)
        put_text(line, object, out);
    else if (key >> 32)
        fprintf(out, "%sprocess %u\n", line, (unsigned)(key >> 32) - 1);
    else
        fprintf(out, "%skernel\n", line);
}

/* The calls by the instruction at KEY; *NEXT is the first edge from KEY or a later instruction. The costs of what is
 * called are not known, so they are 0. */
static void put_calls(const struct entries *entries, uint64_t key, size_t *next, FILE *out)
{
    char name[PROFILE_NAME];
    while (*next < entries->edge_count && entries->edge[*next].from < key)
        ++*next;
    for (; *next < entries->edge_count && entries->edge[*next].from == key; ++*next) {
        const struct execution_edge *edge = &entries->edge[*next];
        if (!edge->is_call)
            continue;
        profile_name_routine(entries->machine, edge->to, name);
        put_object(entries->machine, edge->to, "cob=", out);
        put_text("cfn=", name, out);
        fprintf(out, "calls=%" PRId64 " 0x%" PRIx32 "\n0x%" PRIx32, edge->count, (vaddr)edge->to, (vaddr)key);
        put_costs(entries, NULL, 0, out);
    }
}

/* The instructions that missed and those that executed are merged by their keys. */
static void write_callgrind(const void *opaque, FILE *out)
{
    const struct entries *entries = opaque;
    char name[PROFILE_NAME], last[PROFILE_NAME] = "";
    uint64_t object = UINT64_MAX;
    size_t missed = 0, executed = 0, edge = 0;
    put_head(entries, out);
    while (missed < entries->count || executed < entries->executed_count) {
        const uint64_t missed_key = missed < entries->count ? entries->entry[missed].key : UINT64_MAX,
                       executed_key = executed < entries->executed_count ? entries->executed[executed].key : UINT64_MAX,
                       key = missed_key < executed_key ? missed_key : executed_key;
        profile_name_routine(entries->machine, key, name);
        if (key >> 32 != object || strcmp(name, last) != 0) {
            fputc('\n', out);
            if (key >> 32 != object)
                put_object(entries->machine, key, "ob=", out);
            fputs("fl=?\n", out);
            put_text("fn=", name, out);
            object = key >> 32;
            memcpy(last, name, sizeof last);
        }
        fprintf(out, "0x%" PRIx32, (vaddr)key);
        put_costs(entries, key == missed_key ? &entries->entry[missed++] : NULL,
                  key == executed_key ? entries->executed[executed++].count : 0, out);
        put_calls(entries, key, &edge, out);
    }
}

bool profile_save_callgrind(const struct machine *machine, const char *path, struct err *err)
{
    struct entries entries = {.machine = machine, .classify = memsys_classification(machine->memsys)};
    if (!entries.classify && !machine->execution_profile)
        return err_set(err, "profile %.256s: there are neither caches nor executions to profile", path);
    if (entries.classify)
        entries.entry = classify_profile(entries.classify, CLASSIFY_BY_PC, &entries.count);
    entries.executed = profile_instructions(machine, (1u << MODE_COUNT) - 1, &entries.executed_count);
    if (machine->execution_profile)
        entries.edge = execution_profile_edges(machine->execution_profile, &entries.edge_count);
    for (size_t i = 0; i < entries.count; i++)
        entries.pipeline |= entries.entry[i].pipeline_stall > 0;
    bool done = save_file("profile", path, write_callgrind, &entries, err);
    free(entries.entry);
    free(entries.executed);
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
                                          : profile_save_json)(machine, path, err);
}
