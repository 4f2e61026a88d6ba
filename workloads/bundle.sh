#!/bin/sh
# Writes one file with everything that guest.lock names, so that SIMOS_BUNDLE=FILE needs no network.
#
#     bundle.sh FILE [SETS]
#
# With SETS only these, separated by spaces; `run`: what `make run` needs. FILE is a tar archive: guest.lock, and
# packages/ as the cache has them. The same lock gives the same bytes: members are sorted by name, belong to root, and are
# as old as the guest's files.
set -eu
LC_ALL=C
export LC_ALL
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
[ $# -ge 1 ] && [ $# -le 2 ] || die "usage: bundle.sh FILE [SETS]"
output=$1
# The day before the guest's clock starts.
newest=1686268800
# Not an option, and not a host of tar's (HOST:FILE).
case $output in /*) ;; *) output=./$output ;; esac
case ${2-} in
'') sets=$(sed -n 's/^set \([^ ]*\) .*/\1/p' "$lock") ;;
run) sets=$(run_sets) ;;
*) sets=$2 ;;
esac
work=$output.d
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
rm -rf "$work"
mkdir -p "$work/packages"
for set in $sets; do
    set_paths "$set" >"$work/paths"
    while read -r path; do
        ln -sf "$path" "$work/packages/"
    done <"$work/paths"
done
rm "$work/paths"
cp "$lock" "$work/guest.lock"
tar -c -h -f "$output.new" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@$newest --format=ustar \
    -C "$work" guest.lock packages
mv "$output.new" "$output"
echo "$output: $(tar -t -f "$output" | grep -c '/.') packages, $(du -m "$output" | cut -f 1) MB"
