/*
 * A guest of random instructions: random words executed in any mode, with random registers, CP0 and TLB, and access
 * to every device of the board. Run under the sanitizers.
 *
 *     fuzz_instructions [seed [rounds]]
 *
 * Checked: nothing crashes or hangs; instruction limits are exact; after every stream the accounts add up and the
 * caches keep their invariants; the same round in slices, and under every CPU model, gives identical results; and
 * afterwards a valid program runs on the same machine as on a new one. Exit status 1 if a check fails.
 */
#include "cache/memsys.h"
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/tlb.h"
#include "src/base/board.h"
#include "src/machine/machine_power.h"
#include "tests/diff/encode.h"
#include "tests/diff/harness.h"
#include "tests/diff/stream_rows.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STREAMS = 12, /* per round, consecutively on one machine */
    WORDS = 1024, /* of code, for each processor */
    INSNS = 4000,
    CYCLES = 1000000, /* per stream; a waiting guest is interrupted */
    VALID_INSNS = 2000,
    WATCHDOG_SECONDS = 60, /* per round */
    DISK_BYTES = 256 * 1024,
    VIRTIO_STATUS_OFFSET = 0x70,
    DEVICES = 8, /* $t0 to $t7 */
    STRIDE = 52, /* bytes */
};

struct fuzz {
    struct isa_decoder *decoder;
    char disk[64];
    struct random random;
    struct image image;
    struct stream valid;
    uint64_t insns, streams, exceptions[EXCEPTION_CODES], device_accesses;
    uint64_t stops[MACHINE_STOP_DEADLOCK + 1];
    uint64_t limit; /* instructions of a round */
    bool failed;
};

static void fail(struct fuzz *fuzz, uint64_t seed, const char *what)
{
    printf("FAIL: seed %" PRIu64 ": %s\n", seed, what);
    fuzz->failed = true;
}

/* ---- the guest ---- */

/* A random address of a device register. */
static uint32_t device_address(struct random *random)
{
    static const uint32_t blocks[] = {
        BOARD_UART_BASE,         BOARD_UART_BASE + 0x1000, BOARD_UART_BASE + 0x2000, BOARD_CONTROL_BASE,
        BOARD_CONTROL_BASE,      BOARD_SYSCON_BASE,        BOARD_RTC_BASE,           BOARD_VIRTIO_BASE,
        BOARD_VIRTIO_BASE,       BOARD_VIRTIO_BASE + 0x40, BOARD_VIRTIO_BASE + 0x80, BOARD_GIC_BASE,
        BOARD_GIC_BASE + 0x100,  BOARD_GIC_BASE + 0x200,   BOARD_GIC_BASE + 0x280,   BOARD_GIC_BASE + 0x300,
        BOARD_GIC_BASE + 0x380,  BOARD_GIC_BASE + 0x500,   BOARD_GIC_BASE + 0x2000,  BOARD_GIC_BASE + 0x8000,
        BOARD_GIC_BASE + 0x8040, BOARD_GIC_BASE + 0x80a0,  BOARD_GIC_BASE + 0xc000,  BOARD_GIC_BASE + 0x10000,
        BOARD_CPC_BASE,          BOARD_CPC_BASE + 0x2000,  BOARD_CPC_BASE + 0x4000,  BOARD_GCR_BASE,
        BOARD_GCR_BASE + 0x2000, BOARD_GCR_BASE + 0x4000,
    };
    uint32_t offset = random_one_in(random, 4) ? 4 * random_below(random, 0x400) : 0;
    return 0xa0000000 | (blocks[random_below(random, sizeof blocks / sizeof blocks[0])] + offset);
}

static uint32_t odd_address(struct random *random)
{
    switch (random_below(random, 6)) {
    case 0: return random_word(random);
    case 1:
    case 2: return device_address(random);
    case 3: return LAYOUT_CODE + random_below(random, 0x8000);
    case 4: return 0x80000000u + random_below(random, LAYOUT_END + PAGE_SIZE);
    default: return WINDOW_RW + random_below(random, 0x9000);
    }
}

