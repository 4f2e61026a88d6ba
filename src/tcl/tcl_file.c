#include "src/tcl/tcl_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    COMMANDS = 1000000,      /* a file that executes more is assumed to loop */
    SECONDS = 4,             /* of processor time, for loops that Tcl does not count */
    WAIT_SECONDS = 60,       /* for a process of SECONDS on a busy machine */
    COMMANDS_MAX = 16 << 20, /* maximum bytes of a file's commands */
    MEMORY_MAX = 512 << 20,  /* additional bytes for the evaluation */
};

/* Recording of an interpreter: the commands so far. NULL: commands are executed without recording. */
struct recording {
    Tcl_Obj *script;
};

struct command {
    char *name;
    enum tcl_file_kind kind;
    Tcl_ObjCmdProc *proc;
    ClientData data;
    struct recording *recording;
};

static const char recording_key[] = "simos recording";

Tcl_Interp *tcl_file_interp(void)
{
    static const char *const waiting[] = {"after", "interp", "update", "vwait"}; /* also from another interpreter */
    Tcl_Interp *interp = Tcl_CreateChild(Tcl_CreateInterp(), "file", true);
    for (size_t i = 0; i < sizeof waiting / sizeof waiting[0]; i++)
        Tcl_DeleteCommand(interp, waiting[i]);
    Tcl_LimitSetCommands(interp, COMMANDS);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_COMMANDS);
    return interp;
}

void tcl_file_interp_free(Tcl_Interp *interp)
{
    Tcl_DeleteInterp(Tcl_GetParent(interp));
}

/* Commands */

/* Append a line of COUNT words to the recording; LAST, unless NULL, replaces the last word. */
static void note(struct recording *recording, const struct command *command, int count, Tcl_Obj *const words[],
                 Tcl_Obj *last)
{
    Tcl_Obj *line = Tcl_NewListObj(0, NULL);
    Tcl_IncrRefCount(line);
    Tcl_ListObjAppendElement(NULL, line, Tcl_NewStringObj(command->name, -1));
    for (int i = 1; i < count; i++)
        Tcl_ListObjAppendElement(NULL, line, last && i == count - 1 ? last : words[i]);
    Tcl_AppendObjToObj(recording->script, line);
    Tcl_AppendToObj(recording->script, "\n", 1);
    Tcl_DecrRefCount(line);
}

static int run_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    const struct command *command = data;
    struct recording *recording = command->recording;
    Tcl_Obj *outer = recording->script, *inner = NULL;
    if (outer && command->kind == TCL_FILE_BLOCK) {
        recording->script = inner = Tcl_NewObj();
        Tcl_IncrRefCount(inner);
    }
    int code = command->proc(command->data, interp, count, words);
    recording->script = outer;
    if (outer && code == TCL_OK && command->kind != TCL_FILE_INLINE)
        note(recording, command, count, words, inner);
    if (inner)
        Tcl_DecrRefCount(inner);
    return code;
}

static void free_command(ClientData data)
{
    struct command *command = data;
    free(command->name);
    free(command);
}

static void free_recording(ClientData data, Tcl_Interp *interp)
{
    (void)interp;
    free(data);
}

static struct recording *recording_of(Tcl_Interp *interp)
{
    struct recording *recording = Tcl_GetAssocData(interp, recording_key, NULL);
    if (!recording) {
        recording = checked_memory(calloc(1, sizeof *recording));
        Tcl_SetAssocData(interp, recording_key, free_recording, recording);
    }
    return recording;
}

void tcl_file_command(Tcl_Interp *interp, const char *name, enum tcl_file_kind kind, Tcl_ObjCmdProc *proc,
                      ClientData data)
{
    struct command *command = checked_memory(malloc(sizeof *command));
    *command = (struct command){checked_memory(strdup(name)), kind, proc, data, recording_of(interp)};
    Tcl_CreateObjCommand(interp, name, run_command, command, free_command);
}

/* Evaluation */

/* A variable that is called like a parameter would have no effect, without a word. */
static bool refuse_parameters(Tcl_Interp *interp, const char *what, const char *path, struct err *err)
{
    const char *name =
        Tcl_Eval(interp, "lindex [lsort [info globals *.*]] 0") == TCL_OK ? Tcl_GetStringResult(interp) : "";
    return !*name || err_set(err, "%s %s: `set %.64s` sets a variable, not a parameter: `param %.64s VALUE` does", what,
                             path, name, name);
}

