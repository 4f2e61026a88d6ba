# For the tests of the benchmarks: what they count, in passed and failed.
passed=0 failed=0

# verdict WHAT STATUS EXPECTED LACKING FILE...: passes with the expected exit status and if LACKING, the patterns that were
# not found, is empty; otherwise prints the files in which they were looked for.
verdict()
{
    if [ "$2" = "$3" ] && [ -z "$4" ]; then
        passed=$((passed + 1))
        return
    fi
    echo "FAIL: $1: status $2, not $3; lacking:$4"
    shift 4
    cat "$@"
    failed=$((failed + 1))
}

# lacking_in FILE PATTERN...: the extended regular expressions that match no line of it, each in quotes.
lacking_in()
{
    lacking_file=$1
    shift
    for pattern; do
        grep -Eq -e "$pattern" "$lacking_file" || printf " '%s'" "$pattern"
    done
}
