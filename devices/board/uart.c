/*
 * Registers (National PC16550D data sheet, section 8; register n at byte offset 4n, 8 bits wide):
 *
 *   n  DLAB  read                      write
 *   0   0    RBR receive buffer        THR transmit holding
 *   0   1    DLL divisor, low          DLL
 *   1   0    IER interrupt enable      IER   bit 0 received data, 1 THR empty, 2 line status, 3 modem status
 *   1   1    DLM divisor, high         DLM
 *   2        IIR interrupt id          FCR   bit 0 FIFOs on, 1 clear receiver, 2 clear transmitter, 7:6 trigger
 *   3        LCR line control          LCR   bit 7 DLAB
 *   4        MCR modem control         MCR   bits DTR RTS OUT1 OUT2 LOOP
 *   5        LSR line status           -     DR OE PE FE BI THRE TEMT, 7 error in FIFO
 *   6        MSR modem status          -     deltas of the inputs; CTS DSR RI DCD
 *   7        SCR scratch               SCR
 *
 * IIR by priority: 0x06 line status (cleared by reading LSR), 0x04 data at the trigger level, 0x0c character timeout
 * (data below the trigger level and no traffic for four character times), 0x02 THR empty (cleared by reading IIR while
 * it reports THR empty, or by writing THR; raised again by enabling it while THR is empty), 0x00 modem status (cleared
 * by reading MSR), 0x01 none.
 */
#include "devices/board/uart.h"
#include "devices/device_stats.h"
#include <stdlib.h>

enum { REG_DATA, REG_IER, REG_IIR_FCR, REG_LCR, REG_MCR, REG_LSR, REG_MSR, REG_SCR, REG_COUNT, REG_SHIFT = 2 };
enum { IER_RECEIVED = 1, IER_THR_EMPTY = 2, IER_LINE = 4, IER_MODEM = 8, IER_MASK = 0x0f };
enum {
    IIR_MODEM = 0x00,
    IIR_NONE = 0x01,
    IIR_THR_EMPTY = 0x02,
    IIR_RECEIVED = 0x04,
    IIR_LINE = 0x06,
    IIR_TIMEOUT = 0x0c,
    IIR_FIFOS_ON = 0xc0,
};
enum { FCR_ENABLE = 1, FCR_CLEAR_RECEIVER = 2, FCR_CLEAR_TRANSMITTER = 4, FCR_TRIGGER_SHIFT = 6 };
enum { LCR_DLAB = 0x80 };
enum { MCR_DTR = 1, MCR_RTS = 2, MCR_OUT1 = 4, MCR_OUT2 = 8, MCR_LOOP = 0x10, MCR_MASK = 0x1f };
enum { LSR_DR = 1, LSR_OE = 2, LSR_THRE = 0x20, LSR_TEMT = 0x40 };
enum { MSR_TERI = 4, MSR_DELTAS = 0x0f, MSR_CTS = 0x10, MSR_DSR = 0x20, MSR_RI = 0x40, MSR_DCD = 0x80 };
enum { TIMEOUT_CHARACTERS = 4 };

struct fifo {
    uint8_t bytes[UART_FIFO_SIZE];
    uint8_t head, count;
};

/* Architectural state, held by a checkpoint, with the times of the two events. */
struct uart_state {
    uint8_t ier, lcr, mcr, msr_deltas, scr, dll, dlm;
    uint8_t trigger; /* FCR bits 7:6 */
    bool fifos_on;
    bool overrun;      /* LSR.OE */
    bool thre_pending; /* THR-empty interrupt not yet acknowledged */
    bool timed_out;    /* character timeout pending */
    bool line;         /* level of INTR */
    bool shifting;     /* a character is in the transmitter's shift register */
    uint8_t shift;
    struct fifo receiver, transmitter; /* one character deep while the FIFOs are off */
};

struct uart {
    struct uart_state state;
    struct event transmit_event, timeout_event;
    struct event_queue *queue;
    struct irq_line irq;
    void (*transmit)(void *opaque, uint8_t byte);
    void *transmit_opaque;
    cycles character_time;
    struct log *log;
    uint64_t transmitted, received, overruns, interrupts;
};

static void fifo_push(struct fifo *fifo, uint8_t byte)
{
    fifo->bytes[(fifo->head + fifo->count) % UART_FIFO_SIZE] = byte;
    fifo->count++;
}

static uint8_t fifo_pop(struct fifo *fifo)
{
    uint8_t byte = fifo->bytes[fifo->head];
    fifo->head = (fifo->head + 1) % UART_FIFO_SIZE;
    fifo->count--;
    return byte;
}

static unsigned fifo_capacity(const struct uart_state *state)
{
    return state->fifos_on ? UART_FIFO_SIZE : 1;
}

