# Every event type of annotations with every variable of a body: the same lines under every CPU model, interpreted and translated,
# over one program without a system (tests/guest/events.S), and what only a system has over one that starts Linux. What to
# observe and what to compare comes from the program's own tables: a type or a variable that no event has shown fails.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

compile_bare events events
mipsel-linux-gnu-nm "$work/events" >"$work/events.sym"

# The events of the last run, without the variables whose meaning is a time. Of `cycle` and `time`, which are times, only that
# they came; of misses under mxs what does not say how far it has executed.
events_of()
{
    times=$(sed -n 's/^variable \([^ ]*\) time .*/\1/p' "$work/err" | paste -sd'|')
    sed -nE -e "s/ ($times)=[^ ]*//g" -e 's/^(cycle|time): .*/\1: came/p' -e '/^[a-z-]+: at=/p' "$work/err"
}
details()
{
    sed -E '/^(miss|scache): /s/ (at|[vatsk][0-9]|gp|sp|fp|ra|hi|lo|INSTS|epc|cause|sr|bad)=[^ ]*//g'
}

for run in "mipsy" "mipsy --set mipsy.translate_after=0" "embra" "mxs"; do
    # shellcheck disable=SC2086 # words
    simos run --kernel "$work/events" --initrd none --table none --set cache.classify=full --set guest.symbols="$work/events.sym" \
        --set cpu.page_walker=on \
        --script "$root/tests/guest/events.tcl" --max-insns 3000000 --cpu $run
    check_equal "$run: the program ends well" 0 "$status"
    events_of >"$work/lines"
    grep -E '^(type|variable) ' "$work/err" >"$work/tables"
    if [ "$run" = mipsy ]; then
        cp "$work/lines" "$work/first"
        details <"$work/first" >"$work/first.details"
        cp "$work/err" "$work/bare"
    elif [ "$run" = mxs ]; then
        details <"$work/lines" >"$work/lines.details"
        check_same_file "$run: the same events as mipsy" "$work/first.details" "$work/lines.details"
    else
        check_same_file "$run: the same events as mipsy" "$work/first" "$work/lines"
    fi
done

# The values themselves, once.
values()
{
    sed -n "s/^$1: .* VALUE=\([^ ]*\) SIZE=\([^ ]*\) .*/\1:\2/p" "$work/first" | paste -sd' '
}
check_equal "store: VALUE:SIZE of sb sh sw swl swr sc swc1 sdc1 sh sb; sb sw" \
    "239:1 52719:2 2309737967:4 35243:4 3454992384:4 2309737967:4 2309737967:4 9920249032904265199:8 52719:2 0:1 239:1 61184:4" "$(values store)"
check_equal "load: the bytes, not sign-extended" \
    "2309737967:4 239:1 239:1 52719:2 52719:2 2309737967:4 35243:4 3454992384:4 2309737967:4 9920249032904265199:8 205:1 0:1 61184:2" "$(values load)"

# What only a system has: the details of its events.
dd if=/dev/zero of="$work/zeros" bs=4096 count=4 2>/dev/null
job='insmod /lib/modules/crc16.ko; dd if=/dev/vda of=/dev/null bs=4096 count=4; sync; ping -c 1 -W 1 10.0.2.2 >/dev/null'
printf 'set linux 1\nsource %s\n' "$root/tests/guest/events.tcl" >"$work/linux.tcl"
for cpu in embra mipsy mxs; do
    simos run --table none --cpu embra --set cache.model=none --switch $cpu@boot --script "$work/linux.tcl" --disk "$work/zeros" --net user -- sh -c "$job"
    grep -E '^(disk|packet|module): ' "$work/err" | sed -E -e 's/^([a-z]+:).* (EVENT=[^ ]*).* (SIZE=[^ ]*).* (DISK=.*)/\1 \2 \3 \4/' |
        awk '$1 != "packet:" || substr($NF, 32, 4) == "0806"' | sort >"$work/lines"
    [ "$cpu" != embra ] || cp "$work/lines" "$work/first"
    [ "$cpu" != embra ] || cp "$work/err" "$work/linux"
    check_equal "$cpu: the job ends well" 0 "$status"
    for type in disk packet module; do check_match "$cpu: there are events of $type" "^$type: " "$work/lines"; done
    check_same_file "$cpu: the same events of Linux as embra" "$work/first" "$work/lines"
done

# Every type has occurred, and every variable had a value in an event of each type that the table names for it.
cat "$work/bare" "$work/linux" | awk '
    $1 == "type" { type[$2] }
    $1 == "variable" { wants[$2] = $0 }
    $1 ~ /:$/ && $2 ~ /^at=/ {
        name = substr($1, 1, length($1) - 1)
        seen[name]
        for (i = 2; i <= NF; i++) { split($i, part, "="); if (part[2] != "") { has[part[1] " " name]; any[part[1]] } }
    }
    END {
        for (t in type) if (!(t in seen)) print "no event of type " t
        for (v in wants) {
            n = split(wants[v], words, " ")
            for (i = 3; i <= n; i++)
                if (words[i] == "any" || words[i] == "time" ? !(v in any) : !(v " " words[i] in has)) print v " has no value in " words[i]
        }
    }' | sort >"$work/missing"
check_equal "every type and every variable is shown" "" "$(cat "$work/missing")"
finish
