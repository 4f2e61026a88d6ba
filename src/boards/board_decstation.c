#include "src/boards/board_decstation.h"

#include "devices/dec/prom.h"
#include "src/machine/board_devices.h"
#include "src/boards/board_dz.h"
#include "src/boards/board_kn.h"
#include "src/machine/board_net.h"
#include "src/boards/board_pins.h"
#include "src/machine/boards.h"
#include "src/machine/machine_end.h"
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PIN = 2, CSR_INPUT = 8 };

/* Interrupts */

static void set_pin(void *opaque, unsigned line, bool level)
{
    board_set_pin(opaque, 0, line - FIRST_PIN, level);
}

static struct irq_line decstation_input(const struct device_board *board, unsigned number)
{
    if (number < CSR_INPUT)
        return (struct irq_line){.set = set_pin, .opaque = board->machine, .line = number};
    return kn02_input(board_device(board->machine, &board_kn02_csr_type), number - CSR_INPUT);
}

/* A processor with a timer has it on IP7. */
static const struct core_hooks decstation_core_hooks = {
    .mode_changed = board_mode_changed, .tlb_missed = board_tlb_missed, .fault_repeats = board_fault_repeats};

/* Calls to the PROM */

static uint32_t read_guest(void *opaque, unsigned cpu, vaddr address, void *buffer, uint32_t size)
{
    return machine_debug_read(opaque, cpu, address, buffer, size);
}

static uint32_t write_guest(void *opaque, unsigned cpu, vaddr address, const void *buffer, uint32_t size)
{
    return machine_debug_write(opaque, cpu, address, buffer, size);
}

static void put(void *opaque, uint8_t byte)
{
    board_dz_put(opaque, byte);
}

static int get(void *opaque)
{
    return board_dz_get(opaque);
}

/* Linux's halt, reboot and power off all end here by the reset vector, and its panic after panic=. What it halts or
 * powers off by has been seen before, if its symbols are known (src/guest/halt.h). */
static void ended(void *opaque, bool halts)
{
    struct machine *machine = opaque;
    if (machine->panic.text[0]) {
        machine_fail(machine, &machine->panic);
        return;
    }
    if (!halts) {
        machine_end(machine, MACHINE_STOP_REBOOT);
        return;
    }
    machine->halted = "halted";
    machine_request_exit(machine, 0);
}

static void failed(void *opaque, vaddr epc, uint32_t cause, vaddr address)
{
    struct err reason = {""};
    err_set(&reason,
            "the guest took an exception with the vectors in the boot PROM (Status.BEV): EPC 0x%08x, Cause 0x%08x, "
            "BadVAddr 0x%08x",
            epc, cause, address);
    machine_fail(opaque, &reason);
}

static const struct prom_ops prom_ops = {
    .read = read_guest, .write = write_guest, .put = put, .get = get, .ended = ended, .failed = failed};

enum {
    SYSTEM_KN01 = 0x82010100, /* R3000 with FPU; DECstation 3100; firmware 1.0 (Linux: prom/dectypes.h) */
    SYSTEM_KN02 = 0x82020500,
};

static bool create_prom(const struct device_board *board, uint32_t system_id, void **device, struct err *err)
{
    struct prom *prom = prom_create(board->mem, board->base, system_id, params_u64(board->params, "machine.memory"),
                                    &prom_ops, board->machine, board->log, err);
    *device = prom;
    if (prom)
        physmem_add_device(board->mem, board->base, PROM_REGISTERS_SIZE, &prom_device_ops, prom);
    return prom != NULL;
}

static bool create_kn01_prom(const struct device_board *board, void **device, struct err *err)
{
    return create_prom(board, SYSTEM_KN01, device, err);
}

static bool create_kn02_prom(const struct device_board *board, void **device, struct err *err)
{
    return create_prom(board, SYSTEM_KN02, device, err);
}

static void free_prom(void *device)
{
    prom_free(device);
}

static void register_stats(void *device, struct stats *stats)
{
    prom_register_stats(device, stats, "prom");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    prom_register_saved(device, saved);
    return true;
}

const struct device_type board_kn01_prom_type = {
    .name = "prom",
    .summary =
        "boot PROM (its code is at 1fc00000): start of the kernel, and its calls; these registers are simos's own",
    .size = PROM_REGISTERS_SIZE,
    .create = create_kn01_prom,
    .free = free_prom,
    .register_stats = register_stats,
    .register_saved = register_saved,
};

const struct device_type board_kn02_prom_type = {
    .name = "prom",
    .summary = "boot PROM (REX, its code is at 1fc00000): start of the kernel, and its calls; these registers are "
               "simos's own",
    .size = PROM_REGISTERS_SIZE,
    .create = create_kn02_prom,
    .free = free_prom,
    .register_stats = register_stats,
    .register_saved = register_saved,
};

/* Start of the kernel */

