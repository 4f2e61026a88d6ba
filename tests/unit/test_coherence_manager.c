/*
 * The coherence manager: registers by which a kernel finds and starts cores.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "devices/board/coherence_manager.h"
#include "src/base/board.h"

enum {
    CPUS = 4,
    CONFIG = 0x00,
    BASE = 0x08,
    ACCESS = 0x20,
    ACCESS_HIGH = 0x24,
    REV = 0x30,
    ERROR_CAUSE = 0x48,
    L2_SYNC = 0x70,
    GIC_BASE = 0x80,
    CPC_BASE = 0x88,
    REG0_BASE = 0x90,
    REG3_MASK = 0xc8,
    GIC_STATUS = 0xd0,
    CPC_STATUS = 0xf0,
    LOCAL = 0x2000,
    OTHER = 0x4000,
    CL_COHERENCE = 0x08,
    CL_CONFIG = 0x10,
    CL_OTHER = 0x18,
    CL_RESET_BASE = 0x20,
    CL_ID = 0x28,
    CL_RESET_EXT_BASE = 0x30,
};

#define USE_BASE (1u << 30)

struct board {
    struct log *log;
    struct coherence_manager *manager;
};

static int setup(void **state)
{
    struct board *board = calloc(1, sizeof *board);
    const struct coherence_manager_config config = {CPUS, BOARD_GCR_BASE, BOARD_GIC_BASE, BOARD_CPC_BASE};
    board->log = log_create(true);
    board->manager = coherence_manager_create(&config, board->log);
    *state = board;
    return 0;
}

static int teardown(void **state)
{
    struct board *board = *state;
    coherence_manager_free(board->manager);
    log_free(board->log);
    free(board);
    return 0;
}

static uint32_t get(struct board *board, unsigned cpu, uint32_t offset)
{
    return coherence_manager_device_ops.read(board->manager, offset, 4, cpu);
}

static void put(struct board *board, unsigned cpu, uint32_t offset, uint32_t value)
{
    coherence_manager_device_ops.write(board->manager, offset, 4, value, cpu);
}

static void says_what_there_is(void **state)
{
    struct board *board = *state;
    assert_int_equal(get(board, 0, CONFIG) & 0xff, CPUS - 1);
    assert_int_equal(get(board, 0, CONFIG + 4), 0);
    assert_int_equal(get(board, 0, BASE) & ~0x7fffu, BOARD_GCR_BASE);
    assert_int_equal(get(board, 0, BASE + 4), 0);
    assert_int_equal(get(board, 0, REV), 0x0600); /* CM2 */
    assert_int_equal(get(board, 0, GIC_STATUS), 1);
    assert_int_equal(get(board, 0, CPC_STATUS), 1);
    assert_int_equal(get(board, 0, GIC_BASE), BOARD_GIC_BASE | 1);
    assert_int_equal(get(board, 0, CPC_BASE), BOARD_CPC_BASE | 1);
    assert_int_equal(get(board, 0, ERROR_CAUSE), 0);
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        assert_int_equal(get(board, cpu, LOCAL + CL_ID), cpu);
        assert_int_equal(get(board, cpu, LOCAL + CL_CONFIG), 0); /* one VPE */
        assert_int_equal(get(board, cpu, LOCAL + CL_RESET_BASE), 0xbfc00000);
    }
}

/* The sequence of writes with which Linux 6.1 probes the CM. */
static void kernel_probe_goes_through(void **state)
{
    struct board *board = *state;
    put(board, 0, BASE + 4, 0);
    put(board, 0, BASE, BOARD_GCR_BASE);
    assert_int_equal(get(board, 0, BASE), BOARD_GCR_BASE);
    put(board, 0, REG0_BASE, 0xffff0000);
    put(board, 0, REG3_MASK, 0xffff0000);
    assert_int_equal(get(board, 0, REG0_BASE), 0xffff0000);
    assert_int_equal(get(board, 0, REG3_MASK), 0xffff0000);
    put(board, 0, L2_SYNC, (BOARD_GCR_BASE + 0x8000) | 1);
    assert_int_equal(get(board, 0, L2_SYNC), (BOARD_GCR_BASE + 0x8000) | 1);
    coherence_manager_l2_sync_ops.write(board->manager, 0, 4, 0, 0);
    put(board, 0, GIC_BASE, BOARD_GIC_BASE | 1);
    assert_int_equal(get(board, 0, GIC_BASE), BOARD_GIC_BASE | 1);
}

