/*
 * Inside the annotations: what their files share.
 *
 *     annotate.c           life, running bodies, errors, what the owner tells
 *     annotate_command.c   the command `annotation`
 *     event_types.def      the types of events, a row each
 *     annotate_types.c     what the words of types mean, how they are armed
 *     annotate_observe.c   events of the processors
 *     annotate_access.c    loads and stores
 *     annotate_movable.c   `pc` in shared libraries
 *     annotate_misses.c    misses of the caches
 *     annotate_devices.c   disks and the network card
 *     annotate_variables.c the variables of bodies
 *     service_command.c    the command `service`
 *     timing_command.c     the commands `timing` and `statistics`
 *     data_describe.c      the command `symbol data`
 *     layout.c             structures of the kernel, `struct`, `symbol read`
 *     layout_source.c      which structures are the guest's: `library layout`
 */
#ifndef SIMOS_ANNOTATIONS_ANNOTATE_STATE_H
#define SIMOS_ANNOTATIONS_ANNOTATE_STATE_H

#include "annotations/annotate.h"
#include "annotations/automaton.h"
#include "annotations/events.h"
#include "annotations/layouts.h"
#include "annotations/programs.h"
#include "annotations/returns.h"
#include "cache/miss_watch.h"
#include "src/board.h"

enum { ANNOTATION_NAME = 64, ANNOTATION_FILE = 256, ALL_CPUS = -1 };

struct annotation;

/* EVENT_PC ...: which row of event_types.def. */
enum annotation_event {
#define EVENT_TYPE(id, ...) EVENT_##id,
#include "annotations/event_types.def"
#undef EVENT_TYPE
    EVENT_TYPES
};

/* What the moments of a type are counted in. */
enum annotation_clock { CLOCK_NONE, CLOCK_CYCLES, CLOCK_INSNS };

