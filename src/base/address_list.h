/*
 * The addresses that a name stands for: ascending, each once. Static functions of several source files can have the
 * same name, so that a name may have more than one. Where an event is set at a name, it is set at all of them; where
 * one address is needed, such a name is an error (address_list_single).
 */
#ifndef SIMOS_BASE_ADDRESS_LIST_H
#define SIMOS_BASE_ADDRESS_LIST_H

#include "src/base/log.h"
#include "src/base/types.h"

/* {0} is an empty list. */
struct address_list {
    vaddr *address;
    unsigned count;
};

/* Insert ADDRESS unless it is there. */
void address_list_add(struct address_list *list, vaddr address);
/* Free the addresses; the list is empty again. */
void address_list_release(struct address_list *list);

/* The only address of LIST, which is not empty and was found under NAME. False with ERR that names the addresses if
 * there are several. */
bool address_list_single(const struct address_list *list, const char *name, vaddr *address, struct err *err);
/* Add OFFSET to it, as for NAME+OFFSET. Fails as address_list_single() does. */
bool address_list_move(struct address_list *list, const char *name, uint32_t offset, struct err *err);

#endif
