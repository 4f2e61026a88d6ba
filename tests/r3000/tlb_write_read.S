/* tlbwi writes the entry of Index from EntryHi and EntryLo, tlbr reads it back into them: page number, ASID, frame,
 * N, D, V and G; bits that no field has read as zero. Entries 0, 8 and 63. */
#include "test.h"
TEST
        .irp    entry, 0, 8, 63
        MAP     \entry, HI(0x12345000, 0x2a), LO(0x00abc000, LO_N | LO_V)
        READ_TLB \entry
        CHECK_CP0 C0_ENTRYHI, HI(0x12345000, 0x2a)
        CHECK_CP0 C0_ENTRYLO, LO(0x00abc000, LO_N | LO_V)
        MAP     \entry, 0x7ffff03f | HI(0, 0x3f), LO(0xfffff000, LO_D | LO_G) | 0xff
        READ_TLB \entry
        CHECK_CP0 C0_ENTRYHI, HI(0x7ffff000, 0x3f)
        CHECK_CP0 C0_ENTRYLO, LO(0xfffff000, LO_D | LO_G)
        UNMAP   \entry
        .endr
TEST_END
