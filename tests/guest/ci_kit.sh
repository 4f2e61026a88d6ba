#!/bin/sh
# The kit for CI of other projects (docs/how-to/ci-kit.md) on repositories made for it: a C program of 16 commits of which one
# costs system time and one does not build, and a kernel tree with a commit that costs in fork and one that only moves code.
#
#     tests/guest/ci_kit.sh FOLDER [program | kernel]
#
# FOLDER keeps repositories and results. `make test-ci-kit`; not in `make test`: it builds three kernels.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
folder=$1 part=${2-all}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
kit=$root/workloads/ci-kit
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' GIT_CONFIG_NOSYSTEM=1

# kit ARGUMENTS: the script; output in $work/out, errors in $work/err, $status
kit()
{
    "$kit/ci-kit.sh" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ -z "${VERBOSE:-}" ] || cat "$work/out" "$work/err"
}

# A program that writes a report, and its history: commit 10 flushes after each line; commit 8 does not build.
make_program()
{
    rm -rf "$folder/report"
    mkdir -p "$folder/report/ci"
    cd "$folder/report" || exit
    git init -q -b main
    cat >Makefile <<'END'
report: report.c
	$(CC) -O2 $(LDFLAGS) -o $@ report.c
END
    cat >report.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static unsigned next(unsigned *state)
{
    *state = *state * 1103515245 + 12345;
    return *state >> 16;
}

int main(int count, char **words)
{
    const int lines = count > 1 ? atoi(words[1]) : 100;
    unsigned state = 1;
    FILE *out = fopen("/tmp/report.txt", "w");
    if (!out)
        return 1;
    for (int line = 0; line < lines; line++) {
        fprintf(out, "%6d %u\n", line, next(&state));
    }
    return fclose(out) ? 1 : 0;
}
END
    cat >ci/report.tcl <<'END'
# What a report of 400 lines costs.
program report 400
machine 1994
repetitions 4 16
row "system time" cycles -mode kernel -process report -within 10
row "write: cycles" cycles -service write -process report -within 20
row "write: calls" calls -service write -process report -within 5
END
    git add -A && git commit -q -m "1: report"
    for number in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        case $number in
        8) sed -i 's|unsigned state = [0-9]*;|unsigned state = 8|' report.c && subject="another seed" ;;
        9) sed -i 's|unsigned state = 8$|unsigned state = 9;|' report.c && subject="another seed, complete" ;;
        10) sed -i 's|^\( *\)fprintf(out.*|&\n\1fflush(out);|' report.c && subject="no line is lost when the power fails" ;;
        *) sed -i "s|unsigned state = [0-9]*;|unsigned state = $number;|" report.c && subject="another seed" ;;
        esac
        git commit -q -a -m "$number: $subject"
        git tag "c$number"
    done
    git tag c1 "$(git rev-list --max-parents=0 HEAD)"
}

test_program()
{
    make_program
    build='make --quiet report'
    planted=$(git rev-parse c10)
    results=$folder/program

    kit --program report --build "$build" --against c9 --commit c10 --out "$results" ci/report.tcl
    check_equal "a regression in system time: red" 1 "$status"
    check_match "the reason: calls of write" '^ci/report.tcl: regression: write: calls on 1994: \+[0-9.]* %.*: most in write$' "$work/out"
    check_match "what they cost" '^ci/report.tcl: regression: write: cycles on 1994: \+[0-9.]* %.*: most in write; ' "$work/out"
    check_match "and the kernel's time" '^ci/report.tcl: regression: system time on 1994: \+[0-9.]* %' "$work/out"
    cp "$results/report.md" "$folder/program.md" && cp "$results/report.html" "$folder/program.html" && cp "$work/out" "$folder/program.txt"
    cp "$results/dashboard.json" "$folder/program.json"
    check_match "the comment begins with the counts" '^### ci/report.tcl: .*regression' "$results/report.md"
    check_match "the parts are folded" '^<details><summary>Where the differences come from</summary>' "$results/report.md"
    check_equal "a dashboard has all rows" 3 "$(jq length "$results/dashboard.json")"
    check_equal "JUnit: the failures" 3 "$(grep -c '<failure' "$results/junit.xml")"
    check_equal "TAP: they are not ok" 3 "$(grep -c '^not ok' "$results/report.tap")"

    kit --program report --build "$build" --against c10 --commit c11 --out "$results" ci/report.tcl
    check_equal "another seed: green" 0 "$status"
    kit --program report --build "$build" --commit c8 --against c7 --out "$results" ci/report.tcl
    check_equal "what does not build: 125" 125 "$status"
    check_match "it says why" "^ci-kit: $(git rev-parse c8) does not build: report.c:[0-9]*:.* error: expected" "$work/err"
    kit --program report --build "$build" --commit nosuch --out "$results" ci/report.tcl
    check_match "a commit that there is not" '^ci-kit: .* has no commit nosuch' "$work/err"

    # As a job of a service runs it.
    : >"$work/summary"
    run=$(sed -n "s/^      run: '\(.*\)'$/\1/p" "$kit/action.yml")
    check_equal "the action has one step of its own" 1 "$(echo "$run" | wc -l)"
    TESTS=ci/report.tcl PROGRAM=report BUILD="$build" AGAINST=c9 COMMIT=c10 OUT=$results GITHUB_STEP_SUMMARY=$work/summary \
        GITHUB_OUTPUT=$work/outputs GITHUB_ACTION_PATH=$kit sh -c "$run" >"$work/out" 2>"$work/err"
    check_equal "the job of the action: red" 1 $?
    check_same_file "its summary is the report" "$results/report.md" "$work/summary"
    check_equal "its outputs" "report=$results/report.md dashboard=$results/dashboard.json" "$(xargs <"$work/outputs")"

    # Which commit was it?
    git bisect start c16 c1 >/dev/null 2>&1
    git bisect run "$kit/ci-kit.sh" --program report --build "$build" --against c1 --bisect --out "$results" "$PWD/ci/report.tcl" \
        >"$work/bisect" 2>&1
    check_equal "git bisect finds the commit among 16" "$planted" "$(git rev-parse refs/bisect/bad)"
    check_match "and says so" "^$planted is the first bad commit" "$work/bisect"
    git bisect log >"$results/bisect.log"
    git bisect reset >/dev/null 2>&1

    # The trend of the branch: each commit against the first one.
    rm -rf "$folder/trend"
    for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        kit --program report --build "$build" --against c1 --commit "c$number" --trend "$folder/trend" --out "$results" ci/report.tcl
    done
    check_equal "a line a commit, but of the one that does not build" 15 "$(wc -l <"$folder/trend/trend.jsonl")"
    simos report --trend "$folder/trend"
    cp "$work/out" "$folder/trend.txt"
    check_match "it stepped at the planted commit" "^    $planted: \+.* since $(git rev-parse c1)" "$work/out"
    check_equal "each row once" 3 "$(grep -c ' since ' "$work/out")"
    simos report --trend "$folder/trend" --html "$folder/trend.html"
    check_equal "a chart a row" 3 "$(grep -c '<svg' "$folder/trend.html")"
}

