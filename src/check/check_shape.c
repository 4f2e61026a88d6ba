#include "src/check/check_findings.h"

#include "src/base/log.h"
#include "src/base/printable.h"
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "object";
    case JSON_ARRAY: return "array";
    case JSON_STRING: return "string";
    case JSON_INTEGER: return "integer";
    case JSON_REAL: return "number";
    case JSON_NULL: return "null";
    default: return "boolean";
    }
}

static bool has_type(const json_t *value, const char *type)
{
    return strcmp(type, type_of(value)) == 0 || (strcmp(type, "number") == 0 && json_is_integer(value));
}

/* Is VALUE of the type TYPES, or of one of them? ALL is set to their names. */
static bool has_one_type(const json_t *value, const json_t *types, char *all, size_t size)
{
    size_t used = 0;
    if (json_is_string(types)) {
        snprintf(all, size, "%s", json_string_value(types));
        return has_type(value, all);
    }
    for (size_t i = 0; i < json_array_size(types); i++) {
        const char *type = json_string_value(json_array_get(types, i));
        if (has_type(value, type))
            return true;
        used += (size_t)snprintf(all + used, size - used, "%s%s", i ? " or " : "", type);
    }
    return false;
}

/* Does NAME contain a match of the extended regular expression PATTERN, of a schema? */
static bool matches(const char *pattern, const char *name)
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    const bool found = regexec(&compiled, name, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* The schema of the member NAME of an object; NULL: anything is allowed. */
static const json_t *member_schema(const json_t *schema, const char *name)
{
    const json_t *inner = json_object_get(json_object_get(schema, "properties"), name);
    const char *pattern;
    json_t *candidate;
    if (inner)
        return inner;
    json_object_foreach(json_object_get(schema, "patternProperties"), pattern,
                        candidate) if (matches(pattern, name)) return candidate;
    return json_object_get(schema, "additionalProperties");
}

static void check_object(struct check_findings *findings, const json_t *value, const json_t *schema, const json_t *root,
                         const struct check_place *place)
{
    const json_t *required = json_object_get(schema, "required");
    const char *name;
    json_t *member;
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *wanted = json_string_value(json_array_get(required, i));
        if (!json_object_get(value, wanted))
            check_complain(findings, place, "no member \"%s\"", wanted);
    }
    json_object_foreach((json_t *)value, name, member)
    {
        const struct check_place inner = {.outer = place, .name = name};
        const json_t *of_member = member_schema(schema, name);
        if (of_member)
            check_shape(findings, member, of_member, root, &inner);
    }
}

static void check_array(struct check_findings *findings, const json_t *value, const json_t *schema, const json_t *root,
                        const struct check_place *place)
{
    const json_t *prefix = json_object_get(schema, "prefixItems"), *items = json_object_get(schema, "items");
    const json_t *most = json_object_get(schema, "maxItems");
    const size_t count = json_array_size(value);
    if (count < (size_t)json_integer_value(json_object_get(schema, "minItems")) ||
        (most && count > (size_t)json_integer_value(most)))
        check_complain(findings, place, "%zu elements", count);
    for (size_t i = 0; i < count; i++) {
        const struct check_place inner = {.outer = place, .index = i};
        const json_t *of_element = i < json_array_size(prefix) ? json_array_get(prefix, i) : items;
        if (of_element)
            check_shape(findings, json_array_get(value, i), of_element, root, &inner);
    }
}

/* VALUE is none of those that the schema lists. */
static void complain_of_enum(struct check_findings *findings, const json_t *value, const json_t *listed,
                             const struct check_place *place)
{
    char *shown = json_dumps(value, JSON_ENCODE_ANY), *all = json_dumps(listed, JSON_ENCODE_ANY);
    if (shown)
        printable_replace(shown, '?');
    const size_t length = all ? strlen(all) : 0; /* without the brackets of the list */
    check_complain(findings, place, "%.60s is none of %.*s", shown ? shown : "?", length > 2 ? (int)length - 2 : 0,
                   length > 2 ? all + 1 : "");
    free(shown);
    free(all);
}

/* The schema that REFERENCE names: ROOT itself, or one of its definitions. */
static const json_t *referenced(const json_t *reference, const json_t *root)
{
    static const char prefix[] = "#/$defs/";
    const char *name = json_string_value(reference);
    if (strcmp(name, "#") == 0)
        return root;
    const json_t *schema = strncmp(name, prefix, strlen(prefix)) == 0
                               ? json_object_get(json_object_get(root, "$defs"), name + strlen(prefix))
                               : NULL;
    if (schema == NULL)
        log_bug("a schema has no %s", name);
    return schema;
}

void check_shape(struct check_findings *findings, const json_t *value, const json_t *schema, const json_t *root,
                 const struct check_place *place)
{
    const json_t *reference = json_object_get(schema, "$ref");
    if (reference) {
        check_shape(findings, value, referenced(reference, root), root, place);
        return;
    }
    const json_t *types = json_object_get(schema, "type"), *listed = json_object_get(schema, "enum");
    const json_t *minimum = json_object_get(schema, "minimum");
    char all[128] = "";
    if (types && !has_one_type(value, types, all, sizeof all)) {
        check_complain(findings, place, "%s, not %s", type_of(value), all);
        return;
    }
    bool found = !listed;
    for (size_t i = 0; i < json_array_size(listed); i++)
        found |= json_equal(value, json_array_get(listed, i));
    if (!found)
        complain_of_enum(findings, value, listed, place);
    if (minimum && json_is_real(value) && json_real_value(value) < json_number_value(minimum))
        check_complain(findings, place, "number less than %" JSON_INTEGER_FORMAT, json_integer_value(minimum));
    if (minimum && json_is_integer(value) && json_integer_value(value) < json_integer_value(minimum))
        check_complain(findings, place, "%" JSON_INTEGER_FORMAT " is less than %" JSON_INTEGER_FORMAT,
                       json_integer_value(value), json_integer_value(minimum));
    if (json_is_object(value))
        check_object(findings, value, schema, root, place);
    else if (json_is_array(value))
        check_array(findings, value, schema, root, place);
}
