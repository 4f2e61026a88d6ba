#!/bin/sh
# run.sh SCRIPT...: runs them two at a time, each one's output in one piece when it has ended. A script that ends
# without its sum counts as one failure.
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export work
# shellcheck disable=SC2016 # for the inner shell
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I '{}' sh -c '
    name=$(basename "{}")
    started=$(date +%s)
    sh "{}" >"$work/$name" 2>&1
    status=$?
    tail -n 1 "$work/$name" | grep -qE "^$name: [0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?\$" ||
        echo "$name: 0 passed, 1 failed" >>"$work/$name"
    [ -z "$TIMES" ] || echo "$(($(date +%s) - started)) s" >>"$work/$name"
    cat "$work/$name"
    exit $status'
