#include "src/machine/guards.h"

#include "cache/layout_map.h"
#include "cache/memsys.h"
#include "cpu/segments.h"
#include "src/base/address_text.h"
#include "src/base/input_file.h"
#include "src/machine/machine.h"
#include "src/base/symbols.h"
#include <stdlib.h>
#include <string.h>

static bool set_at(struct machine *machine, const char *word, uint64_t address, bool on, struct err *err)
{
    if (address > UINT32_MAX || address % 4 != 0 || address >= KSEG2_BASE)
        return err_set(err, "prefetch.guards: %.64s is not the address of an instruction in kseg0, kseg1 or memory",
                       word);
    const paddr at = (paddr)(vaddr_in_kuseg((vaddr)address) ? address : vaddr_physical((vaddr)address));
    memsys_set_guard(machine->memsys, layout_code(memsys_layout(machine->memsys), at), on);
    return true;
}

/* Set the guard of the instruction before each symbol of the kernel's code. */
static bool set_routines(struct machine *machine, bool on, struct err *err)
{
    const struct symbol *symbol;
    vaddr first, end;
    if (!symbols_text(machine->symbols, &first, &end))
        return err_set(err, "prefetch.guards: \"routines\" needs the kernel's symbols _text and _etext");
    for (size_t i = 0; (symbol = symbols_get(machine->symbols, i)) != NULL; i++)
        if (symbol->address > first && symbol->address <= end && symbol->address % 4 == 0)
            set_at(machine, symbol->name, symbol->address - 4, on, NULL);
    return true;
}

static bool reject_symbol(const struct machine *machine, const char *name, struct err *err)
{
    const char *other = machine->symbols ? symbols_in_other_case(machine->symbols, name) : NULL;
    return other ? err_set(err, "prefetch.guards: no symbol %.64s; did you mean %.64s?", name, other)
                 : err_set(err, "prefetch.guards: no symbol %.64s", name);
}

static bool set_word(struct machine *machine, const char *word, bool on, struct err *err)
{
    char *rest, name[256];
    uint64_t offset = 0;
    if (strcmp(word, "routines") == 0)
        return set_routines(machine, on, err);
    if (*word >= '0' && *word <= '9') {
        const char *at = word;
        paddr address;
        return address_text_take(&at, &address) && *at == 0
                   ? set_at(machine, word, address, on, err)
                   : err_set(err, "prefetch.guards: %.64s is no address; %s", word, address_text_rule);
    }
    snprintf(name, sizeof name, "%s", word);
    char *plus = strchr(name, '+');
    if (plus) {
        *plus = '\0';
        offset = strtoull(plus + 1, &rest, 0);
        if (*rest || rest == plus + 1 || offset > UINT32_MAX)
            return err_set(err, "prefetch.guards: %.64s: no offset behind +", word);
    }
    struct address_list list = {0};
    struct err reason = {""};
    bool good =
        (machine->symbols && symbols_find_all(machine->symbols, name, &list)) || reject_symbol(machine, name, err);
    if (good && plus && !address_list_move(&list, name, (uint32_t)offset, &reason))
        good = err_set(err, "prefetch.guards: %s", reason.text);
    for (unsigned i = 0; good && i < list.count; i++)
        good = set_at(machine, word, list.address[i], on, err);
    address_list_release(&list);
    return good;
}

/* TEXT is modified: cut into words. */
static bool set_words(struct machine *machine, char *text, bool on, struct err *err)
{
    char *rest;
    for (char *word = strtok_r(text, " ,\t\r\n", &rest); word; word = strtok_r(NULL, " ,\t\r\n", &rest))
        if (!set_word(machine, word, on, err))
            return false;
    return true;
}

static void remove_comments(char *text)
{
    for (char *at = strchr(text, '#'); at; at = strchr(at, '#'))
        memset(at, ' ', strcspn(at, "\n"));
}

static char *read_file(const char *path, struct err *err)
{
    char *text = input_file_text(INPUT_GUARDS, path, err);
    if (text)
        remove_comments(text);
    return text;
}

bool guards_apply(struct machine *machine, const char *text, bool on, struct err *err)
{
    char *copy = text[0] == '@' ? read_file(text + 1, err) : strdup(text);
    bool good = copy && set_words(machine, copy, on, err);
    free(copy);
    return good;
}
