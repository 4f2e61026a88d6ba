/* Loads, stores, fetches, and where they go if they do not hit for certain. */
#include "cpu/mipsy/x86_emitter.h"

#include "src/log.h"

static struct cold *new_cold(struct mipsy_translator *t, unsigned kind)
{
    if (t->cold_count == COLD_MAX)
        log_bug("a block with more than %d places that are seldom executed", COLD_MAX);
    struct cold *cold = &t->cold[t->cold_count++];
    *cold = (struct cold){.kind = kind, .site = t->site, .live = ~t->free & ((1u << TEMPORARIES) - 1)};
    return cold;
}

/* Time of the instruction at work into REG. */
static int emit_time(struct mipsy_translator *t, int reg)
{
    if (t->site.index == 0)
        return R12;
    x86_lea64(&t->x, reg, x86_mem(R12, (int32_t)t->site.index * MIPSY_TICKS));
    return reg;
}

void emit_fetch(struct mipsy_translator *t)
{
    struct x86 *x = &t->x;
    const uint32_t number = mipsy_place_quick(t->page, t->pages->places[t->index]);
    const struct x86_operand byte = at_core((size_t)quick_offset(QUICK_CODE) + number);
    struct cold *cold = new_cold(t, COLD_FETCH);
    x86_cmp8_imm(x, byte, QUICK_NONE);
    cold->from[0] = x86_jcc(x, X86_E);
    cold->argument = t->index * 4;
    if (t->notes_fetched) {
        x86_movzx8(x, RAX, byte);
        x86_store8(x, at_core(CORE_LAST_FETCHED_OFFSET + (number & t->last_mask)), RAX);
    }
    if (t->notes_times)
        x86_store64(x, x86_mem(R15, (int32_t)((number + t->page->physical) * sizeof(cycles))), emit_time(t, RAX));
    cold->back = x->at;
}

void emit_leave_in_user_mode(struct mipsy_translator *t)
{
    struct cold *cold = new_cold(t, COLD_LEAVE);
    x86_cmp8_imm(&t->x, AT_CORE(user_mode), false);
    cold->from[0] = x86_jcc(&t->x, X86_NE);
}

/* The access of COLD to the address in eax: its place in the host into rcx, the number of its line into
 * rdx unless quick bytes are found by virtual address. */
static void emit_lookup(struct mipsy_translator *t, struct cold *cold, bool is_aligned)
{
    struct x86 *x = &t->x;
    const bool load = cold->kind == COLD_LOAD;
    x86_mov(x, RCX, x86_reg(RAX));
    x86_shift_imm(x, X86_SHR, x86_reg(RCX), PAGE_SHIFT);
    x86_mov64(x, RCX, x86_indexed(load ? R10 : R11, RCX, 3, 0));
    x86_test64(x, RCX, RCX);
    cold->from[0] = x86_jcc(x, X86_E);
    x86_alu64(x, X86_ADD, RCX, x86_reg(RAX));
    const uint8_t wanted = load ? QUICK_READ : QUICK_STORE;
    x86_mov(x, RDX, x86_reg(t->data_by_virtual ? RAX : RCX)); /* rcx: its lower half is the physical address */
    x86_shift_imm(x, X86_SHR, x86_reg(RDX), t->data_shift);
    if (t->data_by_virtual) {
        x86_alu64(x, X86_ADD, RDX, AT_CORE(quick_map));
        x86_test8_imm(x, x86_mem(RDX, 0), wanted);
    } else {
        x86_test8_imm(x, x86_indexed(RBX, RDX, 0, (int32_t)CORE_QUICK_DATA_OFFSET), wanted);
    }
    cold->from[1] = x86_jcc(x, X86_E);
    if (!is_aligned) {
        x86_test8_imm(x, x86_reg(RAX), (uint8_t)(mipsy_size_of(cold->site.type) - 1));
        cold->from[2] = x86_jcc(x, X86_NE);
    }
}

/* ADDRESS has been used for an access of TYPE, so it is aligned. */
static void learn_alignment(struct mipsy_translator *t, enum mipsy_type type, struct value address)
{
    if (type == MIPSY_U32 && (address.kind == VALUE_GUEST || (address.kind == VALUE_SUM && address.constant % 4 == 0)))
        t->aligned |= 1ull << address.guest;
}

/* An access of TYPE to ADDRESS: where it is known to hit, it goes on as behind emit_lookup(). KIND: COLD_LOAD or
 * COLD_STORE. */
static struct cold *begin_access(struct mipsy_translator *t, unsigned kind, enum mipsy_type type, struct value address)
{
    const bool is_aligned = mipsy_size_of(type) == 1 || value_is_aligned(t, address);
    value_load(t, RAX, address);
    value_done(t, address);
    if (kind == COLD_LOAD)
        t->site.loads--;
    else
        t->site.stores--;
    t->site.type = type;
    struct cold *cold = new_cold(t, kind);
    emit_lookup(t, cold, is_aligned);
    learn_alignment(t, type, address);
    return cold;
}

