/*
 * `cache.layout=@FILE`: a map of a machine of 16 MB. A map that is accepted is one to one.
 */
#include "cache/placement/layout_map.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY = 16 << 20 };

static struct fuzz_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    return 0;
}

typedef paddr moved_fn(const struct layout_map *map, paddr address);

static uint64_t hash(uint32_t value)
{
    const uint64_t product = (value + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    return product ^ product >> 29;
}

/* Do the caches see the units of the pages that move at the addresses of the same units, in another order? */
static void check_one_to_one(const struct layout_map *map, moved_fn *moved, uint32_t unit)
{
    uint64_t from = 0, to = 0;
    for (uint64_t page = 0; layout_next_page(map, &page); page += PAGE_SIZE)
        for (uint32_t offset = 0; offset < PAGE_SIZE; offset += unit) {
            const paddr seen = moved(map, (paddr)page + offset);
            if (seen % unit != 0)
                fuzz_fail("a map", "takes a unit apart");
            from += hash((paddr)page + offset);
            to += hash(seen);
        }
    if (from != to)
        fuzz_fail("a map", "is not one to one");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    char text[64];
    struct layout_map *map;
    struct err err = {""};
    fuzz_file_fill(&file, input, size);
    snprintf(text, sizeof text, "@%s", file.path);
    const bool done = layout_map_create(&map, text, MEMORY, &err);
    fuzz_check(done, &err);
    if (done && map) {
        check_one_to_one(map, layout_moved_code, LAYOUT_UNIT);
        check_one_to_one(map, layout_moved_data, LAYOUT_DATA_UNIT);
        for (uint64_t page = 0; layout_next_page(map, &page); page += PAGE_SIZE) {
            const uint32_t together = layout_data_together(map, (paddr)page, PAGE_SIZE);
            if (together == 0 || together > PAGE_SIZE)
                fuzz_fail("data", "stay together for no bytes, or for too many");
            (void)layout_keeps_line(map, (paddr)page, 32);
            (void)layout_starts_line(map, (paddr)page + 4, 32);
        }
    }
    layout_map_free(map);
    return 0;
}
