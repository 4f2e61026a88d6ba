#!/bin/sh
# The accounts of mipsy with the 1994 caches: every cycle is charged once, and stalls are the misses times the latencies
# of table 3.1 (50 ns to the second level and 500 ns to memory: 10 and 100 cycles of 200 MHz).
. "$(dirname "$0")/harness.sh"

# Each rule is an expression that yields what breaks it, one a CPU or mode; nothing if it holds.
# check_rule FILE RULE EXPRESSION
check_rule()
{
    breaks=$(jq -r "def cpus: to_entries[] | select(.key | test(\"^cpu[0-9]+\$\")) | .key as \$cpu | .value;
        def modes: cpus | .mode | to_entries[] | .key as \$mode | .value; $3" "$1" 2>&1)
    check_equal "$2" "" "$breaks"
}

check_sums()
{
    file=$1
    check_equal "$file: so many CPUs are accounted for" "$2" \
        "$(json "$file" '[keys[] | select(test("^cpu[0-9]+$"))] | length')"
    check_rule "$file" "user, kernel and idle cycles sum up to a CPU's cycles, but for those without power" \
        'cpus | ([.mode[].cycles] | add) + .off - .cycles | select(. != 0)'
    check_rule "$file" "user, kernel and idle instructions sum up to a CPU's instructions" \
        'cpus | ([.mode[].insns] | add) - .insns | select(. != 0)'
    check_rule "$file" "CPUs' instructions sum up to the run's" \
        '([cpus | .insns] | add) - .machine.insns | select(. != 0)'
    check_rule "$file" "a mode's cycles are execution, stalls and wait" \
        'modes | .execute + .wait + ([.stall[]] | add) - .cycles | select(. != 0)'
    check_rule "$file" "mipsy executes an instruction a cycle" 'modes | .execute - .insns | select(. != 0)'
    check_rule "$file" "an L1-I miss that hits L2 stalls 10 cycles" \
        'modes | .stall.l1i - 10 * (.miss.l1i - .miss.l2_insn) | select(. != 0)'
    check_rule "$file" "an instruction's L2 miss stalls 100 cycles" \
        'modes | .stall.l2i - 100 * .miss.l2_insn | select(. != 0)'
    check_rule "$file" "an upgrade stalls 100 cycles" 'modes | .stall.upgrade - 100 * .miss.upgrade | select(. != 0)'
    check_rule "$file" "a data L2 miss stalls 100 cycles" 'modes | .stall.l2d - 100 * .miss.l2_data | select(. != 0)'
    if [ "$2" = 1 ]; then
        check_rule "$file" "an L1-D miss that hits L2 stalls 10 cycles" \
            'modes | .stall.l1d - 10 * (.miss.l1d_read + .miss.l1d_write - .miss.l2_data) | select(. != 0)'
        check_rule "$file" "one CPU has nobody to ask for an upgrade" 'modes | .miss.upgrade | select(. != 0)'
    else # a store that misses L1 and finds its line shared in L2 is charged as an upgrade alone
        check_rule "$file" "an L1-D miss that hits L2 stalls 10 cycles, or is part of an upgrade" \
            'modes | (10 * (.miss.l1d_read + .miss.l1d_write - .miss.l2_data) - .stall.l1d) as $rest |
            select($rest < 0 or $rest > 10 * .miss.upgrade) | $rest'
        check_rule "$file" "stores to shared lines ask for upgrades" '[modes | .miss.upgrade] | add | select(. == 0)'
    fi
    check_rule "$file" "uncached accesses stall 100 cycles" \
        'cpus | ([.mode[].stall.uncached] | add) - 100 * .uncached | select(. != 0)'
    check_rule "$file" "modes' misses sum up to the caches' own counts" 'cpus |
        ([.mode[].miss.l1i] | add) - .l1i.misses, ([.mode[].miss.l1d_read] | add) - .l1d.read_misses,
        ([.mode[].miss.l1d_write] | add) - .l1d.write_misses, ([.mode[].miss.l2_insn] | add) - .l2.insn_misses,
        ([.mode[].miss.l2_data] | add) - .l2.read_misses - .l2.write_misses,
        ([.mode[].outer_miss.l2_read] | add) - .l2.read_misses, ([.mode[].outer_miss.l2_write] | add) - .l2.write_misses,
        ([.mode[].miss.upgrade] | add) - .l2.upgrades | select(. != 0)'
    check_rule "$file" "ratios are made of the counts" 'modes | select(.insns > 0) |
        (.cpi - (.cycles - .wait) / .insns, .i_mcpi - (.stall.l1i + .stall.l2i) / .insns,
        .d_mcpi - (.stall.l1d + .stall.l2d + .stall.upgrade + .stall.write_buffer) / .insns) | select(. > 1e-6 or . < -1e-6)'
    check_rule "$file" "only idle waits" '[cpus | .mode.user.wait, .mode.kernel.wait] | add | select(. != 0)'
    check_rule "$file" "no CPU has run longer than the run" '.machine.time as $last | cpus |
        .cycles - $last | select(. > 500)'
    check_rule "$file" "the run's time is the CPU clock's" '.machine.seconds * 200000000 - .machine.time |
        select(. > 0.5 or . < -0.5)'
}

# What the printed table says: table LABEL COLUMN (user kernel user+kernel idle total)
table()
{
    awk -v label="$1" -v column="$2" 'index($0, label "  ") == 1 {
        gsub(" %", ""); sub(label, ""); print $column; exit }' "$work/err"
}
# total FILE EXPRESSION: sum over all CPUs of an expression on a CPU
total()
{
    json "$1" "[to_entries[] | select(.key | test(\"^cpu[0-9]+\$\")) | .value | $2] | add"
}
# check_table: of the run that has just written $file
check_table()
{
    check_equal "$file: table: cycles, user" "$(total "$file" .mode.user.cycles)" "$(table cycles 1)"
    check_equal "$file: table: cycles, kernel" "$(total "$file" .mode.kernel.cycles)" "$(table cycles 2)"
    check_equal "$file: table: cycles, idle" "$(total "$file" .mode.idle.cycles)" "$(table cycles 4)"
    check_equal "$file: table: cycles, total" "$(total "$file" '.cycles - .off')" "$(table cycles 5)"
    check_equal "$file: table: instructions, total" "$(total "$file" .insns)" "$(table instructions 5)"
    check_equal "$file: table: L2-D stall, kernel" "$(total "$file" .mode.kernel.stall.l2d)" "$(table 'stall L2-D miss' 2)"
    check_equal "$file: table: L1-I misses, user" "$(total "$file" .mode.user.miss.l1i)" "$(table 'misses L1-I' 1)"
    check_equal "$file: table: wait, idle" "$(total "$file" .mode.idle.wait)" "$(table wait 4)"
    # Ratios, from the numbers that stand beside them.
    awk -v cycles="$(table cycles 2)" -v insns="$(table instructions 2)" -v wait="$(table wait 2)" \
        -v i1="$(table 'stall L1-I miss' 2)" -v i2="$(table 'stall L2-I miss' 2)" \
        -v d1="$(table 'stall L1-D miss' 2)" -v d2="$(table 'stall L2-D miss' 2)" -v up="$(table 'stall upgrade' 2)" \
        -v total="$(table cycles 5)" 'BEGIN {
        printf "%.4f %.4f %.4f %.2f\n", (cycles - wait) / insns, (i1 + i2) / insns, (d1 + d2 + up) / insns,
            100 * cycles / total }' >"$work/ratios"
    check_equal "$file: table: CPI, i-MCPI, d-MCPI, share of the kernel" "$(cat "$work/ratios")" \
        "$(table 'CPI without wait' 2) $(table i-MCPI 2) $(table d-MCPI 2) $(table 'share of cycles' 2)"
}

