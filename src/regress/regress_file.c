#include "src/regress/regress_file.h"

#include "src/base/input_file.h"
#include "src/tcl/tcl_file.h"
#include "src/sweep/sweep_settings.h"
#include <stdlib.h>
#include <string.h>

/* Where a program begins: when what the boot has left to do is done, its shell becomes it. */
static const char program_event[] = "mark:begin";
static const char program_script[] = "sleep 2; simos-mark begin; exec \"$@\"";

struct reading {
    struct sweep_settings settings;
    struct regress_file *file;
    unsigned program_count;
    char **program; /* its words: ./NAME and the arguments */
};

static int fail(Tcl_Interp *interp, const char *text)
{
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
    return TCL_ERROR;
}

static int position_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    struct machine_event event;
    struct err err = {""};
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "EVENT ?WORD ...?");
        return TCL_ERROR;
    }
    if (file->event)
        return fail(interp, "position: given twice");
    if (!machine_event_parse(&event, Tcl_GetString(words[1]), &err))
        return sweep_settings_fail(interp, &err);
    file->event = checked_memory(strdup(Tcl_GetString(words[1])));
    file->position = checked_memory(calloc((size_t)count, sizeof *file->position));
    for (int i = 2; i < count; i++)
        file->position[file->position_count++] = checked_memory(strdup(Tcl_GetString(words[i])));
    return TCL_OK;
}

const char *regress_program_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int program_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct reading *reading = data;
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "FILE ?ARG ...?");
        return TCL_ERROR;
    }
    if (reading->file->program)
        return fail(interp, "program: given twice");
    const char *path = Tcl_GetString(words[1]), *name = regress_program_name(path);
    if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return fail(interp, "program: FILE is the name of no file");
    reading->file->program = checked_memory(strdup(path));
    reading->program = checked_memory(calloc((size_t)count, sizeof *reading->program));
    const size_t size = strlen(name) + sizeof "./";
    reading->program[0] = checked_memory(malloc(size));
    snprintf(reading->program[0], size, "./%s", name);
    for (int i = 2; i < count; i++)
        reading->program[i - 1] = checked_memory(strdup(Tcl_GetString(words[i])));
    reading->program_count = (unsigned)count - 1;
    return TCL_OK;
}

static int kernel_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    if (count != 2 || !*Tcl_GetString(words[1])) {
        Tcl_WrongNumArgs(interp, 1, words, "FILE");
        return TCL_ERROR;
    }
    free(file->kernel);
    file->kernel = checked_memory(strdup(Tcl_GetString(words[1])));
    return TCL_OK;
}

static int repetitions_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    int first, most;
    if (count < 2 || count > 3) {
        Tcl_WrongNumArgs(interp, 1, words, "FIRST ?MOST?");
        return TCL_ERROR;
    }
    if (Tcl_GetIntFromObj(interp, words[1], &first) != TCL_OK ||
        Tcl_GetIntFromObj(interp, words[count - 1], &most) != TCL_OK)
        return TCL_ERROR;
    if (first < 2 || most < first || most > REGRESS_REPETITIONS_MAX)
        return fail(interp, "repetitions: FIRST is at least 2, MOST at least FIRST and at most 1000");
    file->first = (unsigned)first;
    file->most = (unsigned)most;
    return TCL_OK;
}

static int seed_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    int seed;
    if (count != 2) {
        Tcl_WrongNumArgs(interp, 1, words, "N");
        return TCL_ERROR;
    }
    if (Tcl_GetIntFromObj(interp, words[1], &seed) != TCL_OK)
        return TCL_ERROR;
    if (seed < 0 || seed > 1000000000)
        return fail(interp, "seed: not a number from 0 to 1000000000");
    file->seed = (unsigned)seed;
    return TCL_OK;
}

static int confidence_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    double percent;
    if (count != 2) {
        Tcl_WrongNumArgs(interp, 1, words, "PERCENT");
        return TCL_ERROR;
    }
    if (Tcl_GetDoubleFromObj(interp, words[1], &percent) != TCL_OK)
        return TCL_ERROR;
    if (!(percent >= 50 && percent <= 99.99))
        return fail(interp, "confidence: not a percentage from 50 to 99.99");
    file->confidence = percent;
    return TCL_OK;
}

static int placement_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    if (count != 2) {
        Tcl_WrongNumArgs(interp, 1, words, "as-linked|random");
        return TCL_ERROR;
    }
    const char *word = Tcl_GetString(words[1]);
    if (strcmp(word, "as-linked") != 0 && strcmp(word, "random") != 0)
        return fail(interp, "placement: neither as-linked nor random");
    file->placing = strcmp(word, "random") == 0 ? REGRESS_PLACING_RANDOM : REGRESS_PLACING_LINKED;
    return TCL_OK;
}

static bool is_known(const struct regress_file *file, const char *name)
{
    for (unsigned i = 0; i < file->row_count; i++)
        if (strcmp(file->rows[i].name, name) == 0)
            return true;
    return false;
}