static void blocks_do_not_move(void **state)
{
    struct board *board = *state;
    put(board, 0, BASE, 0x10000000);
    put(board, 0, GIC_BASE, 0x10000000);
    put(board, 0, CPC_BASE, 0x10000001);
    assert_int_equal(get(board, 0, BASE), BOARD_GCR_BASE);
    assert_int_equal(get(board, 0, GIC_BASE), BOARD_GIC_BASE);
    assert_int_equal(get(board, 0, CPC_BASE), BOARD_CPC_BASE | 1);
}

static void other_block_is_that_of_another_core(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + CL_OTHER, 2 << 16);
    put(board, 1, LOCAL + CL_OTHER, 3 << 16); /* each core has an "other" register of its own */
    assert_int_equal(get(board, 0, OTHER + CL_ID), 2);
    assert_int_equal(get(board, 1, OTHER + CL_ID), 3);
    put(board, 0, OTHER + CL_COHERENCE, 0x0f);
    put(board, 0, OTHER + CL_RESET_BASE, 0xa0123fff);
    assert_int_equal(get(board, 2, LOCAL + CL_COHERENCE), 0x0f);
    assert_int_equal(get(board, 2, LOCAL + CL_RESET_BASE), 0xa0123000);
    assert_int_equal(get(board, 3, LOCAL + CL_COHERENCE), 0);
    static const uint32_t nobody[] = {CPUS << 16, 0xffff0000};
    for (int i = 0; i < 2; i++) {
        put(board, 0, LOCAL + CL_OTHER, nobody[i]);
        put(board, 0, OTHER + CL_COHERENCE, 0xff);
        assert_int_equal(get(board, 0, OTHER + CL_COHERENCE), 0);
        assert_int_equal(get(board, 0, OTHER + CL_ID), 0);
    }
}

static void coherence_is_lost_with_a_reset(void **state)
{
    struct board *board = *state;
    assert_true(coherence_manager_is_coherent(board->manager, 0));
    assert_false(coherence_manager_is_coherent(board->manager, 1));
    put(board, 1, LOCAL + CL_COHERENCE, 0xff);
    put(board, 1, LOCAL + CL_RESET_BASE, 0xa0100000);
    assert_true(coherence_manager_is_coherent(board->manager, 1));
    coherence_manager_core_reset(board->manager, 1);
    assert_false(coherence_manager_is_coherent(board->manager, 1));
    assert_true(coherence_manager_is_coherent(board->manager, 0));
    assert_int_equal(get(board, 1, LOCAL + CL_RESET_BASE), 0xa0100000);
}

static void reset_base_is_where_the_core_fetches(void **state)
{
    struct board *board = *state;
    assert_int_equal(coherence_manager_reset_base(board->manager, 1), 0xbfc00000);
    assert_int_equal(get(board, 1, LOCAL + CL_RESET_EXT_BASE), 1);
    put(board, 1, LOCAL + CL_RESET_EXT_BASE, USE_BASE);
    assert_int_equal(get(board, 1, LOCAL + CL_RESET_EXT_BASE), USE_BASE | 1);
    put(board, 1, LOCAL + CL_RESET_BASE, 0xa0104000); /* as smp-cps writes it */
    assert_int_equal(coherence_manager_reset_base(board->manager, 1), 0xa0104000);
    put(board, 1, LOCAL + CL_RESET_BASE, 0x80104000);
    assert_int_equal(coherence_manager_reset_base(board->manager, 1), 0x80104000);
    put(board, 1, LOCAL + CL_RESET_EXT_BASE, 0); /* the legacy map knows kseg1 only */
    assert_int_equal(coherence_manager_reset_base(board->manager, 1), 0xa0104000);
    put(board, 1, LOCAL + CL_RESET_BASE, 0x40104123); /* an address in mapped memory becomes one in kseg1 */
    assert_int_equal(coherence_manager_reset_base(board->manager, 1), 0xa0104000);
    put(board, 1, LOCAL + CL_RESET_EXT_BASE, ~0u);
    assert_int_equal(coherence_manager_reset_base(board->manager, 1), 0x80104000);
}

