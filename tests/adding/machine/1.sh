create src/machines/toy.tcl <<'END'
# a toy: 1994 with twice the clock

like 1994
cpu -clock 400MHz
END
