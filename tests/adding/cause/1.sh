# A cause of stall: uncached stores.
before src/measure/measures.def '/* a general register, such as that of the load before it' <<'END'
STALL(TOY, "toy", NO_SIDE, NONE, NONE, "toy", "toy", "toys of ", "", "#0123ab")

END
