#include "src/machine/recorded_options.h"

#include "src/host/copy_files.h"
#include "src/host/external.h"
#include "src/host/record.h"
#include <inttypes.h>
#include <limits.h>

/* Recording */

static void put_text(struct record *record, const char *kind, const char *text)
{
    record_head(record, kind, (const char *[]){text}, 1);
}

static void put_switch(struct record *record, const struct machine_switch *change)
{
    char event[MACHINE_EVENT_TEXT_SIZE], text[sizeof event + 64];
    machine_event_text(&change->event, event);
    snprintf(text, sizeof text, "%s@%s", change->model, event);
    put_text(record, "switch", text);
}

/* As the command line has them; a path of the guest has lost its slash. */
static void put_copies(struct record *record, const struct copy_files *copy)
{
    char text[2 * PATH_MAX + 8];
    for (unsigned i = 0; i < copy->in_count; i++) {
        snprintf(text, sizeof text, "%s:/%s", copy->in[i].from, copy->in[i].to);
        put_text(record, "copy-in", text);
    }
    for (unsigned i = 0; i < copy->out_count; i++) {
        snprintf(text, sizeof text, "/%s:%s", copy->out[i].from, copy->out[i].to);
        put_text(record, "copy-out", text);
    }
}

void record_machine(struct record *record, const struct machine_options *options)
{
    const struct param_def *def;
    char value[4200];
    put_text(record, "machine", options->machine_name);
    for (size_t i = 0; (def = params_at(options->params, i)); i++) {
        params_text(options->params, def->name, value, sizeof value);
        record_head(record, "param", (const char *[]){def->name, value}, 2);
    }
    for (int i = 0; i < options->command_count; i++)
        put_text(record, "word", options->command[i]);
    for (unsigned i = 0; i < options->switch_count; i++)
        put_switch(record, &options->switches[i]);
    if (options->copy)
        put_copies(record, options->copy);
    record_head_limits(record);
}

/* The machine as the owner of its input */

static const struct event_queue *queue(const void *opaque)
{
    return ((const struct machine *)opaque)->queue;
}

static cycles now(const void *opaque)
{
    return ((const struct machine *)opaque)->now;
}

static uint64_t insns(const void *opaque)
{
    return machine_insns(opaque);
}

static bool is_stopping(const void *opaque)
{
    return ((const struct machine *)opaque)->stopping;
}

static void request_stop(void *opaque)
{
    machine_request_stop(opaque);
}

static void fail(void *opaque, const struct err *reason)
{
    machine_fail(opaque, reason);
}

static void poll_soon(void *opaque)
{
    struct machine *machine = opaque;
    machine->next_poll = 0;
    if (machine->current)
        machine->current->stop = machine->current->attention = true;
}

static void about_to_sleep(void *opaque)
{
    const struct machine *machine = opaque;
    if (machine->host && machine->host->sleep)
        machine->host->sleep(machine->host_opaque);
}

struct external *machine_external_create(struct machine *machine, const struct machine_options *options,
                                         struct err *err)
{
    const struct external_owner owner = {.opaque = machine,
                                         .queue = queue,
                                         .now = now,
                                         .insns = insns,
                                         .is_stopping = is_stopping,
                                         .request_stop = request_stop,
                                         .fail = fail,
                                         .poll_soon = poll_soon,
                                         .about_to_sleep = about_to_sleep};
    if (options->replay) {
        const struct replay_machine *replay = replay_next(options->replay, err);
        if (!replay || !replay_check(replay, options, err))
            return NULL;
        struct external *external = external_create(&owner, NULL, replay);
        if (options->entered)
            external_enter(external, options->entered);
        return external;
    }
    if (options->record)
        record_machine(options->record, options);
    return external_create(&owner, options->record, NULL);
}
