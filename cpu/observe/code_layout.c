#include "cpu/observe/code_layout.h"

#include "cpu/observe/code_places.h"
#include <stdlib.h>
#include <string.h>

enum {
    FREQUENT = 10,   /* a block is frequent if it executed at least 1/10 as often as its routine was invoked */
    SMALL_WORDS = 64 /* a routine is small if its frequent blocks have no more instructions */
};

const struct param_def code_layout_param_defs[] = {
    {.name = "execution.layout.thresholds",
     .type = PARAM_STRING,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "0.001:0.4 0.0001:0.4 0.00001:0.2 0.000001:0.1",
     .help =
         "passes of --profile FILE.layout: pairs of executions of a block, as a share of all, and of the probability "
         "of a path (docs/reference/kernel-layout.md)"},
    {.name = "execution.layout.area",
     .type = PARAM_SIZE,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "bytes",
     .initial = "1K",
     .max = 1 << 20,
     .help =
         "SelfConfFree area of --profile FILE.layout, at most half of the sets of the first-level instruction cache"},
    {.name = "execution.layout.of",
     .type = PARAM_CHOICE,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "kernel",
     .choices = "kernel|programs|all",
     .help = "what --profile FILE.layout lays out: the kernel with its modules, the files of programs, or both"},
};
const size_t code_layout_param_count = sizeof code_layout_param_defs / sizeof code_layout_param_defs[0];

/* What is being laid out. */
struct making {
    struct code_layout *result;
    const struct code_layout_options *options;
    struct code_blocks blocks;
    struct code_places places;
    size_t *first_block; /* [routines + 1]: of each routine */
    bool *placed;        /* [blocks]: in the area */
    size_t *area;        /* blocks of the area, in order */
    size_t area_blocks;
    struct code_sequences sequences;
};

static void find_first_blocks(struct making *making)
{
    const struct code_blocks *blocks = &making->blocks;
    const size_t routines = blocks->code->routines;
    making->first_block = checked_memory(calloc(routines + 1, sizeof *making->first_block));
    for (size_t routine = 0, block = 0; routine <= routines; routine++) {
        while (block < blocks->count && blocks->block[block].routine < routine)
            block++;
        making->first_block[routine] = block;
    }
    if (routines > 0)
        making->first_block[routines] = blocks->count;
}

/* The area */

static bool is_frequent(const struct making *making, size_t block, const struct ranked *of)
{
    return making->blocks.block[block].count * FREQUENT >= of->count;
}

static size_t frequent_words(const struct making *making, const struct ranked *of)
{
    size_t words = 0;
    for (size_t i = making->first_block[of->number]; i < making->first_block[of->number + 1]; i++)
        words += is_frequent(making, i, of) ? making->blocks.block[i].words : 0;
    return words;
}

static void add_to_area(struct making *making, const struct ranked *of)
{
    for (size_t i = making->first_block[of->number]; i < making->first_block[of->number + 1]; i++)
        if (is_frequent(making, i, of)) {
            making->area[making->area_blocks++] = i;
            making->placed[i] = true;
        }
}

/* The routines that were invoked at least LEAST times, most often first. */
static struct ranked *find_invoked(const struct making *making, int64_t least, size_t *count)
{
    const size_t routines = making->blocks.code->routines;
    struct ranked *invoked = checked_memory(calloc(routines + 1, sizeof *invoked));
    *count = 0;
    for (size_t i = 0; i < routines; i++)
        if (making->blocks.invocations[i] > 0 && making->blocks.invocations[i] >= least)
            invoked[(*count)++] = (struct ranked){i, making->blocks.invocations[i]};
    ranked_sort(invoked, *count);
    return invoked;
}

/* Choose the blocks of the area; returns how often the last of its routines was invoked. */
static int64_t choose_area(struct making *making)
{
    size_t count;
    int64_t last = INT64_MAX;
    const double least = making->options->passes.pass[0].executions * making->blocks.executions;
    struct ranked *invoked = find_invoked(making, (int64_t)least, &count);
    for (size_t i = 0; i < count; i++) {
        const size_t words = frequent_words(making, &invoked[i]);
        if (words > SMALL_WORDS || (making->result->area_words + words) * 4 > making->options->area)
            continue;
        add_to_area(making, &invoked[i]);
        making->result->area_words += words;
        making->result->area_routines++;
        last = invoked[i].count;
    }
    free(invoked);
    return last;
}

