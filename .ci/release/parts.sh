#!/bin/sh
# What a program is linked with, and what its guest consists of: packages of Debian.
#
#     parts.sh libraries PROGRAM                NAME FILE of each shared library but those of the C library
#     parts.sh linked PROGRAM LIST              the packages of LIST's files and of the static libraries of which the linker has
#                                               taken members (PROGRAM.map)
#     parts.sh packages HOW FILE.deb...         of these files, and what they are built with
#     parts.sh licences FOLDER [FILE.deb...]    FOLDER/PACKAGE for each line of the input, and for each file: the copyright that
#                                               Debian gives; and the licences that those refer to
#
# A package is a line: HOW (shared, static, or as given), package, version, source package, its version, with tabs between.
set -eu
LC_ALL=C
export LC_ALL
tab=$(printf '\t')

# package_of FILE: the installed package that it belongs to. dpkg may know the file below / or below /usr.
package_of()
{
    real=$(realpath "$1")
    dpkg-query -S "$real" "${real#/usr}" 2>/dev/null | sed 's/: .*//' | sort -u | head -n 1
}

what=$1
shift
case $what in
libraries)
    ldd "$1" | awk '$2 == "=>" && $3 !~ /^\// { print "parts.sh: there is no " $1 > "/dev/stderr"; exit 1 }
        $2 == "=>" && $1 !~ /^(libc|libm)\.so/ { print $1, $3 }' | sort
    ;;
linked)
    {
        sed 's/[^ ]* /shared /' "$2"
        sed -n 's/^\(\/[^(]*\.a\)(.*/static \1/p' "$1.map" | sort -u
    } | while read -r how file; do
        package=$(package_of "$file")
        [ -n "$package" ] || { echo "parts.sh: $file is of no package" >&2; exit 1; }
        # shellcheck disable=SC2016 # a format of dpkg's
        dpkg-query -W -f "$how"'\t${Package}\t${Version}\t${source:Package}\t${source:Version}\n' "$package"
    done | sort -u
    ;;
packages)
    how=$1
    shift
    for file; do
        # "Source: NAME (VERSION)" where they differ from the package's
        dpkg-deb -f "$file" Package Version Source Built-Using | awk -v how="$how" -v OFS='\t' '
            { key = $1; sub(/^[^:]*: /, ""); value[key] = $0 }
            # "NAME (VERSION)", "NAME (= VERSION)" or "NAME", of which the version is OTHERWISE
            function print_package(name, text, otherwise) {
                source = text
                sub(/ .*/, "", source)
                if (sub(/.*\((= )?/, "", text)) sub(/\)/, "", text); else text = otherwise
                print how, name ? name : source, name ? otherwise : text, source, text
            }
            END {
                print_package(value["Package:"], value["Source:"] ? value["Source:"] : value["Package:"], value["Version:"])
                n = split(value["Built-Using:"], used, /, */)
                for (i = 1; i <= n; i++) print_package("", used[i], "")
            }'
    done
    ;;
licences)
    folder=$1
    shift
    mkdir -p "$folder"
    while IFS=$tab read -r how package rest; do
        case $how in shared | static) install -m 644 "/usr/share/doc/$package/copyright" "$folder/$package" ;; esac
    done
    for file; do
        package=$(dpkg-deb -f "$file" Package)
        # a package of the same source may have the folder, and this one a link to it
        doc=$(dpkg-deb -c "$file" | sed -n "s|.* \./usr/share/doc/$package -> ||p")
        if [ -n "$doc" ]; then
            ln -sf "$(basename "$doc")" "$folder/$package"
        else
            dpkg-deb --fsys-tarfile "$file" | tar -x -O -f - "./usr/share/doc/$package/copyright" >"$folder/$package"
        fi
    done
    sed -n 's|.*/usr/share/common-licenses/\([A-Za-z0-9.-]*[0-9a-zA-Z]\).*|\1|p' "$folder"/* | sort -u | while read -r licence; do
        [ ! -f "/usr/share/common-licenses/$licence" ] || install -m 644 "/usr/share/common-licenses/$licence" "$folder/licence-$licence"
    done
    ;;
esac
