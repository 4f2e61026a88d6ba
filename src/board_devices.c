#include "src/board_devices.h"

#include "cache/memsys.h"
#include "src/hub_port.h"
#include "src/machine_end.h"
#include "src/machine_model.h"
#include "src/machine_power.h"
#include "src/standstill.h"
#include <stdlib.h>
#include <string.h>

/* Interrupts */

/* A pin that goes up may end a wait: the core's time becomes the present, and the CPU that caused it hands over. */
static void set_pin(void *opaque, unsigned cpu, unsigned pin, bool level)
{
    struct machine *machine = opaque;
    struct core *core = machine->cores[cpu];
    bool waited = core->s.waiting;
    interrupt_set_pin(core, pin, level);
    if (waited && !core->s.waiting)
        machine_wake(machine, core);
}

static const struct gic_cpu_ops gic_ops = {.set_pin = set_pin};

static void timer_output(void *opaque, unsigned cpu, bool level)
{
    struct machine *machine = opaque;
    /* not yet there while the cores are created */
    if (machine->devices && machine->devices->gic)
        gic_cpu_timer(machine->devices->gic, cpu, level);
}

/* Who runs, for the classification of misses. An address space changes in the kernel only, so that it is known whenever
 * a CPU comes to user mode. */
static void mode_changed(void *opaque, struct core *core)
{
    struct machine *machine = opaque;
    memsys_set_context(machine->memsys, core->number, core->mode, core->s.cp0[CP0_ENTRYHI] & 0xff);
}

static void fault_repeats(void *opaque, struct core *core)
{
    (void)core;
    standstill_look(opaque);
}

const struct core_hooks board_core_hooks = {
    .timer_output = timer_output, .mode_changed = mode_changed, .fault_repeats = fault_repeats};

/* Power */

static void power_start(void *opaque, unsigned cpu, vaddr reset_pc)
{
    machine_power_on(opaque, cpu, reset_pc);
}

static void power_stop(void *opaque, unsigned cpu)
{
    machine_power_off(opaque, cpu);
}

static const struct power_ops power_ops = {.start = power_start, .stop = power_stop};

static void reboot(void *opaque)
{
    machine_end(opaque, MACHINE_STOP_REBOOT);
}

/* Serial ports */

static void transmit(void *opaque, uint8_t byte)
{
    const struct board_uart *port = opaque;
    const struct machine *machine = port->machine;
    if (machine->host && machine->host->uart_output)
        machine->host->uart_output(machine->host_opaque, port->number, byte);
}

/* Control device */

static size_t get_job(void *opaque, char *buffer, size_t size)
{
    const struct machine *machine = opaque;
    size_t length = machine->job ? strlen(machine->job) : 0;
    if (length > size)
        log_bug("a job of %zu bytes in a mailbox of %zu", length, size); /* machine_create() checks it */
    if (length)
        memcpy(buffer, machine->job, length);
    return length;
}

static size_t get_command(void *opaque, char *buffer, size_t size)
{
    struct machine *machine = opaque;
    machine->userland_up = true;
    machine_models_at_boot(machine);
    machine_pause_at(machine, MACHINE_EVENT_BOOT, "");
    if (machine->host && machine->host->userland_up)
        machine->host->userland_up(machine->host_opaque);
    return get_job(machine, buffer, size);
}

static void mark(void *opaque, const char *name)
{
    struct machine *machine = opaque;
    machine_models_at_mark(machine, name);
    machine_pause_at(machine, MACHINE_EVENT_MARK, name);
    if (machine->host && machine->host->mark)
        machine->host->mark(machine->host_opaque, name);
}

static void guest_exit(void *opaque, unsigned status)
{
    struct machine *machine = opaque;
    machine->exit_status = status;
    machine_end(machine, MACHINE_STOP_EXIT);
}

static bool has_job(void *opaque)
{
    return ((const struct machine *)opaque)->job != NULL;
}

static const struct control_ops control_ops = {
    .get_command = get_command, .get_job = get_job, .mark = mark, .exit = guest_exit, .has_job = has_job};

