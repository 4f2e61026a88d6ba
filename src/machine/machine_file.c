#include "src/machine/machine_file.h"

#include "src/base/input_file.h"
#include "src/machine/machine_commands.h"
#include "src/host/tcl_file.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    MACHINE_FILE_MAX = 1 << 20, /* bytes */
    NAMES_SIZE = 512            /* for the names of all built-in machines */
};

/* Is NAME a hardware parameter? Guest, devices, host resources and pure observation of the caches are not hardware. */
static bool is_hardware(const char *name)
{
    static const char *const groups[] = {"cpu.",      "cache.", "memory.",      "bus.",          "dram.",
                                         "prefetch.", "block.", "machine.cpus", "machine.memory"};
    static const char *const others[] = {"cache.check_interval", "cache.classify", "cache.profile"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return params_begins_with(name, groups, sizeof groups / sizeof groups[0]);
}

static void set_defaults(struct params *params)
{
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++)
        if (is_hardware(def->name) && !params_set(params, def->name, def->initial, NULL))
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

static char *read_text(const char *path, struct err *err)
{
    FILE *file = input_file_stream(path);
    if (!file) {
        int reason = errno;
        char names[NAMES_SIZE];
        machine_file_names(names, sizeof names);
        err_set(err, "machine %s: cannot be read (%s) and is not built in; built-in machines: %s", path,
                input_file_reason(reason), names);
        return NULL;
    }
    char *text = malloc(MACHINE_FILE_MAX + 1);
    if (!text)
        log_bug("out of memory");
    size_t length = fread(text, 1, MACHINE_FILE_MAX + 1, file);
    bool failed = ferror(file);
    int reason = errno;
    fclose(file);
    if (failed)
        err_set(err, "machine %s: %s", path, strerror(reason));
    else if (length > MACHINE_FILE_MAX)
        err_set(err, "machine %s: longer than %d bytes", path, MACHINE_FILE_MAX);
    else {
        text[length] = 0;
        return text;
    }
    free(text);
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

bool machine_file_apply(struct params *params, const char *name, char *label, size_t size, struct err *err)
{
    const struct machine_text *known = find_text(name);
    char *file = known ? NULL : read_text(name, err);
    const char *text = known ? known->text : file;
    char origin[PATH_MAX + 32];
    snprintf(origin, sizeof origin, "machine %s", name);
    struct params *described = params_copy(params);
    if (file && !params_origin(params))
        params_set_origin(described, origin);
    bool done = text && apply(described, name, text, known, err);
    if (done)
        copy_values(params, described);
    params_free(described);
    free(file);
    if (done)
        make_label(name, label, size);
    return done;
}
