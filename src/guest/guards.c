#include "src/guest/guards.h"

#include "cache/placement/layout_map.h"
#include "cache/memsys.h"
#include "cpu/segments.h"
#include "src/base/code_words.h"
#include <string.h>

struct guards {
    const struct machine_view *view;
    bool on;
};

static bool set_at(const struct guards *guards, const char *word, uint64_t address, struct err *err)
{
    struct memsys *memsys = guards->view->memsys;
    if (address > UINT32_MAX || address % 4 != 0 || address >= KSEG2_BASE)
        return err_set(err, "prefetch.guards: %.64s is not the address of an instruction in kseg0, kseg1 or memory",
                       word);
    const paddr at = (paddr)(vaddr_in_kuseg((vaddr)address) ? address : vaddr_physical((vaddr)address));
    memsys_set_guard(memsys, layout_code(memsys_layout(memsys), at), guards->on);
    return true;
}

/* Set the guard of the instruction before each symbol of the kernel's code. */
static bool set_routines(const struct guards *guards, struct err *err)
{
    const struct symbols *symbols = guards->view->symbols;
    const struct symbol *symbol;
    vaddr first, end;
    if (!symbols_text(symbols, &first, &end))
        return err_set(err, "prefetch.guards: \"routines\" needs the kernel's symbols _text and _etext");
    for (size_t i = 0; (symbol = symbols_get(symbols, i)) != NULL; i++)
        if (symbol->address > first && symbol->address <= end && symbol->address % 4 == 0)
            set_at(guards, symbol->name, symbol->address - 4, NULL);
    return true;
}

static bool set_word(void *opaque, const char *word, struct err *err)
{
    const struct guards *guards = opaque;
    if (strcmp(word, "routines") == 0)
        return set_routines(guards, err);
    struct address_list list = {0};
    bool good = code_word_addresses(guards->view->symbols, "prefetch.guards", word, &list, err);
    for (unsigned i = 0; good && i < list.count; i++)
        good = set_at(guards, word, list.address[i], err);
    address_list_release(&list);
    return good;
}

bool guards_apply(const struct machine_view *view, const char *text, bool on, struct err *err)
{
    return code_words_each(INPUT_GUARDS, text, set_word, &(struct guards){view, on}, err);
}
