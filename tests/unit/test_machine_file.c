/* Machine descriptions: what they may do, and the error messages. With `only PATTERN`, the tests with such names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "cache/hierarchy/shape.h"
#include "cache/memsys.h"
#include "src/machine/machine.h"
#include "src/description/machine_file.h"

/* Figures of the papers, copied by hand. */
struct figure {
    const char *machine, *name, *value;
};

static const struct figure figures[] = {
    /* SOSP'95 table 3.1, column 1994; section 3.1: 128 MB, a TLB for 64 pages (two a entry) */
    {"1994", "cpu.model", "mipsy"},
    {"1994", "cpu.clock", "200MHz"},
    {"1994", "cpu.tlb_entries", "32"},
    {"1994", "machine.cpus", "1"},
    {"1994", "machine.memory", "128M"},
    {"1994", "cache.l1i.size", "16K"},
    {"1994", "cache.l1i.line", "16"},
    {"1994", "cache.l1i.ways", "2"},
    {"1994", "cache.l1d.size", "16K"},
    {"1994", "cache.l1d.line", "16"},
    {"1994", "cache.l1d.ways", "2"},
    {"1994", "cache.l2.size", "1M"},
    {"1994", "cache.l2.line", "128"},
    {"1994", "cache.l2.ways", "1"},
    {"1994", "memory.l2_hit_time", "50ns"},
    {"1994", "memory.miss_time", "500ns"},
    /* column 1996 */
    {"1996", "cpu.model", "mxs"},
    {"1996", "cpu.clock", "200MHz"},
    {"1996", "cpu.tlb_entries", "32"},
    {"1996", "machine.cpus", "1"},
    {"1996", "machine.memory", "128M"},
    {"1996", "cache.l1i.size", "32K"},
    {"1996", "cache.l1i.line", "64"},
    {"1996", "cache.l1i.ways", "2"},
    {"1996", "cache.l1d.size", "32K"},
    {"1996", "cache.l1d.line", "32"},
    {"1996", "cache.l1d.ways", "2"},
    {"1996", "cache.l2.size", "1M"},
    {"1996", "cache.l2.line", "128"},
    {"1996", "cache.l2.ways", "2"},
    {"1996", "cache.l1i.ports", "2"},
    {"1996", "cache.l1d.ports", "2"},
    {"1996", "cache.l1i.outstanding", "4"},
    {"1996", "cache.l1d.outstanding", "4"},
    {"1996", "cache.l2.outstanding", "4"},
    {"1996", "memory.l2_hit_time", "50ns"},
    {"1996", "memory.miss_time", "300ns"},
    /* column 1998 */
    {"1998", "cpu.model", "mxs"},
    {"1998", "cpu.clock", "500MHz"},
    {"1998", "cpu.tlb_entries", "32"},
    {"1998", "machine.cpus", "1"},
    {"1998", "machine.memory", "128M"},
    {"1998", "cache.l1i.size", "64K"},
    {"1998", "cache.l1i.line", "64"},
    {"1998", "cache.l1i.ways", "2"},
    {"1998", "cache.l1d.size", "64K"},
    {"1998", "cache.l1d.line", "32"},
    {"1998", "cache.l1d.ways", "2"},
    {"1998", "cache.l2.size", "4M"},
    {"1998", "cache.l2.line", "128"},
    {"1998", "cache.l2.ways", "2"},
    {"1998", "cache.l1i.ports", "2"},
    {"1998", "cache.l1d.ports", "2"},
    {"1998", "cache.l1i.outstanding", "4"},
    {"1998", "cache.l1d.outstanding", "4"},
    {"1998", "cache.l2.outstanding", "4"},
    {"1998", "memory.l2_hit_time", "30ns"},
    {"1998", "memory.miss_time", "250ns"},
    /* section 3.5: 8 CPUs of 1994, "cache access times and main memory-latency" as there */
    {"1996-mp8", "cpu.model", "mxs"},
    {"1996-mp8", "machine.cpus", "8"},
    {"1996-mp8", "cache.l1d.outstanding", "4"},
    {"1996-mp8", "memory.miss_time", "300ns"},
    {"1998-mp8", "cpu.clock", "500MHz"},
    {"1998-mp8", "machine.cpus", "8"},
    {"1998-mp8", "cache.l2.size", "4M"},
    /* Hennessy and Patterson, 6th edition, section 2.6: 12, 44 and 200 cycles of 4 GHz, of which a hit takes 4 */
    {"2015", "cpu.model", "mxs"},
    {"2015", "cpu.clock", "4GHz"},
    {"2015", "cache.model", "three-level"},
    {"2015", "cache.l1i.size", "32K"},
    {"2015", "cache.l1d.size", "32K"},
    {"2015", "cache.l1d.ways", "8"},
    {"2015", "cache.l1d.line", "64"},
    {"2015", "cache.l2.size", "256K"},
    {"2015", "cache.l2.ways", "4"},
    {"2015", "cache.l3.size", "2M"},
    {"2015", "cache.l3.ways", "16"},
    {"2015", "memory.l2_hit_time", "2ns"},
    {"2015", "memory.l3_hit_time", "10ns"},
    {"2015", "memory.miss_time", "50ns"},
    {"2015", "mxs.window", "224"},
    {"2015", "mxs.load_store_queue", "128"},
    {"2015", "mxs.latency.load", "4"},
    {"2015-mp8", "machine.cpus", "8"},
    {"2015-mp8", "cache.l3.size", "16M"},
    {"2015-mp8", "cache.l3.shared", "all"},
    {"2015-mp8", "memory.l3_upgrade_time", "15ns"},
    {"2015-mp8", "memory.l3_intervention_time", "18ns"},
    /* AnandTech, "Testing Intel Ice Lake 10nm"; all else is 2015-mp8's */
    {"2019-mp8", "machine.cpus", "8"},
    {"2019-mp8", "cache.protocol", "mesi"},
    {"2019-mp8", "cache.l1i.size", "32K"},
    {"2019-mp8", "cache.l1i.ways", "8"},
    {"2019-mp8", "cache.l1d.size", "48K"},
    {"2019-mp8", "cache.l1d.ways", "12"},
    {"2019-mp8", "cache.l2.size", "512K"},
    {"2019-mp8", "cache.l2.ways", "8"},
    {"2019-mp8", "cache.l3.size", "16M"},
    {"2019-mp8", "cache.l3.ways", "16"},
    {"2019-mp8", "cache.l3.shared", "all"},
    {"2019-mp8", "cache.l3.banks", "16"},
    /* what OpenWrt's kernel prints on an MT7621; the times are ours */
    {"mt7621", "machine.cpus", "2"},
    {"mt7621", "cpu.clock", "880MHz"},
    {"mt7621", "cpu.tlb_entries", "32"},
    {"mt7621", "cache.l1i.size", "32K"},
    {"mt7621", "cache.l1i.ways", "4"},
    {"mt7621", "cache.l1i.line", "32"},
    {"mt7621", "cache.l1d.size", "32K"},
    {"mt7621", "cache.l1d.ways", "4"},
    {"mt7621", "cache.l1d.line", "32"},
    {"mt7621", "cache.l2.size", "256K"},
    {"mt7621", "cache.l2.ways", "8"},
    {"mt7621", "cache.l2.line", "32"},
    {"mt7621", "cache.l2.shared", "all"},
    /* the guest's Config1; the interAptiv's manual for the second level's ways and lines */
    {"interaptiv-4", "machine.cpus", "4"},
    {"interaptiv-4", "cache.l1i.size", "32K"},
    {"interaptiv-4", "cache.l1i.ways", "4"},
    {"interaptiv-4", "cache.l1d.size", "32K"},
    {"interaptiv-4", "cache.l1d.ways", "4"},
    {"interaptiv-4", "cache.l2.ways", "8"},
    {"interaptiv-4", "cache.l2.line", "32"},
    {"interaptiv-4", "cache.l2.shared", "all"},
    {"1994-mp8", "cpu.model", "mipsy"},
    {"1994-mp8", "cpu.clock", "200MHz"},
    {"1994-mp8", "machine.cpus", "8"},
    {"1994-mp8", "machine.memory", "128M"},
    {"1994-mp8", "cache.l1i.size", "16K"},
    {"1994-mp8", "cache.l1d.size", "16K"},
    {"1994-mp8", "cache.l2.size", "1M"},
    {"1994-mp8", "cache.l2.line", "128"},
    {"1994-mp8", "cache.l2.ways", "1"},
    {"1994-mp8", "memory.l2_hit_time", "50ns"},
    {"1994-mp8", "cache.protocol", "invalidate"},
    {"1994-mp8", "memory.miss_time", "500ns"},
    /* Monster section 4.2: 16 MHz, write-through, 4 entries, a word in 5 cycles; part II section 4.1: 64K, direct
       mapped, physically addressed. Lines: Digital Technical Journal */
    {"decstation-3100", "machine.board", "kn01"},
    {"decstation-3100", "cpu.architecture", "r3000"},
    {"decstation-3100", "cpu.tlb_entries", "64"},
    {"decstation-3100", "machine.memory", "24M"},
    {"decstation-3100", "machine.cpus", "1"},
    {"decstation-3100", "cpu.clock", "16MHz"},
    {"decstation-3100", "cache.model", "one-level"},
    {"decstation-3100", "cache.l1.split", "on"},
    {"decstation-3100", "cache.l1i.size", "64K"},
    {"decstation-3100", "cache.l1i.line", "4"},
    {"decstation-3100", "cache.l1i.ways", "1"},
    {"decstation-3100", "cache.l1i.index", "physical"},
    {"decstation-3100", "cache.l1d.size", "64K"},
    {"decstation-3100", "cache.l1d.line", "4"},
    {"decstation-3100", "cache.l1d.ways", "1"},
    {"decstation-3100", "cache.l1d.index", "physical"},
    {"decstation-3100", "cache.l1d.write", "through"},
    {"decstation-3100", "cache.l1d.write_allocate", "validate"},
    {"decstation-3100", "cache.l1d.write_buffer.depth", "4"},
    {"decstation-3100", "cache.l1d.write_buffer.width", "4"},
    {"decstation-3100", "cache.l1d.write_buffer.retire", "5"},
    /* Kane and Heinrich 1992: the R2010; multiplication and division */
    {"decstation-3100", "mipsy.latency.fp_add", "2"},
    {"decstation-3100", "mipsy.latency.fp_multiply", "5"},
    {"decstation-3100", "mipsy.latency.fp_divide_single", "12"},
    {"decstation-3100", "mipsy.latency.fp_divide_double", "19"},
    {"decstation-3100", "mipsy.latency.multiply", "12"},
    {"decstation-3100", "mipsy.latency.divide", "35"},
    /* Chen and Bershad, SOSP'93: 25 MHz, 64K each, direct-mapped, write-through; Anderson and others, ASPLOS'91: 6
       entries, of which one goes in a cycle. Lines and the time of a miss are ours */
    {"decstation-5000-200", "machine.board", "kn02"},
    {"decstation-5000-200", "cpu.architecture", "r3000"},
    {"decstation-5000-200", "cpu.tlb_entries", "64"},
    {"decstation-5000-200", "machine.cpus", "1"},
    {"decstation-5000-200", "cpu.clock", "25MHz"},
    {"decstation-5000-200", "cache.model", "one-level"},
    {"decstation-5000-200", "cache.l1i.size", "64K"},
    {"decstation-5000-200", "cache.l1i.ways", "1"},
    {"decstation-5000-200", "cache.l1d.size", "64K"},
    {"decstation-5000-200", "cache.l1d.ways", "1"},
    {"decstation-5000-200", "cache.l1d.write", "through"},
    {"decstation-5000-200", "cache.l1d.write_buffer.depth", "6"},
    {"decstation-5000-200", "cache.l1d.write_buffer.retire", "1"},
    /* 1994 with the architecture of SOSP'95 section 3.1 */
    {"1994-r3000", "machine.board", "kn02"},
    {"1994-r3000", "cpu.architecture", "r3000"},
    {"1994-r3000", "cpu.tlb_entries", "64"},
    {"1994-r3000", "cpu.clock", "200MHz"},
    {"1994-r3000", "machine.memory", "128M"},
    {"1994-r3000", "cache.l2.size", "1M"},
    {"1994-r3000", "memory.miss_time", "500ns"},
    /* 1998 with it */
    {"1998-r3000", "machine.board", "kn02"},
    {"1998-r3000", "cpu.architecture", "r3000"},
    {"1998-r3000", "cpu.tlb_entries", "64"},
    {"1998-r3000", "cpu.model", "mxs"},
    {"1998-r3000", "cpu.clock", "500MHz"},
    {"1998-r3000", "machine.memory", "128M"},
    {"1998-r3000", "cache.l2.size", "4M"},
    {"1998-r3000", "memory.miss_time", "250ns"},
    /* Inouye, Walpole, Zhang table 2 and sections 2.3 and 4 */
    {"hp-720", "machine.cpus", "1"},
    {"hp-720", "cpu.clock", "50MHz"},
    {"hp-720", "cache.model", "one-level"},
    {"hp-720", "cache.l1.split", "on"},
    {"hp-720", "cache.l1i.size", "128K"},
    {"hp-720", "cache.l1i.line", "32"},
    {"hp-720", "cache.l1i.ways", "1"},
    {"hp-720", "cache.l1i.index", "virtual"},
    {"hp-720", "cache.l1i.hash", "space"},
    {"hp-720", "cache.l1d.size", "256K"},
    {"hp-720", "cache.l1d.line", "32"},
    {"hp-720", "cache.l1d.ways", "1"},
    {"hp-720", "cache.l1d.index", "virtual"},
    {"hp-720", "cache.l1d.hash", "space"},
    {"hp-720", "cache.l1d.write", "back"},
    {"hp-720", "mipsy.repeat.store", "3"},
    {"hp-720", "mipsy.repeat.load", "1"},
    {"hp-720", "mipsy.taken_delay", "0"},
    {"hp-720", "cache.l1d.write_back_time", "137ns"},
    {"hp-720", "cache.l1d.write_buffer.depth", "0"},
    /* the same */
    {"hp-755", "machine.cpus", "1"},
    {"hp-755", "cpu.clock", "99MHz"},
    {"hp-755", "cache.model", "one-level"},
    {"hp-755", "cache.l1.split", "on"},
    {"hp-755", "cache.l1i.size", "256K"},
    {"hp-755", "cache.l1i.line", "32"},
    {"hp-755", "cache.l1i.ways", "1"},
    {"hp-755", "cache.l1i.index", "virtual"},
    {"hp-755", "cache.l1i.hash", "space"},
    {"hp-755", "cache.l1d.size", "256K"},
    {"hp-755", "cache.l1d.line", "32"},
    {"hp-755", "cache.l1d.ways", "1"},
    {"hp-755", "cache.l1d.index", "virtual"},
    {"hp-755", "cache.l1d.hash", "space"},
    {"hp-755", "cache.l1d.write", "back"},
    {"hp-755", "mipsy.repeat.store", "2"},
    {"hp-755", "mipsy.taken_delay", "1"},
    {"hp-755", "cache.l1d.write_back_time", "0ns"},
    {"hp-755", "cache.l1d.write_buffer.depth", "1"},
    {"hp-755", "cache.l1d.write_buffer.retire", "21"},
    {"hp-755", "cache.l1d.write_buffer.reads", "drain"},
    {"hp-755", "cache.l1d.write_buffer.victims", "after_fill"},
    /* the same */
    {"hp-712", "machine.cpus", "1"},
    {"hp-712", "cpu.clock", "80MHz"},
    {"hp-712", "cache.model", "one-level"},
    {"hp-712", "cache.l1.split", "off"},
    {"hp-712", "cache.l1d.size", "256K"},
    {"hp-712", "cache.l1d.line", "32"},
    {"hp-712", "cache.l1d.ways", "1"},
    {"hp-712", "cache.l1d.index", "virtual"},
    {"hp-712", "cache.l1d.hash", "space"},
    {"hp-712", "cache.l1d.write", "back"},
    {"hp-712", "mipsy.repeat.store", "2"},
    {"hp-712", "mipsy.taken_delay", "0"},
    {"hp-712", "cache.l1d.write_back_time", "0ns"},
    {"hp-712", "cache.l1d.write_buffer.depth", "1"},
    {"hp-712", "cache.l1d.write_buffer.retire", "27"},
    {"hp-712", "cache.l1d.write_buffer.reads", "drain"},
    {"hp-712", "cache.l1d.write_buffer.victims", "after_fill"},
    /* Schaelicke, Davis, McKee table 1 */
    {"origin-200", "machine.cpus", "4"},
    {"origin-200", "machine.memory", "1G"},
    {"origin-200", "cpu.clock", "225MHz"},
    {"origin-200", "cpu.tlb_entries", "64"},
    /* section 3.1; MIPS R10000 Microprocessor User's Manual sections 1.3, 1.4, A.12 */
    {"origin-200", "cpu.model", "mxs"},
    {"origin-200", "mxs.fetch_width", "4"},
    {"origin-200", "mxs.issue_width", "5"},
    {"origin-200", "mxs.graduate_width", "4"},
    {"origin-200", "mxs.window", "32"},
    {"origin-200", "mxs.load_store_queue", "16"},
    {"origin-200", "mxs.branches", "4"},
    {"origin-200", "mxs.predictor", "512"},
    {"origin-200", "mxs.return_stack", "1"},
    {"origin-200", "mxs.indirect_targets", "0"},
    {"origin-200", "mxs.units.integer", "2"},
    {"origin-200", "mxs.units.shift", "1"},
    {"origin-200", "mxs.units.multiply", "1"},
    {"origin-200", "mxs.units.memory", "1"},
    {"origin-200", "mxs.units.fp_add", "1"},
    {"origin-200", "mxs.units.fp_multiply", "1"},
    {"origin-200", "mxs.units.fp_divide", "1"},
    {"origin-200", "cache.l1i.outstanding", "4"},
    {"origin-200", "cache.l1d.outstanding", "4"},
    {"origin-200", "cache.l2.outstanding", "4"},
    {"origin-200", "cache.model", "two-level"},
    {"origin-200", "cache.l2.split", "off"},
    {"origin-200", "cache.l1i.size", "32K"},
    {"origin-200", "cache.l1i.line", "64"},
    {"origin-200", "cache.l1i.ways", "2"},
    {"origin-200", "cache.l1i.index", "virtual"},
    {"origin-200", "cache.l1d.size", "32K"},
    {"origin-200", "cache.l1d.line", "32"},
    {"origin-200", "cache.l1d.ways", "2"},
    {"origin-200", "cache.l1d.index", "virtual"},
    {"origin-200", "cache.l1d.write", "back"},
    {"origin-200", "cache.l2.size", "2M"},
    {"origin-200", "cache.l2.line", "128"},
    {"origin-200", "cache.l2.ways", "2"},
    /* OpenWrt's boot log and device tree of the RTL9303; the TLB and the time of a miss are ours */
    {"router-34k", "machine.cpus", "1"},
    {"router-34k", "cpu.clock", "800MHz"},
    {"router-34k", "cpu.tlb_entries", "16"},
    {"router-34k", "cache.model", "one-level"},
    {"router-34k", "cache.l1.split", "on"},
    {"router-34k", "cache.l1i.size", "32K"},
    {"router-34k", "cache.l1i.line", "32"},
    {"router-34k", "cache.l1i.ways", "4"},
    {"router-34k", "cache.l1d.size", "32K"},
    {"router-34k", "cache.l1d.line", "32"},
    {"router-34k", "cache.l1d.ways", "4"},
    {"router-34k", "cache.l1d.index", "physical"},
    {"router-34k", "cache.l1d.write", "back"},
    /* 7-cpu.com/cpu/Mips74K.html; the window and the misses at a time: the 74K's manual */
    {"ar9344", "machine.cpus", "1"},
    {"ar9344", "machine.memory", "128M"},
    {"ar9344", "cpu.model", "mxs"},
    {"ar9344", "cpu.clock", "560MHz"},
    {"ar9344", "cpu.tlb_entries", "32"},
    {"ar9344", "cache.model", "one-level"},
    {"ar9344", "cache.l1.split", "on"},
    {"ar9344", "cache.l1d.size", "32K"},
    {"ar9344", "cache.l1d.line", "32"},
    {"ar9344", "cache.l1d.ways", "4"},
    {"ar9344", "cache.l1d.index", "virtual"},
    {"ar9344", "memory.miss_time", "155ns"},
    {"ar9344", "mxs.latency.load", "4"},
    {"ar9344", "mxs.issue_width", "2"},
    {"ar9344", "mxs.window", "32"},
    /* Heinrich, MIPS R4000 User's Manual, chapters 3, 4, 6, 11; lmbench's row IP22 */
    {"indigo2-r4400", "machine.cpus", "1"},
    {"indigo2-r4400", "cpu.clock", "200MHz"},
    {"indigo2-r4400", "cpu.tlb_entries", "48"},
    {"indigo2-r4400", "cpu.model", "mipsy"},
    {"indigo2-r4400", "cache.model", "two-level"},
    {"indigo2-r4400", "cache.l1i.size", "16K"},
    {"indigo2-r4400", "cache.l1i.line", "16"},
    {"indigo2-r4400", "cache.l1i.ways", "1"},
    {"indigo2-r4400", "cache.l1i.index", "virtual"},
    {"indigo2-r4400", "cache.l1d.size", "16K"},
    {"indigo2-r4400", "cache.l1d.line", "16"},
    {"indigo2-r4400", "cache.l1d.ways", "1"},
    {"indigo2-r4400", "cache.l1d.index", "virtual"},
    {"indigo2-r4400", "cache.l1d.write", "back"},
    {"indigo2-r4400", "cache.l2.size", "1M"},
    {"indigo2-r4400", "cache.l2.line", "128"},
    {"indigo2-r4400", "cache.l2.ways", "1"},
    {"indigo2-r4400", "mipsy.latency.load", "3"},
    {"indigo2-r4400", "mipsy.latency.multiply", "10"},
    {"indigo2-r4400", "mipsy.latency.divide", "69"},
    {"indigo2-r4400", "mipsy.taken_delay", "2"},
    {"indigo2-r4400", "memory.l2_hit_time", "75ns"},
    {"indigo2-r4400", "memory.miss_time", "943ns"},
    /* lmbench's row IP19 */
    {"challenge-r4400", "machine.cpus", "1"},
    {"challenge-r4400", "cpu.clock", "200MHz"},
    {"challenge-r4400", "cpu.tlb_entries", "48"},
    {"challenge-r4400", "cpu.model", "mipsy"},
    {"challenge-r4400", "cache.model", "two-level"},
    {"challenge-r4400", "cache.l1i.size", "16K"},
    {"challenge-r4400", "cache.l1i.line", "16"},
    {"challenge-r4400", "cache.l1i.ways", "1"},
    {"challenge-r4400", "cache.l1i.index", "virtual"},
    {"challenge-r4400", "cache.l1d.size", "16K"},
    {"challenge-r4400", "cache.l1d.line", "16"},
    {"challenge-r4400", "cache.l1d.ways", "1"},
    {"challenge-r4400", "cache.l1d.index", "virtual"},
    {"challenge-r4400", "cache.l1d.write", "back"},
    {"challenge-r4400", "cache.l2.size", "1M"},
    {"challenge-r4400", "cache.l2.line", "128"},
    {"challenge-r4400", "cache.l2.ways", "1"},
    {"challenge-r4400", "mipsy.latency.load", "3"},
    {"challenge-r4400", "mipsy.latency.multiply", "10"},
    {"challenge-r4400", "mipsy.latency.divide", "69"},
    {"challenge-r4400", "mipsy.taken_delay", "2"},
    {"challenge-r4400", "memory.l2_hit_time", "75ns"},
    {"challenge-r4400", "memory.miss_time", "1058ns"},
    /* Schaelicke, Davis, McKee table 1; the 16-byte blocks of L1-D: section 3.2 */
    {"ultra-1", "machine.cpus", "1"},
    {"ultra-1", "machine.memory", "256M"},
    {"ultra-1", "cpu.clock", "143MHz"},
    {"ultra-1", "cache.model", "two-level"},
    {"ultra-1", "cache.l2.split", "off"},
    {"ultra-1", "cache.l1i.size", "16K"},
    {"ultra-1", "cache.l1i.line", "32"},
    {"ultra-1", "cache.l1i.ways", "2"},
    {"ultra-1", "cache.l1i.index", "virtual"},
    {"ultra-1", "cache.l1d.size", "16K"},
    {"ultra-1", "cache.l1d.line", "16"},
    {"ultra-1", "cache.l1d.ways", "1"},
    {"ultra-1", "cache.l1d.index", "virtual"},
    {"ultra-1", "cache.l1d.write", "through"},
    {"ultra-1", "cache.l2.size", "512K"},
    {"ultra-1", "cache.l2.line", "64"},
    {"ultra-1", "cache.l2.ways", "1"},
    /* Xia and Torrellas section 2.3 */
    {"xia-torrellas", "machine.cpus", "4"},
    {"xia-torrellas", "cpu.clock", "500MHz"},
    {"xia-torrellas", "cache.model", "three-level"},
    {"xia-torrellas", "cache.protocol", "mesi"},
    {"xia-torrellas", "cache.l1i.size", "8K"},
    {"xia-torrellas", "cache.l1i.line", "32"},
    {"xia-torrellas", "cache.l1i.ways", "1"},
    {"xia-torrellas", "cache.l1d.size", "8K"},
    {"xia-torrellas", "cache.l1d.line", "32"},
    {"xia-torrellas", "cache.l1d.ways", "1"},
    {"xia-torrellas", "cache.l1d.write", "through"},
    {"xia-torrellas", "cache.l2.size", "128K"},
    {"xia-torrellas", "cache.l2.line", "32"},
    {"xia-torrellas", "cache.l2.ways", "4"},
    {"xia-torrellas", "cache.l2.write", "back"},
    {"xia-torrellas", "cache.l3.size", "2M"},
    {"xia-torrellas", "cache.l3.line", "32"},
    {"xia-torrellas", "cache.l3.ways", "1"},
    {"xia-torrellas", "cache.l3.write", "back"},
    {"xia-torrellas", "cache.l1d.write_buffer.depth", "8"},
    {"xia-torrellas", "cache.l1d.write_buffer.width", "32"},
    {"xia-torrellas", "cache.l1d.write_buffer.merge", "on"},
    {"xia-torrellas", "cache.l1d.write_buffer.reads", "forward"},
    {"xia-torrellas", "cache.l2.write_buffer.depth", "8"},
    {"xia-torrellas", "cache.l2.write_buffer.width", "32"},
    {"xia-torrellas", "cache.l2.write_buffer.merge", "on"},
    {"xia-torrellas", "cache.l2.write_buffer.reads", "forward"},
    {"xia-torrellas", "cache.l3.write_buffer.depth", "8"},
    {"xia-torrellas", "cache.l3.write_buffer.width", "32"},
    {"xia-torrellas", "cache.l3.write_buffer.merge", "on"},
    {"xia-torrellas", "cache.l3.write_buffer.reads", "forward"},
    {"xia-torrellas", "memory.contention", "on"},
    {"xia-torrellas", "bus.model", "split"},
    {"xia-torrellas", "bus.clock", "100MHz"},
    {"xia-torrellas", "bus.width", "8"},
    {"xia-torrellas", "dram.latency", "60ns"},
    {"xia-torrellas", "dram.banks", "1"},
    {"xia-torrellas-4x", "machine.cpus", "4"},
    {"xia-torrellas-4x", "cpu.clock", "2GHz"},
    {"xia-torrellas-4x", "cache.model", "three-level"},
    {"xia-torrellas-4x", "cache.protocol", "mesi"},
    {"xia-torrellas-4x", "cache.l1i.size", "8K"},
    {"xia-torrellas-4x", "cache.l1i.line", "32"},
    {"xia-torrellas-4x", "cache.l1i.ways", "1"},
    {"xia-torrellas-4x", "cache.l1d.size", "8K"},
    {"xia-torrellas-4x", "cache.l1d.line", "32"},
    {"xia-torrellas-4x", "cache.l1d.ways", "1"},
    {"xia-torrellas-4x", "cache.l1d.write", "through"},
    {"xia-torrellas-4x", "cache.l2.size", "128K"},
    {"xia-torrellas-4x", "cache.l2.line", "32"},
    {"xia-torrellas-4x", "cache.l2.ways", "4"},
    {"xia-torrellas-4x", "cache.l2.write", "back"},
    {"xia-torrellas-4x", "cache.l3.size", "2M"},
    {"xia-torrellas-4x", "cache.l3.line", "32"},
    {"xia-torrellas-4x", "cache.l3.ways", "1"},
    {"xia-torrellas-4x", "cache.l3.write", "back"},
    {"xia-torrellas-4x", "cache.l1d.write_buffer.depth", "8"},
    {"xia-torrellas-4x", "cache.l1d.write_buffer.width", "32"},
    {"xia-torrellas-4x", "cache.l1d.write_buffer.merge", "on"},
    {"xia-torrellas-4x", "cache.l1d.write_buffer.reads", "forward"},
    {"xia-torrellas-4x", "cache.l2.write_buffer.depth", "8"},
    {"xia-torrellas-4x", "cache.l2.write_buffer.width", "32"},
    {"xia-torrellas-4x", "cache.l2.write_buffer.merge", "on"},
    {"xia-torrellas-4x", "cache.l2.write_buffer.reads", "forward"},
    {"xia-torrellas-4x", "cache.l3.write_buffer.depth", "8"},
    {"xia-torrellas-4x", "cache.l3.write_buffer.width", "32"},
    {"xia-torrellas-4x", "cache.l3.write_buffer.merge", "on"},
    {"xia-torrellas-4x", "cache.l3.write_buffer.reads", "forward"},
    {"xia-torrellas-4x", "memory.contention", "on"},
    {"xia-torrellas-4x", "bus.model", "split"},
    {"xia-torrellas-4x", "bus.clock", "100MHz"},
    {"xia-torrellas-4x", "bus.width", "8"},
    {"xia-torrellas-4x", "dram.latency", "60ns"},
    {"xia-torrellas-4x", "dram.banks", "1"},
    /* DASH: Lenoski et al. 1992, Mowry 1994 */
    {"dash-cluster", "machine.cpus", "4"},
    {"dash-cluster", "cpu.clock", "33MHz"},
    {"dash-cluster", "cache.model", "two-level"},
    {"dash-cluster", "cache.protocol", "mesi"},
    {"dash-cluster", "cache.l1i.size", "64K"},
    {"dash-cluster", "cache.l1i.line", "16"},
    {"dash-cluster", "cache.l1i.ways", "1"},
    {"dash-cluster", "cache.l1d.size", "64K"},
    {"dash-cluster", "cache.l1d.line", "16"},
    {"dash-cluster", "cache.l1d.ways", "1"},
    {"dash-cluster", "cache.l1d.write", "through"},
    {"dash-cluster", "cache.l2.size", "256K"},
    {"dash-cluster", "cache.l2.line", "16"},
    {"dash-cluster", "cache.l2.ways", "1"},
    {"dash-cluster", "cache.l2.write", "back"},
    /* DASH with four clusters, the Origin 2000: Laudon and Lenoski 1997 */
    {"dash-4x4", "machine.cpus", "16"},
    {"dash-4x4", "memory.nodes", "4"},
    {"origin-2000", "machine.cpus", "4"},
    {"origin-2000", "memory.nodes", "2"},
    {"origin-2000", "cache.l1i.size", "32K"},
    {"origin-2000", "cache.l1d.size", "32K"},
    {"origin-2000", "memory.miss_time", "310ns"},
    {"origin-2000", "memory.remote_time", "540ns"},
};
enum { FIGURE_COUNT = sizeof figures / sizeof figures[0] };

