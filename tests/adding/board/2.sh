create src/boards/board_toy.def <<'END'
/* The devices of the toy board; the columns are those of board.def. */
DEVICE(board_control_type, BOARD_CONTROL_BASE, 0, 0, 0, 0)
DEVICE(toy_type, 0x18040000, 3, 0, 0, 0)
DEVICE(board_no_disks_type, 0, 0, 0, 0, 0)
DEVICE(board_net_type, 0x18050000, 4, 0, 0, 0)
DEVICE(board_network_type, 0, 0, 0, 0, 0)
END
