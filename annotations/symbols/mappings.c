#include "annotations/symbols/mappings.h"

#include "annotations/symbols/guest_view.h"
#include <string.h>

/* A maple tree node has 256 bytes: parent, pivots, slots, gaps (MAPLE_ARANGE only). Bits 6:3 of the pointer to a
 * node are the node's type. */
enum { MAPLE_DENSE, MAPLE_LEAF, MAPLE_RANGE, MAPLE_ARANGE };
enum {
    NODE_MASK = 0xff,
    TYPE_SHIFT = 3,
    TYPE_MASK = 15,
    RANGE_SLOTS = 32,
    ARANGE_SLOTS = 21,
    DEEPEST = MAPPING_STEPS - 1
};

static bool field(const struct guest_view *view, struct core *core, vaddr structure, const char *type, const char *name,
                  uint32_t *value)
{
    uint32_t offset;
    return vaddr_is_unmapped(structure) && layout_offset(view, type, name, &offset) &&
           machine_view_read(core, structure + offset, value, sizeof *value);
}

/* Read the word at AT, the next step of WAY. */
static bool step(struct core *core, vaddr at, uint32_t *word, struct mapping_way *way)
{
    if (!machine_view_read(core, at, word, sizeof *word))
        return false;
    way->step[way->steps].at = at;
    way->step[way->steps++].word = *word;
    return true;
}

/* The entry of NODE for INDEX, and its last index. On entry, *LAST is the last index of the node. */
static bool look_up(struct core *core, uint32_t node, uint32_t index, uint32_t *entry, uint32_t *last,
                    struct mapping_way *way)
{
    const unsigned type = node >> TYPE_SHIFT & TYPE_MASK;
    const unsigned slots = type == MAPLE_ARANGE ? ARANGE_SLOTS : RANGE_SLOTS;
    const vaddr pivots = (node & ~(uint32_t)NODE_MASK) + 4;
    const vaddr slot_array = pivots + 4 * (slots - 1);
    unsigned slot = 0;
    for (; slot < slots - 1; slot++) {
        uint32_t pivot;
        if (!machine_view_read(core, pivots + 4 * slot, &pivot, sizeof pivot))
            return false;
        if (pivot == 0 && slot > 0)
            break; /* the remaining pivots are unused: the slot extends to the end of the node */
        if (index <= pivot) {
            *last = pivot;
            break;
        }
    }
    return step(core, slot_array + 4 * slot, entry, way);
}

/* The vm_area_struct that contains ADDRESS, or 0, the last address of the area or gap, and the WAY to it. */
static bool find_area(const struct guest_view *view, struct core *core, vaddr task, vaddr address, vaddr *area,
                      vaddr *last, struct mapping_way *way)
{
    uint32_t mm, tree, root, node;
    way->steps = 0;
    if (!field(view, core, task, "task_struct", "mm", &mm) || !mm ||
        !layout_offset(view, "mm_struct", "mm_mt", &tree) || !layout_offset(view, "maple_tree", "ma_root", &root) ||
        !vaddr_is_unmapped(mm) || !step(core, mm + tree + root, &node, way))
        return false;
    *last = UINT32_MAX;
    for (unsigned depth = 0; depth < DEEPEST; depth++) {
        const unsigned type = node >> TYPE_SHIFT & TYPE_MASK;
        if (!vaddr_is_unmapped(node) || type == MAPLE_DENSE || type > MAPLE_ARANGE)
            return false;
        uint32_t entry;
        if (!look_up(core, node, address, &entry, last, way))
            return false;
        if (type == MAPLE_LEAF) {
            *area = entry;
            return true;
        }
        node = entry;
    }
    return false;
}

/* Path of a dentry: the names from the root of its file system, separated by slashes. */
void mapping_path(const struct guest_view *view, struct core *core, vaddr dentry, char *path, size_t size)
{
    enum { NAME_BYTES = 64 };
    uint32_t name_at, qstr, text, parent;
    char *begin = path + size - 1;
    *begin = '\0';
    if (!layout_offset(view, "dentry", "d_name", &name_at) || !layout_offset(view, "qstr", "name", &qstr))
        return;
    for (unsigned depth = 0; depth < 64; depth++) {
        char name[NAME_BYTES];
        if (!field(view, core, dentry, "dentry", "d_parent", &parent) || parent == dentry ||
            !machine_view_read(core, dentry + name_at + qstr, &text, sizeof text))
            break;
        machine_view_string(core, text, name, sizeof name);
        const size_t length = strlen(name);
        if ((size_t)(begin - path) < length + 1)
            break;
        begin -= length;
        memcpy(begin, name, length);
        *--begin = '/';
        dentry = parent;
    }
    memmove(path, begin, strlen(begin) + 1);
}

static bool read_area(const struct guest_view *view, struct core *core, vaddr area, const struct mapping_way *way,
                      struct mapping *mapping)
{
    uint32_t end, pages, file, dentry, path;
    *mapping = (struct mapping){.area = area, .way = *way, .path = ""};
    if (!field(view, core, area, "vm_area_struct", "vm_start", &mapping->first) ||
        !field(view, core, area, "vm_area_struct", "vm_end", &end) ||
        !field(view, core, area, "vm_area_struct", "vm_flags", &mapping->flags) ||
        !field(view, core, area, "vm_area_struct", "vm_pgoff", &pages) ||
        !field(view, core, area, "vm_area_struct", "vm_file", &file))
        return false;
    mapping->last = end - 1;
    mapping->offset = pages << PAGE_SHIFT;
    mapping->is_of_file = file != 0;
    uint32_t inode;
    if (file && field(view, core, file, "file", "f_inode", &inode))
        field(view, core, inode, "inode", "i_ino", &mapping->number);
    if (file && layout_offset(view, "path", "dentry", &dentry) && layout_offset(view, "file", "f_path", &path) &&
        vaddr_is_unmapped(file) && machine_view_read(core, file + path + dentry, &dentry, sizeof dentry))
        mapping_path(view, core, dentry, mapping->path, sizeof mapping->path);
    return true;
}

bool mapping_at(const struct guest_view *view, struct core *core, vaddr task, vaddr address, struct mapping *mapping)
{
    vaddr area, last;
    struct mapping_way way;
    return find_area(view, core, task, address, &area, &last, &way) && area &&
           read_area(view, core, area, &way, mapping);
}

bool mapping_from(const struct guest_view *view, struct core *core, vaddr task, vaddr address, struct mapping *mapping)
{
    enum { MAPPINGS_MAX = 1 << 16 };
    for (unsigned i = 0; i < MAPPINGS_MAX; i++) {
        vaddr area, last;
        struct mapping_way way;
        if (!find_area(view, core, task, address, &area, &last, &way))
            return false;
        if (area)
            return read_area(view, core, area, &way, mapping);
        if (last == UINT32_MAX || last < address)
            return false;
        address = last + 1;
    }
    return false;
}

uint32_t mapping_count(const struct guest_view *view, struct core *core, vaddr task)
{
    uint32_t mm, count;
    return field(view, core, task, "task_struct", "mm", &mm) && mm &&
                   field(view, core, mm, "mm_struct", "map_count", &count)
               ? count
               : 0;
}
