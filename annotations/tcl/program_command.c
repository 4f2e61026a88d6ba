/* `symbol load`, `symbol path`, `symbol where`: the guest's programs and the files of the host with their symbols. */
#include "annotations/symbols/program_file.h"
#include "annotations/symbols/programs.h"
#include "annotations/tcl/annotate_state.h"
#include <string.h>

static int load(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"-process", "-base", NULL};
    struct err err = {""};
    vaddr base = 0;
    bool has_base = false;
    if (count < 1 || count % 2 == 0)
        return annotate_error(annotate, "wrong # args: should be \"symbol load FILE ?-process NAME? ?-base ADDRESS?\"");
    struct program_file *file = program_file_open(Tcl_GetString(words[0]), &err);
    if (!file)
        return annotate_error(annotate, "%s", err.text);
    /* default: only in processes with the program's name */
    const char *process = program_file_is_fixed(file) ? program_file_name(file) : "";
    int code = TCL_OK;
    for (int i = 1; i < count && code == TCL_OK; i += 2) {
        int option;
        code = Tcl_GetIndexFromObj(annotate->interp, words[i], options, "option", 0, &option);
        if (code == TCL_OK && option == 0)
            process = Tcl_GetString(words[i + 1]);
        else if (code == TCL_OK && !annotate_resolve_fixed(annotate, Tcl_GetString(words[i + 1]), &base, &err))
            code = annotate_error(annotate, "%s", err.text);
        else if (code == TCL_OK)
            has_base = true;
    }
    if (code != TCL_OK) {
        program_file_close(file);
        return code;
    }
    programs_add(&annotate->view, file, process, has_base ? &base : NULL);
    Tcl_SetObjResult(annotate->interp, Tcl_NewStringObj(program_file_name(file), -1));
    return TCL_OK;
}

static int set_folder(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (count != 1)
        return annotate_error(annotate, "wrong # args: should be \"symbol path FOLDER\"");
    struct err err = {""};
    if (!programs_add_folder(&annotate->view, Tcl_GetString(words[0]), &err))
        return annotate_error(annotate, "symbol path: %s", err.text);
    Tcl_ResetResult(annotate->interp);
    return TCL_OK;
}

/* Result: FILE:LINE; empty if unknown. */
static int where(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    struct err err = {""};
    char text[1024] = "";
    vaddr address;
    if (count != 1)
        return annotate_error(annotate, "wrong # args: should be \"symbol where ADDRESS\"");
    if (!annotate_resolve_fixed(annotate, Tcl_GetString(words[0]), &address, &err))
        return annotate_error(annotate, "%s", err.text);
    programs_line(&annotate->view, annotate->core, address, text, sizeof text);
    Tcl_SetObjResult(annotate->interp, Tcl_NewStringObj(text, -1));
    return TCL_OK;
}

int programs_command(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    const char *verb = Tcl_GetString(words[0]);
    if (strcmp(verb, "load") == 0)
        return load(annotate, count - 1, words + 1);
    return strcmp(verb, "path") == 0 ? set_folder(annotate, count - 1, words + 1)
                                     : where(annotate, count - 1, words + 1);
}
