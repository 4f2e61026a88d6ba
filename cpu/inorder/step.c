/*
 * The interpreter: one instruction at a time, generated from isa.def. It also handles what the translator cannot (the
 * end of a run in the middle of a block, hooks, uncached code, branches that end a page).
 *
 * Order of actions for an instruction: its cycle is charged; its line is fetched unless the previous instruction did
 * so; its hooks are called; it executes.
 */
#include "cpu/inorder/inorder.h"
#include "cpu/observe/executions.h"
#include "cpu/isa/values.h"
#include "cpu/privileged/load_delay.h"
#include "cpu/privileged/vmap.h"
#include "cpu/privileged/watch_registers.h"
#include "cpu/privileged/semantics.h"

/* An instruction being executed, and how it transfers control. */
struct step {
    struct inorder *in;
    struct core *core;
    const struct insn *insn;
    vaddr pc;
    paddr address; /* its physical address */
    bool in_delay_slot;
    vaddr slot; /* of a branch: the delay slot. From there its offset counts; behind it is the link */
    enum { STEP_ON, STEP_BRANCH, STEP_ANNUL, STEP_RETURN } control;
    vaddr target; /* for STEP_BRANCH and STEP_RETURN */
};

static void prefetch_line(struct inorder *in, const struct insn *insn, bool indexed)
{
    const cycles stall = inorder_prefetch(in, insn, indexed, (cycles)((int64_t)in->end - in->budget));
    in->stalls += stall;
    in->budget -= (int64_t)stall;
}

#define BRANCH(condition)                                                                                              \
    do {                                                                                                               \
        s->target = s->slot + ((condition) ? IMM : 4);                                                                 \
        s->control = STEP_BRANCH;                                                                                      \
    } while (0)
#define BRANCH_LIKELY(condition)                                                                                       \
    do {                                                                                                               \
        if (condition)                                                                                                 \
            BRANCH(1);                                                                                                 \
        else                                                                                                           \
            s->control = STEP_ANNUL;                                                                                   \
    } while (0)
#define JUMP(address)                                                                                                  \
    do {                                                                                                               \
        s->target = (address);                                                                                         \
        s->control = STEP_BRANCH;                                                                                      \
    } while (0)
#define JUMP_TARGET isa_jump_target(s->slot - 4, IMM)
#define LINK        (s->slot + 4)
#define RAISED(call)                                                                                                   \
    do {                                                                                                               \
        if (call)                                                                                                      \
            return 1;                                                                                                  \
    } while (0)
#define CALL(function) RAISED(function(core, s->insn))
#define TRAP_IF(condition, code)                                                                                       \
    do {                                                                                                               \
        if (condition)                                                                                                 \
            return core_raise(core, code);                                                                             \
    } while (0)
#define RETURN_FROM_EXCEPTION                                                                                          \
    do {                                                                                                               \
        RAISED(sem_eret(core, &s->target));                                                                            \
        s->control = STEP_RETURN;                                                                                      \
    } while (0)
#define CACHE_OPERATION  RAISED(inorder_cache_operation(s->in, s->insn))
#define SYNCHRONIZE_CODE RAISED(inorder_synci(s->in, s->insn))
#define PREFETCH_LINE    prefetch_line(s->in, s->insn, false)
#define PREFETCH_INDEXED prefetch_line(s->in, s->insn, true)

#define GPR(n)       (core->s.gpr[n])
#define READ_S       GPR(s->insn->rs)
#define READ_T       GPR(s->insn->rt)
#define READ_D       GPR(s->insn->rd)
#define READ_STORED  GPR(s->insn->sa)
#define READ_HI      (core->s.hi)
#define READ_LO      (core->s.lo)
#define WRITE_T(v)   (GPR(s->insn->rt) = (v))
#define WRITE_D(v)   (GPR(s->insn->rd) = (v))
#define WRITE_31(v)  (GPR(31) = (v))
#define WRITE_HI(v)  (core->s.hi = (v))
#define WRITE_LO(v)  (core->s.lo = (v))
#define IMM          ((uint32_t)s->insn->imm)
#define SHIFT_AMOUNT (s->insn->sa)

