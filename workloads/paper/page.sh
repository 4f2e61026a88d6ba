#!/bin/sh
# Prints the page of the results in OUT, one file that needs nothing else: tables, pictures and texts of the runs.
#
#     workloads/paper/page.sh SIMOS OUT FORM >OUT/index.html
#
# OUT/all.tcl has all runs, OUT/runs.json those that were done. Beside the page OUT gets statistics/RUN.json (services under the paper's
# names), services/WORKLOAD.json and .txt (`simos report --services`), report/WORKLOAD.txt, and figures. Fails if a
# run breaks a sum rule.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
simos=$1 out=$2 form=$3
lock=$here/../guest.lock

rm -rf "$out/statistics" "$out/figures" "$out/services" "$out/report"
mkdir "$out/statistics" "$out/figures" "$out/services" "$out/report"

# The statistics of each run that came to its end, and of the windows of one, as a file of its own; and whether all of it adds up.
jq -r '.jobs[] | select(.state == "finished" and .status == 0) | "\(.name)\t\(.statistics)"' "$out/runs.json" >"$out/runs.all"
cut -f 1 "$out/runs.all" >"$out/statistics/names"
awk -F '\t' -v folder="$out/statistics" '{ file = folder "/" $1 ".all"; print $2 >file; close(file) }' "$out/runs.all"
for merged in "$out"/windows/*.merged.json; do
    [ -e "$merged" ] || continue
    name=$(basename "$merged" .merged.json)
    echo "$name" >>"$out/statistics/names"
    cp "$merged" "$out/statistics/$name.all"
done
while read -r name; do
    jq -r -L "$here" --arg name "$name" -f "$here/check.jq" "$out/statistics/$name.all" >>"$out/statistics/broken"
    jq -L "$here" -f "$here/merge.jq" "$out/statistics/$name.all" >"$out/statistics/$name.json"
    rm "$out/statistics/$name.all"
done <"$out/statistics/names"
if [ -s "$out/statistics/broken" ]; then
    cat "$out/statistics/broken" >&2
    exit 1
fi
rm -f "$out/statistics/broken"

# report FOLDER-OF-FIGURES WORKLOAD COLUMN...: what `simos report` draws and says of these runs, as far as they are there.
report()
{
    name=$1 workload=$2
    shift 2
    for column; do
        shift
        [ ! -s "$out/statistics/$workload-$column.json" ] || set -- "$@" "$out/statistics/$workload-$column.json"
    done
    [ $# -gt 0 ] || return 0
    mkdir "$out/figures/$name"
    "$simos" report --svg "$out/figures/$name" "$@" >"$out/report/$name.txt"
}
# services NAME WORKLOAD COLUMN...: the tables of services and events of these runs.
services()
{
    name=$1 workload=$2
    shift 2
    for column; do
        shift
        [ ! -s "$out/statistics/$workload-$column.json" ] || set -- "$@" "$out/statistics/$workload-$column.json"
    done
    [ $# -gt 0 ] || return 0
    "$simos" report --services=json "$@" >"$out/services/$name.json"
    "$simos" report --services "$@" >"$out/services/$name.txt"
}
for workload in pmake database engineering; do
    report "$workload" "$workload" 1994 1996 1998
    report "$workload-hidden" "$workload" 1996 1996-static 1998 1998-static
    report "$workload-mp8" "$workload" mp8
    services "$workload" "$workload" 1994 1996 1998 mp8
    services "$workload-mp8" "$workload" 1996-mp8 1998-mp8 2015-mp8
done
services pmake-r3000 pmake-r3000 1994 1998
report dash pmake dash

# Every count of the caches, of all workloads.
printf 'name\tseries\tpoint\tcache\tsize\tline\tways\tmode\tkind\tcause\tcount\n' >"$out/caches.all"
for counts in "$out"/caches-*.tsv; do
    [ -e "$counts" ] || continue
    name=${counts##*/caches-}
    sed "1d; s/^/${name%.tsv}	/" "$counts" >>"$out/caches.all"