/* The word of a row with random free bits except the base register; or any random word. */
static uint32_t odd_word(struct fuzz *fuzz, struct stream_rows *rows)
{
    struct random *random = &fuzz->random;
    uint32_t word;
    enum isa_id id;
    switch (random_below(random, 8)) {
    case 0: return random_word(random);
    case 1:
        word = stream_rows_encode(rows, (enum isa_id)random_below(random, ISA_COUNT));
        for (unsigned n = random_below(random, 4); n > 0; n--)
            word ^= 1u << random_below(random, 32);
        return word;
    case 2:
    case 3:
        id = (enum isa_id)random_below(random, ISA_COUNT);
        return isa_table[id].match | (random_word(random) & ~isa_table[id].mask);
    case 4: /* mostly to a device */
        return (random_one_in(random, 3) ? E_LW(0, 0, 0) : E_SW(0, 0, 0)) |
               FIELD(DEVICES + random_below(random, 8), 21) | FIELD(random_below(random, 32), 16) |
               4 * random_below(random, random_one_in(random, 4) ? 0x200 : 16);
    default:
        id = stream_rows_pick(rows);
        word = stream_rows_encode(rows, id);
        if (isa_table[id].flags & INSN_DELAY_SLOT && random_one_in(random, 4) == 0)
            word = (word & 0xffff0000) | random_below(random, 16);
        return word;
    }
}

static void odd_code(struct fuzz *fuzz, struct machine *machine)
{
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        struct stream_kind kind = {
            .kernel = true, .time = true, .interrupts = true, .fr = random_one_in(&fuzz->random, 2)};
        struct stream_rows rows;
        uint32_t words[WORDS];
        stream_rows_init(&rows, &kind, &fuzz->random, fuzz->decoder);
        for (unsigned i = 0; i < WORDS; i++)
            words[i] = odd_word(fuzz, &rows);
        paddr code = LAYOUT_CODE + cpu * sizeof words;
        machine_debug_write(machine, 0, 0x80000000u + code, words, sizeof words);
    }
}

static void odd_tlb(struct random *random, struct core *core)
{
    for (unsigned n = random_below(random, 2 * core->tlb_entries); n > 0; n--) {
        uint32_t mask = random_one_in(random, 4) ? random_word(random) : 0;
        cp0_write(core, CP0_PAGEMASK, mask);
        cp0_write(core, CP0_ENTRYHI, odd_address(random) & (random_one_in(random, 2) ? 0x7fffffff : 0xffffffff));
        for (unsigned i = 0; i < 2; i++)
            cp0_write(core, i ? CP0_ENTRYLO1 : CP0_ENTRYLO0,
                      (odd_address(random) & 0x1ffff000) >> 6 | (random_word(random) & 0x3f) |
                          (random_word(random) & 6));
        tlb_write(core, random_below(random, core->tlb_entries));
    }
}

static void odd_state(struct fuzz *fuzz, struct machine *machine, unsigned cpu)
{
    struct random *random = &fuzz->random;
    struct core *core = machine->cores[cpu];
    struct context context = {.start = LAYOUT_CODE + cpu * WORDS * 4 + 4 * random_below(random, WORDS)};
    for (unsigned i = 1; i < 32; i++)
        context.gpr[i] = random_one_in(random, 3) ? image_interesting_word(random) : odd_address(random);
    for (unsigned i = 0; i < 8; i++)
        context.gpr[DEVICES + i] = device_address(random);
    context.gpr[23] = context.start;
    for (unsigned i = 0; i < 32; i++)
        context.fpr[i] = image_interesting_double(random);
    context.fcsr = random_word(random) & 0xff83ffff;
    context.status = (random_word(random) & (STATUS_FR | STATUS_IM)) | STATUS_CU0 | STATUS_CU1;
    context.status |= random_one_in(random, 3) ? STATUS_UM : 0;
    context.status |= random_one_in(random, 4) ? 0 : STATUS_IE;
    if (random_one_in(random, 2))
        context.start |= random_one_in(random, 2) ? 0x80000000 : 0xa0000000;
    harness_start(machine, cpu, &context);
    if (random_one_in(random, 2))
        odd_tlb(random, core);
    if (random_one_in(random, 3))
        for (unsigned n = 0; n < CP0_COUNT_OF_REGISTERS; n++)
            if (random_one_in(random, 4) && n != CP0_STATUS && n != CP0_EBASE)
                cp0_write(core, n, random_one_in(random, 2) ? random_word(random) : image_interesting_word(random));
    if (random_one_in(random, 8)) /* wherever the vectors are */
        cp0_write(core, CP0_EBASE, odd_address(random));
    if (random_one_in(random, 8))
        cp0_write(core, CP0_STATUS, random_word(random));
}

