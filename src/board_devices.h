/*
 * The devices of the board: creates them from parameters, puts them at their addresses, and connects their interrupts
 * and callbacks to a machine.
 */
#ifndef SIMOS_BOARD_DEVICES_H
#define SIMOS_BOARD_DEVICES_H

#include "devices/coherence_manager.h"
#include "devices/control.h"
#include "devices/gic.h"
#include "devices/power_controller.h"
#include "devices/rtc.h"
#include "devices/syscon.h"
#include "devices/uart.h"
#include "devices/virtio_mmio.h"
#include "devices/virtio_rng.h"
#include "src/board.h"
#include "src/board_copy.h"
#include "src/board_disks.h"
#include "src/board_net.h"
#include "src/machine.h"
#include "src/net_user.h"

/* Where the bytes of one serial port go. */
struct board_uart {
    struct machine *machine;
    struct uart *uart;
    unsigned number;
};

/* What is in a virtio slot: KIND is the name of its node in the device tree ("disk", "ethernet" ...). */
struct board_virtio {
    const char *kind; /* NULL: nothing */
};

struct board_devices {
    struct gic *gic;
    struct coherence_manager *coherence_manager;
    struct power_controller *power_controller;
    struct board_uart uarts[BOARD_UART_COUNT];
    struct syscon *syscon;
    struct rtc *rtc;
    struct control *control;
    struct board_virtio virtio[BOARD_VIRTIO_SLOTS];
    struct board_disks disks;
    struct board_net net;
    struct board_copy copy;
    struct net_user *net_user; /* BOARD_NET_USER: what is behind the card */
    struct hub_port *hub;      /* BOARD_NET_HUB: the same */
    struct virtio_rng *rng;    /* NULL: none */
};

/* The machine has its parameters, memory, queue and cores. NULL with ERR naming the disk that cannot be opened, or
 * the parameter of the network that is wrong. */
struct board_devices *board_devices_create(struct machine *machine, struct err *err);
/* Before the event queue is freed. NULL is allowed. */
void board_devices_free(struct board_devices *devices);

/* Register the counters of every device that is there: gic.*, uartN.*, diskN.*, scsi.*, net.*, control.*. */
void board_devices_register_stats(const struct board_devices *devices, struct stats *stats);

/* Add every device to what is saved. False with ERR naming one that cannot be. */
bool board_devices_register_saved(const struct board_devices *devices, struct saved *saved, struct err *err);

/* Of each core: its timer output goes to the interrupt controller. */
extern const struct core_hooks board_core_hooks;

#endif
