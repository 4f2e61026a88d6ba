/*
 * Checks the columns `uses`, `defines` and `traits` of isa.def. Every row runs on random state: changes must be
 * declared, undeclared inputs must have no effect, and declared ones must have an effect at least once. An instruction
 * that raises an exception changes only FCSR. What the body does to control and memory is what the traits say. With
 * `only PATTERN`, the tests with such names.
 */
#include "tests/unit/core_fixture.h"
#include "tests/unit/isa_engine.h"

enum { TRIALS = 400 };

struct trial {
    uint32_t word;
    struct insn insn;
    struct cpu before;
    uint32_t memory_seed;
};

struct outcome {
    int raised;
    struct exception exception;
    struct isa_effects effects;
    struct cpu after;
};

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Operand values: random, small, or equal to others; for floating point also ordinary numbers. */
static uint32_t interesting(uint64_t *random)
{
    static const uint32_t values[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 0x3f800000,
                                      0x40490fdb, 0x3ff00000, 0xc0080000, 0x7f800000, 0x41200000, 0x40240000};
    uint32_t r = next_random(random);
    return r & 1 ? values[(r >> 8) % (sizeof values / sizeof values[0])] : next_random(random);
}

/* The rows of mips32r2 are tried with it; the R3000 tries those that it alone has, except the one that only requests an
 * interrupt. */
static bool is_tried(const struct fixture *f, const struct isa_row *row)
{
    if (row == &isa_table[ISA_COP1])
        return false;
    return isa_has(row, f->core->architecture->level) && (row->level == LEVEL_1_ONLY || !f->core->has_load_delay);
}

/* A word of row ID whose free register fields name different registers (even ones, valid as pairs), neither $zero nor
 * $ra. */
static void make_trial(struct fixture *f, const struct isa_decoder *decoder, unsigned id, uint64_t *random,
                       struct trial *trial)
{
    static const unsigned shifts[4] = {21, 16, 11, 6};
    const struct isa_row *row = &isa_table[id];
    uint32_t word = next_random(random);
    unsigned number = next_random(random) % 15;
    for (unsigned i = 0; i < 4; i++)
        word = (word & ~(31u << shifts[i])) | (2 + 2 * ((number + i * 3) % 15)) << shifts[i];
    if (row->imm == IMM_FIELD) /* position and size that are defined */
        word = (word & 0xffff003f) | 19u << 11 | 3u << 6;
    if (row->imm == IMM_SIGNED && (next_random(random) & 1)) /* immediates that registers hold too */
        word = (word & 0xffff0000) | (uint16_t)(next_random(random) % 3 - 1);
    if (id == ISA_CFC1 || id == ISA_CTC1) /* registers that exist: FCCR, FEXR, FENR, FCSR */
        word = (word & 0xffff07ff) | (uint32_t)(uint8_t[]){25, 26, 28, 31}[next_random(random) & 3] << 11;
    if (id == ISA_RESERVED) /* one of the reserved encodings: SPECIAL 5 */
        word = (word & 0x03ffffc0) | 5;
    trial->word = (word & ~row->mask) | row->match;
    assert_int_equal(isa_decode(decoder, trial->word, &trial->insn), id);
    if (id == ISA_RDHWR)
        trial->insn.rd = (uint8_t[]){0, 1, 3, 29}[next_random(random) & 3];
    struct cpu *s = &f->core->s;
    for (unsigned i = 1; i < 32; i++)
        s->gpr[i] = interesting(random);
    s->gpr[0] = 0;
    s->hi = interesting(random);
    s->lo = interesting(random);
    for (unsigned i = 0; i < 32; i++) {
        s->fpr[i][0] = interesting(random);
        s->fpr[i][1] = interesting(random);
    }
    s->fcr31 = next_random(random) & 0xff83f07f;
    if (next_random(random) % 8 == 0)
        s->fcr31 = (s->fcr31 & 0xfffc0fff) | (next_random(random) & 0x01000f80); /* flush to zero, enables */
    s->ll_bit = next_random(random) & 1;
    s->ll_address = next_random(random) & 0x03fffffc;
    s->pc = 0x80100000 + (next_random(random) & 0xffffc);
    s->cp0[CP0_STATUS] = STATUS_CU0 | STATUS_CU1 | (next_random(random) & STATUS_FR);
    s->cp0[CP0_USERLOCAL] = next_random(random);
    trial->before = *s;
    trial->memory_seed = next_random(random);
}

