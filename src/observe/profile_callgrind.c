/* A profile by routine in callgrind format, for KCachegrind and callgrind_annotate (Valgrind manual, "Callgrind Format
 * Specification"). */
#include "src/observe/profile.h"

#include "annotations/tcl/annotate.h"
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
};

static unsigned cache_count(const struct classify *classify)
{
    unsigned count = 0;
    while (count < CLASSIFY_CACHES_MAX && classify_cache_name(classify, count))
        count++;
    return count;
}

static void put_costs(const struct entries *entries, const struct classify_profile_entry *entry, FILE *out)
{
    fprintf(out, " %" PRIu64, entry->stall);
    if (entries->pipeline)
        fprintf(out, " %" PRIu64, entry->pipeline_stall);
    for (unsigned cache = 0; cache < cache_count(entries->classify); cache++)
        fprintf(out, " %" PRIu64, entry->miss[cache]);
    fputc('\n', out);
}

/* The job's text may have several lines; the format allows one. */
static void put_command(const struct machine *machine, FILE *out)
{
    fputs("cmd: ", out);
    for (const char *at = machine->job ? machine->job : machine->name; *at; at++)
        fputc(*at == '\n' || *at == '\r' ? ' ' : *at, out);
    fputc('\n', out);
}

static void put_head(const struct entries *entries, FILE *out)
{
    struct classify_profile_entry total = {.stall = 0};
    fputs("# callgrind format\nversion: 1\ncreator: simos\n", out);
    put_command(entries->machine, out);
    fputs("positions: instr\nevent: Stall : Stall cycles\n", out);
    if (entries->pipeline)
        fputs("event: Pipeline : Pipeline stall cycles\n", out);
    for (unsigned cache = 0; cache < cache_count(entries->classify); cache++)
        fprintf(out, "event: %s : Misses of %s\n", classify_cache_name(entries->classify, cache),
                classify_cache_name(entries->classify, cache));
    fputs("events: Stall", out);
    if (entries->pipeline)
        fputs(" Pipeline", out);
    for (unsigned cache = 0; cache < cache_count(entries->classify); cache++)
        fprintf(out, " %s", classify_cache_name(entries->classify, cache));
    for (size_t i = 0; i < entries->count; i++) {
        total.stall += entries->entry[i].stall;
        total.pipeline_stall += entries->entry[i].pipeline_stall;
        for (unsigned cache = 0; cache < CLASSIFY_CACHES_MAX; cache++)
            total.miss[cache] += entries->entry[i].miss[cache];
    }
    fputs("\nsummary:", out);
    put_costs(entries, &total, out);
}

static void put_object(const struct machine *machine, uint64_t key, FILE *out)
{
    const char *object = annotate_profile_object(machine->annotate, key);
    if (object)
        fprintf(out, "ob=%s\n", object);
    else if (key >> 32)
        fprintf(out, "ob=process %u\n", (unsigned)(key >> 32) - 1);
    else
        fputs("ob=kernel\n", out);
}

static void write_callgrind(const void *opaque, FILE *out)
{
    const struct entries *entries = opaque;
    char name[PROFILE_NAME], last[PROFILE_NAME] = "";
    uint64_t object = UINT64_MAX;
    put_head(entries, out);
    for (size_t i = 0; i < entries->count; i++) {
        const struct classify_profile_entry *entry = &entries->entry[i];
        profile_name_routine(entries->machine, entry->key, name);
        if (entry->key >> 32 != object || strcmp(name, last) != 0) {
            fputc('\n', out);
            if (entry->key >> 32 != object)
                put_object(entries->machine, entry->key, out);
            fprintf(out, "fl=?\nfn=%s\n", name);
            object = entry->key >> 32;
            memcpy(last, name, sizeof last);
        }
        fprintf(out, "0x%" PRIx32, (vaddr)entry->key);
        put_costs(entries, entry, out);
    }
}

bool profile_save_callgrind(const struct machine *machine, const char *path, struct err *err)
{
    struct entries entries = {.machine = machine, .classify = memsys_classification(machine->memsys)};
    if (!entries.classify)
        return err_set(err, "profile %.256s: there are no caches to profile", path);
    entries.entry = classify_profile(entries.classify, CLASSIFY_BY_PC, &entries.count);
    for (size_t i = 0; i < entries.count; i++)
        entries.pipeline |= entries.entry[i].pipeline_stall > 0;
    bool done = save_file("profile", path, write_callgrind, &entries, err);
    free(entries.entry);
    return done;
}

bool profile_save(const struct machine *machine, const char *path, struct err *err)
{
    static const char ending[] = ".callgrind";
    size_t length = strlen(path), end = strlen(ending);
    bool callgrind = length >= end && strcmp(path + length - end, ending) == 0;
    return (callgrind ? profile_save_callgrind : profile_save_json)(machine, path, err);
}
