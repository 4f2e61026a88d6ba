/*
 * Fuzzes whole machines with random register accesses to every device of every board (src/machine/boards.h),
 * including the callbacks that connect it with the machine, under the sanitizers.
 *
 *     fuzz_rows [seed [iterations]]           iterations: of each board
 *
 * Checked: nothing crashes or hangs; every row with addresses is read and written; the state can be saved afterwards;
 * the machine can be freed. fuzz_devices.c checks its devices in more detail. No instruction is executed.
 */
#include "src/machine/board_devices.h"
#include "src/machine/boards.h"
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
    DISK_BYTES = 256 << 10,
    MACHINE_ITERATIONS = 20000, /* per machine: some registers, once locked, stay locked */
    EVENTS_MAX = 1000,          /* maximum events per iteration */
    WATCHDOG_SECONDS = 120,     /* per machine: a hanging device fails the test */
};

struct fuzz {
    struct fuzz_run run;
    const struct board *board;
    struct machine *machine;
    char path[64];
    uint64_t reads[BOARD_ROWS_MAX], writes[BOARD_ROWS_MAX];
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

static void assign(struct machine_options *options, const char *assignment)
{
    struct err err = {""};
    if (!params_set_assignment(options->params, assignment, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

/* Only board simos has several processors, disks and an entropy device. */
static void add_devices_of_simos(struct fuzz *f, struct machine_options *options)
{
    struct err err = {""};
    char disk0[128], disk1[128];
    snprintf(disk0, sizeof disk0, "machine.disk0=%s", f->path);
    snprintf(disk1, sizeof disk1, "machine.disk7=%s,ro", f->path);
    assign(options, "machine.cpus=4");
    assign(options, "rng.present=on");
    assign(options, disk0);
    assign(options, disk1);
    options->copy = copy_files_create();
    check(&f->run, copy_files_add_in(options->copy, f->path, &err) && copy_files_add_out(options->copy, "file", &err),
          "%s", err.text);
}

/* A machine with every device that parameters can configure, without connection to a network. */
static void build(struct fuzz *f)
{
    struct machine_options options;
    struct err err = {""};
    char board[64];
    snprintf(board, sizeof board, "machine.board=%s", f->board->name);
    machine_options_init(&options);
    options.quiet = true;
    assign(&options, board);
    if (f->board->architecture != NULL) {
        char architecture[64];
        snprintf(architecture, sizeof architecture, "cpu.architecture=%s", f->board->architecture);
        assign(&options, architecture);
    }
    assign(&options, "machine.memory=16M");
    assign(&options, "machine.net=user,restrict,host=off");
    if (f->board == board_at(0))
        add_devices_of_simos(f, &options);
    f->machine = machine_create(&options, NULL, NULL, &err);
    if (!f->machine) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    for (unsigned i = 0; i < f->board->row_count; i++)
        check(&f->run, board_device(f->machine, f->board->rows[i].type) != NULL || f->board->rows[i].type->size == 0,
              "no device %s", f->board->rows[i].type->name);
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
    const struct board_row *row = &f->board->rows[index];
    struct physmem *mem = f->machine->mem;
    const struct physmem_device *candidates[PHYSMEM_MAX_DEVICES];
    unsigned count = 0, size = one_in(&f->run, 4) ? 1u << below(&f->run, 3) : 4;
    const unsigned cpu = below(&f->run, f->machine->cpus);
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

static void fuzz_board(struct fuzz *f, const struct board *board, uint64_t iterations)
{
    /* processor time; SIGPROF ends the process */
    const struct itimerval watchdog = {.it_value.tv_sec = WATCHDOG_SECONDS};
    f->board = board;
    memset(f->reads, 0, sizeof f->reads);
    memset(f->writes, 0, sizeof f->writes);
    for (uint64_t i = 0; i < iterations; i++) {
        if (i % MACHINE_ITERATIONS == 0) {
            setitimer(ITIMER_PROF, &watchdog, NULL);
            if (f->machine)
                tear_down(f);
            build(f);
        }
        access_row(f, below(&f->run, board->row_count));
        if (one_in(&f->run, 64))
            pass(f);
    }
    tear_down(f);
    f->machine = NULL;
    for (unsigned i = 0; i < board->row_count; i++) {
        const struct device_type *type = board->rows[i].type;
        printf(" %s %" PRIu64 "+%" PRIu64, type->name, f->reads[i], f->writes[i]);
        check(&f->run, type->size == 0 || (f->reads[i] && f->writes[i]) || iterations < 20000,
              "%s: the fuzz does not reach it", type->name);
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t iterations = argc > 2 ? strtoull(argv[2], NULL, 0) : 400000;
    struct fuzz *f = calloc(1, sizeof *f);
    if (!f)
        return 1;
    fuzz_seed(&f->run, seed);
    make_image(f);
    printf("seed %" PRIu64 ":", seed);
    for (unsigned i = 0; board_at(i); i++)
        fuzz_board(f, board_at(i), iterations);
    printf("\nfuzz_rows: %" PRIu64 " passed, %" PRIu64 " failed\n", f->run.passed, f->run.failed);
    const bool failed = f->run.failed != 0;
    unlink(f->path);
    free(f);
    return failed;
}