cd "$work" || exit
# One CPU that works.
simos run --quiet --stats busy.json -- md5sum /bin/busybox
check_sums busy.json 1
check_table
check_no_match "the kernel's idle loop is known" 'idle loop is unknown' err
check_equal "a CPU that works is hardly idle" true "$(json busy.json '.cpu0.mode.idle.cycles < .cpu0.cycles / 100')"

# The same and a second of sleep. The kernel rounds it up to its ticks of 4 ms, and each of them wakes the CPU for a
# moment.
more_than_busy() # FILE EXPRESSION: milliseconds
{
    jq -n --slurpfile a busy.json --slurpfile b "$1" "(\$b[0] | $2) - (\$a[0] | $2) | . / 200000 | floor"
}
simos run --quiet --stats idle.json -- sh -c 'md5sum /bin/busybox; sleep 1'
check_sums idle.json 1
check_between "a second of sleep takes a second more, ms" 1000 1100 "$(more_than_busy idle.json .machine.time)"
check_between "... of which a second is idle, ms" 960 1010 "$(more_than_busy idle.json .cpu0.mode.idle.cycles)"
check_between "... nearly all of it in the wait instruction, ms" 950 1010 "$(more_than_busy idle.json .cpu0.mode.idle.wait)"

# A kernel told not to use wait spins in its idle loop: idle as well, by the symbol file. Without one nobody knows.
bootargs="$(json busy.json .parameters.guest.bootargs) nowait"
simos run --quiet --stats spin.json --set "guest.bootargs=$bootargs" -- sh -c 'md5sum /bin/busybox; sleep 1'
check_sums spin.json 1
check_between "an idle loop without wait is idle, ms" 960 1010 "$(more_than_busy spin.json .cpu0.mode.idle.cycles)"
check_equal "... all of it instructions" 0 "$(json spin.json .cpu0.mode.idle.wait)"
check_equal "... many" true "$(json spin.json '.cpu0.mode.idle.insns > 50000000')"
simos run --quiet --stats unknown.json --set guest.symbols=none --cpus 8 -- sleep 1
check_sums unknown.json 8
check_equal "without a symbol file idle is what waits" true \
    "$(json unknown.json '[.[] | objects | .mode? // empty | .idle | .cycles == .wait and .wait > 0] | all')"
