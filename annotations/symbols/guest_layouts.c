#include "annotations/symbols/guest_layouts.h"

#include "src/base/input_file.h"
#include "src/memory/physmem.h"
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

/* True if READ, from PATH or built in, is of the guest's release, or that is unknown. False with ERR. */
static bool check_release(const struct layouts *read, const char *path, const struct physmem *mem, struct err *err)
{
    char release[LAYOUT_RELEASE];
    find_release(mem, release);
    if (!*release || strcmp(release, read->release) == 0)
        return true;
    if (path)
        return err_set(err, "%s: has the structures of kernel %s; the guest runs %s", path, read->release, release);
    return err_set(
        err,
        "no structure layouts for the guest's kernel %s: there is no kernel.layout beside it, and the built-in layouts "
        "are for %s",
        release, read->release);
}

bool guest_layouts_read(struct layouts *layouts, const char *path, const struct physmem *mem, struct err *err)
{
    char *text = path ? input_file_text(INPUT_LAYOUTS, path, err) : NULL;
    const bool good =
        (text || !path) && layouts_read(layouts, text ? text : guest_layout_texts[0].text, path ? path : "layout", err);
    free(text);
    if (good && check_release(layouts, path, mem, err))
        return true;
    layouts_free(layouts);
    return false;
}
