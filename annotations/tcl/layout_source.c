/* `library layout`: the layouts of the guest's kernel (annotations/symbols/guest_layouts.h). */
#include "annotations/tcl/annotate_state.h"

#include "annotations/symbols/guest_layouts.h"

int annotate_read_layouts(struct annotate *annotate)
{
    struct layouts read = {0};
    struct err err = {""};
    if (annotate->view.layouts.release[0])
        return TCL_OK;
    if (!guest_layouts_read(&read, annotate->view.machine.layout_path, annotate->view.machine.mem, &err))
        return annotate_error(annotate, "%s", err.text);
    layouts_join(&annotate->view.layouts, &read);
    /* for scripts: used by `service lock variables` */
    char set[80];
    snprintf(set, sizeof set, "namespace eval ::linux { variable image_end 0x%08x }", annotate->view.layouts.image_end);
    return Tcl_EvalEx(annotate->interp, set, -1, TCL_EVAL_GLOBAL);
}
