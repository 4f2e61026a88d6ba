/*
 * Checkpoints of a real machine that say what no machine has written.
 *
 *     hostile CHECKPOINT fields [PART OF [SECTION]]
 *         every field of every section (or of those whose names begin so), one at a time, to values at the edges
 *     hostile CHECKPOINT random COUNT SEED
 *         COUNT times a few bytes anywhere, or lengths: of the file; of a section, or of what zlib has made of one,
 * with checksums made right again; of a series' second file (hostile_machine.h) every other time in the first one
 *
 * Each is refused with a line, or taken; then the guest runs on, all devices are used, and every invariant that there
 * is a check for holds (hostile_machine.h). Nothing else: no crash, no hang, nothing that the sanitizers find.
 * Of an array the first and last elements are tried, and some between; of what has no table, words from its beginning,
 * and some of the rest.
 */
#include "tests/checkpoint/hostile_machine.h"
#include "tests/unit/checkpoint_mutate.h"

#include <inttypes.h>
#include <stdarg.h>

enum {
    ELEMENTS = 24,     /* of an array */
    WORDS_FIRST = 128, /* of content of no fixed length: from its beginning */
    WORDS_BEYOND = 200 /* and of the rest */
};

struct run {
    struct hostile hostile;
    struct bytes first; /* of a series: its first file */
    unsigned part, of;  /* of all cases this process takes those whose number is PART modulo OF */
    uint64_t cases, taken, refused, broken;
    uint64_t state; /* of the random numbers */
};

static uint64_t draw(struct run *run, uint64_t sides)
{
    return (((uint64_t)hostile_random(&run->state) << 32) | hostile_random(&run->state)) % sides;
}

__attribute__((format(printf, 3, 4))) static void give(struct run *run, const struct bytes *file, const char *what, ...)
{
    va_list arguments;
    enum hostile_end end = hostile_give(&run->hostile, file);
    run->taken += end == HOSTILE_TAKEN;
    run->refused += end == HOSTILE_REFUSED;
    if (end != HOSTILE_BROKEN && !getenv("VERBOSE"))
        return;
    if (end == HOSTILE_BROKEN) {
        run->broken++;
        printf("FAIL ");
    }
    va_start(arguments, what);
    vprintf(what, arguments);
    va_end(arguments);
    printf("\n%.3000s\n", end == HOSTILE_TAKEN ? "taken" : run->hostile.said);
    fflush(stdout);
}

static bool is_mine(struct run *run)
{
    return run->cases++ % run->of == run->part;
}

/* Every field */

/* WIDTH bytes at AT of SECTION become VALUE, for one case. */
static void try_value(struct run *run, struct section *section, const char *name, uint32_t element, size_t at,
                      unsigned width, uint64_t value)
{
    uint8_t before[8];
    uint64_t there = 0;
    memcpy(before, section->content.at + at, width);
    memcpy(&there, before, width);
    if (width < 8)
        value &= (1ull << 8 * width) - 1;
    if (value == there || !is_mine(run))
        return;
    memcpy(section->content.at + at, &value, width);
    struct bytes file = contents_to_file(&run->hostile.contents, Z_NO_COMPRESSION);
    give(run, &file, "%s: %s[%u] = 0x%" PRIx64 " (0x%" PRIx64 ")", section->header.name, name, element, value, there);
    free(file.at);
    memcpy(section->content.at + at, before, width);
}

static void try_values(struct run *run, struct section *section, const char *name, uint32_t element, size_t at,
                       unsigned width)
{
    static const uint64_t edges[] = {0,        1,         2,          UINT64_MAX,       UINT64_MAX - 1, 0x7fffffff,
                                     1u << 31, 0xfffffff, 1ull << 40, (1ull << 62) - 1, 1ull << 62,     1ull << 63};
    uint64_t there = 0;
    memcpy(&there, section->content.at + at, width);
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        if (width > 4 || i < 8)
            try_value(run, section, name, element, at, width, edges[i]);
    try_value(run, section, name, element, at, width, there + 1);
    try_value(run, section, name, element, at, width, there - 1);
    try_value(run, section, name, element, at, width, 2 * there);
}

