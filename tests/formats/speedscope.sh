#!/bin/sh
# Unpacks speedscope, a viewer of profiles that runs in a browser, into FOLDER: FOLDER/dist/release/index.html.
#
#     tests/formats/speedscope.sh FOLDER
#
# The package comes by name from where this host's npm takes packages, once: it is kept in
# ${SIMOS_CACHE:-${XDG_CACHE_HOME:-~/.cache}/simos}/npm, and a second time neither npm nor the network is used.
#
# Exit status 0: it is there; 2: this host has no npm (one line says so); 1: npm cannot have it, or it is another file.
set -eu
folder=$1
package=speedscope-1.25.0
sum=2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/simos}/npm
kept=$cache/$package.tgz

is_right()
{
    echo "$sum  $1" | sha256sum --check --status 2>/dev/null
}

if ! is_right "$kept"; then
    command -v npm >/dev/null || { echo "speedscope: there is no npm here that could fetch it, and no $kept"; exit 2; }
    mkdir -p "$cache"
    new=$(mktemp -d "$cache/new.XXXXXX")
    trap 'rm -rf "$new"' EXIT
    trap 'exit 130' INT TERM
    echo "speedscope: fetching $package into $cache" >&2
    (cd "$new" && npm pack --loglevel=error "${package%-*}@${package##*-}" >log 2>&1) ||
        { echo "speedscope: npm: $(grep -m 1 -i "^npm err" "$new/log")"; exit 1; }
    is_right "$new/$package.tgz" || { echo "speedscope: what npm has fetched is another $package.tgz"; exit 1; }
    mv "$new/$package.tgz" "$kept"
fi
mkdir -p "$folder"
tar -xzf "$kept" -C "$folder" --strip-components=1 --no-same-owner
