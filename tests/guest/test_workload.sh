#!/bin/sh
# A workload, positioned: the short form of program development. The others, and the full ones: make test-workloads.
. "$(dirname "$0")/harness.sh"

# The same inputs, in an empty cache.
mkdir -p "$work/cache/packages"
package=$("$root/workloads/fetch.sh" source-zlib) || fail "fetch.sh source-zlib"
ln -s "${package#*  }" "$work/cache/packages"
SIMOS_CACHE=$work/cache "$root/workloads/mkworkload.sh" "$SIMOS" pmake-short "$work/made" >"$work/err" 2>&1 ||
    fail "mkworkload.sh" "$(cat "$work/err")"
check_match "it says what it does" "^workload pmake-short: compiling for the second time" "$work/err"
check_match "an object, and an archive" "^[0-9a-f]{64}  \./zutil\.o$" "$work/made/pmake-short.answer"
before=$(stat -L -c %Y.%i "$work/made/pmake-short.ckpt")
SIMOS_CACHE=$work/cache "$root/workloads/mkworkload.sh" "$SIMOS" pmake-short "$work/made" >"$work/err" 2>&1
check_equal "made once as long as nothing changes" "$before" "$(stat -L -c %Y.%i "$work/made/pmake-short.ckpt")"

simos restore "$work/made/pmake-short.ckpt" --machine 1994 --quiet
check_equal "on the 1994 machine it ends well" 0 "$status"
check_same_file "and makes the same as when it was positioned" "$work/made/pmake-short.answer" "$work/out"
finish
