/* The assembled driver.S, for the host's linker. DRIVER_BIN is the file's name. */
        .section .rodata
        .globl  driver_bytes, driver_bytes_end
driver_bytes:
        .incbin DRIVER_BIN
driver_bytes_end:
        .section .note.GNU-stack, "", %progbits
