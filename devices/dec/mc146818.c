/*
 * Registers (8 bits each, number n at byte offset 4n; Motorola MC146818 data sheet, figure 12 and following):
 *
 *   0 seconds   2 minutes   4 hours   6 day of week, 1 to 7   7 day   8 month   9 year      binary or BCD (B.DM)
 *   1, 3, 5     alarm: seconds, minutes, hours; 0xc0 and up: any
 *   10  A   7 UIP (R) an update is less than 244 us away   6:4 DV 010: the clock runs; 11x: divider held in reset
 *           3:0 RS rate of the periodic interrupt: 1: 256 Hz, 2: 128 Hz, n: 65536 / 2^n Hz; 0: none
 *   11  B   7 SET updates stop   6 PIE   5 AIE   4 UIE   2 DM binary   1 24 hours
 *   12  C   (R) 7 IRQF   6 PF   5 AF   4 UF; reading clears them
 *   13  D   (R) 7 VRT: 1
 *   14-63   RAM
 *
 * While the clock is stopped (SET, or the divider in reset) the registers 0 to 9 are what was written. When it starts
 * again, the next update is due as if it had run on; after a reset of the divider, in half a second.
 */
#include "devices/dec/mc146818.h"
#include <stdlib.h>

enum {
    REG_SECONDS = 0,
    REG_ALARM_SECONDS = 1,
    REG_MINUTES = 2,
    REG_ALARM_MINUTES = 3,
    REG_HOURS = 4,
    REG_ALARM_HOURS = 5,
    REG_WEEKDAY = 6,
    REG_DAY = 7,
    REG_MONTH = 8,
    REG_YEAR = 9,
    REG_A = 10,
    REG_B = 11,
    REG_C = 12,
    REG_D = 13,
    REG_TRUE_YEAR = 63,
};
enum { A_UIP = 0x80, A_DV = 0x70, A_DV_RUNS = 0x20, A_RS = 0x0f, A_INITIAL = A_DV_RUNS | 6 };
enum { B_SET = 0x80, B_PIE = 0x40, B_AIE = 0x20, B_UIE = 0x10, B_DM = 4, B_24 = 2, B_INITIAL = B_DM | B_24 };
enum { C_IRQF = 0x80, C_PF = 0x40, C_AF = 0x20, C_UF = 0x10, C_FLAGS = C_PF | C_AF | C_UF };
enum { D_VRT = 0x80, ALARM_ANY = 0xc0, HOUR_PM = 0x80 };
enum { SECOND = 1000000000, UPDATE_TIME = 244000 /* ns: UIP before an update (data sheet, table 6) */ };
enum { DAY = 86400 };

struct mc146818 {
    struct event_queue *queue;
    struct irq_line irq;
    const uint8_t *second_bytes;
    struct event event;
    /* Architectural state, held by a checkpoint. */
    uint8_t registers[MC146818_REGISTERS]; /* 0, 2, 4, 6 to 9 only while the clock is stopped */
    uint8_t flags;                         /* C, without IRQF */
    uint8_t weekday;                       /* day of week on the first day of year 00, from 0 */
    uint64_t offset;                       /* ns; time since the first second of year 00 minus simulated time; wraps */
    uint64_t last_second;                  /* up to here UF and AF are up to date */
    uint64_t last_tick;                    /* of the periodic interrupt, up to here PF is up to date */
};

/* Calendar */

struct date {
    unsigned second, minute, hour, weekday, day, month, year; /* weekday 0 to 6; day and month from 1; year 0 to 99 */
};

/* Days before MONTH (from 1 to 13) of YEAR, of the chip's calendar: every fourth year is a leap year. */
static unsigned days_before(unsigned month, unsigned year)
{
    static const uint16_t days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return days[month - 1] + (month > 2 && year % 4 == 0);
}

enum { CENTURY = 100 * 365 + 25 }; /* days */

static uint64_t seconds_of(const struct date *date)
{
    const uint64_t days =
        date->year * 365u + (date->year + 3) / 4 + days_before(date->month, date->year) + date->day - 1;
    return days * DAY + date->hour * 3600u + date->minute * 60u + date->second;
}

