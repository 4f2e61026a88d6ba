/*
 * The boards that a machine can have (parameter machine.board): which devices it consists of, where they are, how their
 * interrupts reach the processors, and how the guest's kernel is started. A board is one row of boards.def; its devices
 * are rows of a .def file each.
 */
#ifndef SIMOS_MACHINE_BOARDS_H
#define SIMOS_MACHINE_BOARDS_H

#include "cpu/core.h"
#include "devices/device_type.h"
#include "src/base/log.h"
#include "src/base/types.h"

struct machine;

/* Where the parts of the guest are in physical memory: the initrd at [initrd, initrd + initrd_size), size 0: none;
 * nothing at [free, free_end), which begins and ends with a page. */
struct guest_places {
    paddr initrd, free, free_end;
    uint32_t initrd_size;
};

/* A device of a board, as its .def file has it. */
struct board_row {
    const struct device_type *type;
    paddr base;
    unsigned irq;                /* first of type->interrupts inputs */
    unsigned stats, saved, tree; /* position in these orders; 0: after all numbered rows */
};

enum { BOARD_ROWS_MAX = 32 };

struct board {
    const char *name;    /* the value of machine.board */
    const char *summary; /* one line */
    const struct board_row *rows;
    unsigned row_count; /* at most BOARD_ROWS_MAX */
    /* Interrupt input NUMBER, as the rows count them. */
    struct irq_line (*input)(const struct device_board *board, unsigned number);
    const struct device_type *network_card, *disks; /* rows that other files use */
    const struct core_hooks *core_hooks;            /* of every core, with the machine as opaque pointer */
    unsigned most_cpus;
    const char *architecture;  /* the only value of cpu.architecture that the board can have; NULL: any */
    uint64_t most_memory;      /* of machine.memory, bytes */
    paddr reserved_end;        /* low RAM below this is not for the kernel or the initrd */
    uint32_t description_size; /* bytes that describe the machine to the kernel, below the initrd in RAM */
    bool takes_rom;            /* a kernel file may have something for the boot ROM */
    const char *bootargs;      /* replaces the initial value of guest.bootargs; NULL: no */
    const char *guest;         /* folder of its guest beside simos, and the Makefile's target that makes it */
    /* Serial port PORT (0 console, 1 the job's stdout, 2 its stderr): receive BYTE (false: no room), and for how many
     * bytes there is room. */
    bool (*receive)(struct machine *machine, unsigned port, uint8_t byte);
    unsigned (*receive_space)(const struct machine *machine, unsigned port);
    /* The guest has requested its job and not yet read it: let it read the machine's present one. */
    void (*refresh_job)(struct machine *machine);
    /* The kernel (machine->entry) and the initrd are in RAM, at PLACES: describe the machine to the kernel. False with
     * ERR if the description does not fit. */
    bool (*describe)(struct machine *machine, const struct guest_places *places, struct err *err);
    /* Let processor 0, which has been reset to the kernel's entry, start the kernel described. */
    void (*start)(struct machine *machine, const struct guest_places *places);
};

/* For the file of a board: the devices of its .def file, each DEVICE(type, base, irq, stats, saved, tree), as
 * declarations and as rows of a table; and the members of struct board for that table. */
#define BOARD_DEVICE_EXTERN(type, base, irq, stats, saved, tree) extern const struct device_type type;
#define BOARD_DEVICE_ROW(type, base, irq, stats, saved, tree)    {&type, base, irq, stats, saved, tree},
#define BOARD_ROWS(table)                                        .rows = (table), .row_count = sizeof(table) / sizeof(table)[0]

#define BOARD(name) extern const struct board board_##name;
#include "src/machine/boards.def"

/* Board INDEX, from 0; NULL behind the last one. */
const struct board *board_at(unsigned index);

/* The board NAME, which is a value of machine.board. */
const struct board *board_named(const char *name);

/* The values of machine.board, as `choices` of its definition. */
extern const char board_choices[]; /* behind its first character */
#define BOARD_CHOICES (&board_choices[1])

#endif