bool tcl_file_eval_trusted(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err)
{
    if (Tcl_Eval(interp, text) != TCL_OK)
        return err_set(err, "%s %s, line %d: %s", what, path, Tcl_GetErrorLine(interp), Tcl_GetStringResult(interp));
    return refuse_parameters(interp, what, path, err);
}

static void set_limit(int resource, rlim_t limit)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && (now.rlim_max == RLIM_INFINITY || now.rlim_max > limit)) {
        now.rlim_cur = now.rlim_max = limit;
        setrlimit(resource, &now);
    }
}

/* Bytes of address space of this process. */
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%lu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(fd, bytes, count);
        if (done < 0 && errno != EINTR)
            return;
        bytes += done > 0 ? done : 0;
        count -= done > 0 ? (size_t)done : 0;
    }
}

/* Set the time limit to the remaining processor time: elapsed time is at least that, and this handler then checks
 * again. */
static void limit_time(ClientData data, Tcl_Interp *interp)
{
    const double left = SECONDS - (double)clock() / CLOCKS_PER_SEC;
    Tcl_Time end;
    (void)data;
    if (left <= 0)
        return; /* the limit stays exceeded */
    Tcl_GetTime(&end);
    end.sec += (long)left;
    end.usec += (long)((left - (double)(long)left) * 1e6) + 1;
    if (end.usec >= 1000000)
        end.sec++, end.usec -= 1000000;
    Tcl_LimitSetTime(interp, &end);
}

/* In the child: write "+" and the commands, or "-" and the error. Never returns. */
static void evaluate(Tcl_Interp *interp, const char *what, const char *path, const char *text, pid_t parent, int answer)
{
    struct err err = {""};
    rlim_t space = address_space();
    int null = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || null < 0)
        _exit(1);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    set_limit(RLIMIT_CORE, 0);
    /* ends the process within a single Tcl operation, which no Tcl limit interrupts */
    set_limit(RLIMIT_CPU, SECONDS + 1);
    Tcl_LimitAddHandler(interp, TCL_LIMIT_TIME, limit_time, NULL, NULL);
    limit_time(NULL, interp);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_TIME);
    if (space > 0)
        set_limit(RLIMIT_AS, space + MEMORY_MAX);
    struct recording *recording = recording_of(interp);
    recording->script = Tcl_NewObj();
    Tcl_IncrRefCount(recording->script);
    bool done = tcl_file_eval_trusted(interp, what, path, text, &err);
    if (Tcl_LimitExceeded(interp))
        _exit(1);
    const char *bytes = done ? Tcl_GetString(recording->script) : err.text;
    write_all(answer, done ? "+" : "-", 1);
    write_all(answer, bytes, strlen(bytes));
    _exit(0);
}

/* Read FD to its end, at most COMMANDS_MAX bytes; the caller frees the text. NULL if there is more, or on a timeout. */
static char *read_answer(int fd)
{
    char *text = NULL;
    size_t length = 0, size = 0;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    for (;;) {
        if (length + 1 >= size) {
            size = size ? 2 * size : 4096;
            text = checked_memory(realloc(text, size));
        }
        int came = poll(&ready, 1, WAIT_SECONDS * 1000);
        ssize_t count = came > 0 ? read(fd, text + length, size - length - 1) : came;
        if ((came < 0 || count < 0) && errno == EINTR)
            continue;
        if (came > 0 && count == 0) {
            text[length] = 0;
            return text;
        }
        length += count > 0 ? (size_t)count : 0;
        if (count <= 0 || length > COMMANDS_MAX) {
            free(text);
            return NULL;
        }
    }
}

bool tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err)
{
    int answer[2], status = 0;
    fflush(NULL);
    if (pipe2(answer, O_CLOEXEC) != 0)
        return err_set(err, "%s %s: %s", what, path, strerror(errno));
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        evaluate(interp, what, path, text, parent, answer[1]);
    close(answer[1]);
    char *commands = child > 0 ? read_answer(answer[0]) : NULL;
    close(answer[0]);
    if (child < 0)
        return err_set(err, "%s %s: no process: %s", what, path, strerror(errno));
    if (!commands)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    bool done;
    if (!commands || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || (*commands != '+' && *commands != '-'))
        done = err_set(err, "%s %s: takes more than %d commands, %d s or %d MB, or is nested too deeply", what, path,
                       COMMANDS, SECONDS, MEMORY_MAX >> 20);
    else if (*commands == '-')
        done = err_set(err, "%s", commands + 1);
    else
        done = tcl_file_eval_trusted(interp, what, path, commands + 1, err);
    free(commands);
    return done;
}
