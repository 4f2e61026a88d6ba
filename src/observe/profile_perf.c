/*
 * A profile by instruction as the text that `perf script -F comm,pid,time,period,event,ip,sym,dso` prints (Linux,
 * tools/perf/builtin-script.c), for flame graphs: FlameGraph's stackcollapse-perf.pl, speedscope and others read it.
 *
 * What is known are sums, not samples, so that the samples are those of a counter that interrupts once in PERIOD events
 * while each instruction's events occur together, in the order of keys. Any number of neighbouring instructions, a
 * routine too, has its events to within one period.
 */
#include "src/observe/profile.h"
#include "src/base/printable.h"

#include "src/base/save_file.h"
#include <inttypes.h>
#include <string.h>

enum { SAMPLES = 10000 /* of an event, at most: a sample has about 80 bytes */ };

/* Events: stalls of memory and of the pipeline, the misses of each cache, instructions. */
enum { STALL, PIPELINE, MISSES, INSTRUCTIONS = MISSES + CLASSIFY_CACHES_MAX, EVENTS };

static uint64_t events_of(const struct profile_insn *insn, unsigned event)
{
    if (event == INSTRUCTIONS)
        return insn->executions > 0 ? (uint64_t)insn->executions : 0;
    if (event >= MISSES)
        return insn->costs->miss[event - MISSES];
    return event == STALL ? insn->costs->stall : insn->costs->pipeline_stall;
}

static const char *event_name(const struct profile_insns *insns, unsigned event)
{
    if (event == INSTRUCTIONS)
        return "instructions";
    if (event >= MISSES)
        return classify_cache_name(insns->classify, event - MISSES);
    return event == STALL ? "stall" : "pipeline";
}

static uint64_t events_in_all(const struct profile_insns *insns, unsigned event)
{
    uint64_t sum = 0;
    for (struct profile_insn insn = {.key = 0}; profile_insns_next(insns, &insn);)
        sum += events_of(&insn, event);
    return sum;
}

/* A TEXT from outside, in one line. */
static void copy_text(char *copy, size_t size, const char *text)
{
    snprintf(copy, size, "%s", text);
    printable_replace(copy, '_');
}

/* The same without spaces, where readers look for a word, and without '#', with which a comment begins. */
static void copy_word(char *copy, size_t size, const char *text)
{
    copy_text(copy, size, text);
    for (char *c = copy; *c; c++)
        if (*c == ' ' || *c == '#')
            *c = '_';
}

/* Does NAME end as a symbol with an offset does, which readers cut off? */
static bool has_offset(const char *name)
{
    const char *plus = strrchr(name, '+');
    return plus && strncmp(plus, "+0x", 3) == 0 && plus[3] &&
           plus[3 + strspn(plus + 3, "0123456789abcdefABCDEF")] == '\0';
}

/* A routine's NAME, with an offset after it if readers would cut off a part of it; "?" if there is nothing to see. */
static void copy_routine(char *copy, size_t size, const char *name)
{
    copy_text(copy, size, name);
    if (copy[strspn(copy, " ")] == '\0')
        snprintf(copy, size, "?");
    else if (has_offset(copy))
        snprintf(copy + strlen(copy), size - strlen(copy), "+0x0");
}

/* The names in the samples of an instruction. */
struct place {
    unsigned object; /* instead of the number of a process; 0: the kernel */
    char command[PROFILE_NAME], file[512], routine[PROFILE_NAME + sizeof "+0x0"];
};

static void find_place(const struct machine *machine, uint64_t key, struct place *place)
{
    char name[PROFILE_NAME];
    const char *object = profile_object(machine, key, name), *last = strrchr(object, '/');
    place->object = (unsigned)(key >> 32 & 0xffffff);
    copy_word(place->command, sizeof place->command, last && last[1] ? last + 1 : object);
    copy_word(place->file, sizeof place->file, key >> 32 ? object : "[kernel.kallsyms]");
    profile_name_routine(machine, key, name);
    copy_routine(place->routine, sizeof place->routine, name);
}

/* The time of a sample is the sum of events up to it, a million to the second: readers want times that increase, and
 * speedscope takes their differences for the weights of samples. */
static void put_event(const struct profile_insns *insns, unsigned event, FILE *out)
{
    const uint64_t sum = events_in_all(insns, event), period = sum / SAMPLES + 1;
    uint64_t before = 0;
    for (struct profile_insn insn = {.key = 0}; profile_insns_next(insns, &insn);) {
        const uint64_t after = before + events_of(&insn, event);
        struct place place;
        if (after / period > before / period)
            find_place(insns->machine, insn.key, &place);
        for (uint64_t sample = before / period + 1; sample <= after / period; sample++)
            fprintf(out, "%s %u %" PRIu64 ".%06" PRIu64 ": %10" PRIu64 " %s:\n\t%16" PRIx32 " %s (%s)\n\n",
                    place.command, place.object, sample * period / 1000000, sample * period % 1000000, period,
                    event_name(insns, event), (vaddr)insn.key, place.routine, place.file);
        before = after;
    }
}

static void write_samples(const void *opaque, FILE *out)
{
    const struct profile_insns *insns = opaque;
    const unsigned caches = profile_insns_caches(insns);
    for (unsigned event = 0; event < EVENTS; event++)
        if (event < MISSES + caches || event == INSTRUCTIONS)
            put_event(insns, event, out);
}

bool profile_save_perf(const struct machine *machine, const char *path, struct err *err)
{
    struct profile_insns insns;
    if (!profile_insns_read(&insns, machine, path, err))
        return false;
    const bool done = save_file("profile", path, write_samples, &insns, err);
    profile_insns_free(&insns);
    return done;
}
