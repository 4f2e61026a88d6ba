after devices/board/control.c '{"commands", "requests",' <<'END'
        {"toy_reads", "reads", "of its registers", &control->toy_reads},
END
