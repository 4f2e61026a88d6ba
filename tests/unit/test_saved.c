/*
 * Saved sections (src/base/saved.h): tables, events and the conversion of times.
 */
#include <stdio.h>
#include "tests/unit/test.h"
#include "checkpoint_fixture.h"
#include "tests/unit/tape.h"

static const struct saved_section *section_called(const struct toy *toy, const char *name)
{
    for (size_t i = 0; saved_at(toy->saved, i); i++)
        if (strcmp(saved_at(toy->saved, i)->name, name) == 0)
            return saved_at(toy->saved, i);
    return NULL;
}

static void record(const struct toy *toy, const char *name, struct record_options *tape)
{
    struct saved_out out = {.put = tape_put, .opaque = tape};
    tape->size = 0;
    saved_write(section_called(toy, name), &out);
}

static bool play(struct toy *toy, const char *name, struct record_options *tape, struct err *err)
{
    const struct saved_terms terms = {.same_machine = true, .clock_hz = TOY_HZ};
    struct saved_in in = {.get = tape_get, .opaque = tape};
    tape->at = 0;
    return saved_read(toy->saved, section_called(toy, name), &in, &terms, err);
}

/* Copy queue and device of A to B. */
static bool copy_events(struct toy *a, struct toy *b, struct err *err)
{
    struct record_options queue = {0}, device = {0};
    record(a, "events", &queue);
    record(a, "toy.device", &device);
    saved_load_begin(b->saved);
    bool done = play(b, "events", &queue, err) && play(b, "toy.device", &device, err) &&
                saved_load_end(b->saved, &(struct saved_terms){.same_machine = true, .clock_hz = TOY_HZ}, err);
    tape_release(&queue);
    tape_release(&device);
    return done;
}

static void every_kind_comes_back(void **state)
{
    (void)state;
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(TOY_HZ);
    struct err err = {""};
    toy_live(a);
    assert_true(copy_events(a, b, &err));
    assert_int_equal(b->device.byte, 0xa5);
    assert_int_equal(b->device.half[2], (uint16_t)(0x1234 * 3));
    assert_int_equal(b->device.lines[3].map[2], 111);
    assert_true(b->device.lines[2].level && !b->device.lines[3].level);
    assert_int_equal(b->device.since, 777);
    assert_int_equal(b->device.interrupts, 42);
    assert_int_equal(b->device.derived, 16);
    toy_free(a);
    toy_free(b);
}

static int fired[4], fired_count;

static void note_fired(void *opaque)
{
    fired[fired_count++] = *(int *)opaque;
}

/* Of two events at the same time the one scheduled first fires first, also after a restore in which the other one's
 * owner is restored first; events scheduled afterwards fire after both. */
static void events_keep_their_order(void **state)
{
    (void)state;
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(TOY_HZ);
    static int names[3] = {0, 1, 2};
    struct err err = {""};
    toy_live(a); /* event 2 before event 0, both at 5000 */
    for (int i = 0; i < 3; i++)
        event_init(&b->device.event[i], "toy", note_fired, &names[i]);
    /* this event, scheduled at creation, must be dropped by the restore */
    event_schedule(b->queue, &b->device.event[1], 3);
    assert_true(copy_events(a, b, &err));
    assert_int_equal(b->queue->count, 2);
    assert_int_equal(b->queue->now, 1000);
    event_schedule(b->queue, &b->device.event[1], 5000);
    fired_count = 0;
    event_queue_run(b->queue, 4999);
    assert_int_equal(fired_count, 0);
    event_queue_run(b->queue, 5000);
    assert_int_equal(fired_count, 3);
    assert_true(fired[0] == 2 && fired[1] == 0 && fired[2] == 1);
    toy_free(a);
    toy_free(b);
}

static void an_event_that_cannot_be_is_refused(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ);
    struct event *event = toy->device.event;
    toy->queue->now = 100;
    toy->queue->next_order = 7;
    assert_false(event_restore(toy->queue, &event[0], 99, 0));
    assert_false(event_restore(toy->queue, &event[0], CYCLES_NEVER, 0));
    assert_false(event_restore(toy->queue, &event[0], 100, 7));
    assert_true(event_restore(toy->queue, &event[0], 100, 6));
    assert_false(event_restore(toy->queue, &event[0], 200, 5)); /* already scheduled */
    assert_false(event_restore(toy->queue, &event[1], 200, 6)); /* sequence number in use */
    assert_true(event_restore(toy->queue, &event[1], 100, 5));
    assert_int_equal(toy->queue->next_order, 7);
    toy_free(toy);
}

static void an_event_that_nobody_saves_is_named(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ);
    struct event stray;
    struct err err = {""};
    event_init(&stray, "stray", toy_fire, toy);
    toy_live(toy);
    assert_true(saved_check_events(toy->saved, &err));
    event_schedule(toy->queue, &stray, 1);
    assert_false(saved_check_events(toy->saved, &err));
    assert_non_null(strstr(err.text, "\"stray\""));
    event_cancel(toy->queue, &stray);
    toy_free(toy);
}

