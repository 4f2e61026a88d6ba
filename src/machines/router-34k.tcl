# a router's processor: one MIPS 34Kc of a Realtek RTL9303, 800 MHz, first-level caches of 32 KB and nothing behind them
#
# OpenWrt's kernel says on such a board (github.com/openwrt/openwrt, pull request 23726): "Primary instruction cache 32kB,
# VIPT, 4-way, linesize 32 bytes", "Primary data cache 32kB, 4-way, PIPT, no aliases, linesize 32 bytes", and of a second level
# nothing. The clock is that of its device tree (pull request 24969). On this machine unrelated padding was measured as a gain of 11.5 %
# (issue 24963).
#
# Not in these sources: a TLB of 16 pairs of pages, as QEMU's 34Kf has; an entry of this board has two pages too. 80 cycles for a miss
# of memory (DDR3): ours. 128 MB: routers have 128 to 512. The instruction cache has a physical index here, so that layout maps
# apply to it: the kernel's code, in kseg0, is in the same sets. The second thread context (VPE) is left out.

machine -cpus 1 -memory 128M
cpu     -model mipsy -clock 800MHz -tlb_entries 16

cache     -model one-level
cache l1i -size 32K -line 32 -ways 4
cache l1d -size 32K -line 32 -ways 4
memory    -miss_time 100ns
