after cpu/architectures.def 'ARCHITECTURE(' <<'END'
ARCHITECTURE(toy)
END
