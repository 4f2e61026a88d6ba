# How often the control device's registers are read.
after devices/board/control.c 'struct control {' <<'END'
    uint64_t toy_reads;
END
before devices/board/control.c 'return read_register(opaque' <<'END'
    ((struct control *)opaque)->toy_reads++;
END
