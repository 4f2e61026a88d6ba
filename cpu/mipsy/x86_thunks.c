/* The code that all blocks share: the ways in and out, calls of C, jumps to anywhere. */
#include "cpu/mipsy/x86_emitter.h"

enum { ENTER_STACK = 8 }; /* bytes, so that calls from thunks are aligned */

static const int8_t kept[] = {RBX, RBP, R12, R13, R14, R15};
enum { KEPT = sizeof kept };

/* uint32_t enter(core, code): returns why the code was left. */
static void make_enter(struct mipsy_translator *t)
{
    struct x86 *x = &t->x;
    t->enter = x->at;
    for (unsigned i = 0; i < KEPT; i++)
        x86_push(x, kept[i]);
    x86_alu64_imm(x, X86_SUB, x86_reg(RSP), ENTER_STACK);
    x86_mov64(x, RBX, x86_reg(RDI));
    x86_mov64(x, R12, AT_FRAME(now));
    x86_mov64(x, R13, AT_FRAME(page));
    x86_mov(x, R14, AT_FRAME(base));
    x86_mov64(x, R15, AT_HOT(fetch_times));
    x86_mov64(x, RBP, AT_HOT(data_times));
    x86_mov64(x, R10, AT_CORE(load_map));
    x86_mov64(x, R11, AT_CORE(store_map));
    x86_jump_reg(x, RSI);
}

/* Leave because of WHY; where is in edx. */
static void make_leave(struct mipsy_translator *t, enum mipsy_leave why)
{
    struct x86 *x = &t->x;
    x86_store(x, AT_FRAME(where), RDX);
    x86_store64(x, AT_FRAME(now), R12);
    x86_mov_imm(x, RAX, why);
}

/* The way out: with why in eax, and the frame up to date. */
static void make_return(struct mipsy_translator *t)
{
    struct x86 *x = &t->x;
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), ENTER_STACK);
    for (unsigned i = KEPT; i-- > 0;)
        x86_pop(x, kept[i]);
    x86_ret(x);
}

/* What calls change. */
static void reload(struct mipsy_translator *t)
{
    x86_mov64(&t->x, R10, AT_CORE(load_map));
    x86_mov64(&t->x, R11, AT_CORE(store_map));
}

/* Behind a call that does not go on in the block: why is in eax. */
static void make_end_of_call(struct mipsy_translator *t)
{
    struct x86 *x = &t->x;
    x86_alu_imm(x, X86_CMP, x86_reg(RAX), MIPSY_JUMP);
    uint8_t *jump = x86_jcc(x, X86_E);
    make_return(t);
    x86_patch(jump, x->at);
    x86_mov64(x, R12, AT_FRAME(now));
    reload(t);
    x86_mov(x, RAX, AT_FRAME(where));
    x86_jump_to(x, t->thunk[THUNK_JUMP]);
}

/* FUNCTION(core, eax, ecx, edx, esi); returns to the block, or leaves it. */
static void make_call(struct mipsy_translator *t, enum mipsy_thunk thunk, const void *function)
{
    struct x86 *x = &t->x;
    t->thunk[thunk] = x->at;
    x86_store64(x, AT_FRAME(now), R12);
    x86_alu64_imm(x, X86_SUB, x86_reg(RSP), 8);
    x86_mov(x, R8, x86_reg(RSI));
    x86_mov(x, RSI, x86_reg(RAX));
    x86_mov(x, RDI, x86_reg(RCX));
    x86_mov(x, RCX, x86_reg(RDX));
    x86_mov(x, RDX, x86_reg(RDI));
    x86_mov64(x, RDI, x86_reg(RBX));
    x86_mov_imm64(x, RAX, (uint64_t)(uintptr_t)function);
    x86_call_reg(x, RAX);
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), 8);
    x86_test(x, RAX, RAX);
    uint8_t *leave = x86_jcc(x, X86_NE), *finish = NULL;
    x86_mov64(x, R12, AT_FRAME(now));
    reload(t);
    x86_lea64(x, RCX, AT_FRAME(value));
    x86_ret(x);
    x86_patch(leave, x->at);
    if (thunk == THUNK_LOAD) {
        x86_alu_imm(x, X86_CMP, x86_reg(RAX), MIPSY_FINISH);
        finish = x86_jcc(x, X86_E);
    }
    x86_alu64_imm(x, X86_ADD, x86_reg(RSP), 8); /* where it was called from */
    make_end_of_call(t);
    if (finish != NULL) {
        x86_patch(finish, x->at);
        x86_ret(x);
    }
}

