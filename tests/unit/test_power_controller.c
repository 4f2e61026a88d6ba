/*
 * The power controller: starting, stopping and restarting cores as the kernel does it.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "devices/board/power_controller.h"
#include "src/base/board.h"

enum {
    CPUS = 3,
    ACCESS = 0x00,
    ACCESS_HIGH = 0x04,
    REVISION = 0x20,
    LOCAL = 0x2000,
    OTHER = 0x4000,
    CMD = 0x00,
    STAT_CONF = 0x08,
    CL_OTHER = 0x10,
    CLOCK_OFF = 1,
    POWER_DOWN = 2,
    POWER_UP = 3,
    RESET = 4,
    D0 = 0,
    U5 = 6,
    U6 = 7,

    GCR_COHERENCE = 0x2008,
    GCR_RESET_BASE = 0x2020,
    GCR_RESET_EXT_BASE = 0x2030,
};

struct board {
    struct log *log;
    struct coherence_manager *manager;
    struct power_controller *controller;
    unsigned cpus;
    int starts[COHERENCE_MANAGER_MAX_CPUS], stops[COHERENCE_MANAGER_MAX_CPUS];
    bool runs[COHERENCE_MANAGER_MAX_CPUS];
    vaddr pc[COHERENCE_MANAGER_MAX_CPUS];
};

static void start(void *opaque, unsigned cpu, vaddr reset_pc)
{
    struct board *board = opaque;
    assert_true(cpu < board->cpus);
    board->starts[cpu]++;
    board->runs[cpu] = true;
    board->pc[cpu] = reset_pc;
}

static void stop(void *opaque, unsigned cpu)
{
    struct board *board = opaque;
    assert_true(cpu < board->cpus && board->runs[cpu]);
    board->stops[cpu]++;
    board->runs[cpu] = false;
}

static const struct power_ops ops = {start, stop};

static int setup_of(void **state, unsigned cpus)
{
    struct board *board = calloc(1, sizeof *board);
    const struct coherence_manager_config config = {cpus, BOARD_GCR_BASE, BOARD_GIC_BASE, BOARD_CPC_BASE};
    board->log = log_create(true);
    board->manager = coherence_manager_create(&config, board->log);
    board->controller = power_controller_create(cpus, board->manager, &ops, board, board->log);
    board->cpus = cpus;
    board->runs[0] = true;
    *state = board;
    return 0;
}

static int setup(void **state)
{
    return setup_of(state, CPUS);
}

static int setup_of_64(void **state)
{
    return setup_of(state, 64);
}

static int teardown(void **state)
{
    struct board *board = *state;
    power_controller_free(board->controller);
    coherence_manager_free(board->manager);
    log_free(board->log);
    free(board);
    return 0;
}

static uint32_t get(struct board *board, unsigned cpu, uint32_t offset)
{
    return power_controller_device_ops.read(board->controller, offset, 4, cpu);
}

static void put(struct board *board, unsigned cpu, uint32_t offset, uint32_t value)
{
    power_controller_device_ops.write(board->controller, offset, 4, value, cpu);
}

static void put_gcr(struct board *board, unsigned cpu, uint32_t offset, uint32_t value)
{
    coherence_manager_device_ops.write(board->manager, offset, 4, value, cpu);
}

static unsigned sequencer(struct board *board, unsigned cpu)
{
    return get(board, cpu, LOCAL + STAT_CONF) >> 19 & 0xf;
}

static void only_core_0_is_on_at_first(void **state)
{
    struct board *board = *state;
    assert_int_equal(sequencer(board, 0), U6);
    assert_int_equal(sequencer(board, 1), D0);
    assert_int_equal(sequencer(board, 2), D0);
    assert_true(power_controller_is_on(board->controller, 0));
    assert_false(power_controller_is_on(board->controller, 1));
    assert_false(power_controller_is_on(board->controller, CPUS));
    assert_int_equal(board->starts[0], 0);
    /* power-down is implemented, clock gating is not, no probe */
    assert_int_equal(get(board, 0, LOCAL + STAT_CONF) >> 15 & 7, 2);
    assert_int_not_equal(get(board, 0, REVISION), 0);
}

static void sixty_four_cores(void **state)
{
    struct board *board = *state;
    for (unsigned core = 1; core < 64; core++) { /* each by the one before */
        put_gcr(board, core, GCR_RESET_BASE, 0xa0100000 + core * 0x1000);
        put(board, core - 1, LOCAL + CL_OTHER, core << 16);
        put(board, core - 1, OTHER + CMD, POWER_UP);
        assert_true(power_controller_is_on(board->controller, core));
        assert_int_equal(board->starts[core], 1);
        assert_int_equal(board->pc[core], 0xa0100000 + core * 0x1000);
    }
    put(board, 0, ACCESS_HIGH, 0x7fffffff);
    put(board, 63, LOCAL + CMD, POWER_DOWN);
    put(board, 62, LOCAL + CMD, POWER_DOWN);
    assert_true(power_controller_is_on(board->controller, 63));
    assert_false(power_controller_is_on(board->controller, 62));
}

