create tests/unit/test_toy.c <<'END'
/* The toy of devices/board/toy.c: registers, interrupt, statistics, node of the device tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <libfdt.h>
#include <cmocka.h>
#include "src/boards/device_tree.h"
#include "tests/unit/machine_program.h"

enum { BASE = 0x18040000 };

static void it_keeps_a_number(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.cpus=1");
    uint32_t value = 0;
    double writes = 0;
    assert_true(physmem_device_read(machine->mem, BASE, 4, 0, &value));
    assert_int_equal(value, 0x00594f54);
    assert_true(physmem_device_write(machine->mem, BASE + 4, 4, 0, 0x12345678));
    assert_true(physmem_device_write(machine->mem, BASE + 4, 1, 0, 9)); /* ignored */
    assert_true(physmem_device_read(machine->mem, BASE + 4, 4, 0, &value));
    assert_int_equal(value, 0x12345678);
    assert_true(stats_value(machine->stats, "toy.toy_writes", &writes));
    assert_int_equal((int)writes, 1);
    machine_free(machine);
}

static void the_kernel_is_told(void **state)
{
    static uint8_t tree[DEVICE_TREE_MAX];
    (void)state;
    struct machine *machine = MACHINE_OF("machine.cpus=1");
    struct err err = {""};
    uint32_t size;
    const struct guest_places places = {.free = 0x1000000, .free_end = 0x2000000};
    assert_true(device_tree_write(machine, &places, tree, &size, &err));
    int node = fdt_path_offset(tree, "/toy@18040000");
    assert_true(node > 0);
    assert_string_equal(fdt_getprop(tree, node, "compatible", NULL), "simos,toy");
    assert_int_equal(fdt32_ld((const fdt32_t *)fdt_getprop(tree, node, "interrupts", NULL) + 1), 32);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_keeps_a_number), cmocka_unit_test(the_kernel_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
