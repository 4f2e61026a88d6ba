/* The serial lines of DECstations, as Linux's drivers/tty/serial/dz.c drives them; and the job line at the end of one.
 */
#include "devices/dec/dz.h"
#include "devices/dec/job_line.h"
#include "src/base/board.h"
#include <string.h>
#include "tests/unit/test.h"

enum { CSR = 0x00, RBUF = 0x08, LPR = 0x08, TCR = 0x10, MSR = 0x18, TDR = 0x18 };
enum { TRDY = 0x8000, TIE = 0x4000, RDONE = 0x80, RIE = 0x40, MSE = 0x20, CLR = 0x10, MAINT = 8, RX_ON = 0x1000 };
enum { CLOCK = 1000000 };

struct bench {
    struct event_queue *queue;
    struct log *log;
    struct dz *dz;
    bool irq;
    unsigned sent, rooms[DZ_LINES];
    struct {
        unsigned line;
        uint8_t byte;
    } out[256];
};

static void set_line(void *opaque, unsigned line, bool level)
{
    struct bench *b = opaque;
    assert_int_equal(line, 4);
    b->irq = level;
}

static void transmit(void *opaque, unsigned line, uint8_t byte)
{
    struct bench *b = opaque;
    assert_true(b->sent < 256);
    b->out[b->sent].line = line;
    b->out[b->sent++].byte = byte;
}

static void room(void *opaque, unsigned line)
{
    ((struct bench *)opaque)->rooms[line]++;
}

static void open_bench(struct bench *b, cycles character_time)
{
    static const struct dz_ops ops = {transmit, room};
    memset(b, 0, sizeof *b);
    b->queue = event_queue_create(CLOCK);
    b->log = log_create(true);
    b->dz = dz_create(b->queue, (struct irq_line){set_line, b, 4}, &ops, b, character_time, b->log);
}

static void close_bench(struct bench *b)
{
    dz_free(b->dz);
    event_queue_free(b->queue);
    log_free(b->log);
}

static unsigned get(struct bench *b, unsigned reg)
{
    return dz_device_ops.read(b->dz, reg, 2, 0);
}

static void put(struct bench *b, unsigned reg, unsigned value)
{
    dz_device_ops.write(b->dz, reg, 2, value, 0);
}

static void reset_values(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0);
    put(&b, CSR, TIE | RIE | MSE);
    put(&b, TCR, 0xf);
    assert_int_equal(get(&b, CSR), TRDY | TIE | RIE | MSE);
    assert_true(b.irq);
    put(&b, CSR, CLR);
    assert_int_equal(get(&b, CSR), 0); /* CLR reads 0 at once: the driver waits for that */
    assert_int_equal(get(&b, TCR), 0);
    assert_int_equal(get(&b, RBUF), 0);
    assert_int_equal(get(&b, MSR), 0);
    assert_false(b.irq);
    close_bench(&b);
}

/* Polled output, as of the console: enable the line, wait until it is the one asked for, disable the others. */
static void console_characters(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0);
    put(&b, CSR, MSE | TIE);
    put(&b, TCR, 0x1); /* another line has something to send */
    for (const char *at = "ok"; *at; at++) {
        const unsigned csr = get(&b, CSR), tcr = get(&b, TCR);
        unsigned mask = tcr | 8, loops = 0;
        put(&b, CSR, csr & ~TIE);
        assert_false(b.irq);
        put(&b, TCR, mask);
        while ((get(&b, CSR) & (TRDY | 0x300)) != (TRDY | 0x300)) {
            assert_true(loops++ < 4);
            mask &= ~(1u << (get(&b, CSR) >> 8 & 3));
            put(&b, TCR, mask);
        }
        put(&b, TDR, (unsigned char)*at);
        put(&b, TCR, tcr);
        put(&b, CSR, csr);
    }
    assert_int_equal(b.sent, 2);
    assert_int_equal(b.out[0].line, 3);
    assert_int_equal(b.out[0].byte, 'o');
    assert_int_equal(b.out[1].byte, 'k');
    assert_true(b.irq); /* of line 0 */
    close_bench(&b);
}

