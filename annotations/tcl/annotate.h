/*
 * Annotations: Tcl scripts attached to events of a machine and its guest (SOSP'95 section 2.1). This is the interface
 * for the owner of the machine and of the interpreter; the commands are described in docs/reference/annotations.md.
 *
 * Annotations are read-only: they change neither the guest nor its timing. A body costs host time only.
 */
#ifndef SIMOS_ANNOTATIONS_TCL_ANNOTATE_H
#define SIMOS_ANNOTATIONS_TCL_ANNOTATE_H

#include "annotations/accounts/call_costs.h"
#include "annotations/services/services.h"
#include "annotations/symbols/code_locations.h"
#include "annotations/symbols/machine_view.h"
#include "src/base/json_writer.h"
#include "src/tcl/tcl_versions.h"
#include "cache/classify/classify.h"

struct annotate;

/* Callbacks to the owner. Only the last one may be NULL. */
struct annotate_host {
    /* Current simulated time in cycles, and instructions of all processors. */
    cycles (*now)(void *opaque);
    uint64_t (*insns)(void *opaque);
    /* A body begins or ends on behalf of CPU: other commands refer to this processor. */
    void (*select)(void *opaque, unsigned cpu);
    /* A script requests the end of the run with exit status STATUS. */
    void (*stop)(void *opaque, unsigned status);
    /* A body has failed: the run cannot continue. */
    void (*fail)(void *opaque, const struct err *reason);
    void *opaque;
    /* True if a signal requests the end of the run. The script being evaluated is then unwound
     * (src/tcl/tcl_interrupt.h), which is not a failure of the script. NULL: never. */
    bool (*ending)(void *opaque);
};

/* Create the annotations of MACHINE, which is copied, with scripts in INTERP. Both must outlive it. */
struct annotate *annotate_create(Tcl_Interp *interp, const struct machine_view *machine,
                                 const struct annotate_host *host);
/* Removes all hooks from the interpreter and the cores. NULL is ignored. */
void annotate_free(struct annotate *annotate);

/* The Tcl commands; their client data is the struct annotate. */
Tcl_ObjCmdProc annotation_command, service_command, automaton_command, analyser_command, timing_command,
    statistics_command, struct_command, field_command, arg_command, library_command, log_command;
/* The logic analysers; NULL: none are defined. */
struct analysers;
struct analysers *annotate_analysers(const struct annotate *annotate);
/* True while a body runs; a script must not change the machine then. */
bool annotate_is_running(const struct annotate *annotate);
/* Request the end of the run with exit status STATUS. */
void annotate_request_exit(struct annotate *annotate, unsigned status);

/* Script name for error messages where Tcl does not know the file. */
void annotate_set_script(struct annotate *annotate, const char *name);
/* Evaluate library NAME ("services"). Returns a Tcl result code; an error message is left in the interpreter. */
int annotate_use_library(struct annotate *annotate, const char *name);
/* Evaluate the library "layout", unless structures are already known. */
int annotate_need_layout(struct annotate *annotate);

/* To be called after an evaluation with result CODE. True if it was unwound because the run is to end. From then on
 * no body runs until annotate_resume(), as the machine has not stopped yet. */
bool annotate_was_unwound(struct annotate *annotate, int code);
void annotate_resume(struct annotate *annotate);

/* Events raised by the owner. All may be called during a run, except annotate_run_due() and the simos events. */
enum annotate_raise_simos { ANNOTATE_ENTER, ANNOTATE_EXIT, ANNOTATE_BOOT, ANNOTATE_CHECKPOINT, ANNOTATE_RESTORE };
void annotate_raise_simos(struct annotate *annotate, enum annotate_raise_simos event);
void annotate_raise_mark(struct annotate *annotate, const char *name);
void annotate_console_byte(struct annotate *annotate, uint8_t byte);

/* Lower *TIME and *INSNS (absolute) to the next trigger of a cycle, time or insn annotation. */
void annotate_next_trigger(const struct annotate *annotate, cycles *time, uint64_t *insns);
/* Run the annotations that are due at the current time and number of instructions. */
void annotate_run_due(struct annotate *annotate);

