#include "cache/placement/layout_map.h"

#include "src/base/address_text.h"
#include "src/base/input_file.h"
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 1 << 20, UNITS = PAGE_SIZE / LAYOUT_UNIT };

/* One kind of address. A page whose units all stay together has the XOR of its own and the new page's address in
 * `page`; any other page that is moved has where each unit goes in `units`. */
struct moves {
    uint32_t page[FRAMES]; /* 0: the page stays */
    paddr *units[FRAMES];  /* [UNITS] */
    bool any;
};

struct layout_map {
    struct moves code, data;
};

static paddr moved(const struct moves *moves, paddr address)
{
    const paddr *units = moves->units[address >> PAGE_SHIFT];
    if (units == NULL)
        return address ^ moves->page[address >> PAGE_SHIFT];
    return units[(address & (PAGE_SIZE - 1)) / LAYOUT_UNIT] + (address & (LAYOUT_UNIT - 1));
}

static bool moves_page(const struct moves *moves, paddr address)
{
    return moves->units[address >> PAGE_SHIFT] != NULL || moves->page[address >> PAGE_SHIFT] != 0;
}

paddr layout_moved_code(const struct layout_map *map, paddr address)
{
    return moved(&map->code, address);
}

paddr layout_moved_data(const struct layout_map *map, paddr address)
{
    return moved(&map->data, address);
}

bool layout_moves_code(const struct layout_map *map, paddr address)
{
    return map != NULL && moves_page(&map->code, address);
}

bool layout_moves_data(const struct layout_map *map, paddr address)
{
    return map != NULL && moves_page(&map->data, address);
}

bool layout_moves_any_code(const struct layout_map *map)
{
    return map != NULL && map->code.any;
}

bool layout_moves_any_data(const struct layout_map *map)
{
    return map != NULL && map->data.any;
}

uint32_t layout_data_together(const struct layout_map *map, paddr address, uint32_t size)
{
    uint32_t together = 0;
    if (map == NULL || !map->data.any)
        return size;
    const paddr first = layout_data(map, address);
    while (together < size && layout_data(map, address + together) == first + together) {
        const uint32_t at = address + together;
        const bool fine = map->data.units[at >> PAGE_SHIFT] != NULL;
        const uint32_t step = fine ? LAYOUT_UNIT : PAGE_SIZE;
        const uint32_t next = (at & ~(step - 1)) + step - at;
        together = next < size - together ? together + next : size;
    }
    return together;
}

bool layout_keeps_line(const struct layout_map *map, paddr address, uint32_t line)
{
    const paddr first = address & ~(line - 1);
    return (layout_data(map, first) & (line - 1)) == 0 && layout_data_together(map, first, line) == line;
}

bool layout_next_page(const struct layout_map *map, uint64_t *address)
{
    for (uint64_t frame = *address >> PAGE_SHIFT; map != NULL && frame < FRAMES; frame++)
        if (layout_moves_code(map, (paddr)(frame << PAGE_SHIFT)) ||
            layout_moves_data(map, (paddr)(frame << PAGE_SHIFT))) {
            *address = frame << PAGE_SHIFT;
            return true;
        }
    return false;
}

/* The file */

/* What the file says of one kind of address: where each unit goes, and for which units it says so. */
struct named {
    uint32_t unit;                           /* bytes, of the rule of the file: LAYOUT_UNIT or a multiple of it */
    uint64_t bytes;                          /* in all pieces */
    uint32_t first, end;                     /* frames that a FROM or a TO names: none before FIRST, none from END on */
    paddr *to[FRAMES];                       /* [UNITS] */
    uint64_t (*from[FRAMES])[UNITS / 64];    /* a bit for each unit that a FROM names */
    uint64_t (*reached[FRAMES])[UNITS / 64]; /* ... that a TO names */
};

struct reader {
    const char *name; /* for messages */
    unsigned line;
    struct named *code, *data;
    uint64_t memory;
    struct err *err;
};

static bool refuse(const struct reader *reader, const char *why, paddr address)
{
    return err_set(reader->err, "%s:%u: %s (0x%08x)", reader->name, reader->line, why, address);
}

/* The units of PIECE go where it says; PAGES have where each unit goes, by frame. */
static void set_units(paddr **pages, const struct layout_piece *piece)
{
    for (uint32_t done = 0; done < piece->size; done += LAYOUT_UNIT) {
        const paddr at = piece->from + done;
        paddr **page = &pages[at >> PAGE_SHIFT];
        if (*page == NULL) {
            *page = checked_memory(calloc(UNITS, sizeof **page));
            for (uint32_t i = 0; i < UNITS; i++)
                (*page)[i] = (at & ~(paddr)(PAGE_SIZE - 1)) + i * LAYOUT_UNIT;
        }
        (*page)[(at & (PAGE_SIZE - 1)) / LAYOUT_UNIT] = piece->to + done;
    }
}

