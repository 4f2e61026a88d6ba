#!/bin/sh
# The arrows of docs/design/code-layout.md: a room includes only rooms below it, Tcl stays at the top, only the agreed names
# stand at the top level, every header compiles alone, no source has mutable file-scope state, and links between the
# pages lead somewhere.
# Prints one line a violation and exits 1 if there is any.
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-gcc}
bad=0
complain()
{
    echo "$1"
    bad=1
}

# Room of a path.
room()
{
    case $1 in
    src/log.* | src/suggest.* | src/event.* | src/params.* | src/stats.* | src/save_file.* | src/input_file.* | src/saved.* | src/physmem.* | src/physmem_saved.* | src/symbols.* | src/physmem_history.* | src/types.h | src/board.h | src/tree_writer.* | src/attribution.h)
        echo ground ;;
    src/*) echo top ;;
    cpu/inorder/models.c | cpu/translate/* | cpu/mxs/*) echo model ;; # mipsy and embra are the translator's users
    cpu/inorder/*) echo inorder ;;
    cpu/*) echo cpu ;;
    cache/*) echo cache ;;
    devices/*) echo devices ;;
    checkpoint/*) echo checkpoint ;;
    annotations/*) echo annotations ;;
    *) echo other ;;
    esac
}

# May room $1 include room $2 (path $3)?
allowed()
{
    case $1:$2 in
    ground:ground | cpu:cpu | cpu:ground | cache:cache | cache:ground | devices:devices | devices:ground) return 0 ;;
    inorder:inorder | inorder:cpu | inorder:ground | model:inorder | model:model | model:cpu | model:ground | checkpoint:checkpoint | checkpoint:ground) return 0 ;;
    model:cache | inorder:cache) case $3 in cache/memsys.h | cache/nonblocking.h) return 0 ;; *) return 1 ;; esac ;;
    top:* | annotations:ground | annotations:cpu | annotations:cache | annotations:devices | annotations:checkpoint) return 0 ;;
    annotations:annotations) return 0 ;;
    esac
    return 1
}

# The clone may be another user's.
list_files()
{
    git -c safe.directory="$PWD" ls-files --cached --others --exclude-standard "$@"
}
sources=$(list_files 'src/*.[ch]' 'cpu/*.[ch]' 'cpu/*.inc' 'cpu/*.def' 'cache/*.[ch]' \
    'devices/*.[ch]' 'checkpoint/*.[ch]' 'annotations/*.[ch]' 'annotations/*.def' 'src/*.def')

for file in $sources; do
    from=$(room "$file")
    for included in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
        allowed "$from" "$(room "$included")" "$included" || complain "$file: $from may not include $included"
    done
    if grep -q '#include .*tcl\(_versions\)\?\.h[>"]' "$file"; then
        case $from in top | annotations) ;; *) complain "$file: only annotations/ and the top of src/ use Tcl" ;; esac
    fi
    if [ "$from" = model ]; then
        own=$(echo "$file" | cut -d/ -f2)
        for included in $(sed -n 's/^#include "\(cpu\/[a-z]*\/[^"]*\)".*/\1/p' "$file"); do
            case $file:$included in
            cpu/inorder/models.c:cpu/translate/model.h) continue ;;
            *) case $(echo "$included" | cut -d/ -f2) in "$own" | inorder | host) continue ;; esac ;;
            esac
            complain "$file: includes another model's $included"
        done
    fi
done

[ -n "$sources" ] || complain "git lists no sources: is this a clone?"
for name in $(list_files | cut -d/ -f1 | sort -u); do
    case $name in
    src | cpu | cache | devices | checkpoint | annotations | workloads | tests | docs | debian | Containerfile | Makefile | README.md | LICENSE | .*) ;;
    *) complain "$name: not one of the agreed names at the top level" ;;
    esac
done

for header in $(echo "$sources" | tr ' ' '\n' | grep '\.h$'); do
    $CC -std=gnu17 -I. ${TCL_CFLAGS-$(pkg-config --cflags tcl 2>/dev/null)} -Wall -Wextra ${WERROR_FLAG-} -fsyntax-only -x c "$header" \
        2>/dev/null || complain "$header: does not compile alone"
done

# Mutable file-scope state: a static object that is neither const nor a function. Accepted: what signal handlers and
# readline's callbacks need, which get no pointer of ours; a process has one terminal.
accepted='src/console.c:.*caught_signal;|src/shell_readline.c:.*prompt_on_terminal;'
for file in $(echo "$sources" | tr ' ' '\n' | grep '\.c$'); do
    grep -nE '^static [^(]*(=|;|\[)' "$file" | grep -vE '\bconst\b|^[0-9]+:static (inline )?[a-z_ ]*\*?[a-z_]+\(' |
        sed "s|^|$file:|; s|\$|   <- mutable file-scope state|" | grep -vE "^($accepted)" && bad=1
done

# The pages refer to each other.
tests/check-links.sh README.md docs || bad=1

# What can be added is tested.
tests/check-tested.sh || bad=1

# The page that follows a load names functions.
tests/check-load.sh || bad=1

[ $bad = 0 ] && echo "layout: $(echo "$sources" | wc -w) files, every arrow points down"
exit $bad
