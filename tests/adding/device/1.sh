# Two registers, and an interrupt while one of them is not 0.
create devices/board/toy.c <<'END'
/*
 * A toy.
 *
 *   0x00 R  ID     0x00594f54, "TOY"
 *   0x04 RW VALUE  any number; the interrupt line is high while it is not 0
 */
#include "devices/device_stats.h"
#include "devices/device_type.h"
#include <stdlib.h>

enum { TOY_ID = 0x00, TOY_VALUE = 0x04, TOY_SIZE = 0x1000 };

struct toy {
    struct irq_line irq;
    struct log *log;
    uint32_t value;
    uint64_t writes;
};

static uint32_t toy_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct toy *toy = opaque;
    const uint32_t word = (offset & ~3u) == TOY_ID ? 0x00594f54 : (offset & ~3u) == TOY_VALUE ? toy->value : 0;
    (void)size;
    (void)cpu;
    return word >> 8 * (offset & 3);
}

static void toy_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct toy *toy = opaque;
    (void)cpu;
    if (offset != TOY_VALUE || size != 4) {
        log_guest(toy->log, "toy.write", "toy: %u bytes written to offset 0x%x", size, offset);
        return;
    }
    toy->value = value;
    toy->writes++;
    irq_set(&toy->irq, value != 0);
}

static const struct device_ops toy_device_ops = {.name = "toy", .read = toy_read, .write = toy_write};

static bool create(const struct device_board *board, void **device, struct err *err)
{
    struct toy *toy = *device = checked_memory(calloc(1, sizeof *toy));
    (void)err;
    toy->irq = device_irq(board, 0);
    toy->log = board->log;
    physmem_add_device(board->mem, board->base, TOY_SIZE, &toy_device_ops, toy);
    return true;
}

static void free_toy(void *device)
{
    free(device);
}

const struct device_type toy_type = {
    .name = "toy",
    .summary = "a number that can be kept, and an interrupt",
    .size = TOY_SIZE,
    .interrupts = 1,
    .create = create,
    .free = free_toy,
};
END
