#!/bin/sh
# The arrows of docs/design/code-layout.md: a room includes only rooms below it, Tcl has one room, only the agreed names
# stand at the top level, every header compiles alone, no source has mutable file-scope state, and links between the
# pages lead somewhere.
# Prints one line a violation and exits 1 if there is any.
#
#     tests/check-layout.sh [rooms]        rooms: only the arrows
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-gcc}
bad=0
complain()
{
    echo "$1"
    bad=1
}

# Every room, lower ones first, and the rooms whose headers it includes besides its own: the table of the page.
page=docs/design/code-layout.md
rooms=$(sed -n 's#^| `\([^`]*\)/` |.*|\([^|]*\)|$#\1:\2#p' $page | sed '/^tests/d; s#/`##g; s#[`,]# #g; s#: *#:#')
rooms="
$rooms
"

# A room with this many lines or more is to be divided.
room_lines=9000

# Nothing that a room includes stands below it in the list: so no arrow points up, and there is no cycle of rooms.
echo "$rooms" | awk -F: '
    NF { n = split($2, used, " ")
         for (i = 1; i <= n; i++) if (!(used[i] in seen)) { print "rooms: " $1 " uses " used[i] ", which is no lower room"; bad = 1 }
         seen[$1] }
    END { exit bad }' || bad=1

# The clone may be another user's.
list_files()
{
    git -c safe.directory="$PWD" ls-files --cached --others --exclude-standard "$@"
}
sources=$(list_files 'src/*.[ch]' 'cpu/*.[ch]' 'cpu/*.inc' 'cpu/*.def' 'cache/*.[ch]' \
    'devices/*.[ch]' 'checkpoint/*.[ch]' 'annotations/*.[ch]' 'annotations/*.def' 'src/*.def')

# room<TAB>file<TAB>included file, a line an include
includes()
{
    # shellcheck disable=SC2086 # a list of files
    grep -H '^#include "' $sources | sed 's|^\(\([^:]*\)/[^:/]*\):#include "\([^"]*\)".*|\2\t\1\t\3|'
}
includes | ROOMS=$rooms awk -F '\t' '
    BEGIN {
        n = split(ENVIRON["ROOMS"], rows, "\n")
        for (i = 1; i <= n; i++) {
            room = rows[i]; sub(":.*", "", room); allowed[room, room]; known[room]
            sub("[^:]*:", "", rows[i])
            m = split(rows[i], used, " ")
            for (j = 1; j <= m; j++) allowed[room, used[j]]
        }
    }
    {
        to = $3; sub("/[^/]*$", "", to)
        if (!($1 in known)) print $2 ": stands in no room"
        else if (!(($1, to) in allowed)) print $2 ": " $1 " may not include " $3
        else next
        bad = 1
    }
    END { exit bad }' || bad=1
for file in $sources; do
    case $rooms in *"