/* Latencies in cycles: as in the papers, or derived from their measurements (the descriptions say how). */
static const struct {
    const char *machine, *name;
    uint64_t cycles;
} stalls[] = {
    {"1994", "memory.l2_hit_time", 10},
    {"1994", "memory.miss_time", 100},
    {"1996", "memory.miss_time", 60},
    {"1998", "memory.l2_hit_time", 15}, /* section 4.4.1: "60 instructions" at 4 a cycle */
    {"1998", "memory.miss_time", 125},  /* section 4.4.2: "500 instructions" at 4 a cycle */
    {"decstation-3100", "memory.miss_time", 5},
    {"decstation-5000-200", "memory.miss_time", 15},
    {"hp-720", "memory.miss_time", 20},
    {"hp-755", "memory.miss_time", 37},
    {"hp-712", "memory.miss_time", 23},
    {"router-34k", "memory.miss_time", 80},
    {"ultra-1", "memory.l2_hit_time", 7},
    /* 6, 34 and 108 cycles from the request on, one of which is the instruction's */
    {"xia-torrellas", "memory.l2_hit_time", 5},
    {"xia-torrellas", "memory.l3_hit_time", 33},
    {"xia-torrellas", "memory.miss_time", 107},
    {"xia-torrellas", "dram.latency", 30},
    /* the same times, 10, 66, 214 and 60 ns, of a cycle of a quarter ("the absolute latencies unchanged") */
    {"xia-torrellas-4x", "memory.l2_hit_time", 20},
    {"xia-torrellas-4x", "memory.l3_hit_time", 132},
    {"xia-torrellas-4x", "memory.miss_time", 428},
    {"xia-torrellas-4x", "dram.latency", 120},
    {"dash-cluster", "memory.l2_hit_time", 14},
    {"dash-cluster", "memory.miss_time", 29},
    /* 30, 100 and 135 cycles from the request on */
    {"dash-4x4", "memory.miss_time", 29},
    {"dash-4x4", "memory.remote_time", 99},
    {"dash-4x4", "memory.remote_intervention_time", 134},
};

