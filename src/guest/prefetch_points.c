#include "src/guest/prefetch_points.h"

#include "cache/placement/layout_map.h"
#include "cache/memsys.h"
#include "cpu/registers.h"
#include "src/base/code_words.h"
#include "src/memory/physmem.h"
#include <stdlib.h>
#include <string.h>

struct prefetch_point {
    struct prefetch_point *next;
    struct memsys *memsys;
    unsigned base; /* register */
    uint32_t offset;
};

static bool reached(void *opaque, struct core *core)
{
    const struct prefetch_point *point = opaque;
    struct memsys *memsys = point->memsys;
    const vaddr address = core_general(core, point->base) + point->offset;
    paddr at;
    if (!tlb_probe_cached(core, address, &at) || !physmem_page_is_ram(core->mem, at))
        return false;
    core_sync(core);
    const struct memsys_request request = {.access = MEMSYS_READ,
                                           .address = layout_data(memsys_layout(memsys), at),
                                           .virtual_address = address,
                                           .space = core_space(core, address),
                                           .pc = core->s.pc,
                                           .size = 1,
                                           .max_permission = PERMIT_NONE,
                                           .permission = &core->permit_dummy,
                                           .now = core->s.cycle};
    memsys_prefetch(memsys, core->number, &request);
    return false;
}

/* Read ":OFFSET(REGISTER)" at TEXT. */
static bool read_operand(const char *text, struct prefetch_point *point)
{
    char name[16], *rest;
    const long long offset = strtoll(text + 1, &rest, 0);
    const size_t length = strlen(rest);
    if (rest == text + 1 || offset < INT32_MIN || offset > UINT32_MAX || length < 3 || length - 2 >= sizeof name ||
        rest[0] != '(' || rest[length - 1] != ')')
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(length - 2), rest + 1);
    int base = isa_gpr_number(name);
    if (base < 0 && name[0] == '$')
        base = isa_gpr_number(name + 1);
    if (base < 0)
        return false;
    point->base = (unsigned)base;
    point->offset = (uint32_t)offset;
    return true;
}

/* The setting of points. */
struct setting {
    struct prefetch_point **points;
    const struct machine_view *view;
};

static bool set_at(const struct setting *setting, const struct prefetch_point *point, const char *word, vaddr address,
                   struct err *err)
{
    if (address % 4 != 0 || vaddr_in_kuseg(address))
        return err_set(err, "prefetch.points: %.64s is not at the address of an instruction of the kernel", word);
    if (!memsys_prefetches(point->memsys) || memsys_is_flat(point->memsys))
        return true;
    struct prefetch_point *added = checked_memory(malloc(sizeof *added));
    *added = *point;
    added->next = *setting->points;
    *setting->points = added;
    for (unsigned i = 0; i < setting->view->cpus; i++)
        core_hook_add_timed(setting->view->cores[i], address, reached, added, 1);
    return true;
}

static bool set_word(void *opaque, const char *word, struct err *err)
{
    const struct setting *setting = opaque;
    struct prefetch_point point = {.memsys = setting->view->memsys};
    struct address_list list = {0};
    const char *colon = strchr(word, ':');
    if (!colon || !read_operand(colon, &point))
        return err_set(err, "prefetch.points: %.64s is not INSTRUCTION:OFFSET(REGISTER)", word);
    char *where = checked_memory(strndup(word, (size_t)(colon - word)));
    bool good = code_word_addresses(setting->view->symbols, "prefetch.points", where, &list, err);
    for (unsigned i = 0; good && i < list.count; i++)
        good = set_at(setting, &point, word, list.address[i], err);
    address_list_release(&list);
    free(where);
    return good;
}

bool prefetch_points_set(struct prefetch_point **points, const struct machine_view *view, const char *text,
                         struct err *err)
{
    struct setting setting = {points, view};
    return code_words_each(INPUT_PREFETCHES, text, set_word, &setting, err);
}

void prefetch_points_free(struct prefetch_point *points)
{
    while (points) {
        struct prefetch_point *next = points->next;
        free(points);
        points = next;
    }
}
