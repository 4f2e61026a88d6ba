/* Commands at a place in the past: the process of the present passes them on to the process of the past
 * (src/history/history.h), which executes them and returns their results. */
#include "annotations/tcl/annotate.h"
#include "src/host/end_signals.h"
#include "src/observe/annotated.h"
#include "src/shell/shell_state.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A question is a list: the selected CPU, breakpoints, and the words of a command; its answer is a list too. */
enum { QUESTION_CPU, QUESTION_BREAKS, QUESTION_WORDS, QUESTION_PARTS };
enum { ANSWER_CODE, ANSWER_VALUE, ANSWER_TEXT, ANSWER_HAS_TEXT, ANSWER_CPU, ANSWER_PARTS };

/* In the process of the past */

/* Tcl must not change the host: what a body of an annotation writes has been written. */
static const char harmless[] =
    "rename open ::simos_open\n"
    "proc open {name {access r} args} {\n"
    "    if {$access in {r rb} && ![string match |* $name]} {return [::simos_open $name r]}\n"
    "    ::simos_open /dev/null r+\n"
    "}\n"
    "foreach command {exec socket cd} {proc $command args {}}\n"
    "rename file ::simos_file\n"
    "proc file {what args} {\n"
    "    if {$what in {delete mkdir rename copy link attributes mtime atime}} return\n"
    "    ::simos_file $what {*}$args\n"
    "}\n";

static void enter(void *opaque)
{
    struct shell *shell = opaque;
    shell->in_past = true;
    shell->signals = NULL;
    shell->interrupted = 0;
    shell->run = (struct shell_run){.cause = NULL};
    shell_breaks_remove(shell);
    shell_checkpoint_discard(shell);
    const int code = Tcl_EvalEx(shell->interp, harmless, -1, TCL_EVAL_GLOBAL);
    if (code != TCL_OK)
        log_bug("the past: %s", Tcl_GetStringResult(shell->interp));
}

static enum machine_stop run(void *opaque, const struct machine_limits *limits)
{
    struct shell *shell = opaque;
    shell_run_begin(shell, NULL);
    const enum machine_stop reason = annotated_run(shell->annotate, shell->machine, limits);
    shell_run_end(shell);
    return reason;
}

/* What WORDS, "watch SCRIPT INSNS", mean: the script is evaluated, and the machine runs on to so many instructions. The
 * result is what has been printed meanwhile, and what annotations have collected, as at the end of a run. */
static int watch(struct shell *shell, Tcl_Obj *const words[])
{
    char *text = NULL, buffer[4096];
    size_t size, length;
    Tcl_WideInt insns = 0;
    const int printed = memfd_create("printed", MFD_CLOEXEC);
    FILE *out = shell_text_open(&text, &size);
    Tcl_GetWideIntFromObj(NULL, words[2], &insns);
    dup2(printed, STDOUT_FILENO);
    dup2(printed, STDERR_FILENO);
    const char *script = Tcl_GetString(words[1]);
    int code = annotated_is_library(script) ? annotate_use_library(shell->annotate, script)
                                            : Tcl_EvalFile(shell->interp, script);
    const struct machine_limits limits = {CYCLES_NEVER, (uint64_t)insns};
    if (code == TCL_OK)
        run(shell, &limits);
    Tcl_Channel channel = Tcl_GetStdChannel(TCL_STDOUT);
    if (channel)
        Tcl_Flush(channel);
    fflush(NULL);
    lseek(printed, 0, SEEK_SET);
    for (ssize_t done; code == TCL_OK && (done = read(printed, buffer, sizeof buffer)) > 0;)
        fwrite(buffer, 1, (size_t)done, out);
    if (code == TCL_OK)
        annotate_print(shell->annotate, out);
    fclose(out);
    length = size && text[size - 1] == '\n' ? size - 1 : size;
    if (code == TCL_OK)
        Tcl_SetObjResult(shell->interp, Tcl_NewStringObj(text, (Tcl_Size)length));
    free(text);
    return code;
}

