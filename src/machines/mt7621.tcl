# a router's processor of today: the MIPS 1004Kc of a MediaTek MT7621, two cores of 880 MHz that share a second level of 256 KB
#
# OpenWrt's kernel says on such a board (github.com/openwrt/openwrt, issue 10589): "CPU0 revision is: 0001992f (MIPS 1004Kc)", "VPE
# topology {2,2} total 4", "Primary instruction cache 32kB, VIPT, 4-way, linesize 32 bytes", "Primary data cache 32kB, 4-way, PIPT, no
# aliases, linesize 32 bytes", "MIPS secondary cache 256kB, 8-way, linesize 32 bytes"; its clock of 440 MHz (github.com/openwrt/mt76,
# issue 440) is half the processor's; /proc/cpuinfo has 32 TLB entries (github.com/fastfetch-cli/fastfetch, issue 1529).
#
# Not in these sources, and ours: 20 cycles for a hit of the second level, also if the other core has the line, and 110 for memory
# (DDR3 behind a coherence manager); the second level has every line of the first ones. The second thread context (VPE) of each core
# is left out. The instruction cache has a physical index here, so that layout maps apply to it.

machine -cpus 2 -memory 256M
cpu     -model mipsy -clock 880MHz -tlb_entries 32

cache     -model two-level -protocol mesi
cache l1i -size 32K  -line 32 -ways 4
cache l1d -size 32K  -line 32 -ways 4
cache l2  -size 256K -line 32 -ways 8 -shared all
memory    -l2_hit_time 22ns -miss_time 125ns
