#!/bin/sh
# `make install` (README): simos works from its place there, with the guest beside it and the manual page of its options.
. "$(dirname "$0")/harness.sh"

make --no-print-directory -C "$root" install "BUILD=${BUILD#"$root"/}" "DESTDIR=$work/root" PREFIX=/usr \
    >"$work/log" 2>&1 || fail "make install" "$(tail -n 5 "$work/log")"
installed=$work/root/usr

# Without the sources: nothing of the tree is named or needed.
out=$(cd / && "$installed/bin/simos" run --quiet --cpu embra -- sh -c 'uname -m; exit 7' 2>"$work/err")
check_equal "what is installed boots its guest from any folder" "7 mips" "$? $out"
check_equal "the kernel for gdb is installed with its symbols" 1 \
    "$(mipsel-linux-gnu-nm "$installed/lib/simos/guest/vmlinux.gdb" | grep -c ' T start_kernel$')"
check_equal "the page is installed beside README.md" yes \
    "$([ -s "$installed/share/doc/simos/README.md" ] && [ -s "$installed/share/doc/simos/docs/reference/annotations.md" ] && echo yes)"
check_equal "README and the pages: each link leads somewhere where they are installed" "" \
    "$("$root/tests/check-links.sh" "$installed/share/doc/simos" 2>&1)"

page=$installed/share/man/man1/simos.1
check_equal "simos(1) has each option of --help once" "$("$SIMOS" --help | grep -c '^  --')" \
    "$(sed -n 's/^\.It Fl Fl //p' "$page" | sort -u | wc -l)"
check_equal "... and each command" "$("$SIMOS" --help | grep -cE '^(usage:|      ) simos ')" "$(grep -c '^\.It Cm ' "$page")"
check_equal "... each with a text" 0 "$(awk '/^\.It (Cm|Fl)/ { item = $0; getline; if ($0 ~ /^[.]$|^[.]It/) n++ }
    END { print n + 0 }' "$page")"

# bash-completion, zsh and fish look there for the packages' completions.
for file in bash-completion/completions/simos zsh/vendor-completions/_simos fish/vendor_completions.d/simos.fish; do
    check_equal "the completion for ${file%%/*} is the program's" "$("$SIMOS" completion "${file%%[-/]*}")" \
        "$(cat "$installed/share/$file")"
done

make --no-print-directory -C "$root" uninstall "DESTDIR=$work/root" PREFIX=/usr >"$work/log" 2>&1
check_equal "make uninstall leaves no file and no folder" "" "$(find "$work/root" 2>/dev/null)"

# Folders that were there before, empty or not, stay; a second installation does not claim them.
mkdir -p "$work/root/usr/bin" "$work/root/usr/share/doc/other" "$work/root/usr/share/man"
before=$(find "$work/root" | sort)
for times in 1 2; do
    make --no-print-directory -C "$root" install "BUILD=${BUILD#"$root"/}" "DESTDIR=$work/root" PREFIX=/usr \
        >"$work/log" 2>&1 || fail "make install, time $times" "$(tail -n 5 "$work/log")"
done
make --no-print-directory -C "$root" uninstall "DESTDIR=$work/root" PREFIX=/usr >"$work/log" 2>&1
check_equal "make uninstall leaves what was there before" "$before" "$(find "$work/root" | sort)"
finish
