/*
 * The short cut of struct memsys_short_cut (cache/memsys.h) in machine code: what cache/first_level.c does for two ways
 * over a direct-mapped second level.
 *
 * Registers: rcx the address, rsi the set, rdi the physical address, then the way; r8 the set's first entry; edx the
 * line; eax scratch. All but rdx are put back.
 */
#include "cpu/embra/x86_short_cut.h"

enum { SAVED = 5, SAVED_ADDRESS = 24 /* rcx, from rsp */, JUMPS_TO_ASK = 10 };
static const uint8_t saved[SAVED] = {RAX, RCX, RSI, RDI, R8};

enum { CLEAN = QUICK_READ, DIRTY = QUICK_WRITE, MODIFIED = QUICK_STORE };

struct maker {
    struct x86 *x;
    const struct embra_cache *cache;
    const struct memsys_short_cut *cut; /* its geometry */
    size_t frame;                       /* where the core's is in the model area */
    enum memsys_access access;
    unsigned jumps;
    uint8_t *ask[JUMPS_TO_ASK]; /* distances of the jumps to what is not done here */
};

#define AT_CUT(field) x86_at(offsetof(struct core, model_area) + m->frame + offsetof(struct memsys_short_cut, field))

static bool is_fetch(const struct maker *m)
{
    return m->access == MEMSYS_FETCH;
}

static bool is_write(const struct maker *m)
{
    return m->access == MEMSYS_WRITE;
}

static void ask_if(struct maker *m, enum x86_condition condition)
{
    m->ask[m->jumps++] = x86_jcc(m->x, condition);
}

static void and_imm(struct x86 *x, int reg, uint32_t mask)
{
    x86_alu_imm(x, X86_AND, x86_reg(reg), mask);
}

static void save(struct x86 *x)
{
    for (unsigned i = 0; i < SAVED; i++)
        x86_push(x, saved[i]);
}

static void restore(struct x86 *x)
{
    for (unsigned i = SAVED; i-- > 0;)
        x86_pop(x, saved[i]);
}

/* The physical address into edi: of data by the flat table. */
static void make_physical(struct maker *m)
{
    struct x86 *x = m->x;
    if (is_fetch(m)) {
        x86_mov(x, RDI, x86_reg(RCX));
        return;
    }
    x86_mov(x, RDX, x86_reg(RCX));
    x86_shift_imm(x, X86_SHR, x86_reg(RDX), PAGE_SHIFT);
    x86_mov64(x, RDI, is_write(m) ? AT_CORE(store_map) : AT_CORE(load_map));
    x86_mov64(x, RDI, x86_indexed(RDI, RDX, 3, 0));
    x86_test64(x, RDI, RDI);
    ask_if(m, X86_E);
    x86_alu(x, X86_ADD, RDI, x86_reg(RCX));
}

static void make_set_and_line(struct maker *m)
{
    struct x86 *x = m->x;
    x86_mov(x, RSI, x86_reg(RDI));
    x86_shift_imm(x, X86_SHR, x86_reg(RSI), m->cut->line_shift);
    and_imm(x, RSI, m->cut->set_mask);
    x86_mov(x, RDX, x86_reg(RDI));
    and_imm(x, RDX, ~((1u << m->cut->line_shift) - 1));
    x86_mov64(x, R8, AT_CUT(word));
    x86_lea64(x, R8, x86_indexed(R8, RSI, 3, 0));
}

/* Is the line in WAY? Its state into eax, and a jump. */
static uint8_t *jump_if_in(struct maker *m, unsigned way)
{
    struct x86 *x = m->x;
    x86_mov(x, RAX, x86_mem(R8, (int32_t)(4 * way)));
    x86_alu(x, X86_SUB, RAX, x86_reg(RDX));
    x86_lea(x, RCX, x86_mem(RAX, -1));
    x86_alu_imm(x, X86_CMP, x86_reg(RCX), DIRTY);
    return x86_jcc(x, X86_B);
}

/* Of the physical address in ecx, which becomes the number of its set: the second level's word into eax. */
static void make_outer_word(struct maker *m)
{
    struct x86 *x = m->x;
    x86_shift_imm(x, X86_SHR, x86_reg(RCX), m->cut->outer_shift);
    and_imm(x, RCX, m->cut->outer_mask);
    x86_mov64(x, RAX, AT_CUT(outer));
    x86_mov(x, RAX, x86_indexed(RAX, RCX, 2, 0));
}

