/*
 * Random instruction streams on our machine and on QEMU's Malta, as an independent reference.
 *
 *     qemu_streams DIRECTORY [seed [images]]
 *
 * An image has STREAMS streams and the driver that runs them consecutively, in user or kernel mode, with a TLB, page
 * faults, traps, floating point in all rounding modes, and self-modifying code. Compared after each stream:
 * registers, a hash of the data windows, and the records of its exceptions; at the end all code and data. Excluded
 * are UNPREDICTABLE behaviour and the differences that cpu/fp/fpu.h and differs_from_qemu() list. DIRECTORY receives
 * the executable and QEMU's dump. Exit status 1 if there is a difference; the first differing stream is printed.
 */
#include "src/machine/machine_power.h"
#include "tests/diff/harness.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STREAMS = 256,
    RECORDS = LOG_BYTES / RECORD_SIZE,
    DUMP_FROM = LAYOUT_DRIVER,
    DUMP_SIZE = LAYOUT_DATA_END - DUMP_FROM,
    LIMIT = 100000000, /* instructions per image: far more than needed */
};
#define SECONDS "60" /* timeout of QEMU */

struct test {
    struct isa_decoder *decoder;
    struct image image;
    struct stream streams[STREAMS];
    bool kernel[STREAMS];
    uint8_t ours[DUMP_SIZE], theirs[DUMP_SIZE];
    uint64_t insns, exceptions, words;
};

static void make_image(struct test *test, uint64_t seed)
{
    struct random random = random_seeded(seed);
    paddr code = LAYOUT_CODE;
    bool fr = seed & 1;
    image_create(&test->image);
    image_prepare(&test->image, &random);
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream *stream = &test->streams[i];
        struct stream_kind kind = {.kernel = random_one_in(&random, 2),
                                   .ends = true,
                                   .oracle = true,
                                   .fr = fr,
                                   .length = 100 + random_below(&random, 600),
                                   .code = code};
        test->kernel[i] = kind.kernel;
        stream_generate(stream, &kind, &random, test->decoder, &test->image);
        code = (code + stream->count * 4 + 15) & ~(paddr)15;
        image_put(&test->image, LAYOUT_CONTEXTS + i * CONTEXT_SIZE, &stream->context, CONTEXT_SIZE);
        test->words += stream->count;
    }
    if (code > LAYOUT_CODE_END)
        log_bug("too much code");
    image_put_word(&test->image, LAYOUT_VARIABLES + V_CONTEXT, 0x80000000u + LAYOUT_CONTEXTS);
    image_put_word(&test->image, LAYOUT_VARIABLES + V_DUMP, 0x80000000u + LAYOUT_DUMPS);
    image_put_word(&test->image, LAYOUT_VARIABLES + V_LEFT, STREAMS);
    image_put_word(&test->image, LAYOUT_VARIABLES + V_FROM, 0x80000000u + DUMP_FROM);
    image_put_word(&test->image, LAYOUT_VARIABLES + V_SIZE, DUMP_SIZE);
}

static bool run_ours(struct test *test)
{
    const char *const assignments[] = {"cache.model=none", "cpu.fpu_denormals=compute", NULL};
    struct machine *machine = harness_machine(assignments);
    harness_load(machine, &test->image);
    machine_power_on(machine, 0, 0x80000000u + LAYOUT_ENTRY);
    enum machine_stop reason = machine_run(machine, &(struct machine_limits){CYCLES_NEVER, LIMIT});
    memcpy(test->ours, physmem_host(machine->mem, DUMP_FROM), DUMP_SIZE);
    test->insns += machine_insns(machine);
    machine_free(machine);
    return reason == MACHINE_STOP_EXIT;
}