static const char *value_of(const struct machine_options *options, const char *name)
{
    static char value[64];
    assert_true(params_text(options->params, name, value, sizeof value));
    return value;
}

static void built_in_machines_are_what_the_papers_say(void **state)
{
    (void)state;
    for (const struct machine_text *machine = machine_texts; machine->name; machine++) {
        struct machine_options options;
        struct err err = {""};
        int count = 0;
        machine_options_init(&options);
        assert_true(params_set(options.params, "cache.l2.size", "64K", &err)); /* an earlier setting: has no effect */
        if (!machine_options_describe(&options, machine->name, &err))
            fail_msg("%s", err.text);
        assert_string_equal(options.machine_name, machine->name);
        for (int i = 0; i < FIGURE_COUNT; i++)
            if (strcmp(figures[i].machine, machine->name) == 0) {
                const char *value = value_of(&options, figures[i].name);
                count++;
                if (strcmp(value, figures[i].value) != 0)
                    fail_msg("machine %s: %s is %s, not %s", machine->name, figures[i].name, value, figures[i].value);
            }
        if (count == 0)
            fail_msg("tests/unit/test_machine_file.c has no figures of machine %s", machine->name);
        machine_options_release(&options);
    }
    for (int i = 0; i < FIGURE_COUNT; i++)
        if (!machine_text_find(figures[i].machine, NULL))
            fail_msg("no machine %s", figures[i].machine);
}

