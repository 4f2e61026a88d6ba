/*
 * The state of a whole machine in a checkpoint: `simos restore` from there on where its machine is built. An input is
 * the content of the section whose number is its first byte; lengths and checksums are made right around it. A machine
 * that is taken runs on, all its devices are used, it runs on again, and is saved.
 *
 * tests/checkpoint/hostile.c does the same with checkpoints of guests that have booted, without libFuzzer.
 */
#include "cache/memsys.h"
#include "src/machine/machine_saved.h"
#include "tests/checkpoint/contents.h"
#include "tests/fuzz/machine.h"

enum { INSNS = 400, ACCESSES = 100, PROGRAM = 0x1000 };

static const char *const assignments[] = {"rng.present=on",
                                          "memory.contention=on",
                                          "prefetch.insn.trigger=miss",
                                          "prefetch.insn.lines=2",
                                          "cache.classify=full",
                                          "cache.l1d.write=through",
                                          "prefetch.stream.buffers=2",
                                          "prefetch.stream.level=1",
                                          "block.engine=on",
                                          NULL};

static struct {
    struct contents whole;
    struct fuzz_file file, disk, kept;
    char disk_assignment[80];
    const char *assignments[16];
} fuzz;

static void sleep_no_more(void *opaque)
{
    struct machine **machine = opaque;
    machine_request_stop(*machine);
}

static struct machine *create(struct machine **place)
{
    static const struct machine_host host = {.sleep = sleep_no_more};
    struct machine_options options;
    struct err err = {""};
    fuzz_options(&options, fuzz.assignments);
    *place = machine_create(&options, &host, place, &err);
    fuzz_must(*place, "machine", &err);
    machine_options_release(&options);
    return *place;
}

static void use_devices(struct machine *machine)
{
    uint64_t state = 1;
    for (unsigned i = 0; i < ACCESSES; i++) {
        uint32_t draw[3];
        for (unsigned k = 0; k < 3; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
            draw[k] = (uint32_t)(state >> 32);
        }
        const struct physmem_device *device = &machine->mem->devices[draw[0] % (unsigned)machine->mem->device_count];
        uint32_t offset = draw[1] % device->size & ~3u, value = i % 4 ? draw[2] : draw[2] & 7;
        if (i % 2)
            physmem_device_write(machine->mem, device->base + offset, 4, i / 2 % machine->cpus, value);
        else
            physmem_device_read(machine->mem, device->base + offset, 4, i / 2 % machine->cpus, &value);
    }
}

static void run_on(struct machine *machine)
{
    struct err err = {""};
    machine_run(machine, &(struct machine_limits){CYCLES_NEVER, machine_insns(machine) + INSNS});
    fuzz_must(memsys_check(machine->memsys, &err), "caches", &err);
    fuzz_must(machine_check_accounts(machine, &err), "accounts", &err);
}

/* A loop over memory, by which there is something in the caches. */
static void load_program(struct machine *machine)
{
    static const uint32_t program[] = {
        0x8c820000, /* lw $2, 0($4) */
        0x24420001, /* addiu $2, 1 */
        0xac820000, /* sw $2, 0($4) */
        0x24840040, /* addiu $4, 64 */
        0x3084ffff, /* andi $4, 0xffff */
        0x3c018000, /* lui $1, 0x8000 */
        0x1000fff9, /* b back */
        0x00812025, /* or $4, $1 */
    };
    memcpy(physmem_host(machine->mem, PROGRAM), program, sizeof program);
    for (unsigned i = 0; i < machine->cpus; i++) {
        machine->cores[i]->s.pc = 0x80000000u | PROGRAM;
        machine->cores[i]->s.gpr[4] = 0x80000000u;
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct err err = {""};
    struct bytes bytes;
    struct machine *machine;
    fuzz.file = fuzz_file_create();
    fuzz.kept = fuzz_file_create();
    fuzz.disk = fuzz_file_create();
    if (ftruncate(fuzz.disk.fd, 1 << 20) != 0)
        fuzz_fail("disk", "no room");
    snprintf(fuzz.disk_assignment, sizeof fuzz.disk_assignment, "machine.disk0=%s", fuzz.disk.path);
    memcpy(fuzz.assignments, assignments, sizeof assignments);
    fuzz.assignments[sizeof assignments / sizeof assignments[0] - 1] = fuzz.disk_assignment;
    create(&machine);
    load_program(machine);
    run_on(machine);
    use_devices(machine);
    run_on(machine);
    fuzz_must(machine_save(machine, "boot", fuzz.file.path, &err), "checkpoint", &err);
    machine_free(machine);
    fuzz_must(bytes_read(&bytes, fuzz.file.path) && contents_of(&fuzz.whole, &bytes), "checkpoint", &err);
    free(bytes.at);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct err err = {""};
    struct machine *machine;
    if (size < 1)
        return 0;
    struct section *section = &fuzz.whole.sections[input[0] % fuzz.whole.count], before = *section;
    section->content = (struct bytes){(uint8_t *)(uintptr_t)(input + 1), size - 1};
    section->header.size = size - 1;
    struct bytes file = contents_to_file(&fuzz.whole, Z_NO_COMPRESSION);
    *section = before;
    fuzz_file_fill(&fuzz.file, file.at, file.size);
    free(file.at);

    create(&machine);
    struct checkpoint *checkpoint = checkpoint_open(fuzz.file.path, &err);
    bool done = checkpoint && machine_restore(machine, checkpoint, true, &err);
    fuzz_check(done, &err);
    checkpoint_close(checkpoint);
    if (done) {
        run_on(machine);
        use_devices(machine);
        run_on(machine);
        fuzz_must(machine_save(machine, "boot", fuzz.kept.path, &err), "saved again", &err);
    }
    machine_free(machine);
    return 0;
}

/* Something to begin with: a section as it is. */
size_t LLVMFuzzerCustomMutator(uint8_t *input, size_t size, size_t most, unsigned seed)
{
    if (size < 2 || seed % 40 == 0) {
        unsigned number = seed / 40 % fuzz.whole.count;
        const struct bytes *content = &fuzz.whole.sections[number].content;
        size = content->size + 1 < most ? content->size + 1 : most;
        input[0] = (uint8_t)number;
        memcpy(input + 1, content->at, size - 1);
    }
    return 1 + LLVMFuzzerMutate(input + 1, size - 1, most - 1); /* which section it is stays */
}