static unsigned receive_trigger(const struct uart_state *state)
{
    static const uint8_t levels[] = {1, 4, 8, 14};
    return state->fifos_on ? levels[state->trigger] : 1;
}

/* The interrupt ID that IIR reports, without the FIFO bits. */
static unsigned interrupt_id(const struct uart_state *state)
{
    if ((state->ier & IER_LINE) && state->overrun)
        return IIR_LINE;
    if ((state->ier & IER_RECEIVED) && state->receiver.count >= receive_trigger(state))
        return IIR_RECEIVED;
    if ((state->ier & IER_RECEIVED) && state->timed_out)
        return IIR_TIMEOUT;
    if ((state->ier & IER_THR_EMPTY) && state->thre_pending)
        return IIR_THR_EMPTY;
    if ((state->ier & IER_MODEM) && state->msr_deltas)
        return IIR_MODEM;
    return IIR_NONE;
}

static void update_line(struct uart *uart)
{
    bool level = interrupt_id(&uart->state) != IIR_NONE;
    if (level == uart->state.line)
        return;
    uart->state.line = level;
    uart->interrupts += level;
    irq_set(&uart->irq, level);
}

/* Restart the character timeout after a change of the receiver's FIFO. */
static void restart_timeout(struct uart *uart)
{
    bool waiting = uart->state.receiver.count > 0;
    uart->state.timed_out = waiting && uart->character_time == 0;
    if (waiting && uart->character_time != 0)
        event_schedule(uart->queue, &uart->timeout_event, uart->queue->now + TIMEOUT_CHARACTERS * uart->character_time);
    else
        event_cancel(uart->queue, &uart->timeout_event);
}

static void timeout_fire(void *opaque)
{
    struct uart *uart = opaque;
    uart->state.timed_out = uart->state.receiver.count > 0;
    update_line(uart);
}

/* Receive a complete character; if the receiver is full, set LSR.OE. */
static void character_arrives(struct uart *uart, uint8_t byte)
{
    struct uart_state *state = &uart->state;
    if (state->receiver.count >= fifo_capacity(state)) {
        state->overrun = true;
        uart->overruns++;
        if (state->fifos_on)
            return; /* the character in the shift register is lost; without FIFOs it replaces the one in RBR */
        fifo_pop(&state->receiver);
    }
    fifo_push(&state->receiver, byte);
    uart->received++;
    restart_timeout(uart);
}

/* A character leaves the transmitter: to the receiver in loopback mode, otherwise to the far end. */
static void character_leaves(struct uart *uart, uint8_t byte)
{
    if (uart->state.mcr & MCR_LOOP) {
        character_arrives(uart, byte);
        return;
    }
    uart->transmitted++;
    if (uart->transmit)
        uart->transmit(uart->transmit_opaque, byte);
}

static void feed_shift_register(struct uart *uart)
{
    struct uart_state *state = &uart->state;
    if (state->shifting || state->transmitter.count == 0)
        return;
    state->shift = fifo_pop(&state->transmitter);
    state->shifting = true;
    state->thre_pending = state->transmitter.count == 0;
    event_schedule(uart->queue, &uart->transmit_event, uart->queue->now + uart->character_time);
}

static void transmit_fire(void *opaque)
{
    struct uart *uart = opaque;
    uart->state.shifting = false;
    character_leaves(uart, uart->state.shift);
    feed_shift_register(uart);
    update_line(uart);
}

static void write_thr(struct uart *uart, uint8_t byte)
{
    struct uart_state *state = &uart->state;
    if (uart->character_time == 0) {
        character_leaves(uart, byte);
        state->thre_pending = true;
        return;
    }
    state->thre_pending = false;
    if (state->transmitter.count >= fifo_capacity(state)) {
        log_guest(uart->log, "uart.thr_overrun", "uart: character written to a full transmitter");
        if (state->fifos_on)
            return;
        fifo_pop(&state->transmitter);
    }
    fifo_push(&state->transmitter, byte);
    feed_shift_register(uart);
}

static void clear_receiver(struct uart *uart)
{
    uart->state.receiver = (struct fifo){0};
    restart_timeout(uart);
}

static void clear_transmitter(struct uart_state *state)
{
    if (state->transmitter.count > 0)
        state->thre_pending = true;
    state->transmitter = (struct fifo){0};
}

static void write_fcr(struct uart *uart, uint8_t value)
{
    struct uart_state *state = &uart->state;
    bool on = value & FCR_ENABLE;
    if (on != state->fifos_on || (on && (value & FCR_CLEAR_RECEIVER)))
        clear_receiver(uart);
    if (on != state->fifos_on || (on && (value & FCR_CLEAR_TRANSMITTER)))
        clear_transmitter(state);
    state->fifos_on = on;
    state->trigger = on ? value >> FCR_TRIGGER_SHIFT : 0;
}

