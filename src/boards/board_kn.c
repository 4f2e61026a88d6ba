#include "src/boards/board_kn.h"

#include "devices/dec/kn01.h"
#include "devices/dec/lance.h"
#include "devices/dec/mc146818.h"
#include "src/host/copy_files.h"
#include "src/machine/board_devices.h"
#include "src/machine/board_disks.h"
#include "src/machine/board_net.h"
#include "src/machine/boards.h"
#include <stdlib.h>
#include <string.h>

/* System registers of KN01 */

static bool create_kn01_csr(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = kn01_create(board->mem, device_irq(board, 0));
    physmem_add_device(board->mem, board->base, KN01_CSR_SIZE, &kn01_csr_ops, *device);
    return true;
}

static void free_kn01(void *device)
{
    kn01_free(device);
}

static void register_kn01_stats(void *device, struct stats *stats)
{
    kn01_register_stats(device, stats, "kn01");
}

static bool register_kn01_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    kn01_register_saved(device, saved);
    return true;
}

const struct device_type board_kn01_csr_type = {
    .name = "csr",
    .summary = "control and status register: write errors",
    .size = KN01_CSR_SIZE,
    .interrupts = 1,
    .create = create_kn01_csr,
    .free = free_kn01,
    .register_stats = register_kn01_stats,
    .register_saved = register_kn01_saved,
};

static bool create_kn01_error_address(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    *device = board_device(board->machine, &board_kn01_csr_type);
    physmem_add_device(board->mem, board->base, KN01_ERROR_ADDRESS_SIZE, &kn01_error_address_ops, *device);
    return true;
}

const struct device_type board_kn01_error_address_type = {
    .name = "error-address",
    .summary = "physical address of the first write error",
    .size = KN01_ERROR_ADDRESS_SIZE,
    .create = create_kn01_error_address,
};

/* System registers of KN02 */

enum { KN02_CHECK_TO_ERROR = 0x80000 /* bytes */, KN02_IP_DEVICES = 2, KN02_IP_MEMORY = 5 };

static bool create_kn02_csr(const struct device_board *board, void **device, struct err *err)
{
    enum { SMALL_MODULES = 15 * 8 }; /* MB: 15 modules of 8 MB are the most that are not large ones */
    const bool large = params_u64(board->params, "machine.memory") > (uint64_t)SMALL_MODULES << 20;
    (void)err;
    *device = kn02_create(board->mem, large, board->input(board, KN02_IP_DEVICES), board->input(board, KN02_IP_MEMORY));
    physmem_add_device(board->mem, board->base, KN02_CSR_SIZE, &kn02_csr_ops, *device);
    return true;
}

static void free_kn02(void *device)
{
    kn02_free(device);
}

static void register_kn02_stats(void *device, struct stats *stats)
{
    kn02_register_stats(device, stats, "kn02");
}

static bool register_kn02_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    kn02_register_saved(device, saved);
    return true;
}

const struct device_type board_kn02_csr_type = {
    .name = "csr",
    .summary = "control and status register: interrupt controller of inputs 8 to 15",
    .size = KN02_CSR_SIZE,
    .interrupts = 1,
    .create = create_kn02_csr,
    .free = free_kn02,
    .register_stats = register_kn02_stats,
    .register_saved = register_kn02_saved,
};

static bool create_kn02_errors(const struct device_board *board, void **device, struct err *err)
{
    struct kn02 *kn02 = *device = board_device(board->machine, &board_kn02_csr_type);
    (void)err;
    physmem_add_device(board->mem, board->base, KN02_CHECK_SIZE, &kn02_check_ops, kn02);
    physmem_add_device(board->mem, board->base + KN02_CHECK_TO_ERROR, KN02_ERROR_ADDRESS_SIZE, &kn02_error_address_ops,
                       kn02);
    return true;
}

const struct device_type board_kn02_errors_type = {
    .name = "errors",
    .summary = "check register and, at + 0x80000, address of the first access that failed",
    .size = KN02_CHECK_TO_ERROR + KN02_ERROR_ADDRESS_SIZE,
    .interrupts = 1,
    .create = create_kn02_errors,
};

/* Clock */

struct clock {
    struct mc146818 *rtc;
    uint8_t second_bytes[MC146818_REGISTERS];
};

/* The station address ROM of the KN01, in the second bytes of the clock's words: of the network card, whose row comes
 * before. Without a card, bytes that the kernel takes for no such ROM. */
static void fill_station_rom(struct clock *clock, const struct device_board *board)
{
    const struct board_net *net = board_net_of(board->machine);
    memset(clock->second_bytes, 1, sizeof clock->second_bytes);
    if (net->link)
        lance_fill_rom(clock->second_bytes, net->mac);
}

static bool create_clock(const struct device_board *board, void **device, struct err *err)
{
    struct clock *clock = *device = checked_memory(calloc(1, sizeof *clock));
    const bool has_station = board_has_device(board->machine, &board_kn01_csr_type);
    (void)err;
    if (has_station)
        fill_station_rom(clock, board);
    clock->rtc = mc146818_create(board->queue, params_u64(board->params, "rtc.start"), device_irq(board, 0),
                                 has_station ? clock->second_bytes : NULL);
    physmem_add_device(board->mem, board->base, MC146818_SIZE, &mc146818_device_ops, clock->rtc);
    return true;
}

static void free_clock(void *device)
{
    struct clock *clock = device;
    mc146818_free(clock->rtc);
    free(clock);
}

static bool register_clock_saved(void *device, struct saved *saved, struct err *err)
{
    const struct clock *clock = device;
    (void)err;
    mc146818_register_saved(clock->rtc, saved);
    return true;
}

const struct device_type board_mc146818_type = {
    .name = "rtc",
    .summary = "real-time clock with a periodic interrupt (MC146818); on kn01 also the station address ROM",
    .size = MC146818_SIZE,
    .interrupts = 1,
    .create = create_clock,
    .free = free_clock,
    .register_saved = register_clock_saved,
};

/* No disks */

static bool refuse(const struct device_board *board, const char *what, struct err *err)
{
    return err_set(err, "%s: board %s has no disks (its SCSI controller is not modelled)", what,
                   board->machine->board->name);
}

static bool create_no_disks(const struct device_board *board, void **device, struct err *err)
{
    const struct copy_files *copy = board->machine->copy;
    *device = checked_memory(calloc(1, sizeof(struct board_disks)));
    for (unsigned number = 0; number < BOARD_DISKS; number++) {
        char name[32];
        snprintf(name, sizeof name, "machine.disk%u", number);
        if (*params_string(board->params, name))
            return refuse(board, name, err);
    }
    if (copy && copy->in_count)
        return refuse(board, "--copy-in", err);
    return !copy || !copy->out_count || refuse(board, "--copy-out", err);
}

const struct device_type board_no_disks_type = {
    .name = "disk",
    .summary = "none: the SCSI controller is not modelled",
    .create = create_no_disks,
    .free = free,
};
