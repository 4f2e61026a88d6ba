/*
 * Loads and stores. If the page has an entry in the flat table and the address is aligned, entry + address is the host
 * address of the data. With caches, the permission byte of the line (cache/memsys.h) must also allow the access. The
 * byte is indexed by virtual address, and then nonzero only if the flat table has an entry, so that testing it replaces
 * the test of the entry; or by physical line number, which follows from the flat table's entry
 * (cache->data_by_physical_line).
 */
#include "cpu/translate/x86/x86_emitter.h"

static unsigned size_of(const struct ir_op *op)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4};
    if (op->opcode == IR_LOAD64 || op->opcode == IR_STORE64)
        return 8;
    return op->opcode == IR_LOAD_UNALIGNED || op->opcode == IR_STORE_MERGED ? 1 : sizes[op->type];
}

static bool is_store(const struct ir_op *op)
{
    return op->opcode == IR_STORE || op->opcode == IR_STORE64 || op->opcode == IR_STORE_MERGED;
}

/* Guest address of OP in a register: the base register if the displacement is 0, otherwise ecx. Returns the
 * register. */
static int emit_address(struct host_emitter *e, const struct ir_op *op)
{
    struct place a = place_of(e, op->a);
    if (a.kind == PLACE_REG && op->displacement == 0)
        return a.reg;
    if (a.kind == PLACE_REG) {
        x86_lea(&e->x, RCX, x86_mem(a.reg, op->displacement));
        return RCX;
    }
    place_load(e, RCX, a);
    if (op->displacement != 0)
        x86_alu_imm(&e->x, X86_ADD, x86_reg(RCX), (uint32_t)op->displacement);
    return RCX;
}

static unsigned table_of(const struct ir_op *op)
{
    return is_store(op) ? VMAP_STORE : VMAP_LOAD;
}

/* Time of the instruction of OP, in ticks (MEMSYS_TICK_SHIFT), into REG. */
static void emit_time(struct host_emitter *e, const struct ir_op *op, int reg)
{
    struct x86 *x = &e->x;
    const unsigned left = e->block->insns - op->index - 1u;
    x86_mov64(x, reg, AT_FRAME(end));
    x86_alu64(x, X86_SUB, reg, x86_reg(BUDGET));
    if (left > 0)
        x86_alu64_imm(x, X86_SUB, x86_reg(reg), (int32_t)left);
    x86_shift64_imm(x, X86_SHL, x86_reg(reg), MEMSYS_TICK_SHIFT);
}

static uint8_t *jump_if_misaligned(struct host_emitter *e, int address, unsigned size)
{
    x86_test8_imm(&e->x, x86_reg(address), (uint8_t)(size - 1));
    return x86_jcc(&e->x, X86_NE);
}

/* Jump unless the permission byte of the line of the address in rax includes bit PERMISSION. rax is the line number
 * afterwards. */
static uint8_t *jump_unless_permitted(struct host_emitter *e, enum memsys_permission permission)
{
    struct x86 *x = &e->x;
    x86_shift_imm(x, X86_SHR, x86_reg(RAX), e->cache->data_shift);
    if (e->cache->data_by_physical_line)
        x86_test8_imm(x, x86_data_permit(RAX), (uint8_t)permission);
    else
        x86_test8_imm(x, x86_permit(emitter_mode(e), RAX), (uint8_t)permission);
    return x86_jcc(x, X86_E);
}

static enum memsys_permission permission_of(const struct ir_op *op)
{
    return is_store(op) ? PERMIT_STORE : PERMIT_READ;
}

/* Load the flat table's entry for the access of OP, to the address in register ADDRESS, into rax. */
static void emit_entry(struct host_emitter *e, const struct ir_op *op, int address)
{
    struct x86 *x = &e->x;
    const unsigned mode = emitter_mode(e), kind = table_of(op);
    if (op->a.kind == IR_CONST) {
        x86_mov64(x, RAX, x86_table_entry(mode, kind, op->a.constant));
        return;
    }
    x86_mov(x, RAX, x86_reg(address));
    x86_shift_imm(x, X86_SHR, x86_reg(RAX), PAGE_SHIFT);
    x86_mov64(x, RAX, x86_table(mode, kind, RAX));
}