#define NEED_FPU                                                                                                       \
    do {                                                                                                               \
        if (!fpu_usable(core))                                                                                         \
            return core_raise_coprocessor(core, 1);                                                                    \
    } while (0)
#define READ_FT_WORD       (core->s.fpr[s->insn->rt][0])
#define READ_FS_WORD       (core->s.fpr[s->insn->rd][0])
#define WRITE_FT_WORD(v)   (core->s.fpr[s->insn->rt][0] = (v))
#define WRITE_FS_WORD(v)   (core->s.fpr[s->insn->rd][0] = (v))
#define WRITE_FD_WORD(v)   (core->s.fpr[s->insn->sa][0] = (v))
#define READ_FT_DOUBLE     fpu_read_double(&core->s, s->insn->rt)
#define READ_FS_DOUBLE     fpu_read_double(&core->s, s->insn->rd)
#define WRITE_FT_DOUBLE(v) fpu_write_double(&core->s, s->insn->rt, v)
#define WRITE_FD_DOUBLE(v) fpu_write_double(&core->s, s->insn->sa, v)
#define READ_FCC           fpu_condition(&core->s, (unsigned)s->insn->imm)
#define READ_FCC_BRANCH    fpu_condition(&core->s, s->insn->rt >> 2)

#define COUNTED_LOAD(type, name, call)                                                                                 \
    type name;                                                                                                         \
    core->counts.loads++;                                                                                              \
    RAISED(call)