static void run(struct fixture *f, unsigned id, const struct trial *trial, struct outcome *outcome)
{
    struct core *core = f->core;
    bool system = (isa_table[id].uses | isa_table[id].defines) & OPERAND_CP0;
    core->s = trial->before;
    if (system)
        core_state_changed(core);
    core->exception = (struct exception){0};
    outcome->effects = (struct isa_effects){.memory_seed = trial->memory_seed};
    outcome->raised = isa_run[id](core, &trial->insn, &outcome->effects);
    outcome->exception = core->exception;
    outcome->after = core->s;
    outcome->after.gpr[GPR_SINK] = 0;
    if (system) {
        core->s = trial->before;
        core_state_changed(core);
    }
}

/* Parts of the state that operands name. */
enum {
    FCSR_CONDITIONS = 0xfe800000u,
    PARTS = 32 + 2 + 32 + 2 + 3, /* GPRs, HI, LO, FPRs, conditions, FCSR, CP0, link, memory */
    PART_HI = 32,
    PART_LO,
    PART_FPR,
    PART_FCC = PART_FPR + 32,
    PART_FCSR,
    PART_CP0,
    PART_LL,
    PART_MEM,
};

static bool part_differs(const struct outcome *a, const struct cpu *b, unsigned part)
{
    const struct cpu *s = &a->after;
    if (part < 32)
        return s->gpr[part] != b->gpr[part];
    if (part >= PART_FPR && part < PART_FCC)
        return memcmp(s->fpr[part - PART_FPR], b->fpr[part - PART_FPR], sizeof s->fpr[0]) != 0;
    switch (part) {
    case PART_HI: return s->hi != b->hi;
    case PART_LO: return s->lo != b->lo;
    case PART_FCC: return (s->fcr31 ^ b->fcr31) & FCSR_CONDITIONS;
    case PART_FCSR: return (s->fcr31 ^ b->fcr31) & ~FCSR_CONDITIONS;
    case PART_CP0: return memcmp(s->cp0, b->cp0, sizeof s->cp0) != 0 || memcmp(s->tlb, b->tlb, sizeof s->tlb) != 0;
    case PART_LL: return s->ll_bit != b->ll_bit;
    default: return a->effects.stores != 0; /* memory */
    }
}

/* The operand bits that permit INSN to access PART. With FR = 0 a floating-point register is half of a pair. */
static unsigned part_operands(const struct trial *trial, unsigned part)
{
    const struct insn *insn = &trial->insn;
    unsigned bits = 0;
    if (part < 32) {
        unsigned rt = (trial->word >> 16) & 31;
        bits |= part == insn->rs ? OPERAND_S : 0;
        bits |= part == rt ? OPERAND_T : 0;
        bits |= part == insn->rd ? OPERAND_D : 0;
        bits |= part == 31 ? OPERAND_31 : 0;
        return bits;
    }
    if (part >= PART_FPR && part < PART_FCC) {
        unsigned number = part - PART_FPR, same = trial->before.cp0[CP0_STATUS] & STATUS_FR ? 31 : 30;
        bits |= (number & same) == insn->rd ? OPERAND_FS : 0;
        bits |= (number & same) == insn->rt ? OPERAND_FT : 0;
        bits |= (number & same) == insn->rs ? OPERAND_FR : 0;
        bits |= (number & same) == ((trial->word >> 6) & 31) ? OPERAND_FD : 0;
        return bits;
    }
    switch (part) {
    case PART_HI: return OPERAND_HI;
    case PART_LO: return OPERAND_LO;
    case PART_FCC: return OPERAND_FCC;
    case PART_FCSR: return OPERAND_FCSR;
    case PART_CP0: return OPERAND_CP0;
    case PART_LL: return OPERAND_LL;
    default: return OPERAND_MEM;
    }
}

static void change_part(struct trial *trial, unsigned part, uint64_t *random)
{
    struct cpu *s = &trial->before;
    uint32_t change = next_random(random) | 1;
    if (part < 32)
        s->gpr[part] = next_random(random) & 1 ? s->gpr[part] ^ change : s->gpr[part] ^ 1;
    else if (part >= PART_FPR && part < PART_FCC) {
        s->fpr[part - PART_FPR][0] ^= change;
        s->fpr[part - PART_FPR][1] ^= next_random(random);
    } else
        switch (part) {
        case PART_HI: s->hi ^= change; break;
        case PART_LO: s->lo ^= change; break;
        case PART_FCC: s->fcr31 ^= FCSR_CONDITIONS; break;
        case PART_FCSR: s->fcr31 ^= change & 0x0103ffff; break;
        case PART_LL: s->ll_bit = !s->ll_bit; break;
        default: trial->memory_seed ^= change; break;
        }
}

