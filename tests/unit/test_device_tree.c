/* The device tree describes the configured devices, and nothing else. */
#include <libfdt.h>
#include <stdlib.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/boards/device_tree.h"
#include "tests/unit/machine_program.h"

static uint8_t tree[DEVICE_TREE_MAX];

static void make_tree(struct machine *machine, paddr initrd, uint32_t initrd_size)
{
    struct err err = {""};
    uint32_t size;
    const struct guest_places places = {
        .initrd = initrd, .initrd_size = initrd_size, .free = 0x1000000, .free_end = 0x2000000};
    if (!device_tree_write(machine, &places, tree, &size, &err))
        fail_msg("%s", err.text);
    assert_in_range(size, 1, sizeof tree);
    assert_int_equal(fdt_check_full(tree, sizeof tree), 0);
}

static int node(const char *path)
{
    return fdt_path_offset(tree, path);
}

/* Cell INDEX of property NAME of the node at PATH. */
static uint32_t cell(const char *path, const char *name, int index)
{
    int length;
    const fdt32_t *cells = fdt_getprop(tree, node(path), name, &length);
    if (!cells || length < (index + 1) * 4)
        fail_msg("%s: %s has no cell %d", path, name, index);
    return fdt32_ld(&cells[index]);
}

static const char *string(const char *path, const char *name)
{
    const char *text = fdt_getprop(tree, node(path), name, NULL);
    return text ? text : "(none)";
}

static int children(const char *path, const char *prefix)
{
    int count = 0, child;
    fdt_for_each_subnode(child, tree, node(path)) count +=
        strncmp(fdt_get_name(tree, child, NULL), prefix, strlen(prefix)) == 0;
    return count;
}

static void cpus_and_clocks(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.cpus=5", "cpu.clock=500MHz");
    make_tree(machine, 0, 0);
    assert_int_equal(children("/cpus", "cpu@"), 5);
    assert_int_equal(cell("/cpus/cpu@4", "reg", 0), 4);
    /* Linux takes half of this clock as the rate of Count; the modelled CPU clock does not appear in the tree */
    assert_int_equal(cell("/cpu-clock", "clock-frequency", 0), 2 * BOARD_COUNT_HZ);
    assert_int_equal(cell("/cpus/cpu@0", "clocks", 0), cell("/cpu-clock", "phandle", 0));
    assert_int_equal(cell("/interrupt-controller@1bdc0000/timer", "clock-frequency", 0), BOARD_COUNT_HZ);
    /* interrupt-map, which names this node as parent, needs its #address-cells */
    assert_int_equal(cell("/interrupt-controller@1bdc0000", "#address-cells", 0), 0);
    machine_free(machine);
}

static void memory_in_one_or_two_pieces(void **state)
{
    (void)state;
    int length;
    struct machine *machine = MACHINE_OF("machine.memory=64M");
    make_tree(machine, 0, 0);
    assert_non_null(fdt_getprop(tree, node("/memory@0"), "reg", &length));
    assert_int_equal(length, 8);
    assert_int_equal(cell("/memory@0", "reg", 1), 64 << 20);
    assert_int_equal(cell("/reserved-memory/mailbox@10000", "reg", 1), BOARD_MAILBOX_SIZE);
    machine_free(machine);
    machine = MACHINE_OF("machine.memory=2G");
    make_tree(machine, 0, 0);
    assert_int_equal(cell("/memory@0", "reg", 1), 256 << 20);
    assert_int_equal(cell("/memory@0", "reg", 2), 0x20000000);
    assert_int_equal(cell("/memory@0", "reg", 3), (2048u - 256u) << 20);
    machine_free(machine);
}

static void chosen(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("guest.bootargs=a b=c");
    make_tree(machine, 0x7000000, 0x1234);
    assert_string_equal(string("/chosen", "bootargs"), "a b=c");
    assert_int_equal(cell("/chosen", "linux,initrd-start", 0), 0x7000000);
    assert_int_equal(cell("/chosen", "linux,initrd-end", 0), 0x7001234);
    assert_string_equal(string("/aliases", "serial0"), "/serial@18000000");
    assert_true(node(string("/aliases", "serial2")) > 0);
    make_tree(machine, 0x7000000, 0);
    assert_null(fdt_getprop(tree, node("/chosen"), "linux,initrd-start", NULL));
    machine_free(machine);
}

static void only_disks_that_are_there(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-disk-XXXXXX", parameter[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 4096), 0);
    close(fd);
    struct machine *machine = MACHINE_OF("machine.cpus=1");
    make_tree(machine, 0, 0);
    assert_int_equal(children("/", "disk@"), 0);
    machine_free(machine);
    snprintf(parameter, sizeof parameter, "machine.disk3=%s,ro", path);
    machine = MACHINE_OF(parameter);
    make_tree(machine, 0, 0);
    assert_int_equal(children("/", "disk@"), 1);
    assert_int_equal(cell("/disk@18103000", "interrupts", 1), BOARD_IRQ_VIRTIO + 3);
    machine_free(machine);
    unlink(path);
}

