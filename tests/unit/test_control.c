/* The control device: registers, mailbox, and mark names from the guest. */
#include "devices/board/control.h"
#include "src/base/board.h"
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

struct bench {
    struct log *log;
    struct physmem *mem;
    struct control *control;
    const char *command;
    size_t command_size; /* unless 0: the command is this many '#' */
    char name[CONTROL_NAME_MAX + 1];
    unsigned marks, exits, status;
    bool job;
};

static size_t get_command(void *opaque, char *buffer, size_t size)
{
    struct bench *bench = opaque;
    assert_int_equal(size, BOARD_MAILBOX_SIZE);
    size_t length = bench->command_size ? bench->command_size : strlen(bench->command);
    if (bench->command_size)
        memset(buffer, '#', length);
    else
        memcpy(buffer, bench->command, length);
    return length;
}

static void mark(void *opaque, const char *name)
{
    struct bench *bench = opaque;
    assert_true(strlen(name) > 0 && strlen(name) <= CONTROL_NAME_MAX);
    strcpy(bench->name, name);
    bench->marks++;
}

static void end(void *opaque, unsigned status)
{
    struct bench *bench = opaque;
    bench->status = status;
    bench->exits++;
}

static bool has_job(void *opaque)
{
    return ((struct bench *)opaque)->job;
}

static const struct control_ops ops = {.get_command = get_command, .mark = mark, .exit = end, .has_job = has_job};

static int setup(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    bench->log = log_create(true);
    bench->mem = physmem_create(bench->log, NULL);
    assert_non_null(bench->mem);
    assert_true(physmem_add_ram(bench->mem, 0, 1 << 20, NULL));
    bench->control =
        control_create(bench->mem, (struct control_mailbox){BOARD_MAILBOX_BASE, false}, &ops, bench, bench->log);
    bench->command = "";
    *state = bench;
    return 0;
}

static int teardown(void **state)
{
    struct bench *bench = *state;
    control_free(bench->control);
    physmem_free(bench->mem);
    log_free(bench->log);
    free(bench);
    return 0;
}

static uint32_t get(struct bench *bench, uint32_t offset)
{
    return control_device_ops.read(bench->control, offset, 4, 0);
}

static void put(struct bench *bench, uint32_t offset, uint32_t value)
{
    control_device_ops.write(bench->control, offset, 4, value, 0);
}

static char *mailbox(struct bench *bench)
{
    return (char *)physmem_host(bench->mem, BOARD_MAILBOX_BASE);
}

static void test_registers(void **state)
{
    struct bench *b = *state;
    assert_int_equal(get(b, 0x00), 0x4f4d4953);
    assert_int_equal(get(b, 0x04), 0x10000);
    assert_int_equal(get(b, 0x08), 0x10000);
    assert_int_equal(get(b, 0x0c), 0);
    put(b, 0x0c, 0x12345678);
    assert_int_equal(get(b, 0x0c), 0x12345678);
    assert_int_equal(get(b, 0x1c), 0);
    b->job = true;
    assert_int_equal(get(b, 0x1c), 1);
    assert_int_equal(get(b, 0x20), 0);
    assert_int_equal(get(b, 0xffc), 0);
    put(b, 0x00, 1);
    assert_int_equal(get(b, 0x00), 0x4f4d4953);
}

static void test_narrow_accesses(void **state)
{
    struct bench *b = *state;
    char id[5] = "";
    for (unsigned i = 0; i < 4; i++)
        id[i] = (char)control_device_ops.read(b->control, i, 1, 0);
    assert_string_equal(id, "SIMO");
    assert_int_equal(control_device_ops.read(b->control, 2, 2, 0) & 0xffff, 'M' | 'O' << 8);
    control_device_ops.write(b->control, 0x14, 1, 3, 0);
    control_device_ops.write(b->control, 0x14, 2, 3, 0);
    assert_int_equal(b->exits, 0);
}

static void test_command(void **state)
{
    struct bench *b = *state;
    b->command = "echo 'hello'\nexit 3";
    put(b, 0x10, 1);
    assert_int_equal(get(b, 0x0c), strlen(b->command));
    assert_memory_equal(mailbox(b), b->command, strlen(b->command));
    for (unsigned i = strlen(b->command); i < BOARD_MAILBOX_SIZE; i++)
        assert_int_equal(mailbox(b)[i], '\n');
    assert_int_equal(mailbox(b)[-1], 0);
    assert_int_equal(mailbox(b)[BOARD_MAILBOX_SIZE], 0);
}

