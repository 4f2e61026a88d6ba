/*
 * Internal interface of the annotations, shared by their files:
 *
 *     annotate.c           creation, running bodies, errors, events raised by the owner
 *     annotate_command.c   the command `annotation`
 *     event_types.def      the event types, one row each
 *     annotate_types.c     parsing the event words of types, arming
 *     annotate_observe.c   events of the processors
 *     annotate_access.c    loads and stores
 *     annotate_relocatable.c   `pc` in position-independent code
 *     annotate_misses.c    cache misses
 *     annotate_devices.c   disks and the network card
 *     annotate_variables.c the Tcl variables visible to bodies
 *     automaton_command.c  the command `automaton`
 *     analyser_command.c   the command `analyser`
 *     service_command.c    the command `service`
 *     timing_command.c     the commands `timing` and `statistics`
 *     data_describe.c      the command `symbol data`
 *     program_command.c    the commands `symbol load`, `symbol path`, `symbol where`
 *     layout.c             structures of the kernel, `struct`, `symbol read`
 *     layout_source.c      choice of the layouts that match the guest: `library layout`
 */
#ifndef SIMOS_ANNOTATIONS_TCL_ANNOTATE_STATE_H
#define SIMOS_ANNOTATIONS_TCL_ANNOTATE_STATE_H

#include "annotations/tcl/annotate.h"
#include "annotations/services/service_misses.h"
#include "annotations/automata/analyser.h"
#include "annotations/automata/automaton.h"
#include "annotations/accounts/call_costs.h"
#include "annotations/accounts/events.h"
#include "annotations/symbols/guest_view.h"
#include "annotations/symbols/programs.h"
#include "annotations/accounts/returns.h"
#include "cache/classify/miss_observer.h"
#include "src/base/board.h"

enum { ANNOTATION_NAME = 64, ANNOTATION_FILE = 256, ALL_CPUS = -1 };

struct annotation;

/* The rows of event_types.def: EVENT_PC ... */
enum annotation_event {
#define EVENT_TYPE(id, ...) EVENT_##id,
#include "annotations/tcl/event_types.def"
#undef EVENT_TYPE
    EVENT_TYPES
};

/* Unit of the triggers of a type. */
enum annotation_clock { CLOCK_NONE, CLOCK_CYCLES, CLOCK_INSNS };

