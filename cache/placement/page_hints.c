#include "cache/placement/page_hints.h"

#include "src/base/address_text.h"
#include "src/base/hash_map.h"
#include "src/base/input_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };
/* So many that rates have 64 bits. */
#define COUNT_MAX ((UINT64_C(1) << 40) - 1)

static const struct {
    const char *name;
    bool has_process, has_number;
} kinds[PAGE_KINDS] = {
    [PAGE_OF_FILE] = {"file", false, true},   [PAGE_COPIED] = {"copy", true, true},
    [PAGE_OF_BSS] = {"bss", true, false},     [PAGE_OF_HEAP] = {"heap", true, false},
    [PAGE_OF_STACK] = {"stack", true, false}, [PAGE_MAPPED] = {"mmap", true, false},
    [PAGE_IN_USE] = {"frame", false, false},
};
static const char *const use_names[PAGE_USES] = {[PAGE_CODE] = "code", [PAGE_DATA] = "data"};

struct page_hints {
    struct page_hint *hint;
    uint32_t count, room;
    struct hash_map index; /* by hash of the identity */
};

bool page_identity_is_whole(const struct page_identity *of)
{
    bool ends = false;
    if (of->kind >= PAGE_KINDS)
        return false;
    for (unsigned i = 0; i < PAGE_PROCESS_NAME; i++) {
        if (ends && of->process[i] != '\0')
            return false;
        ends |= of->process[i] == '\0';
    }
    return ends && kinds[of->kind].has_process == (of->process[0] != '\0') &&
           (kinds[of->kind].has_number || of->number == 0);
}

uint32_t page_identity_owner(const struct page_identity *of)
{
    if (of->kind == PAGE_IN_USE)
        return PAGE_OWNER_KERNEL;
    const uint64_t hash =
        kinds[of->kind].has_process ? hash_text(of->process) : hash_bytes(&of->number, sizeof of->number);
    return (uint32_t)(hash >> 32) | 1;
}

/* The table */

struct page_hints *page_hints_create(void)
{
    return checked_memory(calloc(1, sizeof(struct page_hints)));
}

void page_hints_free(struct page_hints *hints)
{
    if (!hints)
        return;
    hash_map_release(&hints->index);
    free(hints->hint);
    free(hints);
}

uint32_t page_hints_count(const struct page_hints *hints)
{
    return hints->count;
}

struct page_hint *page_hints_at(const struct page_hints *hints, uint32_t index)
{
    return &hints->hint[index];
}

struct sought {
    const struct page_hints *hints;
    const struct page_identity *of;
};

static bool is_page(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    return memcmp(&sought->hints->hint[slot->number].of, sought->of, sizeof *sought->of) == 0;
}

int32_t page_hints_find(const struct page_hints *hints, const struct page_identity *of)
{
    const struct sought sought = {hints, of};
    const struct hash_slot *slot = hash_map_find_equal(&hints->index, hash_bytes(of, sizeof *of), is_page, &sought);
    return slot ? (int32_t)slot->number : PAGE_HINT_NONE;
}

int32_t page_hints_add(struct page_hints *hints, const struct page_identity *of)
{
    const int32_t found = page_hints_find(hints, of);
    if (found != PAGE_HINT_NONE || hints->count == PAGE_HINTS_MAX)
        return found;
    if (hints->count == hints->room) {
        hints->room = hints->room ? 2 * hints->room : FIRST_ROOM;
        hints->hint = checked_memory(realloc(hints->hint, hints->room * sizeof *hints->hint));
    }
    hints->hint[hints->count] = (struct page_hint){.of = *of};
    hash_map_add(&hints->index, hash_bytes(of, sizeof *of))->number = hints->count;
    return (int32_t)hints->count++;
}

uint64_t page_hints_digest(const struct page_hints *hints)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < hints->count; i++) {
        const struct page_hint *hint = &hints->hint[i];
        const uint64_t parts[] = {digest, hash_bytes(&hint->of, sizeof hint->of), hint->life,
                                  hash_bytes(hint->accesses, sizeof hint->accesses),
                                  hash_bytes(hint->turns, sizeof hint->turns)};
        digest = hash_bytes(parts, sizeof parts);
    }
    return digest | 1;
}

/* Writing */

static int by_page(const void *a, const void *b)
{
    const struct page_identity *x = &(*(const struct page_hint *const *)a)->of,
                               *y = &(*(const struct page_hint *const *)b)->of;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    const int name = strcmp(x->process, y->process);
    return name ? name : (x->page > y->page) - (x->page < y->page);
}

