#!/bin/sh
# Watchpoints of `--gdb PORT`: gdb-multiarch sees every access to one byte by whatever instruction, address and
# processor, right behind it, with the values before and after; the same on every CPU model, and the run takes the same
# time as without.
. "$(dirname "$0")/harness.sh"

cd "$root" || exit
elf=$work/watch.elf
compile_bare gdb_watch watch.elf

# watch MODEL NAME COMMANDS: a session; what gdb says of the stops, one a line, in $work/MODEL.NAME
watch()
{
    start run --quiet --gdb 0 --kernel "$elf" --initrd none --cpus 2 --cpu "$1" --stats "$work/$1.$2.json"
    port_after "waiting for gdb on"
    # until the program has ended: then there are no registers
    cat >"$work/commands" <<END
set pagination off
set confirm off
set heuristic-fence-post 1
set width 0
file $elf
target remote 127.0.0.1:$port
break begin
continue
delete
$3
while 1
    continue
    printf "=== %d %x\n", \$_thread, \$pc
end
END
    "$root/tests/limit.sh" 100 gdb-multiarch -nx -batch -x "$work/commands" >"$work/gdb" 2>&1 </dev/null
    wait "$running"
    status=$?
    running=
    mipsel-linux-gnu-nm "$elf" | sed 's/^f*\([0-9a-f]\{8\}\) . /\1 /' >"$work/symbols"
    awk 'NR == FNR { name[$1] = $2; next }
        /^Hardware.*watchpoint|^Thread .* hit Hardware/ { values = "" }
        /^(Old v|New v|V)alue = / { sub(/.*= /, ""); values = values " " $1 }
        /^=== [1-9]/ { print $2, name[$3] values; values = "" }' "$work/symbols" "$work/gdb" >"$work/$1.$2"
}

# gdb steps over ll and sc in one.
writes="1 word 0 51
1 slot 51 85
1 half 85 119
1 left 119 135
1 uncached 135 18
1 mapped 18 52
1 conditional 52 53
2 other 53 153
1 last 153 1"
accesses="1 word 0 51
1 slot 51 85
1 half 85 119
1 left 119 135
1 load 135
1 load_in_slot 135
1 uncached 135 18
1 mapped 18 52
1 conditional 52 53
2 other 53 153
1 last 153 1"
reads="1 load 135
1 load_in_slot 135
1 conditional 53"
byte='*((unsigned char *)&watched + 1)'

for model in mipsy embra mxs; do
    "$SIMOS" run --quiet --kernel "$elf" --initrd none --cpus 2 --cpu $model --stats "$work/$model.json" \
        >"$work/out" 2>"$work/err"
    check_equal "$model: the program ends well by itself" 0 $?
    watch $model writes "watch (int)$byte"
    check_match "$model: the watchpoint is the simulator's" '^Hardware watchpoint 2' "$work/gdb"
    check_equal "$model: a watchpoint stops behind every store to a byte, with both values" "$writes" \
        "$(cat "$work/$model.writes")"
    check_equal "$model: ... and the program ends well" 0 $status
    watch $model accesses "awatch $byte"
    check_equal "$model: one of accesses behind every load and store" "$accesses" \
        "$(cat "$work/$model.accesses")"
    watch $model reads "rwatch $byte"
    check_equal "$model: one of loads behind every load" "$reads" "$(cat "$work/$model.reads")"
    watch $model mapped 'awatch *(unsigned char *)0x00404001'
    check_equal "$model: a mapped address is watched by itself" "1 mapped 0 52" "$(cat "$work/$model.mapped")"
    for session in writes accesses reads mapped; do
        jq -S 'del(.machine.models)' "$work/$model.json" >"$work/alone.json"
        jq -S 'del(.machine.models)' "$work/$model.$session.json" >"$work/watched.json"
        check_same_file "$model, $session: every statistic is that of a run without debugger" "$work/alone.json" \
            "$work/watched.json"
    done
done
finish
