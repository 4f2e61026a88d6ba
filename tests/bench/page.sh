#!/bin/sh
# Makes the page of the latest measurements, DIRECTORY/measurements.md: what each part of `make bench` printed, on which
# host, when, with which simos.
#
#     tests/bench/page.sh SIMOS DIRECTORY
#
# A part's table, DIRECTORY/PART.txt, becomes the section DIRECTORY/PART.md once, with the host and the simos that there
# are then; sections of earlier measurements stay as they are.
set -eu
simos=$1 out=$2

host()
{
    awk -F ': *' '/^model name/ { name = $2; count++ } END { printf "%s, %d processors", name ? name : "unknown processor", count }' /proc/cpuinfo
}

# section PART TITLE COMMAND
section()
{
    table=$out/$1.txt
    [ -s "$table" ] || return 0
    if [ ! -s "$out/$1.md" ] || [ "$table" -nt "$out/$1.md" ]; then
        {
            printf '## %s\n\n`%s`, %s, %s, %s:\n\n' "$2" "$3" "$(date -r "$table" +%F)" "$(host)" "$("$simos" --version | head -n 1)"
            sed 's/^\(.\)/    \1/' "$table"
        } >"$out/$1.md.new"
        mv "$out/$1.md.new" "$out/$1.md"
    fi
    cat "$out/$1.md"
    printf '\n'
}

# heading: of the line "worst of N rows[ (M not measured)]: ROW, QEMU/simos RATIO   ..." in the section of the comparison.
heading()
{
    worst=$(sed -n 's/^ *\(worst of [0-9]* rows.*: [^ ]*, QEMU\/simos .*[^ ]\)   goal .*/\1/p' "$out/comparison.md" 2>/dev/null) || true
    echo "# Measurements${worst:+: $worst}"
}

{
    page=$(
        section cost 'Cost' 'make bench-cost'
        section machines 'Machines and CPUs' 'make bench-machines'
        section comparison 'Comparison with QEMU and the host' 'make bench-compare'
        section pairs 'In pairs against another commit' 'make bench BENCH_AGAINST=REV'
    )
    heading
    printf '\nMade by `make bench` and copied here by `make bench-page`; [benchmarks.md](benchmarks.md) explains the tables.\n'
    [ -z "$page" ] || printf '\n%s\n' "$page"
} >"$out/measurements.md.new"
mv "$out/measurements.md.new" "$out/measurements.md"
