/* The types `load` and `store`: accesses to addresses (cpu/privileged/data_watch.h). */
#include "annotations/tcl/annotate_state.h"
#include "cpu/privileged/data_watch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LENGTH = 4 };

/* Cut ,LENGTH off PLACE[,LENGTH]; default 4. */
static bool take_length(char *location, uint32_t *length, struct err *err)
{
    char *comma = strrchr(location, ','), *end;
    *length = DEFAULT_LENGTH;
    if (!comma)
        return true;
    unsigned long long number = isdigit((unsigned char)comma[1]) ? strtoull(comma + 1, &end, 0) : 0;
    if (number == 0 || number > UINT32_MAX || *end)
        return err_set(err, "\"%.64s\": a number of bytes must follow the comma", location);
    *length = (uint32_t)number;
    *comma = '\0';
    return true;
}

bool access_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    char location[ANNOTATION_FILE];
    static const char physical[] = "physical:";
    const bool is_physical = strncmp(event, physical, strlen(physical)) == 0;
    snprintf(location, sizeof location, "%s", event + (is_physical ? strlen(physical) : 0));
    if (!take_length(location, &annotation->length, err) ||
        !annotate_resolve(annotate, annotation, location, false, err) ||
        !address_list_single(&annotation->addresses, location, &annotation->address, err))
        return false;
    /* Addresses in unmapped segments (kseg0, kseg1) are compared as physical addresses, so that accesses through any
     * alias match. */
    annotation->by_virtual = !is_physical && !vaddr_is_unmapped(annotation->address);
    if (!is_physical && !annotation->by_virtual)
        annotation->address = vaddr_physical(annotation->address);
    return annotation->length - 1 <= UINT32_MAX - annotation->address ||
           err_set(err, "\"%.64s\": the range exceeds the 32-bit address space", event);
}

static void accessed(void *opaque, struct core *core, const struct data_access *access)
{
    struct annotation *annotation = opaque;
    struct annotate *annotate = annotation->annotate;
    const struct annotate_detail before = annotate->detail;
    annotate->detail = (struct annotate_detail){.access = access};
    annotate_fire(annotate, annotation, core);
    annotate->detail = before;
}

static void arm(struct annotate *annotate, struct annotation *annotation, bool loads)
{
    const struct data_range range = {.loads = loads,
                                     .stores = !loads,
                                     .by_virtual = annotation->by_virtual,
                                     .first = annotation->address,
                                     .last = annotation->address + (annotation->length - 1),
                                     .callback = accessed,
                                     .opaque = annotation};
    data_watch_add(annotate->view.machine.cores[0], &range);
}

void load_arm(struct annotate *annotate, struct annotation *annotation)
{
    arm(annotate, annotation, true);
}

void store_arm(struct annotate *annotate, struct annotation *annotation)
{
    arm(annotate, annotation, false);
}

void access_disarm(struct annotate *annotate, struct annotation *annotation)
{
    data_watch_remove(annotate->view.machine.cores[0], accessed, annotation);
}
