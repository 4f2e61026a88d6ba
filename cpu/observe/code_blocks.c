#include "cpu/observe/code_blocks.h"

#include "src/base/log.h"
#include <stdlib.h>

static bool executed(const struct profiled_code *code, size_t index)
{
    return code->count[index] > 0;
}

/* Words behind which a range ends are the last of their code. Calls EACH with the first and the end of each range. */
typedef void range_fn(struct code_blocks *blocks, size_t first, size_t end);
static void each_range(struct code_blocks *blocks, range_fn *each)
{
    size_t first = 0;
    for (size_t i = 0; i < blocks->code->ranges; first += blocks->code->range[i++].words)
        each(blocks, first, first + blocks->code->range[i].words);
}

/* Delay slots. Constants among the code may look like branches: what begins a routine, or executed although the word
 * before it did not, is no delay slot. */
static void find_pairs(struct code_blocks *blocks, size_t first, size_t end)
{
    const struct profiled_code *code = blocks->code;
    for (size_t i = first; i + 1 < end; i++) {
        if (blocks->flags[i + 1] & CODE_ROUTINE || (!executed(code, i) && executed(code, i + 1)) ||
            !profiled_code_decode(code, i).has_slot)
            continue;
        blocks->flags[i] |= CODE_PAIRED;
        i++;
    }
}

static size_t words_of_unit(const struct code_blocks *blocks, size_t index)
{
    return blocks->flags[index] & CODE_PAIRED ? 2 : 1;
}

static void lead_at(struct code_blocks *blocks, ptrdiff_t index)
{
    if (index != PROFILED_NONE)
        blocks->flags[index] |= CODE_LEADER;
}

/* Mark the beginnings of blocks that follow from control flow within the range. */
static void find_leaders(struct code_blocks *blocks, size_t first, size_t end)
{
    const struct profiled_code *code = blocks->code;
    bool ended = true;
    int64_t before = 0;
    for (size_t i = first; i < end; i += words_of_unit(blocks, i)) {
        if (!executed(code, i)) {
            ended = true;
            continue;
        }
        const struct profiled_insn insn = profiled_code_decode(code, i);
        if (ended || code->count[i] > before || blocks->flags[i] & CODE_ROUTINE)
            lead_at(blocks, (ptrdiff_t)i);
        ended = insn.end != PROFILED_GOES_ON;
        before = code->count[i];
        if (insn.end == PROFILED_BRANCH || insn.end == PROFILED_JUMP || insn.end == PROFILED_CALL)
            lead_at(blocks, profiled_code_at(code, insn.target));
    }
}

static void add_block(struct code_blocks *blocks, size_t *room, size_t first)
{
    if (blocks->count == *room) {
        *room = *room ? 2 * *room : 1024;
        blocks->block = checked_memory(realloc(blocks->block, *room * sizeof *blocks->block));
    }
    const struct profiled_code *code = blocks->code;
    blocks->block[blocks->count++] = (struct code_block){.first = first,
                                                         .count = code->count[first],
                                                         .routine = profiled_code_routine(code, first),
                                                         .target = PROFILED_NONE,
                                                         .behind = PROFILED_NONE};
}

static void make_blocks(struct code_blocks *blocks)
{
    const struct profiled_code *code = blocks->code;
    size_t room = 0, words;
    for (size_t i = 0; i < code->words; i += words) {
        words = words_of_unit(blocks, i);
        if (!executed(code, i))
            continue;
        if (blocks->flags[i] & CODE_LEADER)
            add_block(blocks, &room, i);
        struct code_block *block = &blocks->block[blocks->count - 1];
        block->last = i;
        block->words = i + words - block->first;
        for (size_t j = i; j < i + words; j++)
            blocks->of[j] = (ptrdiff_t)blocks->count - 1;
    }
}

ptrdiff_t code_blocks_at(const struct code_blocks *blocks, ptrdiff_t index)
{
    if (index < 0 || (size_t)index >= blocks->code->words || blocks->of[index] == PROFILED_NONE)
        return PROFILED_NONE;
    return blocks->block[blocks->of[index]].first == (size_t)index ? blocks->of[index] : PROFILED_NONE;
}

/* Fill in how BLOCK ends. */
static void find_end(const struct code_blocks *blocks, struct code_block *block)
{
    const struct profiled_code *code = blocks->code;
    const struct profiled_insn insn = profiled_code_decode(code, block->last);
    const size_t behind = block->first + block->words;
    block->end = insn.end;
    block->likely = insn.likely;
    block->links = insn.links;
    block->is_return = insn.is_return;
    block->last_count = code->count[block->last];
    block->taken = profiled_code_taken(code, block->last, &insn);
    if (insn.end == PROFILED_BRANCH || insn.end == PROFILED_JUMP || insn.end == PROFILED_CALL)
        block->target = code_blocks_at(blocks, profiled_code_at(code, insn.target));
    if (insn.end != PROFILED_JUMP && insn.end != PROFILED_LEAVES && !profiled_code_begins_range(code, behind))
        block->behind = code_blocks_at(blocks, (ptrdiff_t)behind);
}

/* Executions of what is behind BLOCK that come from its end. */
static int64_t count_behind(const struct code_block *block)
{
    if (block->end != PROFILED_BRANCH || block->links)
        return block->last_count;
    return block->taken < block->last_count ? block->last_count - block->taken : 0;
}

