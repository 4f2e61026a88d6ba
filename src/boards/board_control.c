/* The board's control device: passes the job to the guest, and marks and the exit status to the machine. */
#include "src/boards/board_control.h"

#include "src/machine/board_devices.h"
#include "src/machine/machine_end.h"
#include "src/machine/machine_model.h"
#include "src/machine/machine_power.h"
#include "src/base/board.h"
#include <string.h>

enum { MAILBOX_OFFSET = 0x10000 }; /* of a mailbox that is not RAM, from the registers */

static size_t get_job(void *opaque, char *buffer, size_t size)
{
    const struct machine *machine = opaque;
    size_t length = machine->job ? strlen(machine->job) : 0;
    if (length > size)
        log_bug("a job of %zu bytes in a mailbox of %zu", length, size); /* machine_create() checks the length */
    if (length)
        memcpy(buffer, machine->job, length);
    return length;
}

static size_t get_command(void *opaque, char *buffer, size_t size)
{
    struct machine *machine = opaque;
    machine->userland_up = true;
    machine_models_at_boot(machine);
    machine_pause_at(machine, MACHINE_EVENT_BOOT, "");
    if (machine->host && machine->host->userland_up)
        machine->host->userland_up(machine->host_opaque);
    return get_job(machine, buffer, size);
}

static void mark(void *opaque, const char *name)
{
    struct machine *machine = opaque;
    machine_models_at_mark(machine, name);
    machine_pause_at(machine, MACHINE_EVENT_MARK, name);
    if (machine->host && machine->host->mark)
        machine->host->mark(machine->host_opaque, name);
}

static void guest_exit(void *opaque, unsigned status)
{
    struct machine *machine = opaque;
    struct err reason = {""};
    if (machine->job && !machine->userland_up) {
        err_set(&reason, "the guest ended, with status %u, before it asked for its command, which did not run", status);
        machine_fail(machine, &reason);
        return;
    }
    machine->exit_status = status;
    machine_end(machine, MACHINE_STOP_EXIT);
}

static bool has_job(void *opaque)
{
    return ((const struct machine *)opaque)->job != NULL;
}

static const struct control_ops control_ops = {
    .get_command = get_command, .get_job = get_job, .mark = mark, .exit = guest_exit, .has_job = has_job};

static struct control *create_at(const struct device_board *board, struct control_mailbox mailbox)
{
    struct control *control = control_create(board->mem, mailbox, &control_ops, board->machine, board->log);
    physmem_add_device(board->mem, board->base, BOARD_CONTROL_SIZE, &control_device_ops, control);
    if (mailbox.own)
        physmem_add_device(board->mem, mailbox.address, BOARD_MAILBOX_SIZE, &control_mailbox_ops, control);
    return control;
}

static bool create(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = create_at(board, (struct control_mailbox){BOARD_MAILBOX_BASE, false});
    return true;
}

static bool create_with_mailbox(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = create_at(board, (struct control_mailbox){board->base + MAILBOX_OFFSET, true});
    return true;
}

static void free_control(void *device)
{
    control_free(device);
}

static void register_stats(void *device, struct stats *stats)
{
    control_register_stats(device, stats, "control");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    control_register_saved(device, saved);
    return true;
}

static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    tree_begin_at(tree, "control", board->base);
    tree_registers(tree, "simos,control", board->base, BOARD_CONTROL_SIZE);
    tree_end(tree);
}

const struct device_type board_control_type = {
    .name = "control",
    .summary = "interface of the guest to the simulator: job, marks, end of the run",
    .size = BOARD_CONTROL_SIZE,
    .create = create,
    .free = free_control,
    .register_stats = register_stats,
    .register_saved = register_saved,
    .write_node = write_node,
};

const struct device_type board_own_control_type = {
    .name = "control",
    .summary = "interface of the guest to the simulator: job, marks, end of the run; its mailbox is at + 0x10000",
    .size = MAILBOX_OFFSET + BOARD_MAILBOX_SIZE,
    .create = create_with_mailbox,
    .free = free_control,
    .register_stats = register_stats,
    .register_saved = register_saved,
};