static void times_are_the_papers_cycles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
        struct machine_options options;
        struct err err = {""};
        machine_options_init(&options);
        assert_true(machine_options_describe(&options, stalls[i].machine, &err));
        uint64_t ns = params_u64(options.params, stalls[i].name), hz = params_u64(options.params, "cpu.clock");
        uint64_t cycles = (ns * hz + 999999999) / 1000000000; /* rounded up: cache/memsys.h */
        if (cycles != stalls[i].cycles)
            fail_msg("machine %s: %s is %d cycles", stalls[i].machine, stalls[i].name, (int)cycles);
        machine_options_release(&options);
    }
}

static void built_in_machines_can_be_built(void **state)
{
    (void)state;
    for (const struct machine_text *text = machine_texts; text->name; text++) {
        struct machine_options options;
        struct err err = {""};
        machine_options_init(&options);
        assert_true(machine_options_describe(&options, text->name, &err));
        struct machine *machine = machine_create(&options, NULL, NULL, &err);
        if (!machine)
            fail_msg("%s", err.text);
#ifndef SHAPES_FEW
        for (enum memsys_access access = MEMSYS_FETCH; access <= MEMSYS_WRITE; access++)
            if (!memsys_shape(machine->memsys, access))
                fail_msg("%s: accesses of kind %d have no shape (cache/hierarchy/shapes.c)", text->name, access);
#endif
        machine_free(machine);
        machine_options_release(&options);
    }
}

