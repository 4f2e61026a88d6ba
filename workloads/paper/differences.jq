# Where this is another system than the paper's, with the figures in which it shows. Input: all that is known
# (statistics.jq).
include "statistics";
include "html";

def item($what; $text): "<li><b>\($what).</b> \($text)</li>\n";
def paper_event($w; $event): first(.paper.events[] | select("\(.table)" == "4.2" and .event == $event) | .[$w]);
def rate($w; $event): services_of($w; "1994").rates[$event];

# "WORKLOAD: OURS (paper: THEIRS)" of each workload; OURS, THEIRS of it.
def beside(ours; theirs): . as $all | with(["1994"]) | map(. as $w | "\(in_text) \($all | [$w, .] | ours) (paper: \($all | [$w, .] | theirs))") | join(", ");
def of_rates($event; $by; $scale): . as [$w, $all] | $all | rate($w; $event) | over($all | rate($w; $by)) | if . then . * $scale else null end | short;
def of_paper($event; $by; $scale): . as [$w, $all] | $all | paper_event($w; $event) | over($all | paper_event($w; $by)) | if . then . * $scale else null end | short;

# Those of the eight CPUs that have other than 128 MB.
def larger: . as $all | with(["mp8"]) | map(. as $w | $all | run_of($w; "mp8").parameters.machine.memory | select(. != "128M") | "\($w | in_text) \(rtrimstr("M")) MB") | join(", ");

def utlb_insns($w): service($w; "1994"; "UTLB") as $s | run_of($w; "1994") as $run | if $s then $s.computation * ($run | clock) / 1e6 / $s.cpi else null end;

def differences: . as $all
  | "<ul>\n"
  + item("Kernel"; "Linux 6.1, not IRIX 5.3. A page fault, a system call and a context switch of Linux execute more instructions, so the kernel has another part of the busy time (1994): "
      + beside(. as [$w, $all] | $all | kernel_share($w; "1994") | percent; . as [$w, $all] | $all | said("kernel_share"; $w) | "\(.) %") + ".")
  + item("TLB refill"; "Linux assembles its handler at boot for page tables of two levels; it executes "
      + (with(["1994"]) | map(. as $w | $all | utlb_insns($w) | select(.) | fixed(0)) | unique | join(" to ")) + " instructions, IRIX's 8. The TLB has 32 entries of two 4 KB pages each (MIPS32), where the R3000's architecture has 64 of one: the same 256 KB. Refills a 1,000 instructions: "
      + beside(of_rates("tlb_refills"; "instructions"; 1000); of_paper("tlb_refills"; "instructions"; 1000))
      + ". The longer handler is what makes UTLB so large a service here.")
  + item("Compiler and programs"; "gcc 12 and PostgreSQL 15 are several times the size of gcc 2 and Sybase 10. Million instructions of the whole (1994): "
      + beside(. as [$w, $all] | $all | run_of($w; "1994") | busy(.insns) / 1e6 | fixed(0); . as [$w, $all] | $all | paper_event($w; "instructions") * paper_event($w; "seconds") / 1e6 | fixed(0))
      + "; seconds of processor time: "
      + beside(. as [$w, $all] | $all | run_of($w; "1994") | busy_seconds | short;
          . as [$w, $all] | $all | paper_event($w; "seconds") * (1 - (said("idle94"; $w) // 0) / 100) | short)
      + ", so that the same disks weigh less. First-level instruction misses a 1,000 instructions: " + beside(of_rates("l1i_misses"; "instructions"; 1000); of_paper("l1i_misses"; "instructions"; 1000))
      + "; second-level misses: " + beside(of_rates("l2_misses"; "instructions"; 1000); of_paper("l2_misses"; "instructions"; 1000)) + ".")
  + item("File system"; "ext4 with a journal and delayed allocation on virtio disks, not EFS, which writes every change of metadata at once: the temporary files of a compilation never reach the disk. Disk I/Os a second (1994): "
      + beside(. as [$w, $all] | $all | rate($w; "disk I/Os") | count; . as [$w, $all] | $all | paper_event($w; "disk I/Os") | count)
      + "; idle: " + beside(. as [$w, $all] | $all | idle_share($w; "1994") | percent; . as [$w, $all] | $all | said("idle94"; $w) | if . then "\(.) %" else "little" end)
      + ". Without that idle time the faster machines have less to wait for. The drive is the paper's HP 97560.")
  + item("Database server"; "PostgreSQL has a process a client, and caches of its own above the kernel's, where Sybase was one process on raw disks. Here the 60 MB of data stay in the file cache, so only the log waits for a disk, and several transactions at a time for one write. Context switches a million instructions: "
      + beside(of_rates("context_switches"; "instructions"; 1e6); of_paper("context_switches"; "instructions"; 1e6))
      + "; system calls: " + beside(of_rates("system_calls"; "instructions"; 1e6); of_paper("system_calls"; "instructions"; 1e6)) + ".")
  + item("Engineering"; "FlashLite and the VCS model of MAGIC cannot be had; Icarus Verilog, which interprets, simulates another processor, beside a memory-system simulator. Their text is smaller, see the misses above.")
  + (larger | if . == "" then "" else item("Main memory"; "128 MB on one CPU, as in the paper. On eight the programs, so much larger, need more, or they would drive each other's pages out and wait for little but the disk: " + . + ".") end)
  + item("Page faults"; "Pages have 4 KB in both. Linux maps up to 16 pages of a file around a fault. Faults a million instructions: "
      + beside(of_rates("vm_faults"; "instructions"; 1e6); of_paper("vm_faults"; "instructions"; 1e6)) + ".")
  + item("Misses by class"; "Cold misses are those since the checkpoint, as in the paper (footnote 1 of section 4.5).")
  + "</ul>\n";
