/*
 * Fuzzes the devices of DECstations with hostile drivers, a hostile network and a hostile terminal, under the
 * sanitizers: serial lines with the job line, Ethernet controller, clock, system registers, boot PROM.
 *
 *     fuzz_decstation [seed [iterations]]
 *
 * Checked: nothing crashes or hangs; frames sent are frames of Ethernet; a PROM call prints a bounded text; whatever
 * state the devices are in, it can be saved, loaded into new devices, and is the same there when saved again.
 * fuzz_rows.c reaches the same devices through the board.
 */
#include "devices/dec/dz.h"
#include "devices/dec/job_line.h"
#include "devices/dec/kn01.h"
#include "devices/dec/kn02.h"
#include "devices/dec/lance.h"
#include "devices/dec/mc146818.h"
#include "devices/dec/prom.h"
#include "devices/dec/prom_code.h"
#include "devices/dec/prom_printf.h"
#include "src/base/board.h"
#include "tests/unit/fuzz_run.h"
#include "tests/unit/tape.h"

#include <inttypes.h>
#include <sys/time.h>

enum {
    CLOCK = 25000000,
    RAM_BYTES = 64 << 10,
    LIFE = 40000, /* iterations of one set of devices */
    SAVE_EACH = 250,
    WATCHDOG_SECONDS = 120, /* of processor time, for one set of devices */
};

struct devices {
    struct fuzz_run *run;
    struct event_queue *queue;
    struct log *log;
    struct physmem *mem;
    struct control *control;
    struct dz *dz;
    struct job_line *job;
    struct lance *lance;
    struct mc146818 *rtc;
    struct kn01 *kn01;
    struct kn02 *kn02;
    struct prom *prom;
    struct saved *saved;
    uint64_t printed, sent, ends;
};

/* Surroundings */

static void set_line(void *opaque, unsigned line, bool level)
{
    (void)opaque;
    (void)line;
    (void)level;
}

static const struct irq_line line = {set_line, NULL, 0};

static void transmit(void *opaque, unsigned number, uint8_t byte)
{
    const struct devices *d = opaque;
    if (number == 0)
        job_line_take(d->job, byte);
}

static void room(void *opaque, unsigned number)
{
    const struct devices *d = opaque;
    if (number == 0 && d->job)
        job_line_has_room(d->job);
}

static bool send_to_guest(void *opaque, uint8_t byte)
{
    return dz_receive(((const struct devices *)opaque)->dz, 0, byte);
}

static size_t job_text(void *opaque, char *buffer, size_t size)
{
    struct devices *d = opaque;
    const size_t length = below(d->run, 3) ? below(d->run, 300) : (size_t)BOARD_MAILBOX_SIZE;
    check(d->run, length <= size, "room for the job");
    memset(buffer, 'j', length);
    return length;
}

static void mark(void *opaque, const char *name)
{
    struct devices *d = opaque;
    check(d->run, *name && strlen(name) <= CONTROL_NAME_MAX, "a mark has a name");
}

static void end(void *opaque, unsigned status)
{
    struct devices *d = opaque;
    check(d->run, status <= 255, "a status of %u", status);
    d->ends++;
}

static bool has_job(void *opaque)
{
    (void)opaque;
    return true;
}

static void frame_sent(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival)
{
    struct devices *d = opaque;
    (void)arrival;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++)
        sum += frame[i];
    check(d->run, length >= ETHERNET_HEADER_BYTES && length <= ETHERNET_MAX_BYTES && sum <= 255 * length,
          "a frame of %u bytes", length);
    d->sent++;
}

/* Guest memory of the PROM: RAM_BYTES at 0x80000000. */
static uint32_t part(uint32_t address, uint32_t size)
{
    const uint32_t offset = address - 0x80000000u;
    return offset >= RAM_BYTES ? 0 : size < RAM_BYTES - offset ? size : RAM_BYTES - offset;
}

static uint32_t guest_read(void *opaque, unsigned cpu, vaddr address, void *buffer, uint32_t size)
{
    const struct devices *d = opaque;
    (void)cpu;
    size = part(address, size);
    if (size)
        memcpy(buffer, physmem_host(d->mem, address & 0x1fffffff), size);
    return size;
}

static uint32_t guest_write(void *opaque, unsigned cpu, vaddr address, const void *buffer, uint32_t size)
{
    const struct devices *d = opaque;
    (void)cpu;
    size = part(address, size);
    if (size)
        memcpy(physmem_host(d->mem, address & 0x1fffffff), buffer, size);
    return size;
}

