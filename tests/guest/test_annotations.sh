# Annotations (SOSP'95 section 2.1; docs/reference/annotations.md): they see what there is and change nothing; services and
# processes have every cycle; what a program is known to do is counted exactly.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=tests/guest/page_kinds.sh
. "$(dirname "$0")/page_kinds.sh"

# services_of FILE NAME [FIGURE]
service() { json "$1" ".annotations.services[\"$2\"].${3:-calls} // 0"; }
# without_caches OPTIONS: a run in which no time is of interest; with caches a boot takes three times as long
without_caches()
{
    simos run --cpu embra --quiet --set cache.model=none "$@"
}
job='ls / | head -n 3; cat /proc/mounts | wc -l; (sleep 0.01; echo a) & wait'

# The same run with a script that only looks: annotations of every type, Tcl at calls and returns, the services.
cat >"$work/look.tcl" <<'TCL'
library services
set n 0
annotation set pc do_exit { incr n [arg 0] }
annotation set pc kernel_clone:END { incr n $v0 }
annotation set exc any { incr n $epc }
annotation set utlb -every 10 { incr n $bad }
annotation set interrupt any { incr n }
annotation set inst eret -every 10 { incr n $sr }
annotation set inst wait { incr n }
annotation set mode any -every 10 { incr n $CYCLES }
annotation set asid -every 10 { incr n $ASID }
annotation set time 0.3 -every 0.05 { incr n [llength [where]] }
annotation set insn 1000000 -every 7777777 { incr n $INSTS }
annotation set cycle 5000000 -every 33333333 { incr n }
annotation set load jiffies -every 3 { incr n $VALUE }
annotation set store physical:0x00de0000,65536 -every 100 { incr n $ADDRESS }
annotation set load 0x7f000000,0x00ffffff -every 1000 { incr n $SIZE }
annotation set miss any -every 1000 { incr n $PADDRESS; incr n $s0 }
annotation set miss {l1i} -once { annotation set store jiffies -tag ticks { incr n } }
annotation set miss {outer read} -every 5000 { annotation disable ticks; annotation set load 0x80e00000,99999 -once { annotation enable ticks } }
annotation set disk any { incr n $SECTORS }
TCL
for cpus in 1 2; do
    without_caches --cpus $cpus --checkpoint "$work/boot.ckpt@boot" -- true
    simos restore "$work/boot.ckpt" --quiet --set cache.model=two-level --stats "$work/without.json" -- sh -c "$job"
    cp "$work/out" "$work/said"
    simos restore "$work/boot.ckpt" --quiet --set cache.model=two-level --stats "$work/with.json" --script "$work/look.tcl" -- sh -c "$job"
    check_equal "$cpus CPUs: a script that looks does not change the exit status" 0 "$status"
    check_same_file "$cpus CPUs: nor what the job says" "$work/said" "$work/out"
    for file in without with; do
        jq -S 'del(.annotations, .machine.models)' "$work/$file.json" >"$work/$file"
    done
    check_equal "$cpus CPUs: the script ran" 0 "$(json "$work/with.json" '.annotations == null | if . then 1 else 0 end')"
    check_same_file "$cpus CPUs: statistics are the same with a script that looks" "$work/without" "$work/with"
done

# Table 4.2's rows are also counted by the processor itself; the table's services have what the modes have.
stats=$work/with.json
check_equal "the events' interrupts are the processors'" \
    "$(json "$stats" '[.cpu0, .cpu1 | .exceptions.interrupt] | add')" "$(json "$stats" .annotations.events.interrupts)"
check_equal "the events' TLB refills are the processors', and the services UTLB and KTLB" \
    "$(json "$stats" '[.cpu0, .cpu1 | .tlb.refills_load + .tlb.refills_store] | add')" \
    "$(($(service "$stats" UTLB) + $(service "$stats" KTLB)))"
