after src/machine/boards.def 'BOARD(' <<'END'
BOARD(toy)
END
