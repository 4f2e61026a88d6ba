# the shape of a desktop processor of 2015: three levels, wide and deep out-of-order execution, memory 200 cycles away
#
# The Core i7-6700 as Hennessy and Patterson describe it (Computer Architecture, 6th edition, sections 2.6 and 3.12): 4.0 GHz;
# first level 32 KB of 8 ways, 4 cycles; second level 256 KB of 4 ways, 12 cycles; third level 2 MB a CPU of 16 ways, 44 cycles;
# blocks of 64 bytes; memory 200 cycles; 224 instructions in flight, 72 loads and 56 stores, 4 renamed a cycle. That is the far end
# of the trend that SOSP'95 begins with, not a model of that processor: it has this board's instruction set, TLB and memory, the
# window and the predictors of mxs, no prefetcher, and a third level for each CPU where the real one has one for all.
#
# Ours, not in the book: 12 misses of the first data level at a time, 16 of the second level, 4 of instructions; the predictors'
# sizes; the latencies of arithmetic, which are those of the R10000.

machine -cpus 1 -memory 128M
cpu     -model mxs -clock 4GHz -tlb_entries 32

cache -model three-level
cache l1i -size 32K  -line 64 -ways 8 -ports 2 -outstanding 4
cache l1d -size 32K  -line 64 -ways 8 -ports 2 -outstanding 12
cache l2  -size 256K -line 64 -ways 4 -outstanding 16
cache l3  -size 2M   -line 64 -ways 16

# Stalls: what an access takes longer than one that hits the first level.
memory -l2_hit_time 2ns -l3_hit_time 10ns -miss_time 50ns

mxs -fetch_width 4 -issue_width 8 -graduate_width 4 -window 224 -load_store_queue 128 -branches 48
mxs -predictor 16384 -return_stack 16 -indirect_targets 4096 -decode_delay 4 -redirect_delay 10
mxs -latency.load 4 -latency.load_fp 5