/* In: rax the flat table's entry, register ADDRESS the guest address. Out: rax the host address of the data, edx their
 * physical line number. */
static void emit_host_address(struct host_emitter *e, int address)
{
    struct x86 *x = &e->x;
    x86_alu64(x, X86_ADD, RAX, x86_reg(address));
    x86_mov(x, RDX, x86_reg(RAX)); /* its lower half is the physical address */
    x86_shift_imm(x, X86_SHR, x86_reg(RDX), e->cache->data_shift);
}

/* Record the use of the line by OP, a hit: as the most recently used of its set and with its time, as far as the cache
 * model requires. In: as after emit_host_address(), and ecx the line's permission byte if data_sets is not 0. Changes
 * rcx, rdx. */
static void emit_record_use(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    if (e->cache->data_sets != 0) {
        if (e->cache->records_use_stamps)
            x86_push(x, RDX);
        x86_alu_imm(x, X86_AND, x86_reg(RDX), e->cache->data_sets - 1);
        x86_store8(x, x86_indexed(RBP, RDX, 0, (int32_t)CORE_MRU_DATA_OFFSET - CORE_BIAS), RCX);
        if (e->cache->records_use_stamps)
            x86_pop(x, RDX);
    }
    if (!e->cache->records_use_stamps)
        return;
    x86_mov64(x, RCX, AT_FRAME(data_uses.entry));
    x86_mov(x, RDX, x86_indexed(RCX, RDX, 2, 0));
    x86_mov64(x, RCX, AT_FRAME(data_uses.time));
    x86_lea64(x, RDX, x86_indexed(RCX, RDX, 3, 0));
    emit_time(e, op, RCX);
    x86_alu64_imm(x, X86_ADD, x86_reg(RCX), MEMSYS_DATA_TICKS);
    x86_store64(x, x86_mem(RDX, 0), RCX);
}

/* Without caches: load the flat table's entry into rax. Jumps to COLD if it is 0. */
static void emit_lookup_flat(struct host_emitter *e, const struct ir_op *op, int address, struct cold *cold)
{
    struct x86 *x = &e->x;
    emit_entry(e, op, address);
    x86_test64(x, RAX, RAX);
    cold->from[0] = x86_jcc(x, X86_E);
}

/* Permission bytes by virtual address: load the flat table's entry into rax, or, if use times are recorded, the host
 * address of the data. Jumps to COLD if the line is not known to hit. */
static void emit_lookup_by_address(struct host_emitter *e, const struct ir_op *op, int address, struct cold *cold)
{
    struct x86 *x = &e->x;
    const unsigned mode = emitter_mode(e), shift = e->cache->data_shift;
    if (op->a.kind == IR_CONST) {
        x86_test8_imm(x, x86_permit_at(mode, op->a.constant >> shift), (uint8_t)permission_of(op));
        cold->miss_jump = x86_jcc(x, X86_E);
    } else {
        x86_mov(x, RAX, x86_reg(address));
        cold->miss_jump = jump_unless_permitted(e, permission_of(op));
    }
    if (e->cache->records_use_stamps) {
        emit_entry(e, op, address);
        emit_host_address(e, address);
        emit_record_use(e, op);
        cold->hit = x->at;
        return;
    }
    cold->hit = x->at;
    if (op->a.kind == IR_CONST) {
        emit_entry(e, op, address);
        return;
    }
    if (shift < PAGE_SHIFT)
        x86_shift_imm(x, X86_SHR, x86_reg(RAX), PAGE_SHIFT - shift);
    x86_mov64(x, RAX, x86_table(mode, table_of(op), RAX));
}

