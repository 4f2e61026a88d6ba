#!/bin/sh
# Runs one row of the comparison with one simos and prints what it took.
#
#     tests/bench/row.sh ROW SIMOS [OPTION...]        (in the top folder, after `make bench-files BENCH=ROW`)
#
# OPTIONs go to `simos run`: --cpu (embra), --set, --stats ... Without any: --cpu embra --set cache.model=none. The
# environment variable BENCH_AMOUNT replaces the amount in tests/bench/rows, BENCH_OUT the folder build/bench.
set -u
[ $# -ge 2 ] || { echo "usage: row.sh ROW SIMOS [OPTION...]" >&2 && exit 2; }
row=$1 simos=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
out=${BENCH_OUT:-build/bench} timeout=${BENCH_TIMEOUT:-1200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/bench/systems.sh
. "$here/systems.sh"
cpu=$(fastest_cpu)
[ -n "$(image_of "$row")" ] || die "no row '$row' (see tests/bench/rows)"
amount=${BENCH_AMOUNT:-$(amount_of "$row")}

run_simos "${*:---set cache.model=none}" "$row" "$amount" && line=$(times_of_job) && [ -n "$line" ] || {
    tail -n 5 "$work/err" "$work/lines" >&2
    die "$row failed"
}
# shellcheck disable=SC2086 # numbers and a checksum
set -- $line
echo "$row $amount: $2 s, $4 s of processor time, sum $5; the whole run with its boot: $(guest_instructions)" \
    "instructions, $(guest_refills) TLB refills; load average $(load)"
