/* c.cond.s: all sixteen conditions on less, equal, greater, both zeros, infinities, quiet and signalling NaNs, into
 * every condition code, with Invalid where it belongs. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1 | ST_FR
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x3f800000
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x40000000
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SINGLE  f20, 0x40000000
        SINGLE  f22, 0xbf800000
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x10000000
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x40000000
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x80000000
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x10000000
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x40000000
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x80000000
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SINGLE  f20, 0x00000000
        SINGLE  f22, 0x80000000
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SINGLE  f20, 0x7fbfffff
        SINGLE  f22, 0x3f800000
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000
        SET_FCSR 0x04000000
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0x40000000
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000 | FC_FLAG_V
        SET_FCSR 0x04000000
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000 | FC_FLAG_V
        SET_FCSR 0x10000000
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000 | FC_FLAG_V
        SET_FCSR 0x40000000
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000 | FC_FLAG_V
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x7fffffff
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000 | FC_FLAG_V
        SET_FCSR 0x04000000
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000 | FC_FLAG_V
        SET_FCSR 0x10000000
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000 | FC_FLAG_V
        SET_FCSR 0x40000000
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000 | FC_FLAG_V
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000 | FC_FLAG_V
        SET_FCSR 0x04000000
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000 | FC_FLAG_V
        SET_FCSR 0x10000000
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000 | FC_FLAG_V
        SET_FCSR 0x40000000
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000 | FC_FLAG_V
        SINGLE  f20, 0xff800000
        SINGLE  f22, 0x7f800000
        SET_FCSR FC_CC0
        c.f.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.eq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ueq.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.olt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.ult.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.ole.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.s $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.s $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.seq.s $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ngl.s $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.lt.s $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.nge.s $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.le.s $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.s $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
TEST_END