static void test_what_changes_is_declared(void **state)
{
    struct fixture *f = *state;
    uint64_t random = 1;
    struct trial trial;
    struct outcome outcome;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        const struct isa_row *row = &isa_table[id];
        if (!is_tried(f, row))
            continue;
        unsigned changed = 0;
        for (unsigned i = 0; i < TRIALS; i++) {
            make_trial(f, f->decoder, id, &random, &trial);
            run(f, id, &trial, &outcome);
            for (unsigned part = 1; part < PARTS; part++) {
                if (!part_differs(&outcome, &trial.before, part))
                    continue;
                unsigned operands = part_operands(&trial, part);
                changed |= operands;
                if (!(row->defines & operands))
                    fail_msg("%s (%08x) changes part %u, which it does not declare", row->mnemonic, trial.word, part);
                if (outcome.raised && part != PART_FCSR && !(id == ISA_CTC1 && part == PART_FCC))
                    fail_msg("%s (%08x) raises an exception and changes part %u", row->mnemonic, trial.word, part);
            }
            if (outcome.effects.loads && !(row->uses & OPERAND_MEM) && row->flags & INSN_LOAD)
                fail_msg("%s loads", row->mnemonic);
            assert_true(!outcome.effects.left || row->flow >= FLOW_ERET);
            assert_int_equal(outcome.effects.likely, !!(row->flags & INSN_LIKELY));
            assert_true(!outcome.raised || (row->flags & (INSN_TRAPS | INSN_CONTEXT)));
        }
        /* Declared outputs change. (System rows change random registers or TLB entries.) */
        unsigned missing = row->defines & ~changed;
        if (row->flags & INSN_PRIVILEGED)
            missing &= ~(unsigned)OPERAND_CP0;
        if (missing)
            fail_msg("%s declares to define %x, but never does", row->mnemonic, missing);
    }
}

/* Is a word of floating-point register NUMBER equal in both outcomes, or, where ROW does not write it, unchanged in
 * both? */
static bool same_word(const struct isa_row *row, const struct trial *x, const struct outcome *a, const struct trial *y,
                      const struct outcome *b, unsigned number, unsigned half)
{
    uint32_t p = a->after.fpr[number][half], q = b->after.fpr[number][half];
    bool is_result =
        half == 0 && !(row->flags & INSN_HIGH_WORD) && (number % 2 == 0 || (x->before.cp0[CP0_STATUS] & STATUS_FR));
    return p == q || (!is_result && p == x->before.fpr[number][half] && q == y->before.fpr[number][half]);
}

/* FCSR in both outcomes: differing bits are those that both left unchanged, such as unnamed condition codes of a
 * comparison. */
static bool same_fcsr(const struct trial *x, const struct outcome *a, const struct trial *y, const struct outcome *b,
                      uint32_t bits)
{
    uint32_t p = a->after.fcr31, q = b->after.fcr31, old_p = x->before.fcr31, old_q = y->before.fcr31;
    return ((p ^ q) & bits & ((p ^ old_p) | (q ^ old_q))) == 0;
}

/* Are the outputs of the row and the control transfer equal? The low word of a floating-point register is always an
 * output; the rest of it, or of its pair, only if written. */
static bool same_outcome(const struct isa_row *row, const struct trial *x, const struct outcome *a,
                         const struct trial *y, const struct outcome *b)
{
    if (a->raised != b->raised || memcmp(&a->exception, &b->exception, sizeof a->exception) != 0)
        return false;
    if (a->raised)
        return true;
    if (a->effects.left != b->effects.left || a->effects.target != b->effects.target ||
        a->effects.stored != b->effects.stored || a->effects.stores != b->effects.stores)
        return false;
    for (unsigned part = 1; part < PART_MEM; part++) {
        if (!(row->defines & part_operands(x, part)))
            continue;
        if (part == PART_FCC || part == PART_FCSR) {
            if (!same_fcsr(x, a, y, b, part == PART_FCC ? FCSR_CONDITIONS : ~FCSR_CONDITIONS))
                return false;
        } else if (part < PART_FPR || part >= PART_FCC) {
            if (part_differs(a, &b->after, part))
                return false;
        } else if (!same_word(row, x, a, y, b, part - PART_FPR, 0) || !same_word(row, x, a, y, b, part - PART_FPR, 1))
            return false;
    }
    return true;
}

