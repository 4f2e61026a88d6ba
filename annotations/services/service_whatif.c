#include "annotations/services/service_whatif.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[WHATIF_KINDS] = {
    [WHATIF_MISS] = "miss", [WHATIF_ROUTINE] = "routine", [WHATIF_LOCK] = "lock", [WHATIF_TLB] = "tlb"};

/* Copy the characters from *AT on up to one of STOPS, without the backslashes before plain characters, and move *AT
 * there. NULL for "*". */
static char *take_part(const char **at, const char *stops)
{
    char *part = checked_memory(malloc(strlen(*at) + 1));
    size_t length = 0;
    const bool any = **at == '*' && ((*at)[1] == '\0' || strchr(stops, (*at)[1]));
    for (; **at && !strchr(stops, **at); ++*at) {
        if (**at == '\\' && (*at)[1])
            ++*at;
        part[length++] = **at;
    }
    part[length] = '\0';
    if (!any)
        return part;
    free(part);
    return NULL;
}

static bool parse_item(struct whatif *whatif, const char **at, struct err *err)
{
    struct whatif_item *item = &whatif->item[whatif->count++];
    const char *text = *at;
    const size_t length = strcspn(*at, ":,");
    unsigned kind = 0;
    while (kind < WHATIF_KINDS && (strlen(kind_names[kind]) != length || strncmp(kind_names[kind], *at, length) != 0))
        kind++;
    if (kind == WHATIF_KINDS)
        return err_set(
            err, "whatif.free: \"%.100s\" is not miss:ROUTINE|DATA|CLASS|CAUSE, routine:NAME, lock:NAME or tlb", text);
    item->kind = (enum whatif_kind)kind;
    *at += length;
    if (kind == WHATIF_TLB)
        return **at != ':' || err_set(err, "whatif.free: \"%.100s\": tlb has no name", text);
    if (**at != ':')
        return err_set(err, "whatif.free: \"%.100s\": no name after %s:", text, kind_names[kind]);
    const unsigned parts = kind == WHATIF_MISS ? WHATIF_PARTS : 1;
    for (unsigned part = 0; part == 0 || (part < parts && **at == '|'); part++) {
        ++*at;
        item->part[part] = take_part(at, kind == WHATIF_MISS ? "|," : ",");
    }
    if (**at == '|')
        return err_set(err, "whatif.free: \"%.100s\" has more than %d parts", text, WHATIF_PARTS);
    return kind == WHATIF_MISS || (item->part[0] && *item->part[0]) ||
           err_set(err, "whatif.free: \"%.100s\": no name after %s:", text, kind_names[kind]);
}

struct whatif *whatif_parse(const char *text, struct err *err)
{
    struct whatif *whatif = checked_memory(calloc(1, sizeof *whatif));
    for (const char *at = text;;) {
        if (whatif->count == WHATIF_MAX) {
            err_set(err, "whatif.free: more than %d items", WHATIF_MAX);
            break;
        }
        if (!parse_item(whatif, &at, err))
            break;
        if (*at == '\0')
            return whatif;
        at++;
    }
    whatif_free(whatif);
    return NULL;
}

void whatif_free(struct whatif *whatif)
{
    if (!whatif)
        return;
    for (unsigned i = 0; i < whatif->count; i++)
        for (unsigned part = 0; part < WHATIF_PARTS; part++)
            free(whatif->item[i].part[part]);
    free(whatif);
}

uint32_t whatif_matches(const struct whatif *whatif, enum whatif_kind kind, enum whatif_part part, const char *name)
{
    uint32_t matches = 0;
    for (unsigned i = 0; i < whatif->count; i++) {
        const struct whatif_item *item = &whatif->item[i];
        if (item->kind == kind && (!item->part[part] || strcmp(item->part[part], name) == 0))
            matches |= UINT32_C(1) << i;
    }
    return matches;
}

bool whatif_has(const struct whatif *whatif, enum whatif_kind kind)
{
    for (unsigned i = 0; whatif && i < whatif->count; i++)
        if (whatif->item[i].kind == kind)
            return true;
    return false;
}

void whatif_write_json(const struct whatif *whatif, struct json_writer *json)
{
    json_line(json, 5);
    json_member_array(json, "free");
    for (unsigned i = 0; i < whatif->count; i++) {
        const struct whatif_item *item = &whatif->item[i];
        json_line(json, 6);
        json_begin_object(json);
        json_member_text(json, "kind", kind_names[item->kind]);
        json_member_array(json, "names");
        for (unsigned part = 0; part < (item->kind == WHATIF_MISS ? WHATIF_PARTS : item->kind != WHATIF_TLB); part++)
            json_put_text(json, item->part[part] ? item->part[part] : "*");
        json_end_array(json);
        json_key(json, "cycles");
        json_put_integer(json, item->cycles);
        json_end_object(json);
    }
    json_line(json, 5);
    json_end_array(json);
}
