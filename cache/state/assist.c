#include "cache/state/assist.h"

#include "src/base/log.h"
#include <stdlib.h>

struct assist *assist_create(uint32_t lines)
{
    struct assist *assist = checked_memory(calloc(1, sizeof *assist));
    assist->lines = lines;
    assist->slot = calloc(lines, sizeof *assist->slot);
    assist->hint = calloc(lines, sizeof *assist->hint);
    if (!assist->slot || !assist->hint)
        log_bug("out of memory for an assist cache");
    assist_clear(assist);
    return assist;
}

void assist_free(struct assist *assist)
{
    if (!assist)
        return;
    free(assist->slot);
    free(assist->hint);
    free(assist);
}

void assist_clear(struct assist *assist)
{
    assist->next = assist->next_hint = 0;
    for (uint32_t i = 0; i < assist->lines; i++) {
        assist->slot[i] = (struct assist_slot){.first = 0};
        assist->hint[i] = ASSIST_NO_LINE;
    }
}

static paddr *find(struct assist *assist, paddr line)
{
    for (uint32_t i = 0; i < assist->lines; i++)
        if (assist->hint[i] == line)
            return &assist->hint[i];
    return NULL;
}

void assist_remember(struct assist *assist, paddr line)
{
    if (find(assist, line))
        return;
    assist->hint[assist->next_hint] = line;
    assist->next_hint = (assist->next_hint + 1) % assist->lines;
}

bool assist_recall(struct assist *assist, paddr line)
{
    paddr *hint = find(assist, line);
    if (hint)
        *hint = ASSIST_NO_LINE;
    return hint != NULL;
}