taken=$(json "$stats" .annotations.events.interrupts)
check_between "every interrupt is one of the services, or several that were pending together" "$taken" $((taken + taken / 50)) \
    "$(json "$stats" '[.annotations.services | to_entries[] | select(.key | endswith(" INT")) |
        select(.key != "SW INT") | .value.calls] | add')"
for figure in cycles insns wait stall.l1i stall.l2d miss.l1i miss.l2_data; do
    sum=$(json "$stats" "[.cpu0, .cpu1 | .mode[].$figure] | add")
    check_equal "services have every one of $figure" "$sum" "$(json "$stats" "[.annotations.services[].$figure] | add")"
    check_equal "processes have every one of $figure" "$sum" \
        "$(json "$stats" "[.annotations.processes[] | .user, .kernel, .idle | .$figure] | add")"
done
check_equal "user time is the user's" "$(json "$stats" '[.cpu0, .cpu1 | .mode.user.cycles] | add')" \
    "$(service "$stats" USER cycles)"
for figure in cycles insns calls; do
    check_equal "services of processes have every one of $figure" "$(json "$stats" "[.annotations.services[].$figure] | add")" \
        "$(json "$stats" "[.annotations.processes[].services[].$figure // 0] | add")"
done
check_equal "processes waited in run queues for what services were kept waiting" \
    "$(json "$stats" '[.annotations.services[].queued] | add')" \
    "$(json "$stats" '[.annotations.processes[].services[].queued // 0] | add')"
check_match "tables are printed" "^UTLB +[0-9.]+%" "$work/err"

# An in-order processor stalls for just the time that lines from beyond its own caches take, and the report divides it by class: with
# one second level for both, a coherence miss is one of the first level (table 5.4).
# waits NAME LEVELS SETTING...: LEVELS are the stalls beyond a CPU's own caches
waits()
{
    name=$1 levels=$2
    shift 2
    simos restore "$work/boot.ckpt" --quiet --cpu mipsy --set cache.classify=replacement "$@" --stats "$work/waits.json" --script services -- \
        sh -c "$job"
    check_equal "$name: the waits by class are the stall" "$(json "$work/waits.json" "[.annotations.services[].stall | $levels] | add")" \
        "$(json "$work/waits.json" '[.annotations.services[].class_wait[][]] | add')"
    simos report --services=json "$work/waits.json"
    check_equal "$name: services wait for coherence misses" true "$(json "$work/out" '[.files[0].services[].coherence] | add > 0')"
}
waits "private levels" '.l2i + .l2d' --set cache.model=two-level
waits "a shared second level" '.l1i + .l1d + .l2i + .l2d' --set cache.model=two-level --set cache.l2.shared=all
waits "a shared third level" '.l2i + .l2d' --set cache.model=three-level --set cache.l2.size=64K --set cache.l3.shared=all

# All models tell of the same accesses, with the same registers, and none takes another time for it. Misses of models
# that execute in order are the same, and as many as the statistics say.
cat >"$work/accesses.tcl" <<'TCL'
set places {}
set values {}
proc note {} {
    uplevel #0 { lappend places $pc $ADDRESS $SIZE $sp $ra; lappend values $VALUE $s0 $t0 $v0 }
}
annotation set store 0x80dc0000,0x40000 -tag stores { note }
annotation set load 0x80dc3000,0x1000 -tag loads { note }
foreach cache {l1i l1d l2} { annotation set miss $cache -tag $cache {} }
automaton define lines -per line {
    state untouched read written
    on load any untouched -> read -count loads
    on store any untouched -> written -count stores
    on store any read -> written -count stores
    on load any * -> * -count loads
    on store any * -> * -count stores
}
automaton define parts -per line -in 0x80dc0000,0x40000 {
    state untouched written
    on store any * -> written -count stores
}
annotation set simos exit {
    log "accesses [annotation events stores] [annotation events loads] [zlib crc32 $places]"
    log "values [zlib crc32 $values]"
    log "heard [automaton figure lines loads] [automaton figure lines stores] in part [automaton figure parts stores]"
    log "told misses [annotation events l1i] [annotation events l1d] [annotation events l2]"
}
TCL
for model in mipsy embra mxs; do
    for script in "" "--script $work/accesses.tcl"; do
        # shellcheck disable=SC2086 # words
        simos run --cpu $model --quiet --max-insns 3000000 --stats "$work/$model${script:+.script}.json" $script -- true
    done
    grep "^accesses" "$work/err" >"$work/$model.accesses"
    grep "^values" "$work/err" >"$work/$model.values"
    check_match "$model: automata of lines hear every load and store, those of a range every one there" \
        "^heard $(json "$work/$model.json" '.cpu0 | "\(.loads) \(.stores)"') in part $(sed -n 's/^accesses \([0-9]*\) .*/\1/p' "$work/err")\$" \
        "$work/err"
    sed -n "s/^told misses/misses/p" "$work/err" >"$work/$model.misses"
    jq -S 'del(.annotations, .machine.models)' "$work/$model.json" >"$work/without"
    jq -S 'del(.annotations, .machine.models)' "$work/$model.script.json" >"$work/with"
    check_same_file "$model: statistics are the same with loads, stores and misses told" "$work/without" "$work/with"
    check_equal "$model: a miss is told as often as it is counted" \
        "misses $(json "$work/$model.json" '.cpu0 | [.l1i.misses, (.l1d | .read_misses + .write_misses),
            (.l2 | .insn_misses + .read_misses + .write_misses)] | map(tostring) | join(" ")')" \
        "$(cat "$work/$model.misses")"