static void put_byte(void *opaque, uint8_t byte)
{
    (void)byte;
    ((struct devices *)opaque)->printed++;
}

static int get_byte(void *opaque)
{
    return dz_take(((struct devices *)opaque)->dz);
}

static void returned(void *opaque, bool halts)
{
    (void)halts;
    ((struct devices *)opaque)->ends++;
}

static void failed(void *opaque, vaddr epc, uint32_t cause, vaddr address)
{
    (void)epc;
    (void)cause;
    (void)address;
    ((struct devices *)opaque)->ends++;
}

/* Devices */

/* Make the devices, with a PROM and memory of their own if MEM is NULL. */
static struct devices *make(struct fuzz_run *run, cycles character_time, struct physmem *mem)
{
    static const struct dz_ops dz_ops = {transmit, room};
    static const struct control_ops control_ops = {job_text, job_text, mark, end, has_job};
    static const struct prom_ops prom_ops = {guest_read, guest_write, put_byte, get_byte, returned, failed};
    struct devices *d = checked_memory(calloc(1, sizeof *d));
    struct err err = {""};
    d->run = run;
    d->queue = event_queue_create(CLOCK);
    d->log = log_create(true);
    d->mem = mem ? mem : physmem_create(d->log, &err);
    check(run, mem || (d->mem && physmem_add_ram(d->mem, 0, RAM_BYTES, &err)), "%s", err.text);
    d->control = control_create(d->mem, (struct control_mailbox){0x13010000, true}, &control_ops, d, d->log);
    d->dz = dz_create(d->queue, line, &dz_ops, d, character_time, d->log);
    d->job = job_line_create(d->queue, d->control, send_to_guest, d, d->log);
    d->lance = lance_create(d->queue, 64 << 10, 10000000, 1000, line, d->log);
    ethernet_link_connect(lance_link(d->lance), (struct ethernet_port){frame_sent, d});
    d->rtc = mc146818_create(d->queue, 1686355200, line, NULL);
    d->kn01 = kn01_create(d->mem, line);
    d->kn02 = kn02_create(d->mem, false, line, line);
    if (!mem)
        d->prom = prom_create(d->mem, 0x14000000, 0x82010100, 24 << 20, &prom_ops, d, d->log, &err);
    check(run, mem || d->prom, "%s", err.text);
    d->saved = saved_create(d->queue);
    control_register_saved(d->control, d->saved);
    dz_register_saved(d->dz, d->saved);
    job_line_register_saved(d->job, d->saved);
    lance_register_saved(d->lance, d->saved, "net");
    mc146818_register_saved(d->rtc, d->saved);
    kn01_register_saved(d->kn01, d->saved);
    kn02_register_saved(d->kn02, d->saved);
    if (d->prom) /* last: see check_saved() */
        prom_register_saved(d->prom, d->saved);
    return d;
}

static void drop(struct devices *d)
{
    saved_free(d->saved);
    kn02_free(d->kn02);
    kn01_free(d->kn01);
    mc146818_free(d->rtc);
    lance_free(d->lance);
    job_line_free(d->job);
    dz_free(d->dz);
    control_free(d->control);
    if (d->prom)
        physmem_free(d->mem);
    prom_free(d->prom);
    event_queue_free(d->queue);
    log_free(d->log);
    free(d);
}

static void save(const struct devices *d, struct record_options *tape)
{
    for (unsigned i = 0; saved_at(d->saved, i); i++)
        saved_write(saved_at(d->saved, i), &(struct saved_out){.put = tape_put, .opaque = tape});
}

/* Save, load into new devices, save those: all but the PROM, as a new memory takes a second under the sanitizers. */
static void check_saved(const struct devices *d, cycles character_time)
{
    const struct saved_terms terms = {.same_machine = true, .clock_hz = CLOCK};
    struct record_options first = {0}, second = {0};
    void (*const absent)(void *opaque, paddr address, bool stores) = d->mem->absent;
    void *const absent_opaque = d->mem->absent_opaque;
    struct devices *copy = make(d->run, character_time, d->mem);
    struct err err = {""};
    check(d->run, saved_check_events(d->saved, &err), "%s", err.text);
    save(d, &first);
    saved_load_begin(copy->saved);
    bool loaded = true;
    for (unsigned i = 0; loaded && saved_at(copy->saved, i); i++) {
        const struct saved_section *section = saved_at(copy->saved, i);
        struct saved_in in = {.get = tape_get, .opaque = &first, .version = section->version};
        loaded = saved_read(copy->saved, section, &in, &terms, &err);
    }
    check(d->run, loaded && saved_load_end(copy->saved, &terms, &err), "state of the devices: %s", err.text);
    save(copy, &second);
    check(d->run, first.size > second.size && memcmp(first.bytes, second.bytes, second.size) == 0,
          "the state is another one when it is loaded");
    tape_release(&first);
    tape_release(&second);
    drop(copy);
    d->mem->absent = absent;
    d->mem->absent_opaque = absent_opaque;
}

