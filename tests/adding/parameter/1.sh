# One parameter with each trait.
before src/machine/machine.c '{"machine.quantum", PARAM_INT' <<'END'
    {"toy.fixed", PARAM_INT, TRAIT_FIXED, "", "1", 1, 9, false, NULL, "a toy"},
    {"toy.timed", PARAM_INT, TRAIT_TIMED, "", "1", 1, 9, false, NULL, "factor of the CPU clock"},
    {"toy.untimed", PARAM_INT, TRAIT_UNTIMED, "", "1", 1, 9, false, NULL, "a toy"},
    {"toy.hardware", PARAM_INT, TRAIT_UNTIMED | TRAIT_HARDWARE, "", "1", 1, 9, false, NULL, "a toy"},
    {"toy.swept", PARAM_INT, TRAIT_TIMED | TRAIT_SWEPT, "", "1", 1, 9, false, NULL, "a toy"},
    {"toy.location", PARAM_STRING, TRAIT_TIMED | TRAIT_LOCATION, "", "", 0, 0, false, NULL, "a toy"},
    {"toy.observes", PARAM_INT, TRAIT_TIMED | TRAIT_OBSERVES, "", "1", 1, 9, false, NULL, "a toy"},
    {"toy.power_on", PARAM_INPUT, TRAIT_UNTIMED | TRAIT_POWER_ON, "", "", 0, 0, false, NULL, "a toy"},
END
