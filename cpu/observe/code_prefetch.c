#include "cpu/observe/code_prefetch.h"

#include <stdlib.h>

const struct param_def code_prefetch_param_defs[] = {
    {.name = "execution.points",
     .type = PARAM_INT,
     .traits = TRAIT_UNTIMED | TRAIT_OBSERVES,
     .unit = "",
     .initial = "12",
     .min = 1,
     .max = 10000,
     .help = "number of prefetch points of --profile FILE.points"},
};
const size_t code_prefetch_param_count = sizeof code_prefetch_param_defs / sizeof code_prefetch_param_defs[0];

enum { ZERO = 0 };

/* The path that is followed back: the next instruction on it is WORD. */
struct walk {
    const struct code_blocks *blocks;
    size_t block, word;
    double share; /* of the executions of where it is now, that go on to the load by this path */
};

/* A path of more than half of the executions of the block TO, by which more than half of those that come to the walk's
 * end go. *BEHIND: not by a branch. PROFILED_NONE: there is none. */
static ptrdiff_t find_predecessor(const struct walk *walk, size_t to, double *share, bool *behind)
{
    const struct code_blocks *blocks = walk->blocks;
    struct code_paths paths = {0};
    ptrdiff_t found = PROFILED_NONE;
    double most = (double)blocks->block[to].count / 2;
    for (size_t from = 0; from < blocks->count; from++) {
        const struct code_block *block = &blocks->block[from];
        if (block->target != (ptrdiff_t)to && block->behind != (ptrdiff_t)to)
            continue;
        if (block->links || block->end == PROFILED_CALL || block->end == PROFILED_CALL_REGISTER ||
            block->end == PROFILED_LEAVES)
            continue;
        code_blocks_paths(blocks, from, &paths);
        for (size_t i = 0; i < paths.count; i++) {
            const double flow = paths.path[i].share * (double)block->last_count;
            if (paths.path[i].to != to || flow <= most)
                continue;
            most = flow;
            found = (ptrdiff_t)from;
            *share = paths.path[i].share;
            *behind = block->target != (ptrdiff_t)to || i + 1 == paths.count; /* that path is the last one */
        }
    }
    code_paths_release(&paths);
    return found;
}

/* Go back by one executed instruction. */
static bool step_back(struct walk *walk)
{
    const struct code_blocks *blocks = walk->blocks;
    const struct code_block *block = &blocks->block[walk->block];
    double share = 0;
    bool behind = false;
    if (walk->word > block->first) {
        walk->word--;
        return true;
    }
    const ptrdiff_t before = find_predecessor(walk, walk->block, &share, &behind);
    if (before == PROFILED_NONE || walk->share * share <= 0.5)
        return false;
    block = &blocks->block[before];
    walk->block = (size_t)before;
    walk->share *= share;
    /* a likely branch that is not taken does not execute its delay slot */
    walk->word = block->likely && behind ? block->last : block->first + block->words - 1;
    return true;
}

/* An instruction wrote the register *BASE: can its value plus *OFFSET be had before, too? */
static bool undo(enum isa_id id, const struct insn *insn, unsigned *base, uint32_t *offset)
{
    switch (id) {
    case ISA_ADDIU:
        *base = insn->rs;
        *offset += (uint32_t)insn->imm;
        return true;
    case ISA_LUI:
        *base = ZERO;
        *offset += (uint32_t)insn->imm;
        return true;
    case ISA_ADDU:
    case ISA_OR:
        if (insn->rs != ZERO && insn->rt != ZERO)
            return false;
        *base = insn->rs != ZERO ? insn->rs : insn->rt;
        return true;
    default: return false;
    }
}

static void prefetch_iteration(struct prefetch_place *place, size_t load, uint32_t stride, uint32_t line)
{
    const int32_t bytes = (int32_t)stride;
    const uint32_t size = bytes < 0 ? 0 - stride : stride;
    const unsigned of_time = (CODE_PREFETCH_AHEAD + place->insns - 1) / place->insns;
    const unsigned of_line = (line + size - 1) / size;
    place->how = PREFETCH_STRIDE;
    place->at = load;
    place->stride = bytes;
    place->ahead = of_time > of_line ? of_time : of_line;
    place->insns *= place->ahead;
    place->offset += stride * place->ahead;
}

struct prefetch_place code_prefetch_place(const struct code_blocks *blocks, size_t load, uint32_t line)
{
    const struct profiled_code *code = blocks->code;
    struct prefetch_place place = {.how = PREFETCH_NOWHERE};
    struct insn insn;
    enum isa_id id = isa_decode(code->decoder, code->word[load], &insn);
    if (blocks->of[load] == PROFILED_NONE || !(isa_table[id].flags & INSN_LOAD) || isa_table[id].flags & INSN_INDEXED)
        return place;
    place = (struct prefetch_place){.how = PREFETCH_EARLIER, .at = load, .base = insn.rs, .offset = (uint32_t)insn.imm};
    const struct prefetch_place first = place;
    struct walk walk = {blocks, (size_t)blocks->of[load], load, 1};
    while (place.insns < CODE_PREFETCH_INSNS && step_back(&walk)) {
        unsigned base = place.base;
        uint32_t offset = place.offset;
        id = isa_decode(code->decoder, code->word[walk.word], &insn);
        if (isa_writes(id, &insn, base) && !undo(id, &insn, &base, &offset))
            break;
        place.base = base;
        place.offset = offset;
        place.at = walk.word;
        place.insns++;
        if (walk.word != load)
            continue;
        if (base == first.base && offset != first.offset) {
            const uint32_t stride = offset - first.offset;
            place.offset = first.offset;
            prefetch_iteration(&place, load, stride, line);
        }
        break;
    }
    return place;
}
