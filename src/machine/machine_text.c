#include "src/machine/machine_text.h"

#include "cpu/privileged/tlb.h"
#include "src/base/symbols.h"

const char *machine_text_mode(const struct core *core)
{
    static const char *const modes[MODE_COUNT] = {"user", "kernel", "idle"};
    return !core->s.running ? "off" : core->s.waiting ? "waiting" : modes[core->mode];
}

void machine_text_symbol(const struct machine *machine, vaddr address, char *text, size_t size)
{
    const struct symbol *symbol =
        machine->symbols && vaddr_is_unmapped(address) ? symbols_at(machine->symbols, address) : NULL;
    if (!symbol)
        snprintf(text, size, "%s", "");
    else if (symbol->address == address)
        snprintf(text, size, "%s", symbol->name);
    else
        snprintf(text, size, "%s+0x%x", symbol->name, address - symbol->address);
}

static void print_entry(const struct tlb_mapping *entry, unsigned index, FILE *out)
{
    fprintf(out, "%3u  %08x  %6uK  ", index, entry->address, entry->page_bytes >> 10);
    if (entry->global)
        fprintf(out, "global  ");
    else
        fprintf(out, "asid %02x ", entry->asid);
    for (unsigned half = 0; half < entry->pages; half++) {
        if (entry->page[half].valid)
            fprintf(out, "  %08x %c C%u", entry->page[half].address, entry->page[half].writable ? 'D' : '-',
                    entry->page[half].cache);
        else
            fprintf(out, "  %-13s", "invalid");
    }
    fputc('\n', out);
}

void machine_text_tlb(const struct core *core, FILE *out)
{
    fprintf(out, "     address      size           even page      odd page\n");
    for (unsigned i = 0; i < core->tlb_entries; i++) {
        struct tlb_mapping entry;
        if (tlb_mapping(core, i, &entry))
            print_entry(&entry, i, out);
    }
}

void machine_text_statistic(const struct machine *machine, const char *name, const char *value, FILE *out)
{
    const char *unit, *help = stats_describe(machine->stats, name, &unit);
    fprintf(out, "%-40s %16s %-12s %s\n", name, value, unit ? unit : "", help ? help : "");
}
