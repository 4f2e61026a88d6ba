# Shared by the tests of layout maps: source it behind harness.sh.
# shellcheck shell=sh

maps() { python3 "$root/tests/guest/layout_maps.py" "$@"; }

# comparable NAME: the statistics NAME.all without what a map and the host's code change, as NAME.json
comparable()
{
    jq 'del(.parameters, .machine.command) | walk(if type == "object" then del(.code_bytes) else . end)' "$work/$1.all" >"$work/$1.json"
}
