#include "src/device_tree.h"

#include "devices/syscon.h"
#include "src/board_devices.h"
#include <libfdt.h>
#include <string.h>

enum {
    GIC_SHARED = 0, /* interrupt specifier: shared or local, number, type */
    GIC_LOCAL = 1,
    IRQ_LEVEL_HIGH = 4,
    /* The kernel takes half of the CPU clock for the rate of CP0 Count. */
    CPU_CLOCK_HZ = 2 * BOARD_COUNT_HZ,
};

enum { GIC_PHANDLE = 1, CPU_CLOCK_PHANDLE, SYSCON_PHANDLE };

/* Writes the tree front to back. The first error stays. */
struct writer {
    void *fdt;
    int error;
};

static void note(struct writer *w, int result)
{
    if (result < 0 && !w->error)
        w->error = result;
}

static void begin(struct writer *w, const char *name)
{
    note(w, fdt_begin_node(w->fdt, name));
}

static void begin_at(struct writer *w, const char *name, uint32_t address)
{
    char text[64];
    snprintf(text, sizeof text, "%s@%x", name, address);
    begin(w, text);
}

static void end(struct writer *w)
{
    note(w, fdt_end_node(w->fdt));
}

static void text(struct writer *w, const char *name, const char *value)
{
    note(w, fdt_property_string(w->fdt, name, value));
}

static void cells(struct writer *w, const char *name, const uint32_t *values, unsigned count)
{
    void *place = NULL;
    note(w, fdt_property_placeholder(w->fdt, name, (int)(count * sizeof(fdt32_t)), &place));
    for (unsigned i = 0; place && i < count; i++)
        fdt32_st((uint8_t *)place + i * sizeof(fdt32_t), values[i]);
}

#define CELLS(w, name, ...)                                                                                            \
    cells(w, name, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void flag(struct writer *w, const char *name)
{
    note(w, fdt_property(w->fdt, name, "", 0));
}

/* "compatible", "reg" and a level interrupt: what every device has. */
static void device(struct writer *w, const char *compatible, uint32_t base, uint32_t size)
{
    text(w, "compatible", compatible);
    CELLS(w, "reg", base, size);
}

static void interrupt(struct writer *w, uint32_t number)
{
    CELLS(w, "interrupt-parent", GIC_PHANDLE);
    CELLS(w, "interrupts", GIC_SHARED, number, IRQ_LEVEL_HIGH);
}

static void write_aliases(struct writer *w)
{
    begin(w, "aliases");
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        char name[16], path[40];
        snprintf(name, sizeof name, "serial%u", i);
        snprintf(path, sizeof path, "/serial@%x", BOARD_UART_BASE + i * BOARD_UART_STRIDE);
        text(w, name, path);
    }
    end(w);
}

/* What a boot loader hands the kernel's generator to begin with: with it nobody waits for randomness at boot. */
static void write_rng_seed(struct writer *w, const struct machine *machine)
{
    uint64_t seed[4], state = ~params_u64(machine->params, "rng.seed"); /* other bytes than the device gives */
    if (!params_bool(machine->params, "rng.present"))
        return;
    for (size_t i = 0; i < sizeof seed / sizeof seed[0]; i++)
        seed[i] = virtio_rng_next(&state);
    note(w, fdt_property(w->fdt, "rng-seed", seed, sizeof seed));
}

static void write_chosen(struct writer *w, const struct machine *machine, paddr initrd, uint32_t initrd_size)
{
    begin(w, "chosen");
    text(w, "bootargs", params_string(machine->params, "guest.bootargs"));
    text(w, "stdout-path", "serial0:115200n8");
    if (initrd_size) {
        CELLS(w, "linux,initrd-start", initrd);
        CELLS(w, "linux,initrd-end", initrd + initrd_size);
    }
    write_rng_seed(w, machine);
    end(w);
}

static void write_cpus(struct writer *w, const struct machine *machine)
{
    begin(w, "cpus");
    CELLS(w, "#address-cells", 1);
    CELLS(w, "#size-cells", 0);
    for (unsigned i = 0; i < machine->cpus; i++) {
        begin_at(w, "cpu", i);
        text(w, "device_type", "cpu");
        text(w, "compatible", "img,mips");
        CELLS(w, "reg", i);
        CELLS(w, "clocks", CPU_CLOCK_PHANDLE);
        end(w);
    }
    end(w);
    begin(w, "cpu-clock");
    text(w, "compatible", "fixed-clock");
    CELLS(w, "#clock-cells", 0);
    CELLS(w, "clock-frequency", CPU_CLOCK_HZ);
    CELLS(w, "phandle", CPU_CLOCK_PHANDLE);
    end(w);
}

static void write_memory(struct writer *w, const struct machine *machine)
{
    uint64_t size = params_u64(machine->params, "machine.memory");
    uint32_t low = (uint32_t)(size < BOARD_LOW_RAM_MAX ? size : BOARD_LOW_RAM_MAX);
    begin_at(w, "memory", BOARD_LOW_RAM_BASE);
    text(w, "device_type", "memory");
    if (size == low)
        CELLS(w, "reg", BOARD_LOW_RAM_BASE, low);
    else
        CELLS(w, "reg", BOARD_LOW_RAM_BASE, low, BOARD_HIGH_RAM_BASE, (uint32_t)(size - low));
    end(w);
    begin(w, "reserved-memory");
    CELLS(w, "#address-cells", 1);
    CELLS(w, "#size-cells", 1);
    flag(w, "ranges");
    begin_at(w, "mailbox", BOARD_MAILBOX_BASE);
    CELLS(w, "reg", BOARD_MAILBOX_BASE, BOARD_MAILBOX_SIZE);
    flag(w, "no-map");
    end(w);
    end(w);
}

