/*
 * Fuzzes a whole machine with random register accesses to every device that has a row in src/machine/board.def,
 * including the callbacks that connect it with the machine, under the sanitizers.
 *
 *     fuzz_rows [seed [iterations]]
 *
 * Checked: nothing crashes or hangs; every row with addresses is read and written; the state can be saved afterwards;
 * the machine can be freed. fuzz_devices.c checks its devices in more detail. No instruction is executed.
 */
#include "src/machine/board_devices.h"
#include "src/host/copy_files.h"
#include "src/machine/machine_saved.h"
#include "src/base/saved.h"
#include "tests/unit/fuzz_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    CPUS = 4,
    DISK_BYTES = 256 << 10,
    MOST_ROWS = 64,
    MACHINE_ITERATIONS = 20000, /* per machine: some registers, once locked, stay locked */
    EVENTS_MAX = 1000,          /* maximum events per iteration */
    WATCHDOG_SECONDS = 120,     /* per machine: a hanging device fails the test */
};

struct fuzz {
    struct fuzz_run run;
    struct machine *machine;
    char path[64];
    uint64_t reads[MOST_ROWS], writes[MOST_ROWS];
};

static void make_image(struct fuzz *f)
{
    strcpy(f->path, P_tmpdir "/simos-rows-XXXXXX");
    int fd = mkstemp(f->path);
    if (fd < 0 || ftruncate(fd, DISK_BYTES) != 0) {
        perror(f->path);
        exit(1);
    }
    close(fd);
}

/* A machine with every device that parameters can configure, without connection to a network. */
static void build(struct fuzz *f)
{
    struct machine_options options;
    struct err err = {""};
    char disk0[128], disk1[128];
    snprintf(disk0, sizeof disk0, "machine.disk0=%s", f->path);
    snprintf(disk1, sizeof disk1, "machine.disk7=%s,ro", f->path);
    const char *const assignments[] = {
        "machine.cpus=4", "machine.memory=16M", "machine.net=user,restrict,host=off", "rng.present=on", disk0, disk1};
    machine_options_init(&options);
    options.quiet = true;
    options.copy = copy_files_create();
    bool done = copy_files_add_in(options.copy, f->path, &err) && copy_files_add_out(options.copy, "file", &err);
    for (size_t i = 0; done && i < sizeof assignments / sizeof assignments[0]; i++)
        done = params_set_assignment(options.params, assignments[i], &err);
    f->machine = done ? machine_create(&options, NULL, NULL, &err) : NULL;
    if (!f->machine) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    for (unsigned i = 0; i < MOST_ROWS && board_row_at(i); i++) {
        check(&f->run, i + 1 < MOST_ROWS, "more rows than fit");
        check(&f->run, board_device(f->machine, board_row_at(i)->type) != NULL, "no device %s",
              board_row_at(i)->type->name);
    }
    options.copy = NULL; /* owned by the machine now */
    machine_options_release(&options);
}

/* Check that the state can be saved. */
static void look(struct fuzz *f)
{
    struct err err = {""};
    struct saved *saved = machine_saved_list(f->machine, &err);
    check(&f->run, saved != NULL, "cannot be saved: %s", err.text);
    saved_free(saved);
}

static void tear_down(struct fuzz *f)
{
    struct copy_files *copy = f->machine->copy;
    look(f);
    machine_free(f->machine);
    copy_files_free(copy);
}

/* One access to a device of row INDEX. */
static void access_row(struct fuzz *f, unsigned index)
{
    const struct board_row *row = board_row_at(index);
    struct physmem *mem = f->machine->mem;
    const struct physmem_device *candidates[PHYSMEM_MAX_DEVICES];
    unsigned count = 0, size = one_in(&f->run, 4) ? 1u << below(&f->run, 3) : 4, cpu = below(&f->run, CPUS);
    for (int i = 0; i < mem->device_count; i++)
        if (mem->devices[i].base >= row->base && mem->devices[i].base - row->base < row->type->size)
            candidates[count++] = &mem->devices[i];
    if (count == 0)
        return;
    const struct physmem_device *device = candidates[below(&f->run, count)];
    const uint32_t reach = one_in(&f->run, 2) || device->size < 0x100 ? device->size : 0x100;
    const paddr address = device->base + (below(&f->run, reach) & ~(size - 1));
    uint32_t value = one_in(&f->run, 3) ? random32(&f->run) : below(&f->run, 256);
    const bool reads = one_in(&f->run, 3);
    const bool found = reads ? physmem_device_read(mem, address, size, cpu, &value)
                             : physmem_device_write(mem, address, size, cpu, value);
    check(&f->run, found, "%s: nothing at 0x%x", row->type->name, address);
    if (reads)
        f->reads[index]++;
    else
        f->writes[index]++;
}

static void pass(struct fuzz *f)
{
    struct event_queue *queue = f->machine->queue;
    const cycles end = queue->now + below(&f->run, 100000);
    for (unsigned i = 0; i < EVENTS_MAX && event_queue_next(queue) <= end; i++)
        event_queue_run(queue, event_queue_next(queue));
}

int main(int argc, char **argv)
{
    /* processor time; SIGPROF ends the process */
    const struct itimerval watchdog = {.it_value.tv_sec = WATCHDOG_SECONDS};
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t iterations = argc > 2 ? strtoull(argv[2], NULL, 0) : 400000;
    unsigned rows = 0;
    struct fuzz *f = calloc(1, sizeof *f);
    if (!f)
        return 1;
    while (board_row_at(rows))
        rows++;
    fuzz_seed(&f->run, seed);
    make_image(f);
    for (uint64_t i = 0; i < iterations; i++) {
        if (i % MACHINE_ITERATIONS == 0) {
            setitimer(ITIMER_PROF, &watchdog, NULL);
            if (f->machine)
                tear_down(f);
            build(f);
        }
        access_row(f, below(&f->run, rows));
        if (one_in(&f->run, 64))
            pass(f);
    }
    tear_down(f);
    printf("seed %" PRIu64 ":", seed);
    for (unsigned i = 0; i < rows; i++) {
        const struct device_type *type = board_row_at(i)->type;
        printf(" %s %" PRIu64 "+%" PRIu64, type->name, f->reads[i], f->writes[i]);
        check(&f->run, type->size == 0 || (f->reads[i] && f->writes[i]) || iterations < 20000,
              "%s: the fuzz does not reach it", type->name);
    }
    printf("\nfuzz_rows: %" PRIu64 " passed, %" PRIu64 " failed\n", f->run.passed, f->run.failed);
    const bool failed = f->run.failed != 0;
    unlink(f->path);
    free(f);
    return failed;
}
