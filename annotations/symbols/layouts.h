/*
 * The layouts of a kernel's structures, as text that workloads/mklayout.c makes of DWARF:
 *
 *     # a remark
 *     kernel RELEASE                      as `uname -r` says it
 *     image_end ADDRESS                   where the kernel's variables end
 *     constant NAME VALUE                 an enumerator
 *     struct NAME SIZE {
 *         {FIELD OFFSET SIZE KIND}        any number, also none
 *     }
 *
 * Each on lines of its own; the first line that is no remark is `kernel`. It is data and nothing in it is executed:
 * what does not look like this is refused. Sizes and offsets are bytes, at most LAYOUT_BYTES_MAX; KIND is as in
 * mklayout.c.
 *
 * Not here: what the kinds mean (layout.c), and which text is the guest's (layout_source.c).
 */
#ifndef SIMOS_ANNOTATIONS_LAYOUTS_H
#define SIMOS_ANNOTATIONS_LAYOUTS_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { LAYOUT_NAME = 48, LAYOUT_RELEASE = 65, LAYOUT_BYTES_MAX = 1 << 20, LAYOUT_TEXT_MAX = 4 << 20 };

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

/* All zero: there are none. */
struct layouts {
    struct layout *first; /* the newest of a name counts */
    struct layout_constant *constants;
    char release[LAYOUT_RELEASE]; /* of the kernel; empty: none was read */
    vaddr image_end;              /* 0: not known */
};

void layouts_free(struct layouts *layouts);

/* A new one without fields; then a field more. Names of LAYOUT_NAME bytes and more are cut off. */
struct layout *layouts_add(struct layouts *layouts, const char *name, uint32_t size);
struct layout_field *layout_add_field(struct layout *layout);

/* NULL: there is none. */
const struct layout *layouts_find(const struct layouts *layouts, const char *name);
const struct layout_field *layout_field(const struct layout *layout, const char *name);
const struct layout_constant *layouts_constant(const struct layouts *layouts, const char *name);

/* Add all of NEWER, which is empty then. */
void layouts_join(struct layouts *layouts, struct layouts *newer);

/* What TEXT says, which was read from PATH. False: one line in ERR names PATH and the line that is wrong, and LAYOUTS
 * is empty. */
bool layouts_read(struct layouts *layouts, const char *text, const char *path, struct err *err);

#endif