/* Absent devices have no node; strings are those of the parameters. */
static void network(void **state)
{
    (void)state;
    static const uint8_t mac[] = {0x02, 0, 0, 0, 0, 9};
    struct machine *machine = MACHINE_OF("machine.net=none");
    make_tree(machine, 0, 0);
    assert_int_equal(children("/", "ethernet@"), 0);
    machine_free(machine);
    machine = MACHINE_OF("machine.net=user");
    make_tree(machine, 0, 0);
    assert_int_equal(cell("/ethernet@18108000", "interrupts", 1), BOARD_IRQ_VIRTIO + 8);
    assert_string_equal(string("/ethernet@18108000", "simos,ip-address"), "10.0.2.15/24");
    assert_string_equal(string("/ethernet@18108000", "simos,gateway"), "10.0.2.2");
    assert_string_equal(string("/ethernet@18108000", "simos,nameserver"), "10.0.2.3");
    machine_free(machine);
    machine = MACHINE_OF("machine.net=user", "net.mac=02:00:00:00:00:09", "net.address=192.168.1.1/30",
                         "net.gateway=none", "net.nameserver=192.168.1.2");
    make_tree(machine, 0, 0);
    assert_memory_equal(fdt_getprop(tree, node("/ethernet@18108000"), "local-mac-address", NULL), mac, sizeof mac);
    assert_string_equal(string("/ethernet@18108000", "simos,ip-address"), "192.168.1.1/30");
    assert_null(fdt_getprop(tree, node("/ethernet@18108000"), "simos,gateway", NULL));
    assert_string_equal(string("/ethernet@18108000", "simos,nameserver"), "192.168.1.2");
    machine_free(machine);
}

/* Every "reg" is the address of a device, and every shared interrupt is one of the board. */
static void registers_are_where_the_devices_are(void **state)
{
    (void)state;
    static const char *const paths[] = {"/serial@18000000",
                                        "/serial@18001000",
                                        "/serial@18002000",
                                        "/syscon@18020000",
                                        "/rtc@18030000",
                                        "/control@18010000",
                                        "/interrupt-controller@1bdc0000",
                                        "/cpc@1bde0000"};
    struct machine *machine = MACHINE_OF("machine.cpus=2");
    make_tree(machine, 0, 0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int found = 0;
        for (int d = 0; d < machine->mem->device_count; d++)
            found += machine->mem->devices[d].base == cell(paths[i], "reg", 0) &&
                     machine->mem->devices[d].size == cell(paths[i], "reg", 1);
        assert_int_equal(found, 1);
    }
    for (unsigned i = 0; i < BOARD_UART_COUNT; i++)
        assert_int_equal(cell(paths[i], "interrupts", 1), BOARD_IRQ_UART + i);
    assert_int_equal(cell("/rtc@18030000", "interrupts", 1), BOARD_IRQ_RTC);
    assert_int_equal(cell("/syscon@18020000/reboot", "value", 0), 0x42);
    machine_free(machine);
}

/* guest.page_seed: 64 different pages, all free, the same for a seed and others for another. */
static void pages_by_seed(void **state)
{
    enum { PAGES = 64 };
    (void)state;
    uint32_t first[PAGES];
    struct machine *machine = MACHINE_OF("machine.cpus=1");
    make_tree(machine, 0, 0);
    assert_int_equal(node("/reserved-memory/seeded-pages"), -FDT_ERR_NOTFOUND);
    machine_free(machine);
    const char *const seeds[] = {"guest.page_seed=7", "guest.page_seed=7", "guest.page_seed=8"};
    for (unsigned seed = 0; seed < 3; seed++) {
        machine = MACHINE_OF(seeds[seed]);
        make_tree(machine, 0, 0);
        bool same = true;
        for (int i = 0; i < PAGES; i++) {
            const uint32_t page = cell("/reserved-memory/seeded-pages", "reg", 2 * i);
            assert_in_range(page, 0x1000000, 0x1fff000);
            assert_int_equal(page % 0x1000, 0);
            assert_int_equal(cell("/reserved-memory/seeded-pages", "reg", 2 * i + 1), 0x1000);
            for (int before = 0; before < i; before++)
                assert_int_not_equal(page, cell("/reserved-memory/seeded-pages", "reg", 2 * before));
            same = same && seed > 0 && page == first[i];
            if (seed == 0)
                first[i] = page;
        }
        assert_int_equal(same, seed == 1);
        machine_free(machine);
    }
}

static void too_few_pages_for_a_seed(void **state)
{
    (void)state;
    struct err err = {""};
    uint32_t size;
    const struct guest_places places = {.free = 0x1000000, .free_end = 0x1000000 + 127 * 0x1000};
    struct machine *machine = MACHINE_OF("guest.page_seed=1");
    assert_false(device_tree_write(machine, &places, tree, &size, &err));
    assert_string_equal(err.text, "guest.page_seed: the guest leaves fewer than 128 pages of RAM free");
    machine_free(machine);
}

static void the_longest_boot_arguments_fit(void **state)
{
    (void)state;
    char parameter[4096 + 32] = "guest.bootargs=";
    memset(parameter + strlen(parameter), 'x', 4096);
    struct machine *machine = MACHINE_OF(parameter, "machine.cpus=16", "guest.page_seed=1");
    make_tree(machine, 0, 0);
    assert_int_equal(strlen(string("/chosen", "bootargs")), 4096);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_and_clocks),
        cmocka_unit_test(memory_in_one_or_two_pieces),
        cmocka_unit_test(chosen),
        cmocka_unit_test(only_disks_that_are_there),
        cmocka_unit_test(network),
        cmocka_unit_test(registers_are_where_the_devices_are),
        cmocka_unit_test(pages_by_seed),
        cmocka_unit_test(too_few_pages_for_a_seed),
        cmocka_unit_test(the_longest_boot_arguments_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