static void lines_take_turns(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0);
    put(&b, CSR, MSE);
    put(&b, TCR, 0xb);
    for (unsigned i = 0; i < 6; i++)
        put(&b, TDR, i);
    const unsigned order[] = {0, 1, 3, 0, 1, 3};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(b.out[i].line, order[i]);
    put(&b, TCR, 0);
    put(&b, TDR, 'x'); /* no line asks: lost */
    assert_int_equal(b.sent, 6);
    close_bench(&b);
}

static void a_character_takes_its_time(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 1000);
    put(&b, CSR, MSE | TIE);
    put(&b, TCR, 0x2);
    put(&b, TDR, 'a');
    assert_false(get(&b, CSR) & TRDY);
    event_queue_run(b.queue, 999);
    assert_int_equal(b.sent, 0);
    assert_false(b.irq);
    event_queue_run(b.queue, 1000);
    assert_int_equal(b.sent, 1);
    assert_true(b.irq);
    close_bench(&b);
}

static void received_characters(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0);
    assert_false(dz_receive(b.dz, 3, 'x')); /* nothing is on */
    put(&b, CSR, MSE | RIE);
    assert_int_equal(dz_receive_space(b.dz, 3), 0);
    put(&b, LPR, RX_ON | 3);
    assert_int_equal(b.rooms[3], 1);
    put(&b, LPR, RX_ON | 0);
    assert_int_equal(dz_receive_space(b.dz, 3), DZ_SILO_SIZE);
    assert_true(dz_receive(b.dz, 3, 'x'));
    assert_true(dz_receive(b.dz, 0, 'y'));
    assert_true(b.irq);
    assert_true(get(&b, CSR) & RDONE);
    assert_int_equal(get(&b, RBUF), 0x8300 | 'x');
    assert_true(b.irq);
    assert_int_equal(get(&b, RBUF), 0x8000 | 'y');
    assert_false(b.irq);
    assert_int_equal(get(&b, RBUF), 0);
    for (unsigned i = 0; i < DZ_SILO_SIZE; i++)
        assert_true(dz_receive(b.dz, 0, (uint8_t)i));
    assert_false(dz_receive(b.dz, 0, 0));
    for (unsigned i = 0; i < DZ_SILO_SIZE; i++)
        assert_int_equal(get(&b, RBUF), 0x8000 | i);
    assert_int_equal(dz_take(b.dz), -1);
    close_bench(&b);
}

static void loopback(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0);
    put(&b, CSR, MSE | MAINT);
    put(&b, LPR, RX_ON | 2);
    put(&b, TCR, 4);
    for (unsigned i = 0; i <= DZ_SILO_SIZE; i++)
        put(&b, TDR, i);
    assert_int_equal(b.sent, 0);
    assert_int_equal(get(&b, RBUF), 0xc200); /* one was lost */
    assert_int_equal(get(&b, RBUF), 0x8201);
    close_bench(&b);
}

static void widths(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, 0);
    dz_device_ops.write(b.dz, TCR, 1, 0xf, 0); /* bytes are not written */
    dz_device_ops.write(b.dz, TCR + 2, 2, 0xf, 0);
    assert_int_equal(get(&b, TCR), 0);
    dz_device_ops.write(b.dz, TCR, 4, 0x00000402, 0);
    assert_int_equal(dz_device_ops.read(b.dz, TCR, 4, 0), 0x402);
    assert_int_equal(dz_device_ops.read(b.dz, TCR + 1, 1, 0), 4);
    close_bench(&b);
}

/* The job line */

struct job {
    struct event_queue *queue;
    struct log *log;
    struct physmem *mem;
    struct control *control;
    struct job_line *line;
    const char *script;
    char text[200000], mark[300];
    size_t length, limit;
    unsigned requests, status;
};

static size_t script_of(void *opaque, char *buffer, size_t size)
{
    struct job *job = opaque;
    const size_t length = job->script ? strlen(job->script) : 0;
    assert_true(length <= size);
    memcpy(buffer, job->script ? job->script : "", length);
    return length;
}

static size_t get_command(void *opaque, char *buffer, size_t size)
{
    ((struct job *)opaque)->requests++;
    return script_of(opaque, buffer, size);
}

