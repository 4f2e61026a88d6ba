#!/bin/sh
# What dynamically scheduled processors gain (SOSP'95 sections 4.2, 4.3, 4.5): one checkpoint of a workload, restored on
# the machines of 1994, 1996 and 1998, and on the 1994 pipeline with the caches and memory of 1996 and 1998, as figure 4.5
# compares them. From where the checkpoint was taken to the mark `end`, with cold caches.
#
#     tests/bench/trends.sh SIMOS CHECKPOINT FOLDER
#
# FOLDER keeps the statistics, NAME.json; a run whose file is there is not made again. Prints non-idle speed-ups, memory
# stall cycles an instruction of the kernel and how much of them the dynamically scheduled machines hide, and the services
# with most kernel time with their speed-ups (table 4.8).
set -eu
simos=$1 checkpoint=$2 out=$3
mkdir -p "$out"
printf 'library services\nannotation set mark end { exit 0 }\n' >"$out/measure.tcl"

# measure NAME OPTIONS
measure()
{
    name=$1
    shift
    [ -s "$out/$name.json" ] && return
    "$simos" restore "$checkpoint" --quiet --script "$out/measure.tcl" --stats "$out/$name.part" "$@" \
        >"$out/$name.out" 2>"$out/$name.err" </dev/null
    mv "$out/$name.part" "$out/$name.json"
}

measure 1994 --machine 1994
measure 1996-caches --machine 1996 --cpu mipsy
measure 1996 --machine 1996
measure 1998-caches --machine 1998 --cpu mipsy
measure 1998 --machine 1998

# All of a run in one object: seconds and counts of user and kernel, and of services.
for name in 1994 1996-caches 1996 1998-caches 1998; do
    jq --arg name "$name" '
        def sums: reduce .[] as $m ({}; reduce ($m | to_entries[]) as $e (.;
            .[$e.key] += ($e.value | if type == "object" then ([.[]] | add) else . end)));
        (.machine.time / .machine.seconds) as $clock | .cpu0.mode as $mode |
        {name: $name, clock: $clock,
         user: $mode.user, kernel: $mode.kernel,
         services: .annotations.services}' "$out/$name.json"
done | jq -rs '
    def seconds($b): ($b.cycles - $b.wait);
    def fixed($digits): . * pow(10; $digits) | round / pow(10; $digits) | tostring |
        if $digits > 0 then (split(".") | .[0] + "." + ((.[1] // "") + "000")[0:$digits]) else . end;
    def pad($width): (" " * ($width - length)) + .;
    def left($width): . + (" " * ($width - length));
    def column($digits): fixed($digits) | pad(9);
    def row($title; $values; $digits): ($title | left(24)) + ([$values[] | column($digits)] | join(""));
    . as $runs | (map({key: .name, value: .}) | from_entries) as $r |
    def time($run; $modes): [$modes[] as $m | $run[$m] | .cycles - .wait] | add / $run.clock;
    def speedups($modes): [$runs[] | time($r["1994"]; $modes) / time(.; $modes)];
    def mcpi($kind): [$runs[] | .kernel.stall[$kind] / .kernel.insns];
    def service_time($run; $name): ($run.services[$name] // {cycles: 0, wait: 0} | .cycles - .wait) / $run.clock;
    def without_refills($run): time($run; ["user", "kernel"]) - service_time($run; "UTLB"); # the handler of TLB refills
    def per_call($run; $name): ($run.services[$name] | if .calls > 0 then (.cycles - .wait) / .calls / $run.clock else 0 end);
    "Speed-up over 1994, without idle time",
    (("" | left(24)) + ([$runs[].name | sub("-caches"; "+94") | pad(9)] | join(""))),
    row("user"; speedups(["user"]); 2),
    row("kernel"; speedups(["kernel"]); 2),
    row("both"; speedups(["user", "kernel"]); 2),
    row("both, without UTLB"; [$runs[] | without_refills($r["1994"]) / without_refills(.)]; 2),
    "", "Kernel: memory stall cycles an instruction",
    (["l1i", "l2i", "l1d", "l2d"][] as $kind | row($kind; mcpi($kind); 4)),
    row("pipeline stall"; [$runs[] | ([.kernel.pipeline // {} | .[]] | add // 0) / .kernel.insns]; 3),
    row("cycles an instruction"; [$runs[] | (.kernel.cycles - .kernel.wait) / .kernel.insns]; 3),
    "", "Kernel: per cent of the stall of the 1994 pipeline that the dynamic one hides",
    (["l1i", "l2i", "l1d", "l2d"][] as $kind |
        row($kind; [["1996-caches", "1996"], ["1998-caches", "1998"] | map($r[.].kernel | .stall[$kind] / .insns) |
            100 * (1 - .[1] / .[0])]; 0)),
    row("level 1"; [["1996-caches", "1996"], ["1998-caches", "1998"] |
        map($r[.].kernel | (.stall.l1i + .stall.l1d) / .insns) | 100 * (1 - .[1] / .[0])]; 0),
    row("level 2"; [["1996-caches", "1996"], ["1998-caches", "1998"] |
        map($r[.].kernel | (.stall.l2i + .stall.l2d) / .insns) | 100 * (1 - .[1] / .[0])]; 0),
    "", "Services: share of kernel time on 1994, microseconds a call, speed-ups of a call; 1994 and 1998: CPI, i-MCPI, d-MCPI, pipeline",
    (("" | left(24)) + (["% kernel", "us", "96/94", "98/94", "96/96+94", "98/98+94", "CPI", "i-MCPI", "d-MCPI", "CPI", "i-MCPI", "d-MCPI", "pipe"] |
        map(pad(9)) | join(""))),
    (([$r["1994"].services | to_entries[] | select(.key != "USER" and .key != "IDLE") | .value.cycles - .value.wait] | add)
        as $kernel |
    def insn($b): ($b.stall.l1i + $b.stall.l2i) / $b.insns;
    def data($b): ($b.stall.l1d + $b.stall.l2d + $b.stall.upgrade + $b.stall.write_buffer) / $b.insns;
    def cpi($b): ($b.cycles - $b.wait) / $b.insns;
    [$r["1994"].services | to_entries[] | select(.key != "USER" and .key != "IDLE" and .value.calls > 0 and .value.insns > 0)] |
        sort_by(-.value.cycles)[0:20][] | .key as $name |
        select([$runs[] | .services[$name].calls // 0] | min > 0) |
        ($r["1994"].services[$name]) as $old | ($r["1998"].services[$name]) as $new |
        row($name; [100 * ($old.cycles - $old.wait) / $kernel, 1000000 * per_call($r["1994"]; $name),
            (per_call($r["1994"]; $name) / per_call($r["1996"]; $name)),
            (per_call($r["1994"]; $name) / per_call($r["1998"]; $name)),
            (per_call($r["1996-caches"]; $name) / per_call($r["1996"]; $name)),
            (per_call($r["1998-caches"]; $name) / per_call($r["1998"]; $name)),
            cpi($old), insn($old), data($old), cpi($new), insn($new), data($new),
            ([$new.pipeline // {} | .[]] | add // 0) / $new.insns]; 2))'