/* Execute the command and return its result as a list. */
static Tcl_Obj *execute(struct shell *shell, Tcl_Obj *words)
{
    Tcl_Obj **list, *answer[ANSWER_PARTS];
    Tcl_Size count;
    int code = TCL_ERROR;
    Tcl_ResetResult(shell->interp);
    if (Tcl_ListObjGetElements(NULL, words, &count, &list) == TCL_OK && count > 0) {
        const struct shell_command *command = shell_find_command(Tcl_GetString(list[0]));
        if (command)
            code = command->call(shell, shell->interp, (int)count, list);
        else if (count == 3 && strcmp(Tcl_GetString(list[0]), "watch") == 0)
            code = watch(shell, list);
    }
    Tcl_Obj *value = Tcl_GetObjResult(shell->interp);
    const bool has_text = code == TCL_OK && shell->pretty_value && value == shell->pretty_value;
    answer[ANSWER_CODE] = Tcl_NewIntObj(code);
    answer[ANSWER_VALUE] = value;
    answer[ANSWER_TEXT] = has_text ? shell->pretty_text : Tcl_NewObj();
    answer[ANSWER_HAS_TEXT] = Tcl_NewIntObj(has_text);
    answer[ANSWER_CPU] = Tcl_NewIntObj((int)shell->cpu);
    return Tcl_NewListObj(ANSWER_PARTS, answer);
}

static void set_breaks(struct shell *shell, Tcl_Obj *breaks)
{
    Tcl_Obj **list;
    Tcl_Size count;
    Tcl_WideInt address;
    shell_breaks_remove(shell);
    if (Tcl_ListObjGetElements(NULL, breaks, &count, &list) != TCL_OK)
        return;
    for (Tcl_Size i = 0; i < count; i++)
        if (Tcl_GetWideIntFromObj(NULL, list[i], &address) == TCL_OK)
            shell_break_set(shell, (vaddr)address);
}

static void answer(void *opaque, const char *question, size_t size, FILE *out)
{
    struct shell *shell = opaque;
    Tcl_Obj *list = Tcl_NewStringObj(question, (Tcl_Size)size), **parts;
    Tcl_Size count;
    int cpu = 0;
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &parts) == TCL_OK && count == QUESTION_PARTS &&
        Tcl_GetIntFromObj(NULL, parts[QUESTION_CPU], &cpu) == TCL_OK) {
        shell->cpu = (unsigned)cpu;
        shell->run_interrupted = false;
        set_breaks(shell, parts[QUESTION_BREAKS]);
        Tcl_Obj *result = execute(shell, parts[QUESTION_WORDS]);
        Tcl_IncrRefCount(result);
        Tcl_Size length;
        const char *text = Tcl_GetStringFromObj(result, &length);
        fwrite(text, 1, (size_t)length, out);
        Tcl_DecrRefCount(result);
    }
    Tcl_DecrRefCount(list);
}

/* In the process of the present */

char *shell_past_question(const struct shell *shell, Tcl_Obj *words, size_t *size)
{
    Tcl_Obj *breaks = Tcl_NewListObj(0, NULL);
    for (const struct shell_break *point = shell->breaks; point; point = point->next)
        Tcl_ListObjAppendElement(NULL, breaks, Tcl_NewWideIntObj(point->address));
    Tcl_Obj *parts[QUESTION_PARTS] = {
        [QUESTION_CPU] = Tcl_NewIntObj((int)shell->cpu), [QUESTION_BREAKS] = breaks, [QUESTION_WORDS] = words};
    Tcl_Obj *question = Tcl_NewListObj(QUESTION_PARTS, parts);
    Tcl_IncrRefCount(question);
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(question, &length);
    char *copy = checked_memory(strndup(text, (size_t)length));
    *size = (size_t)length;
    Tcl_DecrRefCount(question);
    return copy;
}

