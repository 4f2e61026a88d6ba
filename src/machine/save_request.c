#include "src/machine/save_request.h"

#include "src/machine/machine_end.h"
#include "src/machine/machine_saved.h"
#include <stdlib.h>
#include <string.h>

struct save_request {
    struct save_request *next;
    char path[];
};

bool save_request_add(struct machine *machine, const char *path, struct err *err)
{
    if (machine->saving)
        return err_set(err, "checkpoint: a checkpoint is being written");
    if (!machine_can_save(machine, "checkpoint", err))
        return false;
    struct save_request **last = &machine->saves;
    while (*last)
        last = &(*last)->next;
    *last = checked_memory(calloc(1, sizeof **last + strlen(path) + 1));
    memcpy((*last)->path, path, strlen(path) + 1);
    machine_end(machine, MACHINE_STOP_SAVE);
    return true;
}

bool save_request_pending(const struct machine *machine)
{
    return machine->saves != NULL;
}

bool save_request_perform(struct machine *machine, struct err *err)
{
    bool done = true;
    machine->saving = true;
    for (struct save_request *request; done && (request = machine->saves);) {
        machine->saves = request->next;
        done = machine_save(machine, "an annotation", request->path, err);
        free(request);
    }
    machine->saving = false;
    save_request_drop_all(machine);
    return done;
}

/* A run has ended with *REASON: write the requested checkpoints. Should the run continue? */
static bool should_continue(struct machine *machine, enum machine_stop *reason)
{
    if (save_request_perform(machine, &machine->failure))
        return *reason == MACHINE_STOP_SAVE;
    *reason = MACHINE_STOP_FAILED;
    return false;
}

enum machine_stop save_request_run(struct machine *machine, const struct machine_limits *limits)
{
    enum machine_stop reason;
    do
        reason = machine_run(machine, limits);
    while (should_continue(machine, &reason));
    return reason;
}

enum machine_stop save_request_step(struct machine *machine, unsigned cpu, uint64_t count)
{
    const struct core *core = machine->cores[cpu];
    const uint64_t end = core->s.insns + count;
    enum machine_stop reason;
    do
        reason = machine_step(machine, cpu, end - core->s.insns);
    while (should_continue(machine, &reason));
    return reason;
}

void save_request_drop_all(struct machine *machine)
{
    while (machine->saves) {
        struct save_request *request = machine->saves;
        machine->saves = request->next;
        free(request);
    }
}
