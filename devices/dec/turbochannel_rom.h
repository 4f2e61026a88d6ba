/*
 * The ROM of a TURBOchannel module, a byte in each word, by which the kernel recognises it (Linux:
 * drivers/tc/tc.c), and the station address ROM of an Ethernet module, in the third byte of each word (Linux:
 * drivers/net/ethernet/amd/declance.c).
 */
#ifndef SIMOS_DEVICES_DEC_TURBOCHANNEL_ROM_H
#define SIMOS_DEVICES_DEC_TURBOCHANNEL_ROM_H

#include "src/memory/physmem.h"

enum {
    TURBOCHANNEL_ROM_SIZE = 0x480, /* bytes of addresses: what precedes the objects of the ROM */
    TURBOCHANNEL_STATION_BYTES = 32,
    TURBOCHANNEL_STATION_SIZE = 4 * TURBOCHANNEL_STATION_BYTES,
};

struct turbochannel_rom {
    const char *module; /* 8 characters */
    uint8_t station[TURBOCHANNEL_STATION_BYTES];
};

/* For physmem_add_device(); opaque is a struct turbochannel_rom. */
extern const struct device_ops turbochannel_rom_ops, turbochannel_station_ops;

#endif
