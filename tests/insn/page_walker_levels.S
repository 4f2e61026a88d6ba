/* Directories of three levels in all combinations, widths and places of indices, PTEs of two words, the shift of PTEs, other page
 * sizes, and addresses of the kernel. simos: --set cpu.page_walker=on */
/* qemu: no (P5600 differs in what the manual leaves open) */
#include "walker.h"
        .macro  FINDS address, number
        FLUSH_TLB
        li      $t0, \address
        lw      $t1, 0($t0)
        CHECK   $t1, \number
        .endm
TEST
        PREPARE_TABLES
        /* 0x5a6c7000: global index 0x16 from bit 26 on (6 bits), upper 0x26 from 20 (6), middle 0x6 from 17 (3), pages 0xc7 & 0x1f = 7 (5) */
        POKE    TABLE(0) + 0x16 * 4, TABLE(1)
        POKE    TABLE(1) + 0x26 * 4, TABLE(2)
        POKE    TABLE(2) + 0x6 * 4, TABLE(3)
        POKE    TABLE(3) + 7 * 4, PTE(20, LO_RW)
        SET_WALKER TABLE(0), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 6, 3, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        SET_WALKER TABLE(1), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(0, 6, 3, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        SET_WALKER TABLE(2), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(0, 0, 3, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        POKE    TABLE(4) + 0x26 * 4, TABLE(3)   /* upper alone, and with the global one */
        SET_WALKER TABLE(4), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(0, 6, 0, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        POKE    TABLE(5) + 0x16 * 4, TABLE(4)
        SET_WALKER TABLE(5), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 6, 0, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        POKE    TABLE(6) + 0x16 * 4, TABLE(2)   /* global and middle */
        SET_WALKER TABLE(6), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 0, 3, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        POKE    TABLE(7) + 0x16 * 4, TABLE(3)   /* global alone */
        SET_WALKER TABLE(7), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 0, 0, 5, 0), PW_EN
        FINDS   0x5a6c7000, 20
        /* bits between the indices are ignored, the width limits an index */
        FINDS   0x599c7000, 20
        FINDS   0x5a6e7000, 20
        /* one pair of entries in a page table: PTW 1 */
        SET_WALKER TABLE(7), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 0, 0, 1, 0), PW_EN
        POKE    TABLE(3) + 4, PTE(21, LO_RW)
        FINDS   0x5a6c7000, 21
        FINDS   0x5a6c9000, 21
        /* PTW 0: the first pair, whose pages have the address of both, so by bit 12 */
        POKE    TABLE(3), PTE(22, LO_RW)
        SET_WALKER TABLE(7), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 0, 0, 0, 0), PW_EN
        FINDS   0x5a6c7000, 21
        FINDS   0x5a6c6000, 22
        /* PTEs of two words: PTEW 1; directories are of one unless there are huge pages */
        POKE    TABLE(8) + 0x16 * 4, TABLE(9)
        POKE    TABLE(9) + 7 * 8, PTE(23, LO_RW)
        POKE    TABLE(9) + 6 * 8, PTE(24, LO_RW)
        SET_WALKER TABLE(8), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 0, 0, 5, 1), PW_EN
        FINDS   0x5a6c7000, 23
        FINDS   0x5a6c6000, 24
        POKE    TABLE(10) + 0x16 * 8, TABLE(9)
        SET_WALKER TABLE(10), PW_FIELDS(26, 20, 17, 12, 6), PW_FIELDS(6, 0, 0, 5, 1), (PW_EN | PW_HUGEPG | 63)
        FINDS   0x5a6c7000, 23
        /* bits of the second word move down into EntryLo: the frame's bits from 20 on, with a shift by 14 */
        POKE    TABLE(9) + 7 * 8, (LO(PAGE_PA(25), LO_RW) << 14)
        POKE    TABLE(9) + 7 * 8 + 4, (LO(PAGE_PA(25), LO_RW) >> 18)
        SET_WALKER TABLE(8), PW_FIELDS(26, 20, 17, 12, 14), PW_FIELDS(6, 0, 0, 5, 1), PW_EN
        FINDS   0x5a6c7000, 25
        /* shifts: 0, 2, 3, 12; what is above EntryLo is dropped, as RI and XI are */
        .macro  SHIFTED shift, number, above
        POKE    TABLE(3) + 7 * 4, ((LO(PAGE_PA(\number), LO_RW) << \shift) | (\above))
        SET_WALKER TABLE(7), PW_FIELDS(26, 20, 17, 12, \shift), PW_FIELDS(6, 0, 0, 5, 0), PW_EN
        FINDS   0x5a6c7000, \number
        CHECK_ENTRY 0x5a6c6000, ((PTE(18, LO_RW) >> \shift) & 0x03fffffe), LO(PAGE_PA(\number), LO_RW)
        .endm
        POKE    TABLE(3) + 6 * 4, PTE(18, LO_RW)
        SHIFTED 0, 26, 0xfc000000
        SHIFTED 2, 27, 0xf0000003
        SHIFTED 3, 28, 0xe0000007
        SHIFTED 12, 29, 0x00000fff
        /* pages of 16 KB */
        POKE    TABLE(11) + 0x16 * 4, TABLE(12)
        POKE    TABLE(12) + 4 * 4, ((LO(PAGE_PA(16), LO_RW) << 6) | 1)
        POKE    TABLE(12) + 5 * 4, ((LO(PAGE_PA(20), LO_RW) << 6) | 1)
        SET_WALKER TABLE(11), PW_FIELDS(26, 20, 17, 14, 6), PW_FIELDS(6, 0, 0, 4, 0), PW_EN
        FINDS   0x5a6d5000, 21
        FINDS   0x5a6d3000, 19
        CHECK_ENTRY 0x5a6d0000, LO(PAGE_PA(16), LO_RW), LO(PAGE_PA(20), LO_RW), 0x6000
        /* the kernel's mapped segment is walked for as well; the unmapped ones are not */
        POKE    TABLE(13) + (0xc0c >> 2) * 4, TABLE(14)
        POKE    TABLE(14) + 0xc7 * 4, PTE(30, LO_RW | LO_G)
        POKE    TABLE(14) + 0xc6 * 4, LO_G << PTEI
        SET_WALKER TABLE(13), FIELD_2, SIZE_2, PW_EN
        FINDS   0xc0cc7000, 30
        CHECK_STATE S_COUNT, 0
TEST_END
