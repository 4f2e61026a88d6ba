/*
 * The reader of checkpoints against files that may be anything: 10,000 damaged ones, or what libFuzzer makes of them
 * (`make fuzz`). Under the sanitizers. Each is refused with a line, or is loaded; a file whose checksums were not made
 * right again on purpose, and which is loaded, gives exactly the machine that was saved.
 */
#include "checkpoint_fixture.h"
#include "checkpoint_mutate.h"

#include <stdio.h>
#include <unistd.h>

enum { MUTATIONS = 10000 };

static void fail(const char *what, unsigned number)
{
    fprintf(stderr, "fuzz_checkpoint: mutation %u: %s\n", number, what);
    abort();
}

static void scratch_path(char path[64])
{
    snprintf(path, 64, "/tmp/simos-fuzz-checkpoint.%ld", (long)getpid());
}

#ifdef LIBFUZZER

struct overlay {
    const uint8_t *bytes;
    size_t size;
};

/* The first two bytes say where the others go. */
static void lay_over(void *opaque, struct unpacked *unpacked)
{
    const struct overlay *overlay = opaque;
    size_t at = unpacked->size ? (overlay->bytes[0] | (size_t)overlay->bytes[1] << 8) % unpacked->size : 0;
    size_t room = unpacked->size - at, count = overlay->size - 2;
    memcpy(unpacked->content + at, overlay->bytes + 2, count < room ? count : room);
}

/* INPUT is a number of a section and bytes to lay over its content, so that the fuzzer need not find out checksums; or,
 * if the number is 255, the file itself. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    char path[64];
    struct err err = {""};
    struct image image = {NULL, 0};
    scratch_path(path);
    if (size < 4)
        return 0;
    if (input[0] == 255) {
        image = (struct image){malloc(size), size - 1};
        memcpy(image.bytes, input + 1, size - 1);
    } else {
        struct toy *original = toy_create(TOY_HZ);
        toy_live(original);
        if (!toy_save(original, path, &err) || !image_read(&image, path))
            fail(err.text, 0);
        toy_free(original);
        struct overlay overlay = {input + 1, size - 1};
        change_section(&image, input[0] % 6, lay_over, &overlay);
    }
    struct toy *toy = toy_create(TOY_HZ);
    if (!image_write(&image, path))
        fail("the file cannot be written", 0);
    if (toy_load(toy, path, true, TOY_HZ, &err) != (err.text[0] == 0))
        fail("refused without a line", 0);
    toy_free(toy);
    free(image.bytes);
    unlink(path);
    return 0;
}

#else

int main(void)
{
    char path[64];
    struct dice dice = {0x1995199619981994};
    struct toy *original = toy_create(TOY_HZ);
    struct image whole = {NULL, 0};
    struct err err = {""};
    unsigned accepted = 0;
    scratch_path(path);
    toy_live(original);
    if (!toy_save(original, path, &err) || !image_read(&whole, path))
        fail(err.text, 0);
    for (unsigned i = 0; i < MUTATIONS; i++) {
        struct image image = {malloc(whole.size + 2), whole.size};
        struct toy *toy = toy_create(TOY_HZ);
        err.text[0] = 0;
        memcpy(image.bytes, whole.bytes, whole.size);
        (i & 1 ? mutate_signed : mutate_plain)(&dice, &image);
        if (!image_write(&image, path))
            fail("the file cannot be written", i);
        bool done = toy_load(toy, path, true, TOY_HZ, &err);
        if (done != (err.text[0] == 0))
            fail("refused without a line, or taken with one", i);
        if (done && !(i & 1) && !toy_is_same(original, toy))
            fail("taken, and not what was saved", i);
        accepted += done;
        toy_free(toy);
        free(image.bytes);
    }
    unlink(path);
    free(whole.bytes);
    toy_free(original);
    printf("fuzz_checkpoint: %d files, %u refused\n", MUTATIONS, MUTATIONS - accepted);
    return 0;
}

#endif
