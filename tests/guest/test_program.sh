# `simos test` of a program (docs/how-to/regression-tests.md#a-program-of-yours): it is put into the guest and measured with
# the kernel's time; noise floors, --decide, and the line of a commit in a trend.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
cd "$work" || exit 1

# build FOLDER BYTES [STATUS]: FOLDER/copy writes 2,400 bytes, so many at once
build()
{
    mkdir -p "$1"
    mipsel-linux-gnu-gcc -O2 -static -DBYTES="$2" -DSTATUS="${3:-0}" -x c -o "$1/copy" - <<'END' || fail "the program compiles"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words)
{
    char text[BYTES];
    int out = open("/tmp/out", O_WRONLY | O_CREAT, 0644);
    memset(text, 'x', sizeof text);
    if (count != 3 || strcmp(words[1], "two words") || strcmp(words[2], "$HOME"))
        return 9;
    for (int i = 0; i < 2400; i += BYTES)
        if (write(out, text, BYTES) != BYTES)
            return 8;
    return STATUS;
}
END
}
build good 60
build bad 4
build ends 60 3

cat >copy.tcl <<'END'
program copy {two words} {$HOME}
machine 1994
repetitions 2 2
row "system time" cycles -mode kernel -process copy -within 25
row "writes" calls -service write -process copy -exact
END
simos test copy.tcl --program good/copy --bless --quiet
check_equal "--bless of a program: 0" 0 "$status"
check_match "the baseline says which program" '^program	[0-9a-f]{64}	good/copy$' copy.baseline
check_match "its calls are counted, its words arrive as they are" 'writes on 1994: now 40.0; without perturbation now 40$' "$work/out"

simos test copy.tcl --program good/copy --quiet --dashboard d.json --trend trend --commit one
check_equal "the same program: 0" 0 "$status"
check_match "it is named beside the kernel" 'new .*vmlinux \([0-9a-f]*\) with good/copy \([0-9a-f]*\), baseline .* with good/copy ' "$work/out"
check_equal "a dashboard's entries" '["copy: system time on 1994","cycles",true,true] ["copy: writes on 1994","calls",true,false]' \
    "$(jq -c '.[] | [.name, .unit, (.value > 0), has("range")]' d.json | xargs -d '\n')"
check_equal "a line in the trend" '["one",["system time","writes"]]' "$(jq -c '[.commit, [.rows[].row]]' trend/trend.jsonl)"

simos test copy.tcl --program bad/copy --quiet --dashboard d.json --json r.json --trend trend --commit two
check_equal "more system calls: 1" 1 "$status"
check_match "the row says so" '^copy.tcl: regression: writes on 1994: \+1.4e\+03 %' "$work/out"
check_match "the kernel's time, too" '^copy.tcl: regression: system time on 1994: \+[0-9.]* % .*: most in ' "$work/out"
check_equal "JSON: the sides' programs" '["good/copy","bad/copy"]' "$(jq -c '.tests[0] | [.baseline.program, .new.program]' r.json)"
simos check r.json
check_equal "and the schema knows it" 0 "$status"
simos test copy.tcl --program bad/copy --quiet --trend trend --commit two
check_equal "a commit that is measured again has one line" '"one" "two"' "$(jq .commit trend/trend.jsonl | xargs -d '\n')"

# Two programs need no baseline.
simos test copy.tcl --program good/copy --program bad/copy --quiet --out copy
check_equal "one program against the other: 1" 1 "$status"
check_match "both are named" 'new .* with bad/copy \([0-9a-f]*\), old .* with good/copy ' "$work/out"

simos report --trend trend
check_equal "report --trend: 0" 0 "$status"
check_match "a row over the commits" '^copy.tcl: writes on 1994: 600 calls at two; 1 step$' "$work/out"
check_match "and where it stepped" '^    two: \+1400.00 % since one$' "$work/out"
simos report --trend trend --html trend.html
check_equal "a chart a row" "2 2" "$(grep -c '<svg' trend.html) $(grep -c '</svg>' trend.html)"

simos test copy.tcl --program good/copy --floor --quiet
check_equal "--floor: 0" 0 "$status"
check_match "the smallest change of a row" '^1994 *system time  *[0-9.]*  *[0-9.]* %  *[0-9.]* %  *[0-9.]* %  *25 %  *[0-9more than]*$' "$work/out"
check_equal "not of a row without repetitions" 0 "$(grep -c writes "$work/out")"

# What bisect must not take for bad: an undecided row, a program that fails.
sed -e 's/^row "writes.*//' -e 's/kernel -process copy -within 25/user -process copy -within 0 -direction both/' copy.tcl >tight.tcl
simos test tight.tcl --program good/copy --bless --quiet --out copy
simos test tight.tcl --program bad/copy --quiet --out copy
check_equal "an undecided row: 2" 2 "$status"
simos test tight.tcl --program bad/copy --quiet --out copy --decide
check_equal "with --decide, when there are no more repetitions: 125" 125 "$status"
check_match "it says which" '^simos: test tight.tcl: --decide: undecided: system time on 1994: ' "$work/err"
simos test copy.tcl --program ends/copy --quiet
check_equal "a program that fails: 125" 125 "$status"
check_match "it says how" "^simos: test copy.tcl: run .*: the guest's command returned 3$" "$work/err"

# refused NAME LINE ARGUMENTS: 125, one line, and nothing written
refused()
{
    name=$1 line=$2
    shift 2
    cp -r trend trend.before
    simos "$@"
    check_equal "$name: 125" 125 "$status"
    check_match "$name: a line that says so" "^simos: .*$line" "$work/err"
    check_equal "$name: one line" 1 "$(wc -l <"$work/err")"
    check_equal "$name: the trend is as it was" "" "$(diff -r trend trend.before)"
    rm -r trend.before
}
cp good/copy copy
refused "a program that only the file names" "its program copy is on this host: repeat it on the command line" test copy.tcl --quiet
cp good/copy other
refused "a program of another name" "the file's program is called copy" test copy.tcl --program other --quiet
cp good/copy plain && chmod -x plain && mkdir not && mv plain not/copy
refused "a program that may not be executed" "program not/copy: it may not be executed" test copy.tcl --program not/copy --quiet
sed '/^program/d' copy.tcl >none.tcl
refused "a test without one" "the file has no program" test none.tcl --program good/copy --quiet
sed 's/^machine/position boot; machine/' copy.tcl >place.tcl
refused "another position" "with a program, position is mark:begin and options" test place.tcl --program good/copy --quiet
refused "a trend without a commit" "--trend: whose line is it" test copy.tcl --program good/copy --trend trend
refused "a commit without a trend" "--commit: requires --trend" test copy.tcl --program good/copy --commit x
refused "a trend that is not there" "trend nosuch/trend.jsonl: No such file" report --trend nosuch
echo '{"format": "simos trend 1"}' >>trend/trend.jsonl
refused "a line that is none, before anything is run" "trend trend/trend.jsonl, line 3: it names no commit" \
    test copy.tcl --program bad/copy --trend trend --commit three --out fresh --quiet
check_equal "nothing was run for it" "" "$(ls -d fresh.work 2>/dev/null)"
refused "nor is it drawn" "trend trend/trend.jsonl, line 3: it names no commit" report --trend trend --html never.html
check_equal "no page" "" "$(ls never.html 2>/dev/null)"
rm trend/trend.jsonl && ln -s /etc/passwd trend/trend.jsonl
refused "a link to another file" "trend trend/trend.jsonl, line 1: not JSON" test copy.tcl --program bad/copy --trend trend --commit a --quiet
finish
