# The work of check-names.sh, which says what is checked. Its argument is a list of the files of the tree; those to read
# follow. What a page or comment names is collected (`asked`), and so is each word of the code (`known`); END compares.

# The next match of PATTERN in TEXT is `found`, what follows it `rest`.
function each(text, pattern) {
    if (!match(text, pattern)) return 0
    found = substr(text, RSTART, RLENGTH)
    rest = substr(text, RSTART + RLENGTH)
    return 1
}

# Words of code. One with dashes is an option or a target, and its parts are words too.
function learn(text,   n, i, words) {
    gsub(/[^A-Za-z0-9_-]+/, " ", text)
    n = split(text, words, " ")
    for (i = 1; i <= n; i++) {
        known[words[i]]
        used[folder, words[i]]
        if (has_parameters) in_file[FILENAME, tolower(words[i])]
        if (sub(/^-+/, "", words[i])) known[words[i]]
        if (words[i] ~ /-/) learn_parts(words[i])
    }
}
function learn_parts(word,   n, i, parts) {
    n = split(word, parts, /-+/)
    for (i = 1; i <= n; i++) {
        known[parts[i]]
        used[folder, parts[i]]
    }
}

# A comment, or a paragraph of a page, is one text, whose lines are kept to say where a name stands.
function hold(text) {
    if (held_lines == 0) first_line = FNR
    held = held " " text
    line[++held_lines] = text
}
function flush() {
    if (held_lines > 0 && is_page) paragraph(held " ")
    else if (held_lines > 0) {
        names_in(held " ")
        words_in(held " ")
    }
    held = ""
    held_lines = 0
}
function here(name,   i) {
    for (i = 1; i < held_lines && !index(line[i], name); i++) ;
    return FILENAME ":" first_line + i - 1
}
function ask(kind, name) {
    if (!((kind, name) in asked)) asked[kind, name] = here(name)
}