/* Drivers */

static uint32_t some_value(struct fuzz_run *run)
{
    switch (below(run, 4)) {
    case 0: return below(run, 256);
    case 1: return 1u << below(run, 32);
    case 2: return random32(run) & 0xffff;
    default: return random32(run);
    }
}

static void access(struct devices *d, const struct device_ops *ops, void *device, uint32_t size)
{
    const unsigned width = 1u << below(d->run, 3);
    const uint32_t offset = below(d->run, size) & ~(width - 1);
    if (one_in(d->run, 3))
        ops->read(device, offset, width, 0);
    else
        ops->write(device, offset, width, some_value(d->run) & (width == 4 ? UINT32_MAX : (1u << 8 * width) - 1), 0);
}

/* A driver that sends lines of text on the job line, most of them nearly requests. */
static void type_request(struct devices *d)
{
    static const char *const texts[] = {"command\n", "mark x\n", "mark \n",       "status 1\n",
                                        "status\n",  "stat",     "mark a b c\r\n"};
    const char *text = texts[below(d->run, sizeof texts / sizeof texts[0])];
    dz_device_ops.write(d->dz, 0, 2, 0x20, 0);
    dz_device_ops.write(d->dz, 8, 2, 0x1000, 0);
    dz_device_ops.write(d->dz, 0x10, 2, 1, 0);
    for (; *text; text++)
        dz_device_ops.write(d->dz, 0x18, 2, (unsigned char)*text ^ (one_in(d->run, 40) ? 1u : 0), 0);
    if (one_in(d->run, 2))
        job_line_refresh(d->job);
}

static void set_register(struct devices *d, unsigned csr, unsigned value)
{
    lance_device_ops.write(d->lance, 4, 2, csr, 0);
    lance_device_ops.write(d->lance, 0, 2, value, 0);
}

/* A driver with a valid initialisation block somewhere, whose rings hold anything: few bits are wrong, or all. */
static void start_lance(struct devices *d)
{
    const uint32_t block = below(d->run, 0x10000) & ~1u;
    uint16_t halves[12];
    for (unsigned i = 0; i < 12; i++)
        halves[i] = (uint16_t)(one_in(d->run, 2) ? random32(d->run) : 0);
    set_register(d, 0, 4);
    for (unsigned i = 0; i < 12; i++)
        lance_buffer_ops.write(d->lance, (block + 2 * i) & 0xfffe, 2, halves[i], 0);
    set_register(d, 1, block);
    set_register(d, 2, one_in(d->run, 4) ? 0xff : 0);
    set_register(d, 0, 1);
    set_register(d, 0, 0x42);
    for (unsigned ring = 0; ring < 2; ring++) {
        const uint32_t base = halves[8 + 2 * ring] & 0xfff8u;
        for (unsigned i = 0; i < 8; i++) {
            const uint32_t at = base + 8 * i;
            const uint16_t status = (uint16_t)((one_in(d->run, 8) ? 0 : 0x8000) | (one_in(d->run, 3) ? 0 : 0x200) |
                                               (one_in(d->run, 3) ? 0 : 0x100) | below(d->run, 256));
            lance_buffer_ops.write(d->lance, at & 0xfffe, 2, random32(d->run) & 0xffff, 0);
            lance_buffer_ops.write(d->lance, (at + 4) & 0xfffe, 2, (0u - below(d->run, 1600)) & 0xffff, 0);
            lance_buffer_ops.write(d->lance, (at + 2) & 0xfffe, 2, status, 0);
        }
    }
    set_register(d, 0, 0x48);
}

static void frame_arrives(struct devices *d)
{
    uint8_t frame[ETHERNET_MAX_BYTES];
    const uint32_t length = ETHERNET_HEADER_BYTES + below(d->run, ETHERNET_MAX_BYTES - ETHERNET_HEADER_BYTES + 1);
    memset(frame, one_in(d->run, 2) ? 0xff : (int)below(d->run, 256), length);
    ethernet_link_receive(lance_link(d->lance), frame, length, d->queue->now + below(d->run, 100000));
}

