/* Selection of the basic blocks that are translated together as a superblock. */
#include "cpu/translate/translate.h"
#include "cpu/translate/host.h"
#include "cpu/translate/loops.h"
#include "src/base/log.h"

enum { SUPERBLOCK_BLOCKS = 16, BLOCK_INSNS = 48 };

struct translation {
    struct code_cache *cache;
    struct code_page *page;
    struct build_context context;
    const struct loop *loop; /* the loop being translated; NULL: a plain superblock */
};

static bool is_in_page(const struct translation *t, vaddr pc)
{
    return (pc & ~(vaddr)(PAGE_SIZE - 1)) == t->page->page && (pc & 3) == 0;
}

static bool is_in_superblock(const struct translation *t, vaddr pc)
{
    const struct ir_superblock *superblock = &t->cache->superblock;
    for (unsigned i = 0; i < superblock->count; i++)
        if (superblock->blocks[i].pc == pc)
            return true;
    return false;
}

static bool is_in_loop(const struct loop *loop, vaddr pc)
{
    for (unsigned i = 0; i < loop->count; i++)
        if (loop->pc[i] == pc)
            return true;
    return false;
}

/* Should a basic block that reaches PC end there? In a loop only the start of another block of the loop counts, because
 * the page's other code has a different register allocation. */
static bool has_code(void *opaque, vaddr pc)
{
    struct translation *t = opaque;
    if (t->loop != NULL)
        return is_in_loop(t->loop, pc);
    return code_is_translated(t->cache, t->page, pc) || is_in_superblock(t, pc) ||
           loop_is_head(t->page, &t->context, pc);
}

/* Fall-through or unconditional successor of SEGMENT, not the target of a conditional branch; false: none in this
 * page. */
static bool find_successor(const struct translation *t, const struct ir_block *block, vaddr *pc)
{
    const struct ir_op *end = &block->ops[block->count - 1];
    if (end->opcode == IR_BRANCH || end->calls)
        *pc = block->pc + block->insns * 4;
    else if (end->opcode == IR_GOTO)
        *pc = end->target;
    else
        return false;
    return is_in_page(t, *pc);
}

static void build_plain(struct translation *t, vaddr pc)
{
    struct ir_superblock *superblock = &t->cache->superblock;
    do {
        const struct ir_block *block = build_block(superblock, &t->context, pc);
        if (block == NULL || !find_successor(t, block, &pc))
            return;
    } while (superblock->count < SUPERBLOCK_BLOCKS && !has_code(t, pc));
}

/* Did the block end only because of its maximum length? */
static bool is_length_limited(const struct ir_block *block)
{
    const struct ir_op *end = &block->ops[block->count - 1];
    return end->opcode == IR_GOTO && !block->ends_in_branch && end->target == block->pc + block->insns * 4;
}

/* Build all blocks of the loop, each followed by its successor if that is not in the superblock yet. False: no room. */
static bool build_loop(struct translation *t)
{
    struct ir_superblock *superblock = &t->cache->superblock;
    for (unsigned i = 0; i < t->loop->count; i++) {
        bool follows = true;
        for (vaddr pc = t->loop->pc[i]; follows && !is_in_superblock(t, pc);) {
            const struct ir_block *block = build_block(superblock, &t->context, pc);
            if (block == NULL)
                return false;
            follows = find_successor(t, block, &pc) && (is_in_loop(t->loop, pc) || is_length_limited(block));
        }
    }
    return true;
}

/* Build the instructions from PC on up to a branch, or to code that exists. */
static void build_exact(struct translation *t, vaddr pc)
{
    struct ir_superblock *superblock = &t->cache->superblock;
    const struct ir_block *block;
    do {
        block = build_block(superblock, &t->context, pc);
        pc += 4;
    } while (block != NULL && is_length_limited(block) && is_in_page(t, pc) && code_exact(t->page, pc) == 0 &&
             !(build_may_enter(&t->context, pc) && code_is_translated(t->cache, t->page, pc)));
}

/* Fill the cache's superblock with the code that begins at PC. Returns whether it is a loop. */
static bool build(struct translation *t, struct loop *loop, vaddr pc)
{
    struct ir_superblock *superblock = &t->cache->superblock;
    superblock->count = 0;
    if (t->context.exact) {
        build_exact(t, pc);
        return false;
    }
    if ((loop_is_head(t->page, &t->context, pc) && loop_find(loop, t->page, &t->context, pc)) ||
        (!t->context.user && loop_find_handler(loop, &t->context, pc))) {
        t->loop = loop;
        if (build_loop(t))
            return true;
        t->loop = NULL;
        t->page->loops[pc >> 2 & (PAGE_INSNS - 1)] = LOOP_NONE;
        superblock->count = 0;
    }
    build_plain(t, pc);
    return false;
}

void translate_make_superblock(struct code_cache *cache, const struct core *core, struct code_page *page, vaddr pc,
                               enum superblock_kind kind)
{
    struct loop loop;
    struct translation t = {.cache = cache, .page = page};
    t.context = (struct build_context){
        .core = core,
        .words = (const uint32_t *)(const void *)physmem_host(core->mem, page->frame),
        .page = page->page,
        .user = page->user,
        .fr = core->s.cp0[CP0_STATUS] & STATUS_FR,
        .prefetches = cache->prefetches,
        .costs = cache->costs,
        .line_mask = cache->cached ? ~(cache->fetch_line - 1) : 0,
        .layout = layout_moves_code(cache->layout, page->frame) ? cache->layout : NULL,
        .frame = page->frame,
        .exact = kind == SUPERBLOCK_EXACT,
        .max_insns = kind == SUPERBLOCK_EXACT ? 1 : BLOCK_INSNS,
        .has_code = has_code,
        .opaque = &t,
    };
    bool is_loop = build(&t, &loop, pc);
    host_translate(cache, page, &t.context, is_loop ? &loop : NULL);
}

bool translate_superblock(struct translated *e, struct code_page *page, vaddr pc, enum superblock_kind kind)
{
    struct code_cache *cache = e->cache;
    struct core *core = e->in.core;
    if (!host_has_room(cache)) {
        cache->full = true;
        return false;
    }
    const uint8_t *start = cache->next_free;
    if (kind == SUPERBLOCK_EXACT && page->exact == NULL)
        code_add_exact_table(cache, page);
    translate_make_superblock(cache, core, page, pc, kind);
    page->has_code = true;
    cache->figures.superblocks++;
    cache->figures.code_bytes += (uintptr_t)(cache->next_free - start);
    for (unsigned i = 0; i < cache->superblock.count; i++)
        cache->figures.translated_insns += cache->superblock.blocks[i].insns;
    if (!(core->mem->page_flags[page->frame >> PAGE_SHIFT] & PAGE_HAS_CODE))
        core_protect_code(core, page->frame);
    return true;
}
