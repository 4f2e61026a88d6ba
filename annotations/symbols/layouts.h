/*
 * Layouts of a kernel's structures, read from a text that workloads/mklayout.c generates from DWARF:
 *
 *     # a comment
 *     kernel RELEASE                      as printed by `uname -r`
 *     image_end ADDRESS                   end of the kernel's variables, as linked
 *     constant NAME VALUE                 an enumerator
 *     struct NAME SIZE {
 *         {FIELD OFFSET SIZE KIND}        zero or more
 *     }
 *
 * Each item is on its own line; the first line that is not a comment is `kernel`. The text is data, nothing in it is
 * executed, and any other syntax is an error. Sizes and offsets are in bytes, at most LAYOUT_BYTES_MAX; KIND is defined
 * in mklayout.c.
 *
 * The kinds are interpreted in layout.c; the text that matches the guest is chosen in layout_source.c.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_LAYOUTS_H
#define SIMOS_ANNOTATIONS_SYMBOLS_LAYOUTS_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { LAYOUT_NAME = 48, LAYOUT_RELEASE = 65, LAYOUT_BYTES_MAX = 1 << 20 };

struct layout_field {
    char name[LAYOUT_NAME];
    char kind[LAYOUT_NAME];
    uint32_t offset, size;
};

struct layout {
    struct layout *next;
    char name[LAYOUT_NAME];
    uint32_t size;
    unsigned count;
    struct layout_field *field;
};

struct layout_constant {
    struct layout_constant *next;
    char name[LAYOUT_NAME];
    uint32_t value;
};

/* A set of layouts; empty if all zero. */
struct layouts {
    struct layout *first; /* of several with one name, the first in the list is used */
    struct layout_constant *constants;
    char release[LAYOUT_RELEASE]; /* release of the kernel; empty: none was read */
    vaddr image_end;              /* 0: unknown */
};

void layouts_free(struct layouts *layouts);

/* Add a layout without fields; add a field to a layout. Names of LAYOUT_NAME bytes or more are truncated. */
struct layout *layouts_add(struct layouts *layouts, const char *name, uint32_t size);
struct layout_field *layout_add_field(struct layout *layout);

/* Look up by name. NULL if not found. */
const struct layout *layouts_find(const struct layouts *layouts, const char *name);
const struct layout_field *layout_field(const struct layout *layout, const char *name);
const struct layout_constant *layouts_constant(const struct layouts *layouts, const char *name);

/* Move everything from NEWER to LAYOUTS, before its older entries. */
void layouts_join(struct layouts *layouts, struct layouts *newer);

/* Parse TEXT, which was read from PATH, into LAYOUTS. False with one line in ERR that names PATH and the wrong line;
 * LAYOUTS is empty then. */
bool layouts_read(struct layouts *layouts, const char *text, const char *path, struct err *err);

#endif