done
check_match "thousands of accesses are told" "^accesses [0-9]{4}" "$work/mipsy.accesses"
check_same_file "embra tells of the accesses that mipsy does" "$work/mipsy.accesses" "$work/embra.accesses"
check_same_file "with the same values and registers" "$work/mipsy.values" "$work/embra.values"
check_same_file "so does mxs, where time goes otherwise" "$work/mipsy.accesses" "$work/mxs.accesses"

# A program that is known to make so many calls, touch so many fresh pages, have so many children (static addresses,
# so that no stack needs a page more).
mipsel-linux-gnu-gcc -g -O1 -static -o "$work/known" "$root/tests/guest/known.c" || fail "known.c compiles"
without_caches --copy-in "$work/known" --set guest.bootargs="console=ttyS0,115200 nokaslr panic=-1 norandmaps" \
    --checkpoint "$work/known.ckpt@boot" -- true
known()
{
    simos restore "$work/known.ckpt" --trust --quiet --set cache.model=two-level --script services --stats "$work/$1.json" -- /root/known "$2" "$3" "$4" "$5" "${6:-0}" "${7:-0}" "${8:-0}"
    check_equal "known $2 $3 $4 $5 ${6:-}: exit status" 0 "$status"
}
known none 0 0 0 0
known some 123 456 7 20
known more 123 456 7 33
known others 123 456 7 33 5 11 37
check_equal "123 calls of sched_yield" 123 "$(service "$work/some.json" sched_yield)"
check_equal "which known made, in its one process" "123 known" "$(json "$work/some.json" '[.annotations.processes[] |
    select(.services.sched_yield) | "\(.services.sched_yield.calls) \(.name)"] | join(", ")')"
check_equal "246 calls of getpriority" 246 "$(service "$work/some.json" getpriority)"
check_equal "no calls of sched_yield" 0 "$(service "$work/none.json" sched_yield)"
check_equal "456 fresh pages are 456 faults DEMAND ZERO" 456 \
    $(($(service "$work/some.json" "DEMAND ZERO") - $(service "$work/none.json" "DEMAND ZERO")))
check_equal "7 children that write to 13 pages more are 91 faults COW FAULT more" 91 \
    $(($(service "$work/more.json" "COW FAULT") - $(service "$work/some.json" "COW FAULT")))
check_equal "7 children are 7 process creations" 7 \
    $(($(json "$work/some.json" .annotations.events.process_creations) - $(json "$work/none.json" .annotations.events.process_creations)))