/* Every truncation of every section is rejected without reading beyond it. */
static void what_is_cut_is_refused(void **state)
{
    (void)state;
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(TOY_HZ);
    struct record_options tape = {0};
    toy_live(a);
    for (size_t i = 0; saved_at(a->saved, i); i++) {
        const char *name = saved_at(a->saved, i)->name;
        if (strcmp(name, "memory") == 0)
            continue;
        record(a, name, &tape);
        for (size_t whole = tape.size, cut = 0; cut < whole; cut++) {
            struct err err = {""};
            tape.size = cut;
            saved_load_begin(b->saved);
            b->queue->next_order = 100;
            assert_false(play(b, name, &tape, &err));
        }
    }
    tape_release(&tape);
    toy_free(a);
    toy_free(b);
}

/* Write the table of a section with one field, as a version with another field would. */
static void put_row(struct record_options *tape, uint32_t rows, const char *name, uint8_t kind, uint32_t count)
{
    struct saved_out out = {.put = tape_put, .opaque = tape};
    uint8_t length = (uint8_t)strlen(name);
    if (tape->size == 0)
        saved_put_u32(&out, rows);
    saved_put(&out, &length, 1);
    saved_put(&out, name, length);
    saved_put(&out, &kind, 1);
    saved_put_u32(&out, count);
}

/* An earlier version of a section may have shorter arrays, whose other elements stay as they are. */
static void arrays_of_earlier_versions_may_be_shorter(void **state)
{
    (void)state;
    const struct saved_terms terms = {.same_machine = true, .clock_hz = TOY_HZ};
    struct toy *toy = toy_create(TOY_HZ);
    struct saved_section section = *section_called(toy, "toy.tags");
    struct record_options tape = {0};
    struct saved_out out = {.put = tape_put, .opaque = &tape};
    section.version = 3;
    section.oldest = 2;
    put_row(&tape, 1, "tags", SAVED_U32, 2);
    saved_put_u32(&out, 1996);
    saved_put_u32(&out, 1998);
    toy->tags[2] = 7;
    for (uint32_t version = 2; version <= 3; version++) {
        struct err err = {""};
        struct saved_in in = {.get = tape_get, .opaque = &tape, .version = version};
        tape.at = 0;
        assert_int_equal(saved_read(toy->saved, &section, &in, &terms, &err), version == 2);
        assert_string_equal(err.text, version == 2 ? "" : "field tags is 2 of u32, not 16 of u32");
        assert_true(toy->tags[0] == 1996 && toy->tags[1] == 1998 && toy->tags[2] == 7);
    }
    tape.size = 0;
    put_row(&tape, 1, "tags", SAVED_U32, 17);
    struct err err = {""};
    struct saved_in in = {.get = tape_get, .opaque = &tape, .version = 2};
    tape.at = 0;
    assert_false(saved_read(toy->saved, &section, &in, &terms, &err));
    tape_release(&tape);
    toy_free(toy);
}

static void refuses(struct toy *toy, struct record_options *tape, const char *why)
{
    struct err err = {""};
    assert_false(play(toy, "toy.tags", tape, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: not \"%s\"", err.text, why);
}

static void tables_must_agree(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ);
    struct record_options tape = {0};
    struct saved_out out = {.put = tape_put, .opaque = &tape};
    put_row(&tape, 1, "tags", SAVED_U32, 15);
    refuses(toy, &tape, "field tags is 15 of u32, not 16 of u32");
    tape.size = 0;
    put_row(&tape, 1, "tags", SAVED_U16, 16);
    refuses(toy, &tape, "field tags is 16 of u16, not 16 of u32");
    tape.size = 0;
    put_row(&tape, 1, "colours", SAVED_U32, 16);
    refuses(toy, &tape, "does not know its field \"colours\"");
    tape.size = 0;
    put_row(&tape, 2, "tags", SAVED_U32, 16);
    put_row(&tape, 2, "tags", SAVED_U32, 16);
    refuses(toy, &tape, "twice");
    tape.size = 0;
    saved_put_u32(&out, 0);
    refuses(toy, &tape, "field tags is missing");
    memset(tape.bytes, 0xff, 4);
    refuses(toy, &tape, "fields; at most");
    tape_release(&tape);
    toy_free(toy);
}

static void values_have_limits(void **state)
{
    (void)state;
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(TOY_HZ);
    struct err limited = {""}, not_bool = {""}, senseless = {""};
    toy_live(a);
    a->device.index = 16;
    assert_false(copy_events(a, b, &limited));
    assert_non_null(strstr(limited.text, "field index is 16; at most 15"));
    a->device.index = 1;
    *(uint8_t *)&a->device.flag = 2;
    assert_false(copy_events(a, b, &not_bool));
    assert_non_null(strstr(not_bool.text, "field flag is 2; at most 1"));
    a->device.flag = true;
    a->device.wide[0] = 13;
    assert_false(copy_events(a, b, &senseless));
    assert_string_equal(senseless.text, "section toy.device: thirteen makes no sense");
    toy_free(a);
    toy_free(b);
}

