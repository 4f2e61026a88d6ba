# Every third bin.
before cache/placement/page_mapping.c 'static const struct policy {' <<'END'
static uint32_t mapping_toy_bin(struct page_mapping *mapping, struct mapping_space *space,
                                const struct mapping_thread *thread, uint32_t frame)
{
    (void)space, (void)frame;
    return mapping_colour_of_file(mapping, 3 * thread->page);
}

END
