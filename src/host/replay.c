#include "src/host/replay.h"

#include "src/base/array.h"
#include "src/host/replay_state.h"
#include "src/base/input_file.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKSUM_LENGTH = sizeof " ~01234567" - 1 };

struct replay {
    char *path;
    char *text;
    size_t length;
    struct replay_machine *machines;
    size_t machine_count;
    size_t next;
};

/* A line being parsed. */
struct line {
    struct replay *replay;
    struct replay_machine *machine; /* NULL: no machine yet */
    unsigned long number;
    char *at, *end; /* the part not yet parsed */
};

/* Words */

/* Take a text: a word without NUL bytes. */
static bool take_text(struct line *line, const char **text)
{
    size_t count;
    *text = record_take_word(&line->at, line->end, &count);
    return *text && strlen(*text) == count;
}

static bool take_choice(struct line *line, const char *const *names, unsigned count, unsigned *choice)
{
    const char *word;
    if (!take_text(line, &word))
        return false;
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(names[*choice], word) == 0)
            return true;
    return false;
}

/* Line types: each function parses its words; false if they are invalid */

static bool take_param(struct line *line)
{
    struct replay_machine *machine = line->machine;
    struct replay_param param;
    if (!take_text(line, &param.name) || !take_text(line, &param.value))
        return false;
    machine->params = array_room(machine->params, machine->param_count, sizeof param);
    machine->params[machine->param_count++] = param;
    return true;
}

static bool take_listed(struct line *line, const char ***list, size_t *count)
{
    const char *text;
    if (!take_text(line, &text))
        return false;
    *list = array_room(*list, *count, sizeof text);
    (*list)[(*count)++] = text;
    return true;
}

static bool take_word(struct line *line)
{
    return take_listed(line, &line->machine->words, &line->machine->word_count);
}

static bool take_switch(struct line *line)
{
    return take_listed(line, &line->machine->switches, &line->machine->switch_count);
}

static bool take_copy_in(struct line *line)
{
    return take_listed(line, &line->machine->copies_in, &line->machine->copy_in_count);
}

static bool take_copy_out(struct line *line)
{
    return take_listed(line, &line->machine->copies_out, &line->machine->copy_out_count);
}

static bool take_seconds(struct line *line)
{
    const char *text;
    char *end;
    if (!take_text(line, &text))
        return false;
    line->machine->seconds = strtod(text, &end);
    return end != text && !*end && isfinite(line->machine->seconds) && line->machine->seconds > 0 &&
           line->machine->seconds <= 1e9;
}

static bool take_insns(struct line *line)
{
    return record_take_number(&line->at, line->end, &line->machine->insns) && line->machine->insns > 0;
}

static bool take_identity(struct line *line, struct file_identity *identity)
{
    const char *digest;
    if (!record_take_number(&line->at, line->end, &identity->size) || !take_text(line, &digest) ||
        strlen(digest) != DIGEST_DIGITS)
        return false;
    snprintf(identity->digest, sizeof identity->digest, "%s", digest);
    return true;
}

static bool take_file(struct line *line)
{
    struct replay_machine *machine = line->machine;
    struct replay_file file;
    if (!take_text(line, &file.role) || !take_identity(line, &file.identity) || !take_text(line, &file.path))
        return false;
    machine->files = array_room(machine->files, machine->file_count, sizeof file);
    machine->files[machine->file_count++] = file;
    return true;
}

static bool take_position(struct line *line, struct record_position *position)
{
    unsigned place;
    if (!record_take_number(&line->at, line->end, &position->time) ||
        !record_take_number(&line->at, line->end, &position->insns) ||
        !take_choice(line, input_point_names, INPUT_POINTS, &place))
        return false;
    position->place = (enum input_point)place;
    return true;
}

static bool take_event(struct line *line, enum replay_kind kind)
{
    struct replay_machine *machine = line->machine;
    struct replay_event event = {.kind = kind};
    uint64_t reason = 0;
    if (!take_position(line, &event.position))
        return false;
    if (kind == REPLAY_INPUT &&
        (!take_text(line, &event.source) || !(event.bytes = record_take_word(&line->at, line->end, &event.count))))
        return false;
    if (kind == REPLAY_STOP && (!record_take_number(&line->at, line->end, &reason) || reason > 127))
        return false;
    event.reason = (unsigned)reason;
    if (machine->event_count) {
        const struct record_position *last = &machine->events[machine->event_count - 1].position;
        if (event.position.time < last->time || event.position.insns < last->insns)
            return false;
    }
    machine->events = array_room(machine->events, machine->event_count, sizeof event);
    machine->events[machine->event_count++] = event;
    machine->ended = kind == REPLAY_END;
    return true;
}

