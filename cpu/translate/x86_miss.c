/*
 * Inline handling of first-level misses (struct memsys_refill_path, cache/memsys.h): the same actions as
 * cache/hierarchy/l1_lookup.c for a two-way first level over a direct-mapped second level. Programs with many misses
 * spend a third of their time in this code, so every instruction counts.
 *
 * Registers: ecx the address; edx the physical address, later the line's tag word as it is when clean; rsi the address
 * of the set's tag words, with the set's history and the address of its permission byte at fixed offsets; eax, edi
 * scratch.
 */
#include "cpu/translate/x86_miss.h"

enum { MAX_SLOW_JUMPS = 12 };
enum { CLEAN = PERMIT_READ, DIRTY = PERMIT_READ_STORE, MODIFIED = PERMIT_STORE };
enum { WORDS_SHIFT = 3 /* log2 of the size in bytes of a set's tag words */ };

struct generator {
    struct x86 *x;
    const struct code_cache *cache;
    const struct memsys_refill_path *cut; /* geometry */
    size_t frame;                         /* offset of the core's struct memsys_refill_path in the model area */
    enum memsys_access access;
    unsigned mode; /* mode of a data access */
    unsigned jumps;
    uint8_t *slow[MAX_SLOW_JUMPS]; /* displacement fields of the jumps to the slow path in C */
};

#define AT_CUT(field) x86_at(offsetof(struct core, model_area) + m->frame + offsetof(struct memsys_refill_path, field))

static bool is_fetch(const struct generator *m)
{
    return m->access == MEMSYS_FETCH;
}

static bool is_write(const struct generator *m)
{
    return m->access == MEMSYS_WRITE;
}

static void slow_path_if(struct generator *m, enum x86_condition condition)
{
    m->slow[m->jumps++] = x86_jcc(m->x, condition);
}

static void and_imm(struct x86 *x, int reg, uint32_t mask)
{
    x86_alu_imm(x, X86_AND, x86_reg(reg), mask);
}

static void shift_right(struct x86 *x, int reg, unsigned count)
{
    if (count > 0)
        x86_shift_imm(x, X86_SHR, x86_reg(reg), count);
}

static void restore(struct x86 *x)
{
    x86_pop(x, RDI);
    x86_pop(x, RSI);
}

/* Operand: entry of the flat table of KIND for the address. Changes SCRATCH. */
static struct x86_operand make_entry(struct generator *m, unsigned kind, int scratch)
{
    x86_mov(m->x, scratch, x86_reg(RCX));
    shift_right(m->x, scratch, PAGE_SHIFT);
    return x86_table(m->mode, kind, scratch);
}

/* Load the physical address into edx. */
static void make_physical(struct generator *m)
{
    struct x86 *x = m->x;
    if (is_fetch(m))
        return;
    x86_mov64(x, RDX, make_entry(m, is_write(m) ? VMAP_STORE : VMAP_LOAD, RDX));
    x86_test64(x, RDX, RDX);
    slow_path_if(m, X86_E);
    x86_alu(x, X86_ADD, RDX, x86_reg(RCX));
}

/* Compute rsi and edx. The address of a fetch is already the address of a line. */
static void make_set_and_line(struct generator *m)
{
    struct x86 *x = m->x;
    x86_mov(x, RSI, x86_reg(is_fetch(m) ? RCX : RDX));
    if (m->cut->line_shift >= WORDS_SHIFT)
        shift_right(x, RSI, m->cut->line_shift - WORDS_SHIFT);
    else /* lines of 4 bytes */
        x86_shift_imm(x, X86_SHL, x86_reg(RSI), WORDS_SHIFT - m->cut->line_shift);
    and_imm(x, RSI, m->cut->set_mask << WORDS_SHIFT);
    x86_alu64(x, X86_ADD, RSI, AT_CUT(l1_entry));
    if (is_fetch(m)) {
        x86_lea(x, RDX, x86_mem(RCX, CLEAN));
        return;
    }
    and_imm(x, RDX, ~((1u << m->cut->line_shift) - 1));
    x86_alu_imm(x, X86_OR, x86_reg(RDX), CLEAN);
}

