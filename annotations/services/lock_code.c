#include "annotations/services/lock_code.h"

enum {
    READER = 512,
    WRITER_STORE_MAX = 4 /* distance of the store from the barrier, in instructions */
};

static const struct isa_row *row_of(const struct isa_decoded *insn)
{
    return &isa_table[insn->id];
}

static struct isa_control control_of(const struct isa_decoded *insn, vaddr address)
{
    return isa_control((enum isa_id)insn->id, &insn->insn, address);
}

static bool is_barrier(const struct isa_decoded *insn)
{
    return row_of(insn)->flags & INSN_BARRIER;
}

static bool is_branch(const struct isa_decoded *insn)
{
    return row_of(insn)->flags & INSN_DELAY_SLOT;
}

static bool is_store_of_zero(const struct isa_decoded *insn)
{
    return row_of(insn)->flags & INSN_STORE && row_of(insn)->bytes == 1 && insn->insn.rt == 0;
}

bool lock_code_is_exit(const struct isa_decoded *insn, vaddr address, vaddr first, vaddr end, vaddr *target)
{
    const struct isa_control control = control_of(insn, address);
    *target = control.target;
    return control.returns ||
           (control.flow == FLOW_JUMP && !control.links && (control.target < first || control.target >= end));
}

bool lock_code_is_call(const struct isa_decoded *insn, vaddr address, vaddr *target)
{
    const struct isa_control control = control_of(insn, address);
    *target = control.target;
    return control.flow == FLOW_JUMP && control.calls;
}

bool lock_code_is_barrier(const struct isa_decoded code[3])
{
    return is_barrier(&code[0]) && control_of(&code[1], 0).returns &&
           isa_is_nop((enum isa_id)code[2].id, &code[2].insn);
}

static unsigned find_barrier(const struct isa_decoded *code, unsigned from, unsigned count)
{
    while (from < count && !is_barrier(&code[from]))
        from++;
    return from;
}

bool lock_code_find_release(const struct isa_decoded *code, unsigned count, vaddr address, struct lock_release *release)
{
    if (count > LOCK_RELEASE_INSNS)
        count = LOCK_RELEASE_INSNS;
    if (count < 3 || !is_barrier(&code[0]))
        return false;
    unsigned store = find_barrier(code, 1, count) + 1;
    while (store < count && !is_store_of_zero(&code[store]))
        store++;
    if (store >= count)
        return false;
    *release = (struct lock_release){.begin = address,
                                     .end = address + 4 * (store + 1),
                                     .base = code[store].insn.rs,
                                     .offset = (int16_t)code[store].insn.imm};
    bool straight = true;
    for (unsigned i = 1; i < store; i++)
        if (is_branch(&code[i]) || isa_writes((enum isa_id)code[i].id, &code[i].insn, release->base))
            straight = false;
    if (straight)
        return true;
    /* Only the store is hooked. If it is in the delay slot of a branch, which must not be hooked, the branch is. */
    release->end = 0;
    release->begin = address + 4 * (is_branch(&code[store - 1]) ? store - 1 : store);
    return true;
}

static bool is_reader_release(const struct isa_decoded code[3])
{
    const struct insn *load = &code[0].insn, *add = &code[1].insn, *store = &code[2].insn;
    return row_of(&code[0])->flags & INSN_LOAD && row_of(&code[0])->defines & OPERAND_LL &&
           row_of(&code[1])->flags & INSN_ADDS && row_of(&code[2])->flags & INSN_STORE &&
           row_of(&code[2])->uses & OPERAND_LL && add->imm == -READER && add->rs == load->rt && store->sa == add->rt &&
           store->rs == load->rs && store->imm == load->imm && load->rt != load->rs;
}

/* Index of the `sb $zero` of a writer's release, which begins with a barrier; 0: none. Between them the address may be
 * computed, and the return may be the instruction before the store. */
static unsigned find_writer_store(const struct isa_decoded *code, unsigned count)
{
    if (count == 0 || !is_barrier(&code[0]))
        return 0;
    for (unsigned i = 1; i < count && i <= WRITER_STORE_MAX && !is_barrier(&code[i]); i++) {
        if (is_store_of_zero(&code[i]))
            return i;
        if (is_branch(&code[i]) && (i + 1 == count || !is_store_of_zero(&code[i + 1])))
            return 0;
    }
    return 0;
}

bool lock_code_find_shared_release(const struct isa_decoded *code, unsigned count, vaddr address,
                                   struct lock_release *release, bool *writer)
{
    const bool reader = count >= 3 && is_reader_release(code);
    const unsigned store = find_writer_store(code, count);
    *writer = store > 0;
    if (!reader && !*writer)
        return false;
    const struct insn *access = &code[reader ? 0 : store].insn;
    unsigned begin = 0;
    if (store > 1) /* the address may be computed behind the barrier; a delay slot cannot be hooked */
        begin = is_branch(&code[store - 1]) ? store - 1 : store;
    *release = (struct lock_release){.begin = address + 4 * begin, .base = access->rs, .offset = (int16_t)access->imm};
    return true;
}
