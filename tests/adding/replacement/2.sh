before cache/state/replacement.def 'REPLACEMENT("fifo"' <<'END'
REPLACEMENT("toy", "a toy", "the way after the one used last", .touch = toy_use, .fill = toy_use, .victim = toy_victim,
            .is_valid = toy_is_valid)
END
