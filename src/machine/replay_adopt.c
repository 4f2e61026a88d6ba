/* Compares the run to be replayed with the recorded one. */
#include "src/host/copy_files.h"
#include "src/host/replay_state.h"
#include "src/machine/recorded_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 4200 };

static bool value_of(const struct replay_machine *machine, const char *name, const char **value)
{
    for (size_t i = 0; i < machine->param_count; i++)
        if (strcmp(machine->params[i].name, name) == 0) {
            *value = machine->params[i].value;
            return true;
        }
    return false;
}

static bool differs(const struct replay_machine *machine, const char *what, const char *here, const char *recorded,
                    struct err *err)
{
    return err_set(err, "%.200s: %.40s is \"%.80s\" here, \"%.80s\" in the record", replay_path(machine->replay), what,
                   here, recorded);
}

/* Join the words of the guest's job to one line, for messages and comparison. */
static char *join(const char *const *words, size_t count)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    for (size_t i = 0; i < count; i++)
        record_put_word(out, words[i], strlen(words[i]));
    fclose(out);
    return text;
}

static bool check_command(const struct replay_machine *machine, const struct machine_options *options, struct err *err)
{
    char *here = join(options->command, (size_t)options->command_count);
    char *recorded = join(machine->words, machine->word_count);
    bool same = strcmp(here, recorded) == 0;
    if (!same)
        differs(machine, "the command", here, recorded, err);
    free(here);
    free(recorded);
    return same;
}

static bool check_param(const struct replay_machine *machine, const struct params *params, const struct param_def *def,
                        struct err *err)
{
    char here[VALUE_SIZE];
    const char *recorded;
    params_text(params, def->name, here, sizeof here);
    return (def->traits & (TRAIT_LOCATION | TRAIT_OBSERVES)) || !value_of(machine, def->name, &recorded) ||
           strcmp(here, recorded) == 0 || differs(machine, def->name, here, recorded, err);
}

/* Do the machine's name and parameters equal the recorded ones? GIVEN: compare only those set by the user. */
static bool check_params(const struct replay_machine *machine, const struct machine_options *options, bool given,
                         struct err *err)
{
    const struct param_def *def;
    if ((!given || options->described) && strcmp(options->machine_name, machine->name) != 0)
        return differs(machine, "the machine", options->machine_name, machine->name, err);
    for (size_t i = 0; (def = params_at(options->params, i)); i++)
        if ((!given || params_is_set(options->params, def->name)) && !check_param(machine, options->params, def, err))
            return false;
    return true;
}

bool replay_check(const struct replay_machine *machine, const struct machine_options *options, struct err *err)
{
    return check_params(machine, options, options->entered != NULL, err) &&
           (options->entered || check_command(machine, options, err));
}

/* Adopt the recorded parameters. A parameter set by the user is kept; the checkpoint gives the file locations of a
 * RESTORED machine. */
static bool adopt_params(const struct replay_machine *machine, struct machine_options *options, bool restored,
                         struct err *err)
{
    for (size_t i = 0; i < machine->param_count; i++) {
        const struct replay_param *param = &machine->params[i];
        struct err reason = {""};
        const struct param_def *def = params_find(options->params, param->name);
        bool here = params_is_set(options->params, param->name) || (restored && def && (def->traits & TRAIT_LOCATION));
        if (here) /* already compared by check_params() if it affects the run */
            continue;
        params_set_origin(options->params, replay_path(machine->replay));
        bool done = params_set(options->params, param->name, param->value, &reason);
        params_set_origin(options->params, NULL);
        if (!done)
            return err_set(err, "%.200s: %s", replay_path(machine->replay), reason.text);
    }
    snprintf(options->machine_name, sizeof options->machine_name, "%s", machine->name);
    return true;
}

static bool adopt_switches(const struct replay_machine *machine, struct machine_options *options, struct err *err)
{
    struct err reason = {""};
    if (options->switch_count)
        return err_set(err, "--switch: a replay has those of its record");
    for (size_t i = 0; i < machine->switch_count; i++)
        if (!machine_options_add_switch(options, machine->switches[i], &reason))
            return err_set(err, "%.200s: %s", replay_path(machine->replay), reason.text);
    return true;
}