/* The second level has to have the line, for a store dirty; it notes that the first level has it. */
static void make_second_level(struct maker *m)
{
    struct x86 *x = m->x;
    const struct memsys_short_cut *cut = m->cut;
    const uint32_t inside = (1u << cut->outer_shift) - 1;
    x86_mov(x, RCX, x86_reg(RDI));
    make_outer_word(m);
    x86_alu(x, X86_XOR, RAX, x86_reg(RDX));
    x86_test_imm(x, x86_reg(RAX), ~inside);
    ask_if(m, X86_NE);
    x86_test8_imm(x, x86_reg(RAX), is_write(m) ? MODIFIED : CLEAN);
    ask_if(m, X86_E);
    x86_mov64(x, RAX, AT_CUT(inner));
    x86_lea64(x, RAX, x86_indexed(RAX, RCX, 2, 0));
    x86_shift_imm(x, X86_SHR, x86_reg(RDI), cut->part_shift);
    and_imm(x, RDI, inside >> cut->part_shift);
    if (is_fetch(m))
        x86_alu_imm(x, X86_OR, x86_reg(RDI), 16);
    x86_mov(x, RCX, x86_mem(RAX, 0));
    x86_bts(x, RCX, RDI);
    x86_store(x, x86_mem(RAX, 0), RCX);
}

/* The way used longest ago into edi; it is the one used last now. */
static void make_victim(struct maker *m)
{
    struct x86 *x = m->x;
    if (is_fetch(m)) {
        x86_mov64(x, RAX, AT_CUT(last));
        x86_movzx8(x, RDI, x86_indexed(RAX, RSI, 0, 0));
        x86_alu_imm(x, X86_XOR, x86_reg(RDI), QUICK_WAY);
        x86_store8(x, x86_indexed(RAX, RSI, 0, 0), RDI);
        x86_shift_imm(x, X86_SHR, x86_reg(RDI), 4);
        and_imm(x, RDI, 1);
        return;
    }
    x86_mov64(x, RAX, AT_CUT(history));
    x86_mov64(x, RDI, x86_indexed(RAX, RSI, 3, 0));
    x86_mov(x, RCX, x86_reg(RDI));
    x86_alu_imm(x, X86_XOR, x86_reg(RCX), 0x11);
    x86_store64(x, x86_indexed(RAX, RSI, 3, 0), RCX);
    x86_shift_imm(x, X86_SHR, x86_reg(RDI), 4);
}

static void make_fill(struct maker *m)
{
    struct x86 *x = m->x;
    struct x86_operand word = x86_indexed(R8, RDI, 2, 0);
    if (!is_fetch(m)) {
        x86_mov(x, RCX, word);
        x86_shift_imm(x, X86_SHR, x86_reg(RCX), 1);
        and_imm(x, RCX, 1);
        x86_mov64(x, RAX, AT_CUT(write_backs));
        x86_alu64_store(x, X86_ADD, x86_mem(RAX, 0), RCX);
    }
    x86_alu_imm(x, X86_OR, x86_reg(RDX), is_write(m) ? DIRTY : CLEAN);
    x86_store(x, word, RDX);
}

/* The byte of the line that had one in this place is cleared; the address of the new one's into rcx, and noted. */
static void make_place(struct maker *m)
{
    struct x86 *x = m->x;
    if (is_fetch(m))
        x86_lea(x, RSI, x86_indexed(RDI, RSI, 1, 0)); /* a place a line */
    x86_mov64(x, RDX, AT_CUT(quick));
    x86_lea64(x, RDX, x86_indexed(RDX, RSI, 3, 0));
    x86_mov64(x, RCX, x86_mem(RDX, 0));
    x86_store8_imm(x, x86_mem(RCX, 0), QUICK_NONE);
    x86_mov(x, RCX, x86_mem(RSP, SAVED_ADDRESS));
    x86_shift_imm(x, X86_SHR, x86_reg(RCX), is_fetch(m) ? m->cache->fetch_shift : m->cache->quick_shift);
    if (is_fetch(m))
        x86_lea64(x, RCX, x86_quick(QUICK_CODE, RCX));
    else
        x86_alu64(x, X86_ADD, RCX, AT_CORE(quick_map));
    x86_store64(x, x86_mem(RDX, 0), RCX);
}

static void make_quick(struct maker *m)
{
    struct x86 *x = m->x;
    make_place(m);
    if (is_fetch(m)) {
        x86_shift_imm(x, X86_SHL, x86_reg(RDI), 4);
        x86_alu_imm(x, X86_OR, x86_reg(RDI), QUICK_READ);
        x86_store8(x, x86_mem(RCX, 0), RDI);
    } else {
        x86_store8_imm(x, x86_mem(RCX, 0), is_write(m) ? QUICK_WRITE : QUICK_READ);
    }
}

static void add(struct x86 *x, struct x86_operand counter, uint32_t value)
{
    x86_alu64_imm(x, X86_ADD, counter, (int32_t)value);
}