/* Set the bit of the unit at ADDRESS; false: it is set already. */
static bool mark(uint64_t (**pages)[UNITS / 64], paddr address)
{
    uint64_t(**page)[UNITS / 64] = &pages[address >> PAGE_SHIFT];
    if (*page == NULL)
        *page = checked_memory(calloc(1, sizeof **page));
    const uint32_t number = (address & (PAGE_SIZE - 1)) / LAYOUT_UNIT;
    const uint64_t bit = UINT64_C(1) << number % 64;
    if ((**page)[number / 64] & bit)
        return false;
    (**page)[number / 64] |= bit;
    return true;
}

static bool is_marked(uint64_t (*const *pages)[UNITS / 64], paddr address)
{
    const uint32_t number = (address & (PAGE_SIZE - 1)) / LAYOUT_UNIT;
    return pages[address >> PAGE_SHIFT] != NULL && (*pages[address >> PAGE_SHIFT])[number / 64] >> number % 64 & 1;
}

/* The frames of the SIZE bytes from ADDRESS on are named. */
static void extend(struct named *named, paddr address, uint32_t size)
{
    const uint32_t first = address >> PAGE_SHIFT, end = (uint32_t)(((uint64_t)address + size - 1) >> PAGE_SHIFT) + 1;
    named->first = first < named->first ? first : named->first;
    named->end = end > named->end ? end : named->end;
}

static bool add_piece(struct reader *reader, struct named *named, paddr from, paddr to, uint32_t size)
{
    extend(named, from, size);
    extend(named, to, size);
    named->bytes += size;
    if (named->bytes > reader->memory)
        return refuse(reader, "more is moved than the machine's memory holds", from);
    for (uint32_t done = 0; done < size; done += LAYOUT_UNIT) {
        const paddr at = from + done;
        if (!mark(named->from, at))
            return refuse(reader, "this address is moved twice", at);
        if (!mark(named->reached, to + done))
            return refuse(reader, "two addresses are moved here", to + done);
    }
    set_units(named->to, &(struct layout_piece){from, to, size});
    return true;
}

static bool take_size(const char **text, uint32_t *size)
{
    char *rest;
    if (**text < '0' || **text > '9')
        return false;
    const unsigned long long value = strtoull(*text, &rest, (*text)[1] == 'x' ? 16 : 10);
    *text = rest;
    *size = (uint32_t)value;
    return value != 0 && value <= UINT32_MAX;
}

static void skip_blanks(const char **text)
{
    *text += strspn(*text, " \t\r");
}

/* One line, without its comment. */
static bool read_line(struct reader *reader, const char *text)
{
    paddr from, to;
    uint32_t size;
    skip_blanks(&text);
    if (*text == '\0')
        return true;
    const bool is_code = strncmp(text, "code", 4) == 0;
    struct named *named = is_code ? reader->code : reader->data;
    const char *at = text + 4;
    bool good = is_code || strncmp(text, "data", 4) == 0;
    good = good && strspn(at, " \t") > 0 && (skip_blanks(&at), address_text_take(&at, &from));
    good = good && strspn(at, " \t") > 0 && (skip_blanks(&at), address_text_take(&at, &to));
    good = good && strspn(at, " \t") > 0 && (skip_blanks(&at), take_size(&at, &size));
    if (!good || (skip_blanks(&at), *at != '\0'))
        return err_set(reader->err, "%s:%u: \"%.64s\" is not \"code FROM TO SIZE\" or \"data FROM TO SIZE\"; %s",
                       reader->name, reader->line, text, address_text_rule);
    if ((from | to | size) % named->unit != 0)
        return err_set(reader->err, "%s:%u: addresses and sizes of %s are multiples of %u bytes", reader->name,
                       reader->line, is_code ? "code" : "data", named->unit);
    if ((uint64_t)from + size > UINT64_C(1) << 32 || (uint64_t)to + size > UINT64_C(1) << 32)
        return err_set(reader->err, "%s:%u: ends behind the last address", reader->name, reader->line);
    return add_piece(reader, named, from, to, size);
}

static bool read_lines(struct reader *reader, char *text)
{
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        reader->line++;
        line[strcspn(line, "#")] = '\0';
        if (!read_line(reader, line))
            return false;
    }
    return true;
}

