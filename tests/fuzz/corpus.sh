#!/bin/sh
# Gives each reader the inputs that are kept in the tree, under the guard, and tries the guard itself.
#
#     tests/fuzz/corpus.sh TARGETS GUARD NAME...
#
# The last line: "corpus: N passed, N failed", of inputs, of calls that the guard must and must not let through, and of targets
# that a kind of input has.
set -u
targets=$(realpath "$1") guard=$(realpath "$2") corpus=$(realpath tests/fuzz/corpus) limit=$(realpath tests/limit.sh)
campaign=$(realpath tests/fuzz/campaign.sh) inputs=$(realpath tests/fuzz/inputs.txt) kinds=$(grep -o '^    INPUT_[A-Z_]*,' src/base/input_file.h | tr -d ' ,')
shift 2
passed=0 failed=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-corpus.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
mkdir "$dir/own" "$dir/other"
unset HOME XDG_CACHE_HOME

# guarded STATUS REFUSED SCRIPT: under the guard the script ends so, and this is refused
guarded()
{
    (cd "$dir/other" && "$guard" "$dir/refused" "$dir/own" -- /bin/sh -c "$3") >"$dir/out" 2>&1
    status=$?
    if [ "$status" = "$1" ] && [ "$(sed "s|$dir|DIR|" "$dir/refused")" = "$2" ] && [ -z "$(ls "$dir/other")" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL guard: $3: status $status, refused: $(cat "$dir/refused")"
        sed 's/^/    /' "$dir/out"
    fi
}

guarded 0 '' ': >/dev/null; : >../own/a; cd ../own && : >b'
guarded 7 '' 'exit 7'
guarded 99 'openat DIR/other/a' ': >a'
guarded 99 'openat DIR/other/a' 'cd ../own && : >>../other/a'
guarded 99 "execve $(realpath /bin/ls)" '/bin/ls'

# A campaign of targets that report an input as slow, which one of them is: it uses processor time for ever.
mkdir -p "$dir/campaign/clang/fuzz"
ln -s "$guard" "$dir/campaign/guard"
for name in busy waited; do
    cat >"$dir/campaign/clang/fuzz/$name" <<STUB
#!/bin/sh
prefix=
for word; do
    case \$word in -artifact_prefix=*) prefix=\${word#*=} ;; esac
done
[ -z "\$prefix" ] || { : >"\${prefix}slow-unit-1" && echo 'stat::number_of_executed_units: 10' && exit; }
while [ $name = busy ] && [ "\$ASAN_OPTIONS" != symbolize=1 ]; do :; done
STUB
    chmod +x "$dir/campaign/clang/fuzz/$name"
done
(cd "$dir/campaign" && LIMIT_MOST=1 "$campaign" . busy:10 waited:10) >"$dir/out" 2>&1
result=$(awk '$2 == 10 { print $1 ":", $5 != "-" ? $5 " " $6 " " $7 " " $8 " " $9 : $5 }' "$dir/out")
if [ "$result" = "busy: exit status 0, 1 inputs,
waited: -" ]; then
    passed=$((passed + 2))
else
    failed=$((failed + 1))
    echo "FAIL a campaign with slow inputs: $(cat "$dir/out")"
fi

# Each kind of input has a target, or is said to need none.
for kind in $kinds; do
    readers=$(sed -n "s/^$kind //p" "$inputs")
    for reader in ${readers:-nothing}; do
        case " $* none " in
        *" $reader "*) passed=$((passed + 1)) ;;
        *)
            failed=$((failed + 1))
            echo "FAIL $kind: $inputs names no target for it: \"$readers\""
            ;;
        esac
    done
done

for name in "$@"; do
    (cd "$dir/other" && TMPDIR=$dir/own "$limit" 300 "$guard" "$dir/refused" "$dir/own" -- "$targets/$name" "$corpus/$name") \
        >"$dir/out" 2>&1 </dev/null
    status=$?
    count=$(sed -n 's/^replayed: //p' "$dir/out")
    # Each by itself too: what is right only after another input is not right.
    for input in "$corpus/$name"/*; do
        [ "$status" = 0 ] && [ ! -s "$dir/refused" ] || break
        (cd "$dir/other" && TMPDIR=$dir/own "$limit" 60 "$guard" "$dir/refused" "$dir/own" -- "$targets/$name" "$input") \
            >"$dir/out" 2>&1 </dev/null
        status=$?
    done
    if [ "$status" = 0 ] && [ ! -s "$dir/refused" ]; then
        passed=$((passed + ${count:-0}))
    else
        failed=$((failed + 1))
        echo "FAIL $name: status $status"
        sed 's/^/    refused: /' "$dir/refused"
        tail -n 30 "$dir/out" | sed 's/^/    /'
    fi
done
echo "corpus: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
