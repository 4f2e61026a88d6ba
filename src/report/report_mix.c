#include "src/report/report_mix.h"

enum { PERCENT = 1, LABEL_WIDTH = 26 };

static const char *const headings[MIX_GROUPS] = {"ALU",      "nop",    "mul/div",   "load", "store", "prefetch",
                                                 "br taken", "br not", "jump/call", "FP",   "system"};

static void print_row(const struct mix_row *row, FILE *out)
{
    fprintf(out, "%-*.*s %14.0f", LABEL_WIDTH, LABEL_WIDTH, row->name, row->insns);
    for (unsigned i = 0; i < MIX_GROUPS; i++)
        fprintf(out, " %8.2f%%", row->insns > 0 ? 100 * row->group[i] / row->insns : 0);
    fputc('\n', out);
}

void mix_table_print(const struct mix_table *table, const char *title, FILE *out)
{
    struct mix_row total = {.name = "all"};
    if (table->modes == 0)
        return;
    fprintf(out, "\nInstruction mix, %s\n%-*s %14s", title, LABEL_WIDTH, "", "instructions");
    for (unsigned i = 0; i < MIX_GROUPS; i++)
        fprintf(out, " %9s", headings[i]);
    fputc('\n', out);
    for (size_t i = 0; i < table->modes; i++) {
        print_row(&table->row[i], out);
        total.insns += table->row[i].insns;
        for (unsigned group = 0; group < MIX_GROUPS; group++)
            total.group[group] += table->row[i].group[group];
    }
    print_row(&total, out);
    for (size_t i = table->modes; i < table->count; i++)
        if (100 * table->row[i].insns >= PERCENT * total.insns)
            print_row(&table->row[i], out);
}