/* Permission bytes by physical line number: load the host address of the data into rax. Jumps to COLD if the flat table
 * has no entry or the line is not known to hit. */
static void emit_lookup_by_number(struct host_emitter *e, const struct ir_op *op, int address, struct cold *cold)
{
    struct x86 *x = &e->x;
    emit_lookup_flat(e, op, address, cold);
    emit_host_address(e, address);
    if (e->cache->data_sets != 0) {
        x86_movzx8(x, RCX, x86_data_permit(RDX));
        x86_test8_imm(x, x86_reg(RCX), (uint8_t)permission_of(op));
    } else {
        x86_test8_imm(x, x86_data_permit(RDX), (uint8_t)permission_of(op));
    }
    cold->miss_jump = x86_jcc(x, X86_E);
    emit_record_use(e, op);
    cold->hit = x->at;
}

/* Jump to COLD if the access to the address in register ADDRESS is misaligned, not known to hit, or not in the flat
 * table. Otherwise rax is as code_finds_host_address() specifies. */
static void emit_lookup(struct host_emitter *e, const struct ir_op *op, int address, struct cold *cold)
{
    const unsigned size = size_of(op);
    if (op->a.kind == IR_CONST ? op->a.constant % size != 0 : size > 1 && !(op->aligned && size <= 4))
        cold->from[1] = jump_if_misaligned(e, address, size);
    if (!emitter_cached(e))
        emit_lookup_flat(e, op, address, cold);
    else if (e->cache->data_by_physical_line)
        emit_lookup_by_number(e, op, address, cold);
    else
        emit_lookup_by_address(e, op, address, cold);
}

/* Transfer the data from or to HOST. Changes rdx, or rax if HOST uses rdx. */
static void emit_transfer(struct host_emitter *e, const struct ir_op *op, struct x86_operand host)
{
    struct x86 *x = &e->x;
    if (op->opcode == IR_LOAD64) {
        struct place dst = place_of(e, op->dst);
        int to = dst.kind == PLACE_REG ? dst.reg : RAX;
        x86_mov64(x, to, host);
        place_store64(e, dst, to);
        return;
    }
    if (op->opcode == IR_LOAD) {
        struct place dst = place_of(e, op->dst);
        int to = dst.kind == PLACE_REG ? dst.reg : RAX;
        switch (op->type) {
        case IR_U8: x86_movzx8(x, to, host); break;
        case IR_S8: x86_movsx8(x, to, host); break;
        case IR_U16: x86_movzx16(x, to, host); break;
        case IR_S16: x86_movsx16(x, to, host); break;
        default: x86_mov(x, to, host);
        }
        place_store(e, dst, to);
        return;
    }
    struct place value = place_of(e, op->b);
    int scratch = host.base == RDX ? RAX : RDX;
    if (op->opcode == IR_STORE64) {
        place_load64(e, scratch, value);
        x86_store64(x, host, scratch);
        return;
    }
    if (value.kind == PLACE_CONST) {
        if (op->type == IR_U8)
            x86_store8_imm(x, host, (uint8_t)value.constant);
        else if (op->type == IR_U16)
            x86_store16_imm(x, host, (uint16_t)value.constant);
        else
            x86_store_imm(x, host, value.constant);
        return;
    }
    int from = value.kind == PLACE_REG ? value.reg : scratch;
    place_load(e, from, value);
    if (op->type == IR_U8)
        x86_store8(x, host, from);
    else if (op->type == IR_U16)
        x86_store16(x, host, from);
    else
        x86_store(x, host, from);
}