static void the_table_is_sorted_and_says_what_its_machines_are(void **state)
{
    (void)state;
    char *text = NULL;
    char names[1024];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    machine_file_list(out);
    fclose(out);
    machine_file_names(names, sizeof names);
    for (const struct machine_text *machine = machine_texts; machine->name; machine++) {
        if (machine > machine_texts)
            assert_true(strcmp(machine[-1].name, machine->name) < 0);
        assert_memory_equal(machine->text, "# ", 2);
        assert_non_null(strstr(names, machine->name));
        assert_non_null(strstr(text, machine->name));
    }
    assert_int_equal(strlen(names) < sizeof names - 1, true);
    free(text);
}

/* Each GROUP.KEY and GROUP.MEMBER.KEY. */
static void groups_of_parameters_are_commands(void **state)
{
    (void)state;
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(machine_file_apply_text(options.params, "test",
                                        "cpu -clock 100MHz\ncache l1d -size 8K -line 32 -ways 4\n"
                                        "memory -miss_time 1us -l2_hit_time 20ns",
                                        &err));
    assert_string_equal(value_of(&options, "cpu.clock"), "100MHz");
    assert_string_equal(value_of(&options, "cache.l1d.size"), "8K");
    assert_string_equal(value_of(&options, "cache.l1d.line"), "32");
    assert_string_equal(value_of(&options, "cache.l1d.ways"), "4");
    assert_string_equal(value_of(&options, "cache.l1i.size"), "16K");
    assert_string_equal(value_of(&options, "memory.miss_time"), "1us");
    assert_string_equal(value_of(&options, "memory.l2_hit_time"), "20ns");
    machine_options_release(&options);
}

