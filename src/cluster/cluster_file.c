#include "src/cluster/cluster_file.h"

#include "src/base/input_file.h"
#include "src/tcl/tcl_file.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
        return fail(interp, name, "too many nodes: at most 64");
    for (unsigned i = 0; i < file->count; i++)
        if (strcmp(file->nodes[i].name, name) == 0)
            return fail(interp, name, "this name is already used");
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

bool cluster_file_parse(struct cluster_file *file, const char *path, const char *text, struct err *err)
{
    Tcl_Interp *interp = tcl_file_interp();
    *file = (struct cluster_file){0};
    tcl_file_command(interp, "node", TCL_FILE_PLAIN, node_command, file);
    tcl_file_command(interp, "service", TCL_FILE_PLAIN, service_command, file);
    bool done = tcl_file_eval(interp, "cluster", path, text, err);
    tcl_file_interp_free(interp);
    unsigned waited = 0;
    for (unsigned i = 0; i < file->count; i++)
        waited += !file->nodes[i].service;
    return done && (waited > 0 || err_set(err, "cluster %s: there is no `node NAME ...` in it", path));
}

bool cluster_file_read(struct cluster_file *file, const char *path, struct err *err)
{
    *file = (struct cluster_file){0};
    char *text = input_file_text(INPUT_CLUSTER, path, err);
    bool done = text && cluster_file_parse(file, path, text, err);
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
