#include "annotations/symbols/guest_view.h"

#include "annotations/symbols/code_locations.h"
#include "annotations/symbols/kernel_memory.h"
#include "annotations/symbols/programs.h"
#include <stdlib.h>

void guest_view_init(struct guest_view *view, const struct machine_view *machine,
                     bool (*process)(void *opaque, struct core *core, struct guest_process *process), void *opaque)
{
    *view = (struct guest_view){.machine = *machine, .process = process, .opaque = opaque};
    view->programs = programs_create();
}

void guest_view_release(struct guest_view *view)
{
    code_locations_free(view->code_locations);
    programs_free(view->programs);
    free(view->kernel);
    layouts_free(&view->layouts);
}

struct kernel_memory *guest_view_kernel(struct guest_view *view)
{
    if (!view->kernel) {
        view->kernel = checked_memory(malloc(sizeof *view->kernel));
        kernel_memory_init(view->kernel, view);
    }
    return view->kernel;
}

struct code_locations *guest_view_code_places(struct guest_view *view)
{
    if (!view->code_locations)
        view->code_locations = code_locations_create(view);
    return view->code_locations;
}

bool layout_offset(const struct guest_view *view, const char *name, const char *field, uint32_t *offset)
{
    const struct layout_field *found = layout_field(layouts_find(&view->layouts, name), field);
    if (found)
        *offset = found->offset;
    return found;
}

bool layout_size(const struct guest_view *view, const char *name, uint32_t *size)
{
    const struct layout *found = layouts_find(&view->layouts, name);
    if (found)
        *size = found->size;
    return found;
}
