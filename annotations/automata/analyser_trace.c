/* The trace buffers of the logic analysers as files. */
#include "annotations/automata/analyser_state.h"

#include "cpu/observe/executions.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stdlib.h>

/* The set bits of MASK as words, separated by '+'. */
static void put_words(FILE *out, unsigned mask, const char *(*name)(unsigned bit))
{
    const char *before = "";
    for (unsigned bit = 0; mask >> bit != 0; bit++)
        if (mask >> bit & 1) {
            fprintf(out, "%s%s", before, name(bit));
            before = "+";
        }
}

/* CSV */

static void put_row(const struct analyser *a, const struct analyser_entry *entry, FILE *out)
{
    const struct probe_sample *s = &entry->sample;
    const struct core *core = a->all->machine->cores[a->plan.cpu];
    fprintf(out, "%s,%" PRIu64 ",%.3f,%s,%s,%s", a->plan.name, s->time,
            (double)s->time * 1e9 / (double)a->all->machine->clock_hz, a->plan.state[entry->state],
            probe_state_name(s->state), mode_name((enum mode)s->mode));
    if (s->fetched) {
        char text[96];
        isa_disassemble(core->decoder, s->word, s->pc, text, sizeof text);
        for (char *at = text; *at; at++)
            if (*at == '\t' || *at == '"')
                *at = ' ';
        fprintf(out, ",0x%08x,0x%08x,0x%08x,\"%s\"", s->pc, s->physical, s->word, text);
    } else {
        fputs(",,,,", out);
    }
    if (s->accesses)
        fprintf(out, ",%s,0x%08x,0x%08x,", s->stores ? "store" : "load", s->address, s->data);
    else
        fputs(",,,,", out);
    put_words(out, s->misses, miss_name);
    fprintf(out, ",%s,%u,%u,%u,", s->exception == PROBE_NO_EXCEPTION ? "" : core_exception_name(core, s->exception),
            s->squashed, s->graduated, entry->buffer);
    put_words(out, entry->bus, analyser_bus_name);
    fputc(',', out);
    const char *before = "";
    for (unsigned i = 0; i < a->plan.recognisers; i++)
        if (entry->matched >> i & 1) {
            fprintf(out, "%s%s", before, a->plan.recogniser[i].name);
            before = "+";
        }
    fputc('\n', out);
}

void analysers_write_csv(const void *analysers, FILE *out)
{
    const struct analysers *all = analysers;
    fputs("analyser,cycle,ns,state,cpu_state,mode,pc,physical,word,instruction,access,address,data,misses,exception,"
          "squashed,graduated,write_buffer,bus,recognisers\n",
          out);
    for (const struct analyser *a = all->first; a; a = a->next)
        for (size_t i = 0; a->plan.traces && i < analyser_entries(a); i++)
            put_row(a, analyser_entry_at(a, i), out);
}

/* VCD: a scope for each analyser; its signals are numbered after those of the analysers before it. */

/* The signals of an entry besides its recognisers, one bit each. */
static const struct signal {
    const char *name;
    unsigned bits;
} signals[] = {
    {"state", 8},     {"cpu_state", 5}, {"mode", 2},         {"fetched", 1}, {"pc", 32},    {"physical", 32},
    {"word", 32},     {"access", 2},    {"address", 32},     {"data", 32},   {"misses", 6}, {"exception", 8},
    {"squashed", 16}, {"graduated", 8}, {"write_buffer", 8}, {"bus", 4},
};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static void values_of(const struct analyser_entry *entry, uint32_t value[SIGNALS])
{
    const struct probe_sample *s = &entry->sample;
    const uint32_t values[SIGNALS] = {
        entry->state, s->state,     s->mode,       s->fetched,
        s->pc,        s->physical,  s->word,       s->accesses + s->stores,
        s->address,   s->data,      s->misses,     s->exception == PROBE_NO_EXCEPTION ? 0xff : s->exception,
        s->squashed,  s->graduated, entry->buffer, entry->bus};
    for (unsigned i = 0; i < SIGNALS; i++)
        value[i] = values[i];
}

