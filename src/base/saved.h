/*
 * Saved state of a machine: a list of sections, each with a name, a version, a table of fields, and a base address. The
 * module that owns a struct defines its table and adds its section; checkpoint/ writes the list to a file and reads it
 * back.
 *
 * A table defines a file format: a change of it, or of the meaning of a value, is a new version.
 *
 * Loading treats the file as untrusted. Every value that is used as an index or a bound has a maximum in the table, or
 * is checked by after_load(). A machine is loaded before it runs; after a failure it can only be freed.
 *
 * Ordering rule: sections are saved and loaded in the order in which they were added, that of the event queue first.
 * Then after_load() of each is called in the same order: it rebuilds derived state, and must not access other modules.
 */
#ifndef SIMOS_BASE_SAVED_H
#define SIMOS_BASE_SAVED_H

#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/types.h"

enum saved_kind {
    SAVED_U8,
    SAVED_U16,
    SAVED_U32, /* also int, unsigned and enums */
    SAVED_U64,
    SAVED_BOOL,  /* 0 or 1, nothing else */
    SAVED_TIME,  /* cycles since power-on, or CYCLES_NEVER: converted if the loading machine has another clock */
    SAVED_EVENT, /* struct event: scheduled or not, time and sequence number */
    SAVED_KINDS
};

/* A field: a scalar, an array, or a member of each struct of an array. Initialised by the macros below. */
struct saved_field {
    const char *name; /* a constant of up to SAVED_NAME_MAX characters */
    enum saved_kind kind;
    bool statistic;          /* a statistics counter: see struct saved_terms */
    uint32_t offset;         /* of the first element from the section's base */
    uint32_t count;          /* consecutive elements, ... */
    uint32_t repeat, stride; /* ... repeated so often, at this distance in bytes */
    uint64_t max;            /* maximum value when loading; 0: no limit */
};

enum { SAVED_NAME_MAX = 39, SAVED_FIELDS_MAX = 256 };

/* Size of an element in memory, bytes. */
#define SAVED_SIZE_SAVED_U8    1
#define SAVED_SIZE_SAVED_U16   2
#define SAVED_SIZE_SAVED_U32   4
#define SAVED_SIZE_SAVED_U64   8
#define SAVED_SIZE_SAVED_BOOL  1
#define SAVED_SIZE_SAVED_TIME  8
#define SAVED_SIZE_SAVED_EVENT sizeof(struct event)

#define SAVED_MEMBER_SIZE(type, member) sizeof(((type *)0)->member)
/* Compile-time check that the member consists of elements of that size. */
#define SAVED_WHOLE(bytes, size)        ((uint32_t)((bytes) / (size)) + 0 * (uint32_t)sizeof(char[(bytes) % (size) ? -1 : 1]))

