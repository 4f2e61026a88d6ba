/*
 * Registers (32 bits wide, little-endian; narrower reads return the addressed bytes, narrower writes are ignored):
 *
 *   0x00 R  ID            0x4f4d4953, "SIMO"
 *   0x04 R  MAILBOX_ADDR  physical address of the mailbox
 *   0x08 R  MAILBOX_SIZE  bytes
 *   0x0c RW LENGTH        valid bytes in the mailbox
 *   0x10 W  REQUEST       1 GET_COMMAND: fill the mailbox with a shell script, padded with newlines to its end; LENGTH
 *                           is the script's length; 0 = no command, the mailbox is unchanged
 *                         2 MARK: the first LENGTH bytes of the mailbox are the name of a mark
 *   0x14 W  EXIT          end the run; the low 8 bits are its status
 *   0x18 W  MARK_NUMBER   set a mark with this number in decimal as its name
 *   0x1c R  JOB           1 if a command is available, else 0
 */
#include "devices/board/control.h"
#include "devices/device_stats.h"
#include "src/base/board.h"
#include <stdlib.h>
#include <string.h>

enum {
    REG_ID = 0x00,
    REG_MAILBOX_ADDR = 0x04,
    REG_MAILBOX_SIZE = 0x08,
    REG_LENGTH = 0x0c,
    REG_REQUEST = 0x10,
    REG_EXIT = 0x14,
    REG_MARK_NUMBER = 0x18,
    REG_JOB = 0x1c,
    CONTROL_ID = 0x4f4d4953,
};
enum { REQUEST_GET_COMMAND = 1, REQUEST_MARK = 2 };
enum { EXIT_BITS = 0xff };

struct control {
    uint32_t length; /* LENGTH: with an own mailbox, the architectural state */
    paddr mailbox;
    uint8_t *own; /* the mailbox, if it is not RAM; else NULL */
    struct physmem *mem;
    const struct control_ops *ops;
    void *opaque;
    struct log *log;
    uint64_t marks, commands;
};

/* Mailbox */

static bool mailbox_write(struct control *control, const void *bytes, uint32_t size)
{
    if (!control->own)
        return physmem_dma_write(control->mem, control->mailbox, bytes, size);
    memcpy(control->own, bytes, size);
    return true;
}

static bool mailbox_read(struct control *control, void *bytes, uint32_t size)
{
    if (!control->own)
        return physmem_dma_read(control->mem, control->mailbox, bytes, size);
    memcpy(bytes, control->own, size);
    return true;
}

static uint32_t own_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct control *control = opaque;
    uint32_t value = 0;
    (void)cpu;
    memcpy(&value, control->own + offset, size);
    return value;
}

static void own_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    const struct control *control = opaque;
    (void)cpu;
    memcpy(control->own + offset, &value, size);
}

const struct device_ops control_mailbox_ops = {.name = "mailbox", .read = own_read, .write = own_write};

/* Requests */

static void get_command(struct control *control, size_t (*request)(void *opaque, char *buffer, size_t size))
{
    char *mailbox = checked_memory(malloc(BOARD_MAILBOX_SIZE));
    control->length = 0;
    size_t length = request(control->opaque, mailbox, BOARD_MAILBOX_SIZE);
    if (length > BOARD_MAILBOX_SIZE)
        log_bug("control: a command of %zu bytes for a mailbox of %d", length, BOARD_MAILBOX_SIZE);
    if (length > 0) {
        memset(mailbox + length, '\n', BOARD_MAILBOX_SIZE - length);
        if (mailbox_write(control, mailbox, BOARD_MAILBOX_SIZE))
            control->length = (uint32_t)length;
        else
            log_guest(control->log, "control.mailbox", "control: the mailbox is not RAM");
    }
    free(mailbox);
}

static void mark(struct control *control, const char *name)
{
    control->marks++;
    control->ops->mark(control->opaque, name);
}

void control_mark(struct control *control, const char *text, uint32_t length)
{
    char name[CONTROL_NAME_MAX + 1];
    length = length < CONTROL_NAME_MAX ? length : CONTROL_NAME_MAX;
    memcpy(name, text, length);
    while (length > 0 &&
           strchr(" \t\r\n", name[length - 1])) /* strchr() also matches a NUL byte, which counts as a blank */
        length--;
    name[length] = '\0';
    uint32_t start = 0;
    while (start < length && strchr(" \t\r\n", name[start]))
        start++;
    for (uint32_t i = start; i < length; i++)
        if (name[i] < 0x20 || name[i] > 0x7e)
            name[i] = '_';
    if (start == length)
        log_guest(control->log, "control.mark", "control: a mark without a name");
    else
        mark(control, name + start);
}