static bool take_checkpoint(struct line *line)
{
    struct replay_machine *machine = line->machine;
    struct replay_checkpoint checkpoint = {.next = machine->event_count};
    const struct replay_checkpoint *last =
        machine->checkpoint_count ? &machine->checkpoints[machine->checkpoint_count - 1] : NULL;
    bool good = take_position(line, &checkpoint.position) && take_identity(line, &checkpoint.identity) &&
                take_text(line, &checkpoint.path) && line->at < line->end &&
                (!last || (checkpoint.position.time >= last->position.time &&
                           checkpoint.position.insns >= last->position.insns));
    while (good && line->at < line->end) {
        checkpoint.cpu_insns = array_room(checkpoint.cpu_insns, checkpoint.cpus, sizeof *checkpoint.cpu_insns);
        good = record_take_number(&line->at, line->end, &checkpoint.cpu_insns[checkpoint.cpus++]);
    }
    machine->checkpoints = array_room(machine->checkpoints, machine->checkpoint_count, sizeof checkpoint);
    machine->checkpoints[machine->checkpoint_count++] = checkpoint;
    return good;
}

static bool take_input(struct line *line)
{
    return take_event(line, REPLAY_INPUT);
}

static bool take_stop(struct line *line)
{
    return take_event(line, REPLAY_STOP);
}

static bool take_time(struct line *line)
{
    return take_event(line, REPLAY_TIME);
}

static bool take_end(struct line *line)
{
    return take_event(line, REPLAY_END);
}

static bool take_machine(struct line *line)
{
    struct replay *replay = line->replay;
    struct replay_machine machine = {.replay = replay, .insns = UINT64_MAX};
    if (!take_text(line, &machine.name))
        return false;
    replay->machines = array_room(replay->machines, replay->machine_count, sizeof machine);
    line->machine = &replay->machines[replay->machine_count++];
    *line->machine = machine;
    return true;
}

static bool take_line(struct line *line)
{
    static const struct {
        const char *name;
        bool (*take)(struct line *line);
    } kinds[] = {
        {"param", take_param},
        {"word", take_word},
        {"switch", take_switch},
        {"seconds", take_seconds},
        {"insns", take_insns},
        {"file", take_file},
        {"in", take_input},
        {"stop", take_stop},
        {"time", take_time},
        {"end", take_end},
        {"copy-in", take_copy_in},
        {"copy-out", take_copy_out},
        {"checkpoint", take_checkpoint},
    };
    const char *kind;
    if (!take_text(line, &kind))
        return false;
    if (strcmp(kind, "machine") == 0)
        return take_machine(line) && line->at == line->end;
    if (!line->machine || line->machine->ended)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].take(line) && line->at == line->end;
    return false;
}

/* File */

/* Check the line from START to END against its CHECKSUM, continued from the preceding lines. If it matches, LINE->end
 * is set to the end of its words. */
static bool check_line(struct line *line, char *start, char *end, uint32_t *checksum)
{
    char expected[CHECKSUM_LENGTH + 1];
    if (end - start <= CHECKSUM_LENGTH)
        return false;
    line->end = end - CHECKSUM_LENGTH;
    *checksum = record_checksum(*checksum, start, (size_t)(line->end - start));
    snprintf(expected, sizeof expected, " ~%08" PRIx32, *checksum);
    return memcmp(expected, line->end, CHECKSUM_LENGTH) == 0;
}

static bool check_first_line(struct replay *replay, char *end, struct err *err)
{
    const size_t name_length = sizeof RECORD_FIRST_LINE - 1;
    uint64_t version = 0;
    char *at = replay->text + name_length + 1, *stop;
    if (!end || (size_t)(end - replay->text) <= name_length ||
        memcmp(replay->text, RECORD_FIRST_LINE " ", name_length + 1) != 0)
        return err_set(err, "%s: no record of a run", replay->path);
    version = strtoull(at, &stop, 10);
    if (stop == at || (*stop != ' ' && *stop != '\n'))
        return err_set(err, "%s: no record of a run", replay->path);
    if (version < 1 || version > RECORD_VERSION)
        return err_set(err, "%s: a record of version %" PRIu64 "; this simos reads versions 1 to %d", replay->path,
                       version, RECORD_VERSION);
    return true;
}

