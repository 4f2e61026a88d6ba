# The numbers of the page: figures 4 to 10 and table 1 of "Monster". Input: the runs of monster.sh, each an object by its name.
# --rawfile workloads: workloads.tsv.
add as $runs
| [$workloads | split("\n")[] | select(. != "") | split("\t") | {name: .[0], what: .[1]}] as $list
| def of($region; $kind): .[$region + "." + $kind] // 0;
def kinds: ["run", "insn", "data", "uncached", "write", "fp", "multiply", "other", "wait"];
def cycles_of($regions): . as $c | [$regions[] as $r | kinds[] as $k | $c | of($r; $k)] | add;
def part($regions; $kinds): . as $c | [$regions[] as $r | $kinds[] as $k | $c | of($r; $k)] | add;
def over($by): if $by > 0 then . / $by else null end;
# (run + stall cycles) / run cycles
def cpi($regions): . as $c | cycles_of($regions) - part($regions; ["wait"]) | over($c | part($regions; ["run"]));
def percent($of): over($of) | if . == null then null else . * 100 end;
["kernel", "bcopy", "bzero", "bcmp"] as $kernel
| def stalls($regions): . as $c | ["insn", "data", "uncached", "write", "fp", "multiply", "other"] as $all | part($regions; $all) as $sum
    | {read: ($c | part($regions; ["insn", "data", "uncached"]) | percent($sum)), write: ($c | part($regions; ["write"]) | percent($sum)),
       fp: ($c | part($regions; ["fp"]) | percent($sum)), multiply: ($c | part($regions; ["multiply"]) | percent($sum)), cycles: $sum};
def reads($regions): . as $c | part($regions; ["insn", "data", "uncached"]) as $sum
    | {insn: ($c | part($regions; ["insn"]) | percent($sum)), data: ($c | part($regions; ["data"]) | percent($sum)),
       uncached: ($c | part($regions; ["uncached"]) | percent($sum)), cycles: $sum};
def mix($mode): . as $m | ["nops", "jumps", "branches", "loads", "stores", "alu", "multiply", "fp", "system", "marker"]
    | map({key: ., value: (($m[$mode + "." + .] // 0) | percent($m[$mode] // 0))}) | from_entries;
{
    programs: [$list[] | . + {measured: ($runs[.name] != null)}],
    runs: ($runs | map_values(. as $run | .cycles as $c | {
        cycles: .total, insns, seen: ($c | cycles_of($kernel + ["user", "idle"])),
        figure4: ($c | {user: (cycles_of(["user"]) | percent($run.total)), kernel: (cycles_of($kernel) | percent($run.total)),
                        idle: (cycles_of(["idle"]) | percent($run.total))}),
        figure6: ($c | . as $c | ["idle", "bcopy", "bzero", "bcmp"] | map({key: ., value: (. as $r | $c | cycles_of([$r]) | percent($run.total))}) | from_entries),
        figure7: ($c | {user: cpi(["user"]), kernel: cpi($kernel)}),
        figure8: ($c | {bcopy: cpi(["bcopy"]), bzero: cpi(["bzero"]), bcmp: cpi(["bcmp"])}),
        figure9: ($c | {user: stalls(["user"]), kernel: stalls($kernel), bcopy: stalls(["bcopy"]), bzero: stalls(["bzero"]), bcmp: stalls(["bcmp"])}),
        figure10: ($c | {user: reads(["user"]), kernel: reads($kernel), bcopy: reads(["bcopy"]), bzero: reads(["bzero"]), bcmp: reads(["bcmp"])}),
        table1: (.mix | {user: mix("user"), kernel: mix("kernel")})
    }))
}
| if all(.runs[]; .cycles == .seen) then . else error("the analysers do not add up to all cycles") end
