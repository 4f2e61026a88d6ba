# Mirrors of Debian with busybox in them, signed by a key made here: sourced behind harness.sh by the tests of what fetch.sh
# takes from where. Sets $fetch, $lock, $busybox (the package), its $name, $sum and $version, and makes $work/mirror.gpg and
# $work/other.gpg, the keys.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are the scripts', or the harness's

fetch=$root/workloads/fetch.sh
lock=$root/workloads/guest.lock

busybox=$("$fetch" busybox) || fail "fetch.sh busybox"
busybox=${busybox#*  } name=${busybox##*/}
unset SIMOS_BUNDLE SIMOS_MIRROR # those of this run of the tests
row=$(awk -v name="$name" '$6 == name { print $2, $3, $5 }' "$lock")
sum=${row%% *} version=${row##* }
GNUPGHOME=$work/gnupg
export GNUPGHOME
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key mirror rsa2048 sign never 2>"$work/err" || fail "gpg" "$(cat "$work/err")"
gpg --batch --quiet --passphrase '' --quick-generate-key other rsa2048 sign never 2>"$work/err"
gpg --export mirror >"$work/mirror.gpg"
gpg --export other >"$work/other.gpg"

# make_mirror FOLDER VERSION [ARCHITECTURE [FIELD...]]: a mirror whose lists have busybox of that version; of another
# architecture than mipsel they have nothing. FIELDs are lines of its Release.
make_mirror()
{
    lists=$1/dists/bookworm listed=$2 list_of=main/binary-${3:-mipsel}
    rm -rf "$lists"
    mkdir -p "$lists/$list_of" "$lists/main/source" "$1/pool"
    cp "$busybox" "$1/pool/"
    : >"$lists/$list_of/Packages"
    : >"$lists/main/source/Sources"
    [ "${3:-mipsel}" != mipsel ] ||
        printf 'Package: busybox-static\nVersion: %s\nArchitecture: mipsel\nMaintainer: none\nDescription: none\nFilename: pool/%s\nSize: %s\nSHA256: %s\n\n' \
            "$listed" "$name" "$(wc -c <"$busybox")" "$sum" >"$lists/$list_of/Packages"
    xz -f -k "$lists/$list_of/Packages" "$lists/main/source/Sources"
    {
        printf 'Origin: Debian\nLabel: Debian\nSuite: oldstable\nCodename: bookworm\nArchitectures: all %s\nComponents: main\n' "${3:-mipsel}"
        shift 2
        [ $# -eq 0 ] || shift
        case $* in *Date:*) ;; *) echo "Date: $(date -u -R)" ;; esac
        [ $# -eq 0 ] || printf '%s\n' "$@"
        echo SHA256:
        (cd "$lists" && for file in "$list_of"/Packages* main/source/Sources*; do
            echo " $(sha256sum <"$file" | cut -c -64) $(wc -c <"$file") $file"
        done)
    } >"$lists/Release"
    gpg --batch --quiet --yes --local-user mirror --clearsign --output "$lists/InRelease" "$lists/Release"
}
