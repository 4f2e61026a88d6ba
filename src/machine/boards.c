#include "src/machine/boards.h"

#include <string.h>

static const struct board *const boards[] = {
#define BOARD(name) &board_##name,
#include "src/machine/boards.def"
};
enum { BOARDS = sizeof boards / sizeof boards[0] };

const char board_choices[] =
#define BOARD(name) "|" #name
#include "src/machine/boards.def"
    ;

const struct board *board_at(unsigned index)
{
    return index < BOARDS ? boards[index] : NULL;
}

const struct board *board_named(const char *name)
{
    for (unsigned i = 0; i < BOARDS; i++)
        if (strcmp(boards[i]->name, name) == 0)
            return boards[i];
    log_bug("no board %s", name);
}
