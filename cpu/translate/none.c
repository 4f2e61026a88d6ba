/*
 * Replacement for the translator on hosts without a backend (host.h): mipsy interprets, and runs in place of embra. The
 * Makefile compiles this file instead of the rest of the folder.
 */
#include "cpu/translate/model.h"

#include "src/base/log.h"

bool translate_supported(void)
{
    return false;
}

struct inorder *translate_create(struct core *core, struct memsys *memsys, const struct translate_options *options,
                                 struct err *err)
{
    (void)core;
    (void)memsys;
    (void)options;
    err_set(err, "the translator supports x86-64 hosts only");
    return NULL;
}

/* No model is translated, so none of these functions is called. */

void translate_destroy(struct inorder *in)
{
    (void)in;
}

void translate_execute(void *model)
{
    (void)model;
    log_bug("no translator");
}

void translate_sync(struct inorder *in)
{
    (void)in;
}

void *translate_find_code(struct inorder *in, paddr frame, vaddr page, bool user)
{
    (void)in;
    (void)frame;
    (void)page;
    (void)user;
    return NULL;
}

void translate_discard_page(struct inorder *in, paddr page)
{
    (void)in;
    (void)page;
}

void translate_discard_all(struct inorder *in)
{
    (void)in;
}

bool translate_dump(const struct inorder *in, vaddr pc, FILE *out, struct err *err)
{
    (void)in;
    (void)pc;
    (void)out;
    return err_set(err, "no translator for this host");
}

uint64_t translate_figure(const struct inorder *in, unsigned index)
{
    (void)in;
    (void)index;
    return 0;
}