/* Keep the sets of the COUNT instructions FIXED that executed at least LEAST times, but no more than a quarter of the
 * cache. */
static void reserve_fixed(struct making *making, const struct fixed_code *fixed, size_t count, int64_t least)
{
    const size_t most = making->options->way / making->options->line / 4;
    for (size_t i = 0; i < count && making->result->fixed_lines < most; i++)
        if (fixed[i].count >= least)
            making->result->fixed_lines += code_places_reserve(&making->places, fixed[i].at);
}

static void make_area(struct making *making, const struct fixed_code *fixed, size_t fixed_count)
{
    struct code_layout *result = making->result;
    const int64_t last = choose_area(making);
    if (making->area_blocks == 0)
        return;
    reserve_fixed(making, fixed, fixed_count, last);
    if (code_places_put_area(&making->places, making->area, making->area_blocks, result->area_words))
        return;
    memset(making->placed, 0, making->blocks.count);
    making->area_blocks = result->area_words = result->area_routines = 0;
}

/* Guards */

static int by_word(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* A guard at the end of the COUNT blocks BLOCK, and wherever the next one does not lie behind. */
static void add_guards(struct making *making, const size_t *block, size_t count)
{
    struct code_layout *result = making->result;
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || code_places_behind(&making->places, block[i]) != (ptrdiff_t)block[i + 1])
            result->guard[result->guards++] =
                making->blocks.block[block[i]].first + making->blocks.block[block[i]].words - 1;
}

static void find_guards(struct making *making)
{
    struct code_layout *result = making->result;
    const struct code_sequences *sequences = &making->sequences;
    result->guard = checked_memory(calloc(making->blocks.count + 1, sizeof *result->guard));
    for (size_t i = 0, first = 0; i < making->area_blocks; first = i) {
        const size_t routine = making->blocks.block[making->area[first]].routine;
        while (i < making->area_blocks && making->blocks.block[making->area[i]].routine == routine)
            i++;
        add_guards(making, making->area + first, i - first);
    }
    for (size_t i = 0; i < sequences->count; i++) {
        const size_t first = i > 0 ? sequences->end[i - 1] : 0;
        add_guards(making, sequences->block + first, sequences->end[i] - first);
    }
    qsort(result->guard, result->guards, sizeof *result->guard, by_word);
}

/* Jumps */

static void add_jump(struct layout_jumps *jumps, int64_t count)
{
    jumps->added_places += count > 0;
    jumps->added += count > 0 ? count : 0;
}

static void save_jump(struct layout_jumps *jumps, int64_t count)
{
    jumps->saved_places += count > 0;
    jumps->saved += count > 0 ? count : 0;
}

/* The number of instructions that call each block. */
static uint32_t *count_sites(const struct making *making)
{
    const struct profiled_code *code = making->blocks.code;
    uint32_t *sites = checked_memory(calloc(making->blocks.count + 1, sizeof *sites));
    for (size_t i = 0; i < code->edges; i++) {
        const ptrdiff_t to = code->edge[i].is_call && code->edge[i].count > 0
                                 ? code_blocks_at(&making->blocks, profiled_code_of_key(code, code->edge[i].to))
                                 : PROFILED_NONE;
        if (to != PROFILED_NONE)
            sites[to]++;
    }
    return sites;
}

/* Is the routine that block FROM calls in its place behind the call, and entered by nothing else? So it becomes part of
 * the caller, without the call, and its returns are jumps to what was behind the call. */
static bool is_inlined(const struct making *making, const struct code_block *from, ptrdiff_t next,
                       const uint32_t *sites)
{
    if (from->end != PROFILED_CALL || from->target == PROFILED_NONE || from->target != next || sites[next] != 1)
        return false;
    const struct code_block *to = &making->blocks.block[next];
    return to->count <= from->last_count && making->blocks.flags[to->first] & CODE_ROUTINE;
}

