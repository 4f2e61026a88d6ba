/*
 * Kernel structures, and typed expressions over kernel memory.
 *
 * Expressions are in C syntax, as in SimOS: optional kernel::, then a symbol, &symbol, a number or a register ($a0),
 * followed by ->FIELD, .FIELD, [N]; casts as (struct NAME *), and parentheses.
 */
#include "annotations/tcl/annotate_state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_NAME = LAYOUT_NAME };

static int get_size(struct annotate *annotate, Tcl_Obj *word, uint32_t *value)
{
    int number;
    if (Tcl_GetIntFromObj(annotate->interp, word, &number) != TCL_OK)
        return TCL_ERROR;
    if (number < 0 || number > LAYOUT_BYTES_MAX)
        return annotate_error(annotate, "%d is not an offset or size", number);
    *value = (uint32_t)number;
    return TCL_OK;
}

static int read_field(struct annotate *annotate, Tcl_Obj *word, struct layout_field *field)
{
    Tcl_Size count;
    Tcl_Obj **part;
    if (Tcl_ListObjGetElements(annotate->interp, word, &count, &part) != TCL_OK)
        return TCL_ERROR;
    if (count != 4)
        return annotate_error(annotate, "\"%s\" is not {FIELD OFFSET SIZE KIND}", Tcl_GetString(word));
    snprintf(field->name, sizeof field->name, "%s", Tcl_GetString(part[0]));
    snprintf(field->kind, sizeof field->kind, "%s", Tcl_GetString(part[3]));
    return get_size(annotate, part[1], &field->offset) == TCL_OK ? get_size(annotate, part[2], &field->size)
                                                                 : TCL_ERROR;
}

/* struct NAME SIZE {{FIELD OFFSET SIZE KIND} ...} defines a structure; struct NAME FIELD returns an offset. */
int struct_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct annotate *annotate = data;
    Tcl_Size fields;
    Tcl_Obj **field;
    uint32_t offset;
    if (count == 3) {
        if (!layout_offset(&annotate->view, Tcl_GetString(words[1]), Tcl_GetString(words[2]), &offset))
            return annotate_error(annotate, "no structure \"%s\" with a field \"%s\" is known", Tcl_GetString(words[1]),
                                  Tcl_GetString(words[2]));
        Tcl_SetObjResult(interp, Tcl_NewWideIntObj(offset));
        return TCL_OK;
    }
    if (count != 4) {
        Tcl_WrongNumArgs(interp, 1, words, "NAME FIELD | NAME SIZE {{FIELD OFFSET SIZE KIND} ...}");
        return TCL_ERROR;
    }
    if (Tcl_ListObjGetElements(interp, words[3], &fields, &field) != TCL_OK)
        return TCL_ERROR;
    uint32_t size = 0;
    struct layouts read = {0};
    int code = get_size(annotate, words[2], &size);
    struct layout *layout = layouts_add(&read, Tcl_GetString(words[1]), size);
    for (Tcl_Size i = 0; i < fields && code == TCL_OK; i++)
        code = read_field(annotate, field[i], layout_add_field(layout));
    if (code != TCL_OK) {
        layouts_free(&read);
        return code;
    }
    layout->next = annotate->view.layouts.first;
    annotate->view.layouts.first = layout;
    Tcl_ResetResult(interp);
    return TCL_OK;
}

/* Values */

/* A typed value: an object in memory, or a word. */
struct value {
    bool in_memory;
    uint32_t word; /* the address, or the value */
    char kind[FIELD_NAME];
    uint32_t size;
};

static bool load(struct annotate *annotate, struct value *value, struct err *err)
{
    uint32_t word = 0;
    uint32_t size = value->size > 4 ? 4 : value->size;
    if (!value->in_memory)
        return true;
    if (!machine_view_read(annotate->core, value->word, &word, size))
        return err_set(err, "address 0x%08x is not mapped to RAM", value->word);
    if (value->kind[0] == 'i' && size < 4 && word >> (8 * size - 1))
        word |= ~0u << 8 * size;
    value->word = word;
    value->in_memory = false;
    return true;
}

static bool is_plain(const char *kind)
{
    return kind[0] == '*' || ((kind[0] == 'u' || kind[0] == 'i') && !kind[1]);
}

