# Four states as Illinois has them, but clean units come from memory.
before cache/hierarchy/protocol.c '[MEMSYS_FIREFLY] =' <<'END'
    [MEMSYS_TOY] = {.name = "toy", .text = "a toy", .exclusive = true, INVALIDATE},
END