static void write_interrupt_controller(struct writer *w)
{
    begin_at(w, "interrupt-controller", BOARD_GIC_BASE);
    device(w, "mti,gic", BOARD_GIC_BASE, BOARD_GIC_SIZE);
    flag(w, "interrupt-controller");
    CELLS(w, "#address-cells", 0); /* no interrupt-map leads here */
    CELLS(w, "#interrupt-cells", 3);
    CELLS(w, "phandle", GIC_PHANDLE);
    begin(w, "timer");
    text(w, "compatible", "mti,gic-timer");
    CELLS(w, "interrupts", GIC_LOCAL, GIC_LOCAL_COMPARE, 0);
    CELLS(w, "clock-frequency", BOARD_COUNT_HZ);
    end(w);
    end(w);
}

static void write_uarts(struct writer *w)
{
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        uint32_t base = BOARD_UART_BASE + i * BOARD_UART_STRIDE;
        begin_at(w, "serial", base);
        device(w, "ns16550a", base, BOARD_UART_SIZE);
        CELLS(w, "reg-shift", 2);
        CELLS(w, "reg-io-width", 4);
        CELLS(w, "clock-frequency", UART_CLOCK_HZ);
        interrupt(w, BOARD_IRQ_UART + i);
        end(w);
    }
}

static void write_system(struct writer *w)
{
    begin_at(w, "cpc", BOARD_CPC_BASE);
    device(w, "mti,mips-cpc", BOARD_CPC_BASE, BOARD_CPC_SIZE);
    end(w);

    static const char syscon[] = "syscon\0simple-mfd";
    begin_at(w, "syscon", BOARD_SYSCON_BASE);
    note(w, fdt_property(w->fdt, "compatible", syscon, sizeof syscon));
    CELLS(w, "reg", BOARD_SYSCON_BASE, BOARD_SYSCON_SIZE);
    CELLS(w, "phandle", SYSCON_PHANDLE);
    begin(w, "reboot");
    text(w, "compatible", "syscon-reboot");
    CELLS(w, "regmap", SYSCON_PHANDLE);
    CELLS(w, "offset", 0);
    CELLS(w, "value", SYSCON_REBOOT_VALUE);
    end(w);
    end(w);

    begin_at(w, "rtc", BOARD_RTC_BASE);
    device(w, "google,goldfish-rtc", BOARD_RTC_BASE, BOARD_RTC_SIZE);
    interrupt(w, BOARD_IRQ_RTC);
    end(w);

    begin_at(w, "control", BOARD_CONTROL_BASE);
    device(w, "simos,control", BOARD_CONTROL_BASE, BOARD_CONTROL_SIZE);
    end(w);
}

/* What the guest's /init needs to know of its network; addresses are texts, and what there is none of is left out. */
static void write_network(struct writer *w, const struct board_net *net)
{
    note(w, fdt_property(w->fdt, "local-mac-address", net->mac, sizeof net->mac));
    text(w, "simos,ip-address", net->address);
    if (*net->gateway)
        text(w, "simos,gateway", net->gateway);
    if (*net->nameserver)
        text(w, "simos,nameserver", net->nameserver);
}

static void write_virtio(struct writer *w, const struct machine *machine)
{
    for (unsigned slot = 0; slot < BOARD_VIRTIO_SLOTS; slot++) {
        const char *kind = machine->devices->virtio[slot].kind;
        if (!kind)
            continue;
        uint32_t base = BOARD_VIRTIO_BASE + slot * BOARD_VIRTIO_STRIDE;
        begin_at(w, kind, base);
        device(w, "virtio,mmio", base, VIRTIO_MMIO_SIZE);
        flag(w, "dma-coherent");
        interrupt(w, BOARD_IRQ_VIRTIO + slot);
        if (slot == BOARD_SLOT_NET)
            write_network(w, &machine->devices->net);
        end(w);
    }
}

bool device_tree_write(const struct machine *machine, paddr initrd, uint32_t initrd_size, void *buffer, uint32_t *size,
                       struct err *err)
{
    struct writer writer = {.fdt = buffer}, *w = &writer;
    memset(buffer, 0, DEVICE_TREE_MAX);
    note(w, fdt_create(buffer, DEVICE_TREE_MAX));
    note(w, fdt_finish_reservemap(buffer));
    begin(w, "");
    CELLS(w, "#address-cells", 1);
    CELLS(w, "#size-cells", 1);
    text(w, "compatible", BOARD_COMPATIBLE);
    text(w, "model", "simos");
    write_aliases(w);
    write_chosen(w, machine, initrd, initrd_size);
    write_cpus(w, machine);
    write_memory(w, machine);
    write_interrupt_controller(w);
    write_uarts(w);
    write_system(w);
    write_virtio(w, machine);
    end(w);
    note(w, fdt_finish(buffer));
    if (w->error == -FDT_ERR_NOSPACE)
        return err_set(err, "guest.bootargs: the device tree does not fit in %d bytes with it", DEVICE_TREE_MAX);
    if (w->error)
        log_bug("device tree: %s", fdt_strerror(w->error));
    *size = fdt_totalsize(buffer);
    return true;
}
