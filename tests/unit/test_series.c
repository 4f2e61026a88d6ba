/*
 * Series of checkpoints (docs/how-to/series.md): each file holds the changes and names the files with the other pages;
 * each file restores exactly; missing or different files are rejected.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "checkpoint_fixture.h"
#include "checkpoint_mutate.h"
#include "src/memory/physmem_history.h"
#include "src/run/series_needs.h"

enum { FILES = 60, MUTATIONS = 400 };

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/simos-series-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < FILES; i++) {
        char *path = series_path(folder, i);
        unlink(path);
        free(path);
    }
    return rmdir(folder);
}

/* Write the next file of TOY's series. FILES_THERE: identities of the earlier files, and receives that of this one. */
static struct series_member take(struct toy *toy, uint32_t number, struct file_identity *files_there)
{
    struct series_member member = {.number = number, .every = 1000, .insns = 5000 + 1000 * number};
    struct err err = {""};
    series_choose_dependencies(toy->saved, files_there, &member);
    char *text = series_member_text(&member), *path = series_path(folder, number);
    const struct checkpoint_text texts[] = {{"about", "a toy\n"}, {"series", text}};
    if (!checkpoint_save_part(path, toy->saved, texts, 2, &err) ||
        !file_identity_read(&files_there[number], INPUT_CHECKPOINT, path, &err))
        fail_msg("%s", err.text);
    free(text);
    free(path);
    return member;
}

/* Restore the machine of file NUMBER. */
static bool load(struct toy *toy, uint32_t number, struct err *err)
{
    struct saved_terms terms = {.same_machine = true, .clock_hz = TOY_HZ};
    char *path = series_path(folder, number);
    struct checkpoint *checkpoint = checkpoint_open(path, err);
    bool done = checkpoint && series_load_dependencies(checkpoint, toy->saved, &terms, err) &&
                checkpoint_load(checkpoint, toy->saved, &terms, err);
    checkpoint_close(checkpoint);
    free(path);
    return done;
}

static uint8_t *page_of(const struct toy *toy, uint32_t page)
{
    return physmem_host(toy->mem, page < TOY_RAM_PAGES - 4 ? page * PAGE_SIZE
                                                           : TOY_HIGH + (page + 4 - TOY_RAM_PAGES) * PAGE_SIZE);
}

static void copy_ram(const struct toy *toy, uint8_t *copy)
{
    for (uint32_t page = 0; page < TOY_RAM_PAGES; page++)
        memcpy(copy + page * PAGE_SIZE, page_of(toy, page), PAGE_SIZE);
}

/* Change RAM as a guest or a device might: also back to earlier contents, to zeros, to another page's contents. */
static void change_ram(struct toy *toy, struct dice *dice)
{
    uint8_t *page = page_of(toy, (uint32_t)dice_throw(dice, TOY_RAM_PAGES));
    const uint8_t *other = page_of(toy, (uint32_t)dice_throw(dice, TOY_RAM_PAGES));
    switch (dice_throw(dice, 5)) {
    case 0: memset(page, 0, PAGE_SIZE); break;
    case 1: memmove(page, other, PAGE_SIZE); break;
    case 2: page[dice_throw(dice, PAGE_SIZE)] ^= 1; break;
    default: memset(page, (int)dice_throw(dice, 4), PAGE_SIZE); break;
    }
}

/* A series whose pages are spread over many files, and the machine's state at each file. */
struct story {
    struct toy *toy;
    struct file_identity files[FILES];
    struct series_member members[FILES];
    uint8_t ram[FILES][TOY_RAM_PAGES * PAGE_SIZE];
};

static struct story *tell_story(uint32_t files)
{
    struct story *story = calloc(1, sizeof *story);
    struct dice dice = {0x5e41e5};
    story->toy = toy_create(TOY_HZ);
    toy_live(story->toy);
    for (uint32_t i = 0; i < files; i++) {
        story->members[i] = take(story->toy, i, story->files);
        copy_ram(story->toy, story->ram[i]);
        story->toy->device.word = i + 1;
        for (uint64_t changes = dice_throw(&dice, 3); changes; changes--)
            change_ram(story->toy, &dice);
    }
    return story;
}

static void end_story(struct story *story)
{
    toy_free(story->toy);
    free(story);
}

static void every_file_restores_exactly(void **state)
{
    (void)state;
    struct story *story = tell_story(FILES);
    uint8_t ram[TOY_RAM_PAGES * PAGE_SIZE];
    unsigned most = 0;
    for (uint32_t i = 0; i < FILES; i++) {
        struct toy *toy = toy_create(TOY_HZ);
        struct err err = {""};
        if (!load(toy, i, &err))
            fail_msg("%s", err.text);
        copy_ram(toy, ram);
        assert_memory_equal(ram, story->ram[i], sizeof ram);
        assert_int_equal(toy->device.word, i ? i : 0xdeadbeef);
        assert_int_equal(toy->device.interrupts, 42);
        most = story->members[i].need_count > most ? story->members[i].need_count : most;
        toy_free(toy);
    }
    assert_int_equal(most, SERIES_DEPENDENCIES_MAX); /* the bound was reached and respected */
    end_story(story);
}

