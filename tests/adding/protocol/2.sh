# Four states as Illinois has them, but clean blocks come from memory.
after cache/protocols.def '.updates = true)' <<'END'
PROTOCOL(TOY, "toy", "a toy", "a toy of 4 states", toy, .exclusive = true)
END