/* The line of host address rcx, whose number is in rdx unless quick bytes are found by virtual address, has been used.
 */
static void emit_note(struct mipsy_translator *t)
{
    struct x86 *x = &t->x;
    if (t->notes_accessed) {
        x86_movzx8(x, RAX, x86_indexed(RBX, RDX, 0, (int32_t)CORE_QUICK_DATA_OFFSET));
        x86_mov(x, RCX, x86_reg(RDX));
        x86_alu_imm(x, X86_AND, x86_reg(RCX), t->last_data_mask);
        x86_store8(x, x86_indexed(RBX, RCX, 0, (int32_t)CORE_LAST_ACCESSED_OFFSET), RAX);
    }
    if (!t->notes_times)
        return;
    if (t->data_by_virtual) {
        x86_mov(x, RDX, x86_reg(RCX));
        x86_shift_imm(x, X86_SHR, x86_reg(RDX), t->data_shift);
    }
    x86_store64(x, x86_indexed(RBP, RDX, 3, 0), emit_time(t, RCX));
}

/* Read what is at host address rcx into register TO. */
static void emit_read(struct mipsy_translator *t, enum mipsy_type type, int to)
{
    struct x86 *x = &t->x;
    const struct x86_operand host = x86_mem(RCX, 0);
    switch (type) {
    case MIPSY_U8: x86_movzx8(x, to, host); break;
    case MIPSY_S8: x86_movsx8(x, to, host); break;
    case MIPSY_U16: x86_movzx16(x, to, host); break;
    case MIPSY_S16: x86_movsx16(x, to, host); break;
    case MIPSY_UNALIGNED: x86_alu64_imm(x, X86_AND, x86_reg(RCX), -4); /* fall through */
    default: x86_mov(x, to, host);
    }
}

struct value emit_load(struct mipsy_translator *t, enum mipsy_type type, struct value address)
{
    struct x86 *x = &t->x;
    if (t->finishes) {
        value_done(t, address);
        const int loaded = value_new(t);
        x86_mov(x, loaded, AT_FRAME(value));
        return (struct value){.kind = VALUE_HOST, .reg = (int8_t)loaded};
    }
    struct cold *cold = begin_access(t, COLD_LOAD, type, address);
    const int to = cold->result = value_new(t);
    cold->insn = t->insn;
    cold->id = t->id;
    emit_read(t, type, to);
    emit_note(t);
    cold->back = x->at;
    return (struct value){.kind = VALUE_HOST, .reg = (int8_t)to};
}

/* The bits of MASK of the word at host address rcx & ~3 become those of V. Changes rax, rcx. */
static void emit_merge(struct mipsy_translator *t, struct value v, struct value mask)
{
    struct x86 *x = &t->x;
    x86_alu64_imm(x, X86_AND, x86_reg(RCX), -4);
    value_load(t, RAX, mask); /* a register or a constant, so is V */
    x86_not(x, x86_reg(RAX));
    x86_alu(x, X86_AND, RAX, x86_mem(RCX, 0));
    if (v.kind == VALUE_CONST)
        x86_alu_imm(x, X86_OR, x86_reg(RAX), v.constant);
    else
        x86_alu(x, X86_OR, RAX, x86_reg(v.reg));
    x86_store(x, x86_mem(RCX, 0), RAX);
}

static void emit_store_plain(struct mipsy_translator *t, enum mipsy_type type, struct value v)
{
    struct x86 *x = &t->x;
    const struct x86_operand host = x86_mem(RCX, 0);
    if (v.kind == VALUE_CONST) {
        if (type == MIPSY_U8)
            x86_store8_imm(x, host, (uint8_t)v.constant);
        else if (type == MIPSY_U16)
            x86_store16_imm(x, host, (uint16_t)v.constant);
        else
            x86_store_imm(x, host, v.constant);
        return;
    }
    const int from = value_in(t, v, RAX);
    if (type == MIPSY_U8)
        x86_store8(x, host, from);
    else if (type == MIPSY_U16)
        x86_store16(x, host, from);
    else
        x86_store(x, host, from);
}

void emit_store(struct mipsy_translator *t, enum mipsy_type type, struct value address, struct value v,
                struct value mask)
{
    struct x86 *x = &t->x;
    if (type == MIPSY_MERGED) {
        v = value_named(t, v);
        mask = value_named(t, mask);
    }
    struct cold *cold = begin_access(t, COLD_STORE, type, address);
    cold->stored = v;
    cold->mask = mask;
    if (type == MIPSY_MERGED)
        emit_merge(t, v, mask);
    else
        emit_store_plain(t, type, v);
    value_done(t, v);
    emit_note(t);
    cold->back = x->at;
}

void emit_trap_if(struct mipsy_translator *t, struct value c, enum exception_code code)
{
    if (c.kind != VALUE_CONDITION) { /* always: not worth it; never: does not occur */
        t->failed = true;
        return;
    }
    const enum x86_condition condition = value_test(t, c);
    struct cold *cold = new_cold(t, COLD_TRAP);
    cold->argument = code;
    cold->from[0] = x86_jcc(&t->x, condition);
    cold->back = t->x.at;
}

