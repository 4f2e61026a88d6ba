before devices/board/toy.c 'const struct device_type toy_type' <<'END'
static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    (void)device;
    tree_begin_at(tree, "toy", board->base);
    tree_registers(tree, "simos,toy", board->base, TOY_SIZE);
    tree_interrupt(tree, board->irq);
    tree_end(tree);
}

END
after devices/board/toy.c '.free = free_toy,' <<'END'
    .write_node = write_node,
END