check_match "... and the table says so" 'idle loop is unknown' err

# Eight CPUs that share.
simos run --quiet --cpus 8 --stats eight.json -- sh -c 'for i in 1 2 3 4 5 6 7 8; do seq 1 200 | sort -r | md5sum & done; wait'
check_sums eight.json 8
check_table

# A bare program whose every miss is known: 2048 loads 16 bytes apart, twice. The first round misses L1 (16 KB) each
# time and L2 each eighth time; the second finds nothing in L1 (LRU) and everything in L2 (1 MB). The code is three
# L1 lines in one L2 line, fetched once.
cat >program.s <<'END'
    .set noreorder
    .globl __start
    .balign 128
__start:
    li $t3, 2
1:  lui $t0, 0x8028
    li $t1, 2048
2:  lw $t2, 0($t0)
    addiu $t1, $t1, -1
    bnez $t1, 2b
    addiu $t0, $t0, 16
    addiu $t3, $t3, -1
    bnez $t3, 1b
    nop
    lui $t0, 0xb801
    sw $zero, 0x14($t0)
3:  b 3b
    nop
END
echo 'SECTIONS { . = 0x80100000; .text : { *(.text) } /DISCARD/ : { *(*) } }' >program.ld
mipsel-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none,-T,program.ld -o program program.s
simos run --kernel program --initrd none --stats program.json
check_equal "a bare program ends the run" 0 "$status"
check_sums program.json 1
check_equal "its instructions are counted" $((1 + 2 * (2 + 4 * 2048 + 3) + 2)) "$(json program.json .machine.insns)"
check_equal "its data stall as table 3.1 says" "$((10 * (2 * 2048 - 256))) $((100 * 256))" \
    "$(json program.json '.cpu0.mode.kernel.stall | "\(.l1d) \(.l2d)"')"
check_equal "its code is fetched once" "3 1" "$(json program.json '.cpu0.mode.kernel.miss | "\(.l1i) \(.l2_insn)"')"
# Instruction costs (docs/reference/cpu-models.md): what an instruction waits for is neither execution nor stall.
simos run --quiet --script services --set mipsy.latency.load=2 --set mipsy.latency.divide=20 --set mipsy.repeat.store=2 \
    --set mipsy.taken_delay=1 --stats costs.json -- sh -c 'ls / | sort'
check_equal "with instruction costs: exit status" 0 "$status"
check_rule costs.json "a mode's cycles are execution, stalls, interlocks and wait" \
    'modes | .execute + .wait + ([.stall[], .interlock[]] | add) - .cycles | select(. != 0)'
check_rule costs.json "an instruction a cycle executes" 'modes | .execute - .insns | select(. != 0)'
for cause in integer multiply memory branch; do
    check_rule costs.json "there are interlocks: $cause" "[modes | .interlock.$cause] | add | select(. == 0)"
    check_rule costs.json "services sum up to the modes: $cause" \
        "([.annotations.services[].interlock.$cause // 0] | add) - ([modes | .interlock.$cause] | add) | select(. != 0)"
done
finish
