#!/bin/sh
# Prints the page of the results in OUT, one file that needs nothing else: tables, pictures and texts of the runs.
#
#     workloads/paper/page.sh SIMOS OUT FORM >OUT/index.html
set -eu
here=$(cd "$(dirname "$0")" && pwd)
simos=$1 out=$2 form=$3

# The statistics of each run that came to its end, as a file of its own.
rm -rf "$out/statistics" "$out/figures"
mkdir "$out/statistics" "$out/figures"
jq -r '.jobs[] | select(.state == "finished" and .status == 0) | .name' "$out/runs.json" | while read -r name; do
    jq --arg name "$name" '.jobs[] | select(.name == $name) | .statistics' "$out/runs.json" >"$out/statistics/$name.json"
done

# pictures FOLDER NAME...: what `simos report` draws of these runs, as far as they are there.
pictures()
{
    folder=$out/figures/$1
    shift
    for name; do
        shift
        [ ! -s "$out/statistics/$name.json" ] || set -- "$@" "$out/statistics/$name.json"
    done
    [ $# -gt 0 ] || return 0
    mkdir "$folder"
    "$simos" report --svg "$folder" "$@" >/dev/null
}
for workload in pmake database engineering; do
    pictures "$workload" "$workload-1994" "$workload-1996" "$workload-1998"
    pictures "$workload-hidden" "$workload-1996" "$workload-1996-static" "$workload-1998" "$workload-1998-static"
    pictures "$workload-mp8" "$workload-mp8"
done

# Kernel misses of figure 5.3 at its ends, a line a workload: coherence and what replacement took, of 256 KB and of 4 MB.
for counts in "$out"/caches-*-mp8.tsv; do
    [ -e "$counts" ] || continue
    name=${counts##*/caches-}
    awk -F '\t' -v name="${name%-mp8.tsv}" '
        $1 == "figure-5.3" && $7 == "kernel" && $3 == "l2" { count[$2, $9] += $10 }
        END {
            printf "%s", name
            split("256K 4M", sizes, " ")
            for (i = 1; i <= 2; i++)
                printf "\t%d\t%d", count[sizes[i], "coherence"], count[sizes[i], "self"] + count[sizes[i], "other"]
            print ""
        }' "$counts"
done | { printf 'workload\tcoherence_small\tcapacity_small\tcoherence_large\tcapacity_large\n'; cat; } >"$out/figure-5.3.tsv"

cat <<END
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The paper redone on Debian</title><style>
body { font: 15px/1.45 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222 }
h2 { margin-top: 2em } img { max-width: 100% } pre { font-size: 12px; overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto }
td, th { padding: 2px 8px; text-align: right; border-bottom: 1px solid #ddd } th { vertical-align: bottom }
td:first-child, th:first-child { text-align: left } td.paper { color: #888 }
td.holds { color: #060; font-weight: bold } td.not { color: #a00; font-weight: bold } td.holds + td, td.not + td { text-align: left }
</style></head><body>
<h1>The paper redone on Debian</h1>
<p>Every table and figure of <i>The Impact of Architectural Trends on Operating System Performance</i> (Rosenblum, Bugnion, Herrod,
Witchel, Gupta; SOSP 1995), measured by simos on the stock kernel and programs of Debian 12. Numbers in grey are the paper's own;
a dash is a number that it does not give, or that a run was not there for. Each workload goes on from one checkpoint, taken with
warm file caches, on every machine$([ -z "$form" ] || echo "; this page is of their short forms, too short for the paper's
conclusions"). Each run is whole, from the checkpoint to the workload's end; nothing is sampled.</p>
END
jq -n -r -L "$here" --slurpfile runs "$out/runs.json" --rawfile events "$here/sosp95-events.tsv" \
    --rawfile text "$here/sosp95-text.tsv" --rawfile t48 "$here/sosp95-table-4.8.tsv" --rawfile t54 "$here/sosp95-table-5.4.tsv" \
    --rawfile sizes "$out/figure-5.3.tsv" \
    -f "$here/page.jq" | while IFS= read -r line; do
    case $line in
    @FIGURE*)
        picture=$out/${line#@FIGURE }.svg # a run that is not there has none
        [ -s "$picture" ] || continue
        printf '<p><img alt="%s" src="data:image/svg+xml;base64,%s"></p>\n' "${line#@FIGURE }" "$(base64 -w 0 "$picture")"
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done
cat "$here/differences.html"
echo '</body></html>'