/* CTS, DSR, RI and DCD: from the far end, or in loopback mode from the chip's own outputs. */
static uint8_t modem_inputs(uint8_t mcr)
{
    if (!(mcr & MCR_LOOP))
        return MSR_CTS | MSR_DSR | MSR_DCD;
    return (mcr & MCR_RTS ? MSR_CTS : 0) | (mcr & MCR_DTR ? MSR_DSR : 0) | (mcr & MCR_OUT1 ? MSR_RI : 0) |
           (mcr & MCR_OUT2 ? MSR_DCD : 0);
}

static void write_mcr(struct uart_state *state, uint8_t value)
{
    uint8_t before = modem_inputs(state->mcr);
    state->mcr = value & MCR_MASK;
    uint8_t after = modem_inputs(state->mcr);
    state->msr_deltas |= ((before ^ after) & ~MSR_RI) >> 4;
    if (before & ~after & MSR_RI)
        state->msr_deltas |= MSR_TERI; /* TERI reports only the trailing edge of RI */
}

static uint8_t read_data(struct uart *uart)
{
    struct uart_state *state = &uart->state;
    if (state->lcr & LCR_DLAB)
        return state->dll;
    if (state->receiver.count == 0)
        return 0;
    uint8_t byte = fifo_pop(&state->receiver);
    restart_timeout(uart);
    return byte;
}

static uint8_t read_iir(struct uart_state *state)
{
    unsigned id = interrupt_id(state);
    if (id == IIR_THR_EMPTY)
        state->thre_pending = false;
    return (uint8_t)(id | (state->fifos_on ? IIR_FIFOS_ON : 0));
}

static uint8_t read_lsr(struct uart_state *state)
{
    unsigned value = (state->receiver.count > 0 ? LSR_DR : 0) | (state->overrun ? LSR_OE : 0);
    if (state->transmitter.count == 0)
        value |= state->shifting ? LSR_THRE : LSR_THRE | LSR_TEMT;
    state->overrun = false;
    return (uint8_t)value;
}

static uint8_t read_msr(struct uart_state *state)
{
    uint8_t value = modem_inputs(state->mcr) | state->msr_deltas;
    state->msr_deltas = 0;
    return value;
}

static uint8_t read_register(struct uart *uart, unsigned reg)
{
    struct uart_state *state = &uart->state;
    switch (reg) {
    case REG_DATA: return read_data(uart);
    case REG_IER: return state->lcr & LCR_DLAB ? state->dlm : state->ier;
    case REG_IIR_FCR: return read_iir(state);
    case REG_LCR: return state->lcr;
    case REG_MCR: return state->mcr;
    case REG_LSR: return read_lsr(state);
    case REG_MSR: return read_msr(state);
    default: return state->scr;
    }
}

static void write_ier(struct uart_state *state, uint8_t value)
{
    uint8_t turned_on = value & ~state->ier;
    state->ier = value & IER_MASK;
    if ((turned_on & IER_THR_EMPTY) && state->transmitter.count == 0)
        state->thre_pending = true;
}

static void write_register(struct uart *uart, unsigned reg, uint8_t value)
{
    struct uart_state *state = &uart->state;
    switch (reg) {
    case REG_DATA:
        if (state->lcr & LCR_DLAB)
            state->dll = value;
        else
            write_thr(uart, value);
        break;
    case REG_IER:
        if (state->lcr & LCR_DLAB)
            state->dlm = value;
        else
            write_ier(state, value);
        break;
    case REG_IIR_FCR: write_fcr(uart, value); break;
    case REG_LCR: state->lcr = value; break;
    case REG_MCR: write_mcr(state, value); break;
    case REG_SCR: state->scr = value; break;
    default: break; /* LSR and MSR are read-only */
    }
}

/* The register at OFFSET; REG_COUNT, with a warning, for the bytes between and above the registers. */
static unsigned register_at(struct uart *uart, uint32_t offset)
{
    if (offset % (1u << REG_SHIFT) == 0 && offset >> REG_SHIFT < REG_COUNT)
        return offset >> REG_SHIFT;
    log_guest(uart->log, "uart.no_register", "uart: access to offset 0x%x, where no register is", offset);
    return REG_COUNT;
}

static uint32_t uart_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct uart *uart = opaque;
    unsigned reg = register_at(uart, offset);
    (void)size;
    (void)cpu;
    if (reg == REG_COUNT)
        return 0;
    uint8_t value = read_register(uart, reg);
    update_line(uart);
    return value;
}