static int set_result(struct annotate *annotate, struct value *value, struct err *err)
{
    char text[256];
    Tcl_Obj *result;
    if (value->in_memory && value->kind[0] == 'c' && !value->kind[1]) {
        machine_view_string(annotate->core, value->word, text,
                            value->size < sizeof text ? value->size + 1 : (uint32_t)sizeof text);
        result = Tcl_NewStringObj(text, -1);
    } else if (value->in_memory && value->size == 8 && is_plain(value->kind)) {
        uint64_t number;
        if (!machine_view_read(annotate->core, value->word, &number, sizeof number))
            return annotate_error(annotate, "address 0x%08x is not mapped to RAM", value->word);
        result = Tcl_NewWideIntObj((Tcl_WideInt)number);
    } else if (value->in_memory && !is_plain(value->kind)) {
        snprintf(text, sizeof text, "0x%08x", value->word); /* a structure or array: its address */
        result = Tcl_NewStringObj(text, -1);
    } else {
        if (!load(annotate, value, err))
            return annotate_error(annotate, "%s", err->text);
        snprintf(text, sizeof text, "0x%08x", value->word);
        result = value->kind[0] == '*'   ? Tcl_NewStringObj(text, -1)
                 : value->kind[0] == 'i' ? Tcl_NewWideIntObj((int32_t)value->word)
                                         : Tcl_NewWideIntObj(value->word);
    }
    Tcl_SetObjResult(annotate->interp, result);
    return TCL_OK;
}

static bool member(struct annotate *annotate, struct value *value, const char *name, struct err *err)
{
    const char *type = value->kind[0] == '*' ? value->kind + 1 : value->kind;
    const struct layout *layout = layouts_find(&annotate->view.layouts, type);
    const struct layout_field *field = layout_field(layout, name);
    if (!layout)
        return err_set(err, "the layout of structure \"%.48s\" is not known", type);
    if (!field)
        return err_set(err, "structure %.48s has no field \"%.48s\"", type, name);
    if (value->kind[0] == '*' && !load(annotate, value, err))
        return false;
    if (value->kind[0] != '*' && !value->in_memory)
        return err_set(err, "\"%.48s\" is not a structure in memory", type);
    value->word += field->offset;
    value->in_memory = true;
    value->size = field->size;
    memcpy(value->kind, field->kind, sizeof value->kind);
    return true;
}

/* Element INDEX of an array KIND[N], or of the array that a pointer points to. */
static bool element(struct annotate *annotate, struct value *value, uint32_t index, struct err *err)
{
    char *bracket = strchr(value->kind, '[');
    uint32_t size;
    if (bracket) {
        unsigned long count = strtoul(bracket + 1, NULL, 10);
        if (index >= count)
            return err_set(err, "there is no element %u of %lu", index, count);
        size = value->size / (uint32_t)count;
        *bracket = '\0';
    } else if (value->kind[0] == 'c') {
        size = 1;
        snprintf(value->kind, sizeof value->kind, "u");
    } else if (value->kind[0] == '*') {
        const struct layout *layout = layouts_find(&annotate->view.layouts, value->kind + 1);
        if (!load(annotate, value, err))
            return false;
        bool text = strcmp(value->kind, "*c") == 0, is_signed = strcmp(value->kind, "*i") == 0;
        size = layout ? layout->size : text ? 1 : 4;
        memmove(value->kind, value->kind + 1, strlen(value->kind));
        if (!layout)
            snprintf(value->kind, sizeof value->kind, "%s", is_signed ? "i" : "u");
    } else
        return err_set(err, "[%u]: not an array", index);
    value->in_memory = true;
    value->word += index * size;
    value->size = size;
    return true;
}

/* Parsing */

struct parser {
    struct annotate *annotate;
    const char *at;
    unsigned depth;
    struct err *err;
};

static void skip(struct parser *parser)
{
    while (isspace((unsigned char)*parser->at))
        parser->at++;
}

static bool take(struct parser *parser, const char *text)
{
    skip(parser);
    size_t length = strlen(text);
    if (strncmp(parser->at, text, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static bool take_word(struct parser *parser, char *name, size_t size)
{
    size_t length = 0;
    skip(parser);
    while (isalnum((unsigned char)parser->at[length]) || parser->at[length] == '_')
        length++;
    if (length == 0 || length >= size)
        return err_set(parser->err, "a name is expected at \"%.32s\"", parser->at);
    snprintf(name, size, "%.*s", (int)length, parser->at);
    parser->at += length;
    return true;
}

static bool parse_postfix(struct parser *parser, struct value *value);

/* Parse a cast after its "(": (struct NAME *), (int *) and the like, and the expression that it applies to. */
static bool parse_cast(struct parser *parser, struct value *value)
{
    char name[FIELD_NAME - 2], kind[FIELD_NAME] = "u";
    bool structure = take(parser, "struct ");
    if (!take_word(parser, name, sizeof name))
        return false;
    bool is_signed = strcmp(name, "int") == 0 || strcmp(name, "long") == 0 || strcmp(name, "short") == 0;
    uint32_t size = strcmp(name, "char") == 0 ? 1 : strcmp(name, "short") == 0 ? 2 : 4;
    bool pointer = take(parser, "*");
    if (!take(parser, ")"))
        return err_set(parser->err, "\")\" is expected at \"%.32s\"", parser->at);
    if (structure && !pointer)
        return err_set(parser->err, "a value cannot be cast to a structure");
    if (pointer && size == 2)
        return err_set(parser->err, "only (struct NAME *), (int *) and (char *) are pointers here");
    if (structure)
        snprintf(kind, sizeof kind, "*%s", name);
    else if (pointer && size == 1)
        snprintf(kind, sizeof kind, "*c");
    else
        snprintf(kind, sizeof kind, "%s%s", pointer ? "*" : "", is_signed ? "i" : "u");
    if (!parse_postfix(parser, value) || !load(parser->annotate, value, parser->err))
        return false;
    memcpy(value->kind, kind, sizeof kind);
    value->size = pointer ? 4 : size;
    return true;
}

static bool is_cast(const struct parser *parser)
{
    static const char *const types[] = {"struct", "int", "unsigned", "long", "short", "char"};
    const char *at = parser->at;
    while (isspace((unsigned char)*at))
        at++;
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i]) == length && strncmp(at, types[i], length) == 0)
            return true;
    return false;
}