/* From 200 to 500 MHz: times become 2.5 times as many cycles, rounded up; statistics and timing state are not
 * restored. */
static void another_clock_has_other_times(void **state)
{
    (void)state;
    const struct saved_terms terms = {.same_machine = false, .clock_hz = TOY_HZ};
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(500000000);
    struct record_options queue = {0}, device = {0};
    struct saved_in in = {.get = tape_get, .opaque = &queue}, more = {.get = tape_get, .opaque = &device};
    struct err err = {""};
    toy_live(a);
    a->device.since = CYCLES_NEVER;
    record(a, "events", &queue);
    record(a, "toy.device", &device);
    saved_load_begin(b->saved);
    assert_true(saved_read(b->saved, section_called(b, "events"), &in, &terms, &err));
    assert_true(saved_read(b->saved, section_called(b, "toy.device"), &more, &terms, &err));
    assert_int_equal(b->queue->now, 2500);
    assert_int_equal(b->device.event[0].when, 12500);
    assert_true(b->device.since == CYCLES_NEVER);
    assert_int_equal(b->device.interrupts, 0);
    assert_int_equal(b->device.index, 15);
    a->queue->now = CYCLES_NEVER / 2; /* 2.5 times this exceeds 64 bits */
    record(a, "events", &queue);
    queue.at = 0;
    assert_false(saved_read(b->saved, section_called(b, "events"), &in, &terms, &err));
    tape_release(&queue);
    tape_release(&device);
    toy_free(a);
    toy_free(b);
}

/* Structs whose number is known when they are saved: the table once, then the number and the structs. */
struct item {
    uint16_t half;
    uint64_t hidden;
    uint32_t words[2];
};
static const struct saved_field item_fields[] = {
    SAVED_LIMITED(struct item, half, SAVED_U16, 999),
    SAVED_FIELD(struct item, words, SAVED_U32),
};

static void arrays_come_back(void **state)
{
    (void)state;
    struct item items[3] = {{1, 7, {2, 3}}, {4, 7, {5, 6}}, {7, 7, {8, 9}}}, loaded[4];
    uint8_t bytes[2] = {3, 250}, loaded_bytes[2];
    static const struct saved_field byte_fields[] = {SAVED_NUMBER("byte", SAVED_U8, 250)};
    struct record_options tape = {0};
    struct saved_out out = {.put = tape_put, .opaque = &tape};
    struct saved_in in = {.get = tape_get, .opaque = &tape};
    struct saved_array array = {SAVED_TABLE(item_fields), items, sizeof *items, 3};
    struct saved_array room = {SAVED_TABLE(item_fields), loaded, sizeof *loaded, 4};
    struct saved_array number = {SAVED_TABLE(byte_fields), bytes, 1, 2};
    struct err err = {""};
    uint32_t count;
    saved_put_array(&out, &array);
    saved_put_array(&out, &number);
    memset(loaded, 0xee, sizeof loaded);
    assert_true(saved_get_array(&in, &room, &count, &err));
    assert_int_equal(count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(loaded[i].half, items[i].half);
        assert_memory_equal(loaded[i].words, items[i].words, sizeof items[i].words);
        assert_true(loaded[i].hidden == 0xeeeeeeeeeeeeeeee); /* no field of the table */
    }
    number.base = loaded_bytes;
    assert_true(saved_get_array(&in, &number, NULL, &err));
    assert_memory_equal(bytes, loaded_bytes, 2);
    assert_int_equal(tape.at, tape.size);

    tape.at = 0;
    assert_false(saved_get_array(&in, &room, NULL, &err)); /* four are wanted */
    assert_string_equal(err.text, "3 times field half; this machine has 4");
    tape.at = 0;
    room.count = 2;
    assert_false(saved_get_array(&in, &room, &count, &err));
    items[1].half = 1000;
    tape.size = tape.at = 0;
    room.count = 4;
    err.text[0] = 0;
    saved_put_array(&out, &array);
    assert_false(saved_get_array(&in, &room, &count, &err));
    assert_string_equal(err.text, "field half is 1000; at most 999");
    items[1].half = 4;
    for (size_t size = 0; size < 59; size++) { /* cut */
        struct record_options whole = {0};
        struct saved_out to_whole = {.put = tape_put, .opaque = &whole};
        struct saved_in from = {.get = tape_get, .opaque = &whole};
        saved_put_array(&to_whole, &array);
        assert_true(size < whole.size);
        whole.size = size;
        assert_false(saved_get_array(&from, &room, &count, &err));
        tape_release(&whole);
    }
    tape_release(&tape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_comes_back),
        cmocka_unit_test(events_keep_their_order),
        cmocka_unit_test(an_event_that_cannot_be_is_refused),
        cmocka_unit_test(an_event_that_nobody_saves_is_named),
        cmocka_unit_test(what_is_cut_is_refused),
        cmocka_unit_test(tables_must_agree),
        cmocka_unit_test(arrays_of_earlier_versions_may_be_shorter),
        cmocka_unit_test(values_have_limits),
        cmocka_unit_test(another_clock_has_other_times),
        cmocka_unit_test(arrays_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