static bool has_rex(const struct machine *machine)
{
    return board_has_device(machine, &board_kn02_prom_type);
}

static struct prom *prom_of(const struct machine *machine)
{
    return board_device(machine, has_rex(machine) ? &board_kn02_prom_type : &board_kn01_prom_type);
}

/* The network configuration, as the kernel's ip= has it (Documentation/admin-guide/nfs/nfsroot.rst). */
static void put_network(FILE *out, const struct board_net *net)
{
    char mask[INET_ADDRSTRLEN];
    const struct in_addr netmask = board_net_mask(net);
    inet_ntop(AF_INET, &netmask, mask, sizeof mask);
    fprintf(out, " ip=%.*s::%s:%s::eth0:off", (int)strcspn(net->address, "/"), net->address, net->gateway, mask);
    if (*net->nameserver)
        fprintf(out, ":%s", net->nameserver);
}

/* The kernel's command line; the caller frees it. */
static char *command_line(const struct machine *machine, const struct guest_places *places)
{
    enum { PROBED_MAX = 28 << 20 }; /* bytes of RAM that Linux finds on a KN01 (prom/memory.c) */
    const uint64_t memory = params_u64(machine->params, "machine.memory");
    const struct board_net *net = board_net_of(machine);
    char *text = NULL;
    size_t size = 0;
    FILE *out = checked_memory(open_memstream(&text, &size));
    char *bootargs = machine_bootargs(machine);
    fputs(bootargs, out);
    free(bootargs);
    if (places->initrd_size)
        fprintf(out, " rd_start=0x%x rd_size=0x%x", vaddr_of_kseg0(places->initrd), places->initrd_size);
    if (!has_rex(machine) && memory > PROBED_MAX)
        fprintf(out, " mem=%llu", (unsigned long long)memory);
    if (net->link)
        put_network(out, net);
    if (fclose(out) != 0)
        log_bug("out of memory");
    return text;
}

static bool decstation_describe(struct machine *machine, const struct guest_places *places, struct err *err)
{
    if (params_u64(machine->params, "guest.page_seed"))
        return err_set(err, "guest.page_seed: board %s has no device tree, by which pages are set aside",
                       machine->board->name);
    char *words = command_line(machine, places);
    const struct prom_start start = {.entry = machine->entry, .rex = has_rex(machine), .words = words};
    const bool done = prom_set_start(prom_of(machine), &start, err);
    free(words);
    return done;
}

static void decstation_start(struct machine *machine, const struct guest_places *places)
{
    (void)places;
    core_reset(machine->cores[0], vaddr_of_kseg1(PROM_BASE));
}

/* The boards */

#define DEVICE BOARD_DEVICE_EXTERN
#include "src/boards/board_kn01.def"
#undef DEVICE
#define DEVICE BOARD_DEVICE_ROW
static const struct board_row kn01_rows[] = {
#include "src/boards/board_kn01.def"
};
#undef DEVICE

#define DEVICE BOARD_DEVICE_EXTERN
#include "src/boards/board_kn02.def"
#undef DEVICE
#define DEVICE BOARD_DEVICE_ROW
static const struct board_row kn02_rows[] = {
#include "src/boards/board_kn02.def"
};
#undef DEVICE

/* Where KN01 has its frame buffer (asm/dec/kn01.h), far above the 24 MB that a DECstation 3100 can have; and the 480 MB
 * of a 5000/200, up to the TURBOchannel. */
enum { KN01_MOST_MEMORY = 0x0fc00000, KN02_MOST_MEMORY = 480 << 20 };

/* What the two boards of DECstations have in common. Cause of the kernel's arguments: docs/reference/boards.md. */
#define DECSTATION                                                                                                     \
    .most_cpus = 1, .architecture = "r3000", .input = decstation_input, .disks = &board_no_disks_type,                 \
    .core_hooks = &decstation_core_hooks, .reserved_end = PROM_STACK, .bootargs = "console=ttyS3,9600 panic=-1",       \
    .guest = "guest-decstation", .receive = board_dz_receive, .receive_space = board_dz_receive_space,                 \
    .refresh_job = board_dz_refresh_job, .describe = decstation_describe, .start = decstation_start

const struct board board_kn01 = {.name = "kn01",
                                 .summary = "DECstation 3100 (KN01); interrupts are the processor's IP2 to IP7",
                                 BOARD_ROWS(kn01_rows),
                                 .network_card = &board_lance_type,
                                 .most_memory = KN01_MOST_MEMORY,
                                 DECSTATION};

const struct board board_kn02 = {
    .name = "kn02",
    .summary =
        "DECstation 5000/200 (KN02); interrupts 2 to 7 are the processor's IP2 to IP7, 8 to 15 inputs of the CSR",
    BOARD_ROWS(kn02_rows),
    .network_card = &board_turbochannel_lance_type,
    .most_memory = KN02_MOST_MEMORY,
    DECSTATION};
