# What the steps in tests/adding are written with: changes of files of a tree, whose originals are below $original. The
# current directory holds the files that have been changed so far. Sourced by run.sh.
#
# shellcheck shell=sh

# take FILE: the original is here, unless it was changed before or is a new one.
take()
{
    [ -e "$1" ] && return
    mkdir -p "$(dirname "$1")"
    [ ! -e "$original/$1" ] || cp "$original/$1" "$1"
}

# edit FILE TEXT WHERE: the lines on stdin come before or after the one line that holds TEXT, or after the last of several.
edit()
{
    take "$1"
    cat >"$1.insert"
    awk -v text="$2" -v where="$3" -v insert="$1.insert" '
        { line[NR] = $0; if (index($0, text)) at = NR }
        function put() { while ((getline new < insert) > 0) print new }
        END {
            if (!at)
                exit 1
            for (i = 1; i <= NR; i++) {
                if (i == at && where == "before") put()
                print line[i]
                if (i == at && where == "after") put()
            }
        }' "$1" >"$1.new" || { echo "$1: no line holds: $2" >&2; rm -f "$1.insert" "$1.new"; return 1; }
    rm -f "$1.insert"
    mv "$1.new" "$1"
}

# after FILE TEXT <<END; before FILE TEXT <<END
after()
{
    edit "$1" "$2" after
}
before()
{
    edit "$1" "$2" before
}

# create FILE <<END
create()
{
    mkdir -p "$(dirname "$1")"
    cat >"$1"
}

# swap FILE TEXT OTHER: every TEXT becomes OTHER.
swap()
{
    take "$1"
    grep -qF -e "$2" "$1" || { echo "$1: no line holds: $2" >&2; return 1; }
    awk -v text="$2" -v other="$3" '{
        out = ""
        while ((at = index($0, text)) > 0) {
            out = out substr($0, 1, at - 1) other
            $0 = substr($0, at + length(text))
        }
        print out $0
    }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

# page NAME: docs/reference/NAME.md (of measures and statistics-names docs/schema/NAME.json) is made when the program is
# built, as `make docs` does.
page()
{
    case $1 in
    measures | statistics-names) take "docs/schema/$1.json" ;;
    *) take "docs/reference/$1.md" ;;
    esac
    pages="$pages $1"
}
