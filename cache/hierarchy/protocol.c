#include "cache/hierarchy/protocol.h"

#include <string.h>

const struct protocol protocols[] = {
#define PROTOCOL(ID, NAME, LABEL, BRIEF, FUNCTIONS, ...)                                                               \
    {.name = NAME,                                                                                                     \
     .label = LABEL,                                                                                                   \
     .brief = BRIEF,                                                                                                   \
     .write_shared = FUNCTIONS##_write_shared,                                                                         \
     .write_miss = FUNCTIONS##_write_miss,                                                                             \
     .write_around = FUNCTIONS##_write_around,                                                                         \
     __VA_ARGS__},
#include "cache/protocols.def"
#undef PROTOCOL
};
const unsigned protocol_count = sizeof protocols / sizeof *protocols;

const char protocol_choices[] =
#define PROTOCOL(ID, NAME, ...) "|" NAME
#include "cache/protocols.def"
#undef PROTOCOL
    ;

const char protocol_help[] = "coherence protocol of pages that are not in cache.update_pages"
#define PROTOCOL(ID, NAME, LABEL, BRIEF, ...) "; " NAME ": " BRIEF
#include "cache/protocols.def"
#undef PROTOCOL
    ;

enum memsys_protocol protocol_find(const char *name)
{
    unsigned number = 0;
    while (number < protocol_count && strcmp(protocols[number].name, name) != 0)
        number++;
    return (enum memsys_protocol)number;
}

const char *memsys_protocol_brief(const char *name)
{
    return protocols[protocol_find(name)].brief;
}