static void test_command_as_large_as_the_mailbox(void **state)
{
    struct bench *b = *state;
    b->command_size = BOARD_MAILBOX_SIZE;
    put(b, 0x10, 1);
    assert_int_equal(get(b, 0x0c), BOARD_MAILBOX_SIZE);
    assert_int_equal(mailbox(b)[BOARD_MAILBOX_SIZE - 1], '#');
    assert_int_equal(mailbox(b)[BOARD_MAILBOX_SIZE], 0);
}

static void test_no_command(void **state)
{
    struct bench *b = *state;
    put(b, 0x0c, 55);
    put(b, 0x10, 1);
    assert_int_equal(get(b, 0x0c), 0);
    assert_int_equal(mailbox(b)[0], 0);
}

static void mark_as(struct bench *b, const char *bytes, uint32_t length)
{
    memcpy(mailbox(b), bytes, length);
    put(b, 0x0c, length);
    put(b, 0x10, 2);
}

static void test_mark(void **state)
{
    struct bench *b = *state;
    mark_as(b, "start", 5);
    assert_string_equal(b->name, "start");
    mark_as(b, "start of it\n", 12);
    assert_string_equal(b->name, "start of it");
    mark_as(b, " \tx\r\n\0\0", 7);
    assert_string_equal(b->name, "x");
    mark_as(b, "a\x01\xff\x7f\0b~", 7);
    assert_string_equal(b->name, "a____b~");
    assert_int_equal(b->marks, 4);
    mark_as(b, "", 0);
    mark_as(b, " \n", 2);
    assert_int_equal(b->marks, 4); /* a mark without a name is not counted */
}

static void test_mark_length(void **state)
{
    struct bench *b = *state;
    memset(mailbox(b), 'm', BOARD_MAILBOX_SIZE);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t lengths[] = {255, 256, UINT32_MAX};
        put(b, 0x0c, lengths[i]);
        put(b, 0x10, 2);
        assert_int_equal(strlen(b->name), 255);
    }
}

static void test_mark_number(void **state)
{
    struct bench *b = *state;
    put(b, 0x18, 42);
    assert_string_equal(b->name, "42");
    put(b, 0x18, UINT32_MAX);
    assert_string_equal(b->name, "4294967295");
}

static void test_exit(void **state)
{
    struct bench *b = *state;
    put(b, 0x14, 3);
    assert_int_equal(b->status, 3);
    put(b, 0x14, 0x1ff);
    assert_int_equal(b->status, 255);
    assert_int_equal(b->exits, 2);
}

static void test_unknown_request(void **state)
{
    struct bench *b = *state;
    put(b, 0x10, 0);
    put(b, 0x10, 3);
    put(b, 0x10, UINT32_MAX);
    put(b, 0x400, 1);
    assert_int_equal(b->marks + b->exits, 0);
    assert_int_equal(get(b, 0x10), 0);
}

static void test_mailbox_outside_ram(void **state)
{
    struct bench *b = *state;
    struct physmem *mem = physmem_create(b->log, NULL); /* a machine without RAM */
    struct control *control = control_create(mem, (struct control_mailbox){BOARD_MAILBOX_BASE, false}, &ops, b, b->log);
    b->command = "true";
    control_device_ops.write(control, 0x10, 4, 1, 0);
    assert_int_equal(control_device_ops.read(control, 0x0c, 4, 0), 0);
    control_device_ops.write(control, 0x0c, 4, 5, 0);
    control_device_ops.write(control, 0x10, 4, 2, 0);
    assert_int_equal(b->marks, 0);
    control_free(control);
    physmem_free(mem);
}

static void test_stats(void **state)
{
    struct bench *b = *state;
    double value = 0;
    struct stats *stats = stats_create();
    control_register_stats(b->control, stats, "control");
    put(b, 0x18, 1);
    put(b, 0x18, 1);
    put(b, 0x10, 1);
    assert_true(stats_value(stats, "control.marks", &value) && value == 2);
    assert_true(stats_value(stats, "control.commands", &value) && value == 1);
    stats_free(stats);
}

#define CONTROL_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTROL_TEST(test_registers),
        CONTROL_TEST(test_narrow_accesses),
        CONTROL_TEST(test_command),
        CONTROL_TEST(test_command_as_large_as_the_mailbox),
        CONTROL_TEST(test_no_command),
        CONTROL_TEST(test_mark),
        CONTROL_TEST(test_mark_length),
        CONTROL_TEST(test_mark_number),
        CONTROL_TEST(test_exit),
        CONTROL_TEST(test_unknown_request),
        CONTROL_TEST(test_mailbox_outside_ram),
        CONTROL_TEST(test_stats),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
