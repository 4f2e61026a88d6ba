# shellcheck shell=sh
# Shared by tests that need pseudo-terminals, which a chroot without devpts does not have. Sourced; the sum of such a test
# ends with $(skipped_checks).
skipped=0 terminals=

# has_terminals COUNT: can pseudo-terminals be created? If not, COUNT checks are skipped, and a line says why, once.
has_terminals()
{
    if [ -z "$terminals" ]; then
        terminals=yes
        command -p script -qec true /dev/null >/dev/null 2>&1 </dev/null || terminals=no
        [ $terminals = yes ] ||
            echo "$(basename "$0"): skipped: no pseudo-terminal can be created here: is devpts mounted on /dev/pts?"
    fi
    [ $terminals = yes ] || skipped=$((skipped + $1))
    [ $terminals = yes ]
}

skipped_checks()
{
    [ "$skipped" = 0 ] || echo ", $skipped skipped"
}
