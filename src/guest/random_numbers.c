#include "src/guest/random_numbers.h"

#include "cpu/segments.h"
#include "src/memory/physmem.h"
#include <string.h>

/* The function, whose name the compiler may have lengthened: ".constprop.0". */
static const struct symbol *find(const struct symbols *symbols)
{
    static const char name[] = "extract_entropy";
    const struct symbol *symbol;
    for (size_t i = 0; symbols != NULL && (symbol = symbols_get(symbols, i)) != NULL; i++)
        if (strncmp(symbol->name, name, strlen(name)) == 0 &&
            (symbol->name[strlen(name)] == '\0' || symbol->name[strlen(name)] == '.') &&
            vaddr_in_kseg0(symbol->address) && symbol->address % 4 == 0)
            return symbol;
    return NULL;
}

bool random_numbers_can_be_fixed(const struct symbols *symbols)
{
    return find(symbols) != NULL;
}

bool random_numbers_fix(const struct machine_view *view, struct err *err)
{
    static const uint32_t returns[] = {0x03e00008 /* jr $ra */, 0 /* nop */};
    const struct symbol *symbol = find(view->symbols);
    const paddr at = symbol ? vaddr_physical(symbol->address) : 0;
    if (!symbol || !physmem_is_writable(view->mem, at, sizeof returns))
        return err_set(err, "guest.fixed_random: the kernel's symbols have no extract_entropy in memory");
    memcpy(physmem_host(view->mem, at), returns, sizeof returns);
    return true;
}