/* A description covers the whole machine: nothing of an earlier description remains. */
static void what_is_not_described_is_as_in_1994(void **state)
{
    (void)state;
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(params_set(options.params, "guest.kernel", "k", &err));
    assert_true(params_set(options.params, "machine.quantum", "7", &err));
    assert_true(params_set(options.params, "cache.check_interval", "1000", &err));
    assert_true(machine_options_describe(&options, "1998", &err));
    assert_true(machine_file_apply_text(options.params, "test", "cache l2 -ways 4", &err));
    assert_string_equal(value_of(&options, "cache.l2.size"), "1M");
    assert_string_equal(value_of(&options, "cache.l2.ways"), "4");
    assert_string_equal(value_of(&options, "cpu.clock"), "200MHz");
    assert_string_equal(value_of(&options, "cpu.model"), "mipsy");
    assert_string_equal(value_of(&options, "guest.kernel"), "k"); /* not part of the machine */
    assert_string_equal(value_of(&options, "machine.quantum"), "7");
    assert_string_equal(value_of(&options, "cache.check_interval"), "1000");
    assert_true(machine_file_apply_text(options.params, "test", "cache l2 -ways 4\nlike 1998", &err));
    assert_string_equal(value_of(&options, "cache.l2.ways"), "2");
    assert_true(machine_file_apply_text(options.params, "test", "like 1998\ncache l2 -ways 4", &err));
    assert_string_equal(value_of(&options, "cache.l2.ways"), "4");
    assert_string_equal(value_of(&options, "cache.l2.size"), "4M");
    machine_options_release(&options);
}