/* lwl, lwr, swl, swr: transfer the aligned word at host address rax. Aligns rax. */
static void emit_transfer_word(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    struct x86_operand host = x86_mem(RAX, 0);
    x86_alu64_imm(x, X86_AND, x86_reg(RAX), -4);
    if (op->opcode == IR_LOAD_UNALIGNED) {
        struct place dst = place_of(e, op->dst);
        int to = dst.kind == PLACE_REG ? dst.reg : RAX;
        x86_mov(x, to, host);
        place_store(e, dst, to);
        return;
    }
    struct place value = place_of(e, op->b);
    place_load(e, RCX, place_of(e, op->c));
    x86_not(x, x86_reg(RCX));
    x86_alu(x, X86_AND, RCX, host);
    if (value.kind == PLACE_CONST)
        x86_alu_imm(x, X86_OR, x86_reg(RCX), value.constant);
    else
        x86_alu(x, X86_OR, RCX, place_operand(value));
    x86_store(x, host, RCX);
}

static bool is_word_access(const struct ir_op *op)
{
    return op->opcode == IR_LOAD_UNALIGNED || op->opcode == IR_STORE_MERGED;
}

static enum translate_stub stub_of(const struct ir_op *op)
{
    switch (op->opcode) {
    case IR_LOAD: return (enum translate_stub)(STUB_LOAD + op->type);
    case IR_LOAD64: return STUB_LOAD64;
    case IR_LOAD_UNALIGNED: return STUB_LOAD_UNALIGNED;
    case IR_LOAD_LINKED: return STUB_LOAD_LINKED;
    case IR_STORE: return (enum translate_stub)(STUB_STORE + op->type);
    case IR_STORE64: return STUB_STORE64;
    case IR_STORE_MERGED: return STUB_STORE_MERGED;
    default: return STUB_STORE_CONDITIONAL;
    }
}

static void jump_if_leaving(struct host_emitter *e, const struct cold *cold)
{
    if (cold->in_delay_slot) /* C code has forced an exit at the next block */
        return;
    x86_cmp8_imm(&e->x, AT_FRAME(exit_requested), 0);
    uint8_t *stays = x86_jcc(&e->x, X86_E);
    emit_leave(e, cold);
    x86_patch(stays, e->x.at);
}

/* If observers read registers in the middle of accesses, store all registers to memory. */
static void emit_store_registers(struct host_emitter *e)
{
    if (e->context->core->access_observers == 0)
        return;
    for (unsigned guest = 0; guest < LOOP_REGISTERS; guest++)
        if (e->host_register[guest] != X86_NONE)
            x86_store(&e->x, x86_state(guest), e->host_register[guest]);
}

/* Perform the access in C. */
static void emit_access_call(struct host_emitter *e, const struct cold *cold)
{
    struct x86 *x = &e->x;
    const struct ir_op *op = cold->op;
    emit_position(e, cold);
    emit_store_registers(e);
    int address = emit_address(e, op);
    if (op->opcode == IR_STORE_MERGED) {
        place_load(e, RAX, place_of(e, op->c));
        x86_store64(x, AT_FRAME(value), RAX);
    }
    if (op->b.kind != IR_NONE) {
        if (op->opcode == IR_STORE64)
            place_load64(e, RDX, place_of(e, op->b));
        else
            place_load(e, RDX, place_of(e, op->b));
    }
    if (address != RCX)
        x86_mov(x, RCX, x86_reg(address));
    emit_access_stub(e, stub_of(op));
    if (op->dst.kind != IR_NONE) {
        if (op->opcode == IR_LOAD64)
            place_store64(e, place_of(e, op->dst), RAX);
        else
            place_store(e, place_of(e, op->dst), RAX);
    }
    jump_if_leaving(e, cold);
}

/* Call stub STUB, followed by a jump to HIT, taken if the miss has been handled, a jump to the rest of the cold code,
 * and the position of the instruction, which the stub reads: here, because the host has this line in its caches. */
static void emit_line_call(struct host_emitter *e, struct cold *cold, unsigned stub, const uint8_t *hit)
{
    struct x86 *x = &e->x;
    emit_store_registers(e);
    x86_call_to(x, emitter_stub(e, stub));
    x86_jump_to(x, hit);
    cold->rest_jump = x86_jump(x);
    x86_word32(x, cold->pc);
    x86_word32(x, cold->position);
}

