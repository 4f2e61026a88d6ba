#!/bin/sh
# What runs the parts of the tests (tests/part.sh, tests/run-all.sh, tests/times.sh) counts them rightly, in a folder of its own: nothing
# that fails, is missing or says nothing is taken for passed.
# shellcheck disable=SC2016 # for other shells
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir" || exit 1
mkdir tests .ci
cp "$root/tests/part.sh" "$root/tests/run-all.sh" "$root/tests/times.sh" tests
cp "$root/.ci/progress.sh" .ci
unset MAKEFLAGS MFLAGS MAKELEVEL
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"

# counted SCRIPT: the sums of a part, and its exit status
counted()
{
    tests/part.sh kind/name sh -c "$1" >out 2>&1
    status=$?
    echo "$(cut -f 2-4 build/test/results/kind.name | tr '\t' ' ') status $status"
}
check "a command that counts nothing" "1 0 0 status 0" "$(counted true)"
check "... and fails" "0 1 0 status 1" "$(counted 'exit 3')"
check "several counts" "7 0 0 status 0" "$(counted 'echo a: 3 passed, 0 failed; echo 4 passed, 0 failed')"
check "skipped" "3 0 2 status 0" "$(counted 'echo a: 3 passed, 0 failed, 2 skipped')"
check "failures are failures whatever the status" "3 1 0 status 1" "$(counted 'echo a: 3 passed, 1 failed')"
check "a status is a failure whatever is counted" "3 1 0 status 1" "$(counted 'echo a: 3 passed, 0 failed; exit 1')"
check "a signal is a failure" "0 1 0 status 1" "$(counted 'kill -9 $$')"
check "no count in the midst of a line" "1 0 0 status 0" "$(counted 'echo and so 5 passed, 0 failed')"
check "the output of a failure is shown" "said" "$(counted 'echo said; exit 1' >/dev/null; head -n 1 out)"
check "what passes is a line" 1 "$(counted 'echo said' >/dev/null; wc -l <out)"
check "what is skipped is shown" "skipped: no network" "$(counted 'echo skipped: no network' >/dev/null; head -n 1 out)"
counted 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' >/dev/null
check "processor time is the command's" yes "$(awk -F'\t' '{ print ($6 > 0 && $6 < 60 ? "yes" : $6) }' build/test/results/kind.name)"
check "another make's jobs are not the command's" "" "$(MAKEFLAGS=-j7 tests/part.sh kind/name sh -c 'echo "$MAKEFLAGS"' >/dev/null; head -n 1 build/test/log/kind.name)"

cat >Makefile <<'END'
part-a-%:
	@tests/part.sh a/$* sh -c 'echo $* >>order; echo "a: 2 passed, 0 failed"'
early:
	@echo early >>order
part-b-broken: nothing-makes-this
	@tests/part.sh b/broken true
END
printf '# part\tprocessor s\na/short\t0.1\t1.0\t0\na/long\t5\t9.0\t0\n' >tests/times.tsv
tests/run-all.sh make a/short a/long a/new >out 2>&1
check "all parts pass: status" 0 $?
check "... the last line" "6 passed, 0 failed" "$(tail -n 1 out)"
check "... a part that is not in the table comes first, then the longest" "new long short" "$(tr '\n' ' ' <order | sed 's/ $//')"
check "... a row for a kind" "a 3 6 0" "$(awk '$1 == "a" { print $1, $2, $3, $4 }' out)"
FIRST=early tests/run-all.sh make a/short >out 2>&1
check "a goal that comes first" "early short" "$(tail -n 2 order | tr '\n' ' ' | sed 's/ $//')"
tests/run-all.sh make a/short b/broken >out 2>&1
check "a part that cannot be run: status" 1 $?
check "... it has failed" "2 passed, 1 failed" "$(tail -n 1 out)"
check "... by name" 1 "$(grep -c '^b/broken: not run, because what it needs could not be built$' out)"
tests/run-all.sh make >out 2>&1
check "no part at all is no success" 1 $?
tests/times.sh build/test/results tests/times.tsv >out
check "the table of times" "a/short" "$(grep -v '^#' tests/times.tsv | cut -f 1)"
check "... is printed" same "$(cmp out tests/times.tsv && echo same)"
# Parts that wait for what is shown: of 20 planned seconds 5 have ended, then 15. How long the rest takes is known when a part has
# ended since the first one, before which what they need was built.
cat >shown.sh <<'END'
tries=0
until grep -q "^tests: testing $1" out || [ $tries -gt 600 ]; do tries=$((tries + 1)); sleep 0.1; done
END
cat >>Makefile <<'END'
part-c-first:
	@tests/part.sh c/first true
part-c-ends:
	@tests/part.sh c/ends sh shown.sh "25%, .* so far"
part-c-waits:
	@tests/part.sh c/waits sh shown.sh "75%, .* left"
END
printf 'c/first\t5\t3\t0\nc/ends\t10\t2\t0\nc/waits\t5\t1\t0\n' >>tests/times.tsv
PROGRESS_PERIOD=1 tests/run-all.sh "make -j3" c/first c/ends c/waits >out 2>&1
check "how far it is, by the seconds of the table" "25%, so far; 75%, left" \
    "$(sed -n 's/^tests: testing \([0-9]*%,\) [0-9]*:[0-9]* \(.*\)$/\1 \2/p' out | awk '!seen[$0]++' | paste -sd ';' | sed 's/;/; /')"
check "the steps of a part are not the run's" "" "$(PROGRESS=/ tests/part.sh kind/name sh -c 'echo "${PROGRESS-}"' >/dev/null; cat build/test/log/kind.name)"
rm -rf build
tests/times.sh build/test/results tests/times.tsv >out 2>&1
check "no run, no table" 1 $?

echo "runner: $passed passed, $failed failed"
[ "$failed" = 0 ]
