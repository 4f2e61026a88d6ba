#include "src/description/machine_file.h"

#include "src/base/input_file.h"
#include "src/description/machine_commands.h"
#include "src/tcl/tcl_file.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_SIZE = 512 }; /* for the names of all built-in machines */

static void set_defaults(struct params *params)
{
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++)
        if ((def->traits & TRAIT_HARDWARE) && !params_set(params, def->name, def->initial, NULL))
            log_bug("%s cannot be set to its default", def->name);
}

static void copy_values(struct params *to, const struct params *from)
{
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(from, i)); i++)
        params_copy_value(to, from, def->name);
}

static bool apply(struct params *params, const char *name, const char *text, bool own, struct err *err)
{
    Tcl_Interp *interp = tcl_file_interp();
    struct params *copy = params_copy(params);
    set_defaults(copy);
    machine_commands_add(interp, copy);
    bool done = (own ? tcl_file_eval_trusted : tcl_file_eval)(interp, "machine", name, text, err);
    if (done)
        copy_values(params, copy);
    params_free(copy);
    tcl_file_interp_free(interp);
    return done;
}

bool machine_file_apply_text(struct params *params, const char *name, const char *text, struct err *err)
{
    return apply(params, name, text, false, err);
}

/* FOREIGN: a file of possibly other origin names PATH. */
static char *read_text(const char *path, bool foreign, struct err *err)
{
    struct err reason = {""};
    char *text = input_file_text(foreign ? INPUT_NAMED : INPUT_MACHINE, path, &reason), names[NAMES_SIZE];
    if (text)
        return text;
    if (access(path, F_OK) == 0)
        err_set(err, "%s", reason.text);
    else {
        machine_file_names(names, sizeof names);
        err_set(err, "machine %.200s: cannot be read (%s) and is not built in; built-in machines: %s", path,
                strerror(errno), names);
    }
    return NULL;
}

static void make_label(const char *name, char *label, size_t size)
{
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    size_t length = strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".tcl") == 0)
        length -= 4;
    snprintf(label, size, "%.*s", (int)length, base);
}

/* Built-in descriptions */

static const struct machine_text *find_text(const char *name)
{
    for (const struct machine_text *machine = machine_texts; machine->name; machine++)
        if (strcmp(machine->name, name) == 0)
            return machine;
    return NULL;
}

const char *machine_text_find(const char *name, struct err *err)
{
    char names[NAMES_SIZE];
    const struct machine_text *machine = find_text(name);
    if (machine)
        return machine->text;
    machine_file_names(names, sizeof names);
    err_set(err, "no built-in machine is called \"%.64s\"; there are: %s", name, names);
    return NULL;
}

void machine_file_names(char *buffer, size_t size)
{
    size_t length = 0;
    buffer[0] = 0;
    for (const struct machine_text *machine = machine_texts; machine->name && length < size; machine++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", length ? ", " : "", machine->name);
}

void machine_file_list(FILE *out)
{
    for (const struct machine_text *machine = machine_texts; machine->name; machine++) {
        const char *summary = machine->text + strspn(machine->text, "# ");
        fprintf(out, "%-16s %.*s\n", machine->name, (int)strcspn(summary, "\n"), summary);
    }
}

/* Replace what Tcl said of the file NAME, which FROM names: it may quote any file of this host. */
static bool hide(const char *name, const char *from, const struct err *reason, struct err *err)
{
    const char *line = strstr(reason->text, ", line ");
    const unsigned long number = line ? strtoul(line + strlen(", line "), NULL, 10) : 0;
    return err_set(err, "machine %.150s, line %lu: no machine description (%.150s names it; --trust says why)", name,
                   number, from);
}

bool machine_file_apply(struct params *params, const char *name, char *label, size_t size, struct err *err)
{
    const struct machine_text *known = find_text(name);
    char *file = known ? NULL : read_text(name, params_origin(params), err);
    const char *text = known ? known->text : file;
    char origin[PATH_MAX + 32];
    snprintf(origin, sizeof origin, "machine %s", name);
    struct params *described = params_copy(params);
    if (file && !params_origin(params))
        params_set_origin(described, origin);
    struct err reason = {""};
    bool done = text && apply(described, name, text, known, &reason);
    if (text && !done && !known && params_origin(params))
        hide(name, params_origin(params), &reason, err);
    else if (text && !done)
        err_set(err, "%s", reason.text);
    if (done)
        copy_values(params, described);
    params_free(described);
    free(file);
    if (done)
        make_label(name, label, size);
    return done;
}
