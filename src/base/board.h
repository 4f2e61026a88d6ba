/*
 * The board: physical addresses, interrupt numbers and clocks that several files use; board.def maps the devices.
 * Identical on every machine, for all CPU and cache models, so that a checkpoint can be restored on another
 * configuration.
 */
#ifndef SIMOS_BASE_BOARD_H
#define SIMOS_BASE_BOARD_H

/* The range of cpu.clock, hertz. */
#define CLOCK_HZ_MIN UINT64_C(1000000)
#define CLOCK_HZ_MAX UINT64_C(10000000000)

enum {
    BOARD_MAX_CPUS = 64,
    BOARD_COUNT_HZ = 100000000, /* CP0 Count and the GIC counter tick at this rate on every machine */

    BOARD_FPU_PIN = 5, /* interrupt pin (IP7) of the FPU's exceptions, for processors that have them as an interrupt */

    BOARD_LOW_RAM_BASE = 0x00000000,
    BOARD_LOW_RAM_MAX = 0x10000000, /* maximum RAM below the devices, reachable through kseg0 */
    BOARD_HIGH_RAM_BASE = 0x20000000,

    /* Addresses of devices, which no cache holds: caches see the kernel here where its placement is not that of its
     * addresses (src/guest/kernel_placement.h). */
    BOARD_PLACED_BASE = BOARD_LOW_RAM_MAX,
    BOARD_PLACED_SIZE = BOARD_HIGH_RAM_BASE - BOARD_PLACED_BASE,

    BOARD_MAILBOX_BASE = 0x00010000, /* in low RAM, reserved in the device tree */
    BOARD_MAILBOX_SIZE = 0x00010000,

    BOARD_UART_BASE = 0x18000000, /* UART n at + n * 0x1000: console, job's stdout, job's stderr */
    BOARD_UART_STRIDE = 0x1000,
    BOARD_UART_SIZE = 0x100,
    BOARD_UART_COUNT = 3,
    BOARD_CONTROL_BASE = 0x18010000,
    BOARD_CONTROL_SIZE = 0x1000,
    BOARD_SYSCON_BASE = 0x18020000,
    BOARD_SYSCON_SIZE = 0x1000,
    BOARD_RTC_BASE = 0x18030000,
    BOARD_RTC_SIZE = 0x1000,
    BOARD_VIRTIO_BASE = 0x18100000, /* slot n at + n * 0x1000 */
    BOARD_VIRTIO_STRIDE = 0x1000,
    BOARD_VIRTIO_SLOTS = 16,
    BOARD_DISKS = 8, /* machine.diskN is in slot N */
    BOARD_SLOT_NET = 8,
    BOARD_SLOT_RNG = 9,
    BOARD_SLOT_COPY_IN = 10, /* disks added by the simulator; the guest numbers them after the user's disks */
    BOARD_SLOT_COPY_OUT = 11,
    BOARD_GIC_BASE = 0x1bdc0000,
    BOARD_GIC_SIZE = 0x20000,
    BOARD_CPC_BASE = 0x1bde0000,
    BOARD_CPC_SIZE = 0x8000,
    BOARD_GCR_BASE = 0x1fbf8000,
    BOARD_GCR_SIZE = 0x8000,
    BOARD_ROM_BASE = 0x1fc00000, /* the reset vector is its first word (devices/board/boot_rom.h) */
    BOARD_ROM_SIZE = 0x00400000,

    /* GIC shared interrupt numbers */
    BOARD_IRQ_UART = 0, /* + UART number */
    BOARD_IRQ_RTC = 3,
    BOARD_IRQ_VIRTIO = 8, /* + slot number */

    /* phandles of device tree nodes */
    BOARD_PHANDLE_GIC = 1,
    BOARD_PHANDLE_CPU_CLOCK = 2,
    BOARD_PHANDLE_SYSCON = 3,
};

#define BOARD_SLOT_BASE(slot) (BOARD_VIRTIO_BASE + (slot)*BOARD_VIRTIO_STRIDE)

#define BOARD_MAX_RAM    (2048ull << 20)
#define BOARD_COMPATIBLE "simos,board" /* `compatible` of the root node */

#endif
