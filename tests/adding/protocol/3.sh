after tests/unit/reference_protocol.h '[MEMSYS_FIREFLY] =' <<'END'
    [MEMSYS_TOY] = {.name = "toy", .exclusive = true},
END