/* Cold code for a line that is not known to hit: the stub charges the stall, and execution continues as after a hit. If
 * the stub cannot handle the miss, the rest performs the whole access in C. */
void emit_access_miss(struct host_emitter *e, struct cold *cold)
{
    struct x86 *x = &e->x;
    x86_patch(cold->miss_jump, x->at);
    int address = emit_address(e, cold->op);
    if (address != RCX)
        x86_mov(x, RCX, x86_reg(address));
    unsigned stub = is_store(cold->op) ? STUB_WRITE_LINE : STUB_READ_LINE;
    cold->position |= (uint32_t)__builtin_ctz(size_of(cold->op)) << POSITION_SIZE_SHIFT;
    emit_line_call(e, cold, stub + emitter_mode(e), cold->hit);
}

void emit_cold_access(struct host_emitter *e, struct cold *cold)
{
    emit_access_call(e, cold);
    x86_jump_to(&e->x, cold->back);
}

/* ll and sc, and accesses that may span two lines: always in C. */
static void emit_access_in_c(struct host_emitter *e, const struct ir_op *op)
{
    struct cold here = *emitter_cold(e, COLD_ACCESS, op);
    e->cold_count--; /* its code is inline */
    emit_access_call(e, &here);
}

static bool fits_in_line(const struct host_emitter *e, const struct ir_op *op)
{
    return !emitter_cached(e) || size_of(op) <= e->cache->data_line;
}

static void emit_access(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    if (!fits_in_line(e, op)) {
        emit_access_in_c(e, op);
        return;
    }
    struct cold *cold = emitter_cold(e, COLD_ACCESS, op);
    int address = emit_address(e, op);
    emit_lookup(e, op, address, cold);
    const bool host = code_finds_host_address(e->cache);
    if (is_word_access(op) && !host)
        x86_alu64(x, X86_ADD, RAX, x86_reg(address));
    if (is_word_access(op))
        emit_transfer_word(e, op);
    else
        emit_transfer(e, op, host ? x86_mem(RAX, 0) : x86_indexed(RAX, address, 0, 0));
    cold->back = x->at;
}

/*
 * Groups: several accesses with the same base register, which does not change between them, share one lookup if they
 * are in the same page. If they are not, or the page is not in the table, each is performed separately, in cold code.
 */

static bool may_be_grouped(const struct ir_op *op)
{
    return (op->opcode == IR_LOAD || op->opcode == IR_LOAD64 || op->opcode == IR_STORE || op->opcode == IR_STORE64) &&
           op->a.kind == IR_STATE;
}

/* Can OP, an access, be in one group with FIRST? With caches, loads and stores need different permissions. */
static bool belongs(const struct host_emitter *e, const struct ir_op *op, const struct ir_op *first)
{
    return may_be_grouped(op) && fits_in_line(e, op) && ir_same(op->a, first->a) &&
           (!emitter_cached(e) || is_store(op) == is_store(first));
}

/* May OP occur between accesses of a group with base BASE? */
static bool may_be_between(const struct ir_op *op, struct ir_value base)
{
    bool simple = op->opcode <= IR_SEXT16 || op->opcode == IR_COMPARE || op->opcode == IR_SELECT ||
                  op->opcode == IR_MUL || op->opcode == IR_HIGH || op->opcode == IR_LOW ||
                  op->opcode == IR_SET_STATE64 || op->opcode == IR_FETCH_LINE;
    bool by_cl = op->opcode >= IR_SHL && op->opcode <= IR_ROTR && op->b.kind != IR_CONST;
    return simple && !by_cl && !ir_same(op->dst, base);
}

struct group {
    unsigned accesses, last; /* index of the last operation of the group */
    int32_t low, high;       /* displacements of the first and last byte accessed */
    bool stores;
    unsigned align; /* required alignment of the first byte's address; 0: the accesses' alignments are incompatible */
};

