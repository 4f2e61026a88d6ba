/* The rows of each board: no two devices share an address, an interrupt or a section name. */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "devices/board/boot_rom.h"
#include "devices/board/coherence_manager.h"
#include "devices/board/gic.h"
#include "src/machine/board_devices.h"
#include "src/boards/board_gic.h"
#include "src/machine/board_net.h"
#include "src/machine/boards.h"
#include "tests/unit/machine_program.h"

/* The board that the test is about. */
static const struct board *board;

static const struct board_row *row_at(unsigned index)
{
    return index < board->row_count ? &board->rows[index] : NULL;
}

static void check_each(void check(void))
{
    for (unsigned i = 0; (board = board_at(i)); i++)
        check();
}

static void check_text(void)
{
    const struct board_row *row, *other;
    for (unsigned i = 0; (row = row_at(i)); i++) {
        if (!row->type->name || !*row->type->name || !row->type->summary || !*row->type->summary || !row->type->create)
            fail_msg("row %u has no name, no summary or no create()", i);
        for (unsigned j = 0; j < i && (other = row_at(j)); j++)
            assert_string_not_equal(row->type->name, other->type->name);
    }
}

static void every_row_says_what_it_is(void **state)
{
    (void)state;
    check_each(check_text);
}

/* The first page of the boot ROM is the last of the coherence manager (devices/board/boot_rom.h). */
static bool may_overlap(const struct board_row *row, const struct board_row *other)
{
    return row->type == &boot_rom_type && other->type == &coherence_manager_type &&
           other->base + other->type->size == row->base + COHERENCE_MANAGER_L2_SYNC_SIZE;
}

static void check_addresses(void)
{
    const struct board_row *row, *other;
    for (unsigned i = 0; (row = row_at(i)); i++)
        for (unsigned j = 0; j < i && (other = row_at(j)); j++)
            if (row->base < other->base + other->type->size && other->base < row->base + row->type->size &&
                !may_overlap(row, other))
                fail_msg("%s and %s overlap", row->type->name, other->type->name);
}

static void addresses_do_not_overlap(void **state)
{
    (void)state;
    check_each(check_addresses);
}

static void check_interrupts(void)
{
    const char *owner[GIC_SHARED_COUNT] = {NULL};
    const struct board_row *row;
    for (unsigned i = 0; (row = row_at(i)); i++)
        for (unsigned irq = row->irq; irq < row->irq + row->type->interrupts; irq++) {
            assert_in_range(irq, 0, GIC_SHARED_COUNT - 1);
            if (owner[irq])
                fail_msg("interrupt %u is %s's and %s's", irq, owner[irq], row->type->name);
            owner[irq] = row->type->name;
        }
}

static void interrupts_are_nobody_elses(void **state)
{
    (void)state;
    check_each(check_interrupts);
}

static void check_places(void)
{
    const struct board_row *row, *other;
    for (unsigned i = 0; (row = row_at(i)); i++)
        for (unsigned j = 0; j < i && (other = row_at(j)); j++)
            if ((row->stats && row->stats == other->stats) || (row->saved && row->saved == other->saved) ||
                (row->tree && row->tree == other->tree))
                fail_msg("%s and %s have the same place", row->type->name, other->type->name);
}

static void places_are_nobody_elses(void **state)
{
    (void)state;
    check_each(check_places);
}

/* All registers of a machine are within the range of their device's row. */
static void registers_are_where_the_rows_say(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.cpus=2", "machine.net=user", "rng.present=on");
    board = machine->board;
    assert_true(row_at(0)->type == &board_gic_type); /* the interrupt controller is created first */
    for (int d = 0; d < machine->mem->device_count; d++) {
        const struct physmem_device *device = &machine->mem->devices[d];
        const struct board_row *row = NULL;
        for (unsigned i = 0; (row = row_at(i)); i++)
            if (device->base >= row->base && device->base + device->size <= row->base + row->type->size)
                break;
        if (!row)
            fail_msg("no row has the registers at 0x%x", device->base);
    }
    assert_non_null(board_device(machine, &board_gic_type));
    assert_ptr_equal(board_device(machine, &board_net_type), board_net_of(machine));
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_what_it_is),        cmocka_unit_test(addresses_do_not_overlap),
        cmocka_unit_test(interrupts_are_nobody_elses),      cmocka_unit_test(places_are_nobody_elses),
        cmocka_unit_test(registers_are_where_the_rows_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
