#!/bin/sh
# embra's own matters (docs/design/translator.md): looking at translations leaves no trace, the size of the code memory changes
# nothing but speed, and its figures.
. "$(dirname "$0")/harness.sh"

simos run --kernel "$work/none" --cpu embra
if grep -q 'does not work on this host' "$work/err"; then
    pass "no embra on this host"
    finish
    exit
fi

job='seq 1 300 | sort -r | md5sum; awk "BEGIN { for (i = 1; i < 500; i++) s += sin(i) / i; print s }"
gzip -c /bin/simos-mark | md5sum; ls -l /bin | tail -n 3; exit 3'
# comparable FILE: statistics without what may differ between sizes of the code memory
comparable()
{
    jq 'del(.parameters.embra, .machine.models)' "$1"
}

for cache in none two-level; do
    # Code memory that is full again and again: the guest's figures stay.
    simos run --cpu embra --set cache.model=$cache --stats "$work/large.json" -- sh -c "$job"
    check_equal "caches $cache: exit status" 3 "$status"
    cp "$work/out" "$work/large.out"
    simos run --cpu embra --set cache.model=$cache --set embra.code_cache=1M --stats "$work/small.json" -- sh -c "$job"
    check_equal "caches $cache, 1 MB of code: exit status" 3 "$status"
    check_same_file "caches $cache, 1 MB of code: output" "$work/large.out" "$work/out"
    comparable "$work/large.json" >"$work/large.stats"
    comparable "$work/small.json" >"$work/small.stats"
    check_same_file "caches $cache, 1 MB of code: statistics" "$work/large.stats" "$work/small.stats"
    check_between "caches $cache, 1 MB of code: it was full" 10 1000000 "$(json "$work/small.json" .machine.models.embra.flushes)"
    for figure in traces translated_insns code_bytes dropped_pages; do
        check_between "caches $cache: machine.models.embra.$figure" 100 4000000000 \
            "$(json "$work/large.json" .machine.models.embra.$figure)"
    done

    # Translations of wherever the guest stands, kernel and user mode: the run is the same without them.
    for look in 0 1; do
        cat >"$work/script.tcl" <<END
param cpu.model embra
param cache.model $cache
build -- sh -c {$job}
set stops 0
set looked 0
set user 0
while {[run -insns 1000003] eq {insns}} {
    if {[incr stops] % 16 && [dict get [lindex [where] 0] mode] ne {user}} continue
    if {$look && ![catch {translation} text]} {
        incr looked
        incr user [regexp {user mode: [0-9]+ basic block} \$text]
        translation memset
        translation schedule
    }
}
stats save $work/look$look.json
puts stderr "looked: \$looked, user mode: \$user"
exit [status]
END
        simos shell "$work/script.tcl"
        check_equal "caches $cache, stopping, looking $look: exit status" 3 "$status"
        check_same_file "caches $cache, stopping, looking $look: output" "$work/large.out" "$work/out"
    done
    check_same_file "caches $cache: all statistics, with and without translations for looking at" \
        "$work/look0.json" "$work/look1.json"
    check_between "caches $cache: translations looked at" 20 1000 "$(sed -n 's/^looked: \([0-9]*\),.*/\1/p' "$work/err")"
    check_between "caches $cache: ... in user mode" 2 1000 "$(sed -n 's/^looked: .* mode: \([0-9]*\)$/\1/p' "$work/err")"
done

# What a listing says; twice the same.
cat >"$work/script.tcl" <<'END'
param cpu.model embra
param cache.model none
run -until start_kernel
puts [translation]
puts [translation memset]
model mipsy
catch {translation} message
puts $message
model embra
foreach place {0x80100002 0x00400000 0xbfc00000} {
    catch {translation $place} message
    puts $message
}
END
simos shell "$work/script.tcl"
check_equal "listing: exit status" 0 "$status"
cp "$work/out" "$work/listing"
check_match "listing: the superblock" '^superblock at 80[0-9a-f]{6}, physical 00[0-9a-f]{6}, kernel mode: [0-9]+ basic blocks?, ' "$work/listing"
check_match "listing: the guest's instruction" '^  80[0-9a-f]{6}: 27bd[0-9a-f]{4}  addiu   \$sp, \$sp, -' "$work/listing"
check_match "listing: its operation" '^     \$sp = add \$sp 0xffff' "$work/listing"
check_match "listing: code of the host" '^        0  sub r15,0x' "$work/listing"
check_match "listing: a stub by name" '<(link|lookup)>$' "$work/listing"
check_match "listing: what an operand is" '; counts.stores$' "$work/listing"
check_match "listing: what cold code is for" '^  access of 80[0-9a-f]{6} through a C function:$' "$work/listing"
check_no_match "listing: nothing that objdump does not know" '\(bad\)' "$work/listing"
check_equal "translation: what cannot be" "CPU model mipsy does not translate; \`model embra\` does
address 0x80100002 is not a multiple of 4
address 0x00400000 is not mapped on CPU 0
address 0xbfc00000 is not RAM: code executes from RAM only" "$(tail -n 4 "$work/listing")"
simos shell "$work/script.tcl"
check_same_file "listing: the same in another run" "$work/listing" "$work/out"
mkdir "$work/empty"
"$root/tests/limit.sh" 60 env PATH="$work/empty" "$SIMOS" shell "$work/script.tcl" >"$work/out" 2>"$work/err" </dev/null
status=$?
check_equal "listing without objdump: exit status" 0 "$status"
check_match "listing without objdump: bytes" '^        0  49 83 ef' "$work/out"
check_match "listing without objdump: what would help" 'objdump.*binutils' "$work/out"
finish