# The source of Linux as a repository: commits base, fork (which clears 16 KB in each clone) and move (a function that nothing
# calls is put before the others).
make_kernel()
{
    cd "$folder" || exit
    if [ ! -d linux/.git ]; then
        rm -rf linux
        mkdir linux
        tar -x -f "$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)" -C linux --strip-components 1
        git -C linux -c init.defaultBranch=main init -q
        git -C linux -c core.compression=0 -c gc.auto=0 add -A -f
        git -C linux -c core.compression=0 -c gc.auto=0 commit -q -m base
    fi
    cd linux || exit
    git checkout -q --force --detach "$(git rev-list --max-parents=0 --all | head -n 1)"
    git tag -f base >/dev/null
    sed -i '/^pid_t kernel_clone(/,/^{/s|^{|{\n\tstatic char scratch[16384];|; /^pid_t kernel_clone(/,/^}/s|^\tpid_t nr;|&\n\n\tmemzero_explicit(scratch, sizeof(scratch));|' kernel/fork.c
    git diff --quiet && fail "the planted commit changes something"
    git commit -q -a -m "fork: scratch is clean" && git tag -f fork >/dev/null
    git checkout -q --force --detach base
    sed -i '/^#include <trace\/events\/task.h>/a \\nstatic void __used noinline moved(void) { asm volatile(".space 1520"); }' kernel/fork.c
    git diff --quiet && fail "the commit that moves code changes something"
    git commit -q -a -m "fork: its functions lie elsewhere" && git tag -f move >/dev/null
    git checkout -q --force --detach base
}

test_kernel()
{
    make_kernel
    cat >"$folder/fork.tcl" <<'END'
# What starting programs costs a kernel.
position mark:begin -- sh -c {sleep 2; simos-mark begin; for i in 1 2 3 4; do ls / | wc -l; done}
machine 1994
repetitions 5 20
row "fork: cycles" cycles -service clone -within 5
row "exec: cycles" cycles -service execve -within 5
END
    cd "$folder" || exit
    kit --kernel linux --against base --commit fork --out "$folder/kernel" fork.tcl
    check_equal "a regression in fork: red" 1 "$status"
    cp "$folder/kernel/report.md" "$folder/kernel-fork.md" && cp "$work/out" "$folder/kernel-fork.txt"
    check_match "the reason: clone" '^fork.tcl: regression: fork: cycles on 1994: \+.*own \+.*: most in clone' "$work/out"
    check_equal "exec is as it was" 0 "$(grep -c '^fork.tcl: regression: exec' "$work/out")"
    kit --kernel linux --against base --commit move --out "$folder/kernel" fork.tcl
    cp "$folder/kernel/report.md" "$folder/kernel-move.md" && cp "$work/out" "$folder/kernel-move.txt"
    check_equal "code that only moves: green" 0 "$status"
    check_equal "no row is a regression" 0 "$(grep -c '^regression' "$work/out")"
}

[ "$part" = kernel ] || test_program
[ "$part" = program ] || test_kernel
finish