static void explain(struct code_blocks *blocks, size_t from, ptrdiff_t to, int64_t count, bool calls)
{
    if (to == PROFILED_NONE || count <= 0)
        return;
    struct code_block *block = &blocks->block[to];
    block->unexplained -= count;
    block->called += calls ? count : 0;
    if (blocks->flags[block->first] & CODE_ROUTINE && !calls && blocks->block[from].routine == block->routine)
        blocks->invocations[block->routine] -= count;
}

static void explain_calls(struct code_blocks *blocks, size_t from)
{
    size_t count;
    const struct execution_edge *edge = profiled_code_edges(blocks->code, blocks->block[from].last, &count);
    for (size_t i = 0; i < count; i++)
        if (edge[i].is_call)
            explain(blocks, from, code_blocks_at(blocks, profiled_code_of_key(blocks->code, edge[i].to)), edge[i].count,
                    true);
}

/* Subtract from the executions of each block what comes from others. */
static void find_entries(struct code_blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++) {
        struct code_block *block = &blocks->block[i];
        block->unexplained = block->count;
        if (blocks->flags[block->first] & CODE_ROUTINE)
            blocks->invocations[block->routine] = block->count;
    }
    for (size_t i = 0; i < blocks->count; i++) {
        const struct code_block *block = &blocks->block[i];
        explain(blocks, i, block->behind, count_behind(block), false);
        if (block->end == PROFILED_CALL_REGISTER)
            explain_calls(blocks, i);
        else
            explain(blocks, i, block->target, block->end == PROFILED_BRANCH ? block->taken : block->last_count, false);
    }
    for (size_t i = 0; i < blocks->count; i++)
        if (blocks->block[i].unexplained < 0)
            blocks->block[i].unexplained = 0;
}

void code_blocks_find(struct code_blocks *blocks, const struct profiled_code *code)
{
    *blocks = (struct code_blocks){.code = code};
    blocks->of = checked_memory(malloc((code->words + 1) * sizeof *blocks->of));
    blocks->flags = checked_memory(calloc(code->words + 1, 1));
    blocks->invocations = checked_memory(calloc(code->routines + 1, sizeof *blocks->invocations));
    for (size_t i = 0; i < code->words; i++)
        blocks->of[i] = PROFILED_NONE;
    for (size_t i = 0; i < code->routines; i++)
        blocks->flags[code->routine[i]] |= CODE_ROUTINE;
    each_range(blocks, find_pairs);
    each_range(blocks, find_leaders);
    for (size_t i = 0; i < code->edges; i++)
        if (code->edge[i].count > 0)
            lead_at(blocks, profiled_code_of_key(code, code->edge[i].to));
    make_blocks(blocks);
    for (size_t i = 0; i < blocks->count; i++) {
        find_end(blocks, &blocks->block[i]);
        blocks->executions += (double)blocks->block[i].count;
    }
    find_entries(blocks);
}

void code_blocks_release(struct code_blocks *blocks)
{
    free(blocks->block);
    free(blocks->of);
    free(blocks->flags);
    free(blocks->invocations);
}

/* Paths */

static void add_path(struct code_paths *paths, ptrdiff_t to, int64_t count, const struct code_block *from)
{
    if (to == PROFILED_NONE || count <= 0)
        return;
    if (paths->count == paths->room) {
        paths->room = paths->room ? 2 * paths->room : 16;
        paths->path = checked_memory(realloc(paths->path, paths->room * sizeof *paths->path));
    }
    const int64_t all = from->last_count > 0 ? from->last_count : 1;
    paths->path[paths->count++] = (struct code_path){(size_t)to, count < all ? (double)count / (double)all : 1};
}

static void add_called(const struct code_blocks *blocks, const struct code_block *block, struct code_paths *paths)
{
    size_t count;
    const struct execution_edge *edge = profiled_code_edges(blocks->code, block->last, &count);
    for (size_t i = 0; i < count; i++)
        if (edge[i].is_call)
            add_path(paths, code_blocks_at(blocks, profiled_code_of_key(blocks->code, edge[i].to)), edge[i].count,
                     block);
}

/* A jump to the address in a register that is no return: to the blocks of the routine that nothing else explains. */
static void add_table(const struct code_blocks *blocks, size_t number, struct code_paths *paths)
{
    const struct code_block *block = &blocks->block[number];
    size_t first = number;
    while (first > 0 && blocks->block[first - 1].routine == block->routine)
        first--;
    for (size_t i = first; i < blocks->count && blocks->block[i].routine == block->routine; i++)
        if (!(blocks->flags[blocks->block[i].first] & CODE_ROUTINE))
            add_path(paths, (ptrdiff_t)i, blocks->block[i].unexplained, block);
}

void code_blocks_paths(const struct code_blocks *blocks, size_t number, struct code_paths *paths)
{
    const struct code_block *block = &blocks->block[number];
    paths->count = 0;
    if (block->end == PROFILED_CALL_REGISTER)
        add_called(blocks, block, paths);
    else if (block->end == PROFILED_LEAVES && !block->is_return)
        add_table(blocks, number, paths);
    else
        add_path(paths, block->target, block->end == PROFILED_BRANCH ? block->taken : block->last_count, block);
    add_path(paths, block->behind, count_behind(block), block);
}

void code_paths_release(struct code_paths *paths)
{
    free(paths->path);
}
