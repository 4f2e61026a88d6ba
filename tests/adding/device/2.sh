before devices/board/toy.c 'const struct device_type toy_type' <<'END'
static void register_stats(void *device, struct stats *stats)
{
    const struct toy *toy = device;
    const struct device_counter rows[] = {{"toy_writes", "writes", "of the toy's number", &toy->writes}};
    device_register_counters(stats, "toy", rows, sizeof rows / sizeof rows[0]);
}

END
after devices/board/toy.c '.free = free_toy,' <<'END'
    .register_stats = register_stats,
END
