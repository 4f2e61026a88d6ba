/* The serial port, register by register: PC16550D data sheet and Linux 8250 driver. */
#include "devices/board/uart.h"
#include <string.h>
#include "tests/unit/test.h"

enum { RBR, IER, IIR, LCR, MCR, LSR, MSR, SCR, THR = RBR, DLL = RBR, DLM = IER, FCR = IIR };

struct bench {
    struct event_queue *queue;
    struct log *log;
    struct uart *uart;
    bool line;
    unsigned sent;
    uint8_t bytes[1024];
};

static void set_line(void *opaque, unsigned line, bool level)
{
    struct bench *bench = opaque;
    assert_int_equal(line, 7);
    bench->line = level;
}

static void transmit(void *opaque, uint8_t byte)
{
    struct bench *bench = opaque;
    if (bench->sent < sizeof bench->bytes)
        bench->bytes[bench->sent] = byte;
    bench->sent++;
}

static void bench_open(struct bench *bench, cycles character_time)
{
    memset(bench, 0, sizeof *bench);
    bench->queue = event_queue_create(100000000);
    bench->log = log_create(true);
    bench->uart =
        uart_create(bench->queue, (struct irq_line){set_line, bench, 7}, transmit, bench, character_time, bench->log);
}

static void bench_close(struct bench *bench)
{
    uart_free(bench->uart);
    event_queue_free(bench->queue);
    log_free(bench->log);
}

static unsigned get(struct bench *bench, unsigned reg)
{
    return uart_device_ops.read(bench->uart, reg * 4, 4, 0);
}

static void put(struct bench *bench, unsigned reg, unsigned value)
{
    uart_device_ops.write(bench->uart, reg * 4, 4, value, 0);
}

static void test_reset_values(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    assert_int_equal(get(&b, IIR), 0x01);
    assert_int_equal(get(&b, LSR), 0x60);
    assert_int_equal(get(&b, MSR), 0xb0);
    assert_int_equal(get(&b, IER), 0);
    assert_int_equal(get(&b, LCR), 0);
    assert_int_equal(get(&b, MCR), 0);
    assert_int_equal(get(&b, RBR), 0);
    assert_false(b.line);
    bench_close(&b);
}

static void test_access_width(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    uart_device_ops.write(b.uart, SCR * 4, 1, 0x5a, 0);
    assert_int_equal(get(&b, SCR), 0x5a);
    assert_int_equal(uart_device_ops.read(b.uart, SCR * 4, 1, 0), 0x5a);
    put(&b, SCR, 0xffffff11);
    assert_int_equal(get(&b, SCR), 0x11);
    uart_device_ops.write(b.uart, SCR * 4 + 1, 1, 0x77, 0); /* an address between two registers */
    uart_device_ops.write(b.uart, 8 * 4, 4, 0x77, 0);       /* an address behind the last register */
    assert_int_equal(get(&b, SCR), 0x11);
    assert_int_equal(uart_device_ops.read(b.uart, SCR * 4 + 1, 1, 0), 0);
    assert_int_equal(uart_device_ops.read(b.uart, 0xfc, 4, 0), 0);
    bench_close(&b);
}

static void test_divisor_latch(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, LCR, 0x80);
    put(&b, DLL, 0x34);
    put(&b, DLM, 0x12);
    assert_int_equal(get(&b, DLL), 0x34);
    assert_int_equal(get(&b, DLM), 0x12);
    assert_int_equal(b.sent, 0);
    put(&b, LCR, 0x03);
    assert_int_equal(get(&b, IER), 0);
    assert_int_equal(get(&b, RBR), 0);
    put(&b, LCR, 0x83);
    assert_int_equal(get(&b, DLL) | get(&b, DLM) << 8, 0x1234);
    bench_close(&b);
}