static struct date date_of(uint64_t seconds, unsigned weekday)
{
    const unsigned of_day = (unsigned)(seconds % DAY);
    unsigned days = (unsigned)(seconds / DAY % CENTURY);
    struct date date = {.second = of_day % 60, .minute = of_day / 60 % 60, .hour = of_day / 3600};
    date.weekday = (unsigned)((seconds / DAY + weekday) % 7);
    date.year = days / 1461 * 4;
    days %= 1461;
    if (days >= 366) {
        date.year += 1 + (days - 366) / 365;
        days = (days - 366) % 365;
    }
    date.month = 1;
    while (days >= days_before(date.month + 1, date.year))
        date.month++;
    date.day = days - days_before(date.month, date.year) + 1;
    return date;
}

/* Registers and numbers */

static uint8_t encode(const struct mc146818 *rtc, unsigned value)
{
    return (uint8_t)(rtc->registers[REG_B] & B_DM ? value : value / 10 * 16 + value % 10);
}

static unsigned decode(const struct mc146818 *rtc, uint8_t value)
{
    return rtc->registers[REG_B] & B_DM ? value : value / 16u * 10 + value % 16u;
}

static uint8_t encode_hour(const struct mc146818 *rtc, unsigned hour)
{
    if (rtc->registers[REG_B] & B_24)
        return encode(rtc, hour);
    return (uint8_t)(encode(rtc, (hour + 11) % 12 + 1) | (hour >= 12 ? HOUR_PM : 0));
}

static unsigned decode_hour(const struct mc146818 *rtc, uint8_t value)
{
    if (rtc->registers[REG_B] & B_24)
        return decode(rtc, value);
    return decode(rtc, value & 0x7f) % 12 + (value & HOUR_PM ? 12 : 0);
}

static unsigned bounded(unsigned value, unsigned low, unsigned high)
{
    return value < low ? low : value > high ? high : value;
}

/* Time */

static bool is_running(const struct mc146818 *rtc)
{
    return !(rtc->registers[REG_B] & B_SET) && (rtc->registers[REG_A] & A_DV) == A_DV_RUNS;
}

static uint64_t clock_time(const struct mc146818 *rtc)
{
    return rtc->offset + time_nsec(rtc->queue, rtc->queue->now);
}

static uint64_t clock_seconds(const struct mc146818 *rtc)
{
    return clock_time(rtc) / SECOND;
}

static void put_date(struct mc146818 *rtc)
{
    const struct date date = date_of(clock_seconds(rtc), rtc->weekday);
    uint8_t *registers = rtc->registers;
    registers[REG_SECONDS] = encode(rtc, date.second);
    registers[REG_MINUTES] = encode(rtc, date.minute);
    registers[REG_HOURS] = encode_hour(rtc, date.hour);
    registers[REG_WEEKDAY] = encode(rtc, date.weekday + 1);
    registers[REG_DAY] = encode(rtc, date.day);
    registers[REG_MONTH] = encode(rtc, date.month);
    registers[REG_YEAR] = encode(rtc, date.year);
}

/* The clock has what the date registers say, and FRACTION ns; values out of range become the nearest valid ones. */
static void take_date(struct mc146818 *rtc, uint64_t fraction)
{
    const uint8_t *registers = rtc->registers;
    struct date date = {.second = bounded(decode(rtc, registers[REG_SECONDS]), 0, 59),
                        .minute = bounded(decode(rtc, registers[REG_MINUTES]), 0, 59),
                        .hour = bounded(decode_hour(rtc, registers[REG_HOURS]), 0, 23),
                        .weekday = bounded(decode(rtc, registers[REG_WEEKDAY]), 1, 7) - 1,
                        .day = bounded(decode(rtc, registers[REG_DAY]), 1, 31),
                        .month = bounded(decode(rtc, registers[REG_MONTH]), 1, 12),
                        .year = bounded(decode(rtc, registers[REG_YEAR]), 0, 99)};
    const uint64_t seconds = seconds_of(&date);
    rtc->weekday = (uint8_t)((date.weekday + 7 - seconds / DAY % 7) % 7);
    rtc->offset = seconds * SECOND + fraction - time_nsec(rtc->queue, rtc->queue->now);
    rtc->last_second = seconds;
}

/* Interrupts */

/* Rate of the periodic interrupt in Hz; 0: none. */
static unsigned periodic_rate(const struct mc146818 *rtc)
{
    const unsigned select = rtc->registers[REG_A] & A_RS;
    return select == 0 ? 0 : 65536u >> (select < 3 ? select + 7 : select);
}

static bool alarm_part_matches(uint8_t alarm, unsigned wanted, unsigned now)
{
    return alarm >= ALARM_ANY || wanted == now;
}