static void save_returns(struct making *making, const struct code_block *from)
{
    const size_t routine = making->blocks.block[from->target].routine;
    for (size_t i = making->first_block[routine]; i < making->first_block[routine + 1]; i++) {
        const struct code_block *block = &making->blocks.block[i];
        if (block->end == PROFILED_LEAVES && block->is_return && from->behind != PROFILED_NONE &&
            code_places_behind(&making->places, i) == from->behind)
            save_jump(&making->result->jumps, block->last_count);
    }
}

/* Count the jumps at the end of block NUMBER. */
static void count_jumps(struct making *making, size_t number, const uint32_t *sites)
{
    const struct code_block *block = &making->blocks.block[number];
    struct layout_jumps *jumps = &making->result->jumps;
    const ptrdiff_t next = code_places_behind(&making->places, number);
    const bool falls = block->behind != PROFILED_NONE && next != block->behind;
    const int64_t on = block->last_count - block->taken;
    if (block->end == PROFILED_JUMP && block->target != PROFILED_NONE && next == block->target) {
        save_jump(jumps, block->last_count);
    } else if (block->end == PROFILED_BRANCH && !block->links) {
        const bool inverts = !block->likely && block->target != PROFILED_NONE;
        if (falls && !(inverts && next == block->target))
            add_jump(jumps, inverts && block->taken < on ? block->taken : on);
    } else if (is_inlined(making, block, next, sites)) {
        save_jump(jumps, block->last_count);
        save_returns(making, block);
    } else if (falls) {
        add_jump(jumps, block->last_count);
    }
}

static void count_all_jumps(struct making *making)
{
    uint32_t *sites = count_sites(making);
    for (size_t i = 0; i < making->blocks.count; i++)
        count_jumps(making, i, sites);
    free(sites);
}

/* Lines */

/* The number of lines that have words of blocks, which are at AT. */
static size_t count_lines(const struct making *making, const paddr *at)
{
    paddr *line = checked_memory(calloc(making->result->words + 1, sizeof *line));
    size_t words = 0, lines = 0;
    for (size_t i = 0; i < making->blocks.code->words; i++)
        if (making->blocks.of[i] != PROFILED_NONE)
            line[words++] = at[i] / making->options->line;
    code_places_sort(line, words);
    for (size_t i = 0; i < words; i++)
        lines += i == 0 || line[i] != line[i - 1];
    free(line);
    return lines;
}

void code_layout_make(struct code_layout *layout, const struct profiled_code *code, const paddr *at,
                      const struct fixed_code *fixed, size_t fixed_count, const struct code_layout_options *options)
{
    struct making making = {.result = layout, .options = options};
    *layout = (struct code_layout){.to = checked_memory(calloc(code->words + 1, sizeof *layout->to)),
                                   .order = checked_memory(calloc(code->words + 1, sizeof *layout->order))};
    code_blocks_find(&making.blocks, code);
    find_first_blocks(&making);
    code_places_create(&making.places, &making.blocks, at, options->line, options->way);
    making.placed = checked_memory(calloc(making.blocks.count + 1, sizeof *making.placed));
    making.area = checked_memory(calloc(making.blocks.count + 1, sizeof *making.area));
    make_area(&making, fixed, fixed_count);
    code_sequences_make(&making.sequences, &making.blocks, making.placed, &options->passes);
    for (size_t i = 0; i < making.sequences.blocks; i++)
        code_places_put(&making.places, making.sequences.block[i]);
    code_places_fill(&making.places);
    for (size_t i = 0; i < code->words; i++) {
        layout->to[i] = making.places.address[making.places.of[i]];
        layout->order[i] = (size_t)making.places.word[i];
    }
    for (size_t i = 0; i < making.blocks.count; i++)
        layout->words += making.blocks.block[i].words;
    layout->blocks = making.blocks.count;
    layout->sequences = making.sequences.count;
    layout->seeds = making.sequences.seeds;
    memcpy(layout->of_pass, making.sequences.of_pass, sizeof layout->of_pass);
    find_guards(&making);
    count_all_jumps(&making);
    layout->lines_before = count_lines(&making, at);
    layout->lines_after = count_lines(&making, layout->to);
    code_sequences_release(&making.sequences);
    code_places_release(&making.places);
    code_blocks_release(&making.blocks);
    free(making.first_block);
    free(making.placed);
    free(making.area);
}

void code_layout_release(struct code_layout *layout)
{
    free(layout->to);
    free(layout->order);
    free(layout->guard);
}
