# shellcheck shell=sh
# Counts what a script checks, in $passed and $failed. Sourced.
passed=0 failed=0

# check RULE EXPECTED GOT: of texts that differ, 20 lines
check()
{
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL: %s: expected "%s", got "%s"\n' "$1" "$2" "$3" | head -n 20
    fi
}
