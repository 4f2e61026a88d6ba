/* Prefetch points for the loads of the kernel that miss most (cpu/observe/code_prefetch.h): --profile FILE.points.
 * docs/reference/prefetch.md */
#include "annotations/tcl/annotate.h"
#include "cpu/observe/code_prefetch.h"
#include "src/base/save_file.h"
#include "src/observe/kernel_code.h"
#include "src/observe/profile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A load that misses. */
struct spot {
    size_t word;
    uint64_t misses, stall;
};

struct points {
    const struct machine *machine;
    struct kernel_code kernel;
    struct code_blocks blocks;
    uint32_t line;
    struct spot *spot; /* [spots]: the one with most misses first */
    size_t spots;
    uint64_t misses; /* of all */
};

static int by_misses(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    if (x->misses != y->misses)
        return x->misses < y->misses ? 1 : -1;
    return (x->word > y->word) - (x->word < y->word);
}

static int first_level(const struct classify *classify)
{
    const char *name;
    for (unsigned i = 0; i < CLASSIFY_CACHES_MAX && (name = classify_cache_name(classify, i)) != NULL; i++)
        if (strcmp(name, "l1d") == 0)
            return (int)i;
    return -1;
}

static bool is_load(const struct profiled_code *code, size_t word)
{
    return isa_table[isa_identify(code->decoder, code->word[word])].flags & INSN_LOAD;
}

static bool find_spots(struct points *points)
{
    const struct classify *classify = memsys_classification(points->machine->memsys);
    const struct profiled_code *code = &points->kernel.code;
    const int cache = classify ? first_level(classify) : -1;
    size_t count;
    if (cache < 0)
        return false;
    struct classify_profile_entry *entry = classify_profile(classify, CLASSIFY_BY_PC, &count);
    points->spot = checked_memory(calloc(count + 1, sizeof *points->spot));
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t word = profiled_code_of_key(code, entry[i].key);
        if (word == PROFILED_NONE || points->blocks.of[word] == PROFILED_NONE || entry[i].miss[cache] == 0 ||
            !is_load(code, (size_t)word))
            continue;
        points->spot[points->spots++] =
            (struct spot){(size_t)word, entry[i].miss[cache], entry[i].stall - entry[i].insn_stall};
        points->misses += entry[i].miss[cache];
    }
    free(entry);
    qsort(points->spot, points->spots, sizeof *points->spot, by_misses);
    return true;
}

/* The cycles that a point takes, one an execution, against those of the stall that it can hide, one for each
 * instruction until the line is used. */
static bool is_worth_it(const struct points *points, const struct spot *spot, const struct prefetch_place *place)
{
    const uint64_t most = spot->misses * place->insns, hidden = most < spot->stall ? most : spot->stall;
    return place->how != PREFETCH_NOWHERE && hidden > (uint64_t)points->kernel.code.count[place->at];
}

/* Do two places prefetch the same line? */
static bool is_same(const struct points *points, const struct prefetch_place *a, const struct prefetch_place *b)
{
    const uint32_t apart = a->offset - b->offset;
    return a->base == b->base && points->blocks.of[a->at] == points->blocks.of[b->at] &&
           (apart < points->line || 0 - apart < points->line);
}

static void put_address(const struct points *points, size_t word, FILE *out)
{
    const uint64_t key = profiled_code_key(&points->kernel.code, word);
    char name[PROFILE_NAME];
    profile_name_routine(points->machine, key, name);
    fprintf(out, "0x%08" PRIx32 " (%s)", profiled_code_address(&points->kernel.code, word), name);
}

static void put_spot(const struct points *points, const struct spot *spot, FILE *out)
{
    fprintf(out, "%" PRIu64 " misses, %" PRIu64 " cycles, of the load at ", spot->misses, spot->stall);
    put_address(points, spot->word, out);
}

static void put_point(const struct points *points, const struct prefetch_place *place, FILE *out)
{
    const int32_t offset = (int32_t)place->offset;
    fprintf(out, "0x%08" PRIx32 ":%" PRId32 "(%s) # ", profiled_code_address(&points->kernel.code, place->at), offset,
            isa_gpr_name(place->base));
    if (place->how == PREFETCH_STRIDE)
        fprintf(out, "%u iterations of %" PRId32 " bytes ahead\n", place->ahead, place->stride);
    else
        fprintf(out, "%u instructions before\n", place->insns);
}

static void put_points(const void *opaque, FILE *out)
{
    const struct points *points = opaque;
    const size_t wanted = (size_t)params_u64(points->machine->params, "execution.points");
    struct prefetch_place *made = checked_memory(calloc(wanted, sizeof *made));
    uint64_t covered = 0;
    size_t count = 0;
    fprintf(out,
            "# simos: points for prefetch.points=@FILE (docs/reference/prefetch.md)\n"
            "# code of the kernel and %u modules: %zu loads with %" PRIu64 " misses of the first level\n",
            points->kernel.modules, points->spots, points->misses);
    for (size_t i = 0; i < points->spots && count < wanted; i++) {
        const struct spot *spot = &points->spot[i];
        const struct prefetch_place place = code_prefetch_place(&points->blocks, spot->word, points->line);
        size_t same = 0;
        while (same < count && !is_same(points, &made[same], &place))
            same++;
        fputs("# ", out);
        put_spot(points, spot, out);
        if (same < count) {
            fprintf(out, ": point %zu has its line\n", same + 1);
            covered += spot->misses;
        } else if (is_worth_it(points, spot, &place)) {
            fputc('\n', out);
            put_point(points, &place, out);
            made[count++] = place;
            covered += spot->misses;
        } else {
            fprintf(out, ": none, its address is known %u instructions before\n", place.insns);
        }
    }
    fprintf(out, "# %zu points, for loads with %" PRIu64 " misses, %.1f %%\n", count, covered,
            points->misses ? 100.0 * (double)covered / (double)points->misses : 0);
    free(made);
}

bool profile_save_points(const struct machine *machine, const char *path, struct err *err)
{
    struct points points = {.machine = machine, .line = (uint32_t)params_u64(machine->params, "cache.l1d.line")};
    if (!machine->execution_profile)
        return err_set(err, "profile %s: needs execution.counts=profile", path);
    if (!kernel_code_read(&points.kernel, machine, true))
        return err_set(err, "profile %s: needs the kernel's symbols _text and _etext (guest.symbols)", path);
    code_blocks_find(&points.blocks, &points.kernel.code);
    const bool done = find_spots(&points)
                          ? save_file("profile", path, put_points, &points, err)
                          : err_set(err, "profile %s: needs a first-level data cache and cache.profile", path);
    free(points.spot);
    code_blocks_release(&points.blocks);
    kernel_code_release(&points.kernel);
    return done;
}