static bool parse(struct replay *replay, struct err *err)
{
    struct line line = {.replay = replay};
    uint32_t checksum = 0;
    char *start = replay->text, *stop = start + replay->length, *end;
    if (!check_first_line(replay, memchr(start, '\n', replay->length), err))
        return false;
    for (; (end = memchr(start, '\n', (size_t)(stop - start))); start = end + 1) {
        line.number++;
        line.at = start;
        if (!check_line(&line, start, end, &checksum))
            return err_set(err, "%s, line %lu: damaged (its checksum does not fit)", replay->path, line.number);
        if (line.number > 1 && !take_line(&line))
            return err_set(err, "%s, line %lu: not understood", replay->path, line.number);
    }
    if (replay->machine_count == 0)
        return err_set(err, "%s: the record is truncated before the run begins", replay->path);
    return true;
}

struct replay *replay_open(const char *path, struct err *err)
{
    size_t length;
    char *text = input_file_read(INPUT_RECORD, path, &length, err);
    if (!text)
        return NULL;
    struct replay *replay = checked_memory(calloc(1, sizeof *replay));
    replay->path = checked_memory(strdup(path));
    replay->text = text;
    replay->length = length;
    if (parse(replay, err))
        return replay;
    replay_free(replay);
    return NULL;
}

void replay_free(struct replay *replay)
{
    if (!replay)
        return;
    for (size_t i = 0; i < replay->machine_count; i++) {
        struct replay_machine *machine = &replay->machines[i];
        free(machine->params);
        free(machine->words);
        free(machine->switches);
        free(machine->copies_in);
        free(machine->copies_out);
        free(machine->files);
        free(machine->events);
        for (size_t k = 0; k < machine->checkpoint_count; k++)
            free(machine->checkpoints[k].cpu_insns);
        free(machine->checkpoints);
    }
    free(replay->machines);
    free(replay->text);
    free(replay->path);
    free(replay);
}

const char *replay_path(const struct replay *replay)
{
    return replay->path;
}

const struct replay_machine *replay_peek(struct replay *replay, struct err *err)
{
    if (replay->next < replay->machine_count)
        return &replay->machines[replay->next];
    err_set(err, "%s: the record has no other machine", replay->path);
    return NULL;
}

const struct replay_machine *replay_next(struct replay *replay, struct err *err)
{
    const struct replay_machine *machine = replay_peek(replay, err);
    if (machine)
        replay->next++;
    return machine;
}

void replay_rewind(struct replay *replay)
{
    replay->next = 0;
}

const struct replay_checkpoint *replay_checkpoint(const struct replay_machine *machine, size_t index)
{
    return index < machine->checkpoint_count ? &machine->checkpoints[index] : NULL;
}

const struct replay_checkpoint *replay_find_checkpoint(const struct replay_machine *machine,
                                                       const struct file_identity *identity)
{
    for (size_t i = 0; i < machine->checkpoint_count; i++)
        if (file_identity_same(&machine->checkpoints[i].identity, identity))
            return &machine->checkpoints[i];
    return NULL;
}

struct record_position replay_end(const struct replay_machine *machine)
{
    const struct record_position nothing = {0, 0, INPUT_AT_POLL};
    const struct replay_event *event = machine->event_count ? &machine->events[machine->event_count - 1] : NULL;
    const struct replay_checkpoint *checkpoint =
        machine->checkpoint_count ? &machine->checkpoints[machine->checkpoint_count - 1] : NULL;
    if (checkpoint && checkpoint->next == machine->event_count) /* it is behind the last event */
        return checkpoint->position;
    return event ? event->position : nothing;
}

size_t replay_files(const struct replay_machine *machine)
{
    return machine->file_count;
}

const struct replay_event *replay_event(const struct replay_machine *machine, size_t index)
{
    return index < machine->event_count ? &machine->events[index] : NULL;
}
