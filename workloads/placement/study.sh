#!/bin/sh
# What `simos test` says of each kernel of patches.list against the one without a patch:
#
#     workloads/placement/study.sh SIMOS KERNELS TEST.tcl OUT [NAME...]
#
# KERNELS: the folder that kernels.sh filled. OUT gets NAME.txt and NAME.json of each, and a table with the verdicts, the seconds that it
# took, and what the rows are by their own and as linked. NAME: those alone.
set -eu
[ $# -ge 4 ] || {
    echo "usage: study.sh SIMOS KERNELS TEST.tcl OUT [NAME...]" >&2
    exit 1
}
simos=$1 kernels=$2 test=$3 out=$4
shift 4
mkdir -p "$out"
if [ $# -eq 0 ]; then
    for folder in "$kernels"/*/; do
        name=$(basename "$folder")
        [ "$name" = base ] || [ ! -f "$folder/vmlinux" ] || set -- "$@" "$name"
    done
fi
{
    echo "| kernel | verdicts | repetitions | seconds | largest own change | as linked |"
    echo "| --- | --- | --- | --- | --- | --- |"
} >"$out/study.md"
for name; do
    begin=$(date +%s)
    status=0
    "$simos" test "$test" --kernel "$kernels/base/vmlinux" --kernel "$kernels/$name/vmlinux" --quiet --out "$out/study" \
        --json "$out/$name.json" >"$out/$name.txt" || status=$?
    [ "$status" -lt 125 ] || exit "$status"
    seconds=$(($(date +%s) - begin))
    jq -r --arg name "$name" --arg seconds $seconds '.tests[0].results
        | def percent($part): (1e4 * $part | round / 100 | tostring) + " %";
          (map(if .placement.unlucky and .verdict == "unchanged" then "unlucky placement" elif .placement.lucky and .verdict == "unchanged" then "lucky placement" else .verdict end)
              | group_by(.) | map("\(length) \(.[0])") | join(", ")) as $verdicts
        | (max_by(.change // 0 | fabs)) as $most
        | (max_by(if .placement.old > 0 then ((.placement.linked - .placement.held) / .placement.old | fabs) else 0 end)) as $moved
        | "| \($name) | \($verdicts) | \(map(.repetitions) | max) | \($seconds) | \($most.row) \(percent($most.change / 100)) +- \(percent($most.half_width / 100)) | \($moved.row) \(percent(($moved.placement.linked - $moved.placement.held) / $moved.placement.old)) |"' \
        "$out/$name.json" >>"$out/study.md"
    tail -n 1 "$out/study.md"
done
