before devices/board/toy.c 'const struct device_type toy_type' <<'END'
static const struct saved_field fields[] = {
    SAVED_FIELD(struct toy, value, SAVED_U32),
    SAVED_STATISTIC(struct toy, writes),
};

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    saved_add(saved, &(struct saved_section){.name = "toy", .version = 1, .base = device, SAVED_TABLE(fields)});
    return true;
}

END
after devices/board/toy.c '.free = free_toy,' <<'END'
    .register_saved = register_saved,
END
