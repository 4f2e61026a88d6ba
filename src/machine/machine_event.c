#include "src/machine/machine_event.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name valid for a mark: 1 to 255 printable ASCII characters. */
static bool parse_mark(struct machine_event *event, const char *name, struct err *err)
{
    size_t length = strlen(name);
    if (length == 0)
        return err_set(err, "mark: has no name");
    if (length > CONTROL_NAME_MAX)
        return err_set(err, "the name of a mark has at most %d bytes, not %zu", CONTROL_NAME_MAX, length);
    for (const char *at = name; *at; at++)
        if (*at < ' ' || *at > '~')
            return err_set(err, "the name of a mark is printable ASCII");
    memcpy(event->mark, name, length + 1);
    return true;
}

static bool parse_time(struct machine_event *event, const char *text, struct err *err)
{
    char *end;
    event->seconds = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text) || !(event->seconds > 0 && event->seconds <= 1e9))
        return err_set(err, "time:%.64s is not a number of simulated seconds above 0 and up to 1e9", text);
    return true;
}

static bool parse_insns(struct machine_event *event, const char *text, struct err *err)
{
    char *end;
    errno = 0;
    event->insns = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || event->insns == 0)
        return err_set(err, "insns:%.64s is not a number of instructions from 1 up", text);
    return true;
}

bool machine_event_parse(struct machine_event *event, const char *text, struct err *err)
{
    static const struct {
        const char *name;
        enum machine_event_kind kind;
        bool (*parse)(struct machine_event *event, const char *text, struct err *err);
    } kinds[] = {{"mark:", MACHINE_EVENT_MARK, parse_mark},
                 {"time:", MACHINE_EVENT_TIME, parse_time},
                 {"insns:", MACHINE_EVENT_INSNS, parse_insns}};
    *event = (struct machine_event){.kind = MACHINE_EVENT_BOOT};
    if (strcmp(text, "boot") == 0)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, length) != 0)
            continue;
        event->kind = kinds[i].kind;
        return kinds[i].parse(event, text + length, err);
    }
    return err_set(err, "\"%.64s\" is no event; valid: boot, mark:NAME, time:SECONDS, insns:N", text);
}

void machine_event_text(const struct machine_event *event, char text[MACHINE_EVENT_TEXT_SIZE])
{
    switch (event->kind) {
    case MACHINE_EVENT_BOOT: snprintf(text, MACHINE_EVENT_TEXT_SIZE, "boot"); break;
    case MACHINE_EVENT_MARK: snprintf(text, MACHINE_EVENT_TEXT_SIZE, "mark:%s", event->mark); break;
    case MACHINE_EVENT_TIME: snprintf(text, MACHINE_EVENT_TEXT_SIZE, "time:%.17g", event->seconds); break;
    case MACHINE_EVENT_INSNS: snprintf(text, MACHINE_EVENT_TEXT_SIZE, "insns:%" PRIu64, event->insns); break;
    }
}

cycles machine_seconds_in_cycles(double seconds, uint64_t clock_hz)
{
    const double time = round(seconds * (double)clock_hz);
    return time >= 1e19 ? CYCLES_NEVER : time < 1 ? 1 : (cycles)time;
}

cycles machine_event_time(const struct machine_event *event, uint64_t clock_hz)
{
    return event->kind == MACHINE_EVENT_TIME ? machine_seconds_in_cycles(event->seconds, clock_hz) : CYCLES_NEVER;
}

bool machine_event_equal(const struct machine_event *a, const struct machine_event *b)
{
    return a->kind == b->kind && strcmp(a->mark, b->mark) == 0 && a->seconds == b->seconds && a->insns == b->insns;
}
