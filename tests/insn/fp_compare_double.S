/* c.cond.d: all sixteen conditions on less, equal, greater, both zeros, infinities, quiet and signalling NaNs, into
 * every condition code, with Invalid where it belongs. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1 | ST_FR
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ff00000, 0x00000000
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        DOUBLE  f20, 0x40000000, 0x00000000
        DOUBLE  f22, 0xbff00000, 0x00000000
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x10000000
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x40000000
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x80000000
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x10000000
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x40000000
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x80000000
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        DOUBLE  f20, 0x00000000, 0x00000000
        DOUBLE  f22, 0x80000000, 0x00000000
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x04000000
        SET_FCSR 0
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x20000000
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        DOUBLE  f20, 0x7ff7ffff, 0xffffffff
        DOUBLE  f22, 0x3ff00000, 0x00000000
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000
        SET_FCSR 0x04000000
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000
        SET_FCSR 0x10000000
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0x40000000
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000 | FC_FLAG_V
        SET_FCSR 0x04000000
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000 | FC_FLAG_V
        SET_FCSR 0x10000000
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000 | FC_FLAG_V
        SET_FCSR 0x40000000
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000 | FC_FLAG_V
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x7fffffff, 0xffffffff
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000 | FC_FLAG_V
        SET_FCSR 0x04000000
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000 | FC_FLAG_V
        SET_FCSR 0x10000000
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000 | FC_FLAG_V
        SET_FCSR 0x40000000
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000 | FC_FLAG_V
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x02000000 | FC_FLAG_V
        SET_FCSR 0x04000000
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x08000000 | FC_FLAG_V
        SET_FCSR 0x10000000
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000 | FC_FLAG_V
        SET_FCSR 0x40000000
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, FC_FLAG_V
        SET_FCSR 0
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000 | FC_FLAG_V
        DOUBLE  f20, 0xfff00000, 0x00000000
        DOUBLE  f22, 0x7ff00000, 0x00000000
        SET_FCSR FC_CC0
        c.f.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.un.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.eq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ueq.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.olt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.ult.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.ole.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ule.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
        SET_FCSR FC_CC0
        c.sf.d $fcc0, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x02000000
        c.ngle.d $fcc1, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x04000000
        c.seq.d $fcc2, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0x08000000
        c.ngl.d $fcc3, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0
        SET_FCSR 0
        c.lt.d $fcc4, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x10000000
        SET_FCSR 0
        c.nge.d $fcc5, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x20000000
        SET_FCSR 0
        c.le.d $fcc6, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x40000000
        SET_FCSR 0
        c.ngt.d $fcc7, $f20, $f22
        CHECK_FCSR 0xffffffff & ~FC_CAUSES, 0x80000000
TEST_END