/* A file without changes holds no page; one changed byte makes one page. */
static void only_what_has_changed_is_there(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ);
    struct file_identity files[3];
    uint64_t units[3][3] = {{0}};
    toy_live(toy);
    for (uint32_t i = 0; i < 3; i++) {
        take(toy, i, files);
        physmem_history_count(toy->mem, units[i]);
        page_of(toy, 7)[9] ^= i == 1;
    }
    assert_int_equal(units[0][0], TOY_RAM_PAGES);
    assert_int_equal(units[1][0], TOY_RAM_PAGES);
    assert_int_equal(units[1][1], 0);
    assert_int_equal(units[2][0], TOY_RAM_PAGES - 1);
    assert_int_equal(units[2][2], 1);
    assert_true(files[1].size < files[0].size && files[1].size < files[2].size);
    toy_free(toy);
}

/* The page hash must detect any change of a single word. */
static void no_single_word_escapes(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ);
    uint64_t units[2 * PAGE_SIZE / 8 + 2] = {0};
    uint32_t number = 0;
    physmem_history_begin(toy->mem, number++);
    for (unsigned word = 0; word < PAGE_SIZE / 8; word++)
        for (unsigned bit = 0; bit < 2; bit++) {
            page_of(toy, 3)[8 * word + 7 * bit] ^= 0x80;
            physmem_history_begin(toy->mem, number);
            memset(units, 0, sizeof units);
            physmem_history_count(toy->mem, units);
            assert_int_equal(units[number], 1);
            number++;
        }
    toy_free(toy);
}

/* A separate checkpoint during a series is complete. */
static void other_checkpoints_stay_whole(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ), *again = toy_create(TOY_HZ);
    struct file_identity files[2];
    struct err err = {""};
    char *path = series_path(folder, FILES - 1);
    toy_live(toy);
    take(toy, 0, files);
    page_of(toy, 3)[0]++;
    take(toy, 1, files);
    assert_true(toy_save(toy, path, &err));
    assert_true(toy_load(again, path, true, TOY_HZ, &err));
    assert_true(toy_is_same(toy, again));
    toy_free(toy);
    toy_free(again);
    free(path);
}

static void refused(uint32_t number, const char *says)
{
    struct toy *toy = toy_create(TOY_HZ);
    struct err err = {""};
    assert_false(load(toy, number, &err));
    if (!strstr(err.text, says))
        fail_msg("\"%s\" does not say \"%s\"", err.text, says);
    toy_free(toy);
}

static void what_is_needed_must_be_what_it_was(void **state)
{
    (void)state;
    struct story *story = tell_story(8);
    char *first = series_path(folder, 0), *second = series_path(folder, 1), says[256];
    assert_true(story->members[7].need_count > 1);
    assert_int_equal(story->members[7].needs[1].number, 1);
    struct bytes image = {NULL, 0}, other = {NULL, 0};
    assert_true(bytes_read(&image, second) && bytes_read(&other, first));

    assert_int_equal(unlink(second), 0);
    snprintf(says, sizeof says, "%s/0007.ckpt needs another file of its series: checkpoint %s: No such file", folder,
             second);
    refused(7, says);
    assert_true(bytes_write(&other, second));
    snprintf(says, sizeof says, "%s/0007.ckpt needs %s, which has been changed", folder, second);
    refused(7, says);
    image.at[image.size / 2] ^= 1;
    assert_true(bytes_write(&image, second));
    refused(7, says);
    image.at[image.size / 2] ^= 1;
    assert_true(bytes_write(&image, second));
    struct toy *toy = toy_create(TOY_HZ);
    struct err err = {""};
    assert_true(load(toy, 7, &err));
    toy_free(toy);
    free(image.at);
    free(other.at);
    free(first);
    free(second);
    end_story(story);
}

