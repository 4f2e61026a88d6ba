/*
 * What of a machine is saved: a list of sections, each a name, a version, a table of fields, and where they are. The
 * module that owns a struct writes its table and adds its section; checkpoint/ makes a file of the list and fills it
 * from one.
 *
 * A table is a contract with files that exist: a change of it, or of what a value means, is a new version.
 *
 * Loading takes nothing for granted: a file may hold anything. Every value that later indexes or bounds something has
 * its greatest value in the table, or is checked by after_load(). A machine is loaded before it has run; one that could
 * not be loaded is of no further use.
 *
 * Ordering rule: sections are saved and loaded in the order in which they were added; the event queue's comes first.
 * Then after_load() of each in the same order: it rebuilds what follows from the values, and touches nobody else.
 */
#ifndef SIMOS_SAVED_H
#define SIMOS_SAVED_H

#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/types.h"

enum saved_kind {
    SAVED_U8,
    SAVED_U16,
    SAVED_U32, /* also int, unsigned and enums */
    SAVED_U64,
    SAVED_BOOL,  /* 0 or 1, nothing else */
    SAVED_TIME,  /* cycles since power-on, or CYCLES_NEVER: converted for a machine with another clock */
    SAVED_EVENT, /* struct event: when it fires, in which order; or that it is not scheduled */
    SAVED_KINDS
};

/* One field, or an array of them, or one in each struct of an array. Made by the macros below. */
struct saved_field {
    const char *name; /* a constant of up to SAVED_NAME_MAX characters */
    enum saved_kind kind;
    bool figure;             /* a count for the statistics: see struct saved_terms */
    uint32_t offset;         /* of the first element from the section's base */
    uint32_t count;          /* elements side by side, */
    uint32_t repeat, stride; /* as often as this, so many bytes apart */
    uint64_t most;           /* greatest value that may be loaded; 0: any */
};

enum { SAVED_NAME_MAX = 39, SAVED_FIELDS_MAX = 256 };

/* Bytes of an element in memory. */
#define SAVED_SIZE_SAVED_U8    1
#define SAVED_SIZE_SAVED_U16   2
#define SAVED_SIZE_SAVED_U32   4
#define SAVED_SIZE_SAVED_U64   8
#define SAVED_SIZE_SAVED_BOOL  1
#define SAVED_SIZE_SAVED_TIME  8
#define SAVED_SIZE_SAVED_EVENT sizeof(struct event)

#define SAVED_MEMBER_SIZE(type, member) sizeof(((type *)0)->member)
/* Does not compile if the member is not made of elements of that size. */
#define SAVED_WHOLE(bytes, size)        ((uint32_t)((bytes) / (size)) + 0 * (uint32_t)sizeof(char[(bytes) % (size) ? -1 : 1]))

