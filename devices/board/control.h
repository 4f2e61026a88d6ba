/*
 * The control device: through it the guest's init asks the simulator for its job script, marks positions in a run, and
 * ends the run with an exit status. Simulator-only hardware: no real board has it. The register table is in control.c.
 *
 * The mailbox is ordinary RAM (BOARD_MAILBOX_BASE, reserved in the device tree), which the device accesses by DMA; or,
 * on a board where no RAM can be reserved, memory of the device. The guest accesses it through /dev/mem.
 *
 * Device tree: no node for the registers; the mailbox is a node of /reserved-memory with no-map.
 */
#ifndef SIMOS_DEVICES_BOARD_CONTROL_H
#define SIMOS_DEVICES_BOARD_CONTROL_H

#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/types.h"

enum { CONTROL_NAME_MAX = 255 }; /* longest name of a mark */

/* Callbacks for the guest's requests. Each runs inside a register access; none may be NULL. */
struct control_ops {
    /* User space is up and requests its job: write a shell script of at most SIZE bytes to BUFFER and return its length
     * in bytes; 0 = no job. */
    size_t (*get_command)(void *opaque, char *buffer, size_t size);
    /* As get_command, but the guest has not sent a request. */
    size_t (*get_job)(void *opaque, char *buffer, size_t size);
    /* The guest has reached the mark NAME: 1 to 255 printable ASCII characters. */
    void (*mark)(void *opaque, const char *name);
    /* End the run with STATUS, 0..255. The callback returns, and the guest may execute further instructions until the
     * simulator stops it. */
    void (*exit)(void *opaque, unsigned status);
    /* Does this run have a job? */
    bool (*has_job)(void *opaque);
};

struct control;

/* Registers for physmem_add_device(), BOARD_CONTROL_SIZE bytes, and the mailbox if it is memory of the device,
 * BOARD_MAILBOX_SIZE bytes; opaque is the struct control. */
extern const struct device_ops control_device_ops, control_mailbox_ops;

struct control_mailbox {
    paddr address;
    bool own; /* it is memory of the device, not RAM */
};

/* Create the control device. MEM, OPS, OPAQUE and LOG must outlive it. Never NULL. */
struct control *control_create(struct physmem *mem, struct control_mailbox mailbox, const struct control_ops *ops,
                               void *opaque, struct log *log);
void control_free(struct control *control);

/* Register the counters as PREFIX.marks and so on. */
void control_register_stats(const struct control *control, struct stats *stats, const char *prefix);

/* Register the saved section "control", and "control.mailbox" of an own mailbox. */
void control_register_saved(struct control *control, struct saved *saved);

/* Replace the script in the mailbox by the present job, if there is one. For a guest that has requested its job and has
 * not yet read the answer. */
void control_refresh_job(struct control *control);

/* The same requests from elsewhere than the registers: ask for the job (control_ops.get_command); set a mark named
 * TEXT, of which leading and trailing blanks are removed, and other characters than printable ASCII become '_'; end the
 * run with the low 8 bits of STATUS. */
size_t control_request_command(struct control *control, char *buffer, size_t size);
void control_mark(struct control *control, const char *text, uint32_t length);
void control_exit(struct control *control, uint32_t status);

/* The present job without a request of the guest: its length, and the script in BUFFER; 0: there is none. */
size_t control_job(struct control *control, char *buffer, size_t size);

#endif