static bool run_theirs(struct test *test, const char *directory)
{
    static const char *const names[] = {"streams.elf", "streams.dump"};
    image_put(&test->image, LAYOUT_VARIABLES + V_PATH, names[1], (uint32_t)strlen(names[1]) + 1);
    image_put_word(&test->image, LAYOUT_VARIABLES + V_SEMIHOST, 1);
    if (chdir(directory) != 0 || !image_write_elf(&test->image, names[0]))
        log_bug("%s: cannot be written to", directory);
    unlink(names[1]);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execlp("timeout", "timeout", SECONDS, "qemu-system-mipsel", "-M", "malta", "-cpu", "74Kf", "-m", "64",
               "-semihosting-config", "enable=on,target=native", "-display", "none", "-nic", "none", "-vga", "none",
               "-monitor", "none", "-serial", "none", "-kernel", names[0], (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        printf("FAIL: qemu-system-mipsel ends with status 0x%x\n", (unsigned)status);
        return false;
    }
    FILE *dump = fopen(names[1], "rb");
    bool done = dump && fread(test->theirs, DUMP_SIZE, 1, dump) == 1;
    if (dump)
        fclose(dump);
    if (!done)
        printf("FAIL: qemu-system-mipsel leaves no dump\n");
    return done;
}

static uint32_t word_at(const uint8_t *dump, paddr address)
{
    uint32_t word;
    memcpy(&word, dump + (address - DUMP_FROM), sizeof word);
    return word;
}

/* Are the words at ADDRESS of both dumps equal in the bits of MASK? */
static bool same(const struct test *test, paddr address, uint32_t mask, const char *what, unsigned number)
{
    uint32_t ours = word_at(test->ours, address) & mask, theirs = word_at(test->theirs, address) & mask;
    if (ours != theirs)
        printf("%s %u: 0x%08" PRIx32 " here, 0x%08" PRIx32 " in QEMU\n", what, number, ours, theirs);
    return ours == theirs;
}

static bool same_records(struct test *test, unsigned i)
{
    static const uint32_t code_mask = 0x80000000u | 31 << 2, ce_mask = 3u << 28;
    uint32_t count = word_at(test->ours, LAYOUT_DUMPS + i * CONTEXT_SIZE + CONTEXT_COUNT);
    test->exceptions += count;
    bool equal = true;
    for (unsigned n = 0; n < count && n < RECORDS && equal; n++) {
        paddr record = LAYOUT_LOG + i * LOG_BYTES + n * RECORD_SIZE;
        uint32_t code = word_at(test->ours, record + RECORD_CAUSE) >> 2 & 31;
        bool address = code >= 1 && code <= 5, translation = code >= 1 && code <= 3;
        if (word_at(test->ours, record + RECORD_EPC) & 3)
            address = false; /* QEMU sets BadVAddr only at the first translation of the jump target */
        equal = same(test, record + RECORD_EPC, ~0u, "EPC of exception", n);
        equal &=
            same(test, record + RECORD_CAUSE, code == 11 ? code_mask | ce_mask : code_mask, "Cause of exception", n);
        equal &= same(test, record + RECORD_STATUS, ~0u, "Status of exception", n);
        equal &= same(test, record + RECORD_RA, ~0u, "$ra at exception", n);
        equal &= !address || same(test, record + RECORD_BADVADDR, ~0u, "BadVAddr of exception", n);
        equal &= !translation || same(test, record + RECORD_ENTRYHI, ~0u, "EntryHi of exception", n);
        equal &= !translation || same(test, record + RECORD_CONTEXT, ~0u, "Context of exception", n);
    }
    return equal;
}

static bool same_registers(const struct test *test, unsigned i)
{
    paddr dump = LAYOUT_DUMPS + i * CONTEXT_SIZE;
    bool equal = true;
    for (unsigned n = 1; n < 32; n++)
        if (n != 26 && n != 27)
            equal &= same(test, dump + CONTEXT_GPR + 4 * n, ~0u, "register", n);
    for (unsigned n = 0; n < 64; n++)
        if (test->streams[i].context.status & STREAM_FR || n % 2 == 0)
            equal &= same(test, dump + CONTEXT_FPR + 4 * n, ~0u, n % 2 ? "high FP register" : "FP register", n / 2);
    equal &= same(test, dump + CONTEXT_HI, ~0u, "HI", 0);
    equal &= same(test, dump + CONTEXT_LO, ~0u, "LO", 0);
    equal &= same(test, dump + CONTEXT_FCSR, ~0u, "FCSR", 31);
    equal &= same(test, dump + CONTEXT_STATUS, ~0u, "Status", 0);
    equal &= same(test, dump + CONTEXT_HASH, ~0u, "hash of the data windows", 0);
    equal &= same(test, dump + CONTEXT_COUNT, ~0u, "number of exceptions", 0);
    return equal;
}

static bool stop_hook(void *opaque, struct core *core)
{
    return machine_stop_at_hook(opaque, core);
}

/* Print the instructions of stream I in execution order, with the registers they changed. */
static void print_trace(struct test *test, unsigned i)
{
    const char *const assignments[] = {"cache.model=none", "cpu.fpu_denormals=compute", NULL};
    struct machine *machine = harness_machine(assignments);
    struct cpu *s = &machine->cores[0]->s;
    const struct context *context = &test->streams[i].context;
    harness_load(machine, &test->image);
    machine_power_on(machine, 0, 0x80000000u + LAYOUT_ENTRY);
    core_hook_add(machine->cores[0], context->start, stop_hook, machine);
    machine_run(machine, &(struct machine_limits){CYCLES_NEVER, LIMIT});
    core_hook_remove(machine->cores[0], context->start, stop_hook, machine);
    for (unsigned n = 0; n < 100000 && (s->pc != context->end || s->cp0[CP0_STATUS] & STATUS_EXL); n++) {
        struct cpu before = *s;
        uint32_t word;
        char text[128] = "";
        if (core_debug_read(machine->cores[0], s->pc, &word, sizeof word) == sizeof word)
            isa_disassemble(test->decoder, word, s->pc, text, sizeof text);
        machine_step(machine, 0, 1);
        if (before.cp0[CP0_STATUS] & STATUS_EXL)
            continue; /* in a handler */
        printf("  %08" PRIx32 ": %-40s", before.pc, text);
        for (unsigned r = 1; r < 32; r++)
            if (before.gpr[r] != s->gpr[r])
                printf(" $%s=%08" PRIx32, isa_gpr_name(r), s->gpr[r]);
        for (unsigned r = 0; r < 32; r++)
            if (memcmp(before.fpr[r], s->fpr[r], sizeof s->fpr[r]) != 0)
                printf(" $f%u=%08" PRIx32 "%08" PRIx32, r, s->fpr[r][1], s->fpr[r][0]);
        if (before.fcr31 != s->fcr31)
            printf(" FCSR=%08" PRIx32, s->fcr31);
        if (s->cp0[CP0_STATUS] & STATUS_EXL)
            printf(" exception %u; %u are recorded", s->cp0[CP0_CAUSE] >> 2 & 31,
                   *(const uint32_t *)physmem_host(machine->mem, LAYOUT_VARIABLES + V_EXCEPTIONS));
        putchar('\n');
    }
    machine_free(machine);
}

static bool compare(struct test *test, uint64_t seed)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        bool records = same_records(test, i), registers = same_registers(test, i);
        if (records && registers)
            continue;
        printf("FAIL: seed %" PRIu64 ", stream %u, in %s mode\n", seed, i, test->kernel[i] ? "kernel" : "user");
        print_trace(test, i);
        return false;
    }
    for (paddr address = LAYOUT_CODE; address < LAYOUT_DATA_END; address += 4)
        if (!same(test, address, ~0u, "memory, physical address", address))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    uint64_t images = argc > 3 ? strtoull(argv[3], NULL, 0) : 12;
    struct test *test = calloc(1, sizeof *test);
    if (!test || argc < 2)
        return 2;
    test->decoder = isa_decoder_create(LEVEL_32R2);
    bool passed = true;
    for (uint64_t n = seed; n < seed + images && passed; n++) {
        make_image(test, n);
        passed = run_ours(test);
        if (!passed)
            printf("FAIL: seed %" PRIu64 " does not end here\n", n);
        passed = passed && run_theirs(test, n == seed ? argv[1] : ".") && compare(test, n);
        image_free(&test->image);
    }
    printf("seed %" PRIu64 ": %" PRIu64 " words of code, %" PRIu64 " instructions, %" PRIu64 " exceptions\n", seed,
           test->words, test->insns, test->exceptions);
    isa_decoder_free(test->decoder);
    free(test);
    return passed ? 0 : 1;
}
