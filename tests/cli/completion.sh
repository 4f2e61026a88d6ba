#!/bin/sh
# Completion of command lines: the candidates come from the tables, and bash, zsh and fish themselves complete with them.
#
#     tests/cli/completion.sh SIMOS
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/terminals.sh
. tests/terminals.sh
# shellcheck source=tests/checks.sh
. tests/checks.sh

# The candidates, without their meanings, in one line.
candidates() { HOME="$dir/home" "$simos" completion candidates "$@" | cut -f 1 | tr '\n' ' '; }

mkdir -p "$dir/bin" "$dir/home" "$dir/work/build/workloads" "$dir/work/traces" "$dir/share/fish/vendor_completions.d" "$dir/zsh"
ln -s "$simos" "$dir/bin/simos"
cd "$dir/work" || exit
touch a.ckpt a.json 'b c.json' own.tcl build/workloads/pmake.ckpt ../home/h.json "$(printf 'two\nlines.json')"

# Against what the commands themselves list.
for command in $("$simos" completion candidates '' | cut -f 1 | grep -v '^-'); do
    [ "$command" = help ] || check "options of $command" "$("$simos" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort)" \
        "$("$simos" completion candidates "$command" -- | cut -f 1 | grep -v -e '=$' -e '^--help$' | sort)"
done
check "the commands" "$("$simos" --help | sed -n 's/^\(usage:\|      \) simos \([-a-z]*\).*/\2/p' | sort -u)" \
    "$("$simos" completion candidates '' | cut -f 1 | grep -v '^--help$' | sort)"
check "the machines" "$("$simos" machines | awk '{ print $1 }')" \
    "$("$simos" completion candidates run --machine '' | cut -f 1 | grep -v -e '/$' -e '\.tcl$')"
check "the parameters" "$("$simos" params | awk '/^[a-z0-9_]+\.[a-z0-9._]+ / { print $1 }' | sort)" \
    "$("$simos" completion candidates params '' | cut -f 1 | sort)"

while IFS='|' read -r words expected; do
    # shellcheck disable=SC2086 # $words are words; ~~ stands for an empty one
    check "$words" "$expected" "$(set -f; eval "candidates $words")"
done <<'EOF2'
re|restore report 
run --cp|--cpu --cpus 
run --cpu ''|mipsy embra mxs 
run --cpu=e|--cpu=embra 
run --switch m|mipsy@ mxs@ 
run --switch mxs@|mxs@boot mxs@mark: mxs@time: mxs@insns: 
run --set cache.l2.si|cache.l2.size= 
run --set cache.l3.split=|cache.l3.split=on cache.l3.split=off 
run --set cache.nothing=|
run --disk own.tcl,|own.tcl,ro own.tcl,write own.tcl,overlay= 
run --console f|file: 
run --console file:a.c|file:a.ckpt 
run --checkpoint x@i|x@insns: 
run --timeline t.json,from=b|t.json,from=boot 
run --script m|misses 
run --stats a|a.json 
run --table none --machine ow|own.tcl 
trace --format ramulator|ramulator ramulator-cpu ramulator2 
run --nothing |
run -- a|
restore a|a.ckpt 
restore b|build/ build/workloads/pmake.ckpt 
windows t|traces/ 
sweep --over fig|figure-4.6 figure-4.7 figure-5.3 
sweep --over cache.l3.sp|cache.l3.split= 
report 'b c'|b c.json 
report t|traces/ 
report --services=|--services=json 
report '~/'|~/h.json 
help swe|sweep 
completion ''|bash zsh fish 
nothing ''|
EOF2

out=$("$simos" completion csh 2>&1)
check "another shell is refused" "125 simos: \`completion\` needs a shell: bash, zsh or fish" "$? $out"