/* ---- a round ---- */

static bool observe(void *opaque, struct core *core)
{
    (void)opaque;
    (void)core;
    return false;
}

static bool stop(void *opaque, struct core *core)
{
    return machine_stop_at_hook(opaque, core);
}

static void run_stream(struct fuzz *fuzz, struct machine *machine, uint64_t seed, bool sliced)
{
    struct random *random = &fuzz->random;
    struct err err = {""};
    vaddr hook = LAYOUT_CODE + 4 * random_below(random, WORDS);
    bool hooked = random_one_in(random, 3);
    odd_code(fuzz, machine);
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        if (cpu == 0 || random_one_in(random, 2))
            odd_state(fuzz, machine, cpu);
        else if (random_one_in(random, 2))
            machine_power_off(machine, cpu);
        if (hooked)
            core_hook_add(machine->cores[cpu], hook + WORDS * 4 * cpu, random_one_in(random, 2) ? observe : stop,
                          machine);
    }
    uint8_t byte = (uint8_t)random_word(random);
    machine_input(machine, random_below(random, BOARD_UART_COUNT), &byte, 1);
    uint64_t until = machine_insns(machine) + INSNS;
    cycles end = machine_now(machine) + CYCLES;
    struct random slice = random_seeded(seed);
    enum machine_stop reason;
    uint64_t at;
    do {
        at = until;
        if (sliced && until - machine_insns(machine) > 1)
            at = machine_insns(machine) + 1 + random_below(&slice, random_one_in(&slice, 2) ? 3 : 200);
        at = at < until ? at : until;
        at = at < fuzz->limit ? at : fuzz->limit;
        reason = machine_run(machine, &(struct machine_limits){end, at});
        fuzz->stops[reason]++;
    } while (reason != MACHINE_STOP_TIME && reason != MACHINE_STOP_DEADLOCK && at < fuzz->limit &&
             (reason != MACHINE_STOP_INSNS || at < until));
    if (machine_insns(machine) > until)
        fail(fuzz, seed, "more instructions than the limit");
    if (!machine_check_accounts(machine, &err) || !memsys_check(machine->memsys, &err))
        fail(fuzz, seed, err.text);
    for (unsigned cpu = 0; cpu < machine->cpus && hooked; cpu++) {
        core_hook_remove(machine->cores[cpu], hook + WORDS * 4 * cpu, observe, machine);
        core_hook_remove(machine->cores[cpu], hook + WORDS * 4 * cpu, stop, machine);
    }
    fuzz->streams++;
}

static struct machine *new_machine(struct fuzz *fuzz, struct random *random, const char *model)
{
    static const char *const cpus[] = {"machine.cpus=1", "machine.cpus=2", "machine.cpus=4"};
    static const char *const caches[] = {"cache.model=two-level", "cache.model=none", "cache.l1d.size=1K",
                                         "cache.l2.size=64K"};
    static const char *const quanta[] = {"machine.quantum=1", "machine.quantum=37", "machine.quantum=200"};
    static const char *const tlbs[] = {"cpu.tlb_entries=16", "cpu.tlb_entries=32", "cpu.tlb_entries=64"};
    static const char *const translating[] = {"mipsy.translate_after=0", "mipsy.translate_after=1",
                                              "mipsy.translate_after=4"};
    static const char *const classifying[] = {"cache.classify=full", "cache.classify=off"};
    char disk[80], cpu_model[40];
    snprintf(disk, sizeof disk, "machine.disk0=%s", fuzz->disk);
    snprintf(cpu_model, sizeof cpu_model, "cpu.model=%s", model);
    const char *const assignments[] = {cpus[random_below(random, 3)],
                                       caches[random_below(random, 4)],
                                       quanta[random_below(random, 3)],
                                       tlbs[random_below(random, 3)],
                                       translating[random_below(random, 3)],
                                       classifying[random_below(random, 2)],
                                       disk,
                                       cpu_model,
                                       NULL};
    return harness_machine(assignments);
}

