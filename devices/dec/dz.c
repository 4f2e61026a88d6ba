/*
 * Registers (16 bits each, in the low halves of words; DC7085 as in Linux's drivers/tty/serial/dz.h):
 *
 *   0x00     CSR   15 TRDY (R)   a line asks for a character       14 TIE   interrupt when TRDY
 *                  9:8 TLINE (R) that line, while TRDY is set       7 RDONE (R) the silo has a character
 *                   6 RIE  interrupt when RDONE     5 MSE  master scan enable: without it nothing is sent or received
 *                   4 CLR  writing 1 resets the chip; reads as 0    3 MAINT loopback of every line
 *   0x08  R  RBUF  15 valid   14 overrun   9:8 line   7:0 character; reading takes it out of the silo
 *   0x08  W  LPR   12 receiver on   11:3 speed, parity, stop bits, length (stored)   1:0 the line that they are for
 *   0x10     TCR   3:0 transmitters on   11:8 modem outputs (stored)
 *   0x18  R  MSR   modem inputs, active low: 0
 *   0x18  W  TDR   7:0 the character for TLINE   11:8 breaks (ignored)
 *
 * Writes need 2 or 4 bytes; reads of a byte return that byte, and a read of any byte of RBUF takes the character.
 */
#include "devices/dec/dz.h"
#include "devices/device_stats.h"
#include <stdlib.h>

enum { REG_CSR = 0x00, REG_RBUF_LPR = 0x08, REG_TCR = 0x10, REG_MSR_TDR = 0x18 };
enum {
    CSR_TRDY = 0x8000,
    CSR_TIE = 0x4000,
    CSR_TLINE_SHIFT = 8,
    CSR_RDONE = 0x0080,
    CSR_RIE = 0x0040,
    CSR_MSE = 0x0020,
    CSR_CLR = 0x0010,
    CSR_MAINT = 0x0008,
    CSR_WRITABLE = CSR_TIE | CSR_RIE | CSR_MSE | CSR_MAINT,
};
enum { RBUF_VALID = 0x8000, RBUF_OVERRUN = 0x4000, RBUF_LINE_SHIFT = 8 };
enum { LPR_RECEIVER_ON = 0x1000, LPR_LINE = 3, LPR_9600_8 = 0x0e18 };
enum { TCR_LINES = 0x000f, TCR_WRITABLE = 0x0f0f };

struct line {
    struct dz *dz;       /* of the event */
    uint16_t parameters; /* LPR, without the line number */
    bool sending;        /* HELD is on the wire until the event */
    uint8_t held;
    struct event sent;
    uint64_t transmitted, received;
};

/* The architectural state is all but the connections. */
struct dz {
    struct event_queue *queue;
    struct irq_line irq;
    const struct dz_ops *ops;
    void *opaque;
    cycles character_time;
    struct log *log;
    uint16_t csr, tcr; /* their writable bits */
    bool ready;        /* CSR.TRDY */
    uint8_t tline;     /* CSR.TLINE; the scan goes on behind it */
    uint16_t silo[DZ_SILO_SIZE];
    uint8_t silo_head, silo_count;
    bool overrun; /* the next character read gets RBUF_OVERRUN */
    struct line line[DZ_LINES];
};

static void update_irq(struct dz *dz)
{
    const bool receives = dz->silo_count > 0 && dz->csr & CSR_RIE;
    const bool transmits = dz->ready && dz->csr & CSR_TIE;
    irq_set(&dz->irq, receives || transmits);
}

/* Transmit */

/* Is LINE enabled, and has it room for a character? */
static bool wants_character(const struct dz *dz, unsigned line)
{
    return dz->csr & CSR_MSE && dz->tcr >> line & 1 && !dz->line[line].sending;
}

/* Ask for a character of the present line, if it still wants one, or of the next that does. */
static void scan(struct dz *dz)
{
    const unsigned first = dz->ready ? dz->tline : dz->tline + 1u;
    dz->ready = false;
    for (unsigned i = 0; i < DZ_LINES && !dz->ready; i++)
        if (wants_character(dz, (first + i) % DZ_LINES)) {
            dz->ready = true;
            dz->tline = (uint8_t)((first + i) % DZ_LINES);
        }
    update_irq(dz);
}