# bash: its own table of completions says which function, which gets the line as the shell would give it.
"$simos" completion bash >"$dir/simos.bash"
in_bash()
{
    # shellcheck disable=SC2016
    PATH="$dir/bin:$PATH" HOME="$dir/home" bash --norc -c 'source "$1"
        COMP_LINE=$2 COMP_POINT=${#2}
        function=$(complete -p simos)
        function=${function#*-F }
        ${function%% *} && printf "%s|" "${COMPREPLY[@]}"' bash "$dir/simos.bash" "$1" 2>&1
}
while IFS=';' read -r line expected; do
    check "bash: $line" "$expected" "$(in_bash "$line")"
done <<'EOF2'
simos re;restore|report|
simos run --cpu ;mipsy|embra|mxs|
simos run --set cache.l3.split=o;on|off|
simos run --switch mxs@ti;@time:|
simos report b\ ;b\ c.json|
simos report ~/h;~/h.json|
EOF2

# Where they are installed is where Debian's shells look.
check "zsh looks in vendor-completions and site-functions" "/usr/local/share/zsh/site-functions /usr/share/zsh/vendor-completions" \
    "$(zsh -f -c 'print -l $fpath' | grep -e '^/usr/share/zsh/vendor-completions$' -e '^/usr/local/share/zsh/site-functions$' | sort | xargs)"
"$simos" completion zsh >"$dir/zsh/_simos"
"$simos" completion fish >"$dir/share/fish/vendor_completions.d/simos.fish"

# fish prints what it would offer. It finds the file by itself.
in_fish()
{
    PATH="$dir/bin:$PATH" HOME="$dir/home" XDG_DATA_DIRS="$dir/share:/usr/share" fish -c 'complete -C "$argv"' "$1" |
        cut -f 1 | tr '\n' '|'
}
check "fish: commands" "restore|report|" "$(in_fish 'simos re')"
check "fish: values" "embra|mipsy|mxs|" "$(in_fish 'simos run --cpu ' | tr '|' '\n' | sort | tr '\n' '|')"
check "fish: parameters" "cache.l2.size=|" "$(in_fish 'simos run --set cache.l2.siz')"

# typed SHELL LINE: the words of the line that SHELL has when LINE has been typed in a session; ^ stands for a tab.
typed()
{
    PATH="$dir/bin:$PATH" HOME="$dir/home" DIR="$dir" TESTED=$1 TYPED=$2 expect -f - 2>&1 <<'EOF2'
log_user 0
set timeout 600
set dir $env(DIR)
if {$env(TESTED) eq "bash"} {
    spawn -noecho env PS1=ready> bash --norc --noprofile -i
    set begin "bind 'set enable-bracketed-paste off'; source $dir/simos.bash"
} else {
    spawn -noecho env PS1=ready> zsh -f -i
    set begin "unsetopt zle_bracketed_paste prompt_sp; fpath=($dir/zsh \$fpath); autoload -Uz compinit; compinit -u -D"
}
expect ready>
send "$begin\r"
expect ready>
send [string map [list ^ \t] $env(TYPED)]
# The line becomes the words of another command.
send "\001printf '|%s' begin \005 end; echo\r"
expect -re {\|begin\|([^\r\n]*)\|end} { puts $expect_out(1,string) } timeout { puts timeout }
send "exit\r"
expect eof
EOF2
}
for shell in bash zsh; do
    while IFS=';' read -r line expected; do
        has_terminals 1 && check "$shell, typed: $line" "$expected" "$(typed $shell "$line")"
    done <<'EOF2'
simos rest^;simos|restore
simos run --quie^--cpu em^;simos|run|--quiet|--cpu|embra
simos run --cpu em^--table sh^;simos|run|--cpu|embra|--table|short
simos run --set cache.l3.split=of^;simos|run|--set|cache.l3.split=off
simos run --checkpoint x@ins^5;simos|run|--checkpoint|x@insns:5
simos report b\ ^;simos|report|b c.json
EOF2
done

echo "completion: $passed passed, $failed failed$(skipped_checks)"
[ "$failed" = 0 ]