/* Does what comes to an address also leave it? */
static bool is_one_to_one(const struct named *named, const char *name, const char *kind, struct err *err)
{
    for (uint32_t frame = named->first; frame < named->end; frame++)
        for (uint32_t i = 0; named->to[frame] != NULL && i < UNITS; i++) {
            const paddr to = named->to[frame][i];
            if (is_marked(named->from, (frame << PAGE_SHIFT) + i * LAYOUT_UNIT) && !is_marked(named->from, to))
                return err_set(err, "%s: the %s at 0x%08x is moved to 0x%08x, from where none is moved", name, kind,
                               (frame << PAGE_SHIFT) + i * LAYOUT_UNIT, to);
        }
    return true;
}

static void take_page(struct moves *moves, uint32_t frame, paddr **page)
{
    const paddr own = frame << PAGE_SHIFT;
    bool together = ((*page)[0] & (PAGE_SIZE - 1)) == 0;
    for (uint32_t i = 1; together && i < UNITS; i++)
        together = (*page)[i] == (*page)[0] + i * LAYOUT_UNIT;
    if (together) {
        moves->page[frame] = (*page)[0] ^ own;
    } else {
        moves->units[frame] = *page;
        *page = NULL;
    }
    moves->any |= !together || moves->page[frame] != 0;
}

static void take_pages(struct moves *moves, struct named *named)
{
    for (uint32_t frame = named->first; frame < named->end; frame++)
        if (named->to[frame] != NULL)
            take_page(moves, frame, &named->to[frame]);
}

static void named_free(struct named *named)
{
    for (uint32_t frame = named->first; frame < named->end; frame++) {
        free(named->to[frame]);
        free(named->from[frame]);
        free(named->reached[frame]);
    }
    free(named);
}

static struct named *named_create(uint32_t unit)
{
    struct named *named = checked_memory(calloc(1, sizeof *named));
    named->unit = unit;
    named->first = FRAMES;
    return named;
}

static struct layout_map *create_empty(void)
{
    return checked_memory(calloc(1, sizeof(struct layout_map)));
}

void layout_map_add_pages(struct layout_map **map)
{
    layout_map_add_pieces(map, true);
}

static void move_pieces(struct moves *moves, const struct layout_piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        set_units(moves->units, &pieces[i]);
    for (size_t i = 0; i < count; i++)
        for (uint64_t at = pieces[i].from; at < (uint64_t)pieces[i].from + pieces[i].size;
             at = (at & ~(uint64_t)(PAGE_SIZE - 1)) + PAGE_SIZE) {
            const uint32_t frame = (uint32_t)(at >> PAGE_SHIFT);
            paddr *page = moves->units[frame];
            moves->units[frame] = NULL;
            if (page != NULL)
                take_page(moves, frame, &page);
            free(page);
        }
}

void layout_map_add_pieces(struct layout_map **map, bool data)
{
    if (*map == NULL)
        *map = create_empty();
    (*map)->code.any = true;
    (*map)->data.any |= data;
}

void layout_map_move(struct layout_map *map, const struct layout_piece *pieces, size_t count)
{
    move_pieces(&map->code, pieces, count);
    if (map->data.any)
        move_pieces(&map->data, pieces, count);
}

void layout_move_page(struct layout_map *map, uint32_t frame, uint32_t seen)
{
    map->code.page[frame] = map->data.page[frame] = (frame ^ seen) << PAGE_SHIFT;
}

bool layout_map_create(struct layout_map **map, const char *text, uint64_t memory, struct err *err)
{
    *map = NULL;
    if (*text == '\0')
        return true;
    char *copy = *text == '@' ? input_file_text(INPUT_LAYOUT, text + 1, err) : checked_memory(strdup(text));
    if (copy == NULL)
        return false;
    struct reader reader = {.name = *text == '@' ? text + 1 : "cache.layout",
                            .code = named_create(LAYOUT_UNIT),
                            .data = named_create(LAYOUT_DATA_UNIT),
                            .memory = memory,
                            .err = err};
    const bool good = read_lines(&reader, copy) && is_one_to_one(reader.code, reader.name, "code", err) &&
                      is_one_to_one(reader.data, reader.name, "data", err);
    if (good) {
        *map = create_empty();
        take_pages(&(*map)->code, reader.code);
        take_pages(&(*map)->data, reader.data);
        if (!(*map)->code.any && !(*map)->data.any) {
            layout_map_free(*map);
            *map = NULL;
        }
    }
    named_free(reader.code);
    named_free(reader.data);
    free(copy);
    return good;
}

static void moves_release(struct moves *moves)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        if (moves->units[frame] != NULL) /* few are */
            free(moves->units[frame]);
}

void layout_map_free(struct layout_map *map)
{
    if (map == NULL)
        return;
    moves_release(&map->code);
    moves_release(&map->data);
    free(map);
}