# Files, functions with the file beside them, types, members.
function names_in(text,   t, name, next_text, placed) {
    for (t = text; each(t, path_name source "|tcl|tsv|svg|list|config|baseline)[^A-Za-z0-9_(]"); t = rest) {
        name = substr(found, 1, length(found) - 1)
        while (sub(/^\.?\.?\//, "", name)) ;
        if (name !~ /\// && is_block) of_user[FILENAME, name]
        else if (name ~ /\// || name ~ ("\\." source ")$")) ask("file", name)
    }
    for (t = text; each(t, "[A-Za-z_][A-Za-z0-9_]*\\(\\)"); t = next_text) {
        name = substr(found, 1, length(found) - 2)
        next_text = rest
        placed = match(rest, /^`?,? *\(?`?[A-Za-z0-9_\/]+\.[chS][`), ]/)
        if (placed) {
            found = substr(rest, RSTART, RLENGTH)
            gsub(/[^A-Za-z0-9_\/.]/, "", found)
            places[name, found] = here(name)
        }
        if (is_page || placed) ask("word", name)
        else ask("function in " folder, name)
    }
    if (is_page && !is_design) return
    for (t = text; each(t, "(struct|enum|union) [a-z][a-z0-9]*_[a-z0-9_]*[a-z0-9]|->[a-z_][a-z0-9_]*"); t = rest) {
        sub(/.* |->/, "", found)
        ask("word", found)
    }
}
# Words with an underscore, and beginnings of words, outside names of files.
function words_in(text,   t) {
    gsub(path_name source "|tcl)[^A-Za-z0-9_]", " ", text)
    for (t = text; each(t, "[A-Za-z0-9_]*[A-Za-z0-9](_+[A-Za-z0-9]+)+(_?\\.\\.\\.|_\\*)?"); t = rest) ask("word", found)
    for (t = text; each(t, "[A-Z][A-Z0-9_]*_\\.\\.\\."); t = rest) ask("word", found)
    if (!has_parameters || !code_seen) return # of the file as a whole
    gsub(/"[^"]*"/, " ", text)
    for (t = text; each(t, "[A-Za-z0-9_+.]+"); t = rest) {
        sub(/\.$/, "", found)
        if (found ~ /^[A-Z][A-Z_][A-Z_]+[A-Z]$/) ask("parameter of " FILENAME, found)
    }
}

function paragraph(text,   t, n, i, spans) {
    names_in(text)
    if (FILENAME == load_page) load_text = load_text text
    for (t = text; each(t, "--set [a-z][A-Za-z0-9_.]*="); t = rest) ask("row", substr(found, 7, length(found) - 7))
    for (t = text; each(t, "[ `(]--[a-z][a-z0-9-]*"); t = rest) ask("option", substr(found, 4))
    if (is_block) {
        targets(text)
        return
    }
    n = split(text, spans, "`")
    for (i = 2; i <= n; i += 2) {
        targets(spans[i])
        if (spans[i] ~ /^[a-z][A-Za-z0-9_]*(\.[A-Za-z0-9_*]+)+$/) ask("row", spans[i])
        if (!is_design) continue
        words_in(spans[i])
        if (spans[i] ~ /^[a-z][a-z_0-9-]*\/[a-z_0-9*\/-]*$/) ask("file", spans[i])
    }
}
# The targets in `make A=B TARGET TARGET  # comment`.
function targets(text,   n, i, words) {
    sub(/ #.*/, "", text)
    n = split(text, words, " ")
    if (words[1] == "make")
        for (i = 2; i <= n; i++) if (words[i] ~ /^[a-z][a-z0-9-]*$/ && words[i - 1] != "-C") ask("target", words[i])
}

# A row | `NAME` | ... of a page that describes parameters or statistics; and what stands for a letter in a name.
function learn_row(text,   n, i, parts, top, words) {
    split(text, parts, "`")
    top = section == "cache" ? section : first_part(parts[2])
    if (FILENAME !~ /formats/) groups[top]
    n = split(text, words, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= n; i++) rows[top, words[i]]
}
function first_part(name) {
    sub(/N?[0-9]*(\..*)?$/, "", name)
    return name
}

# A function stands in a header that declares it, and in the file that defines it: its line begins at the left, no ; or
# = is before the name, and ; or { follows at the end of a line.
function heads_in(text,   t, name, before) {
    for (t = text; match(t, /[A-Za-z0-9_]+\(/); t = substr(t, RSTART + RLENGTH)) {
        name = substr(t, RSTART, RLENGTH - 1)
        before = before substr(t, 1, RSTART - 1)
        if (before ~ /[;=]/) return
        if (before ~ /[ *]$/) heads[name] = before
        before = before name "("
    }
}
function define(name) {
    stands_in[name, FILENAME]
    if (heads[name] !~ /^static/ || ending == "h") is_public[name]
    if (FILENAME ~ /^tests\// || (name, FILENAME) in defined) return
    defined[name, FILENAME]
    definitions[name]++
    home[name] = FILENAME
}

NR == FNR {
    path = $0
    while (sub(/\/[^\/]*$/, "", path)) folders[path]
    for (path = $0; ; ) {
        suffixes[path]
        stem = path
        sub(/\.[A-Za-z]+$/, "", stem)
        suffixes[stem]
        n = index(path, "/")
        if (!n) break
        folders[substr(path, 1, n - 1)]
        path = substr(path, n + 1)
    }
    known[stem]
    is_read = /\.([chS]|def|inc|ld|sh|tcl|mk|jq|awk|md|py)$|(^|\/)Makefile$|^docs\/drawings\// && $0 !~ ENVIRON["unread"]
    if (is_read && (getline t <$0) >= 0) {
        close($0)
        ARGV[ARGC++] = $0
    }
    next
}
FNR == 1 {
    flush()
    in_comment = is_block = in_fence = code_seen = 0
    section = ""
    split("", heads)
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    ending = FILENAME
    sub(/.*[.\/]/, "", ending)
    is_page = ending ~ /^(md|svg)$/
    is_design = FILENAME ~ /^docs\/design\//
    is_c = ending ~ /^(c|h|def|inc|S|ld)$/
    path_name = "[A-Za-z0-9_./*-]*[A-Za-z0-9_*]\\."
    has_parameters = ending ~ /^[ch]$/ && FILENAME !~ /^(tests|workloads)\//
    source = "(c|h|S|sh|def|inc|mk|jq|awk|md" # endings of files that are asked for without a folder
    load_page = "docs/design/load.md"
}
is_page {
    if (/^```/) in_fence = !in_fence
    now_block = in_fence || /^    /
    if (now_block || is_block || $0 == "" || /^[|#`<]/ || /^ *[-*0-9]+\.? /) flush()
    is_block = now_block
    if ($0 != "") hold($0)
    if (/^## /) section = $2
    if (FILENAME ~ /reference\/(parameters|statistics|file-formats)\.md$/ && /^(\| |[A-Z] is )`/) learn_row($0)
    next
}
!is_c {
    if (match($0, /(^|[ \t])#([ \t]|$)/)) {
        code = substr($0, 1, RSTART)
        if (code ~ /[^ \t#]/) flush()
        hold(substr($0, RSTART + RLENGTH))
    } else {
        code = $0
        flush()
    }
    learn(code)
    next
}
{
    code = ""
    for (t = $0; t != ""; ) {
        if (in_comment) {
            i = index(t, "*/")
            hold(i ? substr(t, 1, i - 1) : t)
            t = i ? substr(t, i + 2) : ""
            if (!i) continue
            in_comment = 0
            flush()
        } else if (!match(t, /"([^"\\]|\\.)*"|\/\*|\/\//)) {
            code = code " " t
            t = ""
        } else if (substr(t, RSTART, 1) == "\"") {
            code = code " " substr(t, 1, RSTART + RLENGTH - 1)
            t = substr(t, RSTART + RLENGTH)
        } else {
            code = code " " substr(t, 1, RSTART - 1)
            in_comment = substr(t, RSTART, 2) == "/*"
            t = substr(t, RSTART + 2)
            if (in_comment) continue
            hold(t)
            flush()
            t = ""
        }
    }
    if (code !~ /[A-Za-z{};]/) next
    code_seen = 1
    learn(code)
    if ($1 == "#include" && each(code, "<.*>")) { # a header of the host
        found = substr(found, 2, length(found) - 2)
        suffixes[found]
        sub(/.*\//, "", found)
        suffixes[found]
    }
    if (/^[a-z]/) heads_in($0)
    if (/;[ \t]*$/) {
        if (ending == "h") for (name in heads) stands_in[name, FILENAME]
        split("", heads)
    }
    if (/^\{/) {
        for (name in heads) define(name)
        split("", heads)
    }
}

function complain(text) {
    print text
    bad = 1
}
function file_exists(name,   pattern, path) {
    sub(/\/$/, "", name)
    if (name in suffixes || name in folders) return 1
    # Another project's, or made by a build.
    if (name ~ /\// && !(substr(name, 1, index(name, "/") - 1) in folders)) return 1
    pattern = name
    gsub(/\./, "\\.", pattern)
    gsub(/\*|[A-Z][A-Z_]+[A-Z]/, ".*", pattern)
    sub(/\/[A-Z]\\/, "/.*\\", pattern)
    if (pattern ~ /\*/) for (path in suffixes) if (path ~ ("^" pattern "$")) return 1
    return 0
}
function ends_in(text, end) {
    return length(text) >= length(end) && substr(text, length(text) - length(end) + 1) == end
}
# Without its prefix; or a register as the manual calls it.
function is_constant(name,   word) {
    if (where ~ /^devices\//) return 1
    for (word in known) if (ends_in(word, "_" name)) return 1
    return 0
}
function parameter_exists(name, file) {
    if ((file, tolower(name)) in in_file || name in known) return 1
    return sub(/S$/, "", name) && (file, tolower(name)) in in_file
}
function word_exists(name,   word) {
    # A parameter in capitals; a placeholder.
    if (name in known || tolower(name) in known || name ~ /NAME|FMT/) return 1
    if (name !~ /[a-z]/ && is_constant(name)) return 1
    if (sub(/(\.\.\.|\*)$/, "", name)) for (word in known) if (index(word, name) == 1) return 1
    return 0
}
# A parameter or statistic: its parts are words of a row of its group; parts that stand for several are not looked at.
function row_exists(name,   n, i, parts, top, several) {
    several = "^([A-Z*]+|l[123][id]?|[0-9]+|user|kernel|idle|insn|data|stream)$"
    n = split(name, parts, ".")
    top = first_part(name)
    if (!(top in groups) || name in suffixes || parts[n] ~ /^(c|h|def|tcl|sh|md|jq|tsv|svg)$/) return 1
    for (i = 2; i <= n; i++)
        if (parts[i] !~ several && !((top, parts[i]) in rows)) return 0
    return 1
}
function problem(kind, name,   i) {
    if (name in foreign) {
        named[name]
        return ""
    }
    if (kind == "file") return (where, name) in of_user || file_exists(name) ? "" : "there is no such file"
    if (kind == "row")
        return where ~ /(parameters|statistics)\.md$/ || row_exists(name) ? "" : "neither a parameter nor a statistic"
    if (sub(/^parameter of /, "", kind))
        return name ~ /NAME/ || parameter_exists(name, kind) || is_constant(name) ? "" : "no parameter, no constant"
    if (kind == "target") # of a pattern
        for (i = length(name); i > 0; i--) if (substr(name, i, 1) == "-" && substr(name, 1, i) in known) return ""
    if (!word_exists(name))
        return kind == "option" || kind == "target" ? "there is no such " kind : "occurs nowhere in the code"
    if (sub(/^function in /, "", kind) && name in definitions && !(name in is_public) && !((kind, name) in used))
        return "is a static function of " home[name]
    return ""
}
END {
    flush()
    n = split(ENVIRON["foreign"], list, " ")
    for (i = 1; i <= n; i++) foreign[list[i]]
    for (key in asked) {
        split(key, part, SUBSEP)
        where = asked[key]
        sub(/:.*/, "", where)
        text = problem(part[1], part[2])
        if (text != "") complain(asked[key] ": " part[2] ": " text)
    }
    for (name in foreign) if (name != "" && !(name in named)) complain("tests/check-names.sh: " name ": nothing names it")
    for (key in places) {
        split(key, part, SUBSEP)
        good = !(part[1] in definitions)
        for (other in stands_in) {
            split(other, at, SUBSEP)
            if (at[1] == part[1] && ends_in("/" at[2], "/" part[2])) good = 1
        }
        if (!good) complain(places[key] ": " part[1] "() is in " home[part[1]] ", not in " part[2])
    }
    for (t = load_text; each(t, "[A-Za-z_][A-Za-z0-9_]*\\(\\)"); t = rest) {
        name = substr(found, 1, length(found) - 2)
        file = home[name]
        sub(/^cpu\//, "", file)
        if (definitions[name] != 1) complain(load_page ": " name "() is defined " definitions[name] + 0 " times")
        else if (!index(load_text, file)) complain(load_page ": " name "() is in " home[name])
    }
    exit bad
}