static void run_valid(struct fuzz *fuzz, struct machine *machine)
{
    for (unsigned slot = 0; slot < BOARD_DISKS; slot++) /* all transfers have ended */
        physmem_device_write(machine->mem, BOARD_VIRTIO_BASE + slot * BOARD_VIRTIO_STRIDE + VIRTIO_STATUS_OFFSET, 4, 0,
                             0);
    for (unsigned cpu = 1; cpu < machine->cpus; cpu++)
        machine_power_off(machine, cpu);
    harness_load(machine, &fuzz->image);
    harness_start(machine, 0, &fuzz->valid.context);
    uint64_t until = machine_insns(machine) + VALID_INSNS;
    if (machine_run(machine, &(struct machine_limits){CYCLES_NEVER, until}) != MACHINE_STOP_INSNS)
        log_bug("the valid program does not run to its limit");
}

static const char *compare_valid(const struct machine *a, const struct machine *b)
{
    const struct cpu *x = &a->cores[0]->s, *y = &b->cores[0]->s;
    if (x->pc != y->pc)
        return "afterwards a valid program is somewhere else";
    if (memcmp(x->gpr, y->gpr, sizeof x->gpr - sizeof x->gpr[0]) != 0 || x->hi != y->hi || x->lo != y->lo)
        return "afterwards a valid program has other registers";
    if (memcmp(x->fpr, y->fpr, sizeof x->fpr) != 0 || x->fcr31 != y->fcr31)
        return "afterwards a valid program has other floating-point registers";
    if (memcmp(physmem_host(a->mem, LAYOUT_DATA), physmem_host(b->mem, LAYOUT_DATA), LAYOUT_DATA_END - LAYOUT_DATA) !=
        0)
        return "afterwards a valid program has other data";
    return NULL;
}

static struct machine *run_round(struct fuzz *fuzz, const char *model, uint64_t seed, bool sliced)
{
    fuzz->random = random_seeded(seed);
    struct machine *machine = new_machine(fuzz, &fuzz->random, model);
    harness_load(machine, &fuzz->image);
    for (unsigned i = 0; i < STREAMS && machine_insns(machine) < fuzz->limit; i++)
        run_stream(fuzz, machine, seed, sliced);
    return machine;
}

/* Does the round differ between mipsy and MODEL, in slices, up to instruction LIMIT? PRINT: print the differences. TEXT
 * of SIZE bytes receives the first one. */
static bool differs_by(struct fuzz *fuzz, const char *model, uint64_t seed, uint64_t limit, bool print, char *text,
                       size_t size)
{
    fuzz->limit = limit;
    struct machine *a = run_round(fuzz, "mipsy", seed, true), *b = run_round(fuzz, model, seed, true);
    bool differs = harness_compare(a, b, true, text, size) != NULL;
    if (print)
        harness_print_differences(a, b, 20);
    machine_free(a);
    machine_free(b);
    fuzz->limit = UINT64_MAX;
    return differs;
}

/* Print the first instruction after which MODEL differs from mipsy. */
static void find_difference(struct fuzz *fuzz, const char *model, uint64_t seed, uint64_t high)
{
    uint64_t low = 0;
    unsigned cpu = 0;
    char text[512];
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (differs_by(fuzz, model, seed, middle, false, text, sizeof text))
            high = middle;
        else
            low = middle;
    }
    printf("after instruction %" PRIu64 " of the round:\n", high);
    differs_by(fuzz, model, seed, high, true, text, sizeof text);
    fuzz->limit = low;
    struct machine *before = run_round(fuzz, "mipsy", seed, true);
    fuzz->limit = UINT64_MAX;
    sscanf(text, "cpu%u.", &cpu);
    harness_print_around(before, cpu);
    machine_free(before);
}