static bool alarm_matches(const struct mc146818 *rtc, uint64_t seconds)
{
    const uint8_t *registers = rtc->registers;
    const unsigned of_day = (unsigned)(seconds % DAY);
    return alarm_part_matches(registers[REG_ALARM_SECONDS], decode(rtc, registers[REG_ALARM_SECONDS]), of_day % 60) &&
           alarm_part_matches(registers[REG_ALARM_MINUTES], decode(rtc, registers[REG_ALARM_MINUTES]),
                              of_day / 60 % 60) &&
           alarm_part_matches(registers[REG_ALARM_HOURS], decode_hour(rtc, registers[REG_ALARM_HOURS]), of_day / 3600);
}

/* Did the alarm go off in the seconds behind FIRST, up to LAST? After a day every alarm time has been passed. */
static bool alarm_passed(const struct mc146818 *rtc, uint64_t first, uint64_t last)
{
    const uint64_t from = last - first > DAY ? last - DAY : first;
    for (uint64_t second = from + 1; second <= last; second++)
        if (alarm_matches(rtc, second))
            return true;
    return false;
}

/* Bring the flags up to the present. */
static void update_flags(struct mc146818 *rtc)
{
    const unsigned rate = periodic_rate(rtc);
    if (rate) {
        const uint64_t tick = time_ticks(rtc->queue, rtc->queue->now, rate);
        if (tick > rtc->last_tick)
            rtc->flags |= C_PF;
        rtc->last_tick = tick;
    }
    if (is_running(rtc)) {
        const uint64_t seconds = clock_seconds(rtc);
        if (seconds > rtc->last_second)
            rtc->flags |= (uint8_t)(C_UF | (alarm_passed(rtc, rtc->last_second, seconds) ? C_AF : 0));
        rtc->last_second = seconds;
    }
}

static bool interrupts(const struct mc146818 *rtc)
{
    return rtc->flags & rtc->registers[REG_B] & C_FLAGS; /* the enable bits of B are where the flags are in C */
}

/* Schedule the event at the next time at which an enabled interrupt may come. */
static void schedule(struct mc146818 *rtc)
{
    const uint8_t enabled = rtc->registers[REG_B];
    const unsigned rate = periodic_rate(rtc);
    cycles next = CYCLES_NEVER;
    if (enabled & B_PIE && rate)
        next = time_cycles_at_tick(rtc->queue, rtc->last_tick + 1, rate);
    if (enabled & (B_AIE | B_UIE) && is_running(rtc)) {
        const uint64_t left = SECOND - clock_time(rtc) % SECOND;
        const cycles update = time_cycles_of_nsec(rtc->queue, time_nsec(rtc->queue, rtc->queue->now) + left);
        next = update < next ? update : next;
    }
    event_schedule(rtc->queue, &rtc->event, next);
}

static void settle(struct mc146818 *rtc)
{
    irq_set(&rtc->irq, interrupts(rtc));
    schedule(rtc);
}

static void fire(void *opaque)
{
    struct mc146818 *rtc = opaque;
    update_flags(rtc);
    settle(rtc);
}

/* Register accesses */

static bool is_date(unsigned number)
{
    return number <= REG_YEAR && (number >= REG_WEEKDAY || number % 2 == 0);
}

static uint8_t read_register(struct mc146818 *rtc, unsigned number)
{
    if (is_date(number) && is_running(rtc))
        put_date(rtc);
    switch (number) {
    case REG_A: {
        const bool updates = is_running(rtc) && clock_time(rtc) % SECOND >= SECOND - UPDATE_TIME;
        return (uint8_t)(rtc->registers[REG_A] | (updates ? A_UIP : 0));
    }
    case REG_C: {
        update_flags(rtc);
        const uint8_t value = (uint8_t)(rtc->flags | (interrupts(rtc) ? C_IRQF : 0));
        rtc->flags = 0;
        settle(rtc);
        return value;
    }
    case REG_D: return D_VRT;
    default: return rtc->registers[number];
    }
}