/* To virtual address eax. */
static void make_jump(struct mipsy_translator *t)
{
    struct x86 *x = &t->x;
    t->thunk[THUNK_JUMP] = x->at;
    x86_test8_imm(x, x86_reg(RAX), 3);
    uint8_t *misaligned = x86_jcc(x, X86_NE);
    x86_mov(x, RDX, x86_reg(RAX));
    x86_shift_imm(x, X86_SHR, x86_reg(RDX), PAGE_SHIFT);
    x86_mov64(x, RCX, AT_CORE(code_map));
    x86_mov64(x, RCX, x86_indexed(RCX, RDX, 3, 0));
    x86_test64(x, RCX, RCX);
    uint8_t *unknown = x86_jcc(x, X86_E);
    x86_mov64(x, R13, x86_reg(RCX));
    x86_store64(x, AT_FRAME(page), R13);
    x86_mov(x, RCX, x86_reg(RAX));
    x86_alu_imm(x, X86_AND, x86_reg(RCX), PAGE_SIZE - 1);
    x86_mov(x, R14, x86_reg(RAX));
    x86_alu(x, X86_SUB, R14, x86_reg(RCX));
    x86_store(x, AT_FRAME(base), R14);
    x86_mov64(x, RDX, AT_HOT(places)); /* a word for each four bytes */
    x86_mov(x, RDX, x86_indexed(RDX, RCX, 0, 0));
    x86_movzx16(x, RCX, x86_reg(RDX));
    x86_jump_memory(x, x86_indexed(R13, RCX, 0, offsetof(struct mipsy_page, slots) + MIPSY_ENTRY_OFFSET));
    x86_patch(unknown, x->at);
    x86_store64(x, AT_FRAME(now), R12);
    x86_mov64(x, RDI, x86_reg(RBX));
    x86_mov(x, RSI, x86_reg(RAX));
    x86_mov_imm64(x, RAX, (uint64_t)(uintptr_t)mipsy_on_jump);
    x86_call_reg(x, RAX);
    make_end_of_call(t);
    x86_patch(misaligned, x->at);
    x86_mov(x, RDX, x86_reg(RAX));
    make_leave(t, MIPSY_AT_ADDRESS);
    make_return(t);
}

void emit_thunks(struct mipsy_translator *t)
{
    make_enter(t);
    make_jump(t);
    make_call(t, THUNK_FETCH, (const void *)mipsy_on_fetch);
    make_call(t, THUNK_LOAD, (const void *)mipsy_on_load);
    make_call(t, THUNK_STORE, (const void *)mipsy_on_store);
    make_call(t, THUNK_TRAP, (const void *)mipsy_on_trap);
    make_call(t, THUNK_TLBWR, (const void *)mipsy_on_tlbwr);
    make_call(t, THUNK_ERET, (const void *)mipsy_on_eret);
    t->thunk[THUNK_HERE] = t->x.at;
    make_leave(t, MIPSY_HERE);
    make_return(t);
    t->thunk[THUNK_FINISHED] = t->x.at; /* the frame is up to date */
    x86_mov_imm(&t->x, RAX, MIPSY_HERE);
    make_return(t);
    t->thunk[THUNK_AT_PLACE] = t->x.at;
    make_leave(t, MIPSY_AT_PLACE);
    make_return(t);
    t->thunk[THUNK_AT_BLOCK] = t->x.at;
    make_leave(t, MIPSY_AT_BLOCK);
    make_return(t);
    t->first = t->x.at;
}