static void a_description_may_compute(void **state)
{
    (void)state;
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(machine_file_apply_text(options.params, "test",
                                        "foreach c {l1i l1d} { param cache.$c.size [expr {8 * 1024}] }\n", &err));
    assert_int_equal(params_u64(options.params, "cache.l1d.size"), 8192);
    assert_int_equal(params_u64(options.params, "cache.l1i.size"), 8192);
    machine_options_release(&options);
}

static void a_bad_description_changes_nothing_and_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"set cache.l2.size 2M",
         "`set cache.l2.size` sets a variable, not a parameter: `param cache.l2.size VALUE` does"},
        {"param cache.l2.size 2M\nparam cache.l2.sise 2M", "line 2: unknown parameter"},
        {"param cache.l2.size 2M\n\nparam cache.l1d.ways 0", "line 3: cache.l1d.ways"},
        {"param cache.l2.size 2M\nparam a", "line 2"},
        {"cache l2 -size 2M\ncache l2 -sise 2M",
         "line 2: unknown parameter \"cache.l2.sise\"; did you mean \"cache.l2.size\""},
        {"cache l2 -size 2M\ncache l9 -size 2M", "line 2: unknown parameter \"cache.l9.size\""},
        {"cache l2 -size 2M\n\ncache l1d -ways 0", "line 3: cache.l1d.ways"},
        {"cache l2 -size 2M\ncache l1d", "line 2: wrong # args"},
        {"cache l2 -size 2M\ncache l1d -size", "line 2: cache: -size has no value"},
        {"cache l2 -size 2M\ncache l1d -size 8K 16", "line 2: cache: \"16\" where -KEY is expected"},
        {"cache l2 -size 2M\nlike 1993", "line 2: no built-in machine is called \"1993\"; there are: 1994"},
        {"cache l2 -size 2M\nlike", "line 2"},
        {"param cache.l2.size 2M\nset x {", "missing close-brace"},
        {"param cache.l2.size 2M\nwhile 1 {}", "machine bad.tcl: takes more than"},
        {"param cache.l2.size 2M\nexec true", "line 2"},
        {"param cache.l2.size 2M\nopen /etc/passwd", "line 2"},
        {"param cache.l2.size 2M\nexit 3", "line 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct machine_options options;
        struct err err = {""};
        machine_options_init(&options);
        assert_false(machine_file_apply_text(options.params, "bad.tcl", bad[i].text, &err));
        const bool has_line = strstr(err.text, "machine bad.tcl, line ") != NULL,
                   limit = strstr(bad[i].says, "takes more") || strstr(bad[i].says, "sets a variable");
        if (has_line == limit || !strstr(err.text, bad[i].says)) /* these are the whole file's */
            fail_msg("case %zu: %s", i, err.text);
        assert_int_equal(params_u64(options.params, "cache.l2.size"), 1048576);
        machine_options_release(&options);
    }
}

