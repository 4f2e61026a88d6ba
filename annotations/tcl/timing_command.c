/* The commands `timing` and `statistics`, for measurements by scripts (timing_trees.c, statistics.c). */
#include "annotations/tcl/annotate_state.h"
#include "annotations/accounts/statistics.h"
#include "annotations/accounts/timing_trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check_name(struct annotate *annotate, const char *name)
{
    if (*name && strlen(name) < TIMING_NAME)
        return TCL_OK;
    return annotate_error(annotate, "a name has 1 to %d bytes, not \"%.64s\"", TIMING_NAME - 1, name);
}

/* timing fields TREE {FIELD ...} */
static int set_fields(struct annotate *annotate, const char *tree, Tcl_Obj *list)
{
    Tcl_Size count;
    Tcl_Obj **words;
    unsigned fields = 0;
    if (Tcl_ListObjGetElements(annotate->interp, list, &count, &words) != TCL_OK)
        return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        unsigned field = 0;
        while (timing_trees_field_name(field) && strcmp(timing_trees_field_name(field), Tcl_GetString(words[i])) != 0)
            field++;
        if (!timing_trees_field_name(field))
            return annotate_error(annotate, "\"%.64s\" is not a field: calls, cycles, insns, wait, stall, misses",
                                  Tcl_GetString(words[i]));
        fields |= 1u << field;
    }
    if (!timing_trees_set_fields(annotate->timing, tree, fields))
        return annotate_error(annotate, "there is no timing tree \"%.64s\"", tree);
    return TCL_OK;
}

static int dump(struct annotate *annotate, const char *tree)
{
    char *text = NULL;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    bool found = timing_trees_print(annotate->timing, tree, out);
    fclose(out);
    if (found)
        Tcl_SetObjResult(annotate->interp, Tcl_NewStringObj(text, (int)size));
    free(text);
    return found ? TCL_OK : annotate_error(annotate, "there is no timing tree \"%.64s\"", tree);
}

int timing_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const verbs[] = {"create", "fields", "dump", "switch", "end", "exit", "terminate", NULL};
    enum { CREATE, SET_FIELDS, DUMP, SWITCH, END };
    static const int most[] = {3, 4, 3, 4, 4, 3, 3};
    static const enum timing_move moves[] = {TIMING_SWITCH, TIMING_END, TIMING_EXIT, TIMING_TERMINATE};
    struct annotate *annotate = data;
    struct err err = {""};
    int verb;
    if (count < 3) {
        Tcl_WrongNumArgs(interp, 1, words, "create|fields|switch|end|exit|terminate|dump TREE ...");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, words[1], verbs, "subcommand", TCL_EXACT, &verb) != TCL_OK)
        return TCL_ERROR;
    if (count > most[verb] || (count < most[verb] && verb != END)) {
        Tcl_WrongNumArgs(interp, 2, words,
                         verb == SET_FIELDS ? "TREE FIELDS"
                         : most[verb] == 4  ? "TREE PHASE"
                                            : "TREE");
        return TCL_ERROR;
    }
    const char *tree = Tcl_GetString(words[2]), *phase = count > 3 ? Tcl_GetString(words[3]) : NULL;
    if (check_name(annotate, tree) != TCL_OK || (phase && verb != SET_FIELDS && check_name(annotate, phase) != TCL_OK))
        return TCL_ERROR;
    if (!annotate->timing)
        annotate->timing = timing_trees_create(&annotate->view.machine);
    Tcl_ResetResult(interp);
    if (verb == CREATE)
        return timing_trees_add(annotate->timing, tree)
                   ? TCL_OK
                   : annotate_error(annotate, "there is a timing tree \"%.64s\" already", tree);
    if (verb == SET_FIELDS)
        return set_fields(annotate, tree, words[3]);
    if (verb == DUMP)
        return dump(annotate, tree);
    if (!timing_trees_move(annotate->timing, tree, moves[verb - SWITCH], annotate->core, phase, &err))
        return annotate_error(annotate, "%s", err.text);
    return TCL_OK;
}

/* Result: {KEY {count N sum S least L most M} ...} */
static int list(struct annotate *annotate, const char *name)
{
    static const char *const names[] = {"count", "sum", "least", "most"};
    size_t count;
    const struct statistics_entry *entry = statistics_list(annotate->statistics, name, &count);
    if (!entry)
        return annotate_error(annotate, "there are no statistics \"%.64s\"", name);
    Tcl_Obj *all = Tcl_NewDictObj();
    for (size_t i = 0; i < count; i++) {
        Tcl_Obj *one = Tcl_NewDictObj();
        const double values[] = {(double)entry[i].count, entry[i].sum, entry[i].least, entry[i].most};
        for (unsigned j = 0; j < 4; j++) {
            const bool whole = fabs(values[j]) < 9e15 && values[j] == floor(values[j]);
            Tcl_DictObjPut(NULL, one, Tcl_NewStringObj(names[j], -1),
                           whole ? Tcl_NewWideIntObj((Tcl_WideInt)values[j]) : Tcl_NewDoubleObj(values[j]));
        }
        Tcl_DictObjPut(NULL, all, Tcl_NewStringObj(entry[i].key, -1), one);
    }
    Tcl_SetObjResult(annotate->interp, all);
    return TCL_OK;
}

static int list_names(struct annotate *annotate)
{
    Tcl_Obj *all = Tcl_NewListObj(0, NULL);
    const char *name;
    for (size_t i = 0; (name = statistics_name(annotate->statistics, i)); i++)
        Tcl_ListObjAppendElement(NULL, all, Tcl_NewStringObj(name, -1));
    Tcl_SetObjResult(annotate->interp, all);
    return TCL_OK;
}

/* statistics create NAME; statistics entry NAME VALUE ?KEY?; statistics list ?NAME? */
int statistics_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const verbs[] = {"create", "entry", "list", NULL};
    struct annotate *annotate = data;
    struct err err = {""};
    double value;
    int verb;
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "create NAME | entry NAME VALUE ?KEY? | list ?NAME?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, words[1], verbs, "subcommand", TCL_EXACT, &verb) != TCL_OK)
        return TCL_ERROR;
    if (!annotate->statistics)
        annotate->statistics = statistics_create();
    if (verb == 2 && count <= 3)
        return count == 3 ? list(annotate, Tcl_GetString(words[2])) : list_names(annotate);
    if ((verb == 0 && count != 3) || (verb == 1 && count != 4 && count != 5) || verb == 2) {
        Tcl_WrongNumArgs(interp, 1, words, "create NAME | entry NAME VALUE ?KEY? | list ?NAME?");
        return TCL_ERROR;
    }
    const char *name = Tcl_GetString(words[2]), *key = count == 5 ? Tcl_GetString(words[4]) : "all";
    if (check_name(annotate, name) != TCL_OK || check_name(annotate, key) != TCL_OK)
        return TCL_ERROR;
    Tcl_ResetResult(interp);
    if (verb == 0)
        return statistics_add(annotate->statistics, name)
                   ? TCL_OK
                   : annotate_error(annotate, "there are statistics \"%.64s\" already", name);
    if (Tcl_GetDoubleFromObj(interp, words[3], &value) != TCL_OK)
        return TCL_ERROR;
    if (!isfinite(value))
        return annotate_error(annotate, "\"%.64s\" is not a finite number", Tcl_GetString(words[3]));
    if (!statistics_enter(annotate->statistics, name, key, value, &err))
        return annotate_error(annotate, "%s", err.text);
    return TCL_OK;
}