/* Load the number of the least recently used way of a data set into edi. Which way holds a line is unpredictable, so no
 * branch depends on a way number. */
static void make_lru_way(struct generator *m)
{
    x86_mov64(m->x, RDI, x86_mem(RSI, (int32_t)m->cut->order));
    shift_right(m->x, RDI, 4);
}

/* Jump if the way in edi holds the line, with eax = MODIFIED or 0. Returns the displacement field. */
static uint8_t *jump_if_hit(struct generator *m)
{
    struct x86 *x = m->x;
    x86_mov(x, RAX, x86_indexed(RSI, RDI, 2, 0));
    x86_alu(x, X86_XOR, RAX, x86_reg(RDX));
    x86_test_imm(x, x86_reg(RAX), ~(uint32_t)MODIFIED);
    return x86_jcc(x, X86_E);
}

/* Load the address of the line's tag word in the second level into REG. */
static void make_l2_address(struct generator *m, int reg)
{
    enum { WORD_SHIFT = 2 };
    struct x86 *x = m->x;
    x86_mov(x, reg, x86_reg(RDX));
    shift_right(x, reg, m->cut->outer_shift - WORD_SHIFT);
    and_imm(x, reg, m->cut->outer_mask << WORD_SHIFT);
    x86_alu64(x, X86_ADD, reg, AT_CUT(l2_entry));
}

/* Store to a line whose tag word in the second level is at rdi: if the line is clean there, it becomes dirty, and its
 * directory entry becomes modified_entry. */
static void make_l2_dirty(struct generator *m)
{
    struct x86 *x = m->x;
    x86_test8_imm(x, x86_mem(RDI, 0), MODIFIED);
    uint8_t *owned = x86_jcc_short(x, X86_NE);
    x86_mov64(x, RAX, AT_CUT(directory));
    x86_test64(x, RAX, RAX);
    slow_path_if(m, X86_E);
    x86_alu_imm(x, X86_OR, x86_mem(RDI, 0), DIRTY);
    x86_mov(x, RDI, x86_reg(RDX));
    shift_right(x, RDI, m->cut->chunk_shift);
    x86_mov64(x, RAX, x86_indexed(RAX, RDI, 3, 0));
    x86_mov(x, RDI, x86_reg(RDX));
    and_imm(x, RDI, (1u << m->cut->chunk_shift) - 1);
    shift_right(x, RDI, m->cut->outer_shift);
    x86_store_imm(x, x86_indexed(RAX, RDI, 2, 0), m->cut->modified_entry);
    x86_patch_short(owned, x->at);
}

/* Look the line up in the second level. Returns the displacement field of the jump taken on a miss. Preserves edi
 * unless the access is a store. */
static uint8_t *make_l2_lookup(struct generator *m)
{
    struct x86 *x = m->x;
    const uint32_t inside = (1u << m->cut->outer_shift) - (1u << m->cut->line_shift);
    const int word = is_write(m) ? RDI : RAX;
    make_l2_address(m, word);
    x86_mov(x, RAX, x86_mem(word, 0));
    x86_alu(x, X86_XOR, RAX, x86_reg(RDX));
    x86_test_imm(x, x86_reg(RAX), ~(inside | MODIFIED));
    uint8_t *misses = x86_jcc(x, X86_NE);
    if (is_write(m))
        make_l2_dirty(m);
    return misses;
}

/* Select the least recently used way as the victim, into edi, and make it the most recently used. For instruction lines
 * the most recently used way is in core_mru_fetch(). For data, edi may already hold the number of the other way. */