static int row_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct regress_file *file = ((struct reading *)data)->file;
    struct err err = {""};
    if (count < 3) {
        Tcl_WrongNumArgs(interp, 1, words, "NAME FIGURE ?OPTION ...?");
        return TCL_ERROR;
    }
    if (file->row_count >= REGRESS_ROWS_MAX)
        return fail(interp, "row: at most 1000 rows");
    if (is_known(file, Tcl_GetString(words[1]))) {
        Tcl_SetObjResult(interp, Tcl_ObjPrintf("row \"%.64s\": this name is already used", Tcl_GetString(words[1])));
        return TCL_ERROR;
    }
    const char **texts = checked_memory(calloc((size_t)count, sizeof *texts));
    for (int i = 1; i < count; i++)
        texts[i - 1] = Tcl_GetString(words[i]);
    file->rows = checked_memory(realloc(file->rows, (file->row_count + 2) * sizeof *file->rows));
    struct regress_row *row = &file->rows[file->row_count++];
    const bool parsed = regress_row_parse(row, (unsigned)count - 1, texts, &err);
    free(texts);
    if (!parsed)
        return sweep_settings_fail(interp, &err);
    if (row->placement != REGRESS_BOTH)
        return TCL_OK;
    struct regress_row linked = regress_row_divide(row);
    const bool known = is_known(file, linked.name);
    file->rows[file->row_count++] = linked;
    return known || file->row_count > REGRESS_ROWS_MAX
               ? fail(interp, "row: -placement both makes two rows, of which the second cannot be added")
               : TCL_OK;
}

static bool has_checkpoint(const struct regress_file *file)
{
    for (unsigned i = 0; i < file->settings.count; i++)
        if (file->settings.axes[i].kind == SWEEP_CHECKPOINT)
            return true;
    return false;
}

/* A file with a program: what its position runs. */
static bool add_program(struct reading *reading, struct err *err)
{
    static const char *const shell[] = {"--", "sh", "-c", program_script, "sh"};
    enum { SHELL_WORDS = sizeof shell / sizeof shell[0] };
    struct regress_file *file = reading->file;
    bool runs = false;
    for (unsigned i = 0; i < file->position_count; i++)
        runs = runs || strcmp(file->position[i], "--") == 0;
    if (runs || (file->event && strcmp(file->event, program_event) != 0))
        return err_set(err, "test %.200s: with a program, position is %s and options of the run", file->path,
                       program_event);
    if (!file->event)
        file->event = checked_memory(strdup(program_event));
    const size_t count = file->position_count + SHELL_WORDS + reading->program_count;
    file->position = checked_memory(realloc(file->position, count * sizeof *file->position));
    for (unsigned i = 0; i < SHELL_WORDS; i++)
        file->position[file->position_count++] = checked_memory(strdup(shell[i]));
    for (unsigned i = 0; i < reading->program_count; i++)
        file->position[file->position_count++] = checked_memory(strdup(reading->program[i]));
    return true;
}

/* What the file as a whole must have. */
static bool complete(struct reading *reading, struct err *err)
{
    struct regress_file *file = reading->file;
    const bool restores = has_checkpoint(file);
    for (unsigned i = 0; i < file->settings.count; i++)
        if (file->settings.axes[i].kind == SWEEP_CHECKPOINT && file->settings.axes[i].count > 1)
            return err_set(err, "test %.200s: checkpoint: only one", file->path);
    if (restores && file->event)
        return err_set(err, "test %.200s: position and checkpoint: only one of them", file->path);
    if (restores && file->kernel)
        return err_set(err, "test %.200s: kernel: a checkpoint has its kernel", file->path);
    if (restores && file->program)
        return err_set(err, "test %.200s: program and checkpoint: only one of them", file->path);
    if (file->row_count == 0)
        return err_set(err, "test %.200s: there is no row to keep (row NAME FIGURE ...)", file->path);
    if (file->program && !add_program(reading, err))
        return false;
    if (!restores && !file->event)
        file->event = checked_memory(strdup("boot"));
    return true;
}

bool regress_file_parse(struct regress_file *file, const char *path, const char *text, bool trusted, struct err *err)
{
    static const struct {
        const char *name;
        Tcl_ObjCmdProc *command;
    } commands[] = {
        {"position", position_command},   {"kernel", kernel_command},         {"repetitions", repetitions_command},
        {"seed", seed_command},           {"confidence", confidence_command}, {"row", row_command},
        {"placement", placement_command}, {"program", program_command},
    };
    struct reading reading = {.file = file};
    *file = (struct regress_file){.path = checked_memory(strdup(path)), .first = 5, .most = 40, .confidence = 95};
    Tcl_Interp *interp = tcl_file_interp();
    sweep_settings_begin(&reading.settings, &file->settings, trusted ? NULL : path);
    sweep_settings_define(&reading.settings, interp);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        tcl_file_command(interp, commands[i].name, TCL_FILE_PLAIN, commands[i].command, &reading);
    const bool done = tcl_file_eval(interp, "test", path, text, err) && complete(&reading, err);
    sweep_settings_end(&reading.settings);
    for (unsigned i = 0; i < reading.program_count; i++)
        free(reading.program[i]);
    free(reading.program);
    tcl_file_interp_free(interp);
    return done;
}

bool regress_file_read(struct regress_file *file, const char *path, bool trusted, struct err *err)
{
    *file = (struct regress_file){.path = checked_memory(strdup(path))};
    char *text = input_file_text(INPUT_TEST, path, err);
    if (!text)
        return false;
    regress_file_release(file);
    const bool done = regress_file_parse(file, path, text, trusted, err);
    free(text);
    return done;
}

void regress_file_release(struct regress_file *file)
{
    for (unsigned i = 0; i < file->row_count; i++)
        regress_row_release(&file->rows[i]);
    for (unsigned i = 0; i < file->position_count; i++)
        free(file->position[i]);
    free(file->rows);
    free(file->position);
    free(file->event);
    free(file->kernel);
    free(file->program);
    free(file->path);
    sweep_product_release(&file->settings);
    *file = (struct regress_file){.path = NULL};
}