#define LOAD(type, name, address)                                                                                      \
    COUNTED_LOAD(uint32_t, name, inorder_load(s->in, address, sizeof(TYPE_##type), &name));                            \
    name = (uint32_t)(TYPE_##type)name
#define LOAD64(name, address)         COUNTED_LOAD(uint64_t, name, inorder_load_double(s->in, address, &name))
#define LOAD_UNALIGNED(name, address) COUNTED_LOAD(uint32_t, name, inorder_load_unaligned(s->in, address, &name))
#define LOAD_LINKED(name, address)    COUNTED_LOAD(uint32_t, name, inorder_load_linked(s->in, address, &name))
#define COUNTED_STORE(call)                                                                                            \
    do {                                                                                                               \
        core->counts.stores++;                                                                                         \
        RAISED(call);                                                                                                  \
    } while (0)
#define STORE(type, address, v)        COUNTED_STORE(inorder_store(s->in, address, sizeof(TYPE_##type), v))
#define STORE64(address, v)            COUNTED_STORE(inorder_store_double(s->in, address, v))
#define STORE_MERGED(address, v, bits) COUNTED_STORE(inorder_store_merged(s->in, address, v, bits))
#define STORE_CONDITIONAL(name, address, v)                                                                            \
    uint32_t name;                                                                                                     \
    COUNTED_STORE(inorder_store_conditional(s->in, address, v, &name))

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    static int do_##id(struct step *s)                                                                                 \
    {                                                                                                                  \
        struct core *core = s->core;                                                                                   \
        (void)core;                                                                                                    \
        __VA_ARGS__                                                                                                    \
        return 0;                                                                                                      \
    }
#include "cpu/isa/isa.def"
#undef ISA

static int (*const step_functions[ISA_COUNT])(struct step *) = {
#define ISA(id, ...) do_##id,
#include "cpu/isa/isa.def"
#undef ISA
};

/* Set the next pc. SEQUENTIAL: it follows the previous instruction, at physical ADDRESS, perhaps in the same line (if
 * it begins a page, its own address is another one, but at the beginning of a page too). Without caches no line is
 * recorded, because a record of interpreted instructions must not appear in a checkpoint. */
static void set_pc(struct inorder *in, vaddr pc, bool sequential, paddr address)
{
    struct core *core = in->core;
    core->s.pc = pc;
    const bool in_line = sequential && !layout_starts_line(in->layout, address + 4, in->fetch_line);
    core->resume.fetched_pc = in->memsys && in_line ? pc : CORE_NO_PC;
}

/* Interlocks */

static void wait_cycles(struct inorder *in, enum interlock cause, cycles duration)
{
    in->budget -= (int64_t)duration;
    in->stalls += duration;
    in->core->bucket->interlock[cause] += duration;
}

void inorder_pay_entry(struct inorder *in, enum interlock cause)
{
    const cycles duration = cause == INTERLOCK_ENTRY ? in->costs.exception : in->costs.eret;
    if (duration == 0)
        return;
    wait_cycles(in, cause, duration);
    in->entry_cycles[cause - INTERLOCK_RARE] += duration;
    if (SIM_UNLIKELY(in->core->probe != NULL) && in->probed == NULL)
        inorder_probe_interrupt(in, duration);
}

/* Issue INSN, whose cycle has been charged: wait for what it uses. */
static void issue(struct inorder *in, enum isa_id id, const struct insn *insn)
{
    struct core *core = in->core;
    struct interlock_uses uses;
    cycles now = (cycles)((int64_t)in->end - in->budget) - 1;
    interlock_find(&in->costs, id, insn, core->s.cp0[CP0_STATUS] & STATUS_FR, &uses);
    for (unsigned i = 0; i < uses.waits; i++) {
        const cycles ready = core->ready[uses.wait[i]];
        if (ready > now) {
            wait_cycles(in, interlock_of(uses.wait[i]), ready - now);
            now = ready;
        }
    }
    for (unsigned i = 0; i < uses.sets; i++)
        core->ready[uses.set[i].resource] = now + uses.set[i].cost;
}

/* Has a branch in a delay slot the effect of MIPS I's pipeline? */
static bool branches_in_slots(const struct core *core)
{
    return core->architecture->level == LEVEL_1;
}

static void finish(struct step *s)
{
    struct cpu *cpu = &s->core->s;
    bool to_delay_slot = s->control == STEP_BRANCH && !s->in_delay_slot;
    if (SIM_UNLIKELY(s->control == STEP_BRANCH && s->in_delay_slot && branches_in_slots(s->core))) {
        /* the first instruction at the target of the first branch is the delay slot of this one */
        const vaddr slot = cpu->branch_target;
        cpu->branch_target = s->target;
        set_pc(s->in, slot, false, 0);
        return;
    }
    cpu->in_delay_slot = to_delay_slot;
    if (to_delay_slot) {
        cpu->branch_target = s->target;
        set_pc(s->in, s->pc + 4, true, s->address);
    } else if (s->control == STEP_ON && !s->in_delay_slot) {
        set_pc(s->in, s->pc + 4, true, s->address);
    } else if (s->control == STEP_ON) {
        if (SIM_UNLIKELY(s->in->has_costs) && cpu->branch_target != s->pc + 4)
            wait_cycles(s->in, INTERLOCK_BRANCH, s->in->costs.taken_delay);
        set_pc(s->in, cpu->branch_target, false, 0);
    } else {
        /* a branch in a delay slot is UNPREDICTABLE since MIPS II: it takes effect at once */
        set_pc(s->in, s->control == STEP_ANNUL ? s->pc + 8 : s->target, false, 0);
    }
}

/* Call the hooks at PC; the instruction's cycle has already been charged. True: they stop the run. */
static bool run_hooks(struct inorder *in, vaddr pc, paddr line)
{
    struct core *core = in->core;
    struct core_resume *resume = &core->resume;
    if (!core_hook_present(core, pc))
        return false;
    if (!resume->hook_stopped || resume->hook_pc != pc) {
        in->budget++;
        inorder_sync(in);
        if (core_hook_run(core, pc)) {
            *resume = (struct core_resume){.hook_stopped = true, .hook_pc = pc, .fetched_pc = pc, .fetched_line = line};
            core->stop = true;
            return true;
        }
        in->budget--;
    }
    inorder_take_hook_cycles(in, core_hook_duration(core, pc));
    return false;
}

static enum inorder_step raise(struct inorder *in, vaddr pc)
{
    in->core->resume.fetched_pc = CORE_NO_PC;
    exception_enter(in->core, pc, in->core->s.in_delay_slot);
    if (SIM_UNLIKELY(in->has_costs))
        inorder_pay_entry(in, INTERLOCK_ENTRY);
    return in->core->attention ? INORDER_LEAVE : INORDER_JUMPED;
}

/* step_functions[ID] with load delay (load_delay.h). */
static int step_delayed(struct step *s, enum isa_id id, paddr frame)
{
    struct cpu *cpu = &s->core->s;
    const vaddr next = s->in_delay_slot ? cpu->branch_target : s->pc + 4;
    const uint32_t *words = (const uint32_t *)physmem_host(s->core->mem, frame);
    const unsigned arriving = cpu->delayed_register;
    const unsigned result = load_delay_result(s->core, id, s->insn, s->pc, next, words);
    const uint32_t value = cpu->delayed_value;
    if (SIM_LIKELY(arriving == 0 && result == 0))
        return step_functions[id](s);
    const uint32_t old = *load_delay_word(cpu, result);
    if (arriving != 0 && isa_table[id].flags & INSN_MERGES && isa_writes(id, s->insn, arriving))
        *load_delay_word(cpu, arriving) = value;
    if (step_functions[id](s))
        return 1; /* the exception lets what is arriving arrive */
    cpu->delayed_register = 0;
    cpu->delayed_value = 0;
    if (arriving != 0 && !isa_writes(id, s->insn, arriving))
        *load_delay_word(cpu, arriving) = value;
    if (result != 0) {
        uint32_t *word = load_delay_word(cpu, result);
        cpu->delayed_register = (uint8_t)result;
        cpu->delayed_value = *word;
        *word = old;
    }
    return 0;
}

/* Execute INSN, which is at PC, physically at ADDRESS, and was fetched with LINE. */
static enum inorder_step execute(struct inorder *in, vaddr pc, paddr address, paddr line, enum isa_id id,
                                 const struct insn *insn)
{
    struct core *core = in->core;
    const bool hooked = core->pc_hook_count != 0;
    struct step s = {
        .in = in, .core = core, .insn = insn, .pc = pc, .address = address, .in_delay_slot = core->s.in_delay_slot};
    s.slot = s.in_delay_slot && branches_in_slots(core) ? core->s.branch_target : pc + 4;
    if (SIM_UNLIKELY(in->has_costs))
        issue(in, id, insn);
    if (SIM_UNLIKELY(core->has_load_delay) ? step_delayed(&s, id, address & ~(paddr)(PAGE_SIZE - 1))
                                           : step_functions[id](&s))
        return raise(in, pc);
    finish(&s);
    if (SIM_UNLIKELY(core->executions != NULL))
        executions_transfer(core, pc, id, s.in_delay_slot);
    core->resume.fetched_line = line;
    if (s.control == STEP_RETURN && SIM_UNLIKELY(in->has_costs))
        inorder_pay_entry(in, INTERLOCK_RETURN);
    if (s.control == STEP_RETURN)
        return core->attention || interrupt_pending(core) ? INORDER_LEAVE : INORDER_JUMPED;
    /* instructions that may have left the fast path, and hooks, may have requested attention */
    bool slow = hooked || isa_table[id].flags & (INSN_CONTEXT | INSN_LOAD | INSN_STORE);
    if (slow && core->attention)
        return INORDER_LEAVE;
    return s.control == STEP_ANNUL || s.in_delay_slot ? INORDER_JUMPED : INORDER_NEXT;
}

/* As inorder_translate_fetch(). The low half of a RAM page's host address is its physical address. */
static int find_code(struct inorder *in, vaddr pc, paddr *pa, bool *uncached)
{
    struct core *core = in->core;
    if (!in->maps_host_pages)
        return inorder_translate_fetch(in, pc, pa, uncached);
    const void *page = core->map->code[pc >> PAGE_SHIFT];
    *uncached = false;
    if (SIM_LIKELY(page != NULL && (pc & 3) == 0)) {
        *pa = (paddr)(uintptr_t)page | (pc & (PAGE_SIZE - 1));
        return 0;
    }
    if (inorder_translate_fetch(in, pc, pa, uncached))
        return 1;
    if (!*uncached)
        vmap_enter_code(core, pc, physmem_host(core->mem, *pa & ~(paddr)(PAGE_SIZE - 1)));
    return 0;
}

/* Interpret the instruction at PC, fetched from PA. */
static inline enum inorder_step step_at(struct inorder *in, vaddr pc, paddr pa, bool uncached, bool begun)
{
    struct core *core = in->core;
    const paddr line = inorder_code_line(in, pa);
    bool fetched = begun || (core->resume.fetched_pc == pc && core->resume.fetched_line == line);
    if (in->memsys != NULL && !uncached && !fetched)
        inorder_fetch_line(in, pc, line);
    core->resume.fetched_pc = CORE_NO_PC;
    if (core->pc_hook_count && run_hooks(in, pc, line))
        return INORDER_LEAVE;
    core->resume.hook_stopped = false;
    if (uncached)
        inorder_fetch_uncached(in, pc, pa);
    const uint32_t word = *(const uint32_t *)physmem_host(core->mem, pa);
    if (SIM_UNLIKELY(in->probed != NULL))
        inorder_probe_issue(in, pc, pa, word);
    /* a copy, because the execution may decode other instructions */
    const struct isa_decoded decoded = *isa_decode_cached(core->decoder, pa, word);
    if (SIM_UNLIKELY(core->executions != NULL) && (!begun || in->counts_begun))
        executions_insn(core, pc, (enum isa_id)decoded.id, &decoded.insn);
    return execute(in, pc, pa, line, (enum isa_id)decoded.id, &decoded.insn);
}

enum inorder_step inorder_step(struct inorder *in, bool begun)
{
    const vaddr pc = in->core->s.pc;
    paddr pa;
    bool uncached;
    if (!begun)
        in->budget--;
    if ((SIM_UNLIKELY(in->core->checked) && watch_registers_check(in->core, ACCESS_FETCH, pc)) ||
        find_code(in, pc, &pa, &uncached)) {
        if (SIM_UNLIKELY(in->core->executions != NULL) && (!begun || in->counts_begun))
            executions_unfetched(in->core, pc);
        return raise(in, pc);
    }
    return step_at(in, pc, pa, uncached, begun);
}

enum inorder_step inorder_step_in_page(struct inorder *in, paddr frame, bool begun)
{
    enum inorder_step how;
    vaddr pc = in->core->s.pc;
    const vaddr page = pc >> PAGE_SHIFT;
    do {
        if (!begun)
            in->budget--;
        how = step_at(in, pc, frame | (pc & (PAGE_SIZE - 1)), false, begun);
        begun = false;
        pc = in->core->s.pc;
    } while (how == INORDER_NEXT && in->budget > 0 && pc >> PAGE_SHIFT == page);
    return how;
}

enum inorder_step inorder_step_decoded(struct inorder *in, enum isa_id id, const struct insn *insn)
{
    struct core *core = in->core;
    core->resume.fetched_pc = CORE_NO_PC;
    core->resume.hook_stopped = false;
    if (SIM_UNLIKELY(core->executions != NULL) && in->counts_begun)
        executions_insn(core, core->s.pc, id, insn);
    const paddr page = core->resume.fetched_line;
    return execute(in, core->s.pc, (page & ~(paddr)(PAGE_SIZE - 1)) | (core->s.pc & (PAGE_SIZE - 1)), page, id, insn);
}
