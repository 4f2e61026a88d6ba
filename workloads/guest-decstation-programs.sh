#!/bin/sh
# guest-decstation-programs.sh MKCPIO FOLDER small|programs: an initrd of the two DECstations with programs to measure:
# FOLDER/small.cpio, with programs of few files, or FOLDER/programs.cpio, with these and a C compiler. All are built from
# Debian's source packages (source-mips1.sh, source-busybox.sh, source-programs.sh, source-pcc.sh). An archive that would be
# the same stays as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case $#-${3-} in
3-small | 3-programs) ;;
*)
    echo "usage: guest-decstation-programs.sh MKCPIO FOLDER small|programs" >&2
    exit 1
    ;;
esac
mkcpio=$1 folder=$2 name=$3
case $folder in /*) ;; *) folder=./$folder ;; esac
# shellcheck source=workloads/guest-files.sh
. "$here/guest-files.sh"

compiler=$("$here/source-mips1.sh")
busybox=$("$here/source-busybox.sh" "$compiler")
programs=$("$here/source-programs.sh" "$compiler")
pcc=
[ "$name" = small ] || pcc=$("$here/source-pcc.sh" "$compiler")
work=$folder/$name.d
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work/tree" "$work/new"
cp -R "$programs/tree/." "$work/tree/"
[ -z "$pcc" ] || cp -R "$pcc/tree/." "$work/tree/"
"$here/mkinitrd.sh" "$mkcpio" decstation "$busybox" "$work/new/$name.cpio" "$work/tree"
install_files "$work/new" "$folder"