static void access_register_locks_cores_out(void **state)
{
    struct board *board = *state;
    put(board, 0, ACCESS, 1 << 0 | 1 << 2);
    put(board, 1, LOCAL + CL_COHERENCE, 0xff);
    put(board, 2, LOCAL + CL_COHERENCE, 0xff);
    assert_int_equal(get(board, 1, LOCAL + CL_COHERENCE), 0);
    assert_int_equal(get(board, 2, LOCAL + CL_COHERENCE), 0xff);
    put(board, 0, ACCESS, get(board, 0, ACCESS) | 1 << 1);
    put(board, 1, LOCAL + CL_COHERENCE, 0xff);
    assert_int_equal(get(board, 1, LOCAL + CL_COHERENCE), 0xff);
}

static void sixty_four_cores(void **state)
{
    const struct coherence_manager_config config = {64, BOARD_GCR_BASE, BOARD_GIC_BASE, BOARD_CPC_BASE};
    struct board of_64 = {.log = ((struct board *)*state)->log}, *board = &of_64;
    board->manager = coherence_manager_create(&config, board->log);
    assert_int_equal(get(board, 0, CONFIG) & 0xff, 63);
    assert_int_equal(get(board, 63, LOCAL + CL_ID), 63);
    put(board, 0, LOCAL + CL_OTHER, 63 << 16);
    put(board, 0, OTHER + CL_RESET_BASE, 0x9fc01000);
    assert_int_equal(get(board, 63, LOCAL + CL_RESET_BASE), 0x9fc01000);
    put(board, 0, ACCESS_HIGH, ~(1u << 31)); /* the other word is that of cores 31:0 */
    put(board, 63, LOCAL + CL_COHERENCE, 0xff);
    put(board, 62, LOCAL + CL_COHERENCE, 0xff);
    put(board, 31, LOCAL + CL_COHERENCE, 0xff);
    assert_false(coherence_manager_is_coherent(board->manager, 63));
    assert_true(coherence_manager_is_coherent(board->manager, 62));
    assert_true(coherence_manager_is_coherent(board->manager, 31));
    coherence_manager_free(board->manager);
}

static void narrow_accesses(void **state)
{
    struct board *board = *state;
    assert_int_equal(coherence_manager_device_ops.read(board->manager, REV + 1, 1, 0), 6);
    assert_int_equal(coherence_manager_device_ops.read(board->manager, GIC_BASE + 2, 2, 0), BOARD_GIC_BASE >> 16);
    coherence_manager_device_ops.write(board->manager, LOCAL + CL_COHERENCE, 1, 0, 0);
    assert_int_equal(get(board, 0, LOCAL + CL_COHERENCE), 0xff);
}

static void every_place_takes_any_value(void **state)
{
    struct board *board = *state;
    static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678};
    for (uint32_t offset = 0; offset < BOARD_GCR_SIZE; offset++) {
        for (unsigned size = 1; size <= 4; size *= 2) {
            if (offset % size || offset / 8 == ACCESS / 8) /* a core that locked itself out would lose access */
                continue;
            for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
                unsigned cpu = (offset + i) % CPUS;
                coherence_manager_device_ops.write(board->manager, offset, size, values[i], cpu);
                uint32_t word = get(board, cpu, offset & ~3u) >> (offset % 4 * 8);
                uint32_t part = coherence_manager_device_ops.read(board->manager, offset, size, cpu);
                assert_int_equal(part, size == 4 ? word : word & ((1u << 8 * size) - 1));
            }
        }
    }
    assert_int_equal(get(board, 0, CONFIG) & 0xff, CPUS - 1);
    assert_int_equal(get(board, 0, BASE) & ~0x7fffu, BOARD_GCR_BASE);
    assert_int_equal(get(board, 0, REG3_MASK), 0x12340070); /* the last of the writes above took effect */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(says_what_there_is, setup, teardown),
        cmocka_unit_test_setup_teardown(kernel_probe_goes_through, setup, teardown),
        cmocka_unit_test_setup_teardown(blocks_do_not_move, setup, teardown),
        cmocka_unit_test_setup_teardown(other_block_is_that_of_another_core, setup, teardown),
        cmocka_unit_test_setup_teardown(coherence_is_lost_with_a_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(reset_base_is_where_the_core_fetches, setup, teardown),
        cmocka_unit_test_setup_teardown(access_register_locks_cores_out, setup, teardown),
        cmocka_unit_test_setup_teardown(sixty_four_cores, setup, teardown),
        cmocka_unit_test_setup_teardown(narrow_accesses, setup, teardown),
        cmocka_unit_test_setup_teardown(every_place_takes_any_value, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
