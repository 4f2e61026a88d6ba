/*
 * The checkpoint file format (docs/how-to/checkpoints.md): saved state is restored exactly; any other file is rejected
 * with a message that names the position and the error.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "checkpoint_fixture.h"
#include "checkpoint_mutate.h"

enum { MUTATIONS = 2000 };

static char folder[64], path[96];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/simos-checkpoint-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/toy.ckpt", folder);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void saved_toy(void)
{
    struct toy *toy = toy_create(TOY_HZ);
    struct err err = {""};
    toy_live(toy);
    if (!toy_save(toy, path, &err))
        fail_msg("%s", err.text);
    toy_free(toy);
}

static void what_goes_in_comes_out(void **state)
{
    (void)state;
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(TOY_HZ);
    struct err err = {""};
    toy_live(a);
    assert_true(toy_save(a, path, &err));
    assert_true(toy_load(b, path, true, TOY_HZ, &err));
    assert_true(toy_is_same(a, b));
    assert_int_equal(b->device.interrupts, 42);
    assert_memory_equal(a->tags, b->tags, sizeof a->tags);
    toy_free(a);
    toy_free(b);
}

static void another_machine_starts_cold(void **state)
{
    (void)state;
    struct toy *a = toy_create(TOY_HZ), *b = toy_create(TOY_HZ);
    struct err err = {""};
    toy_live(a);
    assert_true(toy_save(a, path, &err));
    assert_true(toy_load(b, path, false, TOY_HZ, &err));
    assert_true(toy_is_same(a, b));
    assert_int_equal(b->device.interrupts, 0);
    assert_int_equal(b->tags[3], 0);
    toy_free(a);
    toy_free(b);
}

/* The same machine gives the same file, and so does a restored one. */
static void files_are_determined(void **state)
{
    (void)state;
    char again[112];
    struct toy *b = toy_create(TOY_HZ);
    struct bytes first = {NULL, 0}, second = {NULL, 0};
    struct err err = {""};
    snprintf(again, sizeof again, "%s.again", path);
    saved_toy();
    assert_true(toy_load(b, path, true, TOY_HZ, &err));
    assert_true(toy_save(b, again, &err));
    assert_true(bytes_read(&first, path) && bytes_read(&second, again));
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.at, second.at, first.size);
    free(first.at);
    free(second.at);
    unlink(again);
    toy_free(b);
}

/* 24 pages of RAM: 2 equal random pages; 5 filled with one byte, of two values; the others zero. */
static void equal_and_empty_pages_cost_nothing(void **state)
{
    (void)state;
    struct err err = {""};
    saved_toy();
    struct checkpoint *checkpoint = checkpoint_open(path, &err);
    assert_non_null(checkpoint);
    const struct checkpoint_section *memory = checkpoint_section_at(checkpoint, 2);
    assert_string_equal(memory->name, "memory");
    assert_in_range(memory->size, 3 * PAGE_SIZE, 3 * PAGE_SIZE + 150);
    checkpoint_close(checkpoint);
}