static void round_of(struct fuzz *fuzz, uint64_t seed)
{
    char text[512];
    const char *difference, *model;
    struct random random = random_seeded(~seed);
    struct stream_kind kind = {.length = 600, .code = LAYOUT_CODE, .fr = seed & 1};
    image_create(&fuzz->image);
    image_prepare(&fuzz->image, &random);
    image_set_variables(&fuzz->image, 0, 0, 0);
    stream_generate(&fuzz->valid, &kind, &random, fuzz->decoder, &fuzz->image);
    for (unsigned cpu = 1; cpu < BOARD_MAX_CPUS; cpu++)
        image_set_variables(&fuzz->image, cpu, random_one_in(&random, 2) ? STATUS_UM : 0, random_below(&random, 1000));
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++)
        image_put_word(&fuzz->image, LAYOUT_VARIABLES + cpu * LAYOUT_VARIABLES_SIZE + V_STRIDE, STRIDE);
    struct machine *machine = run_round(fuzz, "mipsy", seed, false);
    for (size_t i = 0; (model = machine_cpu_model_at(i)); i++) {
        char what[600];
        struct machine *again = run_round(fuzz, model, seed, true);
        /* mxs has other timing: compare it with itself */
        struct machine *like = strcmp(model, "mxs") == 0 ? run_round(fuzz, model, seed, false) : machine;
        difference = harness_compare(like, again, true, text, sizeof text);
        snprintf(what, sizeof what, "%s in slices: %s", model, difference ? difference : "");
        if (difference) {
            fail(fuzz, seed, what);
            find_difference(fuzz, model, seed, machine_insns(machine));
        }
        fuzz->insns += machine_insns(again);
        machine_free(again);
        if (like != machine)
            machine_free(like);
    }
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        for (unsigned i = 0; i < EXCEPTION_CODES; i++)
            fuzz->exceptions[i] += machine->cores[cpu]->counts.exceptions[i];
    fuzz->insns += machine_insns(machine);
    struct random again_random = random_seeded(seed);
    struct machine *fresh = new_machine(fuzz, &again_random, "mipsy");
    run_valid(fuzz, machine);
    run_valid(fuzz, fresh);
    difference = compare_valid(machine, fresh);
    if (difference)
        fail(fuzz, seed, difference);
    machine_free(machine);
    machine_free(fresh);
    image_free(&fuzz->image);
}

static void make_disk(struct fuzz *fuzz)
{
    static const uint8_t bytes[DISK_BYTES];
    snprintf(fuzz->disk, sizeof fuzz->disk, "%s", "/tmp/fuzz-disk-XXXXXX");
    int file = mkstemp(fuzz->disk);
    if (file < 0 || write(file, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
        log_bug("%s: cannot be written", fuzz->disk);
    close(file);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 100;
    struct fuzz *fuzz = calloc(1, sizeof *fuzz);
    if (!fuzz)
        return 1;
    fuzz->decoder = isa_decoder_create(LEVEL_32R2);
    fuzz->limit = UINT64_MAX;
    make_disk(fuzz);
    for (uint64_t n = seed; n < seed + rounds; n++) {
        alarm(WATCHDOG_SECONDS);
        round_of(fuzz, n);
    }
    unlink(fuzz->disk);
    printf("seed %" PRIu64 ": %" PRIu64 " streams, %" PRIu64 " instructions; ends", seed, fuzz->streams, fuzz->insns);
    for (unsigned i = 0; i <= MACHINE_STOP_DEADLOCK; i++)
        printf(" %" PRIu64, fuzz->stops[i]);
    printf("; exceptions");
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
        if (fuzz->exceptions[i])
            printf(" %u: %" PRIu64, i, fuzz->exceptions[i]);
    putchar('\n');
    isa_decoder_free(fuzz->decoder);
    bool failed = fuzz->failed;
    free(fuzz);
    return failed ? 1 : 0;
}