static bool adopt_copies(const struct replay_machine *machine, struct machine_options *options, struct err *err)
{
    bool done = true;
    if (options->copy || machine->copy_in_count + machine->copy_out_count == 0)
        return true;
    if (!options->trust)
        return err_set(err, "%.200s: its copy-%s %.200s on this host: repeat it on the command line, or use --trust",
                       replay_path(machine->replay), machine->copy_in_count ? "in reads" : "out writes",
                       machine->copy_in_count ? machine->copies_in[0] : machine->copies_out[0]);
    options->copy = copy_files_create();
    for (size_t i = 0; done && i < machine->copy_in_count; i++)
        done = copy_files_add_in(options->copy, machine->copies_in[i], err);
    for (size_t i = 0; done && i < machine->copy_out_count; i++)
        done = copy_files_add_out(options->copy, machine->copies_out[i], err);
    return done;
}

static const struct replay_file *file_of(const struct replay_machine *machine, const char *role)
{
    for (size_t i = 0; i < machine->file_count; i++)
        if (strcmp(machine->files[i].role, role) == 0)
            return &machine->files[i];
    return NULL;
}

bool replay_begin(const struct replay_machine *machine, const char *path, struct machine_options *options,
                  struct err *err)
{
    const struct replay_file *checkpoint = file_of(machine, "checkpoint");
    struct file_identity identity;
    options->entered = NULL;
    if (!path)
        return !checkpoint ||
               err_set(err, "%.200s: the recorded run was restored from checkpoint %.200s: use simos restore --replay",
                       replay_path(machine->replay), checkpoint->path);
    if (!file_identity_read(&identity, INPUT_CHECKPOINT, path, err))
        return false;
    if (checkpoint && file_identity_same(&checkpoint->identity, &identity))
        return true;
    options->entered = replay_find_checkpoint(machine, &identity);
    if (!options->entered && !checkpoint)
        return err_set(err,
                       "%.200s: the recorded run neither was restored from checkpoint %.200s nor saved it; use simos "
                       "run --replay",
                       replay_path(machine->replay), path);
    return options->entered || replay_check_file(machine, "checkpoint", path, &identity, err);
}

bool replay_adopt(const struct replay_machine *machine, struct machine_options *options, const char *checkpoint,
                  double *seconds, uint64_t *insns, struct err *err)
{
    if (!replay_begin(machine, checkpoint, options, err) || !check_params(machine, options, true, err) ||
        (!options->entered && !adopt_params(machine, options, checkpoint != NULL, err)) ||
        (options->command_count != 0 && !check_command(machine, options, err)) ||
        !adopt_switches(machine, options, err) || !adopt_copies(machine, options, err))
        return false;
    /* at the checkpoint the guest has its job */
    options->command = machine->word_count && !options->entered ? machine->words : NULL;
    options->command_count = options->entered ? 0 : (int)machine->word_count;
    if (*seconds == 0)
        *seconds = machine->seconds;
    if (*insns == UINT64_MAX)
        *insns = machine->insns;
    return true;
}

bool replay_check_file(const struct replay_machine *machine, const char *role, const char *path,
                       const struct file_identity *identity, struct err *err)
{
    const struct replay_file *file = file_of(machine, role);
    if (!file)
        return err_set(err, "%.200s: the recorded run had no %.40s, here it is %.120s", replay_path(machine->replay),
                       role, path);
    const struct file_identity *recorded = &file->identity;
    if (file_identity_same(recorded, identity))
        return true;
    return err_set(err,
                   "%.150s: %.40s, %.100s, is not the recorded file: %" PRIu64
                   " bytes, sha256 %.12s...; recorded: %" PRIu64 " bytes, sha256 %.12s...",
                   replay_path(machine->replay), role, path, identity->size, identity->digest, recorded->size,
                   recorded->digest);
}
