#include "src/run/restore.h"

#include "cache/memsys.h"
#include "checkpoint/checkpoint.h"
#include "src/machine/boards.h"
#include "src/machine/board_disks.h"
#include "src/machine/board_net.h"
#include "src/host/copy_saved.h"
#include "src/host/external.h"
#include "src/machine/machine_saved.h"
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 4200 };

struct restore {
    char *path, origin[256];
    struct checkpoint *checkpoint;
    struct params *params; /* of the saved machine */
    bool same_machine;
    char *name, *event, *job, *model, *copies, *disks;
};

void restore_reset_fixed(struct params *params, const struct params *before)
{
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++)
        if (def->traits & TRAIT_FIXED)
            params_copy_value(params, before, def->name);
}

/* Parse a line NAME=VALUE of the saved parameters. */
static bool set_line(struct restore *restore, char *line, struct err *err)
{
    struct err reason = {""};
    char *equals = strchr(line, '='), disk[VALUE_SIZE];
    if (!equals)
        return err_set(err, "checkpoint %s: section parameters: \"%.64s\" is not NAME=VALUE", restore->path, line);
    *equals = 0;
    const struct param_def *def = params_find(restore->params, line);
    const bool is_disk = def && def->type == PARAM_DISK;
    if (is_disk)
        board_disk_restored_text(equals + 1, (unsigned)strtoul(line + strlen("machine.disk"), NULL, 10), restore->disks,
                                 restore->path, disk, sizeof disk);
    return params_set(restore->params, line, is_disk ? disk : equals + 1, &reason) ||
           err_set(err, "checkpoint %s: section parameters: %s", restore->path, reason.text);
}

static bool read_params(struct restore *restore, struct err *err)
{
    struct machine_options initial;
    char *text = checkpoint_text(restore->checkpoint, "parameters", err), *rest = NULL;
    bool done = text;
    machine_options_init(&initial);
    restore->params = params_copy(initial.params);
    params_set_origin(restore->params, restore->origin);
    machine_options_release(&initial);
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line && done; line = strtok_r(NULL, "\n", &rest))
        done = set_line(restore, line, err) || machine_saved_elsewhere(restore->checkpoint, err);
    free(text);
    params_set_origin(restore->params, NULL);
    return done;
}

/* Open the checkpoint and read its texts. The caller closes RESTORE in any case. */
static bool open_checkpoint(struct restore *restore, struct err *err)
{
    restore->checkpoint = checkpoint_open(restore->path, err);
    if (!restore->checkpoint)
        return false;
    restore->name = checkpoint_text(restore->checkpoint, "description", err);
    restore->event = checkpoint_text(restore->checkpoint, "event", err);
    restore->job = checkpoint_text(restore->checkpoint, "job", err);
    restore->model = checkpoint_text(restore->checkpoint, "model", err);
    if (!restore->name || !restore->event || !restore->job || !restore->model)
        return false;
    if (strlen(restore->job) > BOARD_MAILBOX_SIZE)
        return err_set(err, "checkpoint %s: section job: %zu bytes; at most %d", restore->path, strlen(restore->job),
                       BOARD_MAILBOX_SIZE);
    restore->disks = checkpoint_has(restore->checkpoint, "disks") ? checkpoint_text(restore->checkpoint, "disks", err)
                                                                  : checked_memory(strdup(""));
    return restore->disks && read_params(restore, err);
}

struct restore *restore_open(const char *path, struct err *err)
{
    struct restore *restore = checked_memory(calloc(1, sizeof *restore));
    restore->path = checked_memory(strdup(path));
    snprintf(restore->origin, sizeof restore->origin, "checkpoint %.200s", path);
    if (open_checkpoint(restore, err))
        return restore;
    restore_close(restore);
    return NULL;
}

struct params *restore_params(const struct restore *restore, struct err *err)
{
    struct params *params = params_copy(restore->params);
    struct err reason = {""};
    if (params_set(params, "cpu.model", restore->model, &reason))
        return params;
    params_free(params);
    err_set(err, "checkpoint %s: section model: %s", restore->path, reason.text);
    machine_saved_elsewhere(restore->checkpoint, err);
    return NULL;
}