static bool is_accessed(const struct page_hint *hint)
{
    for (unsigned use = 0; use < PAGE_USES; use++)
        for (unsigned i = 0; i < PAGE_FRAGMENTS; i++)
            if (hint->accesses[use][i] != 0)
                return true;
    return false;
}

static void write_name(const char *name, FILE *out)
{
    for (; *name; name++)
        if (*name <= ' ' || *name > '~' || *name == '%' || *name == '#')
            fprintf(out, "%%%02x", (unsigned char)*name);
        else
            fputc(*name, out);
}

static void write_hint(const struct page_hint *hint, FILE *out)
{
    fprintf(out, "%s ", kinds[hint->of.kind].name);
    if (kinds[hint->of.kind].has_process) {
        write_name(hint->of.process, out);
        fputc(' ', out);
    }
    if (kinds[hint->of.kind].has_number)
        fprintf(out, "%" PRIu32 " ", hint->of.number);
    fprintf(out, "0x%" PRIx32 " %" PRIu64, hint->of.page, hint->life < COUNT_MAX ? hint->life : COUNT_MAX);
    for (unsigned use = 0; use < PAGE_USES; use++)
        for (unsigned i = 0, written = 0; i < PAGE_FRAGMENTS; i++) {
            const uint64_t count = hint->accesses[use][i];
            if (count == 0)
                continue;
            if (written++ == 0)
                fprintf(out, " %s", use_names[use]);
            const uint64_t turns = hint->turns[use][i];
            fprintf(out, " %u:%" PRIu64 ":%" PRIu64, i, count < COUNT_MAX ? count : COUNT_MAX,
                    turns < COUNT_MAX ? turns : COUNT_MAX);
        }
    fputc('\n', out);
}

void page_hints_write(const struct page_hints *hints, FILE *out)
{
    const struct page_hint **order = checked_memory(calloc(hints->count + 1, sizeof(const struct page_hint *)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < hints->count; i++)
        if (hints->hint[i].life > 0 && is_accessed(&hints->hint[i]))
            order[count++] = &hints->hint[i];
    qsort(order, count, sizeof(const struct page_hint *), by_page);
    fprintf(out,
            "# simos: page hints for page_mapping.hints=@FILE (docs/reference/page-mapping.md)\n"
            "# Which page it is, for how many accesses to any it was there, and those to its fragments of %d bytes as "
            "code\n"
            "# and as data, FRAGMENT:ACCESSES:TURNS, those after accesses to pages of others.\n",
            PAGE_FRAGMENT_BYTES);
    if (hints->count == PAGE_HINTS_MAX)
        fprintf(out, "# the first %d pages of the run; there were more\n", PAGE_HINTS_MAX);
    for (uint32_t i = 0; i < count; i++)
        write_hint(order[i], out);
    free(order);
}

/* Reading */

struct reader {
    const char *name; /* for messages */
    unsigned line;
    struct page_hints *hints;
    struct err *err;
};

static bool refuse(const struct reader *reader, const char *why)
{
    return err_set(reader->err, "%s:%u: %s", reader->name, reader->line, why);
}

/* The next word of the line, ended with 0; NULL: none. */
static char *next_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " \t\r")) != NULL && *word == '\0')
        ;
    return word;
}