/* An event type: a row of event_types.def, or the type of events that scripts define. */
struct annotation_type {
    const char *name;
    const char *events; /* for messages: syntax of the event word */
    const char *when;   /* for `annotation types`, and docs/reference/annotation-events.md */
    /* Parse the word EVENT into ANNOTATION. False with ERR. NULL: any word is accepted. */
    bool (*parse)(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
    /* Called when the annotation becomes enabled or disabled. NULL: nothing to do. */
    void (*arm)(struct annotate *annotate, struct annotation *annotation);
    void (*disarm)(struct annotate *annotate, struct annotation *annotation);
    /* Parse the value of -every, in units of the type's clock. False with ERR. NULL: a number. */
    bool (*parse_every)(struct annotate *annotate, struct annotation *annotation, Tcl_Obj *word, struct err *err);
    bool observes;               /* its events come from the cores' observer */
    bool optional;               /* the event word may be omitted */
    enum annotation_clock clock; /* its events are at annotation->trigger; CLOCK_NONE: they are not */
};

/* Selected misses: bit masks by enum memsys_cache, enum memsys_access and enum miss_class. */
struct miss_kinds {
    uint32_t caches, accesses, classes;
};

/* Selected events of a device: bit masks defined in annotate_devices.c. */
struct device_kinds {
    uint32_t phases, kinds;
};

struct annotation {
    struct annotation *next; /* in order of creation */
    struct annotate *annotate;
    const struct annotation_type *type;
    char user_type[ANNOTATION_NAME]; /* name of a script-defined type; else empty */
    char event[ANNOTATION_FILE];     /* the event word */
    char tag[ANNOTATION_NAME];
    unsigned number;
    bool enabled, armed, deleted, once;
    uint64_t cpus;         /* bit mask of processors */
    uint64_t every, count; /* run the body at every EVERY-th event; number of events so far */
    uint64_t runs;
    Tcl_Obj *body;
    bool counts_only; /* the body is empty: events are only counted */
    char file[ANNOTATION_FILE];
    int line;
    /* The parsed event word. */
    struct address_list addresses; /* pc: of the functions of that name */
    vaddr address;                 /* module, load, store */
    bool at_return;
    unsigned key;     /* exception code, mode or interrupt line; ANY_KEY: all */
    uint64_t trigger; /* trigger of cycle, insn, time, in units of the type's clock */
    uint32_t length;  /* load, store: bytes from address */
    bool by_virtual;  /* load, store: address is virtual; else physical */
    struct miss_kinds misses;
    struct device_kinds device;
    /* pc in position-independent code: ADDRESSES are those in the file; hooks are where they are mapped. */
    bool movable;
    const struct program *program;
    vaddr *locations;
    unsigned place_count;
    char process[16]; /* only while this process is current; empty: always */
};
enum { ANY_KEY = UINT32_MAX };

struct user_type {
    struct user_type *next;
    char name[ANNOTATION_NAME];
    Tcl_Obj *events; /* list */
};

struct data_kinds;
struct layout;

/* A disk request that has been issued or has completed. */
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

/* Details of the event whose bodies run: at most one member is not NULL. */
struct annotate_detail {
    const struct data_access *access;
    const struct observed_miss *miss;
    const struct disk_event *disk;
    const struct packet_event *packet;
    const vaddr *pc;     /* where eret goes on */
    const vaddr *walked; /* the address of a page walk */
};

/* The process, ASID and number of mappings at the last scan of a processor's mappings. */
struct mappings_scan {
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
    struct guest_view view;
    struct annotate_host host;
    struct events *events;
    struct returns *returns;
    struct services *services;   /* NULL: not requested */
    struct automata *automata;   /* NULL: none */
    struct analysers *analysers; /* NULL: none */
    struct timing_trees *timing; /* NULL: none */
    struct statistics *statistics;
    struct annotation *annotations, **last;
    struct user_type *types;
    struct data_kinds *data_kinds; /* annotate_data_kinds(); NULL: not created yet */
    bool names_profiles;
    struct call_costs *calls; /* annotate_record_calls(); NULL: not recorded */
    bool unwound;             /* annotate_was_unwound() */
    unsigned movable;         /* number of armed annotations in position-independent code */
    struct mappings_scan mappings_scan[BOARD_MAX_CPUS];
    unsigned numbers; /* last annotation number assigned */
    unsigned depth;   /* nesting depth of running bodies */
    bool observing, any_deleted;
    struct core *core;              /* of the event whose body runs */
    const struct core_entry *entry; /* of an exception; else NULL */
    const char *event;              /* event word of the event being raised */
    struct annotate_detail detail;
    struct annotation **on_miss; /* armed miss annotations; NULL entries: disarmed during an event */
    unsigned miss_count, miss_capacity;
    bool miss_disarmed; /* some entries are NULL */
    struct miss_observer *miss_observer;
    bool watches_disks, watches_packets;
    struct device_watcher watcher[MACHINE_VIEW_DISKS];
    bool has_variables;
    char script[ANNOTATION_FILE];
    struct err failure;
    char line[1024]; /* the current line of the guest's console */
    unsigned line_length;
    Tcl_Obj *last_memory; /* existing element of the Tcl array MEMORY; NULL: none */
};

/* annotate.c */
/* The kinds of the kernel's data, created at the first use. */
struct data_kinds *annotate_data_kinds(struct annotate *annotate);
int annotate_error(struct annotate *annotate, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An event of ANNOTATION has occurred on CORE: run its body if its filters match. */
void annotate_fire(struct annotate *annotate, struct annotation *annotation, struct core *core);
/* Arm or disarm ANNOTATION according to its state. annotate_free_deleted(): free deleted annotations, unless a body
 * runs. */
void annotate_rearm(struct annotate *annotate, struct annotation *annotation);
void annotate_free_deleted(struct annotate *annotate);

/* annotate_types.c */
extern const struct annotation_type annotation_types[EVENT_TYPES]; /* indexed by enum annotation_event */
extern const struct annotation_type annotation_user_type;
const struct annotation_type *annotate_find_type(const char *name);
/* `annotation types` with COUNT further words: all rows, as dicts of type, events, when. */
int annotate_list_types(struct annotate *annotate, int count);
/* The same of the variables of bodies (annotate_variables.c). */
int annotate_list_variables(struct annotate *annotate, int count);
/* Fire all enabled annotations of EVENT's type with this key, in order of creation. */
void annotate_raise(struct annotate *annotate, enum annotation_event event, unsigned key, struct core *core);
/* Fire all enabled annotations of EVENT's type whose pattern matches TEXT. $EVENT is TEXT. */
void annotate_raise_text(struct annotate *annotate, enum annotation_event event, const char *text, struct core *core);
/* Fire all annotations of the script-defined type TYPE with the event EVENT. */
void annotate_raise_user(struct annotate *annotate, const char *type, const char *event, struct core *core);
/* Resolve TEXT, also PROGRAM::SYMBOL[+OFFSET], into ANNOTATION's addresses; position-independent code only if MAY_MOVE.
 * The caller frees the addresses, also after an error. */
bool annotate_resolve(struct annotate *annotate, struct annotation *annotation, const char *text, bool may_move,
                      struct err *err);
/* Resolve a number, [kernel::]SYMBOL[+OFFSET], or a symbol of a module or of a program with fixed addresses, and add
 * all its addresses to LIST: a SYMBOL without offset may have several. False with ERR; the caller frees LIST. */
bool annotate_resolve_all(const struct annotate *annotate, const char *text, struct address_list *list,
                          struct err *err);
/* The same where one address is needed: a name that has several is an error. */
bool annotate_resolve_fixed(const struct annotate *annotate, const char *text, vaddr *address, struct err *err);

/* profile_naming.c: free the names of profiles. */
void annotate_stop_naming_profiles(struct annotate *annotate);

/* annotate_observe.c */
/* Observe the cores' events if an enabled annotation needs them; otherwise stop. */
void annotate_update_observer(struct annotate *annotate);

/* annotate_access.c, annotate_misses.c, annotate_devices.c: hooks of event_types.def. */
bool access_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
enum walk_key { WALK_FOUND, WALK_FAILED }; /* events of page walks */
void walk_arm(struct annotate *annotate, struct annotation *annotation);
void walk_disarm(struct annotate *annotate, struct annotation *annotation);
void load_arm(struct annotate *annotate, struct annotation *annotation);
void store_arm(struct annotate *annotate, struct annotation *annotation);
void access_disarm(struct annotate *annotate, struct annotation *annotation);
bool miss_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
bool scache_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void miss_arm(struct annotate *annotate, struct annotation *annotation);
void miss_disarm(struct annotate *annotate, struct annotation *annotation);
/* Stop watching misses if no annotation is armed for them and none is being raised. */
void miss_remove_disarmed(struct annotate *annotate);
bool disk_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void disk_arm(struct annotate *annotate, struct annotation *annotation);
bool packet_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err);
void packet_arm(struct annotate *annotate, struct annotation *annotation);
/* Remove all callbacks from the devices. */
void devices_unwatch(struct annotate *annotate);

/* annotate_relocatable.c */
void relocatable_arm(struct annotate *annotate, struct annotation *annotation);
void relocatable_disarm(struct annotate *annotate, struct annotation *annotation);
bool relocatable_hook(void *opaque, struct core *core);
/* CORE has entered user mode: look for new mappings. */
void relocatable_scan_mappings(struct annotate *annotate, struct core *core);

/* annotate_types.c: CORE is at the address of ANNOTATION, of type pc. */
bool annotate_at_pc(void *opaque, struct core *core);

/* annotate_variables.c */
void annotate_add_variables(struct annotate *annotate);
void annotate_drop_variables(struct annotate *annotate);

/* profile_naming.c: names for services_record_misses(); OPAQUE is the annotations */
extern const struct miss_names annotate_miss_names;
/* The routine of services_record_cycles(); OPAQUE is a struct annotate. */
uint64_t annotate_cycle_routine(void *opaque, struct core *core, vaddr pc, vaddr *low, vaddr *high);
/* service_command.c */
/* Parse a register name; parse a condition, as of `-when`. Both return a Tcl result code. */
int service_get_register(struct annotate *annotate, Tcl_Obj *word, uint8_t *reg);
/* Parse a number, or a symbol with or without +OFFSET; and the first and last address of the function WORD. */
int service_get_value(struct annotate *annotate, Tcl_Obj *word, uint32_t *value);
int service_get_function(struct annotate *annotate, Tcl_Obj *word, vaddr *first, vaddr *last);
int service_get_condition(struct annotate *annotate, Tcl_Obj *word, struct service_condition *condition);

/* program_command.c */
/* The commands symbol load FILE ?-process NAME? ?-base ADDRESS?, symbol path FOLDER, symbol where ADDRESS; WORDS are
 * those after `symbol`. Returns a Tcl result code; result or error message is left in the interpreter. */
int programs_command(struct annotate *annotate, int count, Tcl_Obj *const words[]);

/* layout_source.c */
/* Read the layouts of the guest's kernel: from the file beside it, or the built-in ones if they match its release.
 * TCL_ERROR with a one-line message if neither exists. */
int annotate_read_layouts(struct annotate *annotate);

/* Built-in libraries by name, made from annotations/linux/NAME.tcl. The last row has no name. `layout` is one
 * more (layout_source.c). */
struct annotate_library {
    const char *name, *text;
};
extern const struct annotate_library annotate_libraries[];

#endif
