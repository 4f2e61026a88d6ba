# Stall of fetches and of uncached accesses, for 100 instructions.
after src/measure/formulas.def '"misses in thousand instructions")' <<'END'
FORMULA(TOY, "toy_mcpi", STATISTICS, "toy-MCPI", "toys", "%", 100, STALL, DATA_STALL, INSNS, "toys for 100 instructions")
END