/* Write A or B, which may stop or start the clock. */
static void write_control(struct mc146818 *rtc, unsigned number, uint8_t value)
{
    const bool ran = is_running(rtc), was_held = (rtc->registers[REG_A] & A_DV) != A_DV_RUNS;
    const uint64_t fraction = clock_time(rtc) % SECOND;
    const unsigned rate = periodic_rate(rtc);
    update_flags(rtc);
    if (ran)
        put_date(rtc);
    rtc->registers[number] = value;
    const bool released = was_held && (rtc->registers[REG_A] & A_DV) == A_DV_RUNS;
    if (released || (!ran && is_running(rtc)))
        take_date(rtc, released ? SECOND / 2 : fraction);
    if (periodic_rate(rtc) != rate && periodic_rate(rtc))
        rtc->last_tick = time_ticks(rtc->queue, rtc->queue->now, periodic_rate(rtc));
    if (value & B_SET && number == REG_B)
        rtc->registers[REG_B] &= (uint8_t)~B_UIE; /* as the chip does */
    settle(rtc);
}

static void write_register(struct mc146818 *rtc, unsigned number, uint8_t value)
{
    update_flags(rtc);
    if (is_date(number) && is_running(rtc)) {
        const uint64_t fraction = clock_time(rtc) % SECOND;
        put_date(rtc);
        rtc->registers[number] = value;
        take_date(rtc, fraction);
        settle(rtc);
    } else if (number == REG_A || number == REG_B) {
        write_control(rtc, number, number == REG_A ? value & ~A_UIP : value);
    } else if (number != REG_C && number != REG_D) {
        rtc->registers[number] = value;
    }
}

static uint32_t rtc_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct mc146818 *rtc = opaque;
    const unsigned number = offset / 4;
    uint32_t value = 0;
    (void)cpu;
    if (offset % 4 == 0)
        value = read_register(rtc, number);
    if (rtc->second_bytes && offset % 4 <= 1 && (size > 1 || offset % 4 == 1))
        value |= (uint32_t)rtc->second_bytes[number] << (offset % 4 == 0 ? 8 : 0);
    return value;
}

static void rtc_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    (void)size;
    (void)cpu;
    if (offset % 4 == 0)
        write_register(opaque, offset / 4, (uint8_t)value);
}

const struct device_ops mc146818_device_ops = {"mc146818", rtc_read, rtc_write};

/* Creation and saved state */

/* Set the clock to START, seconds since 1970, as the boot PROM does. Until 2100 every fourth year is a leap year, as in
 * the chip: its calendar is that of the years from 1968 on, which began with a Monday. */
static void set_clock(struct mc146818 *rtc, uint64_t start)
{
    const uint64_t seconds = start + (uint64_t)(366 + 365) * DAY;
    struct date date = date_of(seconds, 1);
    const unsigned year = 1968 + date.year + (unsigned)(seconds / DAY / CENTURY) * 100;
    const bool same_year = year % 4 == 0 || date.month > 2;
    date.year = same_year ? 72 : 73;
    const uint64_t shown = seconds_of(&date);
    rtc->weekday = (uint8_t)((date.weekday + 7 - shown / DAY % 7) % 7);
    rtc->offset = shown * SECOND;
    rtc->last_second = shown;
    rtc->registers[REG_TRUE_YEAR] = (uint8_t)(year - (year < 2000 ? 1900 : 2000) - (same_year ? 0 : 1));
}

struct mc146818 *mc146818_create(struct event_queue *queue, uint64_t start, struct irq_line irq,
                                 const uint8_t *second_bytes)
{
    struct mc146818 *rtc = checked_memory(calloc(1, sizeof *rtc));
    rtc->queue = queue;
    rtc->irq = irq;
    rtc->second_bytes = second_bytes;
    rtc->registers[REG_A] = A_INITIAL;
    rtc->registers[REG_B] = B_INITIAL;
    event_init(&rtc->event, "mc146818", fire, rtc);
    set_clock(rtc, start);
    return rtc;
}

void mc146818_free(struct mc146818 *rtc)
{
    if (!rtc)
        return;
    event_cancel(rtc->queue, &rtc->event);
    free(rtc);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct mc146818, registers, SAVED_U8),    SAVED_LIMITED(struct mc146818, flags, SAVED_U8, C_FLAGS),
    SAVED_LIMITED(struct mc146818, weekday, SAVED_U8, 6), SAVED_FIELD(struct mc146818, offset, SAVED_U64),
    SAVED_FIELD(struct mc146818, last_second, SAVED_U64), SAVED_FIELD(struct mc146818, last_tick, SAVED_U64),
    SAVED_FIELD(struct mc146818, event, SAVED_EVENT),
};

void mc146818_register_saved(struct mc146818 *rtc, struct saved *saved)
{
    saved_add(saved, &(struct saved_section){.name = "mc146818", .version = 1, .base = rtc, SAVED_TABLE(fields)});
}
