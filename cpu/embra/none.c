/*
 * embra on a host that it has no machine code for (host.h): the name is known, the model is not there, and the machine
 * runs mipsy in its place. The Makefile takes this file instead of the rest of the folder, but for its parameters.
 */
#include "cpu/model.h"

bool embra_supported(void)
{
    return false;
}

static void *create(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    (void)core;
    (void)memsys;
    (void)params;
    err_set(err, "embra makes machine code for x86-64, and this host is another");
    return NULL;
}

static uint64_t figure(const void *model, unsigned index)
{
    (void)model;
    (void)index;
    return 0;
}

const struct cpu_model_ops embra_model = {
    .name = "embra",
    .brief = "binary translation; not on this host",
    .create = create,
    .figures = embra_figures,
    .figure = figure,
};