/* True if a body has failed; ERR receives the message. */
bool annotate_failed(const struct annotate *annotate, struct err *err);

/* Reset all collected results: the statistics of the run begin here. Event counts of annotations and variables of
 * scripts stay. */
void annotate_reset_statistics(struct annotate *annotate);

/* The service accounting if a script has requested it; else NULL. */
struct services *annotate_services(const struct annotate *annotate);

/* From now on what TEXT says (docs/reference/explain.md, whatif.free) takes no time; loads the library `cycles` unless
 * cycles are recorded already. OVERLAPS: the CPU model is one of which only misses can be free. Returns false with
 * ERR. */
bool annotate_set_whatif(struct annotate *annotate, const char *text, bool overlaps, struct err *err);
/* Can what TEXT, the value of whatif.free, says be with a CPU model that is out of order? Otherwise false with ERR. */
bool annotate_check_whatif(const char *text, struct err *err);

/* True if there are results to print at the end of a run. */
bool annotate_has_results(const struct annotate *annotate);
/* Print the results as text, or as the value of a member of the statistics (stats_json). */
void annotate_print(struct annotate *annotate, FILE *out);
void annotate_write_json(struct annotate *annotate, struct json_writer *json);

/* Resolve TEXT, [kernel::|MODULE::|PROGRAM::]SYMBOL[+OFFSET], to an address. False with ERR. */
bool annotate_find_address(struct annotate *annotate, const char *text, vaddr *address, struct err *err);
/* The commands `symbol load`, `path`, `where` and `data` (docs/reference/annotations.md): WORDS are those after
 * `symbol`. */
int annotate_symbol_command(struct annotate *annotate, int count, Tcl_Obj *const words[]);
/* Symbol of a user program or kernel module at ADDRESS, as mapped on CORE. False if none is known. */
bool annotate_user_symbol(struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size);

/* From now on, record profiles of misses by code object and by kind of data, while ANNOTATE exists. Requires the
 * kernel's structures (`library layout`). */
void annotate_name_profiles(struct annotate *annotate);
/* From now on, record what calls cost (annotations/accounts/call_costs.h); likewise. Returns false with ERR. */
bool annotate_record_calls(struct annotate *annotate, struct err *err);
/* The costs, NULL if they are not recorded; and the key by pc of a place in them in such profiles. */
struct call_costs *annotate_call_costs(const struct annotate *annotate);
uint64_t annotate_profile_key(struct code_location place);
/* Call CALL with the code of each kernel module that is loaded now; ANNOTATE may be NULL. Nothing without the kernel's
 * structures. */
void annotate_each_module(struct annotate *annotate, code_locations_module_fn *call, void *opaque);
/* Name of a profile's entry KEY, and path of its code object ("/bin/busybox"). False or NULL if the entry is not by
 * object or kind. */
bool annotate_profile_text(struct annotate *annotate, enum classify_profile which, uint64_t key, char *text,
                           size_t size);
const char *annotate_profile_object(struct annotate *annotate, uint64_t key);
/* Is that object a file of the guest? */
bool annotate_profile_is_file(struct annotate *annotate, uint64_t key);
/* The process that CORE runs, as "57 busybox" (pid and name). Empty if unknown. */
void annotate_process_text(struct annotate *annotate, const struct core *core, char *text, size_t size);
/* "FILE:LINE" of ADDRESS, in the process that CORE runs or in the kernel; empty if no symbols have it. */
void annotate_source_line(struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size);
/* The task_struct of the process with number PID, or of the first one called NAME unless that is NULL; 0: none. */
vaddr annotate_task(struct annotate *annotate, uint32_t pid, const char *name);
/* The routine that CORE executes. */
void annotate_routine_text(struct annotate *annotate, struct core *core, char *text, size_t size);

/* Also search FOLDER for the guest's files and their debug symbols. False with ERR if there is no such folder. */
bool annotate_add_symbols(struct annotate *annotate, const char *folder, struct err *err);

/* Set the interpreter's result to the value of the typed expression TEXT (docs/reference/annotations.md, "symbol
 * read"). */
int annotate_symbol_read(struct annotate *annotate, const char *text);

#endif
