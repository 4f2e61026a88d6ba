#include "annotations/symbols/machine_view.h"

bool machine_view_read(struct core *core, vaddr address, void *buffer, uint32_t size)
{
    return core_debug_read(core, address, buffer, size) == size;
}

uint32_t machine_view_word(struct core *core, vaddr address)
{
    uint32_t word;
    return machine_view_read(core, address, &word, sizeof word) ? word : 0;
}

void machine_view_string(struct core *core, vaddr address, char *buffer, uint32_t size)
{
    uint32_t length = size ? core_debug_read(core, address, buffer, size - 1) : 0;
    if (size)
        buffer[length] = '\0';
    for (char *at = buffer; size && *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

bool machine_view_symbols(const struct machine_view *machine, const char *name, struct address_list *list,
                          struct err *err)
{
    if (!machine->symbols)
        return err_set(err, "\"%.64s\": there are no kernel symbols (guest.symbols)", name);
    if (symbols_find_all(machine->symbols, name, list))
        return true;
    const char *other = symbols_in_other_case(machine->symbols, name);
    return other ? err_set(err, "the kernel has no symbol \"%.64s\"; did you mean \"%.64s\"?", name, other)
                 : err_set(err, "the kernel has no symbol \"%.64s\"", name);
}

bool machine_view_symbol(const struct machine_view *machine, const char *name, vaddr *address, struct err *err)
{
    struct address_list list = {0};
    const bool found =
        machine_view_symbols(machine, name, &list, err) && address_list_single(&list, name, address, err);
    address_list_release(&list);
    return found;
}
