/*
 * Checkpoints: the reader, with a small machine (checkpoint_fixture.h), and `simos info`'s tables.
 *
 * An input is a part of the file of that machine in the place of what was there, unpacked; lengths and checksums are
 * made right around it, so that the fuzzer need not find them out:
 *
 *     NUMBER content          of the section NUMBER
 *     HEADER | NUMBER header content     the same with its header, of which only the checksums are made right
 *     WHOLE file              the file itself, as it is
 *
 * The machine is swept clean rather than made again.
 */
#include "tests/checkpoint/contents.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/checkpoint_fixture.h"

enum { WHOLE = 255, HEADER = 128 };

static struct fuzz {
    struct contents whole; /* of the machine, as it was saved */
    struct toy *toy;
    struct fuzz_file file;
} fuzz;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct err err = {""};
    struct bytes file;
    fuzz.file = fuzz_file_create();
    fuzz.toy = toy_create(TOY_HZ);
    toy_live(fuzz.toy);
    if (!toy_save(fuzz.toy, fuzz.file.path, &err) || !bytes_read(&file, fuzz.file.path) ||
        !contents_of(&fuzz.whole, &file))
        fuzz_fail("the machine", err.text);
    free(file.at);
    return 0;
}

/* As it was made: nothing has happened. */
static void sweep(struct toy *toy)
{
    struct event events[3];
    while (toy->queue->count)
        event_cancel(toy->queue, toy->queue->heap[0]);
    toy->queue->now = 0;
    toy->queue->next_order = 0;
    memcpy(events, toy->device.event, sizeof events);
    toy->device = (struct toy_device){.byte = 0};
    memcpy(toy->device.event, events, sizeof events);
    memset(&toy->frames, 0, sizeof toy->frames);
    memset(toy->tags, 0, sizeof toy->tags);
    memset(physmem_host(toy->mem, 0), 0, (TOY_RAM_PAGES - 4) * PAGE_SIZE);
    memset(physmem_host(toy->mem, TOY_HIGH), 0, 4 * PAGE_SIZE);
}

/* The file with what INPUT says of one of its sections. */
static struct bytes file_of(const uint8_t *input, size_t size)
{
    struct section *section = &fuzz.whole.sections[(input[0] & ~HEADER) % fuzz.whole.count], before = *section;
    bool header = input[0] & HEADER && size > sizeof section->header;
    input++, size--;
    if (header) {
        memcpy(&section->header, input, sizeof section->header);
        input += sizeof section->header, size -= sizeof section->header;
    } else {
        section->header.size = size;
    }
    section->content = (struct bytes){(uint8_t *)(uintptr_t)input, size};
    struct bytes file = contents_to_file(&fuzz.whole, Z_NO_COMPRESSION);
    *section = before;
    return file;
}

static void load(const void *bytes, size_t size)
{
    struct err err = {""};
    fuzz_file_fill(&fuzz.file, bytes, size);
    sweep(fuzz.toy);
    fuzz_check(toy_load(fuzz.toy, fuzz.file.path, true, TOY_HZ, &err), &err);
}

static void print(void)
{
    struct err err = {""};
    struct checkpoint *checkpoint = checkpoint_open(fuzz.file.path, &err);
    fuzz_check(checkpoint, &err);
    if (checkpoint)
        fuzz_check(checkpoint_print(checkpoint, true, fuzz_sink(), &err), &err);
    checkpoint_close(checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size < 1)
        return -1;
    if (input[0] == WHOLE) {
        load(input + 1, size - 1);
    } else {
        struct bytes file = file_of(input, size);
        load(file.at, file.size);
        free(file.at);
    }
    print();
    return 0;
}

/* Something to begin with, into INPUT: a section as it is, with its header or without, or the whole file. */
static size_t seed_input(uint8_t *input, size_t most, unsigned seed)
{
    struct bytes bytes = {NULL, 0}, file = {NULL, 0};
    const struct section *section = &fuzz.whole.sections[seed / 3 % fuzz.whole.count];
    uint8_t kind = (uint8_t)(section - fuzz.whole.sections);
    switch (seed % 3) {
    case 0: bytes_append(&bytes, &kind, 1); break;
    case 1:
        kind |= HEADER;
        bytes_append(&bytes, &kind, 1);
        bytes_append(&bytes, &section->header, sizeof section->header);
        break;
    default:
        kind = WHOLE;
        bytes_append(&bytes, &kind, 1);
        file = contents_to_file(&fuzz.whole, Z_BEST_SPEED);
        bytes_append(&bytes, file.at, file.size);
        free(file.at);
    }
    if (kind != WHOLE)
        bytes_append(&bytes, section->content.at, section->content.size);
    size_t size = bytes.size < most ? bytes.size : most;
    memcpy(input, bytes.at, size);
    free(bytes.at);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *input, size_t size, size_t most, unsigned seed)
{
    if (size < 4 || seed % 5000 == 0)
        size = seed_input(input, most, seed / 5000);
    size_t behind = LLVMFuzzerMutate(input + 1, size - 1, most - 1); /* which section it is stays */
    return behind + 1;
}