static void try_element(struct run *run, struct section *section, const struct field *field, uint32_t element)
{
    size_t at = field->at + (size_t)element * field->width;
    if (field->kind != SAVED_EVENT) {
        try_values(run, section, field->name, element, at, field->width);
        return;
    }
    try_values(run, section, field->name, element, at, 1); /* scheduled, when, in which order */
    try_values(run, section, field->name, element, at + 1, 8);
    try_values(run, section, field->name, element, at + 9, 8);
}

static void try_field(struct run *run, struct section *section, const struct field *field)
{
    uint32_t step = field->elements > ELEMENTS ? field->elements / ELEMENTS : 1, last = field->elements - 1;
    for (uint32_t i = 0; i < last; i += step)
        try_element(run, section, field, i);
    try_element(run, section, field, last);
}

static void try_section(struct run *run, struct section *section)
{
    static struct field fields[SAVED_FIELDS_MAX];
    size_t rest, size = section->content.size;
    uint32_t count = section_fields(section, fields, SAVED_FIELDS_MAX, &rest);
    for (uint32_t i = 0; i < count; i++)
        try_field(run, section, &fields[i]);
    size_t words = (size - rest) / 4;
    for (size_t word = 0; word < words && word < WORDS_FIRST; word++)
        try_values(run, section, "content", (uint32_t)word, rest + 4 * word, 4);
    for (size_t i = 0; words > WORDS_FIRST && i < WORDS_BEYOND; i++) {
        size_t word = WORDS_FIRST + draw(run, words - WORDS_FIRST);
        try_values(run, section, "content", (uint32_t)word, rest + 4 * word, 4);
    }
}

static void try_all(struct run *run, const char *only)
{
    for (uint32_t i = 0; i < run->hostile.contents.count; i++) {
        struct section *section = &run->hostile.contents.sections[i];
        if (section->header.version && (!only || strncmp(section->header.name, only, strlen(only)) == 0))
            try_section(run, section);
    }
}

/* Anything */

/* The contents again, each section in memory of its own. */
static struct contents copy_of(const struct contents *contents)
{
    struct contents copy = *contents;
    copy.sections = checked_memory(calloc(copy.count, sizeof *copy.sections));
    for (uint32_t i = 0; i < copy.count; i++) {
        copy.sections[i].header = contents->sections[i].header;
        bytes_append(&copy.sections[i].content, contents->sections[i].content.at, contents->sections[i].content.size);
    }
    return copy;
}

/* FILE in the place of VICTIM's: of what is restored, or of the series' first file, which is then put back. */
static enum hostile_end give_as(struct run *run, const struct contents *victim, const struct bytes *file,
                                const char *what, unsigned number, const char *section)
{
    uint64_t taken = run->taken, refused = run->refused;
    const char *which = victim == &run->hostile.first ? " of the series' first file" : "";
    if (victim == &run->hostile.first) {
        hostile_put_first(&run->hostile, file);
        struct bytes second = contents_to_file(&run->hostile.contents, Z_NO_COMPRESSION);
        give(run, &second, "damage %u%s, %s %s", number, which, what, section);
        free(second.at);
        hostile_put_first(&run->hostile, &run->first);
    } else
        give(run, file, "damage %u%s, %s %s", number, which, what, section);
    return run->taken > taken ? HOSTILE_TAKEN : run->refused > refused ? HOSTILE_REFUSED : HOSTILE_BROKEN;
}

/* A file whose checksums are wrong more often than not: it is refused, or is what it was. */
static void try_plain(struct run *run, struct dice *dice, unsigned number, const struct contents *victim)
{
    struct bytes file = contents_to_file(victim, (int)dice_throw(dice, 3)), whole = {NULL, 0};
    bytes_append(&whole, file.at, file.size);
    mutate_plain(dice, &file);
    bool same = file.size == whole.size && memcmp(file.at, whole.at, whole.size) == 0;
    if (give_as(run, victim, &file, "plain", number, "") == HOSTILE_TAKEN && !same) {
        run->broken++;
        printf("FAIL damage %u: taken\n", number);
    }
    free(file.at);
    free(whole.at);
}