static void add_access(struct group *group, const struct ir_op *op)
{
    int32_t low = op->displacement, high = low + (int32_t)size_of(op) - 1;
    if (group->accesses == 0 || low < group->low)
        group->low = low;
    if (group->accesses == 0 || high > group->high)
        group->high = high;
    group->accesses++;
    group->stores |= is_store(op);
}

/* Compute group->align such that, if the first byte is aligned to it, all accesses are aligned. */
static void find_alignment(const struct ir_block *block, unsigned first, struct group *group)
{
    group->align = 1;
    for (unsigned i = first; i <= group->last; i++) {
        const struct ir_op *op = &block->ops[i];
        if (may_be_grouped(op) && size_of(op) > group->align)
            group->align = size_of(op);
    }
    for (unsigned i = first; i <= group->last; i++) {
        const struct ir_op *op = &block->ops[i];
        if (may_be_grouped(op) && (unsigned)(op->displacement - group->low) % size_of(op) != 0)
            group->align = 0;
    }
}

/* Extent of the group that begins with operation FIRST. */
static struct group measure_group(const struct host_emitter *e, unsigned first)
{
    const struct ir_block *block = e->block;
    struct group group = {.last = first};
    struct ir_value base = block->ops[first].a;
    for (unsigned i = first; i < block->count - 1; i++) {
        const struct ir_op *op = &block->ops[i];
        struct group more = group;
        if (belongs(e, op, &block->ops[first])) {
            add_access(&more, op);
            if (more.high - more.low >= PAGE_SIZE)
                break;
            more.last = i;
            group = more;
            if (ir_same(op->dst, base))
                break;
        } else if (!may_be_between(op, base)) {
            break;
        }
    }
    /* include all operations of the last instruction */
    while (group.last + 2 < block->count && block->ops[group.last + 1].index == block->ops[group.last].index &&
           may_be_between(&block->ops[group.last + 1], (struct ir_value){0}))
        group.last++;
    find_alignment(block, first, &group);
    return group;
}

/*
 * With caches: the accesses of a group whose lines are tested. Between two tested addresses at most one line apart, all
 * addresses are in the lines of the two. If all lines are permitted, using them does not change the state of the
 * caches, so the tests may all precede the first access.
 */
struct probes {
    unsigned count;
    int32_t at[MAX_PROBES]; /* displacements from the base register */
};

/* The farthest access of the group at most one line beyond FROM, or else the next one; FROM itself if it is the
 * last. */
static int32_t next_probe(const struct host_emitter *e, unsigned first, const struct group *group, int32_t from)
{
    int32_t line = (int32_t)e->cache->data_line, within = from, next = INT32_MAX;
    for (unsigned i = first; i <= group->last; i++) {
        const struct ir_op *op = &e->block->ops[i];
        if (!may_be_grouped(op) || op->displacement <= from)
            continue;
        if (op->displacement - from <= line && op->displacement > within)
            within = op->displacement;
        if (op->displacement < next)
            next = op->displacement;
    }
    return within > from ? within : next != INT32_MAX ? next : from;
}

/* Empty if more than MAX_PROBES lines need a test. */
static struct probes find_probes(const struct host_emitter *e, unsigned first, const struct group *group)
{
    struct probes probes = {.count = 1, .at = {group->low}};
    for (;;) {
        int32_t from = probes.at[probes.count - 1], next = next_probe(e, first, group, from);
        if (next == from)
            return probes;
        if (probes.count == MAX_PROBES)
            return (struct probes){0};
        probes.at[probes.count++] = next;
    }
}

/* Does a common lookup need fewer host instructions than a lookup per access? Counts are host instructions. */
static bool is_profitable(const struct host_emitter *e, const struct group *group, const struct probes *probes)
{
    enum { EACH = 6, COMMON = 9, PROBE = 4 };
    if (!emitter_cached(e))
        return group->accesses >= 2;
    return probes->count > 0 && group->accesses * EACH > COMMON + probes->count * PROBE;
}