static bool put_in_silo(struct dz *dz, unsigned line, uint8_t byte)
{
    if (dz->silo_count == DZ_SILO_SIZE)
        return false;
    dz->silo[(dz->silo_head + dz->silo_count++) % DZ_SILO_SIZE] = (uint16_t)(line << RBUF_LINE_SHIFT | byte);
    dz->line[line].received++;
    return true;
}

static void send(struct dz *dz, unsigned line, uint8_t byte)
{
    dz->line[line].transmitted++;
    if (!(dz->csr & CSR_MAINT))
        dz->ops->transmit(dz->opaque, line, byte);
    else if (dz->line[line].parameters & LPR_RECEIVER_ON && !put_in_silo(dz, line, byte))
        dz->overrun = true;
}

static void sent(void *opaque)
{
    struct line *line = opaque;
    line->sending = false;
    send(line->dz, (unsigned)(line - line->dz->line), line->held);
    scan(line->dz);
}

static void write_tdr(struct dz *dz, uint8_t byte)
{
    if (!dz->ready) {
        log_guest(dz->log, "dz.tdr", "dz: a character is written while no line asks for one; it is lost");
        return;
    }
    struct line *line = &dz->line[dz->tline];
    if (dz->character_time == 0) {
        send(dz, dz->tline, byte);
    } else {
        line->sending = true;
        line->held = byte;
        event_schedule(dz->queue, &line->sent, dz->queue->now + dz->character_time);
    }
    dz->ready = false;
    scan(dz);
}

/* Receive */

static bool receives(const struct dz *dz, unsigned line)
{
    return dz->csr & CSR_MSE && !(dz->csr & CSR_MAINT) && dz->line[line].parameters & LPR_RECEIVER_ON;
}

unsigned dz_receive_space(const struct dz *dz, unsigned line)
{
    return receives(dz, line) ? (unsigned)DZ_SILO_SIZE - dz->silo_count : 0;
}

bool dz_receive(struct dz *dz, unsigned line, uint8_t byte)
{
    if (!receives(dz, line) || !put_in_silo(dz, line, byte))
        return false;
    update_irq(dz);
    return true;
}

static uint16_t read_rbuf(struct dz *dz)
{
    if (dz->silo_count == 0)
        return 0;
    uint16_t value = RBUF_VALID | dz->silo[dz->silo_head];
    dz->silo_head = (uint8_t)((dz->silo_head + 1) % DZ_SILO_SIZE);
    dz->silo_count--;
    if (dz->overrun)
        value |= RBUF_OVERRUN;
    dz->overrun = false;
    dz->ops->room(dz->opaque, value >> RBUF_LINE_SHIFT & LPR_LINE);
    update_irq(dz);
    return value;
}

int dz_take(struct dz *dz)
{
    const uint16_t value = read_rbuf(dz);
    return value & RBUF_VALID ? value & 0xff : -1;
}

/* Registers */

static void reset(struct dz *dz)
{
    dz->csr = dz->tcr = 0;
    dz->ready = dz->overrun = false;
    dz->tline = DZ_LINES - 1;
    dz->silo_head = dz->silo_count = 0;
    for (unsigned i = 0; i < DZ_LINES; i++) {
        struct line *line = &dz->line[i];
        line->parameters = 0;
        line->sending = false;
        event_cancel(dz->queue, &line->sent);
    }
    update_irq(dz);
}

static uint16_t read_csr(const struct dz *dz)
{
    return (uint16_t)(dz->csr | (dz->ready ? CSR_TRDY | dz->tline << CSR_TLINE_SHIFT : 0) |
                      (dz->silo_count ? CSR_RDONE : 0));
}

static void offer_room(struct dz *dz)
{
    for (unsigned i = 0; i < DZ_LINES; i++)
        if (receives(dz, i))
            dz->ops->room(dz->opaque, i);
}

static void write_register(struct dz *dz, uint32_t offset, uint16_t value)
{
    switch (offset) {
    case REG_CSR:
        if (value & CSR_CLR) {
            reset(dz);
            break;
        }
        dz->csr = value & CSR_WRITABLE;
        scan(dz);
        offer_room(dz);
        break;
    case REG_RBUF_LPR:
        dz->line[value & LPR_LINE].parameters = value & ~LPR_LINE;
        if (receives(dz, value & LPR_LINE))
            dz->ops->room(dz->opaque, value & LPR_LINE);
        break;
    case REG_TCR:
        dz->tcr = value & TCR_WRITABLE;
        scan(dz);
        break;
    case REG_MSR_TDR: write_tdr(dz, (uint8_t)value); break;
    default: break;
    }
}