check_equal "and 7 calls of clone" 7 $(($(service "$work/some.json" clone) - $(service "$work/none.json" clone)))
others() { echo $(($(service "$work/others.json" "$1" "${2:-calls}") - $(service "$work/more.json" "$1" "${2:-calls}"))); }
check_equal "5 calls of nanosleep" 5 "$(others nanosleep)"
check_between "that were blocked for two milliseconds each, until the next tick at most" 2000000 2100000 \
    "$(others nanosleep blocked)"
check_equal "11 bytes there and back are 22 calls of read" 22 "$(others read)"
check_equal "and 22 of write" 22 "$(others write)"
check_equal "both ends waited for the other" 1 "$(($(others read blocked) > 22 * 1000))"
lock() { json "$work/$1.json" ".annotations.locks | map(select(.name == \"$2\")) | map(.$3) | add // 0"; }
check_equal "37 futexes that need not be waited for take 37 spin locks" 37 \
    $(($(lock others futex_q_lock acquires) - $(lock more futex_q_lock acquires)))
check_equal "which were given back" "$(lock others futex_q_lock acquires)" "$(lock others futex_q_lock releases)"
check_equal "readers and writers of every lock are seen to give it back: but for locks that are given to others" 0 \
    "$(json "$work/others.json" '[.annotations.locks[] | select(.kind == "read" or .kind == "shared") |
        select(.releases * 10 < .acquires * 9)] | length')"
simos report --services "$work/others.json"
check_match "the report has the services of each process" "^known x [0-9]+ +[0-9.]+% " "$work/out"
check_match "and the processes that each service is for" "^CLOCK INT +[0-9.]+% " "$work/out"
simos report --services=json "$work/others.json"
check_equal "as JSON, to the cycle" "$(json "$work/others.json" '[.annotations.services[].cycles] | add')" \
    "$(jq '[.files[0].processes[].services[].cycles] | add' "$work/out")"
check_equal "those who had a lock had it for as long as it was held" 0 \
    "$(json "$work/others.json" '[.annotations.locks[] | select(.releases > 0) | .held - ([.holders[].held] | add) | fabs] | add')"
check_equal "services take the locks that are taken: spinning ones" \
    "$(json "$work/others.json" '[.annotations.locks[] | select(.kind == "spin" or .kind == "read" or .kind == "write") | .acquires] | add')" \
    "$(json "$work/others.json" '[.annotations.services[].sync.acquires // 0] | add')"
check_equal "on one processor a latency is computation, services on top of it, blocked and descheduled time, to the cycle" 0 \
    "$(json "$work/others.json" '[.annotations.services[] | select(.calls == .ended and .calls > 0) |
        .latency - .cycles - .nested - .blocked - .descheduled | fabs] | add')"
check_equal "8 processes are called known" 8 \
    "$(json "$work/some.json" '[.annotations.processes[] | select(.name == "known")] | length')"

# Returns: every call of a function has one, however it ends (tail calls, the end of the process).
cat >"$work/returns.tcl" <<'TCL'
foreach f {vfs_read vfs_write do_filp_open schedule} {
    annotation set pc $f "incr began($f)"
    annotation set pc $f:END "incr ended($f)"
}
annotation set simos exit {
    foreach f [lsort [array names began]] { log "$f [expr {$began($f) - $ended($f)}]" }
}
TCL
without_caches --script "$work/returns.tcl" -- sh -c "$job"
# do_filp_open: process 1 waits in it until somebody writes to /run/initctl.
for left in "vfs_write 0" "do_filp_open 1"; do
    check_match "${left% *} returns as often as it is called, but for who waits in it" "^$left\$" "$work/err"
done
check_match "vfs_read returns, but for one that reads at the end" "^vfs_read [01]\$" "$work/err"

