# The page of Monster: runs, figures and findings, of two programs in part.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

# monster EXPERIMENTS PROGRAM...: the page of these
monster()
{
    experiments=$1 status=0
    shift
    EXPERIMENTS=$experiments WINDOW=2000000 SCALED=1000000 "$root/workloads/monster/monster.sh" "$SIMOS" \
        "$root/build/guest-decstation/small.cpio" "$work/page" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
monster "scaled placement" li doduc
check_equal "runs that are missing fail" 1 $status
check_match "and are counted" '^monster: 6 runs are missing' "$work/err"
check_equal "two programs are measured" "doduc li" "$(json "$work/page/figures.json" '.runs | keys | join(" ")')"
check_equal "the parts of a program's time are all of it" "true true" "$(json "$work/page/figures.json" \
    '[.runs[].figure4 | (.user + .kernel + .idle - 100 | fabs) < 1e-9] | map(tostring) | join(" ")')"
check_equal "with smaller caches programs stall longer" "true true" "$(json "$work/page/figures.json" \
    '[(.scaled, .runs) | [.doduc, .li | .figure7.user]] | transpose[] | .[0] > .[1]' | tr '\n' ' ' | sed 's/ $//')"
# Two functions of 402 instructions each, whose lines of a word all conflict; on one page none does.
# placed RUN CONDITION: whether it holds of the misses for each instruction
placed() { json "$work/page/placed-$1.stats" ".cpu0.mode.user | .miss.l1i / .insns $2"; }
check_equal "functions in one bin miss each instruction" true "$(placed conflict '> 0.9')"
check_equal "on one page they miss none" true "$(placed page '< 0.01')"
check_equal "every instruction is in the mix" "true" "$(json "$work/page/figures.json" \
    '[.runs[].table1[] | add | . > 99.9 and . < 100.0001] | all')"
check_equal "the kernel's CPI is above the programs'" "true" "$(json "$work/page/figures.json" '[.runs[].figure7 | .kernel > .user] | all')"
check_equal "the page has figures 4 to 10 and table 1" 8 "$(grep -cE '<h2>(Figure|Table)' "$work/page/index.html")"
check_match "with the paper's numbers" '<td class="paper">19.46</td>' "$work/page/index.html"
check_match "and its findings, judged" '<td class="(holds|partly|not|neutral)">(confirmed|in part|refuted)' "$work/page/index.html"
# edges PAGE: what does not fit into windows of two widths
edges() { "$root/tests/limit.sh" 60 python3 "$root/tests/guest/page_edges.py" "$work" "$1" 1300 700 2>&1; }
check_equal "nothing ends off the right edge" "" "$(edges "$work/page/index.html")"
sed -E '/class="summary"/,/<\/table>/s|<a [^>]*>[^<]*</a>|&, &, &, &, &, &|g' "$work/page/index.html" >"$work/many.html"
check_equal "nor is a verdict's word broken when many findings have it" "" "$(edges "$work/many.html")"
finish