static void members_say_what_they_are(void **state)
{
    (void)state;
    struct series_member member = {.number = 70, .every = 12, .insns = UINT64_MAX, .need_count = 2}, back;
    struct err err = {""};
    member.needs[1].number = 69;
    for (unsigned i = 0; i < 2; i++) {
        member.needs[i].identity.size = 77 + i;
        memset(member.needs[i].identity.digest, 'a' + (int)i, DIGEST_DIGITS);
    }
    char *text = series_member_text(&member);
    assert_true(series_member_parse(&back, text, &err));
    assert_memory_equal(&member, &back, sizeof back);
    free(text);

#define HEAD   "number 3\nevery 5\ninsns 7\n"
#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
    static const char *const bad[] = {
        "",
        "number 0\nevery 5\n",
        "number 0\nevery 0\ninsns 7\n",
        "number -1\nevery 5\ninsns 7\n",
        "number 100000\nevery 5\ninsns 7\n",
        "number 0\nevery 5\ninsns 18446744073709551616\n",
        "number 0\nevery 5\ninsns 7",
        "number 0\nevery 5\ninsns 7\nneeds 0 1 " DIGEST, /* the file needs itself */
        HEAD,                                            /* needs no file, although it is not file 0 */
        HEAD "needs 1 1 " DIGEST,                        /* does not need file 0 */
        HEAD "needs 0 1 " DIGEST "needs 3 1 " DIGEST,
        HEAD "needs 0 1 " DIGEST "needs 2 1 " DIGEST "needs 1 1 " DIGEST,
        HEAD "needs 0 1 " DIGEST "needs 0 1 " DIGEST,
        HEAD "needs 0 1 0123456789abcdef\n",
        HEAD "needs 0 1 " DIGEST "\n",
        HEAD "needs 0  1 " DIGEST,
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (series_member_parse(&back, bad[i], &err))
            fail_msg("\"%s\" was taken", bad[i]);
    char many[4096] = "number 30\nevery 5\ninsns 7\n";
    for (unsigned i = 0; i < SERIES_DEPENDENCIES_MAX; i++)
        sprintf(many + strlen(many), "needs %u 1 " DIGEST, i);
    assert_true(series_member_parse(&back, many, &err));
    strcat(many, "needs 16 1 " DIGEST);
    assert_false(series_member_parse(&back, many, &err));
}

/* The section memory in older files and in damaged ones */

/* Write file NUMBER from IMAGE, with VERSION for its section memory. */
static void write_version(const struct bytes *image, size_t index, uint32_t version, uint32_t number)
{
    struct contents contents;
    char *path = series_path(folder, number);
    assert_true(contents_of(&contents, image));
    contents.sections[index].header.version = version;
    struct bytes file = contents_to_file(&contents, Z_BEST_SPEED);
    assert_true(bytes_write(&file, path));
    contents_free(&contents);
    free(file.at);
    free(path);
}

/* Index of the section memory: after "about" and "events" in a file of toy_save(); in a series after "series", too. */
enum { MEMORY_OF_TOY = 2, MEMORY_OF_SERIES = 3 };

static void version_1_of_memory_is_read(void **state)
{
    (void)state;
    struct toy *toy = toy_create(TOY_HZ), *again = toy_create(TOY_HZ);
    struct err err = {""};
    struct bytes image = {NULL, 0};
    char *path = series_path(folder, 0);
    toy_live(toy);
    assert_true(toy_save(toy, path, &err) && bytes_read(&image, path));
    write_version(&image, MEMORY_OF_TOY, 1, 0);
    if (!load(again, 0, &err))
        fail_msg("%s", err.text);
    assert_true(toy_is_same(toy, again));
    write_version(&image, MEMORY_OF_TOY, 3, 0);
    refused(0, "section memory: version 3; this version of simos reads version 2: it is newer");
    free(image.at);
    free(path);
    toy_free(toy);
    toy_free(again);
}

static void pages_elsewhere_need_a_series(void **state)
{
    (void)state;
    struct story *story = tell_story(3);
    struct toy *toy = toy_create(TOY_HZ);
    struct err err = {""};
    struct bytes image = {NULL, 0};
    char *path = series_path(folder, 2);
    assert_false(toy_load(toy, path, true, TOY_HZ, &err)); /* without the files it needs */
    assert_non_null(strstr(err.text, "pages are in earlier files, but this file names none"));
    assert_true(bytes_read(&image, path));
    write_version(&image, MEMORY_OF_SERIES, 1, 2); /* version 1 has no series */
    refused(2, "section memory: ");
    refused(2, "pages of kind 3");
    free(image.at);
    free(path);
    toy_free(toy);
    end_story(story);
}

/* Under the sanitizers: damage does not crash the reader, and an accepted file gives a valid machine. */
static void damage_is_refused_or_loads(void **state)
{
    (void)state;
    struct story *story = tell_story(6);
    struct dice dice = {0xdada};
    struct bytes whole = {NULL, 0};
    char *path = series_path(folder, 5);
    unsigned accepted = 0;
    assert_true(bytes_read(&whole, path));
    for (unsigned i = 0; i < MUTATIONS; i++) {
        struct bytes image = {malloc(whole.size + 2), whole.size};
        struct toy *toy = toy_create(TOY_HZ);
        struct err err = {""};
        memcpy(image.at, whole.at, whole.size);
        (i & 1 ? mutate_signed : mutate_plain)(&dice, &image);
        assert_true(bytes_write(&image, path));
        bool done = load(toy, 5, &err);
        assert_int_equal(done, err.text[0] == 0);
        accepted += done;
        toy_free(toy);
        free(image.at);
    }
    assert_in_range(accepted, 1, MUTATIONS - MUTATIONS / 4);
    free(whole.at);
    free(path);
    end_story(story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_restores_exactly),
        cmocka_unit_test(only_what_has_changed_is_there),
        cmocka_unit_test(no_single_word_escapes),
        cmocka_unit_test(other_checkpoints_stay_whole),
        cmocka_unit_test(what_is_needed_must_be_what_it_was),
        cmocka_unit_test(members_say_what_they_are),
        cmocka_unit_test(version_1_of_memory_is_read),
        cmocka_unit_test(pages_elsewhere_need_a_series),
        cmocka_unit_test(damage_is_refused_or_loads),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