static void make_victim(struct generator *m, bool other_in_edi)
{
    struct x86 *x = m->x;
    if (is_fetch(m)) {
        const struct x86_operand last = x86_indexed(RBP, RAX, 0, (int32_t)CORE_MRU_FETCH_OFFSET - CORE_BIAS);
        x86_mov(x, RAX, x86_reg(RCX));
        shift_right(x, RAX, m->cut->line_shift);
        and_imm(x, RAX, m->cut->set_mask);
        x86_movzx8(x, RDI, last);
        x86_alu_imm(x, X86_XOR, x86_reg(RDI), PERMIT_WAY);
        x86_store8(x, last, RDI);
        shift_right(x, RDI, 4);
        return;
    }
    if (other_in_edi)
        x86_alu_imm(x, X86_XOR, x86_reg(RDI), 1);
    else
        make_lru_way(m);
    x86_alu64_imm(x, X86_XOR, x86_mem(RSI, (int32_t)m->cut->order), 0x11);
}

/* Fill way edi with the line. The permission byte of an instruction line follows from its address: the evicted line's
 * byte is cleared. (If the way was empty, this clears the byte of the first line of memory, which only costs one extra
 * lookup.) */
static void make_tag_update(struct generator *m, bool counts)
{
    struct x86 *x = m->x;
    struct x86_operand word = x86_indexed(RSI, RDI, 2, 0);
    if (is_write(m))
        x86_alu_imm(x, X86_OR, x86_reg(RDX), DIRTY);
    x86_mov(x, RAX, word);
    x86_store(x, word, RDX);
    if (is_fetch(m)) {
        shift_right(x, RAX, m->cache->fetch_shift);
        x86_store8_imm(x, x86_permit(PERMIT_TABLE_CODE, RAX), PERMIT_NONE);
    } else {
        and_imm(x, RAX, MODIFIED);
        x86_alu64_store(x, X86_ADD, AT_FRAME(modified), RAX);
    }
    if (!counts)
        return;
    struct x86_operand misses = AT_FRAME(misses);
    misses.displacement += (int32_t)(sizeof(uint64_t) * m->access);
    x86_alu64_imm(x, X86_ADD, misses, 1);
}

/* Load the address of the line's permission byte into rdx and record it in the set. For data, first clear the byte
 * recorded there, and leave the line number of the address in eax. */
static void make_permission_slot(struct generator *m)
{
    struct x86 *x = m->x;
    struct x86_operand slot = x86_mem(RSI, (int32_t)m->cut->permission);
    if (is_fetch(m)) { /* a recorded address per line, not per set */
        x86_mov64(x, RAX, AT_CUT(l1_entry));
        x86_alu64(x, X86_SUB, RSI, x86_reg(RAX));
        x86_lea64(x, RSI, x86_indexed(RAX, RSI, 1, 0));
        slot = x86_indexed(RSI, RDI, 3, (int32_t)m->cut->permission);
    } else {
        x86_mov64(x, RDX, slot);
        x86_store8_imm(x, x86_mem(RDX, 0), PERMIT_NONE);
    }
    x86_mov(x, RAX, x86_reg(RCX));
    shift_right(x, RAX, is_fetch(m) ? m->cache->fetch_shift : m->cache->data_shift);
    x86_lea64(x, RDX, x86_permit(is_fetch(m) ? PERMIT_TABLE_CODE : m->mode, RAX));
    x86_store64(x, slot, RDX);
}

/* Return; if condition LATE holds (no cycles left, or a line was lost), return to the rest of the cold code instead
 * (x86_stubs.c). */
static void make_return(struct generator *m, enum x86_condition late)
{
    struct x86 *x = m->x;
    uint8_t *is_late = x86_jcc_short(x, late);
    x86_ret(x);
    x86_patch_short(is_late, x->at);
    if (!is_fetch(m))
        x86_store8_imm(x, AT_FRAME(timed), 1);
    host_return_behind(x);
}