/* The steps by which the driver distinguishes a 16550A from related chips. */
static void test_autoconfig(void **state)
{
    struct bench b;
    unsigned count;
    (void)state;
    bench_open(&b, 0);
    put(&b, IER, 0);
    assert_int_equal(get(&b, IER) & 0x0f, 0);
    put(&b, IER, 0xff);
    assert_int_equal(get(&b, IER), 0x0f); /* bits 4..7 stay 0: not an XScale, no sleep mode */
    put(&b, IER, 0);
    put(&b, MCR, 0x10 | 0x0a);
    assert_int_equal(get(&b, MSR) & 0xf0, 0x90);
    put(&b, MCR, 0);
    put(&b, LCR, 0xbf);
    put(&b, FCR, 0);
    put(&b, LCR, 0);
    put(&b, FCR, 0x01);
    assert_int_equal(get(&b, IIR) >> 6, 3);
    put(&b, LCR, 0xe0); /* no bank 2: offset 2 is still IIR, and does not follow MCR.LOOP */
    assert_int_equal(get(&b, IIR) & 0x10, 0);
    put(&b, LCR, 0);
    put(&b, FCR, 0x21);
    assert_int_equal(get(&b, IIR) >> 5, 6); /* no 64-byte FIFO */

    put(&b, FCR, 0x07);
    put(&b, MCR, 0x10);
    for (unsigned i = 0; i < 256; i++)
        put(&b, THR, i);
    for (count = 0; (get(&b, LSR) & 1) && count < 256; count++)
        assert_int_equal(get(&b, RBR), count);
    assert_int_equal(count, 16);
    assert_int_equal(b.sent, 0); /* nothing was transmitted */
    bench_close(&b);
}

static void test_transmit_at_once(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, FCR, 1);
    for (unsigned i = 0; i < 100; i++) {
        put(&b, THR, i);
        assert_int_equal(get(&b, LSR) & 0x60, 0x60);
    }
    assert_int_equal(b.sent, 100);
    assert_int_equal(b.bytes[99], 99);
    bench_close(&b);
}

static void test_thr_empty_interrupt(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, IER, 2); /* enabling it while THR is empty raises it */
    assert_true(b.line);
    assert_int_equal(get(&b, IIR), 0x02);
    assert_false(b.line); /* reading IIR acknowledged it */
    assert_int_equal(get(&b, IIR), 0x01);
    put(&b, IER, 0);
    put(&b, IER, 2); /* and enabling it once more raises it again */
    assert_true(b.line);
    put(&b, IER, 2); /* writing the same value is no change */
    assert_int_equal(get(&b, IIR), 0x02);
    put(&b, IER, 3);
    assert_false(b.line);
    put(&b, THR, 'x'); /* the character is sent at once, so THR is empty again */
    assert_true(b.line);
    put(&b, IER, 0);
    assert_false(b.line);
    bench_close(&b);
}

static void test_reading_iir_for_another_cause_keeps_thr_empty(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, IER, 3);
    assert_true(uart_receive(b.uart, 'a'));
    assert_int_equal(get(&b, IIR), 0x04);
    assert_int_equal(get(&b, RBR), 'a');
    assert_int_equal(get(&b, IIR), 0x02);
    assert_int_equal(get(&b, IIR), 0x01);
    bench_close(&b);
}

static void test_receive_without_fifo(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, IER, 1);
    assert_int_equal(uart_receive_space(b.uart), 1);
    assert_true(uart_receive(b.uart, 'a'));
    assert_int_equal(uart_receive_space(b.uart), 0);
    assert_false(uart_receive(b.uart, 'b'));
    assert_true(b.line);
    assert_int_equal(get(&b, IIR), 0x04);
    assert_int_equal(get(&b, LSR), 0x61);
    assert_int_equal(get(&b, RBR), 'a');
    assert_false(b.line);
    assert_int_equal(get(&b, LSR), 0x60);
    bench_close(&b);
}

static void test_receive_fifo(void **state)
{
    static const unsigned levels[] = {1, 4, 8, 14};
    (void)state;
    for (unsigned trigger = 0; trigger < 4; trigger++) {
        struct bench b;
        bench_open(&b, 1000);
        put(&b, FCR, 1 | trigger << 6);
        put(&b, IER, 1);
        for (unsigned i = 0; i < 16; i++) {
            assert_int_equal(b.line, i >= levels[trigger]);
            assert_int_equal(uart_receive_space(b.uart), 16 - i);
            assert_true(uart_receive(b.uart, (uint8_t)(0x80 + i)));
        }
        assert_false(uart_receive(b.uart, 0));
        assert_int_equal(get(&b, IIR), 0xc4);
        for (unsigned i = 0; i < 16; i++) {
            assert_int_equal(b.line, 16 - i >= levels[trigger]);
            assert_int_equal(get(&b, RBR), 0x80 + i);
        }
        assert_int_equal(get(&b, LSR) & 1, 0);
        assert_int_equal(get(&b, IIR), 0xc1);
        bench_close(&b);
    }
}

