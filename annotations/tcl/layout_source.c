/*
 * Choice of the structure layouts that match the guest. A kernel may have its own file (kernel.layout beside it); the
 * built-in layouts are those of one stock kernel. Offsets of another kernel would silently read wrong data, so the
 * release of the layouts must be the one found in guest memory.
 */
#include "annotations/tcl/annotate_state.h"

#include "src/base/input_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BANNER "Linux version "

/* Read the release from the kernel's banner, which is among its constants (init/version.c): the first match in RAM
 * that is followed by a digit. Empty if there is none, which means that the guest is not Linux. */
static void find_release(const struct physmem *mem, char *release)
{
    enum { IMAGE_MAX = 64 << 20, FIRST = PAGE_SIZE };
    uint32_t size = mem ? IMAGE_MAX : 0;
    *release = '\0';
    while (size >= PAGE_SIZE && !physmem_is_ram(mem, FIRST, size))
        size /= 2;
    if (size < PAGE_SIZE)
        return;
    const char *at = (const char *)physmem_host(mem, FIRST), *end = at + size;
    while ((at = memmem(at, (size_t)(end - at), BANNER, strlen(BANNER))) != NULL) {
        at += strlen(BANNER);
        size_t length = 0;
        while (length < LAYOUT_RELEASE - 1 && at + length < end && isgraph((unsigned char)at[length]))
            length++;
        if (length && isdigit((unsigned char)*at)) {
            memcpy(release, at, length);
            release[length] = '\0';
            return;
        }
    }
}

static const char *built_in(void)
{
    const struct annotate_library *library = annotate_libraries;
    while (strcmp(library->name, "layout") != 0)
        library++;
    return library->text;
}

/* True if READ is of the guest's release, or the guest's release is unknown. False with ERR. */
static bool check_release(const struct annotate *annotate, const struct layouts *read, struct err *err)
{
    char release[LAYOUT_RELEASE];
    find_release(annotate->view.machine.mem, release);
    if (!*release || strcmp(release, read->release) == 0)
        return true;
    if (annotate->view.machine.layout_path)
        return err_set(err, "%s: has the structures of kernel %s; the guest runs %s",
                       annotate->view.machine.layout_path, read->release, release);
    return err_set(
        err,
        "no structure layouts for the guest's kernel %s: there is no kernel.layout beside it, and the built-in layouts "
        "are for %s",
        release, read->release);
}

int annotate_read_layouts(struct annotate *annotate)
{
    const char *path = annotate->view.machine.layout_path;
    struct layouts read = {0};
    struct err err = {""};
    if (annotate->view.layouts.release[0])
        return TCL_OK;
    char *text = path ? input_file_text(INPUT_LAYOUTS, path, &err) : NULL;
    const bool good = (text || !path) && layouts_read(&read, text ? text : built_in(), path ? path : "layout", &err) &&
                      check_release(annotate, &read, &err);
    free(text);
    if (!good) {
        layouts_free(&read);
        return annotate_error(annotate, "%s", err.text);
    }
    layouts_join(&annotate->view.layouts, &read);
    /* for scripts: used by `service lock variables` */
    char set[80];
    snprintf(set, sizeof set, "namespace eval ::linux { variable image_end 0x%08x }", annotate->view.layouts.image_end);
    return Tcl_EvalEx(annotate->interp, set, -1, TCL_EVAL_GLOBAL);
}