/* Fill the line into the first level. */
static void make_l1_fill(struct generator *m, bool counts, bool other_in_edi)
{
    struct x86 *x = m->x;
    make_victim(m, other_in_edi);
    make_tag_update(m, counts);
    make_permission_slot(m);
    if (is_fetch(m)) {
        x86_shift_imm(x, X86_SHL, x86_reg(RDI), 4);
        x86_alu_imm(x, X86_OR, x86_reg(RDI), PERMIT_READ);
        x86_store8(x, x86_mem(RDX, 0), RDI);
    } else {
        x86_store8_imm(x, x86_mem(RDX, 0), is_write(m) ? PERMIT_READ_STORE : PERMIT_READ);
    }
    restore(x);
}

static void make_l2_hit(struct generator *m)
{
    make_l1_fill(m, true, !is_write(m));
    x86_alu64_imm(m->x, X86_SUB, x86_reg(BUDGET), (int32_t)m->cut->l2_hit_time);
    make_return(m, X86_S);
}

static const int saved_registers[] = {RSI, RCX, RDX, R8, R9, R10, R11};
enum {
    SAVED_REGISTERS = sizeof saved_registers / sizeof saved_registers[0]
}; /* odd, so that the stack is aligned to 16 bytes */

/* Miss in the second level: replace a line there, in C. */
static void make_l2_replacement(struct generator *m)
{
    struct x86 *x = m->x;
    for (int i = 0; i < SAVED_REGISTERS; i++)
        x86_push(x, saved_registers[i]);
    x86_store8_imm(x, x86_at(CORE_MRU_FETCH_OFFSET + MEMSYS_WITHDRAWN), 0);
    x86_mov64(x, RDI, AT_CUT(memsys));
    x86_mov(x, RSI, x86_reg(RDX));
    memsys_refill_miss *function = memsys_refill_miss_function(m->cut->memsys, m->access);
    x86_mov_imm64(x, RAX, (uint64_t)(uintptr_t)function);
    x86_call_reg(x, RAX);
    for (int i = SAVED_REGISTERS; i-- > 0;)
        x86_pop(x, saved_registers[i]);
    struct x86_operand misses = AT_FRAME(outer_misses);
    misses.displacement += (int32_t)(sizeof(uint64_t) * m->access);
    x86_alu64_imm(x, X86_ADD, misses, 1);
    x86_alu64_imm(x, X86_SUB, x86_reg(BUDGET), (int32_t)m->cut->miss_time);
}

/* Miss in both levels. If the replacement invalidated instruction lines by back-invalidation, data accesses take the
 * slow path, which handles that. */
static void make_l2_miss(struct generator *m)
{
    struct x86 *x = m->x;
    x86_alu64_imm(x, X86_CMP, AT_CUT(directory), 0);
    slow_path_if(m, X86_E);
    make_l2_replacement(m);
    make_l1_fill(m, false, false);
    if (is_fetch(m)) {
        x86_test64(x, BUDGET, BUDGET);
        make_return(m, X86_S);
        return;
    }
    x86_mov64(x, RDX, x86_reg(BUDGET));
    x86_shift64_imm(x, X86_SHR, x86_reg(RDX), 63);
    x86_alu8(x, X86_OR, RDX, x86_at(CORE_MRU_FETCH_OFFSET + MEMSYS_WITHDRAWN));
    make_return(m, X86_NE);
}

enum age { OLDEST, NEWEST };

static void make_way(struct generator *m, enum age age)
{
    make_lru_way(m);
    if (age == NEWEST)
        x86_alu_imm(m->x, X86_XOR, x86_reg(RDI), 1);
}

/* A store that hits, with eax = MODIFIED or 0. */
static void make_store_hit(struct generator *m, enum age age)
{
    struct x86 *x = m->x;
    x86_test(x, RAX, RAX);
    uint8_t *dirty = x86_jcc_short(x, X86_NE);
    make_l2_address(m, RDI);
    make_l2_dirty(m);
    make_way(m, age);
    x86_alu_imm(x, X86_OR, x86_indexed(RSI, RDI, 2, 0), DIRTY);
    x86_patch_short(dirty, x->at);
}

