/*
 * What if something took no time: stalls and cycles that are not charged, by routine, data structure, class of miss and
 * lock, as the cycles by place name them.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_WHATIF_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_WHATIF_H

#include "src/base/json_writer.h"
#include "src/base/log.h"
#include "src/base/types.h"

enum { WHATIF_MAX = 32 };

enum whatif_kind {
    WHATIF_MISS,    /* stalls of misses of a routine, on data, of a class, of a cause */
    WHATIF_ROUTINE, /* all cycles of a routine */
    WHATIF_LOCK, /* the cycles in which processors wait for a spin lock: taken back from the instructions behind it */
    WHATIF_TLB,  /* all cycles of the TLB refill handler */
    WHATIF_KINDS
};
/* Parts of WHATIF_MISS; the others have their name in the first one. */
enum whatif_part { WHATIF_OF_ROUTINE, WHATIF_OF_DATA, WHATIF_OF_CLASS, WHATIF_OF_CAUSE, WHATIF_PARTS };

struct whatif_item {
    enum whatif_kind kind;
    char *part[WHATIF_PARTS]; /* NULL: any */
    int64_t cycles;           /* those that were not charged */
};

struct whatif {
    struct whatif_item item[WHATIF_MAX];
    unsigned count;
};

/* Parse TEXT (docs/reference/explain.md): a new whatif, or NULL with ERR. "\\" makes the next character a plain one. */
struct whatif *whatif_parse(const char *text, struct err *err);
void whatif_free(struct whatif *whatif); /* NULL is ignored */

/* The items of KIND, one bit each, whose PART is NAME or any. */
uint32_t whatif_matches(const struct whatif *whatif, enum whatif_kind kind, enum whatif_part part, const char *name);
/* Does WHATIF, which may be NULL, have an item of KIND? */
bool whatif_has(const struct whatif *whatif, enum whatif_kind kind);

/* Write the member `free`: what was not charged. */
void whatif_write_json(const struct whatif *whatif, struct json_writer *json);

#endif
