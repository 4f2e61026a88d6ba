/*
 * Annotations: what a Tcl script attaches to events of a machine and its guest (SOSP'95 section 2.1). This is what the
 * owner of a machine and of an interpreter has to know; the commands are docs/reference/annotations.md's.
 *
 * Annotations look and never touch: neither the guest nor its timing is changed by them. What a body costs is host time
 * alone.
 */
#ifndef SIMOS_ANNOTATIONS_ANNOTATE_H
#define SIMOS_ANNOTATIONS_ANNOTATE_H

#include "annotations/services.h"
#include "annotations/subject.h"
#include "annotations/tcl_versions.h"
#include "cache/classify.h"

struct annotate;

/* What the owner does for annotations. None but the last may be NULL. */
struct annotate_host {
    /* Present simulated time, in cycles, and instructions of all processors. */
    cycles (*now)(void *opaque);
    uint64_t (*insns)(void *opaque);
    /* A body begins to run for CORE's sake, and ends: which processor other commands look at. */
    void (*select)(void *opaque, unsigned cpu);
    /* A script wants the run to end with exit status STATUS. */
    void (*stop)(void *opaque, unsigned status);
    /* A body has failed: the run cannot go on. */
    void (*fail)(void *opaque, const struct err *reason);
    void *opaque;
    /* Does a signal want the end of the run? Then what is evaluated is unwound (src/tcl_interrupt.h), and a script that
     * has ended so has not failed. NULL: never. */
    bool (*ending)(void *opaque);
};

/* Annotations of SUBJECT, which is copied, by scripts of INTERP. Both must outlive it. */
struct annotate *annotate_create(Tcl_Interp *interp, const struct subject *subject, const struct annotate_host *host);
/* Nothing of it is left in the interpreter or on the cores. NULL is fine. */
void annotate_free(struct annotate *annotate);

/* The commands, with the annotations as their data. */
Tcl_ObjCmdProc annotation_command, service_command, automaton_command, timing_command, statistics_command,
    struct_command, field_command, arg_command, library_command, log_command;
/* Is a body running? Then a script must change nothing. */
bool annotate_is_running(const struct annotate *annotate);
/* The run is to end, with exit status STATUS. */
void annotate_stop(struct annotate *annotate, unsigned status);

/* Errors name the script NAME, where Tcl itself does not know the file. */
void annotate_set_script(struct annotate *annotate, const char *name);
/* Evaluate library NAME ("services"); an error is left in the interpreter. */
int annotate_use_library(struct annotate *annotate, const char *name);
/* The same of the library "layout", unless structures are known. */
int annotate_need_layout(struct annotate *annotate);

/* Something has been evaluated, with the result CODE. Was it unwound, because the run is to end? No body runs from then
 * on, up to the next annotate_resume(): the machine has not stopped yet. */
bool annotate_was_unwound(struct annotate *annotate, int code);
void annotate_resume(struct annotate *annotate);

/* Events that the owner tells. All may be called in the middle of a run, but for `due` and the simos events. */
enum annotate_simos { ANNOTATE_ENTER, ANNOTATE_EXIT, ANNOTATE_BOOT, ANNOTATE_CHECKPOINT, ANNOTATE_RESTORE };
void annotate_simos(struct annotate *annotate, enum annotate_simos event);
void annotate_mark(struct annotate *annotate, const char *name);
void annotate_console(struct annotate *annotate, uint8_t byte);

/* Lower *TIME and *INSNS, absolute, to where an annotation wants to be heard between runs. */
void annotate_next(const struct annotate *annotate, cycles *time, uint64_t *insns);
/* Run what is due at the present time and number of instructions. */
void annotate_due(struct annotate *annotate);

/* Has a body failed? ERR says which. */
bool annotate_failed(const struct annotate *annotate, struct err *err);

/* The figures of the run begin here: what has been collected so far is forgotten (not what scripts have counted). */
void annotate_begin_figures(struct annotate *annotate);

/* The accounting of services, if a script has asked for it; else NULL. */
struct services *annotate_services(const struct annotate *annotate);

/* Is there anything to say at the end of a run? */
bool annotate_has_results(const struct annotate *annotate);
/* As text, and as the value of a member of the statistics (stats_json). */
void annotate_print(struct annotate *annotate, FILE *out);
void annotate_write_json(struct annotate *annotate, FILE *out);

/* The address that TEXT, [kernel::|MODULE::|PROGRAM::]SYMBOL[+OFFSET], stands for. False with ERR. */
bool annotate_find_address(struct annotate *annotate, const char *text, vaddr *address, struct err *err);
/* The commands `symbol load`, `path`, `where` and `data` (docs/reference/annotations.md): WORDS behind `symbol`. */
int annotate_symbol_command(struct annotate *annotate, int count, Tcl_Obj *const words[]);
/* The symbol of a user program, or of a kernel module, at ADDRESS, as CORE has it mapped. False: none is known. */
bool annotate_user_symbol(struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size);

/* Profiles of misses are by object of code and by kind of data from now on, as long as ANNOTATE is there; that knows
 * the kernel's structures (`library layout`). */
void annotate_name_profiles(struct annotate *annotate);
/* The name of a profile's entry KEY, and of the object that its code is of ("/bin/busybox"). False, NULL: it is no
 * entry by object or kind. */
bool annotate_profile_text(struct annotate *annotate, enum classify_profile which, uint64_t key, char *text,
                           size_t size);
const char *annotate_profile_object(struct annotate *annotate, uint64_t key);
/* The process that CORE runs, as "57 busybox": its number and its name. Empty if it is not known. */
void annotate_process_text(struct annotate *annotate, const struct core *core, char *text, size_t size);
/* The routine that CORE is in. */
void annotate_place_text(struct annotate *annotate, struct core *core, char *text, size_t size);

/* Look for the guest's files and their debug symbols in FOLDER too. False with ERR: there is none. */
bool annotate_add_symbols(struct annotate *annotate, const char *folder, struct err *err);

/* The value of the typed expression TEXT (docs/reference/annotations.md, "symbol read"), in the interpreter's result.
 */
int annotate_symbol_read(struct annotate *annotate, const char *text);

#endif
