#!/bin/sh
# `make byte-copying` (docs/how-to/byte-copying.md): a bare program times copies by the temperature of the cache, simos
# checks the temperatures by its tags, and the page compares with Inouye, Walpole and Zhang 1995.
. "$(dirname "$0")/harness.sh"

out=$root/build/byte-copying
source=$root/workloads/byte-copying
# copies ELF ARGUMENTS: runs the program on the HP 720
copies()
{
    elf=$1
    shift
    simos run --quiet --table none --machine hp-720 --kernel "$out/$elf.elf" --initrd none --set guest.symbols="$out/$elf.sym" "$@"
}
# cycles ROUTINE SOURCE DESTINATION OFFSET PLACEMENT
cycles() { sed -n "s/^$1 $2 $3 $4 $5 //p" "$work/first"; }

copies copy --script "$source/check.tcl"
check_equal "every copy begins with the temperatures of its cell" 0 "$status"
check_match "... which were checked" 'checked 296 copies' "$work/err"
cp "$work/out" "$work/first"
check_equal "a line a cell" 74 "$(wc -l <"$work/first")"
copies copy
check_same_file "a second time, unobserved, it takes the same time" "$work/first" "$work/out"
copies copy --set cpu.model=embra
check_same_file "under the other in-order model, too" "$work/first" "$work/out"

# Table 5, within one per cent: the column that the costs are fitted to, and the cells that set the times of memory.
check_between "words in the cache" 4113 4195 "$(cycles 8Wld-8Wst hot hot 0 apart)"
check_between "double words in the cache" 2084 2126 "$(cycles 4Dld-4Dst hot hot 0 apart)"
check_between "words from memory" 6647 6781 "$(cycles 8Wld-8Wst clean hot 0 apart)"
check_between "words, all victims modified" 10649 10863 "$(cycles 8Wld-8Wst dirty dirty 0 apart)"
# Quad stores: 256 traps.
check_between "each quad store traps" $((256 * 100)) $((256 * 400)) "$(cycles 4Dld-2Qst hot hot 0 apart)"
# Four words at a time, buffers with the same lines: four misses a line pair instead of none.
check_between "the same cache lines" $((128 * 80)) $((128 * 140)) \
    $(($(cycles memcpy dirty hot 0 same-loop) - $(cycles memcpy hot hot 0 apart-loop)))

copies copy-broken --script "$source/check.tcl"
check_equal "a program that does not prepare its cache fails" 125 "$status"
check_match "... with the cell and the line" 'memcpy, hot to clean, offset 0, apart: the destination is not clean: line 0x[0-9a-f]* state ' "$work/err"

mkdir "$work/page"
cp "$out/copy.elf" "$out/copy.sym" "$out/policies.elf" "$out/read" "$work/page"
page() { "$root/tests/limit.sh" 120 "$source/byte-copying.sh" "$SIMOS" "$work/page" 2>"$work/log"; }
page
check_equal "the page is made" 0 "$?"
json=$work/page/byte-copying.json
check_equal "every cell of tables 3 to 6" 300 "$(json "$json" '.cells | length')"
check_equal "fitted cells are within one per cent" true "$(json "$json" '[.summary[] | .fitted, .sets | .largest.error | fabs < 1] | all')"
check_equal "half of the predicted ones within five" true "$(json "$json" '[.summary[].predicted.median < 5] | all')"
check_equal "whatever is far off has a reason" true "$(json "$json" '[.above[].reason | length > 20] | all')"
check_equal "no cell is counted twice" '[3,2,24,17]' \
    "$(json "$json" '[.summary[] | [.fitted.count, .sets.count, .predicted.count, .again]] | unique | .[0] | tostring')"
check_equal "what is not as in the paper" "alignment in part, alignment_machines refuted, read refuted" \
    "$(json "$json" '[.conclusions[] | select(.verdict == "refuted" or .verdict == "in part") | .name + " " + .verdict] | join(", ")')"
check_equal "read() of the kernel: each place of the buffer" '[64,64,64,64,64]' "$(json "$json" '[.read[].cycles | length] | tostring')"
check_equal "one of them has the lines of the kernel's page" true "$(json "$json" '[.read[].same.misses.conflict > 100] | all')"
for table in 3 4 5 6; do
    check_match "the page has table $table" "<h2>Table $table: " "$work/page/index.html"
done
check_equal "causes are those that an experiment shows" "alignment machine, alignment_machines open, read kernel" \
    "$(json "$json" '[.conclusions[] | select(.verdict == "refuted" or .verdict == "in part") | .name + " " + .cause] | join(", ")')"
cp "$work/page/index.html" "$work/index.html"
page
check_same_file "a second time the page is the same" "$work/index.html" "$work/page/index.html"
check_equal "nothing ends off the right edge" "" "$("$root/tests/limit.sh" 60 python3 "$root/tests/guest/page_edges.py" "$work" "$work/page/index.html" 1300 700 2>&1)"

# The archive of pages (docs/how-to/paper.md#keep-the-pages-and-their-runs): the same bytes again, the same pages from it; what was
# changed is named, and nothing is read that is not its own.
mkdir "$work/made"
cp -R "$work/page" "$work/made/byte-copying"
archive()
{
    status=0
    TMPDIR=$work "$root/tests/limit.sh" 60 "$root/workloads/pages/archive.sh" "$@" >"$work/out" 2>"$work/err" || status=$?
}
archive make "$SIMOS" "$work/made" "$work/one.tar.xz"
archive make "$SIMOS" "$work/made" "$work/two.tar.xz"
check_same_file "the archive has the same bytes again" "$work/one.tar.xz" "$work/two.tar.xz"
archive check "$SIMOS" "$work/one.tar.xz"
check_equal "its pages can be made again" "0 $work/one.tar.xz: 1 pages are the same, byte for byte" "$status $(cat "$work/out")"
# packed NAME: the folder unpacked as an archive
packed() { tar -C "$work/unpacked" -cJf "$work/$1.tar.xz" .; }
mkdir "$work/unpacked"
tar -C "$work/unpacked" -xf "$work/one.tar.xz"
sed -i 's/^hp-720 .*/hp-720 40000000/' "$work/unpacked/byte-copying/clocks"
packed changed
archive check "$SIMOS" "$work/changed.tar.xz"
check_equal "a run that was changed" "125 paper-archive: $work/changed.tar.xz: is not what its manifest says" "$status $(cat "$work/err")"
(cd "$work/unpacked" && LC_ALL=C && export LC_ALL && find . -type f ! -name manifest | sort | sed 's|^\./||' | xargs sha256sum >manifest)
packed other
archive check "$SIMOS" "$work/other.tar.xz"
check_equal "a run that makes another page" "1 byte-copying/byte-copying.json: is another one" "$status $(sed -n 1p "$work/out")"
ln -s /etc/passwd "$work/unpacked/byte-copying/link"
packed link
archive check "$SIMOS" "$work/link.tar.xz"
check_equal "a link" "125 paper-archive: $work/link.tar.xz: has something else than files and folders" "$status $(cat "$work/err")"
archive check "$SIMOS" "$work/log"
check_equal "no archive" "125 paper-archive: $work/log: is no archive" "$status $(cat "$work/err")"
archive make "$SIMOS" "$work/unpacked/byte-copying" "$work/none.tar.xz"
check_equal "no page" "1 paper-archive: no page was made below $work/unpacked/byte-copying (make paper, make monster ...)" "$status $(cat "$work/err")"
check_equal "nothing is left behind" "" "$(find "$work" -maxdepth 1 -name 'paper-archive.*')"
finish
