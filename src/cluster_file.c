#include "src/cluster_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tcl.h>

enum {
    FILE_MAX = 1 << 20, /* bytes */
    COMMANDS = 1000000, /* a file that runs more is in a loop */
    SECONDS = 5,        /* the same, for loops that Tcl does not count */
};

static int fail(Tcl_Interp *interp, const char *name, const char *text)
{
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("node \"%.64s\": %s", name, text));
    return TCL_ERROR;
}

static bool is_name(const char *name)
{
    size_t length = strlen(name);
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
            return false;
    return length > 0 && length <= CLUSTER_NAME_MAX && (isalnum((unsigned char)*name) || *name == '_');
}

static int add_node(struct cluster_file *file, Tcl_Interp *interp, int count, Tcl_Obj *const words[], bool service)
{
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "NAME ?WORD ...?");
        return TCL_ERROR;
    }
    const char *name = Tcl_GetString(words[1]);
    if (!is_name(name))
        return fail(interp, name, "a name is 1 to 31 letters, digits, \"-\", \"_\", \".\"");
    if (file->count == HUB_NODES_MAX)
        return fail(interp, name, "one too many: at most 64");
    for (unsigned i = 0; i < file->count; i++)
        if (strcmp(file->nodes[i].name, name) == 0)
            return fail(interp, name, "there is one of this name already");
    struct cluster_file_node *node = &file->nodes[file->count++];
    snprintf(node->name, sizeof node->name, "%s", name);
    node->service = service;
    node->word_count = count - 2;
    node->words = checked_memory(calloc((size_t)count, sizeof *node->words));
    for (int i = 2; i < count; i++)
        node->words[i - 2] = checked_memory(strdup(Tcl_GetString(words[i])));
    return TCL_OK;
}

static int node_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    return add_node(data, interp, count, words, false);
}

static int service_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    return add_node(data, interp, count, words, true);
}

static void limit(Tcl_Interp *interp)
{
    Tcl_Time end;
    Tcl_MakeSafe(interp);
    Tcl_LimitSetCommands(interp, COMMANDS);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_COMMANDS);
    Tcl_GetTime(&end);
    end.sec += SECONDS;
    Tcl_LimitSetTime(interp, &end);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_TIME);
}

bool cluster_file_parse(struct cluster_file *file, const char *path, const char *text, struct err *err)
{
    Tcl_Interp *interp = Tcl_CreateInterp();
    *file = (struct cluster_file){0};
    limit(interp);
    Tcl_CreateObjCommand(interp, "node", node_command, file, NULL);
    Tcl_CreateObjCommand(interp, "service", service_command, file, NULL);
    bool done = Tcl_Eval(interp, text) == TCL_OK;
    if (!done)
        err_set(err, "cluster %s, line %d: %s", path, Tcl_GetErrorLine(interp), Tcl_GetStringResult(interp));
    Tcl_DeleteInterp(interp);
    unsigned waited = 0;
    for (unsigned i = 0; i < file->count; i++)
        waited += !file->nodes[i].service;
    return done && (waited > 0 || err_set(err, "cluster %s: there is no `node NAME ...` in it", path));
}

bool cluster_file_read(struct cluster_file *file, const char *path, struct err *err)
{
    *file = (struct cluster_file){0};
    FILE *in = fopen(path, "r");
    if (!in)
        return err_set(err, "cluster %s: %s", path, strerror(errno));
    char *text = checked_memory(malloc(FILE_MAX + 1));
    size_t length = fread(text, 1, FILE_MAX + 1, in);
    bool failed = ferror(in);
    int reason = errno;
    fclose(in);
    bool done = false;
    if (failed)
        err_set(err, "cluster %s: %s", path, strerror(reason));
    else if (length > FILE_MAX)
        err_set(err, "cluster %s: longer than %d bytes", path, FILE_MAX);
    else if (memchr(text, 0, length))
        err_set(err, "cluster %s: is no text, it has bytes of value 0", path);
    else {
        text[length] = 0;
        done = cluster_file_parse(file, path, text, err);
    }
    free(text);
    return done;
}

void cluster_file_release(struct cluster_file *file)
{
    for (unsigned i = 0; i < file->count; i++) {
        for (int word = 0; word < file->nodes[i].word_count; word++)
            free(file->nodes[i].words[word]);
        free(file->nodes[i].words);
    }
    *file = (struct cluster_file){0};
}
