before tests/unit/test_machine_file.c '/* DASH: Lenoski et al. 1992, Mowry 1994 */' <<'END'
    {"toy", "cpu.clock", "400MHz"},
END
