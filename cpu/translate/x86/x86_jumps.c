/* Guest jumps, calls and returns. */
#include "cpu/translate/x86/x86_emitter.h"
#include "cpu/translate/x86/x86_stubs.h"

/* Is the translation of PC independent of the TLB? */
static bool is_unmapped(const struct host_emitter *e, vaddr pc)
{
    return !e->page->user && vaddr_is_unmapped(pc) && vaddr_is_unmapped(e->page->page);
}

/* Code of PC to which this superblock can jump directly, or NULL. */
static const uint8_t *code_of(const struct host_emitter *e, vaddr pc)
{
    const struct ir_superblock *superblock = &e->cache->superblock;
    if (e->has_untested_version && !e->lines_untested && superblock->blocks[0].pc == pc)
        return e->head;
    for (unsigned i = 0; e->is_loop && i < superblock->count; i++)
        if (superblock->blocks[i].pc == pc)
            return e->code[e->lines_untested][i];
    if (e->is_loop || !emitter_in_page(e, pc) || !code_is_translated(e->cache, e->page, pc))
        return NULL;
    return (const uint8_t *)(uintptr_t)e->page->entry[pc >> 2 & (PAGE_INSNS - 1)];
}

/* Set the target of the jump with displacement field PLACE to guest address PC: directly if its code is known,
 * otherwise through cold code. */
void emit_set_target(struct host_emitter *e, uint8_t *place, vaddr pc)
{
    const uint8_t *code = code_of(e, pc);
    if (code != NULL) {
        x86_patch(place, code);
        return;
    }
    bool checked = !emitter_in_page(e, pc) && !is_unmapped(e, pc);
    struct cold *cold = emitter_cold(e, checked ? COLD_CHECKED : COLD_LINK, NULL);
    cold->from[0] = place;
    cold->target = pc;
}

void emit_jump(struct host_emitter *e, vaddr pc)
{
    emit_set_target(e, x86_jump(&e->x), pc);
}

/* Exit stub of an unlinked jump. Its link records the displacement field PLACE and the immediate CHECK to patch. */
static void emit_exit_stub(struct host_emitter *e, uint8_t *place, uint8_t *check, vaddr pc)
{
    uint8_t *stub = e->x.at;
    uint32_t link = code_link_add(e->cache, (struct code_link){.jump = (uint32_t)(uintptr_t)place,
                                                               .check = (uint32_t)(uintptr_t)check,
                                                               .exit_stub = (uint32_t)(uintptr_t)stub,
                                                               .target = pc});
    x86_patch(place, stub);
    if (link == 0) { /* no room for a link: this superblock still works, unlinked */
        x86_mov_imm(&e->x, RAX, pc);
        x86_jump_to(&e->x, emitter_stub(e, STUB_LOOKUP));
        return;
    }
    x86_mov_imm(&e->x, RAX, link);
    x86_mov_imm(&e->x, RCX, pc);
    x86_jump_to(&e->x, emitter_stub(e, STUB_LINK));
}

/* Jump guarded by a check that the TLB still maps PC to the page to which the jump is linked. */
void emit_cold_checked(struct host_emitter *e, const struct cold *cold)
{
    struct x86 *x = &e->x;
    emit_leave_loop(e);
    x86_cmp_imm32(x, x86_table_entry(emitter_mode(e), VMAP_CODE, cold->target), 0);
    uint8_t *check = x->at - 4, *other = x86_jcc_short(x, X86_NE);
    uint8_t *place = x86_jump(x);
    x86_patch_short(other, x->at);
    emit_exit_stub(e, place, check, cold->target);
}

/* The target may have been translated in this superblock in the meantime. */
void emit_cold_link(struct host_emitter *e, const struct cold *cold)
{
    const uint8_t *code = code_of(e, cold->target);
    uint8_t *place = cold->from[0];
    if (code != NULL) {
        x86_patch(place, code);
        return;
    }
    if (e->substitution_count > 0) {
        emit_leave_loop(e);
        place = x86_jump(&e->x);
        x86_patch(place, e->x.at);
    }
    emit_exit_stub(e, place, NULL, cold->target);
}

