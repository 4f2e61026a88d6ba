/*
 * Goldfish real-time clock.
 *
 * Register table (32-bit)
 *
 *   0x00  TIME_LOW         reading latches the high half for TIME_HIGH; writing sets the low half
 *   0x04  TIME_HIGH        as latched; writing sets the high half; write it before TIME_LOW
 *   0x08  ALARM_LOW        writing sets the low half and arms the alarm
 *   0x0c  ALARM_HIGH       write it before ALARM_LOW
 *   0x10  IRQ_ENABLED      0 the alarm raises the interrupt line
 *   0x14  CLEAR_ALARM (WO) any value disarms the alarm
 *   0x18  ALARM_STATUS (RO) 1 while the alarm is armed
 *   0x1c  CLEAR_INTERRUPT (WO) any value lowers the interrupt line
 *
 * An alarm armed at or after its time fires at once. All other offsets read as zero and ignore writes. Source:
 * the Linux driver, drivers/rtc/rtc-goldfish.c, include/clocksource/timer-goldfish.h.
 */
#include "devices/board/rtc.h"
#include "devices/registers.h"
#include "src/base/board.h"
#include <stdlib.h>

enum {
    TIME_LOW = 0x00,
    TIME_HIGH = 0x04,
    ALARM_LOW = 0x08,
    ALARM_HIGH = 0x0c,
    IRQ_ENABLED = 0x10,
    CLEAR_ALARM = 0x14,
    ALARM_STATUS = 0x18,
    CLEAR_INTERRUPT = 0x1c,
};

/* Architectural state, held by a checkpoint. */
struct rtc_state {
    uint64_t offset; /* clock minus simulated time, ns; wraps */
    uint32_t time_high;
    uint64_t alarm;
    bool alarm_armed;
    bool irq_enabled;
    bool irq_pending;
};

struct rtc {
    struct event_queue *queue;
    struct irq_line irq;
    struct log *log;
    struct rtc_state state;
    struct event event;
};

static uint64_t rtc_time(const struct rtc *rtc)
{
    return rtc->state.offset + time_nsec(rtc->queue, rtc->queue->now);
}

static void rtc_update_irq(struct rtc *rtc)
{
    irq_set(&rtc->irq, rtc->state.irq_pending && rtc->state.irq_enabled);
}

/* Fire the alarm if it is due, otherwise schedule this function at the alarm's time. */
static void rtc_alarm(void *opaque)
{
    struct rtc *rtc = opaque;
    struct rtc_state *state = &rtc->state;
    uint64_t now = rtc_time(rtc), elapsed = time_nsec(rtc->queue, rtc->queue->now);
    if (!state->alarm_armed) {
        event_cancel(rtc->queue, &rtc->event);
    } else if (state->alarm <= now) {
        event_cancel(rtc->queue, &rtc->event);
        state->alarm_armed = false;
        state->irq_pending = true;
        rtc_update_irq(rtc);
    } else if (state->alarm - now > UINT64_MAX - elapsed) {
        event_cancel(rtc->queue, &rtc->event); /* beyond the end of simulated time */
    } else {
        event_schedule(rtc->queue, &rtc->event, time_cycles_of_nsec(rtc->queue, elapsed + (state->alarm - now)));
    }
}

static uint32_t rtc_read_word(struct rtc *rtc, uint32_t offset)
{
    struct rtc_state *state = &rtc->state;
    uint64_t now;
    switch (offset) {
    case TIME_LOW:
        now = rtc_time(rtc);
        state->time_high = (uint32_t)(now >> 32);
        return (uint32_t)now;
    case TIME_HIGH: return state->time_high;
    case ALARM_LOW: return (uint32_t)state->alarm;
    case ALARM_HIGH: return (uint32_t)(state->alarm >> 32);
    case IRQ_ENABLED: return state->irq_enabled;
    case ALARM_STATUS: return state->alarm_armed;
    default: return 0;
    }
}

