#!/bin/sh
# Changing the CPU model on the way (docs/reference/cpu-models.md): wherever it happens, the guest, its console and every statistic
# are as in a run under one model (architecture: "Architectural state is the meeting point"). With all models there are
# that charge the same time.
. "$(dirname "$0")/harness.sh"
models=$("$SIMOS" run --help | sed -n 's/^ *--cpu \([a-z|]*\).*/\1/p' | tr '|' ' ')
check_equal "the models are known" mipsy "$(echo "$models" | tr ' ' '\n' | grep -x mipsy)"
# Those that charge the same time: mxs has a clock of its own, and is met at the end.
others=
for model in $(echo "$models" | tr ' ' '\n' | grep -vx mxs); do
    simos run --kernel "$work/none" --cpu "$model"
    [ "$model" = mipsy ] || grep -q 'does not work on this host' "$work/err" || others="$others $model"
done
others=${others:-mipsy}

job='seq 1 400 | sort -r | md5sum; awk "BEGIN { for (i = 1; i < 500; i++) s += 1 / (i * i); print s }"
(sleep 0.05; echo late) & simos-mark start; gzip -c /bin/simos-mark | md5sum; simos-mark end; wait; exit 3'

# comparable FILE: statistics without what tells which model ran
comparable()
{
    jq 'del(.parameters.cpu.model, .machine.model, .[].models)' "$1"
}
# check_run NAME: what simos has just done, with statistics in $work/run.json, is what the plain run did
check_run()
{
    check_equal "$1: exit status" 3 "$status"
    check_same_file "$1: output" "$work/plain.out" "$work/out"
    comparable "$work/run.json" >"$work/run.stats"
    check_same_file "$1: statistics" "$work/plain.stats" "$work/run.stats"
}
# console: the guest's console on stderr, up to the results
console()
{
    tr -d '\r' <"$work/err" | sed '/^machine 1994: /,$d' | sed '/^simos: /d' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# One quantum: that of embra without caches is longer than the others' unless it is set.
for cpus in 1 4; do
    for cache in none two-level; do
        name="$cpus CPUs, caches $cache"
        simos run --cpu mipsy --cpus $cpus --set machine.quantum=200 --set cache.model=$cache --stats "$work/run.json" -- sh -c "$job"
        cp "$work/out" "$work/plain.out"
        console >"$work/plain.console"
        check_match "$name: there is something on the console" 'Linux version' "$work/plain.console"
        comparable "$work/run.json" >"$work/plain.stats"
        check_equal "$name: exit status" 3 "$status"
        check_equal "$name: machine.model" mipsy "$(json "$work/run.json" .machine.model)"
        check_equal "$name: mipsy executed it all" true \
            "$(json "$work/run.json" '([.[].models?.mipsy.insns // 0] | add) == .machine.insns')"
        for other in $others; do
            simos run --cpu "$other" --cpus $cpus --set machine.quantum=200 --set cache.model=$cache --stats "$work/run.json" \
                --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
            check_run "$name, $other"
            check_equal "$name, $other: machine.model" "$other" "$(json "$work/run.json" .machine.model)"

            # Every few thousand to million instructions; the distances are random but the same in every run.
            cat >"$work/script.tcl" <<END
param machine.cpus $cpus
param machine.quantum 200
param cache.model $cache
build -- sh -c {$job}
expr {srand($cpus)}
set distances {10007 100003 499979 1000003 1999993 4000037}
set switches 0
while {[run -insns [lindex \$distances [expr {int(rand() * 6)}]]] eq {insns}} {
    model [expr {[incr switches] % 2 ? {$other} : {mipsy}}]
}
stats save $work/run.json
puts stderr "simos: \$switches switches"
exit [status]
END
            simos shell "$work/script.tcl"
            check_run "$name, mipsy and $other in turns"
            console >"$work/console"
            check_same_file "$name, mipsy and $other in turns: console" "$work/plain.console" "$work/console"
            check_between "$name, mipsy and $other in turns: often" 100 1000 \
                "$(sed -n 's/^simos: \([0-9]*\) switches$/\1/p' "$work/err")"

            # At a breakpoint, which is a PC hook; both ways.
            cat >"$work/script.tcl" <<END
param machine.cpus $cpus
param machine.quantum 200
param cache.model $cache
build -- sh -c {$job}
break kernel_clone
while {[run] eq {break}} {
    model [expr {[model] eq {mipsy} ? {$other} : {mipsy}}]
}
if {[dict get [lindex [breaks] 0] hits] < 20} { puts {not often} }
stats save $work/run.json
exit [status]
END
            simos shell "$work/script.tcl"
            check_run "$name, mipsy and $other at a breakpoint"

            # At events. What lies between the marks is under mipsy, and is not nothing. It goes on from the boot above.
            simos restore "$work/boot.ckpt" --switch mipsy@mark:start --switch "$other@mark:end" --stats "$work/run.json"
            check_run "$name, mipsy between two marks"
            if [ "$other" != mipsy ]; then
                check_between "$name, mipsy between two marks: so much" 100000 100000000 \
                    "$(json "$work/run.json" '[.[].models?.mipsy.insns // 0] | add')"
                check_match "$name, two models are in the table" '^CPU models .*mipsy [0-9]+.* instructions$' "$work/err"
            fi
            simos run --cpus $cpus --set machine.quantum=200 --set cache.model=$cache --cpu "$other" --switch mipsy@time:0.25 \
                --switch "$other@insns:100000007" --switch mipsy@boot --stats "$work/run.json" -- sh -c "$job"
            check_run "$name, time, instructions and boot"
        done
    done
done

# To the out-of-order model and back: what the guest computes is the same, its time is not.
simos run --cpu mipsy --machine 1996 --switch mxs@mark:start --switch mipsy@mark:end -- sh -c "$job"
check_equal "mxs between two marks: exit status" 3 "$status"
sort "$work/plain.out" >"$work/plain.sorted"
sort "$work/out" >"$work/out.sorted" # "late" comes when the other lines have taken their time
check_same_file "mxs between two marks: output" "$work/plain.sorted" "$work/out.sorted"

# --switch works in the shell too, and `model` says what runs.
cat >"$work/script.tcl" <<END
puts [model]
run -insns 1000003
puts [model]
if {![catch {model walk} message]} { puts {no error} }
puts \$message
discard
puts [model]
END
other=$(echo "$others" | awk '{ print $1 }')
simos shell --cpu mipsy --switch "$other@insns:1000" "$work/script.tcl"
check_equal "shell with --switch" "mipsy
$other
no CPU model is called \"walk\"; valid: $(echo "$models" | sed 's/ /, /g')
mipsy" "$(cat "$work/out")"
finish
