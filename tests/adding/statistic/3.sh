after devices/board/control.c 'SAVED_STATISTIC(struct control, commands),' <<'END'
    SAVED_STATISTIC(struct control, toy_reads),
END
