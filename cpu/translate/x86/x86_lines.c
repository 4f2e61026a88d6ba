/*
 * Loops that do not test their instruction cache lines in every iteration. If all lines of a loop are present and each
 * is the most recently used of its set, fetching them does not change the cache. While control stays in the loop, only
 * C code can change that, by back-invalidation from the second level or by DMA. It sets a flag (struct
 * memsys_fast_path), and the loop is left after the instruction at which that happens (runtime.c, must_retest_lines).
 */
#include "cpu/translate/x86/x86_emitter.h"

enum { LINES = MAX_LINE_CHECKS, LEAST_BYTES = 8 };

/* May all fetches of SEGMENT go untested? Calls are excluded: their effect on the caches sets no flag. */
static bool may_go_unchecked(const struct ir_block *block)
{
    for (unsigned i = 0; i < block->count; i++)
        if (block->ops[i].opcode == IR_CALL)
            return false;
    return true;
}

bool lines_untested_version_wanted(const struct host_emitter *e)
{
    const struct code_cache *cache = e->cache;
    unsigned insns = 0;
    if (!e->is_loop || !emitter_cached(e) || e->context->layout != NULL || cache->records_use_stamps ||
        cache->fetch_line < LEAST_BYTES || cache->fetch_line != 1u << cache->fetch_shift ||
        cache->fetch_sets < (uint32_t)PAGE_SIZE >> cache->fetch_shift)
        return false;
    for (unsigned i = 0; i < cache->superblock.count; i++) {
        insns += cache->superblock.blocks[i].words;
        if (insns > LOOP_SMALL || !may_go_unchecked(&cache->superblock.blocks[i]))
            return false;
    }
    return true;
}

/* Mark the lines of the page that contain the loop's code. */
static void find_lines(const struct host_emitter *e, bool *is_used)
{
    const struct ir_superblock *superblock = &e->cache->superblock;
    for (unsigned i = 0; i < superblock->count; i++) {
        const struct ir_block *block = &superblock->blocks[i];
        /* the range is empty if the block has no instructions */
        const unsigned first = block->pc & (PAGE_SIZE - 1), end = first + 4 * block->words;
        for (unsigned at = first; at < end; at += 4)
            is_used[at >> e->cache->fetch_shift] = true;
    }
}

/* Test that BYTES lines from number LINE on (8, 4, 2 or 1) are the most recently used of their sets: that their
 * permission bytes equal those of their sets. Returns the displacement field of the jump taken otherwise. */
static uint8_t *emit_check(struct host_emitter *e, uint32_t line, unsigned bytes)
{
    struct x86 *x = &e->x;
    const struct x86_operand permission = x86_permit_at(PERMIT_TABLE_CODE, line),
                             last = x86_at(CORE_MRU_FETCH_OFFSET + (line & (e->cache->fetch_sets - 1)));
    if (bytes == 8) {
        x86_mov64(x, RAX, permission);
        x86_alu64(x, X86_CMP, RAX, last);
    } else if (bytes == 4) {
        x86_mov(x, RAX, permission);
        x86_alu(x, X86_CMP, RAX, last);
    } else {
        void (*load)(struct x86 *, int, struct x86_operand) = bytes == 2 ? x86_movzx16 : x86_movzx8;
        load(x, RAX, permission);
        load(x, RCX, last);
        x86_alu(x, X86_CMP, RAX, x86_reg(RCX));
    }
    return x86_jcc(x, X86_NE);
}

unsigned emit_line_checks(struct host_emitter *e, uint8_t **from)
{
    bool is_used[LINES + 1] = {false};
    unsigned checks = 0;
    find_lines(e, is_used);
    for (unsigned line = 0; line < LINES;) {
        unsigned count = 0, bytes = 8;
        while (is_used[line + count])
            count++;
        while (bytes > count && bytes > 1)
            bytes /= 2;
        if (count > 0)
            from[checks++] = emit_check(e, e->page->line + line, bytes);
        line += count > 0 ? bytes : 1;
    }
    return checks;
}
