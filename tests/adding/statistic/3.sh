after devices/board/control.c 'SAVED_FIGURE(struct control, commands),' <<'END'
    SAVED_FIGURE(struct control, toy_reads),
END