static bool parse_primary(struct parser *parser, struct value *value)
{
    char name[128];
    *value = (struct value){.size = 4, .kind = "u"};
    skip(parser);
    if (take(parser, "(")) {
        if (++parser->depth > 32)
            return err_set(parser->err, "too many parentheses");
        if (is_cast(parser))
            return parse_cast(parser, value);
        return parse_postfix(parser, value) &&
               (take(parser, ")") || err_set(parser->err, "\")\" is expected at \"%.32s\"", parser->at));
    }
    if (isdigit((unsigned char)*parser->at)) {
        char *end;
        value->word = (uint32_t)strtoul(parser->at, &end, 0);
        parser->at = end;
        return true;
    }
    if (*parser->at == '$') {
        parser->at++;
        if (!take_word(parser, name, sizeof name))
            return false;
        const char *text = Tcl_GetVar(parser->annotate->interp, name, TCL_GLOBAL_ONLY);
        if (!text)
            return err_set(parser->err, "there is no variable \"%.64s\"", name);
        value->word = (uint32_t)strtoul(text, NULL, 0);
        return true;
    }
    value->in_memory = !take(parser, "&");
    if (!take_word(parser, name, sizeof name))
        return false;
    return machine_view_symbol(&parser->annotate->view.machine, name, &value->word, parser->err);
}

static bool parse_postfix(struct parser *parser, struct value *value)
{
    char name[FIELD_NAME];
    if (!parse_primary(parser, value))
        return false;
    for (;;) {
        if (take(parser, "->") || take(parser, ".")) {
            if (!take_word(parser, name, sizeof name) || !member(parser->annotate, value, name, parser->err))
                return false;
        } else if (take(parser, "[")) {
            char *end;
            skip(parser);
            unsigned long index = strtoul(parser->at, &end, 0);
            if (end == parser->at || index > UINT16_MAX)
                return err_set(parser->err, "a number is expected at \"%.32s\"", parser->at);
            parser->at = end;
            if (!take(parser, "]"))
                return err_set(parser->err, "\"]\" is expected at \"%.32s\"", parser->at);
            if (!element(parser->annotate, value, (uint32_t)index, parser->err))
                return false;
        } else
            return true;
    }
}

int annotate_symbol_read(struct annotate *annotate, const char *text)
{
    struct err err = {""};
    struct value value;
    struct parser parser = {.annotate = annotate, .at = text, .err = &err};
    annotate_add_variables(annotate);
    take(&parser, "kernel::");
    if (!parse_postfix(&parser, &value))
        return annotate_error(annotate, "symbol read \"%.128s\": %s", text, err.text);
    skip(&parser);
    if (*parser.at)
        return annotate_error(annotate, "symbol read \"%.128s\": unexpected \"%.32s\"", text, parser.at);
    return set_result(annotate, &value, &err);
}

/* field STRUCTURE ADDRESS FIELD */
int field_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct annotate *annotate = data;
    struct err err = {""};
    struct value value = {.size = 4};
    if (count != 4) {
        Tcl_WrongNumArgs(interp, 1, words, "STRUCTURE ADDRESS FIELD");
        return TCL_ERROR;
    }
    if (!annotate_resolve_fixed(annotate, Tcl_GetString(words[2]), &value.word, &err))
        return annotate_error(annotate, "%s", err.text);
    snprintf(value.kind, sizeof value.kind, "*%.46s", Tcl_GetString(words[1]));
    if (!member(annotate, &value, Tcl_GetString(words[3]), &err))
        return annotate_error(annotate, "%s", err.text);
    return set_result(annotate, &value, &err);
}