#define SAVED_ROW(text, type, member, which, times, distance, counts, greatest)                                        \
    {                                                                                                                  \
        .name = text, .kind = which, .figure = counts, .offset = offsetof(type, member),                               \
        .count = SAVED_WHOLE(SAVED_MEMBER_SIZE(type, member), SAVED_SIZE_##which), .repeat = times,                    \
        .stride = distance, .most = greatest                                                                           \
    }
/* The member of TYPE called MEMBER, also an array; the same with a greatest value; and as a figure. */
#define SAVED_FIELD(type, member, kind)         SAVED_ROW(#member, type, member, kind, 1, 0, false, 0)
#define SAVED_LIMITED(type, member, kind, most) SAVED_ROW(#member, type, member, kind, 1, 0, false, most)
#define SAVED_FIGURE(type, member)              SAVED_ROW(#member, type, member, SAVED_U64, 1, 0, true, 0)
/* MEMBER in each struct of TYPE's array ARRAY. */
#define SAVED_EACH_ROW(type, array, member, kind, counts, most)                                                        \
    SAVED_ROW(#array "." #member, type, array[0].member, kind,                                                         \
              SAVED_MEMBER_SIZE(type, array) / SAVED_MEMBER_SIZE(type, array[0]), SAVED_MEMBER_SIZE(type, array[0]),   \
              counts, most)
#define SAVED_EACH(type, array, member, kind)               SAVED_EACH_ROW(type, array, member, kind, false, 0)
#define SAVED_EACH_LIMITED(type, array, member, kind, most) SAVED_EACH_ROW(type, array, member, kind, false, most)
#define SAVED_EACH_FIGURE(type, array, member)              SAVED_EACH_ROW(type, array, member, SAVED_U64, true, 0)

/* Where what is saved goes: COUNT bytes at a time. */
struct saved_out {
    void (*put)(void *opaque, const void *bytes, size_t count);
    void *opaque;
    bool part; /* of a file of a series: a section of which others hold a part (struct saved_parts) leaves it out */
};
void saved_put(struct saved_out *out, const void *bytes, size_t count);
void saved_put_u32(struct saved_out *out, uint32_t value);
void saved_put_u64(struct saved_out *out, uint64_t value);

/* Where it comes from. All COUNT bytes, or false: there are no more in this section, or the file is damaged, as err of
 * the section's reader then says. */
struct saved_in {
    bool (*get)(void *opaque, void *bytes, size_t count);
    void *opaque;
    uint32_t version; /* of the section in the file: from the section's `oldest` to its `version` */
    bool over;        /* files before this one have been loaded (struct saved_terms) */
};
bool saved_get(struct saved_in *in, void *bytes, size_t count);
bool saved_get_u32(struct saved_in *in, uint32_t *value);
bool saved_get_u64(struct saved_in *in, uint64_t *value);

/*
 * A section that consists of many units (pages, blocks), most of which stay as they are between two files of a series:
 * each file holds the units that are its own, and says that the others are in files before it. Files have numbers, from
 * 0 up; number 0 holds all.
 */
struct saved_parts {
    /* File NUMBER will be written next: what has changed since the last is its own from now on. */
    void (*begin)(void *base, uint32_t number);
    /* Add to UNITS[file] how many units are FILE's own, for each up to the present one. */
    void (*count)(const void *base, uint64_t *units);
    /* What is FILE's own becomes the present one's. */
    void (*take_over)(void *base, uint32_t file);
};

/* What a table cannot say. Any may be NULL; all get the section's base. */
struct saved_ops {
    /* Content of variable length behind the fields. write() may not change the machine; read() checks every length
     * before it uses it, and says in ERR what is wrong (if it does not: "truncated"). */
    void (*write)(void *base, struct saved_out *out);
    bool (*read)(void *base, struct saved_in *in, struct err *err);
    /* Everything has been loaded: rebuild what follows from it. False with ERR if the values make no sense. */
    bool (*after_load)(void *base, struct err *err);
    const struct saved_parts *parts;
};

struct saved_section {
    const char *name; /* up to SAVED_NAME_MAX characters a-z 0-9 . _; copied */
    uint32_t version; /* from 1 up */
    uint32_t oldest;  /* version that read() still understands, with the same fields; 0: no other */
    bool timing;      /* of a timing model: loaded only if the machine is the same one (struct saved_terms) */
    bool optional;    /* files of earlier versions do not have it: then nothing is read */
    const struct saved_field *fields;
    size_t field_count;
    void *base;
    const struct saved_ops *ops; /* may be NULL */
};

/* How a file is loaded. */
struct saved_terms {
    bool same_machine; /* in all that time depends on: figures and timing sections are taken too; otherwise they stay
                          as they are in a machine that has not run */
    uint64_t clock_hz; /* of the machine that was saved */
    bool over;         /* of a series: parts that files before this one hold have been loaded (struct saved_parts) */
};

struct saved;

/* An empty list for a machine with QUEUE, which becomes its first section, "events". Never NULL. */
struct saved *saved_create(struct event_queue *queue);
void saved_free(struct saved *saved);

/* The table of a section: its fields and how many there are. */
#define SAVED_TABLE(table) .fields = (table), .field_count = sizeof(table) / sizeof(table)[0]

/* Add SECTION; what it points at must outlive SAVED. A name that is there already, or a table that makes no sense, is a
 * bug (aborts). */
void saved_add(struct saved *saved, const struct saved_section *section);

/* The sections: INDEX from 0, NULL at the end. */
const struct saved_section *saved_at(const struct saved *saved, size_t index);

/* Is every event that is scheduled in a section? False with ERR naming one that is not: its owner cannot be saved. */
bool saved_check_events(const struct saved *saved, struct err *err);

/* The table, the fields and the content of SECTION. */
void saved_write(const struct saved_section *section, struct saved_out *out);
/* The same back, as TERMS say. Call saved_load_begin() before the first section and saved_load_end() after the last.
 * False with ERR saying what is wrong. */
bool saved_read(struct saved *saved, const struct saved_section *section, struct saved_in *in,
                const struct saved_terms *terms, struct err *err);
void saved_load_begin(struct saved *saved);
bool saved_load_end(struct saved *saved, const struct saved_terms *terms, struct err *err);

/* The name of a kind, for people. */
const char *saved_kind_name(unsigned kind);

#endif
