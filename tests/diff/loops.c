#include "tests/diff/loops.h"

#include "cpu/privileged/cp0.h"
#include "tests/diff/encode.h"

/* The code of a processor is 8 pages, a routine in each half; the data are arrays of up to 64 KB. */
enum { PAGES = 8, ROUTINES = 2 * PAGES, ROUTINE_WORDS = PAGE_SIZE / 8, ARRAY_BYTES = 0x10000 };
enum { SHARED = 0x00600000, PRIVATE = 0x00620000, SEGMENT = (int)0x80000000u };

/* Registers: the arrays, the offset in them, the address of an access, the counters of the loop and of its routine. */
enum {
    OFFSET = 24,
    MASKED = 25,
    AT = 2,
    COUNT = 4,
    VALUES = 8,
    PRIVATE_BASE = 16,
    SHARED_BASE,
    CODE_BASE,
    MAPPED_BASE
};

struct routine {
    uint32_t words[ROUTINE_WORDS];
    unsigned count;
};

static void emit(struct routine *r, uint32_t word)
{
    r->words[r->count++] = word;
}

/* One of the registers that hold values. */
static unsigned value(struct random *random)
{
    return VALUES + random_below(random, 8);
}

/* Advance in an array, and leave an address in it in AT, aligned to 8. */
static void emit_advance(struct routine *r, struct random *random)
{
    static const uint16_t strides[] = {0, 4, 4, 8, 16, 32, 64, 136, 512, 1028, 4096, 8192, 12296};
    static const uint8_t bases[] = {PRIVATE_BASE, PRIVATE_BASE, SHARED_BASE, SHARED_BASE, MAPPED_BASE, CODE_BASE};
    const unsigned base = bases[random_below(random, sizeof bases)];
    const uint32_t most = base >= CODE_BASE ? 0x1ff8 : 0xfff8; /* of the mapped window and the code: two pages */
    emit(r, E_ADDIU(OFFSET, OFFSET, strides[random_below(random, sizeof strides / sizeof strides[0])]));
    emit(r, E_I(12, OFFSET, MASKED, most >> random_below(random, 7) & 0xfff8)); /* andi */
    emit(r, E_ADDU(AT, base, MASKED));
}

/* A load or store of any size near AT, or by ll and sc. */
static void emit_access(struct routine *r, struct random *random)
{
    static const struct {
        uint8_t opcode, size;
    } kinds[] = {{32, 1}, {36, 1}, {33, 2}, {37, 2}, {35, 4}, {35, 4}, {35, 4}, {34, 1}, {38, 1}, {49, 4},
                 {53, 8}, {40, 1}, {41, 2}, {43, 4}, {43, 4}, {43, 4}, {42, 1}, {46, 1}, {57, 4}, {61, 8}};
    if (random_one_in(random, 12)) {
        const unsigned offset = 4 * random_below(random, 16), to = value(random);
        emit(r, E_LL(to, offset, AT));
        emit(r, E_ADDIU(to, to, 1));
        emit(r, E_SC(to, offset, AT));
        return;
    }
    const unsigned kind = random_below(random, sizeof kinds / sizeof kinds[0]), size = kinds[kind].size;
    const bool fp = kinds[kind].opcode >= 49;
    emit(r, E_I(kinds[kind].opcode, AT, fp ? 2 * random_below(random, 16) : value(random),
                size * random_below(random, 64 / size)));
}

/* CACHE, synci and pref at AT. */
static void emit_operation(struct routine *r, struct random *random)
{
    static const uint8_t operations[] = {0x00, 0x01, 0x03, 0x10, 0x11, 0x13, 0x15, 0x17, 0x19, 0x1b};
    static const uint8_t hints[] = {0, 1, 4, 5, 6, 7, 30, 30};
    const unsigned offset = 8 * random_below(random, 8);
    switch (random_below(random, 4)) {
    case 0: emit(r, E_I(1, AT, 31, offset)); break; /* synci */
    case 1: emit(r, E_I(47, AT, operations[random_below(random, sizeof operations)], offset)); break;
    default: emit(r, E_I(51, AT, hints[random_below(random, sizeof hints)], offset));
    }
}

static void emit_loop(struct routine *r, struct random *random)
{
    emit(r, E_ADDIU(COUNT, 0, 1 + random_below(random, random_one_in(random, 4) ? 80 : 16)));
    const unsigned head = r->count;
    for (unsigned items = 1 + random_below(random, 8); items > 0; items--) {
        if (!random_one_in(random, 3))
            emit_advance(r, random);
        for (unsigned accesses = random_below(random, 5); accesses > 0; accesses--)
            emit_access(r, random);
        if (random_one_in(random, 20))
            emit_operation(r, random);
        for (unsigned fill = random_one_in(random, 6) ? random_below(random, 12) : 0; fill > 0; fill--)
            emit(r, E_ADDU(value(random), value(random), value(random)));
    }
    emit(r, E_ADDIU(COUNT, COUNT, -1));
    emit(r, E_BGTZ(COUNT, (int)head - (int)r->count - 1));
    if (random_one_in(random, 2))
        emit_access(r, random);
    else
        emit(r, E_NOP);
    emit(r, E_NOP); /* an access in the slot may be three words */
    emit(r, E_NOP);
}

static void make_routine(struct routine *r, struct random *random)
{
    r->count = 0;
    for (unsigned loops = 1 + random_below(random, 2); loops > 0; loops--)
        emit_loop(r, random);
    emit(r, E_JR(31));
    emit(r, E_ADDIU(VALUES, VALUES, 1));
}

void loops_generate(struct context *context, unsigned cpu, struct random *random, struct image *image)
{
    const paddr code = LAYOUT_CODE + cpu * PAGES * PAGE_SIZE;
    struct routine main = {.count = 0};
    for (unsigned n = 1; n < ROUTINES; n++) {
        struct routine routine;
        make_routine(&routine, random);
        const paddr at = code + n * (PAGE_SIZE / 2) + 4 * random_below(random, ROUTINE_WORDS - routine.count);
        image_put(image, at, routine.words, routine.count * 4);
        for (unsigned times = 1 + random_below(random, 3); times > 0; times--) {
            emit(&main, FIELD(3, 26) | (at >> 2 & 0x3ffffff)); /* jal */
            emit(&main, random_one_in(random, 2) ? E_NOP : E_ADDIU(VALUES + 1, VALUES + 1, 4));
        }
    }
    emit(&main, E_J(code));
    emit(&main, E_NOP);
    image_put(image, code, main.words, main.count * 4);
    *context = (struct context){.start = (uint32_t)SEGMENT + code, .status = STATUS_CU1};
    for (unsigned i = 1; i < 16; i++)
        context->gpr[i] = random_word(random);
    context->gpr[OFFSET] = random_below(random, 64) * 8;
    context->gpr[PRIVATE_BASE] = (uint32_t)SEGMENT + PRIVATE + cpu * ARRAY_BYTES;
    context->gpr[SHARED_BASE] = (uint32_t)SEGMENT + SHARED;
    context->gpr[CODE_BASE] = (uint32_t)SEGMENT + LAYOUT_CODE_END - 0x2000; /* nobody's code: synci, and data */
    context->gpr[MAPPED_BASE] = WINDOW_RW;
}
