#!/bin/sh
# What shows results of many rows takes time that grows with their number: of ROWS rows (20,000) one second of processor time for each
# 20,000, and one for each 10 MB of the file (docs/reference/security.md). One file for each kind of row of the statistics, and of the other
# files that `check` reads.
#
#     tests/cli/views.sh SIMOS
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
limit=$(realpath "$(dirname "$0")/../limit.sh")
kept=$(dirname "$0")/../fixtures
packed=$(realpath "$kept/$(find "$kept" -mindepth 1 -type d -printf '%f\n' | sort -V | tail -n 1)") # of the latest release
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit 1
fixtures=$dir/fixtures
mkdir "$fixtures" || exit 1
for name in statistics places profile timeline explanation; do
    gzip -dc "$packed/$name.json.gz" >"$fixtures/$name.json" || exit 1
done
rows=${ROWS:-20000}

# large NAME FIXTURE PROGRAM: NAME.json, the fixture changed by a program of jq, in which zero sets all numbers to 0 and
# some keeps of an account what every run has
large()
{
    jq --argjson n $rows "
        def zero: walk(if type == \"number\" then 0 else . end);
        def some: with_entries(select(.key | IN(\"calls\", \"cycles\", \"insns\", \"wait\", \"execute\", \"stall\", \"miss\")));
        $3" "$fixtures/$2.json" >"$1.json" || exit 1
}

large services statistics '(.annotations.services.USER | zero | some) as $row |
    .annotations.services += ([range($n) | {key: "service \(.)", value: $row}] | from_entries)'
large processes statistics '{cycles: 0, insns: 0, wait: 0} as $none | .annotations.processes += [range($n) |
    {pid: ., tgid: ., name: "process \(.)", user: $none, kernel: $none, idle: $none, services: {USER: $none}}]'
large of-process statistics '(.annotations.processes[0].services | to_entries[0].value | zero | some) as $row |
    .annotations.processes[0].services += ([range($n) | {key: "service \(.)", value: $row}] | from_entries)'
large events statistics '.annotations.events += ([range($n) | {key: "event \(.)", value: 1}] | from_entries)'
large locks statistics '(.annotations.locks[0] | zero) as $row | .annotations.locks += [range($n) | . as $i | $row | .name = "lock \($i)"]'
large misses statistics '.annotations.misses.rows[-1] as $row |
    .annotations.misses.rows += [range($n) | ["kernel", "service \(.)", "process \(.)", "routine \(.)", "data \(.)", $row[5], $row[6], 1, 1]]'
large places places '.annotations.cycles.rows += [range($n) | ["kernel", "routine \(.)", "execute", "", "", 1, 1]] |
    .cpu0.mode.kernel |= (.cycles += $n | .insns += $n | .execute += $n) | .cpu0 |= (.cycles += $n | .insns += $n) | .machine.time += $n |
    .annotations.services."COW FAULT" |= (.cycles += $n | .insns += $n)'
large time statistics '(.over_time.rows[-1] | with_entries(.value |= if type == "object" then zero | some else . end)) as $row |
    .over_time.rows += [range($n) | $row]'
large counters statistics '.cpu0 += ([range($n) | {key: "counter\(.)", value: 1}] | from_entries)'

# view KIND OPTION...: the command ends with what it printed, status 0, or 1 (rows that the file's sums do not have)
view()
{
    kind=$1
    shift
    # a part of 20,000 rows or of 10 MB is a second too
    "$limit" $(((rows + 19999) / 20000 + ($(stat -c %s "$kind.json") + 9999999) / 10000000)) "$simos" "$@" "$kind.json" >out 2>err </dev/null
    status=$?
    case $status in 0 | 1) status=ends ;; esac
    check "$rows $kind: $*: $(tail -n 1 err)" ends "$status"
}

for kind in services processes of-process events locks misses places time counters; do
    for command in "report --services=json" "report --html page.html" "explain $fixtures/places.json" "check"; do
        # shellcheck disable=SC2086 # words
        view $kind $command
    done
done
for kind in services processes of-process events; do
    view $kind report --services
    view $kind report --compare "$fixtures/statistics.json"
done

check "the page has all processes" "$rows" "$("$simos" report --html page.html processes.json >/dev/null && grep -o '>process [0-9]*</td>' page.html | sort -u | wc -l)"

large profile profile '.routines += [range($n) | {name: "routine \(.)", first: "0x80000000", stall: 1}] | .calls += [range($n) | {from: "a\(.)", to: "b\(.)", count: 1}]'
large timeline timeline '.traceEvents[-1] as $row | .traceEvents += [range($n) | $row]'
large explanation explanation '.leaves[-1] as $row | .leaves += [range($n) | . as $i | $row | .routine = "routine \($i)"]'
for kind in profile timeline explanation; do
    view $kind check
done

echo "views: $passed passed, $failed failed"
[ $failed = 0 ]