/* Scripts that would crash or exhaust memory run in a process of their own. */
static void a_description_cannot_bring_us_down(void **state)
{
    (void)state;
    static const char *const bad[] = {"eval [string repeat \"\\[\" 500000]", "expr {1<<2000000000}",
                                      "format %2000000000d 1", "while 1 {append a [string repeat x 100000000]}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct machine_options options;
        struct err err = {""};
        machine_options_init(&options);
        assert_false(machine_file_apply_text(options.params, "bad.tcl", bad[i], &err));
        assert_non_null(strstr(err.text, "machine bad.tcl"));
        machine_options_release(&options);
    }
}

/* Settings of a file that access the host have the file as origin; overriding them on the command line removes it. */
static void what_touches_the_host_has_an_origin(void **state)
{
    (void)state;
    struct machine_options options;
    struct err err = {""};
    char label[64];
    FILE *file = fopen("authority.tcl", "w");
    assert_non_null(file);
    fputs("param net.pcap /tmp/none\nparam machine.disk0 a,overlay=b\nparam machine.disk1 image\n", file);
    fclose(file);
    machine_options_init(&options);
    assert_true(machine_file_apply(options.params, "authority.tcl", label, sizeof label, &err));
    assert_false(machine_options_check(&options, &err));
    assert_string_equal(params_value_origin(options.params, "net.pcap"), "machine authority.tcl");
    assert_true(params_set(options.params, "net.pcap", "/tmp/none", &err));
    assert_null(params_value_origin(options.params, "net.pcap"));
    assert_false(machine_options_check(&options, &err));
    assert_non_null(strstr(err.text, "machine.disk0=a,overlay=b writes on this host"));
    assert_true(params_set(options.params, "machine.disk0", "a", &err));
    assert_true(machine_options_check(&options, &err)); /* disk1 is read */
    struct params *copy = params_copy(options.params);
    assert_string_equal(params_value_origin(copy, "machine.disk1"), "machine authority.tcl");
    params_free(copy);
    machine_options_release(&options);
    remove("authority.tcl");
}

static void files_are_read_and_named_after_themselves(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-machine-XXXXXX.tcl";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "param cpu.clock 33MHz\n", 22), 22);
    close(fd);
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(machine_options_describe(&options, path, &err));
    assert_int_equal(params_u64(options.params, "cpu.clock"), 33000000);
    assert_memory_equal(options.machine_name, path + 5, strlen(path) - 9);
    assert_int_equal(strlen(options.machine_name), strlen(path) - 9);
    unlink(path);
    assert_false(machine_options_describe(&options, path, &err));
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "built-in machines: 1994, 1994-mp8, 1994-r3000, 1996, 1996-mp8, 1998"));
    err = (struct err){""};
    assert_false(machine_options_describe(&options, "/", &err));
    err = (struct err){""};
    machine_options_release(&options);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_machines_are_what_the_papers_say),
        cmocka_unit_test(times_are_the_papers_cycles),
        cmocka_unit_test(built_in_machines_can_be_built),
        cmocka_unit_test(the_table_is_sorted_and_says_what_its_machines_are),
        cmocka_unit_test(groups_of_parameters_are_commands),
        cmocka_unit_test(what_is_not_described_is_as_in_1994),
        cmocka_unit_test(a_description_may_compute),
        cmocka_unit_test(a_bad_description_changes_nothing_and_is_named),
        cmocka_unit_test(a_description_cannot_bring_us_down),
        cmocka_unit_test(what_touches_the_host_has_an_origin),
        cmocka_unit_test(files_are_read_and_named_after_themselves),
    };
    if (argc == 3 && strcmp(argv[1], "only") == 0)
        cmocka_set_test_filter(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