static void test_what_is_not_declared_does_not_matter(void **state)
{
    struct fixture *f = *state;
    uint64_t random = 2;
    struct trial trial, other;
    struct outcome a, b;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        const struct isa_row *row = &isa_table[id];
        if (!is_tried(f, row))
            continue;
        unsigned mattered = 0;
        for (unsigned i = 0; i < TRIALS; i++) {
            make_trial(f, f->decoder, id, &random, &trial);
            run(f, id, &trial, &a);
            for (unsigned part = 1; part < PARTS; part++) {
                unsigned operands = part_operands(&trial, part);
                if (operands == 0 || part == PART_CP0)
                    continue; /* no operand names this part; CP0 has many registers and one operand bit */
                other = trial;
                change_part(&other, part, &random);
                run(f, id, &other, &b);
                if (same_outcome(row, &trial, &a, &other, &b))
                    continue;
                mattered |= operands;
                if (!(row->uses & operands))
                    fail_msg("%s (%08x) depends on part %u, which it does not declare", row->mnemonic, trial.word,
                             part);
            }
        }
        unsigned missing = row->uses & ~mattered;
        missing &= ~(unsigned)OPERAND_CP0;
        if (id == ISA_PREF || id == ISA_PREFX || id == ISA_CACHE) /* isa_engine.h ignores the address of these */
            missing &= ~(unsigned)(OPERAND_S | OPERAND_T);
        if (missing)
            fail_msg("%s declares to use %x, but it never matters", row->mnemonic, missing);
    }
}

/* What the trial of row ID did, against what the traits say of it. */
static void check_trial(unsigned id, const struct trial *trial, const struct outcome *outcome)
{
    const struct isa_row *row = &isa_table[id];
    const struct isa_effects *effects = &outcome->effects;
    const struct insn *insn = &trial->insn;
    const struct isa_control control = isa_control((enum isa_id)id, insn, trial->before.pc);
    const uint32_t *before = trial->before.gpr, *after = outcome->after.gpr;
    if (outcome->raised)
        return;
    if (row->flow == FLOW_EXCEPTION)
        fail_msg("%s raises no exception", row->mnemonic);
    if (effects->branches != (row->flow == FLOW_BRANCH) ||
        effects->jumps != (row->flow == FLOW_JUMP || row->flow == FLOW_INDIRECT) ||
        effects->left != (row->flow >= FLOW_ERET && (effects->left || !control.direct || !control.conditional)))
        fail_msg("%s (%08x): wrong flow of control", row->mnemonic, trial->word);
    if (effects->branches && effects->target != control.target)
        fail_msg("%s (%08x) goes to %08x", row->mnemonic, trial->word, effects->target);
    if (effects->jumps && effects->target != (control.direct ? control.target : before[insn->rs]))
        fail_msg("%s (%08x) jumps to %08x", row->mnemonic, trial->word, effects->target);
    for (unsigned i = 1; i < 32; i++)
        if (control.links && isa_writes((enum isa_id)id, insn, i) && after[i] != trial->before.pc + 8)
            fail_msg("%s (%08x) links to %08x", row->mnemonic, trial->word, after[i]);
    const vaddr address = isa_address((enum isa_id)id, insn, before);
    if (effects->loads + effects->stores > 0 &&
        (effects->bytes != row->bytes || (effects->address | 7) != (address | 7) ||
         (effects->address != address && effects->address % row->bytes != 0)))
        fail_msg("%s (%08x) accesses %u bytes at %08x", row->mnemonic, trial->word, effects->bytes, effects->address);
    if (effects->loads > 0 && effects->is_signed != !!(row->flags & INSN_SIGNED))
        fail_msg("%s: wrong sign of what it loads", row->mnemonic);
    assert_int_equal(effects->prefetches, !!(row->flags & INSN_PREFETCH));
    if (row->flags & INSN_ADDS && after[insn->rt] != before[insn->rs] + (uint32_t)insn->imm)
        fail_msg("%s does not add", row->mnemonic);
}