static void uart_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct uart *uart = opaque;
    unsigned reg = register_at(uart, offset);
    (void)size;
    (void)cpu;
    if (reg == REG_COUNT)
        return;
    write_register(uart, reg, (uint8_t)value);
    update_line(uart);
}

const struct device_ops uart_device_ops = {.name = "uart", .read = uart_read, .write = uart_write};

struct uart *uart_create(struct event_queue *queue, struct irq_line irq, void (*transmit)(void *opaque, uint8_t byte),
                         void *transmit_opaque, cycles character_time, struct log *log)
{
    struct uart *uart = checked_memory(calloc(1, sizeof *uart));
    uart->queue = queue;
    uart->irq = irq;
    uart->transmit = transmit;
    uart->transmit_opaque = transmit_opaque;
    uart->character_time = character_time;
    uart->log = log;
    event_init(&uart->transmit_event, "uart.transmit", transmit_fire, uart);
    event_init(&uart->timeout_event, "uart.timeout", timeout_fire, uart);
    return uart;
}

void uart_free(struct uart *uart)
{
    if (!uart)
        return;
    event_cancel(uart->queue, &uart->transmit_event);
    event_cancel(uart->queue, &uart->timeout_event);
    free(uart);
}

unsigned uart_receive_space(const struct uart *uart)
{
    const struct uart_state *state = &uart->state;
    return state->mcr & MCR_LOOP ? 0 : fifo_capacity(state) - state->receiver.count;
}

bool uart_receive(struct uart *uart, uint8_t byte)
{
    if (uart_receive_space(uart) == 0)
        return false;
    character_arrives(uart, byte);
    update_line(uart);
    return true;
}

void uart_register_stats(const struct uart *uart, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"transmitted", "characters", "characters sent to the outside", &uart->transmitted},
        {"received", "characters", "characters taken by the receiver, loopback included", &uart->received},
        {"overruns", "characters", "characters lost because the receiver was full", &uart->overruns},
        {"interrupts", "interrupts", "times the interrupt line was raised", &uart->interrupts},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct uart, state.ier, SAVED_U8, IER_MASK),
    SAVED_FIELD(struct uart, state.lcr, SAVED_U8),
    SAVED_LIMITED(struct uart, state.mcr, SAVED_U8, MCR_MASK),
    SAVED_LIMITED(struct uart, state.msr_deltas, SAVED_U8, MSR_DELTAS),
    SAVED_FIELD(struct uart, state.scr, SAVED_U8),
    SAVED_FIELD(struct uart, state.dll, SAVED_U8),
    SAVED_FIELD(struct uart, state.dlm, SAVED_U8),
    SAVED_LIMITED(struct uart, state.trigger, SAVED_U8, 3),
    SAVED_FIELD(struct uart, state.fifos_on, SAVED_BOOL),
    SAVED_FIELD(struct uart, state.overrun, SAVED_BOOL),
    SAVED_FIELD(struct uart, state.thre_pending, SAVED_BOOL),
    SAVED_FIELD(struct uart, state.timed_out, SAVED_BOOL),
    SAVED_FIELD(struct uart, state.line, SAVED_BOOL),
    SAVED_FIELD(struct uart, state.shifting, SAVED_BOOL),
    SAVED_FIELD(struct uart, state.shift, SAVED_U8),
    SAVED_FIELD(struct uart, state.receiver.bytes, SAVED_U8),
    SAVED_LIMITED(struct uart, state.receiver.head, SAVED_U8, UART_FIFO_SIZE - 1),
    SAVED_LIMITED(struct uart, state.receiver.count, SAVED_U8, UART_FIFO_SIZE),
    SAVED_FIELD(struct uart, state.transmitter.bytes, SAVED_U8),
    SAVED_LIMITED(struct uart, state.transmitter.head, SAVED_U8, UART_FIFO_SIZE - 1),
    SAVED_LIMITED(struct uart, state.transmitter.count, SAVED_U8, UART_FIFO_SIZE),
    SAVED_FIELD(struct uart, transmit_event, SAVED_EVENT),
    SAVED_FIELD(struct uart, timeout_event, SAVED_EVENT),
    SAVED_STATISTIC(struct uart, transmitted),
    SAVED_STATISTIC(struct uart, received),
    SAVED_STATISTIC(struct uart, overruns),
    SAVED_STATISTIC(struct uart, interrupts),
};

static bool after_load(void *base, struct err *err)
{
    const struct uart_state *state = &((const struct uart *)base)->state;
    return (state->receiver.count <= fifo_capacity(state) && state->transmitter.count <= fifo_capacity(state)) ||
           err_set(err, "more characters than the receiver or transmitter has room for");
}

void uart_register_saved(struct uart *uart, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved,
              &(struct saved_section){.name = name, .version = 1, .base = uart, SAVED_TABLE(fields), .ops = &ops});
}