/* A type of events: one row of event_types.def. A user's type has words of its own. */
struct annotation_type {
    const char *name;
    const char *events; /* for messages: what its second word may be */
    const char *when;   /* for `annotation types`, and docs/reference/annotation-events.md */
    /* Understand the word EVENT. False with ERR. NULL: any word. */
    bool (*parse)(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
    /* It is enabled from now on, or not any more; NULL: nothing to do. */
    void (*arm)(struct annotate *annotate, struct annotation *annotation);
    void (*disarm)(struct annotate *annotate, struct annotation *annotation);
    /* Understand how often it comes again, the value of -every, in units of its clock. False with ERR. NULL: a number.
     */
    bool (*parse_every)(struct annotate *annotate, struct annotation *annotation, Tcl_Obj *word, struct err *err);
    bool observes;               /* its events are those of the cores' observer */
    bool optional;               /* the second word may be left out */
    enum annotation_clock clock; /* its events are moments, annotation->moment; CLOCK_NONE: they are not */
};

/* Which misses: bits by enum memsys_cache, by enum memsys_access, by enum miss_class. */
struct miss_kinds {
    uint32_t caches, accesses, classes;
};

/* Which events of a device: bits as annotate_devices.c has them. */
struct device_kinds {
    uint32_t moments, kinds;
};

struct annotation {
    struct annotation *next; /* in the order in which they were set */
    struct annotate *annotate;
    const struct annotation_type *type;
    char user_type[ANNOTATION_NAME]; /* of a type that a script has defined; else empty */
    char event[ANNOTATION_FILE];     /* its second word */
    char tag[ANNOTATION_NAME];
    unsigned number;
    bool enabled, armed, gone, once;
    uint32_t cpus;         /* bit n: processor n */
    uint64_t every, count; /* run the body at every so many of the events; how many there were */
    uint64_t runs;
    Tcl_Obj *body;
    bool counts_only; /* the body is empty */
    char file[ANNOTATION_FILE];
    int line;
    /* What the event's word meant. */
    vaddr address;
    bool at_return;
    unsigned key;    /* exception code, mode, line: ANY_KEY for all */
    uint64_t moment; /* of cycle, insn, time */
    uint32_t length; /* of load, store: bytes from address */
    bool by_virtual; /* ... which is virtual; else physical */
    struct miss_kinds misses;
    struct device_kinds device;
    /* Of pc: what has no fixed place. The address is the file's own; hooks are where it has been found to be. */
    bool movable;
    const struct program *program;
    vaddr *places;
    unsigned place_count;
    char process[16]; /* only while this one is current; empty: always */
};
enum { ANY_KEY = UINT32_MAX };

struct user_type {
    struct user_type *next;
    char name[ANNOTATION_NAME];
    Tcl_Obj *events; /* list */
};

struct code_places;
struct data_kinds;
struct kernel_memory;
struct layout;

/* A request of a disk that has come in, or ended. */
struct disk_event {
    unsigned disk;
    bool ended, ok;
    const struct disk_request *request;
};

struct packet_event {
    bool sent;
    const uint8_t *frame;
    uint32_t length;
};

/* What is to be said of the event whose bodies run: at most one is not NULL. */
struct annotate_detail {
    const struct data_access *access;
    const struct watched_miss *miss;
    const struct disk_event *disk;
    const struct packet_event *packet;
};

/* The process that a processor was last looked at in user mode with, and how much it had mapped. */
struct looked_at {
    vaddr task;
    uint32_t count;
    uint8_t asid;
};

struct device_watcher {
    struct annotate *annotate;
    unsigned number;
};

struct annotate {
    Tcl_Interp *interp;
    struct subject subject;
    struct annotate_host host;
    struct events *events;
    struct returns *returns;
    struct services *services;   /* NULL: not asked for */
    struct automata *automata;   /* NULL: none */
    struct timing_trees *timing; /* ... and here */
    struct statistics *statistics;
    struct annotation *annotations, **last;
    struct user_type *types;
    struct layouts layouts; /* of `library layout` and `struct` */
    struct programs *programs;
    struct kernel_memory *kernel;    /* annotate_kernel() */
    struct data_kinds *data_kinds;   /* annotate_data_kinds(); NULL: not asked for yet */
    struct code_places *code_places; /* annotate_code_places(); the same */
    bool names_profiles;
    bool unwound;     /* annotate_was_unwound() */
    unsigned movable; /* annotations of what has no fixed place that are armed */
    struct looked_at looked_at[BOARD_MAX_CPUS];
    unsigned numbers;
    unsigned depth; /* bodies that are running */
    bool listening, any_gone;
    struct core *core;              /* that the running body is about */
    const struct core_entry *entry; /* of an exception; NULL */
    const char *event;              /* word of the event that is being told */
    struct annotate_detail detail;
    struct annotation **on_miss; /* that are armed; NULL: one is no longer */
    unsigned miss_count, miss_capacity;
    bool miss_gone; /* some are NULL */
    struct miss_watch *miss_watch;
    bool watches_disks, watches_packets;
    struct device_watcher watcher[SUBJECT_DISKS];
    bool has_variables;
    char script[ANNOTATION_FILE];
    struct err failure;
    char line[1024]; /* of the guest's console, so far */
    unsigned line_length;
    Tcl_Obj *last_memory; /* element of MEMORY that exists; NULL */
};

/* annotate.c */
/* What is known of the kernel's memory, and of its data; made when they are first wanted. */
struct kernel_memory *annotate_kernel(struct annotate *annotate);
struct data_kinds *annotate_data_kinds(struct annotate *annotate);
struct code_places *annotate_code_places(struct annotate *annotate);
int annotate_error(struct annotate *annotate, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An event of ANNOTATION has come, on CORE: run its body if it is wanted now. */
void annotate_fire(struct annotate *annotate, struct annotation *annotation, struct core *core);
/* Arm it, or not, as it is enabled and there. Then what is gone goes, unless a body is running. */
void annotate_rearm(struct annotate *annotate, struct annotation *annotation);
void annotate_tidy(struct annotate *annotate);

/* annotate_types.c */
extern const struct annotation_type annotation_types[EVENT_TYPES]; /* by enum annotation_event */
extern const struct annotation_type annotation_user_type;
const struct annotation_type *annotate_find_type(const char *name);
/* `annotation types` with COUNT words behind it: all rows, as dicts of type, events, when. */
int annotate_list_types(struct annotate *annotate, int count);
/* All enabled ones of EVENT's type with that key, in order. */
void annotate_raise(struct annotate *annotate, enum annotation_event event, unsigned key, struct core *core);
/* All enabled ones of EVENT's type whose second word is a pattern that TEXT matches. $EVENT is TEXT. */
void annotate_raise_text(struct annotate *annotate, enum annotation_event event, const char *text, struct core *core);
/* All of the user's type TYPE with the event EVENT. */
void annotate_raise_user(struct annotate *annotate, const char *type, const char *event, struct core *core);
/* What an annotation is at, also PROGRAM::SYMBOL[+OFFSET]: of what has no fixed place if it MAY_MOVE. */
bool annotate_place(struct annotate *annotate, struct annotation *annotation, const char *text, bool may_move,
                    struct err *err);
/* An address: a number, [kernel::]SYMBOL[+OFFSET], or of a program that has a fixed place. */
bool annotate_address(const struct annotate *annotate, const char *text, vaddr *address, struct err *err);

/* profile_naming.c: what has been named keeps its names no longer. */
void annotate_end_names(struct annotate *annotate);

/* annotate_observe.c */
/* Hear of what the processors do as long as an enabled annotation wants to. */
void annotate_listen(struct annotate *annotate);

/* annotate_access.c, annotate_misses.c, annotate_devices.c: hooks of event_types.def. */
bool access_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void load_arm(struct annotate *annotate, struct annotation *annotation);
void store_arm(struct annotate *annotate, struct annotation *annotation);
void access_disarm(struct annotate *annotate, struct annotation *annotation);
bool miss_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
bool scache_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void miss_arm(struct annotate *annotate, struct annotation *annotation);
void miss_disarm(struct annotate *annotate, struct annotation *annotation);
/* If nobody wants to hear of misses any more, and none is being told, nobody does. */
void miss_tidy(struct annotate *annotate);
bool disk_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void disk_arm(struct annotate *annotate, struct annotation *annotation);
bool packet_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void packet_arm(struct annotate *annotate, struct annotation *annotation);
/* No device tells anything any more. */
void devices_unwatch(struct annotate *annotate);
/* Name of the request of a disk's event. */
const char *disk_request_name(const struct disk_request *request);

/* annotate_movable.c */
void movable_arm(struct annotate *annotate, struct annotation *annotation);
void movable_disarm(struct annotate *annotate, struct annotation *annotation);
bool movable_hook(void *opaque, struct core *core);
/* CORE is in user mode now. */
void movable_look(struct annotate *annotate, struct core *core);

/* annotate_types.c: CORE is at the instruction of ANNOTATION, of pc. */
bool annotate_at_pc(void *opaque, struct core *core);

/* annotate_variables.c */
void annotate_add_variables(struct annotate *annotate);
void annotate_drop_variables(struct annotate *annotate);

/* service_command.c */
/* The register called WORD; a condition, as of `-when`. */
int service_get_register(struct annotate *annotate, Tcl_Obj *word, uint8_t *reg);
int service_get_condition(struct annotate *annotate, Tcl_Obj *word, struct service_condition *condition);

/* layout.c */
/* Offset of FIELD in structure NAME; false if it is not known. */
bool layout_offset(const struct annotate *annotate, const char *name, const char *field, uint32_t *offset);
/* Size of structure NAME. */
bool layout_size(const struct annotate *annotate, const char *name, uint32_t *size);

/* layout_source.c */
/* Read the layouts of the guest's kernel: those of the file beside it, or those that are built in if they are of its
 * release. TCL_ERROR with one line as the result if there are none. */
int annotate_read_layouts(struct annotate *annotate);

/* A library by its name, made from annotations/linux/NAME.tcl, and the text of `layout` (layouts.h) from layout.txt;
 * ends with a row without name. */
struct annotate_library {
    const char *name, *text;
};
extern const struct annotate_library annotate_libraries[];

#endif
