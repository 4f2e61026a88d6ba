#include "annotations/symbols/layouts.h"

#include "src/base/array.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_layout(struct layout *layout)
{
    free(layout->field);
    free(layout);
}

void layouts_free(struct layouts *layouts)
{
    while (layouts->first) {
        struct layout *layout = layouts->first;
        layouts->first = layout->next;
        free_layout(layout);
    }
    while (layouts->constants) {
        struct layout_constant *constant = layouts->constants;
        layouts->constants = constant->next;
        free(constant);
    }
    *layouts = (struct layouts){0};
}

struct layout *layouts_add(struct layouts *layouts, const char *name, uint32_t size)
{
    struct layout *layout = checked_memory(calloc(1, sizeof *layout));
    snprintf(layout->name, sizeof layout->name, "%s", name);
    layout->size = size;
    layout->next = layouts->first;
    return layouts->first = layout;
}

struct layout_field *layout_add_field(struct layout *layout)
{
    layout->field = array_room(layout->field, layout->count, sizeof *layout->field);
    layout->field[layout->count] = (struct layout_field){0};
    return &layout->field[layout->count++];
}

const struct layout *layouts_find(const struct layouts *layouts, const char *name)
{
    const struct layout *layout = layouts->first;
    while (layout && strcmp(layout->name, name) != 0)
        layout = layout->next;
    return layout;
}

const struct layout_field *layout_field(const struct layout *layout, const char *name)
{
    for (unsigned i = 0; layout && i < layout->count; i++)
        if (strcmp(layout->field[i].name, name) == 0)
            return &layout->field[i];
    return NULL;
}

const struct layout_constant *layouts_constant(const struct layouts *layouts, const char *name)
{
    const struct layout_constant *constant = layouts->constants;
    while (constant && strcmp(constant->name, name) != 0)
        constant = constant->next;
    return constant;
}

/* Parsing: each line is copied and split into words */

enum { WORDS = 5, LINE_BYTES = 512 };

struct line {
    char text[LINE_BYTES];
    unsigned count;
    const char *word[WORDS];
};

/* Split a line into words. False if it is too long, has too many words, or contains control characters. */
static bool split_line(struct line *line, const char *at, size_t length)
{
    line->count = 0;
    if (length >= sizeof line->text)
        return false;
    memcpy(line->text, at, length);
    line->text[length] = '\0';
    for (char *text = line->text; *text;) {
        while (*text == ' ' || *text == '\t')
            *text++ = '\0';
        if (!*text)
            break;
        if (line->count == WORDS)
            return false;
        line->word[line->count++] = text;
        for (; *text && *text != ' ' && *text != '\t'; text++)
            if (!isgraph((unsigned char)*text))
                return false;
    }
    return true;
}

static bool is_statement(const struct line *line, const char *word, unsigned count)
{
    return line->count == count && strcmp(line->word[0], word) == 0;
}

static bool parse_number(const char *word, uint32_t most, uint32_t *value)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(word, &end, 0);
    if (!isdigit((unsigned char)*word) || *end || errno || number > most)
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool parse_name(const char *word, char *name)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) && word[i] != '_' && strcmp(word, "?") != 0)
            return false;
    if (length >= LAYOUT_NAME)
        return false;
    memcpy(name, word, length + 1);
    return true;
}

/* Parse KIND with the closing brace of its field: [*]NAME[[N]]; NAME is "?" if DWARF has none. */
static bool parse_kind(const char *word, char *kind)
{
    const size_t length = strlen(word);
    if (length < 2 || word[length - 1] != '}' || length > LAYOUT_NAME)
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if (!isalnum((unsigned char)word[i]) && !strchr("_*?[]", word[i]))
            return false;
    memcpy(kind, word, length - 1);
    kind[length - 1] = '\0';
    const char *bracket = strchr(kind, '[');
    uint32_t elements;
    if (bracket) {
        char count[LAYOUT_NAME];
        const size_t digits = strcspn(bracket + 1, "]");
        if (strcmp(bracket + 1 + digits, "]") != 0)
            return false;
        snprintf(count, sizeof count, "%.*s", (int)digits, bracket + 1);
        if (!parse_number(count, LAYOUT_BYTES_MAX, &elements))
            return false;
    }
    return true;
}