/* A section's content or header is damaged, and all checksums are right. */
static void try_signed(struct run *run, struct dice *dice, unsigned number, const struct contents *victim)
{
    struct contents contents = copy_of(victim);
    uint32_t section = (uint32_t)dice_throw(dice, contents.count);
    char name[SAVED_NAME_MAX + 1];
    memcpy(name, contents.sections[section].header.name, sizeof name);
    damage_section(dice, &contents, section);
    struct bytes file = contents_to_file(&contents, Z_NO_COMPRESSION);
    give_as(run, victim, &file, "of section", number, name);
    free(file.at);
    contents_free(&contents);
}

/* So is what zlib is given of a section. */
static void try_stored(struct run *run, struct dice *dice, unsigned number, const struct contents *victim)
{
    struct bytes file = {NULL, 0}, packed;
    struct format_header header = victim->header;
    uint32_t chosen = (uint32_t)dice_throw(dice, victim->count);
    bytes_append(&file, &header, sizeof header);
    for (uint32_t i = 0; i < victim->count; i++) {
        size_t at = file.size, body = at + sizeof(struct format_section);
        contents_append_section(&file, &victim->sections[i], i == chosen ? Z_BEST_SPEED : Z_NO_COMPRESSION);
        if (i != chosen)
            continue;
        packed = (struct bytes){file.at + body, file.size - body};
        mutate_bytes(dice, packed.at, packed.size);
        if (dice_throw(dice, 3) == 0)
            file.size = body + (packed.size = dice_throw(dice, packed.size));
        contents_sign_section(file.at + at, &packed);
    }
    struct format_end end = {FORMAT_END_MARK, (uint32_t)crc32_z(0, file.at, file.size)};
    bytes_append(&file, &end, sizeof end);
    give_as(run, victim, &file, "packed", number, victim->sections[chosen].header.name);
    free(file.at);
}

static void try_anything(struct run *run, unsigned count, uint64_t seed)
{
    struct dice dice = {seed * 0x9e3779b97f4a7c15u + 1};
    for (unsigned i = 0; i < count; i++) {
        const struct contents *victim =
            run->hostile.first.count && i % 2 ? &run->hostile.first : &run->hostile.contents;
        switch (i / 2 % 4) {
        case 0: try_plain(run, &dice, i, victim); break;
        case 1: try_stored(run, &dice, i, victim); break;
        default: try_signed(run, &dice, i, victim); break;
        }
    }
}

int main(int argc, char **argv)
{
    static struct run run = {.of = 1, .state = 1996};
    if (argc < 3 || (strcmp(argv[2], "fields") != 0 && strcmp(argv[2], "random") != 0)) {
        fprintf(stderr, "usage: hostile CHECKPOINT fields [PART OF [SECTION]] | random COUNT SEED\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!hostile_create(&run.hostile, argv[1]))
        return 2;
    struct bytes whole = contents_to_file(&run.hostile.contents, Z_NO_COMPRESSION);
    if (run.hostile.first.count)
        run.first = contents_to_file(&run.hostile.first, Z_NO_COMPRESSION);
    give(&run, &whole, "the file as it was");
    if (run.taken != 1)
        hostile_fail("the file as it was is not taken", NULL);
    unsigned long first = argc > 4 ? strtoul(argv[3], NULL, 0) : 0, second = argc > 4 ? strtoul(argv[4], NULL, 0) : 1;
    if (strcmp(argv[2], "random") == 0) {
        try_anything(&run, (unsigned)first, second);
    } else {
        run.part = (unsigned)first;
        run.of = (unsigned)second;
        try_all(&run, argc > 5 ? argv[5] : NULL);
    }
    printf("hostile: %" PRIu64 " taken, %" PRIu64 " refused, %" PRIu64 " failed\n", run.taken, run.refused, run.broken);
    free(whole.at);
    free(run.first.at);
    hostile_free(&run.hostile);
    return run.broken != 0 || run.taken == 0;
}
