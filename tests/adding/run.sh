#!/bin/sh
# Adds a toy of each kind in a copy of the tree (an instruction, a device, a board ... a machine), as docs/design/adding.md
# says, and looks whether they are there. Then it leaves out one step after the other: each time the copy must not build, or
# a check must fail.
#
#     tests/adding/run.sh BUILD         `make test-adding`, which says how programs are compiled
#
# tests/adding/KIND/N.sh is step N of its section. The copy is in BUILD/adding; only what a step changes is compiled
# anew, without optimisation.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
build=$1
case $build in /*) ;; *) build=$root/$build ;; esac
out=$build/adding tree=$build/adding/tree original=$build/adding/original full=$build/adding/full
steps=$root/tests/adding
kinds='instruction device board architecture model predictor replacement protocol policy parameter statistic cause formula event
    page command machine'
passed=0 failed=0
. "$steps/edit.sh"

pass()
{
    passed=$((passed + 1))
    echo "pass $1"
}
fail()
{
    failed=$((failed + 1))
    echo "FAIL $1"
    [ -z "${2:-}" ] || tail -n 8 "$2" | sed 's/^/     /'
}

# The section of docs/design/adding.md of KIND, and the number of its steps.
section()
{
    case $1 in
    instruction) title='## An instruction' ;;
    device) title='## A device' ;;
    model) title='## A CPU model' ;;
    predictor) title='## A branch predictor' ;;
    replacement) title='## A replacement policy' ;;
    protocol) title='## A coherence protocol' ;;
    parameter) title='## A parameter' ;;
    statistic) title='## A statistic' ;;
    cause) title='## A cause of stall' ;;
    formula) title='## A figure of an account' ;;
    board) title='## A board' ;;
    architecture) title='## A guest architecture' ;;
    policy) title='## A policy of page mapping' ;;
    page) title='## A result page' ;;
    machine) title='## A machine' ;;
    command) title='## A command or an option' ;;
    event) title='## An event type of annotations' ;;
    esac
    awk -v title="$title" '/^## / { on = $0 == title } on' docs/design/adding.md
}
count_steps()
{
    section "$1" | grep -c '^[0-9]*\. '
}

# Steps

# apply KIND NUMBER into the current directory, which holds the files that are changed.
apply()
{
    # shellcheck disable=SC1090 # its name is made here
    . "$steps/$1/$2.sh"
}

# apply_all FOLDER [STEPS]: all steps but these ("KIND NUMBER;KIND NUMBER"), into FOLDER; $pages are to be made by the program.
apply_all()
{
    pages=
    rm -rf "$1"
    mkdir -p "$1"
    cd "$1" || exit 1
    for kind in $kinds; do
        number=1
        while [ -e "$steps/$kind/$number.sh" ]; do
            case ";${2-};" in
            *";$kind $number;"*) ;;
            # where one is left out, those that build on it cannot be followed either
            *) apply "$kind" "$number" 2>"$out/log" || [ $# -gt 1 ] || return 1 ;;
            esac
            number=$((number + 1))
        done
    done
    cd "$root" || exit 1
}

# Does step NUMBER of KIND's section name every file that the step changes?
names_files()
{
    pages=
    text=$(section "$1" | awk -v number="$2" '/^[0-9]+\. / { on = $1 == number "." } /^[^ 0-9]/ { on = 0 } on')
    rm -rf "$out/one"
    mkdir -p "$out/one"
    (cd "$out/one" && cp -R "$out/before/." . 2>/dev/null
     apply "$1" "$2") || return 1
    for file in $(cd "$out/one" && find . -type f | sed 's|^\./||'); do
        cmp -s "$out/one/$file" "$out/before/$file" && continue
        name=$(echo "$file" | sed 's/toy/NAME/')
        case $text in *"$name"* | *"$(dirname "$name")/"*NAME*) continue ;; esac
        # a program of its own is named by its folder
        case $file in tests/insn/*) case $text in *tests/insn/*) continue ;; esac ;; esac
        echo "step $2 changes $file, which it does not name" >"$out/log"
        return 1
    done
    rm -rf "$out/before"
    mv "$out/one" "$out/before"
}

# The copy

# Objects of the build that a step does not touch stay: they are newer than the copied sources.
copy_tree()
{
    rm -rf "$out"
    mkdir -p "$tree/build" "$out/before"
    cp -a Makefile .ci src cpu cache devices checkpoint annotations docs workloads tests python README.md "$tree"
    rm -rf "$tree/tests/adding"
    mkdir "$tree/build/python"
    ln -s "$root/build/python/venv" "$tree/build/python/venv"
    cp -a "$build/obj" "$build/libsimos.a" "$build/simos" "$build/.version" "$tree/build"
    cp -a "$build"/.embra-* "$root"/build/.deps-* "$tree/build"
    ln -s "$root" "$original"
}

# make_in GOAL...: in the copy; what is compiled is not optimised, and there are fewer shapes of an access.
make_in()
{
    "$MAKE" --no-print-directory -C "$tree" BUILD=build CC="$CC" WERROR=0 CPPFLAGS=-DSHAPES_FEW FAST= CFLAGS="-O0 -g0" "$@" \
        >"$out/make.log" 2>&1
}

# put FOLDER: the copy gets what FOLDER has changed, and loses what it has not; a file that is the same keeps its time.
put()
{
    (cd "$full" && find . -type f) | while read -r file; do
        if [ -e "$1/$file" ]; then from=$1/$file; else from=$original/$file; fi
        if [ ! -e "$from" ]; then
            # make does not see that a source is gone
            rm -f "$tree/$file" "$tree/build/obj/${file%.c}.o"
            case $file in
            *.c) rm -f "$tree/build/libsimos.a" ;;
            ./src/machines/*) rm -f "$tree"/build/obj/machines.[co] ;;
            esac
        elif ! cmp -s "$from" "$tree/$file"; then
            mkdir -p "$(dirname "$tree/$file")"
            cp "$from" "$tree/$file"
        fi
    done
}

# restore: as all steps have left it, with what was compiled then.
restore()
{
    (cd "$full" && find . -type f) | while read -r file; do
        cmp -s "$full/$file" "$tree/$file" || cp -p "$full/$file" "$tree/$file"
    done
    (cd "$tree/build" && find . -type f -newer "$out/stamp") | while read -r file; do
        if [ -e "$out/built/$file" ]; then cp -p "$out/built/$file" "$tree/build/$file"; else rm -f "$tree/build/$file"; fi
    done
    (cd "$out/built" && find . -type f) | while read -r file; do
        [ -e "$tree/build/$file" ] || cp -p "$out/built/$file" "$tree/build/$file"
    done
}

# Checks: each says by its status whether the toy is there, and leaves what it saw in $out/log.

simos()
{
    tests/limit.sh 60 "$program" run --quiet --kernel "$out/program.elf" --initrd none --max-insns 1000000 "$@" \
        >"$out/log" 2>&1 </dev/null
}

check_instruction()
{
    SIMOS=$program tests/insn/run.sh "$out"/toy*.elf >"$out/log" 2>&1 ||
        return 1
}
# Every model counts the same kinds of instructions: calls and returns too.
check_kinds()
{
    rm -f "$out"/mix.*
    for model in mipsy embra mxs; do
        tests/limit.sh 60 "$tree/build/simos" run --quiet --kernel "$out/toy_flow.elf" --initrd none --cpu $model --table none \
            --set execution.counts=mix --stats "$out/stats.json" >"$out/log" 2>&1 </dev/null || return 1
        jq -c '.cpu0.mode.kernel.mix' "$out/stats.json" >"$out/mix.$model"
    done
    cat "$out"/mix.* >"$out/log"
    cmp -s "$out/mix.mipsy" "$out/mix.embra" && cmp -s "$out/mix.mipsy" "$out/mix.mxs" &&
        jq -e '.call > 6000 and .return > 6000 and .branch_taken > 3000' "$out/mix.mipsy" >/dev/null
}
# Only the description of the instruction set is compiled anew.
# shellcheck disable=SC2086 # a list of libraries
check_traits()
{
    rm -f "$out/traits"
    $CC -std=gnu17 -D_GNU_SOURCE -O0 -I"$1" -I"$tree" -o "$out/traits.isa.o" -c "$tree/cpu/isa/isa.c" >"$out/log" 2>&1 &&
        { [ -e "$out/traits.o" ] || $CC -std=gnu17 -D_GNU_SOURCE -O1 -I"$tree" -o "$out/traits.o" \
            -c "$tree/tests/unit/test_isa_operands.c" >"$out/log" 2>&1; } &&
        $CC -o "$out/traits" "$out/traits.o" "$out/traits.isa.o" "$tree/build/libsimos.a" -lcmocka $LIBS >"$out/log" 2>&1 &&
        tests/limit.sh 120 "$out/traits" only '*traits*' >"$out/log" 2>&1 </dev/null
}
check_tested()
{
    "$tree/tests/check-tested.sh" >"$out/log" 2>&1
}
check_program()
{
    simos
    [ $? = 7 ]
}
check_board()
{
    "$tree/build/simos" devices >"$out/log" 2>&1 && grep -q '^toy  *18040000-18040fff 32 ' "$out/log"
}
# check_counter NAME NUMBER
check_counter()
{
    rm -f "$out/stats.json"
    simos --stats "$out/stats.json"
    count=$(jq ".$1" "$out/stats.json" 2>&1)
    echo "$1 is $count, not $2" >"$out/log"
    [ "$count" = "$2" ]
}
# A run is saved at its mark; what is restored ends as the run did, with the same counters.
check_saved()
{
    rm -f "$out/checkpoint"
    simos --checkpoint "$out/checkpoint@mark:1" --stats "$out/stats.json"
    [ $? = 7 ] || return 1
    tests/limit.sh 60 "$tree/build/simos" restore "$out/checkpoint" --trust --quiet --stats "$out/restored.json" >"$out/log" 2>&1 </dev/null
    status=$?
    counts=$(jq -c '[.toy, .control]' "$out/stats.json" 2>&1) restored=$(jq -c '[.toy, .control]' "$out/restored.json" 2>&1)
    echo "restored: status $status, $restored, not $counts" >"$out/log"
    [ $status = 7 ] && [ "$counts" = "$restored" ]
}
# check_unit PROGRAM [ARGUMENT...]
check_unit()
{
    unit=$tree/build/tests/$1
    shift
    (cd "$tree" && "$root/tests/limit.sh" 120 "$unit" "$@") >"$out/log" 2>&1
}
# The program is not optimised: a fifth of the machines of `make test-unit`.
check_random_machines()
{
    check_unit test_memsys_reference only 'every_policy*' && check_unit test_memsys_reference soak 0 200 700
}
# make_page NAME, page_file NAME: what the program makes of a page, and where that is kept.
make_page()
{
    case $1 in
    measures) "$tree/build/simos" measures ;;
    statistics-names) "$tree/docs/statistics.sh" "$tree/build/simos" names | "$tree/python/statistics_names.py" ;;
    *) "$tree/docs/$1.sh" "$tree/build/simos" ;;
    esac
}
page_file()
{
    case $1 in
    measures | statistics-names) echo "docs/schema/$1.json" ;;
    *) echo "docs/reference/$1.md" ;;
    esac
}
check_page()
{
    make_page "$1" | diff - "$tree/$(page_file "$1")" >"$out/log" 2>&1
}
# What a cause and a figure of accounts are looked for in: a run, one with slower uncached accesses, the table of the run.
accounts()
{
    rm -f "$out/stats.json" "$out/slower.json" "$out/page.html"
    simos --stats "$out/slower.json" --set memory.uncached_latency=2us && return 1
    simos --stats "$out/stats.json" --over-time 10us && return 1
    mv "$out/log" "$out/table"
    "$tree/build/simos" check "$out/stats.json" >"$out/log" 2>&1 &&
        "$tree/build/simos" report "$out/stats.json" >"$out/report" 2>"$out/log"
}
# seen WHAT COMMAND...: COMMAND finds WHAT.
seen()
{
    what_seen=$1
    shift
    "$@" >"$out/log" 2>&1 || { echo "not seen: $what_seen: $(tail -n 1 "$out/log")" >"$out/log"; return 1; }
}
# The stall has cycles, which add up; everything that shows causes knows it.
check_cause()
{
    accounts || return 1
    seen "in the statistics" jq -e '.cpu0.mode.kernel.stall.toy > 0' "$out/stats.json" &&
        seen "over time" jq -e '[.over_time.rows[].kernel.stall.toy] | add > 0' "$out/stats.json" &&
        seen "in the table of the run" grep '^stall toy ' "$out/table" &&
        seen "by report" grep '^stall toy ' "$out/report" &&
        seen "the page" "$tree/build/simos" report --html "$out/page.html" "$out/stats.json" &&
        seen "on the page" grep -c '#0123ab' "$out/page.html" &&
        "$tree/build/simos" explain "$out/stats.json" "$out/slower.json" >"$out/explained" 2>"$out/log" &&
        seen "by explain" grep 'toys of ' "$out/explained" && check_tested_stall
}
# A row of `simos test` counts it, of a program that ends with status 0.
check_tested_stall()
{
    rm -rf "$out/marked" "$out/stall".*
    "$tree/build/simos" run --quiet --table none --kernel "$out/toy.elf" --initrd none --checkpoint "$out/marked@insns:100" \
        >"$out/log" 2>&1 </dev/null || return 1
    printf '%s\n' "checkpoint marked" 'machine 1994' 'repetitions 2 2' 'row stall stall -mode kernel -within 1' >"$out/stall.tcl"
    (cd "$out" && "$root/tests/limit.sh" 60 "$tree/build/simos" test stall.tcl --bless --quiet --trust) >"$out/log" 2>&1 </dev/null
    counted=$(awk -F '\t' '$1 == "row" { split($6, value, " "); print value[1] }' "$out/stall.baseline")
    seen "by test, which counts ${counted:-nothing}" jq -e --arg counted "$counted" \
        '.cpu0.mode.kernel.stall | .toy > 0 and ([.[]] | add) == ($counted | tonumber)' "$out/stall.work/run-1.stats.json"
}
# The figure is what it says, and beside each account.
check_formula()
{
    accounts || return 1
    seen "in the statistics" jq -e '.cpu0.mode.kernel | (100 * (([.stall[]] | add) - .d_mcpi * .insns) / .insns - .toy_mcpi) | fabs < 1e-6' \
        "$out/stats.json" &&
        seen "in the table of the run" grep '^toy-MCPI .* [1-9]' "$out/table" &&
        seen "by report" grep '^toy-MCPI  *[1-9]' "$out/report"
}
# What the Python package makes of $out/stats.json, with the catalogue of the copy.
check_python()
{
    PYTHONPATH=$tree/python PYTHONDONTWRITEBYTECODE=1 "$tree/build/python/venv/bin/python" - "$out/stats.json" >"$out/log" 2>&1 <<'END'
import sys
import simoslab
from simoslab.results.catalogue import read_schema

run = simoslab.load(sys.argv[1])
units = {path: unit for path, unit in zip(run["path"], run["unit"]) if "toy" in path}
assert units["cpu.mode.stall.toy"] == "cycles", units
assert units["cpu.mode.toy_mcpi"] == "%", units
assert "stall.toy" in run.cpi_stack() and "stall.toy" in run.timeline()
catalogue = read_schema("measures.json")
assert [cause["family"] for cause in catalogue["causes"] if cause["name"] == "toy"] == ["stall"]
assert [formula["statistic"] for formula in catalogue["formulas"] if formula["name"] == "toy_mcpi"] == [True]
END
}
check_toy_board()
{
    simos --set machine.board=toy --stats "$out/stats.json"
    [ $? = 7 ] && [ "$(jq .toy.toy_writes "$out/stats.json")" = 1 ] &&
        "$tree/build/simos" devices >"$out/log" 2>&1 && grep -q '^board toy: a toy board' "$out/log"
}
check_architecture()
{
    for row in r3000:5 toy:7; do
        tests/limit.sh 60 "$program" run --quiet --kernel "$out/architecture.elf" --initrd none --max-insns 10000 \
            --set "cpu.architecture=${row%:*}" >"$out/log" 2>&1 </dev/null
        [ $? = "${row#*:}" ] || return 1
    done
}
# The policy is a choice; what it does, the unit test looks at.
check_policy()
{
    {
        for name in get_page_from_freelist free_pcp_prepare __free_pages_ok handle_mm_fault filemap_add_folio exit_mmap; do
            echo "80002008 T $name"
        done
    } >"$out/symbols"
    rm -f "$out/stats.json"
    simos --set page_mapping.policy=toy --set "guest.symbols=$out/symbols" --stats "$out/stats.json"
    [ $? = 7 ] && [ "$(jq -r .parameters.page_mapping.policy "$out/stats.json")" = toy ]
}
check_machine()
{
    rm -f "$out/stats.json"
    simos --machine toy --stats "$out/stats.json"
    [ $? = 7 ] && [ "$(jq -c '[.machine.name, .parameters.cpu.clock]' "$out/stats.json")" = '["toy","400MHz"]' ] &&
        "$tree/build/simos" machines >"$out/log" 2>&1 && grep -q '^toy .*a toy: 1994 with twice the clock' "$out/log"
}
# The rule of the toy page makes it.
check_made()
{
    rm -rf "$tree/build/toy"
    make_in toy || { cp "$out/make.log" "$out/log"; return 1; }
    seen "on the page" grep '1000 instructions' "$tree/build/toy/index.html"
}
# What the table of pages names is there.
check_pages()
{
    (cd "$tree/tests/python" && PYTHONPATH=$tree/python PYTHONDONTWRITEBYTECODE=1 \
        "$tree/build/python/venv/bin/python" -m unittest test_result_pages.Rows) >"$out/log" 2>&1
}
check_model()
{
    rm -f "$out/stats.json"
    simos --cpu toy --stats "$out/stats.json"
    [ $? = 7 ] && [ "$(jq -r .machine.model "$out/stats.json")" = toy ] && "$program" --version | grep -q 'mxs, toy$'
}
# The rooms of the copy, whose files an empty repository beside it lists.
check_rooms()
{
    [ -e "$out/rooms.git" ] || git init -q --bare "$out/rooms.git" || return 1
    GIT_DIR=$out/rooms.git GIT_WORK_TREE=$tree "$tree/tests/check-layout.sh" rooms >"$out/log" 2>&1
}
check_replacement()
{
    simos --set cache.l1d.replacement=toy --set cache.l2.ways=4 --set cache.l2.replacement=toy --set cache.check_interval=1
    [ $? = 7 ] || return 1
    [ "$("$tree/build/simos" params --picture --set cache.l1d.replacement=toy | grep -c 'a toy')" = 1 ]
}
check_protocol()
{
    simos --cpus 2 --set cache.protocol=toy --set cache.check_interval=1
    [ $? = 7 ] || return 1
    [ "$("$tree/build/simos" params --picture --set machine.cpus=2 --set cache.protocol=toy | grep -c 'a toy of 4 states')" = 1 ]
}
check_predictor()
{
    rm -f "$out/stats.json"
    simos --cpu mxs --set mxs.branch_predictor=toy --stats "$out/stats.json"
    [ $? = 7 ] && [ "$(jq .parameters.mxs.branch_predictor "$out/stats.json")" = '"toy"' ]
}
# A run with toy parameters, saved at its mark as $out/toys, and what it did to its end.
save_toys()
{
    rm -f "$out/toys" "$out/record"
    simos --checkpoint "$out/toys@mark:1" --set toy.timed=2 --set toy.hardware=2 --set "toy.power_on=$out/program.elf" \
        --stats "$out/stats.json"
    [ $? = 7 ] || return 1
    simos --record "$out/record"
    [ $? = 7 ]
}
# restored STATUS OPTION...: $out/toys ends with this status; $out/restored.json is what it did.
restored()
{
    expected=$1
    shift
    tests/limit.sh 60 "$tree/build/simos" restore "$out/toys" --quiet --stats "$out/restored.json" "$@" >"$out/log" 2>&1 </dev/null
    status=$?
    [ $status = "$expected" ] || { echo "status $status, not $expected: $(tail -n 1 "$out/log")" >"$out/log"; return 1; }
}
# figures FILTER: those of the restored run are those of the run that was saved, in full.
figures()
{
    saved=$(jq -c "$1" "$out/stats.json" 2>&1) here=$(jq -c "$1" "$out/restored.json" 2>&1)
    echo "$1 is $here, not $saved" >"$out/log"
    [ "$saved" = "$here" ]
}
check_effect()
{
    rm -f "$out/stats.json" "$out/restored.json"
    simos --stats "$out/stats.json"
    simos --set toy.timed=2 --stats "$out/restored.json"
    [ -s "$out/restored.json" ] && ! figures .machine.seconds
}
# acts TRAIT: does it?
acts()
{
    case $1 in
    fixed) restored 125 --set toy.fixed=2 && [ "$(wc -l <"$out/log")" = 1 ] &&
        grep -q '^simos: toy.fixed: "2"; the machine in checkpoint .* has "1", and this cannot change$' "$out/log" ;;
    timed) restored 7 --set toy.timed=3 && ! figures .control.marks ;; # its statistics begin at the checkpoint
    untimed) restored 7 --set toy.untimed=2 && figures '[.machine.seconds, .control, .cpu0.cycles]' ;;
    hardware) restored 7 --machine 1994 && figures .parameters.toy.timed && ! figures .parameters.toy.hardware ;;
    swept) restored 7 --over 'toy.swept=1|2' ;;
    location | observes)
        simos --replay "$out/record" --set "toy.$1=2"
        [ $? = 7 ]
        ;;
    power_on) restored 7 ;; # nothing on this host is read, so it needs no --trust
    esac
}
check_command()
{
    {
        "$tree/build/simos" toy --times=2 there --loud && "$tree/build/simos" toy --help &&
            "$tree/build/simos" completion candidates toy --ti
        "$tree/build/simos" run --loud
        "$tree/build/simos" toy
    } >"$out/log" 2>&1
    said=$(tr '\n' '|' <"$out/log")
    case $said in
    "there!|there!|usage: simos toy [options] WORD|"*"--times N"*"--times	how often (1)|"*"--loud: only \`toy\` has it|"*"needs a WORD|") ;;
    *) return 1 ;;
    esac
}
# In the command itself, every option.
check_options()
{
    (cd "$tree" && tests/cli/options.sh build/simos toy) >"$out/log" 2>&1
}
check_event()
{
    simos --script "$steps/toy.tcl"
    grep -q '^a toy event on CPU 0$' "$out/log" && grep -q '^toys: 1$' "$out/log"
}
check_nothing()
{
    return 0
}

# The first error in a log, or what it says at all, as one line.
reason()
{
    { grep -m 1 -E 'error|undefined|ERROR|FAIL' "$1" || head -n 1 "$1"; } | cut -c 1-150
}

# without KIND NUMBER GOALS CHECK...: the step is needed. GOALS: what is made of the copy first; - is nothing.
without()
{
    touch "$out/stamp"
    apply_all "$out/variant" "$1 $2"
    put "$out/variant"
    # shellcheck disable=SC2086 # a list of goals
    if [ "$3" != - ] && ! make_in $3; then
        pass "without $1 $2: $(reason "$out/make.log")"
    else
        what="without $1 $2"
        shift 3
        if "$@"; then fail "$what: nothing notices"; else pass "$what: $* fails: $(reason "$out/log")"; fi
    fi
    restore
}

# put_without WORDS STEP...: the copy has all steps but these, which $left_out names. Each step is the first of WORDS words.
put_without()
{
    touch "$out/stamp"
    left_out= of_each=$1
    shift
    while [ $# -gt 0 ]; do
        left_out="$left_out;$1"
        shift "$of_each"
    done
    apply_all "$out/variant" "$left_out"
    put "$out/variant"
}

# without_named CHECK STEP TEXT...: CHECK fails without these steps, and says TEXT of each.
without_named()
{
    checked=$1
    shift
    put_without 2 "$@"
    if "$checked"; then
        fail "without ${left_out#;}: nothing notices"
    else
        while [ $# -gt 0 ]; do
            if grep -F -e "$2" "$out/log" >"$out/named"; then
                pass "without $1: $checked fails: $(reason "$out/named")"
            else
                fail "without $1: $checked does not say $2" "$out/log"
            fi
            shift 2
        done
    fi
    restore
}

# without_each GOALS STEP CHECK TEXT...: each STEP ("KIND NUMBER") is needed for its CHECK ("COMMAND ARGUMENT..."), which says
# TEXT without it; all of them left out at once. They are of different toys, and the program that uses the others still ends as it should.
without_each()
{
    goals=$1
    shift
    put_without 3 "$@"
    # shellcheck disable=SC2086 # a list of goals
    if ! make_in $goals; then
        fail "without ${left_out#;}: the rest does not build" "$out/make.log"
    elif ! check_program; then
        fail "without ${left_out#;}: the rest does not run" "$out/log"
    else
        while [ $# -gt 0 ]; do
            # shellcheck disable=SC2086 # words
            if $2; then
                fail "without $1: nothing notices"
            elif grep -F -e "$3" "$out/log" >"$out/named"; then
                pass "without $1: $2 fails: $(reason "$out/named")"
            else
                fail "without $1: $2 does not say $3" "$out/log"
            fi
            shift 3
        done
    fi
    restore
}

# without_page STEP PAGE TEXT: PAGE as it is without the step lacks a line with TEXT of what the program makes.
without_page()
{
    file=$(page_file "$2")
    if diff "$original/$file" "$full/$file" | grep '^>' | grep -F -e "$3" >"$out/log"; then
        pass "without $1: $file lacks $(reason "$out/log")"
    else
        fail "without $1: $file is the same"
    fi
}

# without_traits TRAITS OF...: the toys have these traits instead of their own; the traits OF do not act.
without_traits()
{
    touch "$out/stamp"
    apply_all "$out/variant"
    sed -i "/{\"toy\./s/\(PARAM_[A-Z]*\), [A-Z_| ]*,/\1, $1,/" "$out/variant/src/machine/machine.c"
    put "$out/variant"
    what="parameters with the traits $1"
    shift
    if ! make_in build/simos; then
        fail "$what" "$out/make.log"
    elif ! save_toys; then
        pass "$what: no run: $(reason "$out/log")"
    else
        for name; do
            if acts "$name"; then fail "$what: nothing notices that none is $name"; else pass "$what: none is $name"; fi
        done
    fi
    restore
}

# The page and the steps here are the same.
for kind in $kinds; do
    [ "$(count_steps "$kind")" = "$(find "$steps/$kind" -name '*.sh' | wc -l)" ] && pass "$kind: as many steps" ||
        fail "docs/design/adding.md, $kind: $(count_steps "$kind") steps, and another number in tests/adding/$kind"
done
copy_tree
for kind in $kinds; do
    for number in $(seq "$(count_steps "$kind")"); do
        names_files "$kind" "$number" && pass "$kind $number: names its files" || fail "docs/design/adding.md, $kind" "$out/log"
    done
done

# All toys at once.
apply_all "$full" || {
    fail "a step cannot be followed" "$out/log"
    echo "adding: $passed passed, $failed failed"
    exit 1
}
put "$full"
for file in $(cd "$full" && find . -type f); do touch -r "$tree/$file" "$full/$file"; done
units='build/tests/test_toy build/tests/test_isa build/tests/test_models_exact build/tests/test_predictors build/tests/test_board_devices build/tests/test_memsys_protocols
    build/tests/test_memsys_reference build/tests/test_event_types build/tests/test_architecture build/tests/test_page_mapping
    build/tests/test_measures build/tests/test_machine_file'
# shellcheck disable=SC2086 # a list of goals
if ! make_in build/simos $units; then
    fail "the tree does not build with the toys" "$out/make.log"
    echo "adding: $passed passed, $failed failed"
    exit 1
fi
(cd "$tree" && for toy in toy toy_flow toy_memory; do
    $INSN_CC $INSN_FLAGS -o "$out/$toy.elf" tests/insn/start.S tests/insn/$toy.S || exit 1
done &&
    $INSN_CC $INSN_FLAGS -o "$out/program.elf" tests/insn/start.S "$steps/program.S" &&
    $INSN_CC $R3000_FLAGS -o "$out/architecture.elf" "$steps/architecture.S") >"$out/log" 2>&1 ||
    fail "the test programs do not assemble" "$out/log"
for name in $(echo "$pages" | tr ' ' '\n' | sort -u); do
    make_page "$name" >"$tree/$(page_file "$name")"
    cp -p "$tree/$(page_file "$name")" "$full/$(page_file "$name")"
done

cp -a "$tree/build" "$out/built"

program=$tree/build/simos
check()
{
    what=$1
    shift
    "$@" && pass "$what" || fail "$what" "$out/log"
}
check 'the instructions do what they should on every CPU model' check_instruction
check 'every CPU model counts calls, returns and branches alike' check_kinds
check 'the instructions do what their traits say' check_traits "$full"
check 'the instruction set is consistent' check_unit test_isa
check 'everything is tested' check_tested
check 'the device answers, and the run ends with what was stored there' check_program
check 'the device is on the board' check_board
check 'no other device has its place' check_unit test_board_devices
check 'the device counts' check_counter toy.toy_writes 1
check 'the device is saved and restored' check_saved
check 'the device has its unit test, its node of the device tree' check_unit test_toy
check 'docs/reference/devices.md has the device' check_page devices
check 'a board with the device runs the program' check_toy_board
check 'the architecture has its FPU and its vector' check_architecture
check 'the architecture lacks nothing' check_unit test_architecture
check 'the CPU model can be chosen' check_model
check 'the CPU model does what the others do' check_unit test_models_exact
check 'the rooms include only rooms below them' check_rooms
check 'docs/reference/commands.md has the CPU model' check_page commands
check 'the predictor can be chosen' check_predictor
check 'the predictor predicts as its reference model' check_unit test_predictors
check 'the replacement policy can be chosen, and diagrams name it' check_replacement
check 'the protocol can be chosen, its caches are consistent, and diagrams name it' check_protocol
check 'the protocol is a choice' check_unit test_memsys_protocols
check 'random machines with the policy and the protocol are as the reference model' check_random_machines
check 'the policy of page mapping can be chosen' check_policy
check 'the policy keeps the frames whole' check_unit test_page_mapping
check 'docs/reference/parameters.md has the board, the architecture, the model, the predictor, the policies and the protocol' check_page parameters
check 'the parameter has an effect' check_effect
check 'a machine with the parameters is saved, and recorded' save_toys
for name in fixed timed untimed hardware swept location observes power_on; do
    check "a parameter with the trait $name acts as one" acts "$name"
done
check 'the counter is in the statistics' check_counter control.toy_reads 2
check 'docs/reference/statistics.md has the counters' check_page statistics
check 'the cause of stall is charged, and everything that shows causes has it' check_cause
check 'the figure is beside every account' check_formula
check 'the figure is what was worked out by hand' check_unit test_measures
check 'docs/schema/measures.json has the cause and the figure' check_page measures
check 'docs/schema/statistics-names.json has the counters, the cause and the figure' check_page statistics-names
check 'the Python package has the cause and the figure, with their units' check_python
check 'the command can be called, has a help, and is completed' check_command
check 'each option has an effect in the command, or is refused' check_options
check 'docs/reference/commands.md has the command' check_page commands
check 'the event fires' check_event
check 'the event type is explained' check_unit test_event_types
check 'docs/reference/annotation-events.md has the event type' check_page annotation-events
check 'the result page is made' check_made
check 'the result page has all that a page has' check_pages
check 'the machine is built in' check_machine
check 'the machine is what was published' check_unit test_machine_file only 'built_in_machines_are*'

# Without one step each. Rows that are in what nearly every object is made from: what has not got them is the program without
# any toy.
program=$build/simos
for row in 'instruction 1:check_instruction:unexpected exception 10' 'architecture 2:check_architecture:"toy" is not one of' \
    'model 2:check_model:"toy" is not one of'; do
    step=${row%%:*} text=${row##*:} row=${row%:*}
    if ! "${row#*:}" && grep -q "$text" "$out/log"; then
        pass "without $step: ${row#*:} fails: $(reason "$out/log")"
    else
        fail "without $step: nothing notices" "$out/log"
    fi
done
program=$tree/build/simos
for name in toybgt toybgel toycall toycallr toyjr toylbx toyshx; do
    traits_left_out=$name
    apply_all "$out/variant"
    if check_traits "$out/variant"; then
        fail "without instruction 2, of $name: nothing notices"
    else
        pass "without instruction 2, of $name: $(reason "$out/log")"
    fi
done
traits_left_out=

# What does not build
without device 1 build/simos check_nothing
without board 1 build/simos check_nothing
without board 2 build/obj/src/boards/board_toy.o check_nothing
without architecture 1 build/simos check_nothing
without model 1 build/simos check_nothing
without predictor 1 build/simos check_nothing
without replacement 1 build/obj/cache/state/replacement.o check_nothing
without protocol 1 build/simos check_nothing
without policy 1 build/obj/cache/placement/page_mapping.o check_nothing
without statistic 1 build/obj/devices/board/control.o check_nothing
without cause 1 build/obj/cache/hierarchy/memsys.o check_nothing
without command 1 build/simos check_nothing
without event 1 build/obj/annotations/tcl/annotate_observe.o check_nothing
without event 2 build/obj/annotations/tcl/annotate_types.o check_nothing

# What is not there: rows, counters, fields, charges
without device 5 build/simos check_board
without parameter 1 build/simos check_effect
without_each build/simos 'board 3' check_toy_board 'machine.board: "toy"' \
    'predictor 3' check_predictor 'mxs.branch_predictor: "toy"' \
    'replacement 2' check_replacement 'cache.l1d.replacement: "toy"' 'protocol 2' check_protocol 'cache.protocol: "toy"' \
    'policy 2' check_policy 'page_mapping.policy: "toy"' 'device 3' check_saved '"toy_writes":0' \
    'formula 1' check_formula 'not seen: in the statistics' 'command 2' check_command 'unknown command "toy"' \
    'machine 1' check_machine 'machine toy: cannot be read'
without_each 'build/simos build/tests/test_predictors' 'device 2' 'check_counter toy.toy_writes 1' 'toy.toy_writes is null' \
    'statistic 2' 'check_counter control.toy_reads 2' 'control.toy_reads is null' \
    'predictor 2' 'check_unit test_predictors' 'toy: branch' 'parameter 2' check_effect '.machine.seconds is ' \
    'cause 2' check_cause 'not seen: in the statistics' 'event 3' check_event 'toys: 0'
without_traits TRAIT_TIMED fixed untimed hardware swept location observes power_on
without_traits TRAIT_UNTIMED fixed timed hardware swept location observes power_on
without_traits 0

# What the tests do not know
without_each 'build/simos build/tests/test_toy build/tests/test_predictors build/tests/test_memsys_reference
    build/tests/test_memsys_protocols build/tests/test_measures build/tests/test_machine_file' \
    'statistic 3' check_saved '"toy_reads":0' 'device 4' 'check_unit test_toy' tests/unit/test_toy.c \
    'predictor 4' 'check_unit test_predictors' tests/unit/reference_predictors.h \
    'replacement 3' 'check_unit test_memsys_reference only every_policy*' tests/unit/reference_replacement.h \
    'protocol 3' 'check_unit test_memsys_protocols' tests/unit/reference_protocol.h \
    'formula 3' 'check_unit test_measures' tests/unit/test_measures.c 'command 4' check_options tests/cli/options.sh \
    'machine 2' 'check_unit test_machine_file only built_in_machines_are*' tests/unit/test_machine_file.c

# What no table, no test, no page has
without model 3 - check_rooms
without_named check_tested 'instruction 3' 'no test in tests/insn names toy' 'device 8' 'devices/board/toy.c: ' \
    'board 4' docs/reference/boards.md 'architecture 3' docs/design/architecture.md 'policy 3' docs/reference/page-mapping.md \
    'machine 3' docs/reference/machines.md
without_named check_pages 'page 1' workloads/pages/toy.py 'page 2' workloads/toy.mk 'page 3' docs/how-to/toy.md 'page 4' README.md
without_named check_pages 'page 5' workloads/pages/pages.tsv
without_page 'device 6' devices '| `toy` | 18040000-18040fff | 32 |'
without_page 'device 7' statistics toy_writes
without_page 'device 7' statistics-names toy_writes
without_page 'board 5' devices '## Board toy'
without_page 'board 5' parameters '| `machine.board` '
without_page 'architecture 4' parameters '| `cpu.architecture` '
without_page 'model 4' parameters '| `cpu.model` '
without_page 'model 5' commands '--cpu'
without_page 'command 3' commands 'a toy that prints WORD'
without_page 'predictor 5' parameters '| `mxs.branch_predictor` '
without_page 'replacement 4' parameters '| `replacement` '
without_page 'protocol 4' parameters '| `cache.protocol` '
without_page 'policy 4' parameters '| `page_mapping.policy` '
without_page 'parameter 3' parameters '| `toy.timed` '
without_page 'statistic 4' statistics toy_reads
without_page 'statistic 4' statistics-names toy_reads
without_page 'cause 3' statistics '`toy`'
without_page 'cause 3' statistics-names cpu.mode.stall.toy
without_page 'cause 3' measures '"family": "stall"'
without_page 'formula 2' statistics toy_mcpi
without_page 'formula 2' statistics-names toy_mcpi
without_page 'formula 2' measures toy_mcpi
without_page 'event 4' annotation-events '| `toy` '

echo "adding: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