static bool parse_field(struct layout *layout, const struct line *line)
{
    struct layout_field *field = layout_add_field(layout);
    return line->count == 4 && line->word[0][0] == '{' && parse_name(line->word[0] + 1, field->name) &&
           field->name[0] && parse_number(line->word[1], LAYOUT_BYTES_MAX, &field->offset) &&
           parse_number(line->word[2], LAYOUT_BYTES_MAX, &field->size) && parse_kind(line->word[3], field->kind);
}

static bool parse_constant(struct layouts *layouts, const struct line *line)
{
    struct layout_constant *constant = checked_memory(calloc(1, sizeof *constant));
    constant->next = layouts->constants;
    layouts->constants = constant;
    return parse_name(line->word[1], constant->name) && parse_number(line->word[2], UINT32_MAX, &constant->value);
}

static bool parse_release(struct layouts *layouts, const struct line *line)
{
    if (layouts->release[0] || strlen(line->word[1]) >= sizeof layouts->release)
        return false;
    snprintf(layouts->release, sizeof layouts->release, "%s", line->word[1]);
    return true;
}

/* Parse a line outside of structures. If it starts a structure, *OPEN is set to it. */
static bool parse_line(struct layouts *layouts, const struct line *line, struct layout **open)
{
    char name[LAYOUT_NAME];
    uint32_t size;
    if (is_statement(line, "kernel", 2))
        return parse_release(layouts, line);
    if (!layouts->release[0])
        return false;
    if (is_statement(line, "image_end", 2))
        return parse_number(line->word[1], UINT32_MAX, &layouts->image_end);
    if (is_statement(line, "constant", 3))
        return parse_constant(layouts, line);
    if (!is_statement(line, "struct", 4) || strcmp(line->word[3], "{") != 0 || !parse_name(line->word[1], name) ||
        !parse_number(line->word[2], LAYOUT_BYTES_MAX, &size))
        return false;
    *open = layouts_add(layouts, name, size);
    return true;
}

static bool read_lines(struct layouts *layouts, const char *text, const char *path, struct err *err)
{
    struct layout *open = NULL;
    unsigned number = 0;
    for (const char *at = text; *at;) {
        struct line line;
        const size_t length = strcspn(at, "\n");
        bool good = true;
        number++;
        if (at[0] != '#') {
            good = split_line(&line, at, length);
            if (good && open && is_statement(&line, "}", 1))
                open = NULL;
            else if (good && line.count)
                good = open ? parse_field(open, &line) : parse_line(layouts, &line, &open);
        }
        if (!good)
            return err_set(err, "%s, line %u: %s", path, number,
                           open ? "not {FIELD OFFSET SIZE KIND}, nor the } of a structure"
                           : !layouts->release[0]
                               ? "not \"kernel RELEASE\", which comes first"
                               : "not image_end, constant or struct as annotations/symbols/layouts.h has them");
        at += length + (at[length] == '\n');
    }
    if (open)
        return err_set(err, "%s, line %u: structure %s has no end", path, number, open->name);
    return layouts->release[0] || err_set(err, "%s, line %u: no \"kernel RELEASE\"", path, number);
}

void layouts_join(struct layouts *layouts, struct layouts *newer)
{
    struct layout **last = &newer->first;
    while (*last)
        last = &(*last)->next;
    *last = layouts->first;
    struct layout_constant **end = &newer->constants;
    while (*end)
        end = &(*end)->next;
    *end = layouts->constants;
    *layouts = *newer;
    *newer = (struct layouts){0};
}

bool layouts_read(struct layouts *layouts, const char *text, const char *path, struct err *err)
{
    *layouts = (struct layouts){0};
    if (read_lines(layouts, text, path, err))
        return true;
    layouts_free(layouts);
    return false;
}