static void mark_from_mailbox(struct control *control)
{
    char text[CONTROL_NAME_MAX];
    uint32_t length = control->length < CONTROL_NAME_MAX ? control->length : CONTROL_NAME_MAX;
    if (mailbox_read(control, text, length))
        control_mark(control, text, length);
    else
        log_guest(control->log, "control.mailbox", "control: the mailbox is not RAM");
}

size_t control_request_command(struct control *control, char *buffer, size_t size)
{
    control->commands++;
    return control->ops->get_command(control->opaque, buffer, size);
}

size_t control_job(struct control *control, char *buffer, size_t size)
{
    return control->ops->has_job(control->opaque) ? control->ops->get_job(control->opaque, buffer, size) : 0;
}

void control_exit(struct control *control, uint32_t status)
{
    control->ops->exit(control->opaque, status & EXIT_BITS);
}

static void mark_number(struct control *control, uint32_t value)
{
    char name[16];
    snprintf(name, sizeof name, "%u", value);
    mark(control, name);
}

static void write_request(struct control *control, uint32_t value)
{
    switch (value) {
    case REQUEST_GET_COMMAND:
        control->commands++;
        get_command(control, control->ops->get_command);
        break;
    case REQUEST_MARK: mark_from_mailbox(control); break;
    default: log_guest(control->log, "control.request", "control: no request 0x%x", value); break;
    }
}

static uint32_t read_register(struct control *control, uint32_t offset)
{
    switch (offset) {
    case REG_ID: return CONTROL_ID;
    case REG_MAILBOX_ADDR: return control->mailbox;
    case REG_MAILBOX_SIZE: return BOARD_MAILBOX_SIZE;
    case REG_LENGTH: return control->length;
    case REG_JOB: return control->ops->has_job(control->opaque);
    default: log_guest(control->log, "control.read", "control: read of offset 0x%x", offset); return 0;
    }
}

static uint32_t control_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    (void)size;
    (void)cpu;
    return read_register(opaque, offset & ~3u) >> 8 * (offset & 3);
}

static void control_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct control *control = opaque;
    (void)cpu;
    if (size != 4) {
        log_guest(control->log, "control.width", "control: offset 0x%x written with %u bytes", offset, size);
        return;
    }
    switch (offset) {
    case REG_LENGTH: control->length = value; break;
    case REG_REQUEST: write_request(control, value); break;
    case REG_EXIT: control_exit(control, value); break;
    case REG_MARK_NUMBER: mark_number(control, value); break;
    default: log_guest(control->log, "control.write", "control: write to offset 0x%x", offset); break;
    }
}

const struct device_ops control_device_ops = {.name = "control", .read = control_read, .write = control_write};

struct control *control_create(struct physmem *mem, struct control_mailbox mailbox, const struct control_ops *ops,
                               void *opaque, struct log *log)
{
    struct control *control = checked_memory(calloc(1, sizeof *control));
    control->mem = mem;
    control->mailbox = mailbox.address;
    control->own = mailbox.own ? checked_memory(calloc(1, BOARD_MAILBOX_SIZE)) : NULL;
    control->ops = ops;
    control->opaque = opaque;
    control->log = log;
    return control;
}

void control_free(struct control *control)
{
    if (!control)
        return;
    free(control->own);
    free(control);
}

void control_register_stats(const struct control *control, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"marks", "marks", "positions the guest marked", &control->marks},
        {"commands", "requests", "times the guest asked for its job", &control->commands},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

void control_refresh_job(struct control *control)
{
    if (control->ops->has_job(control->opaque))
        get_command(control, control->ops->get_job);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct control, length, SAVED_U32),
    SAVED_STATISTIC(struct control, marks),
    SAVED_STATISTIC(struct control, commands),
};

static void write_mailbox(void *base, struct saved_out *out)
{
    const struct control *control = base;
    saved_put(out, control->own, BOARD_MAILBOX_SIZE);
}

static bool read_mailbox(void *base, struct saved_in *in, struct err *err)
{
    const struct control *control = base;
    (void)err;
    return saved_get(in, control->own, BOARD_MAILBOX_SIZE);
}

void control_register_saved(struct control *control, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_mailbox, .read = read_mailbox};
    saved_add(saved, &(struct saved_section){.name = "control", .version = 1, .base = control, SAVED_TABLE(fields)});
    if (control->own)
        saved_add(saved,
                  &(struct saved_section){.name = "control.mailbox", .version = 1, .base = control, .ops = &ops});
}
