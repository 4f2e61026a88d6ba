/* The translator on a host that it has no machine code for: there is none, and everything is interpreted. */
#include "cpu/mipsy/translator.h"

bool mipsy_translates(void)
{
    return false;
}

struct mipsy_translator *mipsy_translator_create(struct mipsy_pages *pages, const struct mipsy *m)
{
    (void)pages;
    (void)m;
    return NULL;
}

void mipsy_translator_free(struct mipsy_translator *translator)
{
    (void)translator;
}

const uint8_t *mipsy_translator_no_block(const struct mipsy_translator *translator)
{
    (void)translator;
    return NULL;
}

bool mipsy_translator_can(const struct mipsy_translator *translator, enum isa_id id, const struct insn *insn)
{
    (void)translator;
    (void)id;
    (void)insn;
    return false;
}

void mipsy_translate(struct mipsy_pages *pages, struct mipsy_page *page, union mipsy_slot *slot, struct core *core,
                     vaddr base)
{
    (void)page;
    (void)core;
    (void)base;
    mipsy_set_block(pages, slot, NULL, 0, 0);
}

enum mipsy_leave mipsy_translator_run(const struct mipsy_translator *translator, struct core *core, const uint8_t *code)
{
    (void)translator;
    (void)core;
    (void)code;
    return MIPSY_AT_PLACE;
}
