/*
 * The ROM's bytes, by byte address (Linux: drivers/tc/tc.c): 0x3e0 width, 0x3e4 stride, 0x3e8 size in 8 KB, 0x3ec slot
 * size in 4 MB, 0x3f0 test pattern, 0x400 firmware version, 0x420 vendor, 0x440 module, 0x460 firmware type; texts have
 * 8 and 4 bytes.
 */
#include "devices/dec/turbochannel_rom.h"

#include "devices/registers.h"

#include <string.h>

enum { WIDTH = 0x3e0, PATTERN = 0x3f0, VERSION = 0x400, VENDOR = 0x420, MODULE = 0x440, TYPE = 0x460 };

static uint8_t rom_byte(const struct turbochannel_rom *rom, uint32_t offset)
{
    static const uint8_t geometry[] = {1, 4, 0x20, 1}, pattern[] = {0x55, 0x00, 0xaa, 0xff};
    const uint32_t index = offset % 0x20 / 4;
    switch (offset & ~0x1fu) {
    case WIDTH: return index < 4 ? geometry[index] : pattern[index - 4];
    case VERSION: return (uint8_t) "V5.3a   "[index];
    case VENDOR: return (uint8_t) "DEC     "[index];
    case MODULE: return (uint8_t)rom->module[index];
    case TYPE: return index < 4 ? (uint8_t) "TCF0"[index] : 0;
    default: return 0;
    }
}

static uint32_t rom_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    (void)size;
    (void)cpu;
    return offset % 4 == 0 ? rom_byte(opaque, offset) : 0;
}

static uint32_t station_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct turbochannel_rom *rom = opaque;
    (void)size;
    (void)cpu;
    return ((uint32_t)rom->station[offset / 4] << 16) >> 8 * (offset % 4);
}

const struct device_ops turbochannel_rom_ops = {"turbochannel rom", rom_read, register_ignore_write};
const struct device_ops turbochannel_station_ops = {"station address", station_read, register_ignore_write};
