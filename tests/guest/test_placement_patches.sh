#!/bin/sh
# Patches that move code (workloads/placement): each kind of edit, in an archive of a tree of two files; and the list itself.
. "$(dirname "$0")/harness.sh"
cd "$work" || exit
mkdir -p linux/fs linux/mm
cat >linux/fs/a.c <<'END'
static int first(int x)
{
	return x;
}
EXPORT_SYMBOL(first);

int second(int x)
{
	/* Not twice. */
	return first(x) + first_of(x);
}
/* The end. */
END
echo 'int third;' >linux/mm/b.c
tar -c -J -f linux.tar.xz linux

# patches LIST: of that list, to the folder out
patches()
{
    printf '%s\n' '# A comment.' '' "$@" >list
    PLACEMENT_LIST=list "$root/workloads/placement/patches.sh" linux.tar.xz out >names 2>err
    status=$?
}
# patched NAME: the file fs/a.c with that patch
patched()
{
    rm -rf tree
    cp -r linux tree
    patch -s -f -p1 -d tree <"out/$1.patch" || fail "$1: applies"
    cat tree/fs/a.c
}

patches 'p fs/a.c pad 120' 'f fs/a.c function 64' 'c fs/a.c comment second' 'r fs/a.c rename first zeroth' \
    'm fs/a.c move first second' 's fs/a.c sed s/Not twice/Once/' 'b fs/a.c pad 8' 'b mm/b.c pad 16'
check_equal "status" 0 "$status"
check_equal "their names, in the list's order" "p f c r m s b" "$(xargs <names)"
check_equal "pad: bytes in .text behind everything" 'asm(".pushsection .text\n\t.space 120\n\t.popsection");' "$(patched p | tail -n 1)"
patched p >p.c
check_equal "... that an assembler takes; .text grows in steps of 16" 128 \
    "$(tail -n 1 p.c | mipsel-linux-gnu-gcc -x c -c -o p.o - && mipsel-linux-gnu-size -A p.o | awk '$1 == ".text" { print $2 }')"
check_equal "function: one that nothing calls" "static void __used noinline placement_f(void) asm volatile(\".space 64\");" \
    "$(patched f | tail -n 4 | grep -v '^[{}]' | xargs -d '\n' | sed 's/\t//')"
check_equal "comment: above the function" "int second(int x)" "$(patched c | grep -A 1 '^ \* for this comment' | tail -n 1)"
check_equal "comment: and nothing else" "$(cat linux/fs/a.c)" "$(patched c | grep -v 'is different but$\|for this comment')"
check_equal "rename: wherever it is called, as a whole word" "$(sed 's/\<first\>/zeroth/' linux/fs/a.c)" "$(patched r)"
check_equal "move: behind the other, whole" "int second(int x) static int first(int x) /* The end. */" \
    "$(patched m | grep '^int\|^static\|end' | xargs -d '\n')"
check_equal "move: nothing is lost" "$(grep -v '^$' linux/fs/a.c | sort)" "$(patched m | grep -v '^$' | sort)"
check_equal "two lines of one name: both files" "8 16" "$(patched b >/dev/null && cat tree/fs/a.c tree/mm/b.c | sed -n 's/.*space \([0-9]*\).*/\1/p' | xargs)"
check_equal "sed" "$(sed 's/Not twice/Once/' linux/fs/a.c)" "$(patched s)"

# What cannot be right is said.
for row in 'x fs/a.c sed s/nowhere/there/|x changes nothing in fs/a.c' 'x fs/a.c rename first second|x: fs/a.c has a second already' \
    'x fs/a.c fold first|x: there is no edit fold' 'x fs/none.c pad 8|linux.tar.xz: '; do
    patches "${row%%|*}"
    check_equal "${row%%|*}: status" 1 "$status"
    check_match "${row%%|*}: says so" "^patches.sh: .*${row#*|}" err
done

# The list has both kinds for a comparison.
list=$root/workloads/placement/patches.list
check_equal "patches that only move code, and that change nothing" "20 20" \
    "$(grep -c '^pad[0-9]' "$list") $(grep -c '^same[0-9]' "$list")"
finish