void find_groups(struct host_emitter *e)
{
    const struct ir_block *block = e->block;
    memset(e->group_of, 0, block->count);
    if (e->cache->records_use_stamps || e->cache->data_sets != 0) /* each use must be recorded separately */
        return;
    for (unsigned i = 0; i + 1 < block->count; i++) {
        if (!may_be_grouped(&block->ops[i]) || !fits_in_line(e, &block->ops[i]))
            continue;
        struct group group = measure_group(e, i);
        struct probes probes = {0};
        if (emitter_cached(e))
            probes = find_probes(e, i, &group);
        if (group.align == 0 || !is_profitable(e, &group, &probes))
            continue;
        memset(e->group_of + i, GROUP_MEMBER, group.last + 1 - i);
        e->group_of[i] = GROUP_FIRST;
        i = group.last;
    }
}

static void emit_group_operation(struct host_emitter *e, const struct ir_op *op, int32_t low)
{
    if (op->opcode == IR_FETCH_LINE)
        emit_fetch_line(e, op);
    else if (may_be_grouped(op))
        emit_transfer(e, op, x86_mem(RDX, op->displacement - low));
    else
        emit_arithmetic(e, op);
}

/* Jump to COLD unless all lines of the group that begins with FIRST are permitted. Register ADDRESS holds the address
 * of its first byte: the host address if permission bytes are indexed by physical line number, otherwise the guest
 * address. */
static void emit_probes(struct host_emitter *e, unsigned first, const struct group *group, int address,
                        struct cold *cold)
{
    struct x86 *x = &e->x;
    struct probes probes = find_probes(e, first, group);
    for (unsigned i = 0; i < probes.count; i++) {
        int32_t distance = probes.at[i] - group->low;
        if (distance != 0)
            x86_lea(x, RAX, x86_mem(address, distance));
        else
            x86_mov(x, RAX, x86_reg(address));
        cold->from[3 + i] = jump_unless_permitted(e, group->stores ? PERMIT_STORE : PERMIT_READ);
    }
}

unsigned emit_group(struct host_emitter *e, unsigned first)
{
    if (e->group_of[first] != GROUP_FIRST)
        return 0;
    struct x86 *x = &e->x;
    const struct ir_block *block = e->block;
    struct ir_op lookup = block->ops[first];
    struct group group = measure_group(e, first);
    struct cold *cold = emitter_cold(e, COLD_GROUP, &block->ops[first]);
    cold->target = group.last;
    lookup.displacement = group.low;
    int address = emit_address(e, &lookup);
    x86_lea(x, RDX, x86_mem(address, group.high - group.low));
    x86_alu(x, X86_XOR, RDX, x86_reg(address));
    x86_alu_imm(x, X86_CMP, x86_reg(RDX), PAGE_SIZE);
    cold->from[0] = x86_jcc(x, X86_AE);
    const bool by_number = e->cache->data_by_physical_line;
    if (emitter_cached(e) && !by_number)
        emit_probes(e, first, &group, address, cold);
    x86_mov(x, RAX, x86_reg(address));
    x86_shift_imm(x, X86_SHR, x86_reg(RAX), PAGE_SHIFT);
    x86_mov64(x, RDX, x86_table(emitter_mode(e), group.stores ? VMAP_STORE : VMAP_LOAD, RAX));
    if (!emitter_cached(e) || by_number) {
        x86_test64(x, RDX, RDX);
        cold->from[1] = x86_jcc(x, X86_E);
    }
    if (group.align > 1)
        cold->from[2] = jump_if_misaligned(e, address, group.align);
    x86_alu64(x, X86_ADD, RDX, x86_reg(address));
    if (by_number)
        emit_probes(e, first, &group, RDX, cold);
    for (unsigned i = first; i <= group.last; i++) {
        place_define(e, i);
        emit_group_operation(e, &block->ops[i], group.low);
    }
    cold->back = x->at;
    return group.last + 1 - first;
}