void stub_dispatch(struct x86 *x, unsigned mode, const uint8_t *lookup)
{
    x86_test8_imm(x, x86_reg(RAX), 3);
    x86_jcc_to(x, X86_NE, lookup);
    x86_mov(x, RCX, x86_reg(RAX));
    x86_shift_imm(x, X86_SHR, x86_reg(RCX), PAGE_SHIFT);
    x86_mov64(x, RCX, x86_table(mode, VMAP_CODE, RCX));
    x86_test64(x, RCX, RCX);
    x86_jcc_to(x, X86_E, lookup);
    x86_mov(x, RDX, x86_reg(RAX));
    x86_alu_imm(x, X86_AND, x86_reg(RDX), PAGE_SIZE - 1);
    x86_mov(x, RCX, x86_indexed(RCX, RDX, 0, 0));
    x86_jump_reg(x, RCX);
}

void emit_dispatch(struct host_emitter *e)
{
    stub_dispatch(&e->x, emitter_mode(e), emitter_stub(e, STUB_LOOKUP));
}

/*
 * Guest calls and returns are host calls and returns, so that the host predicts the targets of returns. A call pushes
 * the guest return address (with bit 0 set in user mode, because code is specific to a mode) below the host's own
 * return address. A return that does not find its target there discards all calls on the stack and uses the general
 * lookup. Where the mapping can change, the code at the return address checks that it is still mapped. Leaving
 * translated code discards all calls, so none is outstanding when code is dropped.
 */

static uint32_t return_key(const struct host_emitter *e, vaddr pc)
{
    return pc | (e->page->user ? 1 : 0);
}

static void emit_discard_calls(struct host_emitter *e)
{
    x86_mov64(&e->x, RSP, AT_FRAME(stack_top));
}

/* Generate a host call that returns to PC. Returns the displacement field of the call, to be patched. */
uint8_t *emit_guest_call(struct host_emitter *e, vaddr pc)
{
    struct x86 *x = &e->x;
    struct cold *cold = emitter_cold(e, COLD_STACK, NULL);
    x86_alu64(x, X86_CMP, RSP, AT_FRAME(stack_limit));
    cold->from[0] = x86_jcc(x, X86_B);
    cold->back = x->at;
    cold->target = pc;
    x86_push_imm(x, return_key(e, pc));
    return x86_call(x);
}

/* Code at the return address PC of a host call. */
void emit_return_point(struct host_emitter *e, vaddr pc)
{
    struct x86 *x = &e->x;
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), 8);
    if (is_unmapped(e, pc))
        return;
    struct cold *cold = emitter_cold(e, COLD_RETURN_REMAPPED, NULL);
    x86_cmp_imm32(x, x86_table_entry(emitter_mode(e), VMAP_CODE, pc), (uint32_t)(uintptr_t)e->page);
    cold->from[0] = x86_jcc(x, X86_NE);
    cold->target = pc;
}

/* Return to the guest address in eax, which should be on the stack. */
static void emit_return(struct host_emitter *e)
{
    struct x86 *x = &e->x;
    int key = RAX;
    if (e->page->user) {
        x86_lea(x, RCX, x86_mem(RAX, 1));
        key = RCX;
    }
    struct cold *cold = emitter_cold(e, COLD_RETURN_MISMATCH, NULL);
    x86_alu_store(x, X86_CMP, x86_mem(RSP, 8), key);
    cold->from[0] = x86_jcc(x, X86_NE);
    x86_test8_imm(x, x86_reg(RAX), 3); /* a misaligned address may equal a key of the other mode */
    cold->from[1] = x86_jcc(x, X86_NE);
    cold->target = e->block->pc + (e->block->insns - 1) * 4;
    x86_ret(x);
}

void emit_indirect(struct host_emitter *e, const struct ir_op *op)
{
    place_load(e, RAX, place_of(e, op->a));
    if (op->calls)
        emit_count_indirect_call(e);
    emit_leave_loop(e);
    if (op->returns)
        emit_return(e);
    else
        emit_dispatch(e);
}

void emit_cold_stack(struct host_emitter *e, const struct cold *cold)
{
    emit_discard_calls(e);
    x86_jump_to(&e->x, cold->back);
}

void emit_cold_return_remapped(struct host_emitter *e, const struct cold *cold)
{
    x86_mov_imm(&e->x, RAX, cold->target);
    x86_jump_to(&e->x, emitter_stub(e, STUB_LOOKUP));
}

void emit_cold_return_mismatch(struct host_emitter *e)
{
    emit_discard_calls(e);
    emit_dispatch(e);
}
