/* The translator for x86-64: its memory, and what it can translate. */
#include "cpu/mipsy/x86_emitter.h"

#include "src/log.h"
#include <sys/mman.h>

enum { CODE_BYTES = 64 << 20 }; /* memory for code; untouched pages cost nothing */

/* Which rows can be translated does not depend on the operands: try each. */
static void try_rows(struct mipsy_translator *t)
{
    struct mipsy_pages pages = {.line_shift = 2};
    t->pages = &pages;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        t->x.at = t->first;
        t->cold_count = 0;
        t->count = 1;
        t->site = (struct mipsy_site){.loads = 1, .stores = 1};
        t->id = (enum isa_id)id;
        t->insn = (struct insn){.rs = 1, .rt = 2, .rd = 3, .sa = 4};
        emit_row(t);
        t->can[id] = !t->failed;
    }
    t->x.at = t->first;
}

bool mipsy_translates(void)
{
    void *page = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && munmap(page, PAGE_SIZE) == 0;
}

struct mipsy_translator *mipsy_translator_create(struct mipsy_pages *pages, const struct mipsy *m)
{
    if (m->in.memsys == NULL || m->in.fetch_quick == NULL || pages->line_shift > __builtin_ctz(MIPSY_WINDOW))
        return NULL;
    if (m->in.fetch_times != NULL && m->in.fetch_shift < 4) /* their offsets need not fit in a displacement then */
        return NULL;
    void *memory =
        mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    struct mipsy_translator *t = calloc(1, sizeof *t);
    if (t == NULL)
        log_bug("out of memory");
    t->memory = memory;
    t->memory_end = t->memory + CODE_BYTES;
    t->x = (struct x86){t->memory, t->memory_end};
    t->notes_times = m->in.fetch_times != NULL;
    t->notes_fetched = m->in.fetch_sets != 0;
    t->notes_accessed = m->in.data_sets != 0;
    t->last_mask = mipsy_hot(m->in.core)->last_mask;
    t->last_data_mask = mipsy_hot(m->in.core)->last_data_mask;
    t->data_shift = m->in.data_shift;
    t->data_by_virtual = m->in.data_quick == NULL;
    t->prefetches = m->in.prefetches;
    emit_thunks(t);
    try_rows(t);
    return t;
}

void mipsy_translator_free(struct mipsy_translator *t)
{
    if (t == NULL)
        return;
    munmap(t->memory, CODE_BYTES);
    free(t);
}

const uint8_t *mipsy_translator_no_block(const struct mipsy_translator *t)
{
    return t->thunk[THUNK_AT_PLACE];
}

enum mipsy_leave mipsy_translator_run(const struct mipsy_translator *t, struct core *core, const uint8_t *code)
{
    typedef uint32_t enter_fn(struct core * core, const uint8_t *code);
    return (enum mipsy_leave)((enter_fn *)(uintptr_t)t->enter)(core, code);
}
