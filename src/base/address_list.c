#include "src/base/address_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 8 };

void address_list_add(struct address_list *list, vaddr address)
{
    unsigned at = list->count;
    while (at > 0 && list->address[at - 1] > address)
        at--;
    if (at > 0 && list->address[at - 1] == address)
        return;
    list->address = checked_memory(realloc(list->address, (list->count + 1) * sizeof *list->address));
    memmove(list->address + at + 1, list->address + at, (list->count - at) * sizeof *list->address);
    list->address[at] = address;
    list->count++;
}

void address_list_release(struct address_list *list)
{
    free(list->address);
    *list = (struct address_list){0};
}

bool address_list_single(const struct address_list *list, const char *name, vaddr *address, struct err *err)
{
    char text[NAMED_MAX * sizeof ", 0x00000000" + sizeof ", ..."];
    size_t length = 0;
    if (list->count == 1) {
        *address = list->address[0];
        return true;
    }
    for (unsigned i = 0; i < list->count && i < NAMED_MAX; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s0x%08x", i ? ", " : "", list->address[i]);
    if (list->count > NAMED_MAX)
        snprintf(text + length, sizeof text - length, ", ...");
    return err_set(err, "%u symbols are called \"%.64s\"; give the address of one: %s", list->count, name, text);
}

bool address_list_move(struct address_list *list, const char *name, uint32_t offset, struct err *err)
{
    vaddr address;
    if (!address_list_single(list, name, &address, err))
        return false;
    list->address[0] = address + offset;
    return true;
}
