#include "annotations/services/lock_code.h"

enum {
    OP_SPECIAL = 0,
    OP_J = 2,
    OP_JAL = 3,
    OP_ADDIU = 9,
    OP_SB = 0x28,
    OP_LL = 0x30,
    OP_SC = 0x38,
    READER = 512,
    FIRST_STORE = 0x28,
    LAST_STORE = 0x2e,
    INSN_JR_RA = 0x03e00008,
    JR_HAZARD_BARRIER = 0x400,
    WRITER_STORE_MAX = 4 /* distance of the store from the barrier, in instructions */
};

static unsigned op_of(uint32_t insn)
{
    return insn >> 26;
}

bool lock_code_is_exit(uint32_t insn, vaddr address, vaddr first, vaddr end, vaddr *target)
{
    *target = 0;
    if ((insn & ~(uint32_t)JR_HAZARD_BARRIER) == INSN_JR_RA)
        return true;
    if (op_of(insn) != OP_J)
        return false;
    *target = ((address + 4) & 0xf0000000) | (insn & 0x03ffffff) << 2;
    return *target < first || *target >= end;
}

static bool is_sync(uint32_t insn)
{
    return (insn & ~(uint32_t)(0x1f << 6)) == INSN_SYNC;
}

static bool is_branch(uint32_t insn)
{
    unsigned op = op_of(insn), function = insn & 0x3f;
    if (op == OP_SPECIAL)
        return function == 8 || function == 9;
    return (op >= 1 && op <= 7) || (op >= 20 && op <= 23);
}

/* True if INSN may write REG. Conservative: any instruction except a store with REG in a possible result field. */
static bool may_write(uint32_t insn, unsigned reg)
{
    unsigned op = op_of(insn);
    if (op >= FIRST_STORE && op <= LAST_STORE)
        return false;
    return (insn >> 16 & 31) == reg || (op == OP_SPECIAL && (insn >> 11 & 31) == reg);
}

bool lock_code_is_call(uint32_t insn, vaddr address, vaddr *target)
{
    *target = ((address + 4) & 0xf0000000) | (insn & 0x03ffffff) << 2;
    return op_of(insn) == OP_JAL;
}

bool lock_code_is_barrier(const uint32_t code[3])
{
    return is_sync(code[0]) && code[1] == INSN_JR_RA && code[2] == 0;
}

static unsigned find_sync(const uint32_t *code, unsigned from, unsigned count)
{
    while (from < count && !is_sync(code[from]))
        from++;
    return from;
}

bool lock_code_find_release(const uint32_t *code, unsigned count, vaddr address, struct lock_release *release)
{
    if (count > LOCK_RELEASE_INSNS)
        count = LOCK_RELEASE_INSNS;
    if (count < 3 || !is_sync(code[0]))
        return false;
    unsigned store = find_sync(code, 1, count) + 1;
    while (store < count && (op_of(code[store]) != OP_SB || (code[store] >> 16 & 31) != 0))
        store++;
    if (store >= count)
        return false;
    *release = (struct lock_release){.begin = address,
                                     .end = address + 4 * (store + 1),
                                     .base = (uint8_t)(code[store] >> 21 & 31),
                                     .offset = (int16_t)(code[store] & 0xffff)};
    bool straight = true;
    for (unsigned i = 1; i < store; i++)
        if (is_branch(code[i]) || may_write(code[i], release->base))
            straight = false;
    if (straight)
        return true;
    /* Only the store is hooked. If it is in the delay slot of a branch, which must not be hooked, the branch is. */
    release->end = 0;
    release->begin = address + 4 * (is_branch(code[store - 1]) ? store - 1 : store);
    return true;
}

static unsigned base_of(uint32_t insn)
{
    return insn >> 21 & 31;
}

static unsigned register_of(uint32_t insn)
{
    return insn >> 16 & 31;
}

static bool is_reader_release(const uint32_t code[3])
{
    return op_of(code[0]) == OP_LL && op_of(code[1]) == OP_ADDIU && op_of(code[2]) == OP_SC &&
           (int16_t)(code[1] & 0xffff) == -READER && base_of(code[1]) == register_of(code[0]) &&
           register_of(code[2]) == register_of(code[1]) && base_of(code[2]) == base_of(code[0]) &&
           (code[2] & 0xffff) == (code[0] & 0xffff) && register_of(code[0]) != base_of(code[0]);
}

static bool is_store_of_zero(uint32_t insn)
{
    return op_of(insn) == OP_SB && register_of(insn) == 0;
}

/* Index of the `sb $zero` of a writer's release, which begins with a barrier; 0: none. Between them the address may be
 * computed, and the return may be the instruction before the store. */
static unsigned find_writer_store(const uint32_t *code, unsigned count)
{
    if (count == 0 || !is_sync(code[0]))
        return 0;
    for (unsigned i = 1; i < count && i <= WRITER_STORE_MAX && !is_sync(code[i]); i++) {
        if (is_store_of_zero(code[i]))
            return i;
        if (is_branch(code[i]) && (i + 1 == count || !is_store_of_zero(code[i + 1])))
            return 0;
    }
    return 0;
}

bool lock_code_find_shared_release(const uint32_t *code, unsigned count, vaddr address, struct lock_release *release,
                                   bool *writer)
{
    const bool reader = count >= 3 && is_reader_release(code);
    const unsigned store = find_writer_store(code, count);
    *writer = store > 0;
    if (!reader && !*writer)
        return false;
    const uint32_t access = reader ? code[0] : code[store];
    unsigned begin = 0;
    if (store > 1) /* the address may be computed behind the barrier; a delay slot cannot be hooked */
        begin = is_branch(code[store - 1]) ? store - 1 : store;
    *release = (struct lock_release){
        .begin = address + 4 * begin, .base = (uint8_t)base_of(access), .offset = (int16_t)(access & 0xffff)};
    return true;
}
