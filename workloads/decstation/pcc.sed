# What pcc's templates for MIPS need, for sed -E over table.c and local2.c:
# arguments on the stack are pushed (the rules for it are there, switched off);
/^#if 0$/ { N; N; /intentionally write out/ { s/^#if 0\n\n//; b } }
/^#endif$/ { N; N; /STARG,/ s/^#endif\n\n// }
# signed arithmetic wraps, as every compiler for MIPS has it: add and sub raise an exception at an overflow;
s/"(\t|\\t)(add|sub) A1/"\1\2u A1/
s/"add"/"addu"/
s/"sub"/"subu"/
s/\<addi (A1|\$sp)/addiu \1/
# the assembler knows no subui: it finds the form for a constant itself;
s/\tOi A1/\tO A1/