static void call_prom(struct devices *d)
{
    static const uint32_t calls[] = {2, 12, 13, 16, 17, 33, 0x109, 0x10b, 0x10c, 0x119, 0x11b, 0x120, 0x121, 0x129, 48};
    uint8_t *ram = physmem_host(d->mem, 0);
    static const char percent[] = "%%%sdxc-0l9 ";
    if (one_in(d->run, 4))
        for (uint32_t i = below(d->run, RAM_BYTES - 64), n = below(d->run, 64); n > 0; n--)
            ram[i++] = (uint8_t)(one_in(d->run, 12) ? 0 : (uint8_t)percent[below(d->run, sizeof percent - 1)]);
    for (unsigned i = 0; i < 5; i++)
        prom_device_ops.write(d->prom, PROM_ARGUMENT + 4 * i, 4,
                              one_in(d->run, 4) ? some_value(d->run) : 0x80000000u + below(d->run, RAM_BYTES), 0);
    const uint64_t before = d->printed;
    prom_device_ops.write(d->prom, PROM_CALL, 4,
                          one_in(d->run, 8) ? some_value(d->run) : calls[below(d->run, sizeof calls / sizeof calls[0])],
                          0);
    check(d->run, d->printed - before <= PROM_TEXT_MAX, "a call prints %" PRIu64 " characters", d->printed - before);
    prom_device_ops.read(d->prom, PROM_RESULT, 4, 0);
}

static void step(struct devices *d)
{
    uint32_t value;
    switch (below(d->run, 13)) {
    case 0: access(d, &dz_device_ops, d->dz, DZ_SIZE); break;
    case 1: type_request(d); break;
    case 2: dz_receive(d->dz, below(d->run, DZ_LINES), (uint8_t)random32(d->run)); break;
    case 3: access(d, &lance_device_ops, d->lance, LANCE_SIZE); break;
    case 4: access(d, &lance_halfword_buffer_ops, d->lance, 128 << 10); break;
    case 5: start_lance(d); break;
    case 6: frame_arrives(d); break;
    case 7: access(d, &mc146818_device_ops, d->rtc, MC146818_SIZE); break;
    case 8: access(d, &kn01_csr_ops, d->kn01, KN01_CSR_SIZE); break;
    case 9:
        access(d, &kn02_csr_ops, d->kn02, KN02_CSR_SIZE);
        access(d, &kn02_error_address_ops, d->kn02, KN02_ERROR_ADDRESS_SIZE);
        break;
    case 10:
        if (one_in(d->run, 2))
            physmem_device_write(d->mem, random32(d->run) & ~3u, 4, 0, 1);
        else
            physmem_device_read(d->mem, random32(d->run) & ~3u, 4, 0, &value);
        break;
    case 11: call_prom(d); break;
    default: event_queue_run(d->queue, d->queue->now + below(d->run, one_in(d->run, 20) ? 2u * CLOCK : 50000)); break;
    }
}

struct totals {
    uint64_t sent, printed, ends;
};

static void end_life(struct devices *d, struct totals *totals)
{
    if (!d)
        return;
    totals->sent += d->sent;
    totals->printed += d->printed;
    totals->ends += d->ends;
    drop(d);
}

int main(int argc, char **argv)
{
    const struct itimerval watchdog = {.it_value.tv_sec = WATCHDOG_SECONDS};
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t iterations = argc > 2 ? strtoull(argv[2], NULL, 0) : 200000;
    struct fuzz_run run = {0};
    struct devices *d = NULL;
    struct totals totals = {0};
    cycles character_time = 0;
    fuzz_seed(&run, seed);
    for (uint64_t i = 0; i < iterations; i++) {
        if (i % LIFE == 0) {
            setitimer(ITIMER_PROF, &watchdog, NULL);
            end_life(d, &totals);
            character_time = one_in(&run, 2) ? 0 : 1 + below(&run, 10000);
            d = make(&run, character_time, NULL);
        }
        step(d);
        if (i % SAVE_EACH == SAVE_EACH - 1)
            check_saved(d, character_time);
    }
    end_life(d, &totals);
    check(&run, iterations < 50000 || (totals.sent && totals.printed && totals.ends), "the fuzz reaches too little");
    printf("seed %" PRIu64 ": %" PRIu64 " frames sent, %" PRIu64 " characters printed, %" PRIu64 " ends\n", seed,
           totals.sent, totals.printed, totals.ends);
    printf("fuzz_decstation: %" PRIu64 " passed, %" PRIu64 " failed\n", run.passed, run.failed);
    return run.failed != 0;
}
