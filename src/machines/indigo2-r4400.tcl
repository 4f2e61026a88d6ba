# the SGI Indigo2 of lmbench's tables (IP22): an R4400SC of 200 MHz, 16 KB each and 1 MB; measured against a real one: median error 6.2 %
#
# McVoy, Staelin, "lmbench: Portable Tools for Performance Analysis", USENIX 1996: the row IRIX5.3 IP22 of its tables in Debian's
# package lmbench-doc, against which docs/reference/hardware.md compares this machine. Fitted to that row: the times of a hit in the
# second level and of memory. Its clock is that of a processor whose loads, of three cycles, take 10 ns longer than one.
#
# Heinrich, MIPS R4000 Microprocessor User's Manual, second edition 1994: the R4400's first-level caches have 16 KB each,
# direct-mapped and virtually indexed (chapter 11), and its TLB 48 entries of two pages (chapter 4); a load's result can be used by the
# third instruction behind it, and a taken branch takes three cycles, its delay slot one of them (chapter 3); multiplications
# take 10 cycles, divisions 69, and the floating-point unit's operations as here (chapter 6). Silicon Graphics, Pipeline 7(1),
# 1996: R4400SC of 200 MHz with 16 KB each and 1 MB.
#
# Lines are those that Linux prints on the machine: 16 bytes, and 128 in the second level.

machine -cpus 1 -memory 128M
cpu     -model mipsy -clock 200MHz -tlb_entries 48

mipsy -taken_delay 2
mipsy latency -load 3 -load_fp 3 -multiply 10 -divide 69
mipsy repeat  -multiply 10 -divide 69
mipsy latency -fp_add 4 -fp_multiply 8 -fp_divide_single 23 -fp_divide_double 36 -fp_sqrt_single 54 -fp_sqrt_double 112 -fp_convert 4 -fp_compare 3
mipsy repeat  -fp_add 3 -fp_multiply 4 -fp_divide_single 22 -fp_divide_double 35 -fp_sqrt_single 53 -fp_sqrt_double 111

cache l1i -size 16K -line 16 -ways 1 -index virtual
cache l1d -size 16K -line 16 -ways 1 -index virtual
cache l2  -size 1M -line 128 -ways 1

memory -l2_hit_time 75ns -miss_time 943ns
