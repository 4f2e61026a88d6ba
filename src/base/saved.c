#include "src/base/saved.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct saved {
    struct event_queue *queue;
    struct saved_section *sections;
    size_t count;
};

/* Maximum time in a file: beyond any run (years of simulated time), and low enough that a wrapping timer that catches
 * up with it does so quickly. */
#define LAST_TIME (1ull << 54)

/* Size of an event in a file: scheduled flag, time, sequence number. */
enum { EVENT_BYTES = 1 + 8 + 8, ELEMENT_MAX = EVENT_BYTES };

static const struct {
    const char *name;
    uint8_t memory, file; /* bytes of an element */
} kinds[SAVED_KINDS] = {
    [SAVED_U8] = {"u8", 1, 1},
    [SAVED_U16] = {"u16", 2, 2},
    [SAVED_U32] = {"u32", 4, 4},
    [SAVED_U64] = {"u64", 8, 8},
    [SAVED_BOOL] = {"bool", 1, 1},
    [SAVED_TIME] = {"time", 8, 8},
    [SAVED_EVENT] = {"event", sizeof(struct event), EVENT_BYTES},
};

const char *saved_kind_name(unsigned kind)
{
    return kind < SAVED_KINDS ? kinds[kind].name : "?";
}

/* Streams */

void saved_put(struct saved_out *out, const void *bytes, size_t count)
{
    out->put(out->opaque, bytes, count);
}

void saved_put_u32(struct saved_out *out, uint32_t value)
{
    saved_put(out, &value, sizeof value);
}

void saved_put_u64(struct saved_out *out, uint64_t value)
{
    saved_put(out, &value, sizeof value);
}

bool saved_get(struct saved_in *in, void *bytes, size_t count)
{
    return in->get(in->opaque, bytes, count);
}

bool saved_get_u32(struct saved_in *in, uint32_t *value)
{
    return saved_get(in, value, sizeof *value);
}

bool saved_get_u64(struct saved_in *in, uint64_t *value)
{
    return saved_get(in, value, sizeof *value);
}

/* Section list */

static const struct saved_field queue_fields[] = {
    SAVED_FIELD(struct event_queue, now, SAVED_TIME),
    /* so that the sequence number cannot overflow within a run */
    SAVED_LIMITED(struct event_queue, next_order, SAVED_U64, 1ull << 62),
};

struct saved *saved_create(struct event_queue *queue)
{
    struct saved *saved = checked_memory(calloc(1, sizeof *saved));
    saved->queue = queue;
    saved_add(saved, &(struct saved_section){.name = "events", .version = 1, SAVED_TABLE(queue_fields), .base = queue});
    return saved;
}

void saved_free(struct saved *saved)
{
    if (!saved)
        return;
    for (size_t i = 0; i < saved->count; i++)
        free((char *)(uintptr_t)saved->sections[i].name);
    free(saved->sections);
    free(saved);
}

static void check_table(const char *name, const struct saved_field *fields, size_t count)
{
    if (count > SAVED_FIELDS_MAX)
        log_bug("section %s has %zu fields", name, count);
    for (size_t i = 0; i < count; i++) {
        const struct saved_field *field = &fields[i];
        if (strlen(field->name) > SAVED_NAME_MAX || field->kind >= SAVED_KINDS || !field->count || !field->repeat)
            log_bug("section %s: field %s makes no sense", name, field->name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(fields[j].name, field->name) == 0)
                log_bug("section %s has two fields %s", name, field->name);
    }
}

void saved_add(struct saved *saved, const struct saved_section *section)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789._";
    size_t length = strlen(section->name);
    if (length == 0 || length > SAVED_NAME_MAX || strspn(section->name, allowed) != length || section->version == 0)
        log_bug("section \"%s\" has no proper name or version", section->name);
    for (size_t i = 0; i < saved->count; i++)
        if (strcmp(saved->sections[i].name, section->name) == 0)
            log_bug("two sections called %s", section->name);
    check_table(section->name, section->fields, section->field_count);
    saved->sections = checked_memory(realloc(saved->sections, (saved->count + 1) * sizeof *section));
    saved->sections[saved->count] = *section;
    saved->sections[saved->count++].name = checked_memory(strdup(section->name));
}

const struct saved_section *saved_at(const struct saved *saved, size_t index)
{
    return index < saved->count ? &saved->sections[index] : NULL;
}

/* Elements */

static uint32_t elements(const struct saved_field *field)
{
    return field->count * field->repeat;
}

/* Element INDEX of FIELD in the struct at BASE. */
static void *element_at(void *base, const struct saved_field *field, uint32_t index)
{
    return (uint8_t *)base + field->offset + (size_t)(index / field->count) * field->stride +
           (size_t)(index % field->count) * kinds[field->kind].memory;
}