# A name that several functions have means all of them: for annotations, automata and services' rules.
cat >"$work/names.tcl" <<'TCL'
library services
set name __raw_write_unlock_irq.constprop.0
annotation set pc $name -tag begin { incr at($pc) }
annotation set pc $name:END -tag end {}
service count unlocks $name
automaton define names -per cpu {
    state all
    on pc $::name * -> * -count begin
    on pc $::name:END * -> * -count end
}
automaton define conditions -per cpu {
    state all
    on pc resume * -> * -when {a1 == init_task} -count begin
}
automaton define lines -per line -in jiffies,4 {
    state first second
    on store any first -> second
}
annotation set pc resume { incr idle [expr {$a1 == [symbol init_task]}] }
proc refused {command} { if {[catch { uplevel #0 $command } message]} { log "refused: $message" } }
refused { symbol $name }
refused { symbol $name+8 }
refused { annotation set pc $name+8 {} }
refused { annotation set store $name {} }
refused { automaton define two -per cpu { state a; on pc do_exit a -> a -when {ra within __raw_write_unlock_irq.constprop.0} } }
refused { automaton define two -per cpu { state a; on pc do_exit a -> a -when {a0 == no_such_symbol} } }
foreach figure {time cycles insns} { refused { automaton figure lines second $figure } }
refused { automaton figure lines first members }
log "symbols: [symbol -match $name] [symbol -match start_kernel]"
annotation set simos exit {
    log "functions: [lsort [array names at]] [expr {[llength [array names at]] == 2}]"
    set all [expr [join [lmap {address count} [array get at] { set count }] +]]
    log "all: [expr {$all > 2}] [expr {[annotation events begin] - $all}] [expr {[annotation events end] - $all}]\
        [expr {[automaton figure names begin] - $all}] [expr {[automaton figure names end] - $all}]"
    log "unlocks: $all"
    log "idle: [expr {$idle > 0}] [expr {$idle - [automaton figure conditions begin]}]"
    log "lines: [automaton figure lines second members] [automaton figure lines second entered]"
}
TCL
simos run --cpu embra --quiet --script "$work/names.tcl" --stats "$work/names.json" -- sh -c "$job"
check_equal "names of several functions: exit status" 0 "$status"
set -- $(awk '$3 == "__raw_write_unlock_irq.constprop.0" { print "0x" substr($1, length($1) - 7) }' "$guest/kernel.sym" | sort)
check_equal "the stock kernel has two functions of one name" 2 $#
check_match "events of both" "^functions: $1 $2 1\$" "$work/err"
check_match "as many returns, and in automata" "^all: 1 0 0 0 0\$" "$work/err"
check_equal "and in services' rules" "$(sed -n 's/^unlocks: //p' "$work/err")" "$(json "$work/names.json" .annotations.events.unlocks)"
check_match "symbol -match has the addresses of both" \
    "^symbols: __raw_write_unlock_irq.constprop.0 .$1 $2. start_kernel 0x[0-9a-f]{8}\$" "$work/err"
check_equal "where one address is needed, it is an error that names both" 5 \
    "$(grep -c "^refused: 2 symbols are called \"__raw_write_unlock_irq.constprop.0\"; give the address of one: $1, $2\$" "$work/err")"
check_match "-when: the value may be a symbol" "^idle: 1 0\$" "$work/err"
check_match "-when: or is refused" '^refused: the kernel has no symbol "no_such_symbol"' "$work/err"
check_equal "automata per line have no times" 3 \
    "$(grep -c '^refused: automaton lines is per line: its states have entered and members only, not' "$work/err")"
check_match "nor members of the first state" '^refused: automaton lines is per line: the lines in its first state' "$work/err"
check_match "they have entries and members" '^lines: 1 1$' "$work/err"
check_equal "the tasklist lock is released as often as it is taken by a writer" 0 \
    "$(json "$work/names.json" '[.annotations.locks[] | select(.kind == "write" and any(.holders[]?; .function == "release_task")) |
        .acquires - .releases] | add')"
check_between "releases of locks that are not seen: at most 1 of 1000" 0 1 \
    "$(json "$work/names.json" '.annotations.locks | ([.[].acquires] | add) as $all | ($all - ([.[].releases] | add)) * 1000 / $all | ceil')"

# The examples of the pages, in the order in which they stand there.
awk '/^```tcl/ { on = 1; next } /^```/ { on = 0 } on' "$root/docs/how-to/annotations.md" "$root/docs/reference/annotations.md" \
    "$root/docs/reference/annotation-services.md" "$root/docs/reference/annotation-collect.md" >"$work/manual.tcl"
dd if=/dev/zero of="$work/zeros" bs=4096 count=16 2>/dev/null
cd "$work" || exit 1
simos run --cpu embra --quiet --script "$work/manual.tcl" --stats "$work/manual.json" --set cache.classify=full --disk "$work/zeros" --net user \
    --copy-in "$work/known" --checkpoint "$work/checkpoint@boot" -- \
    sh -c 'cat /dev/vda >/dev/null; ping -c 1 10.0.2.2 >/dev/null; /root/known 100 2 1 1'
cd "$root" || exit 1
check_equal "the manual's examples: exit status" 0 "$status"
for text in "exit code 0x" "system call [0-9]+ at 0x" "1000 more TLB refills" "the first interrupt interrupted 0x" \
    "first instruction of a user program is at 0x" "quarter of a second: {cpu 0 pc" "the guest is .*Linux version" \
    "it begins" "userland is up" "process 1 has been created" "the first process: 1" "to process 1, swapper/0" \
    "the same again: swapper/0, its pid is at offset [0-9]+" "fork took [0-9]+ cycles in [0-9]+ calls" \
    "scheduling: [0-9]+ calls" "50 million instructions at 0" "a checkpoint at [0-9]" "jiffies is 0xfffedb.. since do_timer" \
    "first read by .*: 0xfffedb08" "[1248] bytes at 0x8000[0-9a-f]*, physical 0x000020" "10000 more cold misses, the last of 0x8" \
    "l2 does not have the code at 0x8.*: cold" "disk 0: read [0-9]+ sectors from" "the first that was read, well: 1" \
    "a frame of [0-9]+ bytes to [0-9a-f]{12}" "l1d writes: [0-9]+" "stores to init_task: [0-9]+" "from swapper/0 to process" \
    "process 1 is the first" "exec: the process gets" "it ends with status 0" \
    "main of process [0-9]+ is at .*tests/guest/known.c:41, argc 0x00000005" "main has returned 0x00000000 to known::.*start_" \
    "a call from known::[a-z_]+" "virtio_blk::virtblk_probe, called by virtio::virtio_dev_probe" \
    "exit_group took [1-9][0-9]* spin locks" "in interrupts: [1-9][0-9]* cycles, [1-9][0-9]* times" \
    "a system call; at .sp is the stack of [a-z]" "there is kind slab name .slab task_struct. .* size 2816 offset 0" \
    "the kernel's stack: kind .kernel stack. name .kernel stack of [a-z].* pid [0-9]" "jiffies: kind .kernel data. .* symbol jiffies" \
    "forking: [1-9][0-9]* cycles passed, [1-9][0-9]* children" "known has [1-9][0-9]* fresh pages" \
    "process 1 forked [1-9][0-9]* times; threads were kept waiting [1-9][0-9]* cycles" \
    "[1-9][0-9]* more loads, [1-9][0-9]* private lines" "^    vfs +[1-9][0-9]* +[1-9][0-9]* +[1-9][0-9]*\$" \
    "released at: .*release_task.0x4bc [1-9]" "taken [1-9][0-9]* times, by release_task [1-9][0-9]*, held for [1-9][0-9]* cycles" \
    "bytes written: [1-9][0-9]* processes"; do
    check_match "the manual's examples say: $text" "$text" "$work/err"
done

check_equal "the manual's state machine sees the lock taken as often as the services do" \
    "$(json "$work/manual.json" '[.annotations.locks[] | select(.address == "80dc7080" and .kind == "write") | .acquires] | add')" \
    "$(json "$work/manual.json" .annotations.automata.tasklist.states.held.entered)"

# A run that goes on from a checkpoint: `restore` comes after `enter`, once, and neither again.
cat >"$work/restored.tcl" <<'TCL'
foreach event {enter restore boot} { annotation set simos $event "log {told: $event}" }
annotation set simos restore { log "at [expr {$SECONDS > 0 && $INSTS > 1000000}]"; exit 9 }
TCL
simos restore "$work/checkpoint" --trust --script "$work/restored.tcl"
check_equal "restore: exit in its body" 9 "$status"
check_equal "restore: what is told, in order" "told: enter;told: restore;at 1;" \
    "$(grep -E '^(told|at)' "$work/err" | tr '\n' ';')"

# Pages by what they are, while the guest counts them itself (/proc/meminfo).
page_kinds 0x08000000 >"$work/pages.tcl"
without_caches --script "$work/pages.tcl" -- sh -c 'ls -lR /sys >/dev/null; cat /proc/meminfo'
check_equal "kinds of pages: exit status" 0 "$status"
check_page_kinds

# A run queue, which update_rq_clock() is given, is a per-CPU variable of its processor (DEFINE_PER_CPU in kernel/sched/core.c).
cat >"$work/queue.tcl" <<'TCL'
library layout
annotation set pc update_rq_clock -every 50 {
    set data [symbol data $a0]
    if {[dict get $data kind] ne "per-CPU data"} { log "not per-CPU data: $data" } else { incr queues([dict get $data cpu]) }
}
annotation set simos exit { log "run queues of CPUs [lsort [array names queues]]" }
TCL
without_caches --cpus 2 --script "$work/queue.tcl" -- sh -c 'ls -lR /sys >/dev/null & ls -lR /usr >/dev/null; wait'
check_equal "run queues: exit status" 0 "$status"
check_match "run queues are per-CPU data" 'run queues of CPUs 0 1$' "$work/err"
check_equal "and nothing else" 0 "$(grep -c 'not per-CPU data' "$work/err")"

# Errors name file and line, and what was collected is kept.
printf 'library services\nset x 1\nannotation set pc do_exit {\n    incr x\n    nonsense $x\n}\n' >"$work/wrong.tcl"
without_caches --script "$work/wrong.tcl" --stats "$work/wrong.json" -- true
check_equal "an error in a body: exit status" 125 "$status"
check_match "it names file, line and annotation" "^simos: $work/wrong.tcl, line 5: annotation pc do_exit: .*nonsense" "$work/err"
check_between "the statistics up to there are saved" 1000000 1000000000 "$(service "$work/wrong.json" BOOT cycles)"
printf 'set x 1\nannotation set pc no_such_function {}\n' >"$work/wrong.tcl"
without_caches --script "$work/wrong.tcl" -- true
check_equal "an error in the script: exit status" 125 "$status"
check_match "it names file, line and symbol" "^simos: $work/wrong.tcl, line 2: .*no_such_function" "$work/err"
for change in "memory write 0x80100000 0" "register v0 1" "run" "build"; do
    printf 'annotation set pc do_exit { %s }\n' "$change" >"$work/wrong.tcl"
    without_caches --script "$work/wrong.tcl" -- true
    check_equal "a body changes nothing: $change" 125 "$status"
done
# What is wrong in a script is refused, and what is right is not.
cat >"$work/words.tcl" <<'TCL'
service begin
library layout
foreach wrong {
    {annotation} {annotation set} {annotation set pc} {annotation set pc nosuch {}} {annotation set pc 0x80100001 {}}
    {annotation set pc do_exit:MIDDLE {}} {annotation set nosuch x {}} {annotation set exc nothing {}}
    {annotation set cycle -5 {}} {annotation set cycle 99999999999999999999 {}} {annotation set time x {}}
    {annotation set pc do_exit -cpu 5 {}} {annotation set pc do_exit -every 0 {}} {annotation set pc do_exit -foo {}}
    {annotation set interrupt 9 {}} {annotation set mode fast {}} {annotation set simos go {}} {annotation enable nosuch}
    {annotation exec a b} {annotation type pc enum {a}} {annotation type {} enum {}} {service figure a b} {service enter}
    {service become x y do_exit} {service become fault A do_exit -when {a0 == }} {service enter A do_exit -when {zz == 1}}
    {service enter {} do_exit} {service enter A nosuch} {service layout {pid}} {service layout {foo 1}}
    {service syscall 1 x} {timing} {timing switch nosuch a} {timing create {}} {timing dump nosuch} {statistics entry nosuch 1}
    {statistics create} {statistics list nosuch} {service figure USER sync -process a} {service moved a0}
    {automaton define z -per line { state a; on load x a -> a }} {automaton define z -per cpu -in 0,4 { state a }}
    {automaton define z -per cpu { state a; on load any a -> a }} {automaton define z -per cpu { state a; on utlb any a -> a -by same }}
    {service become fault A do_exit -rank 900} {service enter A do_exit -when {a0 within nosuch}}
    {symbol read ""} {symbol read nosuch} {symbol read "((struct x *)0)->y"} {symbol read "((((("}
    {symbol read "((struct task_struct *)0xc0000004)->pid"} {symbol read "((struct task_struct *)&start_kernel)->nosuch"}
    {field a b c} {struct a b} {struct a 4 {{c d e f}}} {arg -1} {arg x} {library nosuch} {run} {build}
} {
    if {![catch {uplevel #0 $wrong} message]} { log "accepted: $wrong" }
    if {$message eq "" || [string first \n $message] >= 0} { log "no message: $wrong" }
}
struct pair 8 {{low 0 4 u} {high 4 4 i} {bytes 0 8 c} {words 0 8 u[2]}}
set word [expr {[memory read start_kernel]}]
foreach {right value} {
    {((struct pair *)&start_kernel)->low} $word
    {kernel::((struct pair *)&start_kernel)->words[0]} $word
    {start_kernel} $word
    {((unsigned *)&start_kernel)[0]} $word
    {((char *)&start_kernel)[0]} {[expr {$word & 0xff}]}
    {((struct pair *)&start_kernel)[1].low} {[expr {[memory read start_kernel+8]}]}
} {
    if {$value ne "" && [symbol read $right] != [subst $value]} { log "wrong: $right: [symbol read $right]" }
}
log "words: done"
TCL
simos run --cpu embra --quiet --max-insns 1000 --script "$work/words.tcl" -- true
check_equal "a script of wrong words" 124 "$status"
check_match "to the end of it" "^words: done" "$work/err"
check_no_match "words that are wrong are refused with one line, expressions are right" "^(accepted|no message|wrong): " "$work/err"

# A kernel that chooses its place: a line says so, and what is set from then on is right.
cat >"$work/moved.tcl" <<'TCL'
annotation set simos boot { annotation set pc do_exit -once { log "do_exit is called by [symbol -at $ra]" } }
TCL
without_caches --script "$work/moved.tcl" --set guest.bootargs="console=ttyS0,115200 panic=-1" -- true
check_equal "a kernel that moves: exit status" 0 "$status"
check_match "it is said how far" "^simos: the kernel has moved itself by 0x[0-9a-f]+0000," "$work/err"
check_match "symbols move along" "^do_exit is called by (do_group_exit|__?se_sys_exit|sys_exit)" "$work/err"

echo 'annotation set simos boot { exit 7 }' >"$work/stop.tcl"
without_caches --script "$work/stop.tcl" -- true
check_equal "exit in a body ends the run with its status" 7 "$status"
printf 'annotation set time 0.01 { exit 8 }\nannotation set time 0.02 { log later }\n' >"$work/stop.tcl"
without_caches --script "$work/stop.tcl" -- true
check_equal "also in one between two runs of the machine" 8 "$status"
check_no_match "at once" "^later" "$work/err"

finish