static void refused(const struct bytes *image, const char *why)
{
    struct toy *toy = toy_create(TOY_HZ);
    struct err err = {""};
    assert_true(bytes_write(image, path));
    assert_false(toy_load(toy, path, true, TOY_HZ, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: not \"%s\"", err.text, why);
    toy_free(toy);
}

/* Recompute the checksum of a modified header. */
static void sign_header(struct bytes *image, const struct format_header *header)
{
    memcpy(image->at, header, sizeof *header);
    uint32_t checksum = (uint32_t)crc32_z(0, image->at, offsetof(struct format_header, checksum));
    memcpy(image->at + offsetof(struct format_header, checksum), &checksum, sizeof checksum);
}

static void refusals_say_where_and_why(void **state)
{
    (void)state;
    struct bytes image = {NULL, 0}, whole = {NULL, 0};
    struct format_header header;
    saved_toy();
    assert_true(bytes_read(&whole, path) && bytes_read(&image, path));
    memcpy(&header, whole.at, sizeof header);

    image.size = 0;
    refused(&image, "header: truncated");
    image.size = sizeof header + 10;
    refused(&image, "section 0: truncated");
    image.size = whole.size - 1;
    refused(&image, "end: truncated");
    image.size = whole.size - 30;
    refused(&image, "section toy.tags: truncated");
    image.at[whole.size] = 0;
    image.size = whole.size + 1;
    refused(&image, "end: data follows it");
    image.size = whole.size;

    image.at[0] ^= 1;
    refused(&image, "is not a checkpoint");
    image.at[0] ^= 1;
    image.at[16] ^= 1;
    refused(&image, "header: altered");
    image.at[16] ^= 1;
    image.at[whole.size - 20] ^= 0x10;
    refused(&image, "section toy.tags: altered");
    image.at[whole.size - 20] ^= 0x10;
    image.at[whole.size - 1] ^= 1;
    refused(&image, "end: altered");
    image.at[whole.size - 1] ^= 1;

    struct format_header newer = header, other = header, many = header;
    newer.format++;
    sign_header(&image, &newer);
    refused(&image, "header: format 2; this version of simos reads format 1: it is newer");
    other.board = 9;
    sign_header(&image, &other);
    refused(&image, "header: board version 9");
    many.sections = 100000;
    sign_header(&image, &many);
    refused(&image, "header: 100000 sections; at most");
    free(image.at);
    free(whole.at);
}

/* Restoring into a machine that differs from the file's. */
static void sections_must_be_those_of_the_machine(void **state)
{
    (void)state;
    struct toy *less = toy_create(TOY_HZ), *more = toy_create(TOY_HZ);
    struct err unknown = {""}, missing = {""};
    struct saved *all = less->saved;
    saved_toy();
    less->saved = saved_create(less->queue);
    physmem_register_saved(less->mem, less->saved);
    assert_false(toy_load(less, path, true, TOY_HZ, &unknown));
    assert_non_null(strstr(unknown.text, "section toy.device: this machine has no section of that name"));
    saved_add(more->saved, &(struct saved_section){.name = "toy.more", .version = 1, .base = more});
    assert_false(toy_load(more, path, true, TOY_HZ, &missing));
    assert_non_null(strstr(missing.text, "section toy.more is missing"));
    saved_free(less->saved);
    less->saved = all;
    toy_free(less);
    toy_free(more);
}

/* fuzz_checkpoint.c tests 10,000 mutations under the sanitizers. */
static void damage_is_refused_or_makes_no_difference(void **state)
{
    (void)state;
    struct dice dice = {0x5eed5eed5eed};
    struct toy *original = toy_create(TOY_HZ);
    struct bytes whole = {NULL, 0};
    toy_live(original);
    saved_toy();
    assert_true(bytes_read(&whole, path));
    unsigned accepted = 0;
    for (unsigned i = 0; i < MUTATIONS; i++) {
        struct bytes image = {malloc(whole.size + 2), whole.size};
        struct toy *toy = toy_create(TOY_HZ);
        struct err err = {""};
        bool resigned = i & 1;
        memcpy(image.at, whole.at, whole.size);
        (resigned ? mutate_signed : mutate_plain)(&dice, &image);
        assert_true(bytes_write(&image, path));
        bool done = toy_load(toy, path, true, TOY_HZ, &err);
        assert_int_equal(done, err.text[0] == 0);
        if (done && !resigned)
            assert_true(toy_is_same(original, toy));
        accepted += done;
        toy_free(toy);
        free(image.at);
    }
    assert_in_range(accepted, 1, MUTATIONS - MUTATIONS / 4); /* some mutations give valid values, most do not */
    toy_free(original);
    free(whole.at);
}

/* A failed save leaves the old file. */
static void a_save_that_fails_changes_nothing(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ), *again = toy_create(TOY_HZ);
    struct event stray;
    struct err err = {""};
    saved_toy();
    toy_live(toy);
    event_init(&stray, "stray", toy_fire, toy);
    event_schedule(toy->queue, &stray, 1 << 20);
    assert_false(toy_save(toy, path, &err));
    event_cancel(toy->queue, &stray);
    err.text[0] = 0;
    assert_true(toy_load(again, path, true, TOY_HZ, &err));
    err.text[0] = 0;
    assert_false(toy_save(toy, "/nonexistent/x.ckpt", &err));
    assert_non_null(strstr(err.text, "checkpoint /nonexistent/x.ckpt: "));
    toy_free(toy);
    toy_free(again);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    struct err missing = {""}, directory = {""}, device = {""};
    assert_null(checkpoint_open("/nonexistent.ckpt", &missing));
    assert_non_null(strstr(missing.text, "/nonexistent.ckpt: No such file"));
    assert_null(checkpoint_open(folder, &directory));
    assert_non_null(strstr(directory.text, "not a regular file"));
    assert_null(checkpoint_open("/dev/zero", &device));
    assert_non_null(strstr(device.text, "not a regular file"));
}

static void it_can_be_looked_at(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    struct err err = {""};
    saved_toy();
    struct checkpoint *checkpoint = checkpoint_open(path, &err);
    FILE *out = open_memstream(&text, &size);
    assert_true(checkpoint_print(checkpoint, true, out, &err));
    fclose(out);
    assert_non_null(strstr(text, "toy.device               version 3 "));
    assert_non_null(strstr(text, "lines.map                                u32 * 12\n"));
    assert_non_null(strstr(text, "about                    text"));
    free(text);
    checkpoint_close(checkpoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),
        cmocka_unit_test(another_machine_starts_cold),
        cmocka_unit_test(files_are_determined),
        cmocka_unit_test(equal_and_empty_pages_cost_nothing),
        cmocka_unit_test(refusals_say_where_and_why),
        cmocka_unit_test(sections_must_be_those_of_the_machine),
        cmocka_unit_test(damage_is_refused_or_makes_no_difference),
        cmocka_unit_test(a_save_that_fails_changes_nothing),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(it_can_be_looked_at),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
