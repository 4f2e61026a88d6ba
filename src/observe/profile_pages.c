/* How often fragments of pages were accessed (cache/placement/page_hints.h): --profile FILE.pages.
 * docs/reference/page-mapping.md */
#include "cache/placement/page_mapping.h"
#include "src/base/save_file.h"
#include "src/observe/profile.h"

static void put_pages(const void *opaque, FILE *out)
{
    page_hints_write(opaque, out);
}

bool profile_save_pages(const struct machine *machine, const char *path, struct err *err)
{
    struct page_mapping *mapping = memsys_page_mapping(machine->memsys);
    const struct page_hints *hints = mapping ? page_mapping_profile(mapping) : NULL;
    if (!hints)
        return err_set(err, "profile %s: needs page_mapping.profile", path);
    return save_file("profile", path, put_pages, hints, err);
}
