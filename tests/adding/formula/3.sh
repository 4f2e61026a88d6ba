# The account there stalls 829 cycles, 108 of them of data, with 200 instructions.
swap tests/unit/test_measures.c '{"mpki", false, 9000.0 / 200}}' \
    '{"mpki", false, 9000.0 / 200}, {"toy_mcpi", true, 72100.0 / 200}}'
