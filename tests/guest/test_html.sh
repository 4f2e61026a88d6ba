# `simos report --html`: one file that needs nothing else, whose numbers are those of the statistics, in Chromium; and text
# that a guest chose stays text.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
here=$root/tests/guest

# Names of processes that HTML, JSON, a shell or a terminal would obey.
cat >"$work/job" <<'END'
cd /tmp
for name in '<script>f()' "\"'&<b>" "$(printf 'x\377\376y')" 'a&lt;b'; do
    printf '#!/bin/sh\nls /proc >/dev/null\n' >"$name"
    chmod +x "$name"
    "./$name"
done
END
simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- true
check_equal "a checkpoint to start from" 0 "$status"
simos restore "$work/boot.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --script misses --over-time 2ms \
    --stats "$work/a.json" -- sh -c "$(cat "$work/job")"
check_equal "a run with all that a page shows" 0 "$status"
simos restore "$work/boot.ckpt" --quiet --machine 1998 --warmup 0 --stats "$work/b.json" -- sh -c "$(cat "$work/job")"
check_equal "a run without" 0 "$status"

# browse WIDTH PAGE [OPTION]: what Chromium makes of it, in $work/dom
browse()
{
    # shellcheck disable=SC2086 # no option, or one
    "$root/tests/limit.sh" 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --window-size="$1",2000 ${3:-} --dump-dom "file://$2" >"$work/dom" 2>"$work/browser.err"
}
# check_numbers RULE FILE.json...: those of the page of these files
check_numbers()
{
    rule=$1
    shift
    simos report --html "$work/page.html" "$@"
    check_equal "$rule: a page" "0 " "$status $(cat "$work/out" "$work/err")"
    browse 1400 "$work/page.html"
    python3 "$here/page_check.py" "$work/dom" "$@" >"$work/numbers"
    check_equal "$rule: every number is that of the files" 0 $?
    [ "$(wc -l <"$work/numbers")" = 1 ] || fail "$rule: what differs" "$(cat "$work/numbers")"
    compared=$(sed -n 's/ numbers,.*//p' "$work/numbers")
}

check_numbers "one run" "$work/a.json"
check_between "one run: many numbers" 1000 100000 "$compared"
check_match "the process called <script>f() is there, as text" '&lt;script&gt;f\(\)' "$work/dom"
check_match "and the one with quotes" '"'"'"'&amp;&lt;b&gt;' "$work/dom"
check_match "and the one that is no UTF-8, as simos writes it" "x[?]{2}y<" "$work/dom"
check_equal "the page's own script is the only one" 1 "$(grep -o '<script' "$work/dom" | wc -l)"
check_no_match "nothing is loaded" '<(img|iframe|object|embed|video|audio|base|form)|[ "](src|action)=|@import|url\(' "$work/page.html"
check_no_match "no address of a network" 'https?://|<link [^>]*href="[^d]' "$work/page.html"
check_between "the script is a few KB" 1000 20000 "$(sed -n '/<script>/,/<\/script>/p' "$work/page.html" | wc -c)"
check_no_match "no script error" 'CONSOLE.*(Uncaught|Refused)' "$work/browser.err"
check_match "its script has run under the page's own policy" '<th[^>]* tabindex="0"' "$work/dom"
# A checker that finds nothing is none.
jq '.cpu0.mode.kernel.stall.l1i += 1 | .annotations.misses.rows[0][7] += 1' "$work/a.json" >"$work/other.json"
python3 "$here/page_check.py" "$work/dom" "$work/other.json" >"$work/numbers"
check_equal "a number that is not the file's is found" 1 $?

check_numbers "two runs" "$work/a.json" "$work/b.json"
check_match "what a file lacks is said, with how to record it" 'No services in b\..*--script services' "$work/dom"
jq '.parameters.cache.l2.size = "2M"' "$work/a.json" >"$work/c.json"
jq '.parameters.cache.l2.size = "4M"' "$work/a.json" >"$work/d.json"
check_numbers "three runs that differ in a cache" "$work/a.json" "$work/c.json" "$work/d.json"
check_match "they have a curve" 'Misses over the parameter in which the runs differ' "$work/dom"

# Whatever else a file holds as a name.
jq '.annotations.processes[0].name = "</td></script><img src=x onerror=document.title=1>"
    | .annotations.processes[1].name = "\u0001\u202etxt\u2028\"&quot;" | .machine.name = "<b>\u001b[31m"
    | .annotations.misses.rows[0][3] = "--><svg onload=f()>" | .annotations.locks[0].name = "\"'"'"'><a href=//x>"
    | .annotations.services["<u>&\u0007/*?="] = .annotations.services.UTLB | del(.annotations.services.UTLB) | .gic["<i>"] = 7
    | .parameters.guest.bootargs = "</style><script>f()</script>"' "$work/a.json" >"$work/names.json"
check_numbers "any names" "$work/names.json"
check_equal "they are no elements" "1 0" "$(grep -o '<script' "$work/dom" | wc -l) $(grep -cE '<(img|svg onload|u>|i>f|a href="?//)' "$work/dom")"
check_match "nor scripts" '<title>simos: names</title>' "$work/dom"
jq '.machine.command = "a" + ([0] | implode)' "$work/a.json" >"$work/nul.json"
printf 'kept\n' >"$work/page.html"
simos report --html "$work/page.html" "$work/nul.json"
check_equal "a NUL is refused in one line" "125 1" "$status $(grep -c "^simos: statistics file $work/nul.json: line " "$work/err")"
check_equal "and the old page stays" kept "$(cat "$work/page.html")"

# At two widths, in light and dark: nothing is cut off or pale, and the tables sort and search. The copy has a second script, which the policy forbids.
simos report --html "$work/page.html" "$work/a.json" "$work/b.json"
sed -e '/<meta http-equiv="Content-Security-Policy"/d' \
    -e 's|^<meta charset="utf-8">|&<script>window.pageErrors = []; onerror = e => pageErrors.push(e);</script>|' \
    "$work/page.html" >"$work/tried.html"
{ echo '<script>'; cat "$here/page_layout.js"; echo '</script>'; } >>"$work/tried.html"
for view in "1400 light" "700 light" "700 dark"; do
    scheme=${view#* }
    option=
    [ "$scheme" = light ] || option=--blink-settings=preferredColorScheme=0
    browse "${view% *}" "$work/tried.html" $option
    sed -n '/id="results"/{s/.*id="results">//;s/<li>//g;s|</li>|\n|g;s|</ul>.*||;p}' "$work/dom" | sed '/^$/d' >"$work/results"
    check_equal "$view: fits, is readable, sorts, searches, no error" "width fits
pale texts
background $scheme
sorted by time true
sorted the other way true
found CLOCK INT
found again true
errors 0" "$(cat "$work/results")"
done

# As other outputs: never a file that is read, nothing half written.
cp "$work/b.json" "$work/b.copy"
simos report --html "$work/b.json" "$work/a.json" "$work/b.json"
check_equal "a page over its own statistics is refused" "125 1" "$status $(grep -c '^simos: .*--html' "$work/err")"
check_same_file "and they stay" "$work/b.copy" "$work/b.json"
simos report --html "$work/none/page.html" "$work/a.json"
check_equal "a page in no folder is refused" "125 1" "$status $(wc -l <"$work/err")"
for options in "--compare" "--services"; do
    simos report --html "$work/x.html" $options "$work/a.json" "$work/b.json"
    check_equal "--html with $options is refused" "125 1" "$status $(wc -l <"$work/err")"
done
finish
