#!/bin/sh
# ci-kit.sh as a job of a CI service runs it, which gives its settings in the environment:
#
#     TESTS KERNEL PROGRAM BUILD AGAINST COMMIT OUT TREND STRICT    as the options of ci-kit.sh; empty: not given
#
# On GitHub (action.yml) the report becomes the step's summary, and where it is becomes an output of the step.
set -eu
kit=$(cd "$(dirname "$0")" && pwd)
# The checkout is another user's in a container.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
out=${OUT:-simos-results}
set -f
# shellcheck disable=SC2086 # a list of files
set -- $TESTS
set +f
[ "${STRICT-}" != true ] || set -- --strict "$@"
for setting in "kernel=${KERNEL-}" "program=${PROGRAM-}" "build=${BUILD-}" "against=${AGAINST-}" "commit=${COMMIT-}" "out=$out" "trend=${TREND-}"; do
    [ -z "${setting#*=}" ] || set -- "--${setting%%=*}" "${setting#*=}" "$@"
done
status=0
"$kit/ci-kit.sh" "$@" || status=$?

report=$out/report.md
[ -f "$report" ] || exit $status
if [ -n "${GITHUB_OUTPUT-}" ]; then
    printf 'report=%s\ndashboard=%s\n' "$report" "$out/dashboard.json" >>"$GITHUB_OUTPUT"
fi
[ -z "${GITHUB_STEP_SUMMARY-}" ] || cat "$report" >>"$GITHUB_STEP_SUMMARY"
exit $status
