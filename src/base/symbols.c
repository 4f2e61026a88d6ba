#include "src/base/symbols.h"

#include "src/base/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct symbols {
    struct symbol *by_address;
    const struct symbol **by_name;
    size_t count;
    char *text;    /* text of the file; names point into it */
    bool complete; /* the file or table has data too */
    uint32_t moved_by;
    struct symbols_image image;
    struct symbol *exported; /* by address; NULL: not searched, or not found */
    size_t exported_count;
};

static int compare_addresses(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->rank != y->rank ? x->rank - y->rank : strcmp(x->name, y->name);
}

static int compare_names(const void *a, const void *b)
{
    const struct symbol *x = *(const struct symbol *const *)a, *y = *(const struct symbol *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->address < y->address ? -1 : x->address > y->address;
}

/* Parse one line in place; *TYPE is its letter. False if it is malformed; NAME is NULL for a symbol of a module. */
static bool parse_line(char *line, struct symbol *symbol, char *type)
{
    char *at;
    errno = 0;
    unsigned long long address = strtoull(line, &at, 16);
    if (at == line || *at != ' ' || !at[1] || at[2] != ' ' || !at[3] || errno)
        return false;
    /* a 64-bit tool may have sign-extended the address */
    if (address > UINT32_MAX && address >> 31 != 0x1ffffffffull)
        return false;
    *type = at[1];
    char *name = at + 3;
    char *rest = strpbrk(name, " \t");
    symbol->address = (vaddr)address;
    symbol->name = rest ? NULL : name;
    return true;
}

static void sort(struct symbols *symbols)
{
    qsort(symbols->by_address, symbols->count, sizeof *symbols->by_address, compare_addresses);
    for (size_t i = 0; i < symbols->count; i++)
        symbols->by_name[i] = &symbols->by_address[i];
    qsort(symbols->by_name, symbols->count, sizeof *symbols->by_name, compare_names);
}

/* With room for COUNT symbols. */
static struct symbols *create(size_t count)
{
    struct symbols *symbols = checked_memory(calloc(1, sizeof *symbols));
    symbols->by_address = checked_memory(calloc(count + 1, sizeof *symbols->by_address));
    symbols->by_name = checked_memory(calloc(count + 1, sizeof *symbols->by_name));
    return symbols;
}

struct symbols *symbols_make(const struct symbol *list, size_t count)
{
    struct symbols *symbols = create(count);
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(list[i].name) + 1;
    char *to = symbols->text = checked_memory(malloc(bytes));
    for (size_t i = 0; i < count; i++) {
        symbols->by_address[i] = (struct symbol){list[i].address, strcpy(to, list[i].name), list[i].rank};
        to += strlen(to) + 1;
    }
    symbols->count = count;
    symbols->complete = true;
    sort(symbols);
    return symbols;
}

struct symbols *symbols_load(const char *path, struct err *err)
{
    char *text = input_file_text(INPUT_SYMBOLS, path, err);
    if (!text)
        return NULL;
    size_t lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    struct symbols *symbols = create(lines);
    symbols->text = text;
    size_t number = 1;
    for (char *line = text, *next; *line; line = next, number++) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = 0;
        struct symbol *symbol = &symbols->by_address[symbols->count];
        char type;
        if (!parse_line(line, symbol, &type)) {
            err_set(err, "symbol file %s, line %zu: not \"ADDRESS TYPE NAME\"", path, number);
            symbols_free(symbols);
            return NULL;
        }
        if (symbol->name)
            symbols->count++;
        /* data without initial values: a list of functions has none, but may have _gp, which is of type D */
        symbols->complete |= type == 'b' || type == 'B';
    }
    sort(symbols);
    return symbols;
}

void symbols_set_image(struct symbols *symbols, const struct symbols_image *image)
{
    symbols->image = *image;
}

void symbols_move(struct symbols *symbols, uint32_t offset)
{
    for (size_t i = 0; i < symbols->count; i++)
        symbols->by_address[i].address += offset;
    sort(symbols); /* some addresses may have wrapped around */
    free(symbols->exported);
    symbols->exported = NULL;
    symbols->moved_by += offset;
}

uint32_t symbols_moved_by(const struct symbols *symbols)
{
    return symbols->moved_by;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    free(symbols->exported);
    free(symbols->by_address);
    free(symbols->by_name);
    free(symbols->text);
    free(symbols);
}

/* Search the exported symbols on first use, until found. A cache: SYMBOLS is logically unchanged. */
static void load_exported(struct symbols *symbols)
{
    if (!symbols->exported && symbols->image.bytes)
        symbols->exported = symbols_find_exports(&symbols->image, &symbols->exported_count);
}

static const struct symbol *find_exported(struct symbols *symbols, const char *name)
{
    load_exported(symbols);
    for (size_t i = 0; symbols->exported && i < symbols->exported_count; i++)
        if (strcmp(symbols->exported[i].name, name) == 0)
            return &symbols->exported[i];
    return NULL;
}

/* Index in by_name of the first symbol NAME; that of another symbol, or count, if there is none. */
static size_t find_first(const struct symbols *symbols, const char *name)
{
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(symbols->by_name[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_name(const struct symbols *symbols, size_t index, const char *name)
{
    return index < symbols->count && strcmp(symbols->by_name[index]->name, name) == 0;
}

const struct symbol *symbols_find(const struct symbols *symbols, const char *name)
{
    const size_t first = find_first(symbols, name);
    return has_name(symbols, first, name) ? symbols->by_name[first]
                                          : find_exported((struct symbols *)(uintptr_t)symbols, name);
}

bool symbols_text(const struct symbols *symbols, vaddr *first, vaddr *end)
{
    const struct symbol *text = symbols ? symbols_find(symbols, "_text") : NULL;
    const struct symbol *etext = symbols ? symbols_find(symbols, "_etext") : NULL;
    if (!text || !etext)
        return false;
    *first = text->address;
    *end = etext->address;
    return true;
}

bool symbols_have_data(const struct symbols *symbols)
{
    return symbols->complete;
}

bool symbols_find_all(const struct symbols *symbols, const char *name, struct address_list *list)
{
    const struct symbol *symbol = symbols_find(symbols, name);
    for (size_t i = find_first(symbols, name); has_name(symbols, i, name); i++)
        address_list_add(list, symbols->by_name[i]->address);
    if (symbol)
        address_list_add(list, symbol->address);
    return symbol != NULL;
}

const char *symbols_in_other_case(const struct symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (strcasecmp(symbols->by_name[i]->name, name) == 0)
            return symbols->by_name[i]->name;
    return NULL;
}

const struct symbol *symbols_exported_at(const struct symbols *symbols, vaddr address)
{
    if (symbols->complete)
        return symbols_at(symbols, address);
    load_exported((struct symbols *)(uintptr_t)symbols);
    size_t low = 0, high = symbols->exported ? symbols->exported_count : 0;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (symbols->exported[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &symbols->exported[low - 1] : NULL;
}

const struct symbol *symbols_at(const struct symbols *symbols, vaddr address)
{
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols->by_address[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &symbols->by_address[low - 1] : NULL;
}

const struct symbol *symbols_get(const struct symbols *symbols, size_t index)
{
    return index < symbols->count ? &symbols->by_address[index] : NULL;
}