/* Put a virtio device, whose registers OPS and OPAQUE answer, into SLOT. */
static void plug_in(struct machine *machine, struct board_devices *devices, unsigned slot, const char *kind,
                    const struct device_ops *ops, void *opaque)
{
    devices->virtio[slot].kind = kind;
    physmem_add_device(machine->mem, BOARD_VIRTIO_BASE + slot * BOARD_VIRTIO_STRIDE, VIRTIO_MMIO_SIZE, ops, opaque);
}

static bool add_disks(struct machine *machine, struct board_devices *devices, struct err *err)
{
    if (!board_disks_create(&devices->disks, machine, devices->gic, err))
        return false;
    for (unsigned slot = 0; slot < BOARD_DISKS; slot++)
        if (devices->disks.disk[slot].block)
            plug_in(machine, devices, slot, "disk", &virtio_block_device_ops, devices->disks.disk[slot].block);
    return true;
}

static bool add_net(struct machine *machine, struct board_devices *devices, struct err *err)
{
    struct board_net *net = &devices->net;
    if (!board_net_describe(net, machine->params, err))
        return false;
    if (net->kind == BOARD_NET_NONE)
        return true;
    if (!board_net_create_card(net, machine, gic_input(devices->gic, BOARD_IRQ_VIRTIO + BOARD_SLOT_NET), err))
        return false;
    plug_in(machine, devices, BOARD_SLOT_NET, "ethernet", &virtio_net_device_ops, net->card);
    if (net->kind == BOARD_NET_HUB)
        devices->hub = hub_port_create(machine, net->link, net->options, err);
    else
        devices->net_user = net_user_create(machine, net, err);
    return devices->hub || devices->net_user;
}

static bool add_copy(struct machine *machine, struct board_devices *devices, struct err *err)
{
    struct board_copy *copy = &devices->copy;
    if (!board_copy_create(copy, machine, devices->gic, err))
        return false;
    if (copy->in.block)
        plug_in(machine, devices, BOARD_SLOT_COPY_IN, "copy-in", &virtio_block_device_ops, copy->in.block);
    if (copy->out.block)
        plug_in(machine, devices, BOARD_SLOT_COPY_OUT, "copy-out", &virtio_block_device_ops, copy->out.block);
    return true;
}

static void add_rng(struct machine *machine, struct board_devices *devices)
{
    if (!params_bool(machine->params, "rng.present"))
        return;
    devices->rng = virtio_rng_create(machine->queue, machine->mem, params_u64(machine->params, "rng.seed"),
                                     params_u64(machine->params, "rng.rate"),
                                     gic_input(devices->gic, BOARD_IRQ_VIRTIO + BOARD_SLOT_RNG), machine->log);
    plug_in(machine, devices, BOARD_SLOT_RNG, "rng", &virtio_rng_device_ops, devices->rng);
}

static void add_uarts(struct machine *machine, struct board_devices *devices)
{
    cycles character_time = time_cycles_of_nsec(machine->queue, params_u64(machine->params, "uart.character_time"));
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        struct board_uart *port = &devices->uarts[i];
        port->machine = machine;
        port->number = i;
        port->uart = uart_create(machine->queue, gic_input(devices->gic, BOARD_IRQ_UART + i), transmit, port,
                                 character_time, machine->log);
        physmem_add_device(machine->mem, BOARD_UART_BASE + i * BOARD_UART_STRIDE, BOARD_UART_SIZE, &uart_device_ops,
                           port->uart);
    }
}

