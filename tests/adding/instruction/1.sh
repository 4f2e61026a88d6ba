# The average of two numbers, rounded down, in the place that the architecture leaves to user-defined instructions.
after cpu/isa/isa.def 'ISA(SEH, "seh"' <<'END'
ISA(TOY, "toy", 0x70000010, 0xfc0007ff, IMM_NONE, "d,s,t", U_(S) | U_(T), U_(D), CLASS_ALU, 0,
    { WRITE_D(ADD(AND(READ_S, READ_T), SHR(XOR(READ_S, READ_T), CONST(1)))); })
END