/* All of WORD as a decimal number of at most MOST. */
static bool read_number(const char *word, uint64_t most, uint64_t *number)
{
    *number = 0;
    if (word == NULL || *word == '\0')
        return false;
    for (; *word >= '0' && *word <= '9'; word++) {
        if (*number > most / 10)
            return false;
        *number = *number * 10 + (uint64_t)(*word - '0');
    }
    return *word == '\0' && *number <= most;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The name that write_name() wrote as WORD. */
static bool read_name(const char *word, char name[PAGE_PROCESS_NAME])
{
    unsigned length = 0;
    for (; word != NULL && *word && length < PAGE_PROCESS_NAME - 1; word++, length++) {
        name[length] = *word;
        if (*word != '%')
            continue;
        const int high = hex_digit(word[1]), low = high < 0 ? -1 : hex_digit(word[2]);
        if (low < 0 || (high | low) == 0)
            return false;
        name[length] = (char)(high << 4 | low);
        word += 2;
    }
    return length > 0 && *word == '\0';
}

static bool read_page(const char *word, uint32_t *page)
{
    return word != NULL && address_text_take(&word, page) && *word == '\0';
}

/* Up to the life. */
static bool read_identity(char **rest, struct page_hint *hint)
{
    const char *kind = next_word(rest);
    uint64_t number = 0;
    bool good = true;
    while (hint->of.kind < PAGE_KINDS && strcmp(kind, kinds[hint->of.kind].name) != 0)
        hint->of.kind++;
    if (hint->of.kind == PAGE_KINDS)
        return false;
    if (kinds[hint->of.kind].has_process)
        good = read_name(next_word(rest), hint->of.process);
    if (good && kinds[hint->of.kind].has_number)
        good = read_number(next_word(rest), UINT32_MAX, &number);
    hint->of.number = (uint32_t)number;
    return good && read_page(next_word(rest), &hint->of.page) && read_number(next_word(rest), COUNT_MAX, &hint->life) &&
           hint->life > 0;
}

/* WORD: FRAGMENT:ACCESSES:TURNS */
static bool read_fragment(char *word, unsigned use, struct page_hint *hint)
{
    uint64_t fragment, accesses, turns;
    const char *number = strsep(&word, ":");
    if (!read_number(number, PAGE_FRAGMENTS - 1, &fragment) || !read_number(strsep(&word, ":"), COUNT_MAX, &accesses) ||
        !read_number(word, accesses, &turns))
        return false;
    hint->accesses[use][fragment] = accesses;
    hint->turns[use][fragment] = turns;
    return true;
}

/* "code FRAGMENT:ACCESSES:TURNS ... data FRAGMENT:ACCESSES:TURNS ..." */
static bool read_accesses(char **rest, struct page_hint *hint)
{
    int use = -1;
    for (char *word; (word = next_word(rest)) != NULL;) {
        if (strcmp(word, use_names[PAGE_CODE]) == 0 && use < 0)
            use = PAGE_CODE;
        else if (strcmp(word, use_names[PAGE_DATA]) == 0 && use < PAGE_DATA)
            use = PAGE_DATA;
        else if (use < 0 || !read_fragment(word, (unsigned)use, hint))
            return false;
    }
    return true;
}

static bool read_line(struct reader *reader, char *text)
{
    struct page_hint hint = {.life = 0};
    text += strspn(text, " \t\r");
    if (*text == '\0')
        return true;
    char *rest = text, begin[48];
    snprintf(begin, sizeof begin, "%s", text);
    if (!read_identity(&rest, &hint))
        return err_set(
            reader->err,
            "%s:%u: \"%s\" does not begin with a page, hexadecimal with 0x, and its life, from 1: file INODE "
            "PAGE LIFE; copy NAME INODE PAGE LIFE; bss, heap, stack or mmap NAME PAGE LIFE; frame PAGE LIFE",
            reader->name, reader->line, begin);
    if (!read_accesses(&rest, &hint))
        return err_set(
            reader->err,
            "%s:%u: behind the page are not \"code\" and \"data\" with FRAGMENT:ACCESSES:TURNS, fragments from 0 to %d",
            reader->name, reader->line, PAGE_FRAGMENTS - 1);
    if (page_hints_find(reader->hints, &hint.of) != PAGE_HINT_NONE)
        return refuse(reader, "this page comes twice");
    const int32_t index = page_hints_add(reader->hints, &hint.of);
    if (index == PAGE_HINT_NONE)
        return err_set(reader->err, "%s:%u: more than %d pages", reader->name, reader->line, PAGE_HINTS_MAX);
    reader->hints->hint[index] = hint;
    return true;
}

bool page_hints_read(struct page_hints **hints, const char *text, struct err *err)
{
    *hints = NULL;
    if (*text == '\0')
        return true;
    char *copy = *text == '@' ? input_file_text(INPUT_PAGE_HINTS, text + 1, err) : checked_memory(strdup(text));
    if (copy == NULL)
        return false;
    struct reader reader = {
        .name = *text == '@' ? text + 1 : "page_mapping.hints", .hints = page_hints_create(), .err = err};
    bool good = true;
    for (char *rest = copy, *line; good && (line = strsep(&rest, "\n")) != NULL;) {
        reader.line++;
        line[strcspn(line, "#")] = '\0';
        good = read_line(&reader, line);
    }
    free(copy);
    if (good)
        *hints = reader.hints;
    else
        page_hints_free(reader.hints);
    return good;
}