/* The identifier of signal NUMBER: printable characters, in base 94. */
static const char *identifier(unsigned number, char text[8])
{
    char *at = text;
    do {
        *at++ = (char)('!' + number % 94);
        number /= 94;
    } while (number > 0);
    *at = 0;
    return text;
}

static void put_value(FILE *out, unsigned number, unsigned bits, uint32_t value)
{
    char text[8];
    if (bits == 1) {
        fprintf(out, "%u%s\n", value, identifier(number, text));
        return;
    }
    fputc('b', out);
    for (unsigned bit = bits; bit-- > 0;)
        fputc('0' + (value >> bit & 1), out);
    fprintf(out, " %s\n", identifier(number, text));
}

static void declare(const struct analyser *a, unsigned first, FILE *out)
{
    char text[8];
    fprintf(out, "$scope module %s $end\n", a->plan.name);
    for (unsigned i = 0; i < SIGNALS; i++)
        fprintf(out, "$var wire %u %s %s $end\n", signals[i].bits, identifier(first + i, text), signals[i].name);
    fprintf(out, "$scope module recognisers $end\n");
    for (unsigned i = 0; i < a->plan.recognisers; i++)
        fprintf(out, "$var wire 1 %s %s $end\n", identifier(first + SIGNALS + i, text), a->plan.recogniser[i].name);
    fprintf(out, "$upscope $end\n$upscope $end\n");
}

/* What has been written of an analyser. */
struct dumped {
    const struct analyser *analyser;
    unsigned first; /* number of its first signal */
    size_t next;    /* its next entry */
    bool begun;
    uint32_t value[SIGNALS];
    uint64_t matched;
};

/* Write what differs in the next entry of D. */
static void put_entry(struct dumped *d, FILE *out)
{
    const struct analyser_entry *entry = analyser_entry_at(d->analyser, d->next++);
    uint32_t value[SIGNALS];
    values_of(entry, value);
    for (unsigned i = 0; i < SIGNALS; i++)
        if (!d->begun || value[i] != d->value[i])
            put_value(out, d->first + i, signals[i].bits, d->value[i] = value[i]);
    for (unsigned i = 0; i < d->analyser->plan.recognisers; i++)
        if (!d->begun || (entry->matched ^ d->matched) >> i & 1)
            put_value(out, d->first + SIGNALS + i, 1, (uint32_t)(entry->matched >> i & 1));
    d->matched = entry->matched;
    d->begun = true;
}

static struct dumped *earliest(struct dumped *list, unsigned count)
{
    struct dumped *best = NULL;
    for (struct dumped *d = list; d < list + count; d++)
        if (d->next < analyser_entries(d->analyser) &&
            (!best || analyser_entry_at(d->analyser, d->next)->sample.time <
                          analyser_entry_at(best->analyser, best->next)->sample.time))
            best = d;
    return best;
}

void analysers_write_vcd(const void *analysers, FILE *out)
{
    const struct analysers *all = analysers;
    unsigned count = 0, number = 0;
    for (const struct analyser *a = all->first; a; a = a->next)
        count += a->plan.traces;
    struct dumped *list = checked_memory(calloc(count + 1, sizeof *list));
    fprintf(out, "$version simos $end\n$timescale 1 ps $end\n");
    count = 0;
    for (const struct analyser *a = all->first; a; a = a->next) {
        if (!a->plan.traces)
            continue;
        list[count++] = (struct dumped){.analyser = a, .first = number};
        declare(a, number, out);
        number += SIGNALS + a->plan.recognisers;
    }
    fprintf(out, "$enddefinitions $end\n");
    cycles now = CYCLES_NEVER;
    for (struct dumped *d = earliest(list, count); d; d = earliest(list, count)) {
        const cycles time = analyser_entry_at(d->analyser, d->next)->sample.time;
        if (time != now)
            fprintf(out, "#%" PRIu64 "\n",
                    (uint64_t)((unsigned __int128)time * UINT64_C(1000000000000) / all->machine->clock_hz));
        now = time;
        put_entry(d, out);
    }
    free(list);
}
