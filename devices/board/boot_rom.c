#include "devices/board/boot_rom.h"

#include "src/base/board.h"

bool boot_rom_install(struct physmem *mem, struct err *err)
{
    return mem->rom_bytes != 0 || physmem_add_rom(mem, BOARD_ROM_BASE, BOARD_ROM_SIZE, err);
}

/* The section says whether there is a ROM; its bytes are those of memory, which is loaded later. */
static void write_presence(void *base, struct saved_out *out)
{
    const struct physmem *mem = base;
    saved_put_u32(out, (uint32_t)mem->rom_bytes);
}

static bool read_presence(void *base, struct saved_in *in, struct err *err)
{
    struct physmem *mem = base;
    uint32_t bytes;
    if (!saved_get_u32(in, &bytes))
        return false;
    if (bytes != 0 && bytes != BOARD_ROM_SIZE)
        return err_set(err, "boot ROM of %u bytes; it has %u or none", bytes, BOARD_ROM_SIZE);
    return bytes == 0 || boot_rom_install(mem, err);
}

static const struct saved_ops rom_ops = {.write = write_presence, .read = read_presence};

static bool create(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = board->mem;
    return true;
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    saved_add(saved, &(struct saved_section){
                         .name = "boot_rom", .version = 1, .optional = true, .base = device, .ops = &rom_ops});
    return true;
}

const struct device_type boot_rom_type = {
    .name = "boot-rom",
    .summary =
        "boot ROM, present if the kernel file has something for it; its first page is the coherence manager's L2 "
        "sync region too",
    .size = BOARD_ROM_SIZE,
    .create = create,
    .register_saved = register_saved,
};
