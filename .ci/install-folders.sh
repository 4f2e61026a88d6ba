#!/bin/sh
# The folders of `make install`, and none that was there before: which ones it has made is kept beside the program.
#
#     .ci/install-folders.sh make DESTDIR HOME FOLDER...      make HOME and the FOLDERs; HOME/.folders gets those made
#     .ci/install-folders.sh remove DESTDIR HOME PATH...      remove HOME, the PATHs, and made folders that are empty
#
# DESTDIR (which may be empty) stands in front of HOME, FOLDER and PATH. Two may make folders at the same time.
set -eu
todo=$1 destdir=$2 home=$3
list=$destdir$home/.folders
shift 2

# make_folder FOLDER: with those above it, up to DESTDIR. `mkdir` says who of two has made one.
make_folder()
{
    [ ! -d "$destdir$1" ] || return 0
    case $(dirname "$1") in
    / | .) [ -z "$destdir" ] || [ -d "$destdir" ] || { mkdir -p "$destdir" && made="$made
."; } ;;
    *) make_folder "$(dirname "$1")" ;;
    esac
    if mkdir -m 755 "$destdir$1" 2>/dev/null; then
        made="$made
$1"
    elif [ ! -d "$destdir$1" ]; then
        mkdir "$destdir$1" # says why not
    fi
}

case $todo in
make)
    made=
    for folder in "$@"; do
        make_folder "$folder"
    done
    [ -z "$made" ] || printf '%s\n' "${made#?}" >>"$list"
    ;;
remove)
    folders=
    [ ! -f "$list" ] || folders=$(sort -r "$list")
    for path in "$@"; do
        rm -rf "$destdir$path"
    done
    # What is below comes first; DESTDIR, ".", last.
    printf '%s\n' "$folders" | while read -r folder; do
        case $folder in
        '' | .) ;;
        *) rmdir "$destdir$folder" 2>/dev/null || true ;; # not empty: somebody else's, too
        esac
    done
    case "
$folders
" in
    *"
.
"*) rmdir "$destdir" 2>/dev/null || true ;;
    esac
    ;;
esac