unsigned restore_needed_files(const struct restore *restore, char *paths[SERIES_DEPENDENCIES_MAX])
{
    struct series_member member;
    struct err reason = {""};
    if (!series_has_member(restore->checkpoint) || !series_member_read(&member, restore->checkpoint, &reason))
        return 0;
    const char *slash = strrchr(restore->path, '/');
    char *folder = checked_memory(
        slash ? strndup(restore->path, slash == restore->path ? 1 : (size_t)(slash - restore->path)) : strdup("."));
    for (unsigned i = 0; i < member.need_count; i++)
        paths[i] = series_path(folder, member.needs[i].number);
    free(folder);
    return member.need_count;
}

const char *restore_path(const struct restore *restore)
{
    return restore->path;
}

const char *restore_name(const struct restore *restore)
{
    return restore->name;
}

/* Compare PARAMS with the saved parameters. Sets restore->same_machine if the timing state can be restored. False with
 * ERR if a fixed parameter differs. */
static bool compare(struct restore *restore, const struct params *params, struct err *err)
{
    char here[VALUE_SIZE], there[VALUE_SIZE];
    const struct param_def *def;
    restore->same_machine = true;
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        params_text(params, def->name, here, sizeof here);
        params_text(restore->params, def->name, there, sizeof there);
        if (strcmp(here, there) == 0)
            continue;
        if (def->type == PARAM_DISK) {
            if (!board_disk_compare(def->name, here, there, err))
                return false;
            continue;
        }
        if (def->type == PARAM_NETWORK && board_net_is_same_kind(here, there))
            continue; /* the guest does not depend on the location of the network */
        if (def->traits & TRAIT_FIXED)
            return err_set(err,
                           "%s: \"%.100s\"; the machine in checkpoint %.200s has \"%.100s\", and this cannot change",
                           def->name, here, restore->path, there);
        restore->same_machine &= (def->traits & TRAIT_UNTIMED) != 0;
    }
    return true;
}

static bool is_at_boot(const struct restore *restore)
{
    return strcmp(restore->event, "boot") == 0;
}

static bool choose_job(const struct restore *restore, struct machine_options *options, struct err *err)
{
    if (options->command_count > 0)
        return is_at_boot(restore) ||
               err_set(err,
                       "checkpoint %s was taken at %.100s: the guest has its job already; one taken at boot runs any",
                       restore->path, restore->event);
    options->job = *restore->job ? restore->job : NULL;
    return true;
}

/* Files to copy in and out: those of the saved machine unless the options override them. */
static bool adopt_copies(struct restore *restore, struct machine_options *options, struct err *err)
{
    if (checkpoint_has(restore->checkpoint, "copies"))
        restore->copies = checkpoint_text(restore->checkpoint, "copies", err);
    else
        restore->copies = checked_memory(strdup(""));
    return restore->copies && copy_saved_adopt(&options->copy, restore->copies, options->trust, restore->path, err);
}

bool restore_prepare(struct restore *restore, struct machine_options *options, struct err *err)
{
    options->restored = true;
    return compare(restore, options->params, err) && choose_job(restore, options, err) &&
           adopt_copies(restore, options, err);
}

bool restore_load(struct restore *restore, struct machine *machine, struct err *err)
{
    if ((!external_has_entered(machine->external) &&
         !external_note_file(machine->external, INPUT_CHECKPOINT, "checkpoint", restore->path, err)) ||
        !machine_load_symbols(machine, err) ||
        (!is_at_boot(restore) && !copy_saved_check(machine->copy, restore->copies, err)) ||
        !machine_restore(machine, restore->checkpoint, restore->same_machine, err))
        return false;
    if (machine->job && is_at_boot(restore) && strcmp(machine->job, restore->job) != 0)
        machine->board->refresh_job(machine);
    return true;
}

void restore_close(struct restore *restore)
{
    if (!restore)
        return;
    checkpoint_close(restore->checkpoint);
    params_free(restore->params);
    free(restore->path);
    free(restore->name);
    free(restore->event);
    free(restore->job);
    free(restore->model);
    free(restore->copies);
    free(restore->disks);
    free(restore);
}
