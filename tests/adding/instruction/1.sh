# The average of two numbers, rounded down, and one instruction of each kind of control and of indexed access, where the
# architecture leaves room: user-defined functions of SPECIAL2, and opcodes of 64-bit processors.
after cpu/isa/isa.def 'ISA(SEH, "seh"' <<'END'
ISA(TOY, "toy", 0x70000010, 0xfc0007ff, IMM_NONE, "d,s,t", U_(S) | U_(T), U_(D), CLASS_ALU, 0,
    { WRITE_D(ADD(AND(READ_S, READ_T), SHR(XOR(READ_S, READ_T), CONST(1)))); })
ISA(TOYBGT, "toybgt", 0x68000000, 0xfc000000, IMM_BRANCH, "s,t,p", U_(S) | U_(T), 0,
    CLASS_BRANCH, 0, { BRANCH(LT_S(READ_T, READ_S)); })
ISA(TOYBGEL, "toybgel", 0x6c000000, 0xfc000000, IMM_BRANCH, "s,t,p", U_(S) | U_(T), 0,
    CLASS_BRANCH, 0, { BRANCH_LIKELY(GE_S(READ_S, READ_T)); })
ISA(TOYCALL, "toycall", 0xd0000000, 0xfc000000, IMM_JUMP, "J", 0, U_(31),
    CLASS_JUMP, 0, { WRITE_31(LINK); JUMP(JUMP_TARGET); })
ISA(TOYCALLR, "toycallr", 0x70000011, 0xfc1f07ff, IMM_NONE, "d,s", U_(S), U_(D),
    CLASS_JUMP, 0, { LET(target, READ_S); WRITE_D(LINK); JUMP(target); })
ISA(TOYJR, "toyjr", 0x70000012, 0xfc1fffff, IMM_NONE, "s", U_(S), 0,
    CLASS_JUMP, 0, { JUMP(READ_S); })
ISA(TOYLBX, "toylbx", 0x70000013, 0xfc0007ff, IMM_NONE, "d,X", U_(S) | U_(T) | U_(MEM), U_(D),
    CLASS_LOAD, 0, { LOAD(S8, v, ADD(READ_S, READ_T)); WRITE_D(v); })
ISA(TOYSHX, "toyshx", 0x70000014, 0xfc0007ff, IMM_NONE, "d,X", U_(S) | U_(T) | U_(D), U_(MEM),
    CLASS_STORE, 0, { STORE(U16, ADD(READ_S, READ_T), READ_D); })
END
