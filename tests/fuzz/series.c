/*
 * Series of checkpoints: `simos restore FOLDER/0001.ckpt`, with a small machine (checkpoint_fixture.h). The first byte
 * of an input says which section of which of two files the rest is the content of; the second file is made to need the
 * first as it is. Or it is the text `series` of the second.
 *
 * The folder has links to files in memory.
 */
#include "src/run/series_needs.h"
#include "tests/checkpoint/contents.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/checkpoint_fixture.h"

enum { FIRST = 128, TEXT = 127 };

static const char *const paths[2] = {"0000.ckpt", "0001.ckpt"};

static struct {
    struct contents first, second;
    struct toy *toy;
    struct fuzz_file files[2];
} fuzz;

static void save(struct contents *contents, const struct checkpoint_text *texts, size_t count)
{
    struct err err = {""};
    struct bytes file;
    fuzz_must(checkpoint_save_part(fuzz.files[0].path, fuzz.toy->saved, texts, count, &err) &&
                  bytes_read(&file, fuzz.files[0].path) && contents_of(contents, &file),
              "the machine", &err);
    free(file.at);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const struct checkpoint_text texts[] = {{"about", "a toy\n"},
                                                   {"series", "number 0\nevery 100\ninsns 100\n"}};
    (void)argc, (void)argv;
    fuzz_enter_folder();
    for (unsigned i = 0; i < 2; i++) {
        fuzz.files[i] = fuzz_file_create();
        if (symlink(fuzz.files[i].path, paths[i]) != 0)
            fuzz_fail(paths[i], "cannot be made");
    }
    fuzz.toy = toy_create(TOY_HZ);
    toy_live(fuzz.toy);
    series_choose_dependencies(fuzz.toy->saved, NULL, &(struct series_member){.number = 0});
    save(&fuzz.first, texts, 2);
    series_choose_dependencies(fuzz.toy->saved, &(struct file_identity){.size = 0},
                               &(struct series_member){.number = 1});
    save(&fuzz.second, texts, 2);
    return 0;
}

/* What happened is undone (as in checkpoint.c). */
static void make_toy_again(void)
{
    toy_free(fuzz.toy);
    fuzz.toy = toy_create(TOY_HZ);
}

/* CONTENTS with section NUMBER replaced, if it is not -1, to FILE. */
static void write_changed(const struct contents *contents, int number, const uint8_t *input, size_t size,
                          const struct fuzz_file *file)
{
    struct section before = {0}, *section = number < 0 ? NULL : &contents->sections[(unsigned)number % contents->count];
    if (section) {
        before = *section;
        section->content = (struct bytes){(uint8_t *)(uintptr_t)input, size};
        section->header.size = size;
    }
    struct bytes bytes = contents_to_file(contents, Z_NO_COMPRESSION);
    if (section)
        *section = before;
    fuzz_file_fill(file, bytes.at, bytes.size);
    free(bytes.at);
}

static void check_text(const uint8_t *input, size_t size)
{
    struct series_member member, again;
    struct err err = {""};
    char *text = fuzz_text(input, size);
    bool done = series_member_parse(&member, text, &err);
    fuzz_check(done, &err);
    if (done) {
        char *same = series_member_text(&member);
        fuzz_must(series_member_parse(&again, same, &err) && again.number == member.number &&
                      again.need_count == member.need_count,
                  "written and not read", &err);
        free(same);
    }
    free(text);
}

/* The second file says that it needs the first. */
static char *member_text(void)
{
    struct series_member member = {.number = 1, .every = 100, .insns = 200, .need_count = 1};
    struct err err = {""};
    fuzz_must(file_identity_read(&member.needs[0].identity, INPUT_CHECKPOINT, fuzz.files[0].path, &err), "identity",
              &err);
    return series_member_text(&member);
}

static void load(void)
{
    struct err err = {""};
    struct saved_terms terms = {.same_machine = true, .clock_hz = TOY_HZ};
    make_toy_again();
    struct checkpoint *checkpoint = checkpoint_open(paths[1], &err);
    bool done = checkpoint && series_load_dependencies(checkpoint, fuzz.toy->saved, &terms, &err) &&
                checkpoint_load(checkpoint, fuzz.toy->saved, &terms, &err);
    fuzz_check(done, &err);
    checkpoint_close(checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size < 1)
        return 0;
    if (input[0] == TEXT) {
        check_text(input + 1, size - 1);
        return 0;
    }
    bool first = input[0] & FIRST;
    int number = input[0] & ~FIRST;
    write_changed(&fuzz.first, first ? number : -1, input + 1, size - 1, &fuzz.files[0]);
    char *text = member_text();
    struct section *series = contents_find(&fuzz.second, "series"), before = *series;
    series->content = (struct bytes){(uint8_t *)text, strlen(text)};
    series->header.size = strlen(text);
    write_changed(&fuzz.second, first ? -1 : number, input + 1, size - 1, &fuzz.files[1]);
    *series = before;
    free(text);
    load();
    return 0;
}

/* Something to begin with: a section as it is. */
size_t LLVMFuzzerCustomMutator(uint8_t *input, size_t size, size_t most, unsigned seed)
{
    if (size < 2 || seed % 1000 == 0) {
        const struct contents *contents = seed / 1000 % 2 ? &fuzz.first : &fuzz.second;
        unsigned number = seed / 2000 % contents->count;
        const struct bytes *content = &contents->sections[number].content;
        size = content->size + 1 < most ? content->size + 1 : most;
        input[0] = (uint8_t)(number | (contents == &fuzz.first ? FIRST : 0));
        memcpy(input + 1, content->at, size - 1);
    }
    return 1 + LLVMFuzzerMutate(input + 1, size - 1, most - 1);
}