static bool has_event(const struct saved *saved, const struct event *event)
{
    for (size_t s = 0; s < saved->count; s++)
        for (size_t f = 0; f < saved->sections[s].field_count; f++) {
            const struct saved_field *field = &saved->sections[s].fields[f];
            for (uint32_t i = 0; field->kind == SAVED_EVENT && i < elements(field); i++)
                if (element_at(saved->sections[s].base, field, i) == event)
                    return true;
        }
    return false;
}

bool saved_check_events(const struct saved *saved, struct err *err)
{
    for (int i = 0; i < saved->queue->count; i++)
        if (!has_event(saved, saved->queue->heap[i]))
            return err_set(err, "\"%s\" is scheduled, but its owner cannot be saved", saved->queue->heap[i]->name);
    return true;
}

/* Writing */

static void put_element(const struct saved_field *field, const void *element, struct saved_out *out)
{
    if (field->kind != SAVED_EVENT) {
        saved_put(out, element, kinds[field->kind].file);
        return;
    }
    const struct event *event = element;
    uint8_t scheduled = event_is_scheduled(event);
    saved_put(out, &scheduled, 1);
    saved_put_u64(out, scheduled ? event->when : 0);
    saved_put_u64(out, scheduled ? event->order : 0);
}

static void put_table(const struct saved_field *fields, size_t count, struct saved_out *out)
{
    saved_put_u32(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        const struct saved_field *field = &fields[i];
        uint8_t length = (uint8_t)strlen(field->name), kind = (uint8_t)field->kind;
        saved_put(out, &length, 1);
        saved_put(out, field->name, length);
        saved_put(out, &kind, 1);
        saved_put_u32(out, elements(field));
    }
}

static void put_fields(const struct saved_field *fields, size_t count, void *base, struct saved_out *out)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < elements(&fields[i]); j++)
            put_element(&fields[i], element_at(base, &fields[i], j), out);
}

void saved_write(const struct saved_section *section, struct saved_out *out)
{
    put_table(section->fields, section->field_count, out);
    put_fields(section->fields, section->field_count, section->base, out);
    if (section->ops && section->ops->write)
        section->ops->write(section->base, out);
}

static void check_array(const struct saved_array *array)
{
    check_table("of an array", array->fields, array->field_count);
    for (size_t i = 0; i < array->field_count; i++)
        if (array->fields[i].kind == SAVED_TIME || array->fields[i].kind == SAVED_EVENT)
            log_bug("an array of field %s, which is no number", array->fields[i].name);
}

void saved_put_array(struct saved_out *out, const struct saved_array *array)
{
    check_array(array);
    put_table(array->fields, array->field_count, out);
    saved_put_u32(out, array->count);
    for (uint32_t i = 0; i < array->count; i++)
        put_fields(array->fields, array->field_count, (uint8_t *)array->base + i * array->size, out);
}

/* Reading */

/* Convert TIME from the saved machine's clock to this machine's: rounded up, so that no time decreases. */
static bool convert_time(const struct saved *saved, const struct saved_terms *terms, uint64_t *time)
{
    if (*time == CYCLES_NEVER)
        return true;
    if (terms->clock_hz == saved->queue->clock_hz)
        return *time <= LAST_TIME;
    wide converted = ((wide)*time * saved->queue->clock_hz + terms->clock_hz - 1) / terms->clock_hz;
    *time = (uint64_t)converted;
    return converted <= LAST_TIME;
}

static bool load_event(struct saved *saved, const struct saved_field *field, struct event *event, const uint8_t *bytes,
                       const struct saved_terms *terms, struct err *err)
{
    uint64_t when, order;
    memcpy(&when, bytes + 1, sizeof when);
    memcpy(&order, bytes + 9, sizeof order);
    event_cancel(saved->queue, event);
    if (bytes[0] == 0)
        return true;
    if (bytes[0] != 1 || !event->fire || !convert_time(saved, terms, &when) ||
        !event_restore(saved->queue, event, when, order))
        return err_set(err, "field %s: invalid event", field->name);
    return true;
}

static bool load_element(struct saved *saved, const struct saved_field *field, void *element, const uint8_t *bytes,
                         const struct saved_terms *terms, struct err *err)
{
    uint64_t value = 0, most = field->kind == SAVED_BOOL ? 1 : field->max;
    if (field->kind == SAVED_EVENT)
        return load_event(saved, field, element, bytes, terms, err);
    memcpy(&value, bytes, kinds[field->kind].file); /* little-endian, as the host (src/memory/physmem.c) */
    if (field->kind == SAVED_TIME && !convert_time(saved, terms, &value))
        return err_set(err, "field %s: time out of range", field->name);
    if (most && value > most)
        return err_set(err, "field %s is %llu; at most %llu", field->name, (unsigned long long)value,
                       (unsigned long long)most);
    if (!field->statistic || terms->same_machine)
        memcpy(element, &value, kinds[field->kind].memory);
    return true;
}