/* Permission for a line after a read, with eax = MODIFIED or 0: into edi. */
static void make_permission(struct generator *m)
{
    struct x86 *x = m->x;
    x86_alu64_imm(x, X86_CMP, make_entry(m, VMAP_STORE, RDI), 1);
    x86_alu(x, X86_SBB, RDI, x86_reg(RDI)); /* 0 if stores are allowed, otherwise -1 */
    x86_lea(x, RDI, x86_indexed(RDI, RDI, 0, PERMIT_READ_STORE));
    x86_lea(x, RAX, x86_mem(RAX, CLEAN));
    x86_alu(x, X86_AND, RDI, x86_reg(RAX));
}

/* Data access that hits in the set, with eax = MODIFIED or 0. */
static void make_hit(struct generator *m, enum age age)
{
    struct x86 *x = m->x;
    if (is_write(m))
        make_store_hit(m, age);
    else
        make_permission(m);
    if (age == OLDEST)
        x86_alu64_imm(x, X86_XOR, x86_mem(RSI, (int32_t)m->cut->order), 0x11);
    make_permission_slot(m);
    if (is_write(m))
        x86_store8_imm(x, x86_mem(RDX, 0), PERMIT_READ_STORE);
    else
        x86_store8(x, x86_mem(RDX, 0), RDI);
    restore(x);
    x86_ret(x);
}

/* The line is not in the first level. */
static void make_l1_miss(struct generator *m)
{
    uint8_t *misses = make_l2_lookup(m);
    make_l2_hit(m);
    x86_patch(misses, m->x->at);
    make_l2_miss(m);
}

/* Instruction lines are always clean. If the set does hold the line, this is an exceptional case (both lines of a set
 * have permission bytes): take the slow path. */
static void make_fetch(struct generator *m)
{
    for (int way = 0; way < 2; way++) {
        x86_alu_store(m->x, X86_CMP, x86_mem(RSI, way * (int)sizeof(uint32_t)), RDX);
        slow_path_if(m, X86_E);
    }
    make_l1_miss(m);
}

/* A line that is stored to has often just been read, and is clean, so stores try the most recently used way first. */
static void make_data(struct generator *m)
{
    struct x86 *x = m->x;
    const enum age first = is_write(m) ? NEWEST : OLDEST, second = is_write(m) ? OLDEST : NEWEST;
    make_way(m, first);
    uint8_t *hits_first = jump_if_hit(m);
    x86_alu_imm(x, X86_XOR, x86_reg(RDI), 1);
    uint8_t *hits_second = jump_if_hit(m);
    make_l1_miss(m);
    x86_patch(hits_first, x->at);
    make_hit(m, first);
    x86_patch(hits_second, x->at);
    make_hit(m, second);
}

static void make(struct generator *m)
{
    struct x86 *x = m->x;
    x86_push(x, RSI);
    x86_push(x, RDI);
    x86_mov64(x, RDX, AT_CUT(enabled));
    x86_cmp8_imm(x, x86_mem(RDX, 0), 0);
    slow_path_if(m, X86_E);
    make_physical(m);
    make_set_and_line(m);
    if (is_fetch(m))
        make_fetch(m);
    else
        make_data(m);
    for (unsigned i = 0; i < m->jumps; i++)
        x86_patch(m->slow[i], x->at);
    restore(x);
}

void host_make_inline_miss(const struct code_cache *cache, struct x86 *x, enum translate_stub which)
{
    struct generator m = {.x = x,
                          .cache = cache,
                          .cut = &cache->data_miss_path,
                          .frame = offsetof(struct translate_frame, data_miss_path)};
    if (which == STUB_FETCH) {
        m.cut = &cache->fetch_miss_path;
        m.frame = offsetof(struct translate_frame, fetch_miss_path);
        m.access = MEMSYS_FETCH;
    } else {
        m.access = which < STUB_WRITE_LINE ? MEMSYS_READ : MEMSYS_WRITE;
        m.mode = which - (m.access == MEMSYS_READ ? STUB_READ_LINE : STUB_WRITE_LINE);
    }
    if (m.cut->enabled != NULL)
        make(&m);
}
