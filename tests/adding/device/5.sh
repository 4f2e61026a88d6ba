after src/boards/board.def 'DEVICE(' <<'END'
DEVICE(toy_type, 0x18040000, 32, 0, 0, 0)
END