${file%/*}:"*) ;; *) complain "$file: stands in no room" ;; esac
done
# shellcheck disable=SC2086 # a list of files
for file in $(grep -l '#include .*[</"]tcl\.h[>"]' $sources | grep -vx src/tcl/tcl_versions.h); do
    complain "$file: includes <tcl.h>, not src/tcl/tcl_versions.h"
done

# Rooms whose files form layers: what a file and its header include of the room never leads back to them.
layered='annotations/accounts annotations/services checkpoint devices/virtio src/cluster src/observe src/regress src/shell src/tcl'
for room in $layered; do
    # shellcheck disable=SC2046 # a list of files
    circle=$(grep -H '^#include "' $(list_files "$room/*.[ch]") |
        sed -n "s|^$room/\([^/]*\)\.[ch]:#include \"$room/\([^/]*\)\.h\".*|\1 \2|p" | awk '
        $1 != $2 && !(($1, $2) in seen) { seen[$1, $2]; from[++n] = $1; to[n] = $2 }
        END {
            do { # without what includes nothing that is left, and what nothing includes that is left
                changed = 0
                split("", includes)
                split("", included)
                for (i = 1; i <= n; i++) if (i in from) { includes[from[i]]; included[to[i]] }
                for (i = 1; i <= n; i++)
                    if ((i in from) && (!(to[i] in includes) || !(from[i] in included))) { delete from[i]; changed = 1 }
            } while (changed)
            for (i = 1; i <= n; i++) if (i in from) printf " %s -> %s", from[i], to[i]
        }')
    [ -z "$circle" ] || complain "$room: its files form a circle:$circle"
done

[ "${1-}" != rooms ] || exit $bad

# An include guard is the path of its header.
for header in $(echo "$sources" | tr ' ' '\n' | grep '\.h$'); do
    guard=SIMOS_$(echo "${header#src/}" | tr 'a-z/.-' 'A-Z___')
    grep -q "^#ifndef $guard\$" "$header" || complain "$header: the include guard is not $guard"
done

for room in $(echo "$rooms" | sed -n 's/:.*//p'); do
    lines=$(cat "$room"/*.[ch] "$room"/*.def 2>/dev/null | wc -l)
    [ "$lines" -gt 0 ] || complain "$page: $room/ has no files"
    [ "$lines" -lt $room_lines ] || complain "$room: $lines lines, more than a room should have"
done

[ -n "$sources" ] || complain "git lists no sources: is this a clone?"
for name in $(list_files | cut -d/ -f1 | sort -u); do
    case $name in
    src | cpu | cache | devices | checkpoint | annotations | python | workloads | tests | docs | debian | Containerfile | Makefile | README.md | LICENSE | .*) ;;
    CONTRIBUTING.md | CHANGELOG.md | CITATION.cff) ;;
    *) complain "$name: not one of the agreed names at the top level" ;;
    esac
done

# The headers one by one, on every processor; not again while no header, compiler or flag has changed since all compiled.
TCL_CFLAGS=${TCL_CFLAGS-$(pkg-config --cflags tcl 2>/dev/null)}
export CC TCL_CFLAGS WERROR_FLAG
compiled=build/.headers-alone
state=$({
    $CC --version
    echo "$TCL_CFLAGS ${WERROR_FLAG-}"
    echo "$sources" | tr ' ' '\n' | grep -E '\.(h|def|inc)$' | xargs sha256sum
} 2>/dev/null | sha256sum)
if [ "$(cat $compiled 2>/dev/null)" != "$state" ]; then
    # shellcheck disable=SC2016 # expanded by the inner shell
    refused=$(echo "$sources" | tr ' ' '\n' | grep '\.h$' | xargs -P "$(nproc)" -n 8 sh -c '
        for header; do
            $CC -std=gnu17 -I. $TCL_CFLAGS -Wall -Wextra ${WERROR_FLAG-} -fsyntax-only -x c "$header" 2>/dev/null || echo "$header"
        done' sh | sort)
    for header in $refused; do
        complain "$header: does not compile alone"
    done
    [ -n "$refused" ] || { mkdir -p build && echo "$state" >$compiled; }
fi

# Mutable file-scope state: a static object that is neither const nor a function. Accepted: what signal handlers and
# readline's callbacks and jansson's allocator need, which get no pointer of ours; a process has one terminal.
# And the locks and open outputs that a process has, what it saves at an error in simos, and the descriptor for the lines of
# its errors.
accepted='src/base/error_lines.c:.*channel = -1;|src/base/log.c:.*bug_steps;|src/base/output_lock.c:.*\*held;|src/base/open_outputs.c:.*(lock = PTHREAD_MUTEX_INITIALIZER|\*outputs);|src/base/json_file.c:.*budget;|src/observe/console.c:.*caught_signal;|src/shell/shell_readline.c:.*prompt_on_terminal;'
echo "$sources" | tr ' ' '\n' | grep '\.c$' | xargs grep -HnE '^static [^(]*(=|;|\[)' |
    grep -vE '\bconst\b|^[^:]*:[0-9]+:static (inline )?[a-z_ ]*\*?[a-z_]+\(' |
    sed 's|$|   <- mutable file-scope state|' | grep -vE "^($accepted)" && bad=1

# What an architecture's registers and addresses are is known in cpu/ alone (docs/design/architecture.md): elsewhere
# nothing has numbers of registers, CP0 numbers, bits of its registers, codes of exceptions, fields of TLB entries ...
outside=$(list_files src annotations devices checkpoint)
# shellcheck disable=SC2086 # a list of files
grep -HnE 'gpr\[|CP0_|STATUS_|\bEXC_[A-Z]|\bs\.(cp0|tlb|fpr)\b|\btlb_entry\b|\bREG_(V0|A[0-3]|GP|SP|RA)\b' $outside |
    sed 's|$|   <- asks no interface of cpu/|' | grep . && bad=1
# ... and nothing computes with the segments of addresses. The coherence manager has registers with such addresses, and
# src/base/ knows no processor: symbols_exports.c reads tables of a MIPS kernel.
# shellcheck disable=SC2086 # a list of files
grep -HnE '>> (29|30) [=!]=|[^-]\b0x([8a]0000000|80000[01]80|bfc00[0-9]00|1fffffff)u?\b' $outside |
    grep -vE "^(devices/board/(coherence_manager|power_controller|boot_rom)\.|devices/dec/prom|src/base/symbols_exports\.c:|src/image/image_elf\.c:[0-9]*:#define ARCH_)" |
    sed 's|$|   <- asks not cpu/segments.h|' | grep . && bad=1

# The drawing of the layers is that of the includes.
docs/layers.sh | cmp -s - docs/drawings/layers.svg || complain "docs/drawings/layers.svg is not what docs/layers.sh makes: \`make docs\`"

# JSON is written by src/base/json_writer.c alone.
# shellcheck disable=SC2086 # a list of files
grep -HnE '[{,[](\\n)? *\\"[^ ]*\\":' $sources | sed 's|$|   <- JSON written by hand|' | grep . && bad=1

# The pages refer to each other, and README.md lists them all.
tests/check-links.sh README.md CONTRIBUTING.md CHANGELOG.md docs || bad=1
for page in $(list_files 'docs/*.md'); do
    grep -qF "($page)" README.md || complain "$page: README.md does not list it"
done

# Words that have a standard term instead.
tests/check-words.sh || bad=1

# What can be added is tested.
tests/check-tested.sh || bad=1

# What pages and comments name is there.
tests/check-names.sh || bad=1

[ $bad = 0 ] && echo "layout: $(echo "$sources" | wc -w) files in $(echo "$rooms" | grep -c :) rooms, every arrow points down"
exit $bad