static void mark(void *opaque, const char *name)
{
    snprintf(((struct job *)opaque)->mark, sizeof((struct job *)opaque)->mark, "%s", name);
}

static void end(void *opaque, unsigned status)
{
    ((struct job *)opaque)->status = status;
}

static bool has_job(void *opaque)
{
    return ((struct job *)opaque)->script != NULL;
}

static bool send(void *opaque, uint8_t byte)
{
    struct job *job = opaque;
    if (job->length == job->limit)
        return false;
    job->text[job->length++] = (char)byte;
    job->text[job->length] = 0;
    return true;
}

static void open_job(struct job *job, const char *script)
{
    static const struct control_ops ops = {get_command, script_of, mark, end, has_job};
    memset(job, 0, sizeof *job);
    job->script = script;
    job->limit = sizeof job->text - 1;
    job->status = 1000;
    job->queue = event_queue_create(CLOCK);
    job->log = log_create(true);
    job->mem = physmem_create(job->log, NULL);
    job->control = control_create(job->mem, (struct control_mailbox){0, true}, &ops, job, job->log);
    job->line = job_line_create(job->queue, job->control, send, job, job->log);
}

static void close_job(struct job *job)
{
    job_line_free(job->line);
    control_free(job->control);
    physmem_free(job->mem);
    event_queue_free(job->queue);
    log_free(job->log);
}

static void say(struct job *job, const char *text)
{
    while (*text)
        job_line_take(job->line, (uint8_t)*text++);
}

static void the_job_and_its_status(void **state)
{
    static struct job job;
    (void)state;
    open_job(&job, "'ls' '/'\n");
    say(&job, "command\r\n");
    assert_int_equal(job.requests, 1);
    assert_string_equal(job.text, ""); /* a checkpoint of this moment may get another job */
    job.script = "'date'\n";
    job_line_refresh(job.line);
    event_queue_run(job.queue, CLOCK);
    assert_string_equal(job.text, "7\n'date'\n");
    job.script = "'no'\n";
    job_line_refresh(job.line); /* too late */
    event_queue_run(job.queue, 2 * CLOCK);
    assert_string_equal(job.text, "7\n'date'\n");
    say(&job, "mark two words\n");
    assert_string_equal(job.mark, "two words");
    event_queue_run(job.queue, 3 * CLOCK);
    assert_string_equal(job.text, "7\n'date'\nok\n");
    assert_int_equal(job.status, 1000);
    say(&job, "status 300\n");
    assert_int_equal(job.status, 300 & 255);
    close_job(&job);
}

static void no_job_and_nonsense(void **state)
{
    static struct job job;
    char long_line[1000];
    (void)state;
    open_job(&job, NULL);
    memset(long_line, 'm', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = 0;
    say(&job, long_line);
    say(&job, "\nstat 3\nok\nmark \ncommand\n");
    event_queue_run(job.queue, CLOCK);
    assert_string_equal(job.text, "0\n");
    assert_string_equal(job.mark, "");
    assert_int_equal(job.status, 1000);
    close_job(&job);
}

static void a_long_job_waits_for_room(void **state)
{
    static struct job job;
    static char script[BOARD_MAILBOX_SIZE + 1];
    (void)state;
    memset(script, 'x', sizeof script - 1);
    open_job(&job, script);
    job.limit = 100;
    say(&job, "command\n");
    event_queue_run(job.queue, CLOCK);
    assert_int_equal(job.length, 100);
    job.limit = sizeof job.text - 1;
    job_line_has_room(job.line);
    assert_int_equal(job.length, BOARD_MAILBOX_SIZE + strlen("65536\n"));
    close_job(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reset_values),
        cmocka_unit_test(console_characters),
        cmocka_unit_test(lines_take_turns),
        cmocka_unit_test(a_character_takes_its_time),
        cmocka_unit_test(received_characters),
        cmocka_unit_test(loopback),
        cmocka_unit_test(widths),
        cmocka_unit_test(the_job_and_its_status),
        cmocka_unit_test(no_job_and_nonsense),
        cmocka_unit_test(a_long_job_waits_for_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
