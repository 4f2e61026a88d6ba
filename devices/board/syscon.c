/*
 * System controller. The register table is in syscon.h.
 */
#include "devices/board/syscon.h"
#include "src/base/board.h"
#include <stdlib.h>

enum { WORDS = BOARD_SYSCON_SIZE / 4 };

struct syscon {
    void (*reboot)(void *opaque);
    void *opaque;
    struct log *log;
    uint32_t scratch[WORDS]; /* architectural state, held by a checkpoint; word 0 stays 0 */
};

static uint32_t size_mask(unsigned size)
{
    return size >= 4 ? UINT32_MAX : (1u << size * 8) - 1;
}

static uint32_t syscon_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct syscon *syscon = opaque;
    (void)cpu;
    return offset / 4 < WORDS ? syscon->scratch[offset / 4] >> (offset % 4 * 8) & size_mask(size) : 0;
}

static void syscon_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct syscon *syscon = opaque;
    uint32_t mask = size_mask(size) << (offset % 4 * 8);
    (void)cpu;
    if (offset / 4 >= WORDS)
        return;
    if (offset == 0) {
        if ((value & size_mask(size)) == SYSCON_REBOOT_VALUE)
            syscon->reboot(syscon->opaque);
        else
            log_guest(syscon->log, "syscon.reboot", "syscon: 0x%x written to REBOOT: only 0x%x reboots", value,
                      SYSCON_REBOOT_VALUE);
    } else if (offset / 4 > 0) {
        uint32_t *word = &syscon->scratch[offset / 4];
        *word = (*word & ~mask) | (value << (offset % 4 * 8) & mask);
    }
}

const struct device_ops syscon_device_ops = {"syscon", syscon_read, syscon_write};

struct syscon *syscon_create(void (*reboot)(void *opaque), void *opaque, struct log *log)
{
    struct syscon *syscon = checked_memory(calloc(1, sizeof *syscon));
    syscon->reboot = reboot;
    syscon->opaque = opaque;
    syscon->log = log;
    return syscon;
}

void syscon_free(struct syscon *syscon)
{
    free(syscon);
}

static const struct saved_field fields[] = {SAVED_FIELD(struct syscon, scratch, SAVED_U32)};

static bool after_load(void *base, struct err *err)
{
    const struct syscon *syscon = base;
    return syscon->scratch[0] == 0 || err_set(err, "REBOOT is not zero");
}

void syscon_register_saved(struct syscon *syscon, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved, &(struct saved_section){
                         .name = "syscon", .version = 1, .base = syscon, SAVED_TABLE(fields), .ops = &ops});
}