#define SAVED_ROW(text, type, member, which, times, distance, counts, greatest)                                        \
    {                                                                                                                  \
        .name = text, .kind = which, .statistic = counts, .offset = offsetof(type, member),                            \
        .count = SAVED_WHOLE(SAVED_MEMBER_SIZE(type, member), SAVED_SIZE_##which), .repeat = times,                    \
        .stride = distance, .max = greatest                                                                            \
    }
/* A row for MEMBER of TYPE, possibly an array; with a maximum value; as a statistics counter. */
#define SAVED_FIELD(type, member, kind)         SAVED_ROW(#member, type, member, kind, 1, 0, false, 0)
#define SAVED_LIMITED(type, member, kind, most) SAVED_ROW(#member, type, member, kind, 1, 0, false, most)
#define SAVED_STATISTIC(type, member)           SAVED_ROW(#member, type, member, SAVED_U64, 1, 0, true, 0)
/* A row for MEMBER of each struct in TYPE's array ARRAY. */
#define SAVED_EACH_ROW(type, array, member, kind, counts, most)                                                        \
    SAVED_ROW(#array "." #member, type, array[0].member, kind,                                                         \
              SAVED_MEMBER_SIZE(type, array) / SAVED_MEMBER_SIZE(type, array[0]), SAVED_MEMBER_SIZE(type, array[0]),   \
              counts, most)
#define SAVED_EACH(type, array, member, kind)               SAVED_EACH_ROW(type, array, member, kind, false, 0)
#define SAVED_EACH_LIMITED(type, array, member, kind, most) SAVED_EACH_ROW(type, array, member, kind, false, most)
#define SAVED_EACH_STATISTIC(type, array, member)           SAVED_EACH_ROW(type, array, member, SAVED_U64, true, 0)
/* The only row of a struct saved_array of numbers. */
#define SAVED_NUMBER(text, which, most)                                                                                \
    {                                                                                                                  \
        .name = text, .kind = which, .count = 1, .repeat = 1, .max = most                                              \
    }

/* Output stream. */
struct saved_out {
    void (*put)(void *opaque, const void *bytes, size_t count);
    void *opaque;
    bool series; /* a file of a series: sections with struct saved_parts write only their own units */
};
void saved_put(struct saved_out *out, const void *bytes, size_t count);
void saved_put_u32(struct saved_out *out, uint32_t value);
void saved_put_u64(struct saved_out *out, uint64_t value);

/* Input stream. get() returns all COUNT bytes, or false at the end of the section or for a damaged file; the section's
 * reader reports the error. */
struct saved_in {
    bool (*get)(void *opaque, void *bytes, size_t count);
    void *opaque;
    uint32_t version; /* of the section in the file: from `oldest` to `version` of the section */
    bool continues;   /* earlier files of the series have been loaded (struct saved_terms) */
};
bool saved_get(struct saved_in *in, void *bytes, size_t count);
bool saved_get_u32(struct saved_in *in, uint32_t *value);
bool saved_get_u64(struct saved_in *in, uint64_t *value);

/*
 * Structs in the content of a section, whose number is known only when the machine exists (the entries of a table), or
 * only when it is saved (instructions in flight). The file has the table once, then their number and their fields.
 * Kinds are numbers and SAVED_BOOL; times are numbers too, so that such a section must be `timing`.
 */
struct saved_array {
    const struct saved_field *fields; /* SAVED_TABLE() */
    size_t field_count;
    void *base;
    size_t size; /* distance of elements in memory, bytes */
    uint32_t count;
};
void saved_put_array(struct saved_out *out, const struct saved_array *array);
/* Read ARRAY back. *COUNT: how many elements there were, at most array->count; NULL: there must be array->count. False
 * with ERR (default: "truncated") on an error. */
bool saved_get_array(struct saved_in *in, const struct saved_array *array, uint32_t *count, struct err *err);

/*
 * A section of many units (pages, blocks), most of which do not change between two files of a series: each file holds
 * its own units, and marks the others as held by earlier files. Files are numbered from 0; file 0 holds all units.
 */
struct saved_parts {
    /* Begin file NUMBER: units changed since the preceding file belong to it. */
    void (*begin)(void *base, uint32_t number);
    /* For each file up to the present one, add the number of units that belong to it to UNITS[file]. */
    void (*count)(const void *base, uint64_t *units);
    /* Move the units of FILE to the present file. */
    void (*take_over)(void *base, uint32_t file);
};

/* Functions for state that a table cannot describe. Any may be NULL; all get the section's base. */
struct saved_ops {
    /* Content of variable length behind the fields. write() must not change the machine; read() checks every length
     * before use, and sets ERR on an error (default: "truncated"). */
    void (*write)(void *base, struct saved_out *out);
    bool (*read)(void *base, struct saved_in *in, struct err *err);
    /* Called after all sections are loaded: rebuild derived state. False with ERR if the values are inconsistent. */
    bool (*after_load)(void *base, struct err *err);
    const struct saved_parts *parts;
};

struct saved_section {
    const char *name; /* up to SAVED_NAME_MAX characters a-z 0-9 . _; copied */
    uint32_t version; /* from 1 up */
    uint32_t oldest;  /* oldest version that read() supports, with the same fields, whose arrays may be shorter: the
                         other elements stay as in a new machine; 0: only the present one */
    bool timing;      /* state of a timing model: loaded only on the same machine (struct saved_terms) */
    bool optional;    /* may be missing in files of earlier versions: then nothing is read */
    const struct saved_field *fields;
    size_t field_count;
    void *base;
    const struct saved_ops *ops; /* may be NULL */
};

/* Conditions for loading a file. */
struct saved_terms {
    bool same_machine; /* equal in all that affects timing: statistics and timing sections are loaded; otherwise they
                          stay as in a machine that has not run */
    uint64_t clock_hz; /* clock of the saved machine */
    bool over;         /* the file continues a series: earlier files have been loaded (struct saved_parts) */
};

struct saved;

/* Create a list with the first section "events" for QUEUE. Never NULL. */
struct saved *saved_create(struct event_queue *queue);
void saved_free(struct saved *saved);

/* Initialisers for a section's table: its fields and their number. */
#define SAVED_TABLE(table) .fields = (table), .field_count = sizeof(table) / sizeof(table)[0]

/* Add SECTION; the objects that it points to must outlive SAVED. A duplicate name or an invalid table is a bug
 * (aborts). */
void saved_add(struct saved *saved, const struct saved_section *section);

/* The sections: INDEX from 0, NULL behind the last one. */
const struct saved_section *saved_at(const struct saved *saved, size_t index);

/* Does every scheduled event belong to a section? False with ERR naming one that does not: its owner cannot be
 * saved. */
bool saved_check_events(const struct saved *saved, struct err *err);

/* Write the table, the fields and the content of SECTION. */
void saved_write(const struct saved_section *section, struct saved_out *out);
/* Read them back under TERMS. Call saved_load_begin() before the first section and saved_load_end() after the last.
 * False with ERR on an error. */
bool saved_read(struct saved *saved, const struct saved_section *section, struct saved_in *in,
                const struct saved_terms *terms, struct err *err);
void saved_load_begin(struct saved *saved);
bool saved_load_end(struct saved *saved, const struct saved_terms *terms, struct err *err);

/* Name of a kind, for messages. */
const char *saved_kind_name(unsigned kind);

#endif