static void test_receive_timeout(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 1000);
    put(&b, FCR, 0xc1);
    put(&b, IER, 1);
    assert_true(uart_receive(b.uart, 'a'));
    event_queue_run(b.queue, 3000);
    assert_true(uart_receive(b.uart, 'b')); /* the timeout of four character times restarts */
    event_queue_run(b.queue, 6999);
    assert_false(b.line);
    event_queue_run(b.queue, 7000);
    assert_true(b.line);
    assert_int_equal(get(&b, IIR), 0xcc);
    assert_int_equal(get(&b, RBR), 'a'); /* reading acknowledges, and restarts */
    assert_false(b.line);
    event_queue_run(b.queue, 11000);
    assert_true(b.line);
    assert_int_equal(get(&b, RBR), 'b');
    event_queue_run(b.queue, 100000);
    assert_false(b.line);
    bench_close(&b);
}

static void test_receive_timeout_without_character_time(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, FCR, 0xc1);
    put(&b, IER, 1);
    assert_true(uart_receive(b.uart, 'a'));
    assert_true(uart_receive(b.uart, 'b'));
    assert_int_equal(get(&b, IIR), 0xcc);
    assert_int_equal(get(&b, RBR), 'a');
    assert_int_equal(get(&b, IIR), 0xcc);
    assert_int_equal(get(&b, RBR), 'b');
    assert_int_equal(get(&b, IIR), 0xc1);
    assert_false(b.line);
    bench_close(&b);
}

static void test_overrun(void **state)
{
    struct bench b;
    (void)state;
    for (unsigned fifo = 0; fifo < 2; fifo++) {
        bench_open(&b, 0);
        put(&b, FCR, fifo);
        put(&b, IER, 4);
        put(&b, MCR, 0x10);
        for (unsigned i = 0; i < (fifo ? 16u : 1u); i++)
            put(&b, THR, i);
        assert_false(b.line);
        put(&b, THR, 0xee);
        assert_true(b.line);
        put(&b, IER, 0x0f); /* line status outranks data and all others */
        assert_int_equal(get(&b, IIR) & 0x0f, 0x06);
        assert_int_equal(get(&b, LSR) & 0x9f, 0x03);
        assert_int_equal(get(&b, LSR) & 0x9f, 0x01); /* reading cleared it */
        assert_int_not_equal(get(&b, IIR) & 0x0f, 0x06);
        /* an overrun with FIFOs loses the new character, without them the old one */
        assert_int_equal(get(&b, RBR), fifo ? 0 : 0xee);
        bench_close(&b);
    }
}

static void test_loopback_takes_no_input(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, FCR, 1);
    put(&b, MCR, 0x10);
    assert_int_equal(uart_receive_space(b.uart), 0);
    assert_false(uart_receive(b.uart, 'a'));
    put(&b, MCR, 0);
    assert_int_equal(uart_receive_space(b.uart), 16);
    assert_int_equal(get(&b, LSR) & 1, 0);
    bench_close(&b);
}

static void test_modem_status(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 0);
    put(&b, IER, 8);
    put(&b, MCR, 0x10); /* CTS, DSR and DCD fall */
    assert_true(b.line);
    assert_int_equal(get(&b, IIR), 0x00);
    assert_int_equal(get(&b, MSR), 0x0b);
    assert_false(b.line);
    put(&b, MCR, 0x14); /* OUT1 is RI: reported at its trailing edge only */
    assert_int_equal(get(&b, MSR), 0x40);
    put(&b, MCR, 0x10);
    assert_int_equal(get(&b, MSR), 0x04);
    put(&b, MCR, 0x11);
    assert_int_equal(get(&b, MSR), 0x22);
    put(&b, MCR, 0xff);
    assert_int_equal(get(&b, MCR), 0x1f);
    bench_close(&b);
}

