#include "cache/hierarchy/protocol.h"

#include <string.h>

#define INVALIDATE                                                                                                     \
    .owns_unread = true, .write_shared = invalidate_write_shared, .write_miss = invalidate_write_miss,                 \
    .write_around = invalidate_write_around

const struct protocol protocols[] = {
    [MEMSYS_INVALIDATE] = {.name = "invalidate", .text = "invalidation", INVALIDATE},
    [MEMSYS_MESI] = {.name = "mesi", .text = "MESI (Illinois)", .exclusive = true, .supplies_clean = true, INVALIDATE},
    [MEMSYS_FIREFLY] = {.name = "firefly",
                        .text = "Firefly (updates)",
                        .exclusive = true,
                        .supplies_clean = true,
                        .write_shared = firefly_write_shared,
                        .write_miss = firefly_write_miss,
                        .write_around = firefly_write_around},
};
const unsigned protocol_count = sizeof protocols / sizeof *protocols;

enum memsys_protocol protocol_find(const char *name)
{
    unsigned number = 0;
    while (number < protocol_count && strcmp(protocols[number].name, name) != 0)
        number++;
    return (enum memsys_protocol)number;
}