static uint32_t dz_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct dz *dz = opaque;
    uint16_t value = 0;
    (void)size;
    (void)cpu;
    switch (offset & ~3u) {
    case REG_CSR: value = read_csr(dz); break;
    case REG_RBUF_LPR: value = read_rbuf(dz); break;
    case REG_TCR: value = dz->tcr; break;
    default: break;
    }
    return (uint32_t)value >> 8 * (offset & 3);
}

static void dz_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct dz *dz = opaque;
    (void)cpu;
    if (size == 1 || offset & 3)
        log_guest(dz->log, "dz.size", "dz: write of %u bytes at 0x%x ignored: registers have 2", size, offset);
    else
        write_register(dz, offset, (uint16_t)value);
}

const struct device_ops dz_device_ops = {"dz", dz_read, dz_write};

/* Creation */

struct dz *dz_create(struct event_queue *queue, struct irq_line irq, const struct dz_ops *ops, void *opaque,
                     cycles character_time, struct log *log)
{
    struct dz *dz = checked_memory(calloc(1, sizeof *dz));
    dz->queue = queue;
    dz->irq = irq;
    dz->ops = ops;
    dz->opaque = opaque;
    dz->character_time = character_time;
    dz->log = log;
    for (unsigned i = 0; i < DZ_LINES; i++) {
        dz->line[i].dz = dz;
        event_init(&dz->line[i].sent, "dz character", sent, &dz->line[i]);
    }
    reset(dz);
    return dz;
}

void dz_free(struct dz *dz)
{
    if (!dz)
        return;
    for (unsigned i = 0; i < DZ_LINES; i++)
        event_cancel(dz->queue, &dz->line[i].sent);
    free(dz);
}

void dz_set_up(struct dz *dz, unsigned line)
{
    dz->csr = CSR_MSE;
    dz->line[line].parameters = LPR_RECEIVER_ON | LPR_9600_8;
}

/* Statistics and saved state */

void dz_register_stats(const struct dz *dz, struct stats *stats, const char *prefix)
{
    for (unsigned i = 0; i < DZ_LINES; i++) {
        const struct device_counter rows[] = {
            {"transmitted", "bytes", "sent by the guest on this line", &dz->line[i].transmitted},
            {"received", "bytes", "received on this line", &dz->line[i].received},
        };
        char name[64];
        snprintf(name, sizeof name, "%s%u", prefix, i);
        device_register_counters(stats, name, rows, sizeof rows / sizeof rows[0]);
    }
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct dz, csr, SAVED_U16),
    SAVED_FIELD(struct dz, tcr, SAVED_U16),
    SAVED_FIELD(struct dz, ready, SAVED_BOOL),
    SAVED_LIMITED(struct dz, tline, SAVED_U8, DZ_LINES - 1),
    SAVED_LIMITED(struct dz, silo, SAVED_U16, 0x3ff),
    SAVED_LIMITED(struct dz, silo_head, SAVED_U8, DZ_SILO_SIZE - 1),
    SAVED_LIMITED(struct dz, silo_count, SAVED_U8, DZ_SILO_SIZE),
    SAVED_FIELD(struct dz, overrun, SAVED_BOOL),
    SAVED_EACH(struct dz, line, parameters, SAVED_U16),
    SAVED_EACH(struct dz, line, sending, SAVED_BOOL),
    SAVED_EACH(struct dz, line, held, SAVED_U8),
    SAVED_EACH(struct dz, line, sent, SAVED_EVENT),
    SAVED_EACH_STATISTIC(struct dz, line, transmitted),
    SAVED_EACH_STATISTIC(struct dz, line, received),
};

static bool after_load(void *base, struct err *err)
{
    struct dz *dz = base;
    for (unsigned i = 0; i < DZ_LINES; i++)
        if (dz->line[i].sending != event_is_scheduled(&dz->line[i].sent))
            return err_set(err, "line %u sends a character that does not arrive, or none that does", i);
    dz->csr &= CSR_WRITABLE;
    dz->tcr &= TCR_WRITABLE;
    return !dz->ready || wants_character(dz, dz->tline) || err_set(err, "TRDY for a line that wants no character");
}

void dz_register_saved(struct dz *dz, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved, &(struct saved_section){.name = "dz", .version = 1, .base = dz, SAVED_TABLE(fields), .ops = &ops});
}
