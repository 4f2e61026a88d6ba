#include "cpu/observe/code_routines.h"

#include "cpu/observe/code_blocks.h"
#include "src/base/log.h"
#include <stdlib.h>

/* Is the word INDEX, which is INSN, a call of an address that it has in itself? One of what is behind its delay slot
 * reads the program counter. */
static bool is_call(const struct profiled_code *code, size_t index, const struct profiled_insn *insn)
{
    return insn->end == PROFILED_CALL ||
           (insn->end == PROFILED_BRANCH && insn->links && insn->target != profiled_code_address(code, index) + 8);
}

static void mark(bool *begins, ptrdiff_t index)
{
    if (index != PROFILED_NONE)
        begins[index] = true;
}

static void find_called(const struct profiled_code *code, bool *begins)
{
    for (size_t i = 0; i < code->words; i++) {
        if (code->count[i] <= 0)
            continue;
        const struct profiled_insn insn = profiled_code_decode(code, i);
        const ptrdiff_t target = is_call(code, i, &insn) ? profiled_code_at(code, insn.target) : PROFILED_NONE;
        if (target != PROFILED_NONE && code->count[target] > 0)
            begins[target] = true;
    }
    for (size_t i = 0; i < code->edges; i++)
        if (code->edge[i].is_call && code->edge[i].count > 0)
            mark(begins, profiled_code_of_key(code, code->edge[i].to));
}

static size_t *list(const bool *begins, size_t words, size_t *count)
{
    size_t *first = checked_memory(calloc(words + 1, sizeof *first));
    *count = 1; /* word 0 */
    for (size_t i = 1; i < words; i++)
        if (begins[i])
            first[(*count)++] = i;
    return first;
}

/* Is the block at the end of FROM's routine, as far as it is executed, with a jump through a register? */
static bool has_table(const struct code_blocks *blocks, size_t from)
{
    for (size_t i = from; i < blocks->count && blocks->block[i].routine == blocks->block[from].routine; i++)
        if (blocks->block[i].end == PROFILED_LEAVES && !blocks->block[i].is_return)
            return true;
    return false;
}

/* Mark the blocks that nothing explains, in routines without a jump through a register. */
static void find_entered(const struct code_blocks *blocks, bool *begins)
{
    bool table = false;
    for (size_t i = 0; i < blocks->count; i++) {
        const struct code_block *block = &blocks->block[i];
        if (i == 0 || block->routine != block[-1].routine)
            table = has_table(blocks, i);
        if (block->unexplained > 0 && !table)
            begins[block->first] = true;
    }
}

size_t *code_routines_find(const struct profiled_code *code, size_t *count)
{
    bool *begins = checked_memory(calloc(code->words + 1, sizeof *begins));
    struct code_blocks blocks;
    find_called(code, begins);
    size_t *called = list(begins, code->words, count);
    struct profiled_code known = *code;
    known.routine = called;
    known.routines = *count;
    code_blocks_find(&blocks, &known);
    find_entered(&blocks, begins);
    code_blocks_release(&blocks);
    free(called);
    size_t *all = list(begins, code->words, count);
    free(begins);
    return all;
}
