# What mipsy does, under another name.
create cpu/toy/toy.c <<'END'
#include "cpu/model.h"

static void *create(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    return mipsy_model.create(core, memsys, params, err);
}

static void destroy(void *model)
{
    mipsy_model.destroy(model);
}

static void run(void *model, cycles until)
{
    mipsy_model.run(model, until);
}

static void sync_model(void *model)
{
    mipsy_model.sync(model);
}

static void invalidate_page(void *model, paddr page)
{
    mipsy_model.invalidate_page(model, page);
}

static void invalidate_all(void *model)
{
    mipsy_model.invalidate_all(model);
}

const struct cpu_model_ops toy_model = {
    .name = "toy",
    .create = create,
    .destroy = destroy,
    .run = run,
    .sync = sync_model,
    .invalidate_page = invalidate_page,
    .invalidate_all = invalidate_all,
};
END