/* Give two registers that a branch compares the same number, or that of $zero; sometimes their values are the same. */
static void make_special(struct trial *trial, const struct isa_decoder *decoder, unsigned id, unsigned which)
{
    enum { RS = 21, RT = 16 };
    uint32_t word = trial->word;
    if (which & 1)
        word &= ~(31u << RS);
    if (which & 2)
        word = (word & ~(31u << RT)) | (word >> RS & 31) << RT;
    trial->word = (word & ~isa_table[id].mask) | isa_table[id].match;
    assert_int_equal(isa_decode(decoder, trial->word, &trial->insn), id);
    if (trial->memory_seed & 1 && trial->insn.rt != 0)
        trial->before.gpr[trial->insn.rt] = trial->before.gpr[trial->insn.rs];
}

static void test_traits_say_what_the_body_does(void **state)
{
    struct fixture *f = *state;
    uint64_t random = 3;
    struct trial trial;
    struct outcome outcome;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        const struct isa_row *row = &isa_table[id];
        if (!is_tried(f, row))
            continue;
        unsigned accesses = 0, seldom[4] = {0}, fell_through[4] = {0};
        for (unsigned i = 0; i < TRIALS; i++) {
            const unsigned which = i % 4;
            make_trial(f, f->decoder, id, &random, &trial);
            if (row->flow == FLOW_BRANCH)
                make_special(&trial, f->decoder, id, which);
            run(f, id, &trial, &outcome);
            check_trial(id, &trial, &outcome);
            accesses += outcome.effects.loads + outcome.effects.stores;
            seldom[which] += isa_control((enum isa_id)id, &trial.insn, 0).conditional;
            fell_through[which] += !outcome.effects.left;
        }
        assert_int_equal(accesses > 0, row->bytes > 0);
        for (unsigned which = 0; which < 4 && row->flow == FLOW_BRANCH; which++)
            if (seldom[which] > 0 && fell_through[which] == 0)
                fail_msg("%s is always taken (registers %u), which its traits do not say", row->mnemonic, which);
    }
}

/* Which of the words of floating-point registers does a row read or write? */
static void test_widths(void **state)
{
    struct fixture *f = *state;
    uint64_t random = 4;
    struct trial trial, other;
    struct outcome a, b;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        const struct isa_row *row = &isa_table[id];
        if (!is_tried(f, row))
            continue;
        unsigned mattered = 0, changed = 0; /* operands whose high words did */
        for (unsigned i = 0; i < TRIALS; i++) {
            make_trial(f, f->decoder, id, &random, &trial);
            trial.before.cp0[CP0_STATUS] |= STATUS_FR;
            run(f, id, &trial, &a);
            for (unsigned number = 0; number < 32; number++) {
                const unsigned operands = part_operands(&trial, PART_FPR + number);
                if (a.after.fpr[number][1] != trial.before.fpr[number][1])
                    changed |= operands & row->defines;
                other = trial;
                other.before.fpr[number][1] = interesting(&random);
                run(f, id, &other, &b);
                if (!same_outcome(row, &trial, &a, &other, &b))
                    mattered |= operands & row->uses;
            }
        }
        const unsigned high = row->flags & INSN_HIGH_WORD ? ~0u : row->wide;
        const unsigned fp = OPERAND_FS | OPERAND_FT | OPERAND_FR | OPERAND_FD;
        /* one that is also a result may be left as it is, as by movf.d */
        if (mattered & ~high || (row->uses & ~row->defines & fp & high & ~mattered))
            fail_msg("%s reads the high words of %x", row->mnemonic, mattered);
        if (changed & ~high || (row->defines & fp & high & ~changed))
            fail_msg("%s writes the high words of %x", row->mnemonic, changed);
    }
}

static int setup_r3000(void **state)
{
    *state = fixture_create_of(&r3000, 64);
    return 0;
}

#define OLD(name) cmocka_unit_test_setup_teardown(name, setup_r3000, fixture_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_changes_is_declared),      TEST(test_what_is_not_declared_does_not_matter),
        TEST(test_traits_say_what_the_body_does), TEST(test_widths),
        OLD(test_what_changes_is_declared),       OLD(test_what_is_not_declared_does_not_matter),
        OLD(test_traits_say_what_the_body_does),
    };
    if (argc == 3 && strcmp(argv[1], "only") == 0)
        cmocka_set_test_filter(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