/* An instruction line that misses in the middle of a group may evict the group's data lines (inclusion). So after the
 * miss of OP's line execution continues here, where each access is performed separately. */
static void return_here_from_fetch(struct host_emitter *e, const struct ir_op *op)
{
    for (unsigned i = 0; i < e->cold_count; i++)
        if (e->cold[i].kind == COLD_FETCH && e->cold[i].op == op)
            e->cold[i].back = e->x.at;
}

void emit_cold_group(struct host_emitter *e, struct cold *cold)
{
    const struct ir_op *last = &cold->block->ops[cold->target];
    for (const struct ir_op *op = cold->op; op <= last; op++)
        if (may_be_grouped(op)) {
            emit_access(e, op);
        } else if (op->opcode == IR_FETCH_LINE) {
            emit_fetch_line(e, op);
            return_here_from_fetch(e, op);
        } else {
            emit_arithmetic(e, op);
        }
    x86_jump_to(&e->x, cold->back);
}

bool emit_memory(struct host_emitter *e, const struct ir_op *op)
{
    switch (op->opcode) {
    case IR_LOAD:
    case IR_LOAD64:
    case IR_LOAD_UNALIGNED:
    case IR_STORE:
    case IR_STORE64:
    case IR_STORE_MERGED: emit_access(e, op); return true;
    case IR_LOAD_LINKED:
    case IR_STORE_CONDITIONAL: emit_access_in_c(e, op); return true;
    default: return false;
    }
}

/* Test whether the instruction's cache line is known to hit. */
void emit_fetch_line(struct host_emitter *e, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    const struct code_cache *cache = e->cache;
    if (e->lines_untested)
        return;
    struct cold *cold = emitter_cold(e, COLD_FETCH, op);
    const paddr line = code_line(cache, e->page, cold->pc);
    const uint32_t number = code_line_number(cache, e->page, line);
    cold->target = cache->fetch_index_bits != 0 ? number : line;
    if (cache->fetch_sets == 0) {
        x86_cmp8_imm(x, x86_permit_at(PERMIT_TABLE_CODE, number), PERMIT_NONE);
        cold->from[0] = x86_jcc(x, X86_E);
    } else {
        x86_movzx8(x, RAX, x86_permit_at(PERMIT_TABLE_CODE, number));
        x86_test(x, RAX, RAX);
        cold->from[0] = x86_jcc(x, X86_E);
        x86_store8(x, x86_at(CORE_MRU_FETCH_OFFSET + (number & (cache->fetch_sets - 1))), RAX);
    }
    if (cache->records_use_stamps) {
        x86_mov_imm(x, RCX, line >> cache->fetch_shift);
        x86_mov64(x, RDX, AT_FRAME(fetch_uses.entry));
        x86_mov(x, RCX, x86_indexed(RDX, RCX, 2, 0));
        x86_mov64(x, RDX, AT_FRAME(fetch_uses.time));
        emit_time(e, op, RAX);
        x86_store64(x, x86_indexed(RDX, RCX, 3, 0), RAX);
    }
    cold->back = x->at;
}

void emit_fetch_miss(struct host_emitter *e, struct cold *cold)
{
    x86_patch(cold->from[0], e->x.at);
    x86_mov_imm(&e->x, RCX, cold->target);
    emit_line_call(e, cold, STUB_FETCH, cold->back);
}

void emit_cold_fetch(struct host_emitter *e, const struct cold *cold)
{
    struct x86 *x = &e->x;
    emit_position(e, cold);
    if ((cold->position & 0xff) == 0) { /* the last of its block: the next block tests the budget */
        x86_jump_to(x, cold->back);
    } else {
        emit_leave_loop(e);
        x86_jump_to(x, emitter_stub(e, STUB_BEGUN));
    }
}