static void test_transmit_takes_time(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 1000);
    put(&b, FCR, 1);
    put(&b, IER, 2);
    assert_int_equal(get(&b, IIR), 0xc2);
    put(&b, THR, 0); /* moves to the shift register */
    assert_int_equal(get(&b, LSR) & 0x60, 0x20);
    for (unsigned i = 1; i < 20; i++)
        put(&b, THR, i); /* 16 of these fit, three are lost */
    assert_int_equal(get(&b, LSR) & 0x60, 0);
    assert_false(b.line);
    event_queue_run(b.queue, 999);
    assert_int_equal(b.sent, 0);
    event_queue_run(b.queue, 1000);
    assert_int_equal(b.sent, 1);
    event_queue_run(b.queue, 15999);
    assert_int_equal(b.sent, 15);
    assert_false(b.line);
    event_queue_run(b.queue, 16000); /* the last character moves to the shift register, so THR is empty */
    assert_true(b.line);
    assert_int_equal(get(&b, LSR) & 0x60, 0x20);
    event_queue_run(b.queue, 17000);
    assert_int_equal(get(&b, LSR) & 0x60, 0x60);
    event_queue_run(b.queue, 100000);
    assert_int_equal(b.sent, 17);
    for (unsigned i = 0; i < 17; i++)
        assert_int_equal(b.bytes[i], i);
    bench_close(&b);
}

static void test_writing_thr_acknowledges(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 1000);
    put(&b, THR, 'a');
    put(&b, IER, 2);
    assert_true(b.line);
    put(&b, THR, 'b');
    assert_false(b.line);
    event_queue_run(b.queue, 1000);
    assert_true(b.line);
    bench_close(&b);
}

static void test_fifo_control(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, 1000);
    put(&b, FCR, 1);
    put(&b, IER, 1);
    uart_receive(b.uart, 'a');
    put(&b, FCR, 0xc6); /* without bit 0: FIFOs are disabled, the other bits are ignored */
    assert_int_equal(get(&b, IIR), 0x01);
    assert_int_equal(get(&b, LSR) & 1, 0);
    put(&b, FCR, 1);
    uart_receive(b.uart, 'a');
    put(&b, FCR, 1); /* no reset requested, nothing cleared */
    assert_int_equal(get(&b, LSR) & 1, 1);
    put(&b, FCR, 3);
    assert_int_equal(get(&b, LSR) & 1, 0);
    assert_false(b.line);
    put(&b, THR, 1);
    put(&b, THR, 2);
    put(&b, FCR, 5); /* the character being sent is not affected */
    event_queue_run(b.queue, 100000);
    assert_int_equal(b.sent, 1);
    bench_close(&b);
}

static void test_stats(void **state)
{
    struct bench b;
    double value = 0;
    struct stats *stats = stats_create();
    (void)state;
    bench_open(&b, 0);
    uart_register_stats(b.uart, stats, "uart0");
    put(&b, THR, 'a');
    put(&b, IER, 3);
    get(&b, IIR);
    uart_receive(b.uart, 'b');
    assert_true(stats_value(stats, "uart0.transmitted", &value) && value == 1);
    assert_true(stats_value(stats, "uart0.received", &value) && value == 1);
    assert_true(stats_value(stats, "uart0.interrupts", &value) && value == 2);
    stats_free(stats);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset_values),
        cmocka_unit_test(test_access_width),
        cmocka_unit_test(test_divisor_latch),
        cmocka_unit_test(test_autoconfig),
        cmocka_unit_test(test_transmit_at_once),
        cmocka_unit_test(test_thr_empty_interrupt),
        cmocka_unit_test(test_reading_iir_for_another_cause_keeps_thr_empty),
        cmocka_unit_test(test_receive_without_fifo),
        cmocka_unit_test(test_receive_fifo),
        cmocka_unit_test(test_receive_timeout),
        cmocka_unit_test(test_receive_timeout_without_character_time),
        cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_loopback_takes_no_input),
        cmocka_unit_test(test_modem_status),
        cmocka_unit_test(test_transmit_takes_time),
        cmocka_unit_test(test_writing_thr_acknowledges),
        cmocka_unit_test(test_fifo_control),
        cmocka_unit_test(test_stats),
    };
    return cmocka_run_group_tests_name("uart", tests, NULL, NULL);
}