/* The sequence of smp-cps: start a core, stop it, and start it again. */
static void core_goes_up_down_and_up(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + CL_OTHER, 2 << 16);
    assert_int_equal(get(board, 0, LOCAL + CL_OTHER), 2 << 16);
    put_gcr(board, 2, GCR_RESET_BASE, 0xa0105000);
    put_gcr(board, 2, GCR_RESET_EXT_BASE, 1u << 30);
    put(board, 0, OTHER + CMD, RESET);
    assert_int_equal(board->starts[2], 1);
    assert_int_equal(board->pc[2], 0xa0105000);
    assert_int_equal(board->starts[1], 0);
    assert_int_equal(get(board, 0, OTHER + STAT_CONF) >> 19 & 0xf, U5); /* not coherent yet */
    put_gcr(board, 2, GCR_COHERENCE, 0xff);
    assert_int_equal(get(board, 0, OTHER + STAT_CONF) >> 19 & 0xf, U6);

    put_gcr(board, 2, GCR_COHERENCE, 0);
    put(board, 2, LOCAL + CMD, POWER_DOWN);
    assert_int_equal(board->stops[2], 1);
    assert_false(power_controller_is_on(board->controller, 2));
    assert_int_equal(get(board, 0, OTHER + STAT_CONF) >> 19 & 0xf, D0);

    put_gcr(board, 2, GCR_RESET_BASE, 0xa0106000);
    put(board, 0, OTHER + CMD, POWER_UP);
    assert_int_equal(board->starts[2], 2);
    assert_int_equal(board->pc[2], 0xa0106000);
    assert_true(board->runs[2]);
}

static void commands_that_change_nothing(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + CMD, POWER_UP); /* the core is on already */
    put(board, 0, LOCAL + CMD, CLOCK_OFF);
    put(board, 0, LOCAL + CMD, 0xf);
    put(board, 1, LOCAL + CMD, POWER_DOWN); /* the core is off already */
    assert_int_equal(board->starts[0] + board->stops[0] + board->starts[1] + board->stops[1], 0);
    assert_int_equal(sequencer(board, 0), U6);
    assert_int_equal(get(board, 0, LOCAL + CMD), 0xf);
    put(board, 0, LOCAL + STAT_CONF, ~0u); /* read-only */
    assert_int_equal(sequencer(board, 0), U6);
}

static void running_core_can_be_reset(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + CMD, RESET);
    assert_int_equal(board->starts[0], 1);
    assert_int_equal(board->pc[0], 0xbfc00000);
    assert_int_equal(sequencer(board, 0), U5); /* a reset removes it from the coherent domain */
}

static void coherent_core_loses_coherence_with_its_power(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + CMD, POWER_DOWN);
    assert_int_equal(board->stops[0], 1);
    assert_false(coherence_manager_is_coherent(board->manager, 0));
}

static void core_that_does_not_exist(void **state)
{
    struct board *board = *state;
    static const uint32_t nobody[] = {CPUS << 16, 0x00ff0000};
    for (int i = 0; i < 2; i++) {
        put(board, 0, LOCAL + CL_OTHER, nobody[i]);
        put(board, 0, OTHER + CMD, RESET);
        put(board, 0, OTHER + CMD, POWER_DOWN);
        assert_int_equal(get(board, 0, OTHER + STAT_CONF), 0);
    }
    for (int cpu = 0; cpu < CPUS; cpu++)
        assert_int_equal(board->starts[cpu] + board->stops[cpu], 0);
}

static void access_register_locks_cores_out(void **state)
{
    struct board *board = *state;
    put(board, 0, ACCESS, 1);
    put(board, 1, LOCAL + CL_OTHER, 0);
    put(board, 1, OTHER + CMD, POWER_DOWN); /* core 0 */
    assert_true(power_controller_is_on(board->controller, 0));
    put(board, 0, ACCESS, 3);
    put(board, 1, OTHER + CMD, POWER_DOWN);
    assert_false(power_controller_is_on(board->controller, 0));
}

static void every_place_takes_any_value(void **state)
{
    struct board *board = *state;
    static const uint32_t values[] = {0, 1, 2, 3, 4, 0x10000, 0xffffffff, 0x12345674};
    for (uint32_t offset = 0; offset < BOARD_CPC_SIZE; offset++) {
        for (unsigned size = 1; size <= 4; size *= 2) {
            if (offset % size || offset / 8 == ACCESS / 8) /* a core that locked itself out would lose access */
                continue;
            for (unsigned i = 0; i < CPUS * sizeof values / sizeof values[0]; i++) {
                unsigned cpu = i % CPUS;
                power_controller_device_ops.write(board->controller, offset, size, values[i / CPUS], cpu);
                uint32_t part = power_controller_device_ops.read(board->controller, offset, size, cpu);
                assert_int_equal(size == 4 ? 0 : part >> (8 * size), 0);
            }
            for (unsigned cpu = 0; cpu < CPUS; cpu++)
                assert_int_equal(power_controller_is_on(board->controller, cpu), board->runs[cpu]);
        }
    }
    assert_true(board->starts[1] > 0 && board->starts[2] > 0 && board->stops[0] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_core_0_is_on_at_first, setup, teardown),
        cmocka_unit_test_setup_teardown(sixty_four_cores, setup_of_64, teardown),
        cmocka_unit_test_setup_teardown(core_goes_up_down_and_up, setup, teardown),
        cmocka_unit_test_setup_teardown(commands_that_change_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(running_core_can_be_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(coherent_core_loses_coherence_with_its_power, setup, teardown),
        cmocka_unit_test_setup_teardown(core_that_does_not_exist, setup, teardown),
        cmocka_unit_test_setup_teardown(access_register_locks_cores_out, setup, teardown),
        cmocka_unit_test_setup_teardown(every_place_takes_any_value, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