static void make_accounts(struct maker *m)
{
    struct x86 *x = m->x;
    static const enum miss misses[] = {
        [MEMSYS_FETCH] = MISS_L1I, [MEMSYS_READ] = MISS_L1D_READ, [MEMSYS_WRITE] = MISS_L1D_WRITE};
    const enum stall stall = is_fetch(m) ? STALL_L1I : STALL_L1D;
    x86_mov64(x, RAX, AT_CUT(misses));
    add(x, x86_mem(RAX, 8 * (int32_t)m->access), 1);
    x86_mov64(x, RAX, AT_CORE(bucket));
    add(x, x86_mem(RAX, (int32_t)offsetof(struct bucket, miss) + 8 * (int32_t)misses[m->access]), 1);
    add(x, x86_mem(RAX, (int32_t)offsetof(struct bucket, stall) + 8 * (int32_t)stall), m->cut->time);
    x86_mov64(x, RAX, AT_CORE(model));
    add(x, x86_mem(RAX, (int32_t)offsetof(struct embra, in.stalls)), m->cut->time);
}

/* The time is taken from the budget; what comes then is in x86_thunks.c. */
static void make_return(struct maker *m)
{
    struct x86 *x = m->x;
    restore(x);
    x86_alu64_imm(x, X86_SUB, x86_reg(BUDGET), (int32_t)m->cut->time);
    uint8_t *late = x86_jcc_short(x, X86_S);
    x86_ret(x);
    x86_patch_short(late, x->at);
    if (!is_fetch(m))
        x86_store8_imm(x, AT_FRAME(timed), 1);
    host_return_behind(x);
}

/* A store to the line in WAY, with its state in eax. If that is clean, it becomes dirty inside a dirty line of the
 * second level; otherwise others may have to be asked. */
static void make_dirty(struct maker *m, unsigned way)
{
    struct x86 *x = m->x;
    x86_test8_imm(x, x86_reg(RAX), MODIFIED);
    uint8_t *dirty = x86_jcc_short(x, X86_NE);
    x86_mov(x, RCX, x86_reg(RDI));
    make_outer_word(m);
    x86_test8_imm(x, x86_reg(RAX), MODIFIED);
    ask_if(m, X86_E);
    x86_mov_imm(x, RAX, DIRTY);
    x86_alu_store(x, X86_OR, x86_mem(R8, (int32_t)(4 * way)), RAX);
    x86_patch_short(dirty, x->at);
}

/* Data: the line is in WAY, its state in eax. */
static void make_hit(struct maker *m, unsigned way)
{
    struct x86 *x = m->x;
    if (is_write(m)) {
        make_dirty(m, way);
    } else {
        x86_mov(x, RCX, x86_mem(RSP, SAVED_ADDRESS));
        x86_shift_imm(x, X86_SHR, x86_reg(RCX), PAGE_SHIFT);
        x86_mov64(x, RDX, AT_CORE(store_map));
        x86_alu64_imm(x, X86_CMP, x86_indexed(RDX, RCX, 3, 0), 0);
        uint8_t *may_store = x86_jcc_short(x, X86_NE);
        and_imm(x, RAX, QUICK_READ);
        x86_patch_short(may_store, x->at);
    }
    x86_mov64(x, RCX, AT_CUT(history));
    x86_store64_imm(x, x86_indexed(RCX, RSI, 3, 0), way ? 0x01 : 0x10);
    make_place(m);
    x86_store8(x, x86_mem(RCX, 0), RAX);
    restore(x);
    x86_ret(x);
}

static void make(struct maker *m)
{
    struct x86 *x = m->x;
    save(x);
    x86_mov64(x, RDX, AT_CUT(open));
    x86_cmp8_imm(x, x86_mem(RDX, 0), 0);
    ask_if(m, X86_E);
    make_physical(m);
    make_set_and_line(m);
    uint8_t *hit[2];
    for (unsigned way = 0; way < 2; way++)
        hit[way] = jump_if_in(m, way);
    make_second_level(m);
    make_victim(m);
    make_fill(m);
    make_quick(m);
    make_accounts(m);
    make_return(m);
    for (unsigned way = 0; way < 2; way++) {
        if (is_fetch(m)) { /* both lines of a set are known to hit: something out of the ordinary */
            m->ask[m->jumps++] = hit[way];
            continue;
        }
        x86_patch(hit[way], x->at);
        make_hit(m, way);
    }
    for (unsigned i = 0; i < m->jumps; i++)
        x86_patch(m->ask[i], x->at);
    restore(x);
}

void host_make_short_cut(const struct embra_cache *cache, struct x86 *x, enum embra_thunk which)
{
    struct maker m = {.x = x, .cache = cache, .cut = &cache->data_cut, .frame = offsetof(struct embra_frame, data_cut)};
    if (which == THUNK_FETCH) {
        m.cut = &cache->fetch_cut;
        m.frame = offsetof(struct embra_frame, fetch_cut);
        m.access = MEMSYS_FETCH;
    } else {
        m.access = which < THUNK_WRITE_LINE ? MEMSYS_READ : MEMSYS_WRITE;
    }
    if (m.cut->open != NULL)
        make(&m);
}
