# The R3000 with another FPU and another general vector.
take cpu/privileged/r3000.c
mv cpu/privileged/r3000.c cpu/privileged/toy.c
swap cpu/privileged/toy.c 'const struct architecture r3000' 'const struct architecture toy'
swap cpu/privileged/toy.c '.name = "r3000"' '.name = "toy"'
swap cpu/privileged/toy.c '.fir = 0x0340' '.fir = 0x0770'
swap cpu/privileged/toy.c '.general_offset = 0x80' '.general_offset = 0x180'
