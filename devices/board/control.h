/*
 * The control device: through it the guest's init asks the simulator for its job, marks positions in a run, and ends
 * it with an exit status. Simulator-only hardware: no real board has it. The register table is in control.c.
 *
 * The mailbox is ordinary RAM (BOARD_MAILBOX_BASE, reserved in the device tree), which the guest reads and writes
 * through /dev/mem; the device reads and writes it by DMA.
 *
 * Device tree: no node is needed for the registers; the mailbox goes under /reserved-memory with no-map.
 */
#ifndef SIMOS_CONTROL_H
#define SIMOS_CONTROL_H

#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include "src/base/types.h"

enum { CONTROL_NAME_MAX = 255 }; /* longest name of a mark */

/* What the guest asks for. All are called from within a register access; none may be NULL. */
struct control_ops {
    /* Userland is up and asks for its job: put a shell script of at most SIZE bytes into BUFFER and return its length;
     * 0 = there is none. */
    size_t (*get_command)(void *opaque, char *buffer, size_t size);
    /* The same script, without anybody asking. */
    size_t (*get_job)(void *opaque, char *buffer, size_t size);
    /* The guest is at the position NAME: 1 to 255 printable ASCII characters. */
    void (*mark)(void *opaque, const char *name);
    /* The run ends with STATUS, 0..255. Returns: the guest may run on until the simulator stops it. */
    void (*exit)(void *opaque, unsigned status);
    /* Has this run a job? */
    bool (*has_job)(void *opaque);
};

struct control;

/* Registers for physmem_add_device(); opaque is the struct control. */
extern const struct device_ops control_device_ops;

/* MEM, OPS, OPAQUE and LOG must outlive it. Never NULL. */
struct control *control_create(struct physmem *mem, const struct control_ops *ops, void *opaque, struct log *log);
void control_free(struct control *control);

/* Register the counters as PREFIX.marks and so on. */
void control_register_stats(const struct control *control, struct stats *stats, const char *prefix);

/* Add the section "control". */
void control_register_saved(struct control *control, struct saved *saved);

/* The guest has asked for its job and not yet looked at the answer: give it the present one instead, if there is one.
 */
void control_answer_again(struct control *control);

#endif