int shell_past_result(struct shell *shell, const char *text, size_t size)
{
    Tcl_Obj *list = Tcl_NewStringObj(text, (Tcl_Size)size), **parts;
    Tcl_Size count;
    int code = TCL_ERROR, has_text = 0, cpu = 0;
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &parts) != TCL_OK || count != ANSWER_PARTS ||
        Tcl_GetIntFromObj(NULL, parts[ANSWER_CODE], &code) != TCL_OK ||
        Tcl_GetIntFromObj(NULL, parts[ANSWER_HAS_TEXT], &has_text) != TCL_OK ||
        Tcl_GetIntFromObj(NULL, parts[ANSWER_CPU], &cpu) != TCL_OK)
        shell_error(shell, "no answer from the past");
    else {
        shell->cpu = (unsigned)cpu < shell->machine->cpus ? (unsigned)cpu : 0;
        shell_pretty(shell, parts[ANSWER_VALUE],
                     has_text ? checked_memory(strdup(Tcl_GetString(parts[ANSWER_TEXT]))) : NULL);
    }
    Tcl_DecrRefCount(list);
    return code;
}

/* The run of the past has come to the present, or to a change by hand. */
static int come_to(struct shell *shell, const char *word)
{
    char *text = NULL;
    size_t size;
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        fprintf(out, "%s", word);
        if (!history_is_past(shell->history)) {
            fprintf(out, ": ");
            shell_print_position(shell, out, shell->cpu);
        }
        fclose(out);
    }
    shell_pretty(shell, Tcl_NewStringObj(word, -1), text);
    return TCL_OK;
}

static int pass_on(struct shell *shell, int count, Tcl_Obj *const words[])
{
    struct err err = {""};
    char *text = NULL;
    size_t size = 0, length;
    char *question = shell_past_question(shell, Tcl_NewListObj(count, words), &length);
    const enum history_outcome outcome = history_ask(shell->history, question, length, &text, &size, &err);
    free(question);
    int code = outcome == HISTORY_FAILED ? shell_error(shell, "%s", err.text) : shell_past_result(shell, text, size);
    free(text);
    if (code == TCL_OK && outcome == HISTORY_PRESENT)
        code = come_to(shell, "present");
    else if (code == TCL_OK && outcome == HISTORY_CHANGE)
        code = come_to(shell, "changed");
    if (shell_is_ending(shell) && !code)
        shell->interrupted = 0;
    return code;
}

int shell_call(struct shell *shell, const struct shell_command *command, int count, Tcl_Obj *const words[])
{
    if (command->place == SHELL_HERE || !history_is_past(shell->history))
        return command->call(shell, shell->interp, count, words);
    if (command->place == SHELL_PRESENT)
        return shell_error(shell, "%s: the past cannot be changed; `present` returns to where it can", command->name);
    return pass_on(shell, count, words);
}

int shell_do(struct shell *shell, const char *command, Tcl_Obj *argument)
{
    Tcl_Obj *words[] = {Tcl_NewStringObj(command, -1), argument};
    const int count = argument ? 2 : 1;
    for (int i = 0; i < count; i++)
        Tcl_IncrRefCount(words[i]);
    const int code = shell_call(shell, shell_find_command(command), count, words);
    for (int i = 0; i < count; i++)
        Tcl_DecrRefCount(words[i]);
    return code;
}

static bool is_ending(void *opaque)
{
    return shell_is_ending(opaque);
}

static int interrupt_fd(void *opaque)
{
    return end_signals_fd(((struct shell *)opaque)->signals);
}

bool shell_history_begin(struct shell *shell, struct err *err)
{
    const struct history_front front = {.opaque = shell,
                                        .enter = enter,
                                        .load = shell_series_load,
                                        .run = run,
                                        .answer = answer,
                                        .is_ending = is_ending,
                                        .interrupt_fd = interrupt_fd};
    if (!shell->history_wanted)
        return true;
    shell->history = history_begin(shell->machine, shell->history_wanted, &front, err);
    return shell->history != NULL;
}

void shell_place_text(const struct shell *shell, char *text, size_t size)
{
    *text = 0;
    if (history_is_past(shell->history))
        snprintf(text, size, "[insn %llu of %llu..%llu]", (unsigned long long)history_place(shell->history).insns,
                 (unsigned long long)history_first(shell->history).insns,
                 (unsigned long long)history_present(shell->history).insns);
}