static uint32_t rtc_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    (void)cpu;
    uint32_t word = rtc_read_word(opaque, offset & ~3u) >> (offset % 4 * 8);
    return size >= 4 ? word : word & ((1u << size * 8) - 1);
}

static void rtc_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct rtc *rtc = opaque;
    struct rtc_state *state = &rtc->state;
    (void)cpu;
    if (size != 4) {
        log_guest(rtc->log, "rtc.size", "rtc: write of %u bytes at 0x%x ignored: registers have 4", size, offset);
        return;
    }
    switch (offset) {
    case TIME_LOW:
    case TIME_HIGH:
        state->offset += register_replace_half(rtc_time(rtc), offset == TIME_HIGH, value) - rtc_time(rtc);
        if (offset == TIME_LOW) /* between the writes of the two halves the clock may be seconds off */
            rtc_alarm(rtc);
        break;
    case ALARM_LOW:
        state->alarm = register_replace_half(state->alarm, false, value);
        state->alarm_armed = true;
        rtc_alarm(rtc);
        break;
    case ALARM_HIGH: state->alarm = register_replace_half(state->alarm, true, value); break;
    case IRQ_ENABLED:
        state->irq_enabled = value & 1;
        rtc_update_irq(rtc);
        break;
    case CLEAR_ALARM:
        state->alarm_armed = false;
        rtc_alarm(rtc);
        break;
    case CLEAR_INTERRUPT:
        state->irq_pending = false;
        rtc_update_irq(rtc);
        break;
    default: break;
    }
}

const struct device_ops rtc_device_ops = {"rtc", rtc_read, rtc_write};

struct rtc *rtc_create(struct event_queue *queue, nsec start, struct irq_line irq, struct log *log)
{
    struct rtc *rtc = checked_memory(calloc(1, sizeof *rtc));
    rtc->queue = queue;
    rtc->irq = irq;
    rtc->log = log;
    rtc->state.offset = start;
    rtc->state.time_high = (uint32_t)(start >> 32);
    event_init(&rtc->event, "rtc alarm", rtc_alarm, rtc);
    return rtc;
}

void rtc_free(struct rtc *rtc)
{
    if (!rtc)
        return;
    event_cancel(rtc->queue, &rtc->event);
    free(rtc);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct rtc, state.offset, SAVED_U64),
    SAVED_FIELD(struct rtc, state.time_high, SAVED_U32),
    SAVED_FIELD(struct rtc, state.alarm, SAVED_U64),
    SAVED_FIELD(struct rtc, state.alarm_armed, SAVED_BOOL),
    SAVED_FIELD(struct rtc, state.irq_enabled, SAVED_BOOL),
    SAVED_FIELD(struct rtc, state.irq_pending, SAVED_BOOL),
    SAVED_FIELD(struct rtc, event, SAVED_EVENT),
};

void rtc_register_saved(struct rtc *rtc, struct saved *saved)
{
    saved_add(saved, &(struct saved_section){.name = "rtc", .version = 1, .base = rtc, SAVED_TABLE(fields)});
}

/* Board device */

static bool create_on_board(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    nsec start = params_u64(board->params, "rtc.start") * 1000000000ull;
    *device = rtc_create(board->queue, start, device_irq(board, 0), board->log);
    physmem_add_device(board->mem, board->base, BOARD_RTC_SIZE, &rtc_device_ops, *device);
    return true;
}

static void free_on_board(void *device)
{
    rtc_free(device);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    rtc_register_saved(device, saved);
    return true;
}

static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    tree_begin_at(tree, "rtc", board->base);
    tree_registers(tree, "google,goldfish-rtc", board->base, BOARD_RTC_SIZE);
    tree_interrupt(tree, board->irq);
    tree_end(tree);
}

const struct device_type rtc_type = {
    .name = "rtc",
    .summary = "real-time clock with an alarm (Goldfish)",
    .size = BOARD_RTC_SIZE,
    .interrupts = 1,
    .create = create_on_board,
    .free = free_on_board,
    .register_saved = register_saved,
    .write_node = write_node,
};
