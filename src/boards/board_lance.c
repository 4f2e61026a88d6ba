#include "src/boards/board_lance.h"

#include "devices/dec/lance.h"
#include "devices/dec/turbochannel_rom.h"
#include "src/machine/board_devices.h"
#include "src/machine/board_net.h"
#include <stdlib.h>

enum {
    KN01_BUFFER = 64 << 10, /* bytes; a halfword is in each word of the CPU's addresses */
    SLOT_BUFFER = 128 << 10,
    SLOT_REGISTERS = 0x100000, /* offsets in the TURBOchannel slot (drivers/net/ethernet/amd/declance.c) */
    SLOT_STATION = 0x1c0000,
    SLOT_ROM = 0x3c0000,
    SLOT_SIZE = 0x400000,
};

struct card {
    struct board_net net; /* first: board_net_of() */
    struct lance *lance;  /* NULL: machine.net is none */
    struct turbochannel_rom rom;
};

static bool add_lance(const struct device_board *board, uint32_t buffer, void **device, struct err *err)
{
    struct card *card = *device = checked_memory(calloc(1, sizeof *card));
    if (!board_net_create(&card->net, board, err))
        return false;
    if (card->net.kind == BOARD_NET_NONE)
        return true;
    card->lance = lance_create(board->queue, buffer, params_u64(board->params, "net.bandwidth"),
                               params_u64(board->params, "net.latency"), device_irq(board, 0), board->log);
    board_net_attach(&card->net, lance_link(card->lance));
    return true;
}

static bool create_on_kn01(const struct device_board *board, void **device, struct err *err)
{
    if (!add_lance(board, KN01_BUFFER, device, err))
        return false;
    const struct card *card = *device;
    if (card->lance)
        physmem_add_device(board->mem, board->base, 2 * KN01_BUFFER, &lance_halfword_buffer_ops, card->lance);
    return true;
}

/* The registers of the KN01's controller, which its buffer's row has created. */
static bool create_registers(const struct device_board *board, void **device, struct err *err)
{
    const struct card *card = board_device(board->machine, &board_lance_type);
    (void)err;
    *device = card->lance;
    if (card->lance)
        physmem_add_device(board->mem, board->base, LANCE_SIZE, &lance_device_ops, card->lance);
    return true;
}

static bool create_in_slot(const struct device_board *board, void **device, struct err *err)
{
    if (!add_lance(board, SLOT_BUFFER, device, err))
        return false;
    struct card *card = *device;
    if (!card->lance)
        return true;
    lance_fill_rom(card->rom.station, card->net.mac);
    card->rom.module = "PMAD-AA ";
    physmem_add_device(board->mem, board->base, SLOT_BUFFER, &lance_buffer_ops, card->lance);
    physmem_add_device(board->mem, board->base + SLOT_REGISTERS, LANCE_SIZE, &lance_device_ops, card->lance);
    physmem_add_device(board->mem, board->base + SLOT_STATION, TURBOCHANNEL_STATION_SIZE, &turbochannel_station_ops,
                       &card->rom);
    physmem_add_device(board->mem, board->base + SLOT_ROM, TURBOCHANNEL_ROM_SIZE, &turbochannel_rom_ops, &card->rom);
    return true;
}

static void free_card(void *device)
{
    struct card *card = device;
    board_net_release(&card->net);
    lance_free(card->lance);
    free(card);
}

static void register_stats(void *device, struct stats *stats)
{
    const struct card *card = device;
    if (card->lance)
        lance_register_stats(card->lance, stats, "net");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    const struct card *card = device;
    (void)err;
    if (card->lance)
        lance_register_saved(card->lance, saved, "net");
    return true;
}

const struct device_type board_lance_type = {
    .name = "lance-buffer",
    .summary = "buffer memory of the network card (LANCE), of machine.net: halfwords in words",
    .size = 2 * KN01_BUFFER,
    .interrupts = 1,
    .create = create_on_kn01,
    .free = free_card,
    .register_stats = register_stats,
    .register_saved = register_saved,
};

const struct device_type board_lance_registers_type = {
    .name = "lance",
    .summary = "registers of the network card",
    .size = LANCE_SIZE,
    .create = create_registers,
};

const struct device_type board_turbochannel_lance_type = {
    .name = "lance",
    .summary = "network card (LANCE, PMAD-AA in TURBOchannel slot 6), of machine.net",
    .size = SLOT_SIZE,
    .interrupts = 1,
    .create = create_in_slot,
    .free = free_card,
    .register_stats = register_stats,
    .register_saved = register_saved,
};