static void add_system(struct machine *machine, struct board_devices *devices)
{
    struct physmem *mem = machine->mem;
    struct log *log = machine->log;
    devices->gic = gic_create(machine->queue, machine->cpus, &gic_ops, machine, log);
    physmem_add_device(mem, BOARD_GIC_BASE, BOARD_GIC_SIZE, &gic_device_ops, devices->gic);

    struct coherence_manager_config config = {
        .cpus = machine->cpus, .gcr_base = BOARD_GCR_BASE, .gic_base = BOARD_GIC_BASE, .cpc_base = BOARD_CPC_BASE};
    devices->coherence_manager = coherence_manager_create(&config, log);
    physmem_add_device(mem, BOARD_GCR_BASE, BOARD_GCR_SIZE, &coherence_manager_device_ops, devices->coherence_manager);
    physmem_add_device(mem, BOARD_GCR_BASE + COHERENCE_MANAGER_L2_SYNC_OFFSET, COHERENCE_MANAGER_L2_SYNC_SIZE,
                       &coherence_manager_l2_sync_ops, devices->coherence_manager);

    devices->power_controller =
        power_controller_create(machine->cpus, devices->coherence_manager, &power_ops, machine, log);
    physmem_add_device(mem, BOARD_CPC_BASE, BOARD_CPC_SIZE, &power_controller_device_ops, devices->power_controller);

    devices->syscon = syscon_create(reboot, machine, log);
    physmem_add_device(mem, BOARD_SYSCON_BASE, BOARD_SYSCON_SIZE, &syscon_device_ops, devices->syscon);

    nsec start = params_u64(machine->params, "rtc.start") * 1000000000ull;
    devices->rtc = rtc_create(machine->queue, start, gic_input(devices->gic, BOARD_IRQ_RTC), log);
    physmem_add_device(mem, BOARD_RTC_BASE, BOARD_RTC_SIZE, &rtc_device_ops, devices->rtc);

    devices->control = control_create(mem, &control_ops, machine, log);
    physmem_add_device(mem, BOARD_CONTROL_BASE, BOARD_CONTROL_SIZE, &control_device_ops, devices->control);
}

struct board_devices *board_devices_create(struct machine *machine, struct err *err)
{
    struct board_devices *devices = calloc(1, sizeof *devices);
    if (!devices)
        log_bug("out of memory");
    add_system(machine, devices);
    add_uarts(machine, devices);
    add_rng(machine, devices);
    if (!add_disks(machine, devices, err) || !add_net(machine, devices, err) || !add_copy(machine, devices, err)) {
        board_devices_free(devices);
        return NULL;
    }
    return devices;
}

void board_devices_free(struct board_devices *devices)
{
    if (!devices)
        return;
    board_disks_free(&devices->disks);
    net_user_free(devices->net_user);
    hub_port_free(devices->hub);
    board_net_free(&devices->net);
    board_copy_free(&devices->copy);
    virtio_rng_free(devices->rng);
    control_free(devices->control);
    rtc_free(devices->rtc);
    syscon_free(devices->syscon);
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++)
        uart_free(devices->uarts[i].uart);
    power_controller_free(devices->power_controller);
    coherence_manager_free(devices->coherence_manager);
    gic_free(devices->gic);
    free(devices);
}

void board_devices_register_stats(const struct board_devices *devices, struct stats *stats)
{
    char prefix[32];
    gic_register_stats(devices->gic, stats);
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        snprintf(prefix, sizeof prefix, "uart%u", i);
        uart_register_stats(devices->uarts[i].uart, stats, prefix);
    }
    board_disks_register_stats(&devices->disks, stats);
    if (devices->net.card)
        virtio_net_register_stats(devices->net.card, stats, "net");
    if (devices->net_user)
        net_user_register_stats(devices->net_user, stats, "net");
    hub_port_register_stats(devices->hub, stats);
    if (devices->rng)
        virtio_rng_register_stats(devices->rng, stats, "rng");
    control_register_stats(devices->control, stats, "control");
}

bool board_devices_register_saved(const struct board_devices *devices, struct saved *saved, struct err *err)
{
    char name[32];
    if (!board_disks_check_saved(&devices->disks, err))
        return false;
    board_disks_register_saved(&devices->disks, saved);
    board_copy_register_saved(&devices->copy, saved);
    if (devices->rng)
        virtio_rng_register_saved(devices->rng, saved, "rng");
    if (devices->net.card)
        virtio_net_register_saved(devices->net.card, saved, "net");
    if (devices->net_user)
        net_user_register_saved(devices->net_user, saved, "net.user");
    if (devices->hub)
        hub_port_register_saved(devices->hub, saved);
    gic_register_saved(devices->gic, saved);
    coherence_manager_register_saved(devices->coherence_manager, saved);
    power_controller_register_saved(devices->power_controller, saved);
    syscon_register_saved(devices->syscon, saved);
    rtc_register_saved(devices->rtc, saved);
    control_register_saved(devices->control, saved);
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++) {
        snprintf(name, sizeof name, "uart%u", i);
        uart_register_saved(devices->uarts[i].uart, saved, name);
    }
    return true;
}
