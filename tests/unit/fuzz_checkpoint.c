/*
 * Fuzzes the checkpoint reader with 10,000 mutated files, under the sanitizers (tests/fuzz/checkpoint.c
 * continues from there). Each file is rejected with an error message or loaded; a loaded file whose checksums were
 * not recomputed gives exactly the saved machine.
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

int main(void)
{
    char path[64];
    struct dice dice = {0x1995199619981994};
    struct toy *original = toy_create(TOY_HZ);
    struct bytes whole = {NULL, 0};
    struct err err = {""};
    unsigned accepted = 0;
    scratch_path(path);
    toy_live(original);
    if (!toy_save(original, path, &err) || !bytes_read(&whole, path))
        fail(err.text, 0);
    for (unsigned i = 0; i < MUTATIONS; i++) {
        struct bytes image = {malloc(whole.size + 2), whole.size};
        struct toy *toy = toy_create(TOY_HZ);
        err.text[0] = 0;
        memcpy(image.at, whole.at, whole.size);
        (i & 1 ? mutate_signed : mutate_plain)(&dice, &image);
        if (!bytes_write(&image, path))
            fail("the file cannot be written", i);
        bool done = toy_load(toy, path, true, TOY_HZ, &err);
        if (done != (err.text[0] == 0))
            fail("refused without a line, or taken with one", i);
        if (done && !(i & 1) && !toy_is_same(original, toy))
            fail("taken, and not what was saved", i);
        accepted += done;
        toy_free(toy);
        free(image.at);
    }
    unlink(path);
    free(whole.at);
    toy_free(original);
    printf("fuzz_checkpoint: %d files, %u refused\n", MUTATIONS, MUTATIONS - accepted);
    return 0;
}
