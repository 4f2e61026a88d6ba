# shellcheck shell=sh
# Fresh Debian machines as chroots, for scripts that run as root from the top of the tree and source this with their own words:
#
#     script=PATH                         of the script, from the top
#     . tests/hosts/chroot.sh
#     make_chroot FOLDER RELEASE PACKAGES LOG    $chroot is FOLDER, a new machine from the mirror that this one's own packages come
#                                         from, with its certificates and proxies, with /proc, /sys and /dev; LOG gets what debootstrap says
#     in_chroot COMMAND                   as on a machine where nothing is set; $without_network: "unshare -n" or nothing
#     leave_chroot                        removes it, unless KEEP=1
#
# The script goes on in mounts of its own: what it mounts and unmounts is nobody else's, and ends with it.
[ "${CHROOT_MOUNTS-}" = own ] || exec env CHROOT_MOUNTS=own unshare --mount -- "$script" "$@"

chroot= without_network=
# This machine's way to the mirror, where it has a proxy: for debootstrap, and for apt in the chroot.
proxies=$(apt-config dump 2>/dev/null | grep -E '^Acquire::https?::Proxy') || true
proxy=$(echo "$proxies" | sed -n 's/^Acquire::http::Proxy "\(.*\)";$/\1/p')

leave_chroot() {
    [ -n "$chroot" ] || return 0
    for place in proc sys dev; do
        ! mountpoint -q "$chroot/$place" || umount -R -l "$chroot/$place"
    done
    [ -n "${KEEP-}" ] || rm -rf --one-file-system "$chroot"
    chroot=
}
trap leave_chroot EXIT
trap 'exit 130' INT TERM

make_chroot() {
    case $1 in
    /*/*) ;;
    *)
        echo "chroot.sh: $1: not a folder for a machine" >&2
        return 1
        ;;
    esac
    rm -rf --one-file-system "$1"
    chroot=$1 without_network=
    lists=$(mktemp -d)
    mirror=$(sh -c '. workloads/mirrors.sh; list_mirrors "$1"' chroot.sh "$lists" | sed -n '1s/=.*//p')
    rm -r "$lists"
    ${proxy:+env http_proxy="$proxy"} debootstrap --variant=minbase --include="$3,ca-certificates" "$2" "$chroot" "$mirror" >>"$4" 2>&1 ||
        return 1
    cp /etc/resolv.conf "$chroot/etc/resolv.conf"
    # the certificates that this machine trusts besides its release's
    ! cp /usr/local/share/ca-certificates/*.crt "$chroot/usr/local/share/ca-certificates" 2>/dev/null ||
        chroot "$chroot" update-ca-certificates >>"$4" 2>&1
    [ -z "$proxies" ] || echo "$proxies" >"$chroot/etc/apt/apt.conf.d/90proxies"
    for place in proc sys dev; do
        mount --rbind /$place "$chroot/$place" && mount --make-rslave "$chroot/$place"
    done
}

# shellcheck disable=SC2086 # words of a command
in_chroot() {
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 $without_network chroot "$chroot" sh -c "$1" </dev/null
}