done
cat /dev/null "$out"/services/*.json >"$out/services.all"
# Names and statistics, of each run a line.
while read -r name; do
    jq -c --arg name "$name" '{name: $name, statistics: .}' "$out/statistics/$name.json"
done <"$out/statistics/names" >"$out/runs.all"

# How many of the runs came to the right answer.
print_answers()
{
    while read -r name; do
        [ ! -e "$out/ends/$name.answer" ] || echo "$name $(cat "$out/ends/$name.answer")"
    done <"$out/statistics/names" >"$out/answers.all"
    [ -s "$out/answers.all" ] || return 0
    wrong=$(sed -n 's/ wrong$//p' "$out/answers.all" | tr '\n' ' ')
    echo "Of $(wc -l <"$out/answers.all") of them it was seen what the workload came to, objects, accounts or checksums, from where its measured"
    echo "part ended: $([ -z "$wrong" ] && echo "all as it should be" || echo "all as it should be <b>but for $wrong</b>")."
}

# The guest that all figures are of: what guest.lock pins, and the versions that a reader asks for first.
print_guest()
{
    echo "The guest is the one that guest.lock pins (SHA-256 $(sha256sum <"$lock" | cut -c 1-64); the whole of it below):"
    awk '$1 == "file" && $4 ~ /^(linux-image-.*-mips32r2el|libc6|gcc-12|make|postgresql-15|iverilog|zlib|busybox-static)$/ {
        text = text separator $4 " " $5; separator = ", " } END { print text "." }' "$lock"
}

# embed KIND FILE: as the address of a picture or a file to keep.
embed()
{
    printf 'data:%s;base64,' "$1"
    base64 -w 0 "$2"
}
# keep FILE: its text, to unfold.
keep()
{
    [ -s "$1" ] || return 0
    printf '<details><summary>%s</summary><pre>' "${1#"$out/"}"
    sed 's/&/\&amp;/g; s/</\&lt;/g' "$1"
    echo '</pre></details>'
}

cat <<END
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The paper redone on Debian</title><style>
body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; overflow-wrap: break-word }
nav { border: 1px solid #ddd; padding: .2em 1em; margin: 1em 0 } nav ul { columns: 26em; padding-left: 1.2em } nav li { break-inside: avoid; margin: .1em 0 }
h2 { margin-top: 2em; border-top: 1px solid #bbb; padding-top: .6em } img { width: 100% } pre { font-size: 12px; overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; display: block; max-width: 100%; overflow-x: auto }
td, th { padding: 2px 8px; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap } th { vertical-align: bottom }
th.group { text-align: center; border-left: 1px solid #bbb } td:first-child, th:first-child { text-align: left; position: sticky; left: 0; background: #fff }
td.paper { color: #888 }
.findings th { text-align: left } .findings td { text-align: left; vertical-align: top; white-space: normal } .findings td:nth-child(2) { min-width: 16em }
td.holds { color: #060; font-weight: bold } td.not { color: #a00; font-weight: bold } td.partly { color: #850; font-weight: bold }
figure { margin: 0 0 1.5em 0 } figcaption { font-weight: bold; margin: .3em }
.missing { background: #fff3cd; padding: .5em } .note { color: #666; font-size: 13px } li { margin: .4em 0 }
</style></head><body>
<h1>The paper redone on Debian</h1>
<p>Every table and figure of <i>The Impact of Architectural Trends on Operating System Performance</i> (Rosenblum, Bugnion, Herrod,
Witchel, Gupta; SOSP 1995), measured by simos on the stock kernel and programs of Debian 12. Numbers in grey are the paper's own;
a dash is a number that it does not give, or that a run was not there for. Each workload goes on from one checkpoint, taken with
warm file caches, on every machine$([ -z "$form" ] || echo "; this page is of their short forms, too short for the paper's
conclusions"). $(if [ -n "${WINDOW:-}" ]; then echo "Each run is the first $WINDOW instructions only, which begin with cold caches: a first look.";
else echo "Each run is whole, from the checkpoint to the workload's end, but for the cache sizes of figures 4.6, 4.7 and 5.3: these are of the first 4,000 million
instructions, if there are more. Only the prediction is sampled, with intervals."; fi)
In each of the $(wc -l <"$out/statistics/names") runs services, processes and modes make up all cycles, instructions, stalls and misses to the last one.
$(print_answers)</p>
<p>$(print_guest)</p>
END
sed -n 's/^job \([^ ]*\) .*/\1/p' "$out/all.tcl" >"$out/planned.all"
(cd "$out" && find . -name '*.svg' | sed 's/^..//') >"$out/pictures.all"
jq -n -r -L "$here" --slurpfile runs "$out/runs.all" --slurpfile services "$out/services.all" --rawfile planned "$out/planned.all" --rawfile pictures "$out/pictures.all" \
    --rawfile conditions "$here/conditions.tsv" --rawfile caches "$out/caches.all" --rawfile events "$here/sosp95-events.tsv" --rawfile text "$here/sosp95-text.tsv" \
    --rawfile t48 "$here/sosp95-table-4.8.tsv" --rawfile t54 "$here/sosp95-table-5.4.tsv" -f "$here/page.jq" >"$out/body.all"
# Every section has a name to go to, and a line in the list of contents.
echo '<h2>The same as text, and as JSON</h2>' >>"$out/body.all"
awk '/^<h2>/ {
        name = tolower($0); gsub(/<[^>]*>/, "", name); sub(/^(table|figure) [0-9.]*/, "&:", name); sub(/:.*/, "", name)
        gsub(/&[a-z]*;/, "", name); gsub(/[^a-z0-9.]+/, "-", name); sub(/-$/, "", name)
        text = $0; sub(/^<h2>/, "", text); sub(/<\/h2>.*/, "", text)
        printf "<li><a href=\"#%s\">%s</a></li>\n", name, text >contents
        printf "<a id=\"%s\"></a>\n", name
    }
    { print }' contents="$out/contents.all" "$out/body.all" >"$out/named.all"
echo '<nav aria-label="Contents"><ul>'
cat "$out/contents.all"
echo '</ul></nav>'
while IFS= read -r line; do
    case $line in
    @FIGURE*)
        line=${line#@FIGURE }
        picture=${line%% *}
        printf '<figure><figcaption>%s</figcaption><img alt="%s" src="%s"></figure>\n' "${line#* }" "$picture" "$(embed image/svg+xml "$out/$picture.svg")"
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$out/named.all"
for text in "$out"/report/*.txt "$out"/services/*.txt "$out"/caches-*.txt; do
    keep "$text"
done
cp "$lock" "$out/guest.lock"
keep "$out/guest.lock"
for json in "$out"/services/*.json; do
    [ ! -e "$json" ] || printf '<p><a download="%s" href="%s">%s</a>: services and event rates</p>\n' "${json##*/}" "$(embed application/json "$json")" "${json##*/}"
done
echo '<p>Every counter of every run is in runs.json beside this page, every count of the caches in caches-*.tsv.</p>'
rm "$out"/*.all
echo '</body></html>'
