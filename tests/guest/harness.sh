# Shared by the whole-machine tests: counting, running the simulator, comparing. Source it, call check_* and finish.
# Every check names the rule it holds (architecture manual, paper, or the command line's contract). VERBOSE=1 also shows
# what passed, TIMES=1 the processor time of each run.
# shellcheck shell=sh disable=SC2034 # variables are the scripts'

root=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$root/$BUILD ;; esac
export SIMOS="${SIMOS:-$BUILD/simos}" # also for the Python package
guest=$root/build/guest
# shellcheck source=tests/terminals.sh
. "$root/tests/terminals.sh"
clock=200000000 # Hz, machine 1994
work=$(mktemp -d "${TMPDIR:-/tmp}/simos-test.XXXXXX")
echo 0 >"$work/times.before"
running= # process to end with us
trap '[ -z "$running" ] || kill "$running" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0

pass()
{
    passed=$((passed + 1))
    [ -z "${VERBOSE:-}" ] || echo "pass $1"
}

fail()
{
    failed=$((failed + 1))
    echo "FAIL $1"
    [ -z "${2:-}" ] || printf '%s\n' "$2" | head -n 20 | sed 's/^/     /'
}

# compile_bare SOURCE FILE [OPTION...]: the program tests/guest/SOURCE.S, for a machine without a system, as $work/FILE
compile_bare()
{
    source=$1 file=$2
    shift 2
    mipsel-linux-gnu-gcc -nostdlib -static -march=mips32r2 -mabi=32 -mfp32 -modd-spreg -Wa,-mno-fix-loongson3-llsc -mno-abicalls \
        -fno-pic -G0 -I"$root/tests/insn" -Wl,-T,"$root/tests/insn/test.ld" -Wl,--build-id=none -Wl,--no-warn-rwx-segments \
        "$@" -o "$work/$file" "$root/tests/insn/start.S" "$root/tests/guest/$source.S" || fail "$source.S compiles"
}

# check_equal RULE EXPECTED ACTUAL
check_equal()
{
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1" "expected: $2
got:      $3"
    fi
}

# check_between RULE LOW HIGH ACTUAL: decimal integers
check_between()
{
    if [ -n "$4" ] && [ "$4" -ge "$2" ] 2>/dev/null && [ "$4" -le "$3" ] 2>/dev/null; then
        pass "$1"
    else
        fail "$1" "expected: $2 to $3
got:      $4"
    fi
}

# check_match RULE PATTERN FILE: a line of FILE matches the extended regular expression
check_match()
{
    if grep -qE -- "$2" "$3"; then
        pass "$1"
    else
        fail "$1" "no line matches: $2
$(tail -n 12 "$3" | cut -c 1-300)"
    fi
}

# check_no_match RULE PATTERN FILE: the file is there, and no line of it matches
check_no_match()
{
    if [ ! -e "$3" ]; then
        fail "$1" "there is no $3"
    elif grep -E -- "$2" "$3" >"$work/matches"; then
        fail "$1" "lines match: $2
$(cat "$work/matches")"
    else
        pass "$1"
    fi
}

# check_same_file RULE EXPECTED ACTUAL
check_same_file()
{
    if cmp "$2" "$3" >"$work/cmp" 2>&1; then
        pass "$1"
    else
        fail "$1" "$(cat "$work/cmp"; diff "$2" "$3" 2>/dev/null | head -n 10)"
    fi
}

# simos ARGUMENTS: run it; stdout in $work/out, stderr in $work/err, exit status in $status. Files that a run before wrote
# under the same names are removed first: what a check finds is this run's. A run that needs more than $limit seconds (300)
# of processor time, or waits for ever, fails by name and ends the script: what comes after it would compare nothing.
simos()
{
    remove_outputs "$@"
    "$root/tests/limit.sh" "${limit:-300}" "$SIMOS" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ -z "${TIMES:-}" ] || tell_time "$@"
    case $status in
    152)
        : >"$work/timed-out"
        fail "timed out: simos $*" "$(tail -n 3 "$work/err")"
        finish
        exit 1
        ;;
    esac
}

# tell_time ARGUMENTS: the processor time of the script's processes since the last time
tell_time()
{
    times >"$work/times"
    awk -v arguments="$*" 'FILENAME ~ /before/ { before = $1; next }
        FNR == 2 { for (i = 1; i <= 2; i++) { split($i, time, /[ms]/); sum += 60 * time[1] + time[2] }
            printf "%.1f s: simos %s\n", sum - before, arguments; print sum >ARGV[1] }' "$work/times.before" "$work/times" >&2
}

# start ARGUMENTS: simos() in the background, its process in $running. What $work/out and $work/err say afterwards is this run's,
# not that of a run before. $running forwards signals, but for SIGKILL. SIGINT has its effect, which a shell takes from what it starts in the background.
start()
{
    remove_outputs "$@"
    : >"$work/out"
    : >"$work/err"
    env --default-signal=INT "$root/tests/limit.sh" "${limit:-300}" "$SIMOS" "$@" >"$work/out" 2>"$work/err" </dev/null &
    running=$!
}

# port_after WORDS: waits until the simos that start() started says "WORDS ADDRESS:PORT"; the port in $port
port_after()
{
    said="^simos: $1 [a-z:/]*127\\.0\\.0\\.1:\\([0-9]*\\)/\\{0,1\\}\$"
    # shellcheck disable=SC2016 # for eval
    wait_until 'grep -q "$said" "$work/err"'
    port=$(sed -n "s|$said|\\1|p" "$work/err")
}

# remove_outputs ARGUMENTS: the files below $work that simos writes with them
remove_outputs()
{
    previous=
    for argument; do
        case $previous in
        --stats | --profile | --trace | --record) file=$argument ;;
        --checkpoint) file=${argument%@*} ;;
        *) file= ;;
        esac
        case $file in
        "") ;;
        "$work"/*) rm -f "$file" ;;
        /*) ;;
        *) [ "$PWD" != "$work" ] || rm -f "$file" ;;
        esac
        previous=$argument
    done
}

# wait_until CONDITION: until a shell command is true. Gives up when the process $running has ended, or after ten minutes.
wait_until()
{
    tries=0
    until eval "$1"; do
        tries=$((tries + 1))
        [ $tries -lt 12000 ] || return 1
        case $(sed 's/.*) \(.\).*/\1/' "/proc/${running:-self}/stat" 2>/dev/null) in "" | Z) return 1 ;; esac
        sleep 0.05
    done
}

# json FILE EXPRESSION: a value of a statistics file. A failure is a text that equals no other one.
json()
{
    jq -r "$2" "$1" 2>&1 || echo "(jq failed: $(date +%s%N))"
}

# Debian's busybox for mipsel, from its package: what the guest's programs are compared with.
unpack_busybox()
{
    busybox=$work/busybox
    "$root/workloads/unpack.sh" busybox ./bin/busybox >"$busybox"
    check_equal "Debian's busybox is a program for MIPS" 7f454c46010101 "$(head -c 7 "$busybox" | od -An -tx1 | tr -d ' ')"
}

finish()
{
    echo "$(basename "$0"): $passed passed, $failed failed$(skipped_checks)"
    [ "$failed" = 0 ] && [ ! -e "$work/timed-out" ]
}