void emit_call(struct mipsy_translator *t, enum mipsy_thunk thunk)
{
    x86_mov_imm(&t->x, RCX, mipsy_site_pack(t->site));
    x86_call_to(&t->x, t->thunk[thunk]);
}

/* Temporaries that the call does not keep. */
static void keep_live(struct mipsy_translator *t, unsigned live, bool back)
{
    for (unsigned i = 0; i < TEMPORARIES; i++) {
        if (!(live >> i & 1))
            continue;
        if (back)
            x86_mov64(&t->x, temporary(i), AT_FRAME(temporaries[i]));
        else
            x86_store64(&t->x, AT_FRAME(temporaries[i]), temporary(i));
    }
}

/* To the interpreter, for the instruction of COLD and what follows it. */
static void emit_leave(struct mipsy_translator *t, const struct cold *cold)
{
    struct x86 *x = &t->x;
    if (cold->site.loads)
        x86_alu64_imm(x, X86_SUB, AT_CORE(counts.loads), (int32_t)cold->site.loads);
    if (cold->site.stores)
        x86_alu64_imm(x, X86_SUB, AT_CORE(counts.stores), (int32_t)cold->site.stores);
    x86_lea64(x, R12, x86_mem(R12, (int32_t)cold->site.index * MIPSY_TICKS));
    x86_mov_imm(x, RDX, cold->site.slot * MIPSY_TICKS);
    x86_jump_to(x, t->thunk[THUNK_HERE]);
}

/* The rest of the load of COLD, which has been done; then to the interpreter. */
static void emit_finish(struct mipsy_translator *t, const struct cold *cold)
{
    t->insn = cold->insn;
    t->id = cold->id;
    t->finishes = true;
    emit_row(t);
    t->finishes = false;
    x86_jump_to(&t->x, t->thunk[THUNK_FINISHED]);
}

static void come_from(struct mipsy_translator *t, uint8_t *jump)
{
    if (jump != NULL)
        x86_patch(jump, t->x.at);
}

static void emit_cold_fetch(struct mipsy_translator *t, const struct cold *cold)
{
    struct x86 *x = &t->x;
    x86_mov_imm(x, RAX, cold->argument);
    x86_mov_imm(x, RCX, mipsy_site_pack(cold->site));
    x86_call_to(x, t->thunk[THUNK_FETCH]);
    x86_jump_to(x, cold->back);
}

static void come_from_all(struct mipsy_translator *t, const struct cold *cold)
{
    for (unsigned i = 0; i < sizeof cold->from / sizeof *cold->from; i++)
        come_from(t, cold->from[i]);
}

static void emit_cold_load(struct mipsy_translator *t, struct cold *cold)
{
    struct x86 *x = &t->x;
    come_from_all(t, cold);
    keep_live(t, cold->live, false);
    x86_mov_imm(x, RCX, mipsy_site_pack(cold->site));
    x86_call_to(x, t->thunk[THUNK_LOAD]);
    x86_test(x, RAX, RAX);
    uint8_t *finish = x86_jcc(x, X86_NE);
    emit_read(t, cold->site.type, cold->result);
    keep_live(t, cold->live, true);
    x86_jump_to(x, cold->back);
    x86_patch(finish, x->at);
    emit_finish(t, cold);
}

static void emit_cold_store(struct mipsy_translator *t, struct cold *cold)
{
    struct x86 *x = &t->x;
    const enum mipsy_type type = cold->site.type;
    come_from_all(t, cold);
    keep_live(t, cold->live, false);
    value_load(t, RDX, cold->stored);
    if (type == MIPSY_MERGED)
        value_load(t, RSI, cold->mask);
    x86_mov_imm(x, RCX, mipsy_site_pack(cold->site));
    x86_call_to(x, t->thunk[THUNK_STORE]);
    keep_live(t, cold->live, true);
    x86_jump_to(x, cold->back);
}

static void emit_cold_trap(struct mipsy_translator *t, const struct cold *cold)
{
    x86_mov_imm(&t->x, RAX, cold->argument);
    x86_mov_imm(&t->x, RCX, mipsy_site_pack(cold->site));
    x86_call_to(&t->x, t->thunk[THUNK_TRAP]); /* does not come back */
}

static void emit_one_cold(struct mipsy_translator *t, struct cold *cold)
{
    if (cold->kind == COLD_LOAD) {
        emit_cold_load(t, cold);
        return;
    }
    if (cold->kind == COLD_STORE) {
        emit_cold_store(t, cold);
        return;
    }
    come_from(t, cold->from[0]);
    if (cold->kind == COLD_FETCH)
        emit_cold_fetch(t, cold);
    else if (cold->kind == COLD_TRAP)
        emit_cold_trap(t, cold);
    else
        emit_leave(t, cold);
}

void emit_cold(struct mipsy_translator *t)
{
    for (unsigned i = 0; i < t->cold_count; i++)
        emit_one_cold(t, &t->cold[i]);
}
