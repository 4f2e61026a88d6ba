/*
 * printf of the boot PROM: formats in guest memory. Private to devices/dec/.
 */
#ifndef SIMOS_DEVICES_DEC_PROM_PRINTF_H
#define SIMOS_DEVICES_DEC_PROM_PRINTF_H

#include "src/base/types.h"

/* Where format, arguments and characters are. */
struct prom_printf {
    /* The byte at guest address ADDRESS; -1: no memory is there. */
    int (*byte)(void *opaque, vaddr address);
    /* Argument INDEX behind the format, from 0. */
    uint32_t (*argument)(void *opaque, unsigned index);
    void (*put)(void *opaque, uint8_t byte);
    void *opaque;
};

enum { PROM_TEXT_MAX = 0x10000 }; /* of the format, and of what a call prints: the rest is dropped */

/* Print FORMAT: %d %i %u %x %X %o %p %c %s %%, with a width, `-`, `0` and l. Anything else is printed as it is. Returns
 * the number of characters. */
uint32_t prom_printf(const struct prom_printf *call, vaddr format);

#endif
