/*
 * Memory layout of the random streams, for the assembly of driver.S and for C. Physical addresses; user addresses are
 * equal, by the page table.
 */
#ifndef SIMOS_TESTS_DIFF_LAYOUT_H
#define SIMOS_TESTS_DIFF_LAYOUT_H

#define LAYOUT_TABLE_1   0x00000000 /* second page table: only the pages of image_add_spaces() */
#define LAYOUT_DRIVER    0x00100000 /* exception vectors and the rest of driver.S */
#define LAYOUT_ENTRY     0x00101000 /* entry point of the driver */
#define LAYOUT_VARIABLES 0x00103000 /* one block per processor, LAYOUT_VARIABLES_SIZE apart */
#define LAYOUT_CONTEXTS  0x00110000 /* for the driver: an array of struct context */
#define LAYOUT_LOG       0x00200000 /* records of exceptions */
#define LAYOUT_DUMPS     0x00380000 /* final state of each stream, from the driver */
#define LAYOUT_CODE      0x00400000
#define LAYOUT_CODE_END  0x00500000
#define LAYOUT_DATA      0x00500000 /* windows for loads and stores: image.c */
#define LAYOUT_DATA_END  0x00509000
#define LAYOUT_TABLE     0x00800000 /* 8 MB: EntryLo pairs, as Context addresses them */
#define LAYOUT_END       0x01000000

#define LAYOUT_VARIABLES_SIZE 0x100

/* Variables of the handler and the driver. */
#define V_AT         0
#define V_LOG        4  /* the next record */
#define V_LOG_START  8  /* start of the log, to which it wraps ... */
#define V_LOG_END    12 /* ... at this address */
#define V_EXCEPTIONS 16
#define V_END        20 /* an exception at this address ends the stream; 0: none */
#define V_FLIP       24 /* Status bits that syscall changes */
#define V_PERIOD     28 /* ticks to the next timer interrupt; 0: none */
#define V_INTERRUPTS 32
#define V_CONTEXT    36
#define V_DUMP       40
#define V_LEFT       44 /* streams still to run */
#define V_SEMIHOST   48 /* write V_SIZE bytes from V_FROM to the file V_PATH and exit; 0: use the control device */
#define V_FROM       52
#define V_SIZE       56
#define V_STRIDE     60 /* increment of $s7 at each control transfer to it */
#define V_PATH       64

/* A record of an exception. */
#define RECORD_EPC      0
#define RECORD_CAUSE    4
#define RECORD_BADVADDR 8
#define RECORD_STATUS   12
#define RECORD_ENTRYHI  16
#define RECORD_CONTEXT  20
#define RECORD_RA       24 /* to distinguish paths */
#define RECORD_SIZE     32
#define LOG_BYTES       0x1000 /* per stream */

/* struct context */
#define CONTEXT_GPR    0
#define CONTEXT_HI     128
#define CONTEXT_LO     132
#define CONTEXT_FCSR   136
#define CONTEXT_STATUS 140
#define CONTEXT_START  144
#define CONTEXT_END    148
#define CONTEXT_HASH   152 /* of the data windows, in dumps */
#define CONTEXT_COUNT  156 /* of exceptions, in dumps */
#define CONTEXT_FPR    160
#define CONTEXT_SIZE   416

/* Bits of Status that the context determines while a stream runs. */
#define STREAM_CU1 0x20000000
#define STREAM_FR  0x04000000
#define STREAM_UM  0x00000010
#define STREAM_EXL 0x00000002

#endif