static const struct saved_field *find_field(const struct saved_field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

/* A row of the file's table: our field, and how many of its elements the file has. */
struct row {
    const struct saved_field *field;
    uint32_t elements;
};

/* Read a row of the file's table and find its field in FIELDS. OLDER: the file has an earlier version of the section,
 * whose arrays may have been shorter. */
static struct row get_row(const struct saved_field *fields, size_t field_count, bool older, struct saved_in *in,
                          struct err *err)
{
    uint8_t length, kind;
    uint32_t count;
    char name[SAVED_NAME_MAX + 1] = "";
    if (!saved_get(in, &length, 1))
        return (struct row){NULL};
    if (length > SAVED_NAME_MAX) {
        err_set(err, "the name of a field has %u characters", length);
        return (struct row){NULL};
    }
    if (!saved_get(in, name, length) || !saved_get(in, &kind, 1) || !saved_get_u32(in, &count))
        return (struct row){NULL};
    const struct saved_field *field = find_field(fields, field_count, name);
    if (!field)
        err_set(err, "this version does not know its field \"%s\"", name);
    else if (field->kind != kind || (older ? count > elements(field) : count != elements(field))) {
        err_set(err, "field %s is %u of %s, not %u of %s", name, count, saved_kind_name(kind), elements(field),
                saved_kind_name(field->kind));
        return (struct row){NULL};
    }
    return (struct row){field, count};
}

/* Read the file's table: set TABLE to our FIELDS in the file's order. Every field must occur exactly once. */
static bool get_table(const struct saved_field *fields, size_t field_count, bool older, struct saved_in *in,
                      struct row *table, struct err *err)
{
    uint32_t count;
    if (!saved_get_u32(in, &count))
        return false;
    if (count > SAVED_FIELDS_MAX)
        return err_set(err, "%u fields; at most %d", count, SAVED_FIELDS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        table[i] = get_row(fields, field_count, older, in, err);
        if (!table[i].field)
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (table[j].field == table[i].field)
                return err_set(err, "field %s occurs twice", table[i].field->name);
    }
    for (size_t i = 0; i < field_count && count < field_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < count; j++)
            found |= table[j].field == &fields[i];
        if (!found)
            return err_set(err, "field %s is missing", fields[i].name);
    }
    return true;
}

/* Read the COUNT fields of TABLE, in this order, into the struct at BASE. */
static bool get_fields(struct saved *saved, const struct row *table, size_t count, void *base, struct saved_in *in,
                       const struct saved_terms *terms, struct err *err)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < table[i].elements; j++) {
            const struct saved_field *field = table[i].field;
            uint8_t bytes[ELEMENT_MAX];
            if (!saved_get(in, bytes, kinds[field->kind].file) ||
                !load_element(saved, field, element_at(base, field, j), bytes, terms, err))
                return false;
        }
    return true;
}

bool saved_read(struct saved *saved, const struct saved_section *section, struct saved_in *in,
                const struct saved_terms *terms, struct err *err)
{
    struct row table[SAVED_FIELDS_MAX];
    const bool older = in->version > 0 && in->version < section->version;
    return get_table(section->fields, section->field_count, older, in, table, err) &&
           get_fields(saved, table, section->field_count, section->base, in, terms, err) &&
           (!section->ops || !section->ops->read || section->ops->read(section->base, in, err));
}

bool saved_get_array(struct saved_in *in, const struct saved_array *array, uint32_t *count, struct err *err)
{
    static const struct saved_terms terms = {.same_machine = true};
    struct row table[SAVED_FIELDS_MAX];
    uint32_t number;
    check_array(array);
    if (!get_table(array->fields, array->field_count, false, in, table, err) || !saved_get_u32(in, &number))
        return false;
    if (number > array->count || (count == NULL && number != array->count))
        return err_set(err, "%u times field %s; this machine has %u", number, array->fields[0].name, array->count);
    for (uint32_t i = 0; i < number; i++)
        if (!get_fields(NULL, table, array->field_count, (uint8_t *)array->base + i * array->size, in, &terms, err))
            return false;
    if (count != NULL)
        *count = number;
    return true;
}

/* Cancel the events that the new machine has scheduled. */
void saved_load_begin(struct saved *saved)
{
    while (saved->queue->count)
        event_cancel(saved->queue, saved->queue->heap[0]);
}

bool saved_load_end(struct saved *saved, const struct saved_terms *terms, struct err *err)
{
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_section *section = &saved->sections[i];
        struct err reason = {""};
        bool loaded = !section->timing || terms->same_machine;
        if (loaded && section->ops && section->ops->after_load && !section->ops->after_load(section->base, &reason))
            return err_set(err, "section %s: %s", section->name, reason.text);
    }
    return true;
}
