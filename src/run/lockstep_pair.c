#include "src/run/lockstep_pair.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Output is recorded as pairs of bytes: destination and value. */
enum { TO_USERLAND = 0xf0, TO_MARK = 0xf1 };

static void put(struct lockstep_output *output, uint8_t where, uint8_t byte)
{
    if (output->count + 2 > output->capacity) {
        output->capacity = output->capacity ? 2 * output->capacity : 4096;
        output->bytes = checked_memory(realloc(output->bytes, output->capacity));
    }
    output->bytes[output->count++] = where;
    output->bytes[output->count++] = byte;
}

/* The setup's host interface if this side forwards to it; else NULL. */
static const struct machine_host *forwarding_host(const struct lockstep_output *output)
{
    return output->side == 0 && output->pair->first_run ? output->pair->setup->host : NULL;
}

static void *forwarding_opaque(const struct lockstep_output *output)
{
    return output->pair->setup->host_opaque;
}

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct lockstep_output *output = opaque;
    const struct machine_host *host = forwarding_host(output);
    put(output, (uint8_t)uart, byte);
    if (host && host->uart_output)
        host->uart_output(forwarding_opaque(output), uart, byte);
}

static void userland_up(void *opaque)
{
    struct lockstep_output *output = opaque;
    const struct machine_host *host = forwarding_host(output);
    put(output, TO_USERLAND, 0);
    if (host && host->userland_up)
        host->userland_up(forwarding_opaque(output));
}

static void mark(void *opaque, const char *name)
{
    struct lockstep_output *output = opaque;
    const struct machine_host *host = forwarding_host(output);
    for (const char *at = name; *at; at++)
        put(output, TO_MARK, (uint8_t)*at);
    put(output, TO_MARK, 0);
    if (host && host->mark)
        host->mark(forwarding_opaque(output), name);
}

static void poll_host(void *opaque)
{
    struct lockstep_output *output = opaque;
    const struct machine_host *host = forwarding_host(output);
    if (host && host->poll)
        host->poll(forwarding_opaque(output));
}

static const struct machine_host recording_host = {
    .uart_output = uart_output, .userland_up = userland_up, .mark = mark, .poll = poll_host};

bool lockstep_pair_create(struct lockstep_pair *pair, const struct lockstep_setup *setup, bool first_run,
                          struct err *err)
{
    *pair = (struct lockstep_pair){.setup = setup, .first_run = first_run};
    for (unsigned side = 0; side < 2; side++) {
        struct lockstep_output *output = &pair->output[side];
        *output = (struct lockstep_output){.pair = pair, .side = side};
        bool quiet = !first_run || side == 1;
        pair->machine[side] = setup->build(setup->opaque, side, quiet, &recording_host, output, err);
        if (!pair->machine[side])
            return false;
    }
    pair->compare = compare_create(pair->machine[0], pair->machine[1]);
    return true;
}

void lockstep_pair_free(struct lockstep_pair *pair)
{
    compare_free(pair->compare);
    for (unsigned side = 0; side < 2; side++) {
        machine_free(pair->machine[side]);
        free(pair->output[side].bytes);
    }
    *pair = (struct lockstep_pair){0};
}

bool lockstep_pair_run(struct lockstep_pair *pair, uint64_t insns)
{
    const struct machine_limits limits = {pair->setup->limits.time, insns};
    pair->insns = insns;
    for (unsigned side = 0; side < 2; side++) {
        pair->reason[side] = machine_run(pair->machine[side], &limits);
        if (side == 0 && pair->reason[side] == MACHINE_STOP_REQUEST)
            return false;
    }
    return true;
}

bool lockstep_pair_ended(const struct lockstep_pair *pair)
{
    return pair->reason[0] != MACHINE_STOP_INSNS && pair->reason[1] != MACHINE_STOP_INSNS;
}

static bool output_differs(const struct lockstep_pair *pair)
{
    const struct lockstep_output *a = &pair->output[0], *b = &pair->output[1];
    return a->count != b->count || (a->count && memcmp(a->bytes, b->bytes, a->count) != 0);
}

bool lockstep_pair_differs(const struct lockstep_pair *pair, bool statistics, const uint32_t *pages, unsigned count)
{
    return pair->reason[0] != pair->reason[1] || output_differs(pair) || !compare_state(pair->compare) ||
           (statistics && !compare_statistics(pair->compare)) || !compare_pages(pair->compare, pages, count);
}

void lockstep_pair_discard_output(struct lockstep_pair *pair)
{
    pair->output[0].count = pair->output[1].count = 0;
}

static const char *reason_text(enum machine_stop reason)
{
    switch (reason) {
    case MACHINE_STOP_TIME: return "the time limit";
    case MACHINE_STOP_INSNS: return "the number of instructions";
    case MACHINE_STOP_EXIT: return "the guest's exit";
    case MACHINE_STOP_REBOOT: return "the guest's reboot";
    case MACHINE_STOP_REQUEST: return "a request";
    case MACHINE_STOP_HOOK: return "a hook";
    case MACHINE_STOP_DEADLOCK: return "a deadlock: no CPU can wake up";
    case MACHINE_STOP_BARRIER: return "a barrier";
    case MACHINE_STOP_FAILED: return "a failure outside the guest";
    case MACHINE_STOP_PAUSE: return "a pause";
    case MACHINE_STOP_SAVE: return "a checkpoint";
    case MACHINE_STOP_STEP: return "a step";
    case MACHINE_STOP_HELD: return "held CPUs";
    case MACHINE_STOP_HORIZON: return "the end of the past";
    }
    return "nothing";
}

/* Describe output number AT: "byte 97 to UART 1", "a mark" ..., or "nothing". */
static void output_text(const struct lockstep_output *output, size_t at, char *text, size_t size)
{
    if (at >= output->count)
        snprintf(text, size, "nothing");
    else if (output->bytes[at] >= TO_USERLAND)
        snprintf(text, size, "%s", output->bytes[at] == TO_MARK ? "a mark" : "userland is up");
    else
        snprintf(text, size, "byte %u to UART %u", output->bytes[at + 1], output->bytes[at]);
}

void lockstep_pair_describe(const struct lockstep_pair *pair, char *text, size_t size)
{
    const struct lockstep_output *a = &pair->output[0], *b = &pair->output[1];
    *text = 0;
    if (pair->reason[0] != pair->reason[1])
        snprintf(text, size, "%s is stopped by %s, %s by %s", pair->setup->name[0], reason_text(pair->reason[0]),
                 pair->setup->name[1], reason_text(pair->reason[1]));
    else if (output_differs(pair)) {
        char first[48], second[48];
        size_t at = 0;
        while (at < a->count && at < b->count && memcmp(a->bytes + at, b->bytes + at, 2) == 0)
            at += 2;
        output_text(a, at, first, sizeof first);
        output_text(b, at, second, sizeof second);
        snprintf(text, size, "output: %s in %s, %s in %s", first, pair->setup->name[0], second, pair->setup->name[1]);
    }
}
