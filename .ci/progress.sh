#!/bin/sh
# Shows how far a long command is. Whatever takes long tells how much of it there is and where to see how much is done;
# one process shows all of them.
#
#     progress.sh run NAME COMMAND...             runs COMMAND and shows the progress of the steps within it
#     progress.sh begin LABEL MEASURE PLACE       a step begins
#     progress.sh end LABEL                       ... and ends
#     progress.sh step LABEL MEASURE PLACE COMMAND...   both, around COMMAND
#
# MEASURE and PLACE, which has no line break:
#
#     bytes:TOTAL FOLDER     the files in FOLDER, in bytes (TOTAL 0: nobody knows how many will come)
#     files:TOTAL FOLDER     the object files that have come into FOLDER since "run"
#     apt FILE               FILE is what apt-get writes with APT::Status-Fd
#     parts:TOTAL FOLDER     the parts of the tests whose results are in FOLDER, in seconds of tests/times.tsv
#     seconds:TOTAL -        nothing that can be counted: TOTAL is how long it takes, until it has been measured here
#
# On a terminal the last line is a bar with the time left, drawn every second. Otherwise there is a line of text every half
# minute, without control characters. Without "run" around them the other commands show nothing.
#
# PROGRESS, in the environment of COMMAND, is the folder where the steps are. PROGRESS_PERIOD: seconds between two lines.
set -u

# The label $1 as a file's name; the file of that step; in the cache, how long it took when it was last done here.
file_name() { echo "$1" | tr -c 'A-Za-z0-9\n' _; }
step_file() { echo "$PROGRESS/$(file_name "$1")"; }
duration_file() (
    workloads=$(dirname "$0")/../workloads
    # shellcheck source=workloads/lock.sh
    . "$workloads/lock.sh"
    echo "$cache/durations/$(file_name "$1")"
)

begin() {
    [ -d "${PROGRESS-}" ] || return 0
    total=${2#*:}
    case $2 in seconds:*) total=$(cat "$(duration_file "$1")" 2>/dev/null) || total=${2#*:} ;; esac
    printf '%s\n' "$1" "${2%%:*}" "$total" "$3" "$(date +%s)" >"$(step_file "$1").new"
    mv "$(step_file "$1").new" "$(step_file "$1").step"
}

end() {
    [ -d "${PROGRESS-}" ] || return 0
    rm -f "$(step_file "$1").step"
}

step() {
    label=$1 measure=$2 place=$3
    shift 3
    [ -d "${PROGRESS-}" ] || exec "$@"
    started=$(date +%s)
    begin "$label" "$measure" "$place"
    "$@"
    status=$?
    end "$label"
    # What was there already says nothing about the time.
    took=$(($(date +%s) - started)) file=$(duration_file "$label")
    case $measure in
    seconds:*) [ $status -ne 0 ] || [ $took -lt 3 ] || { mkdir -p "${file%/*}" && echo $took >"$file"; } 2>/dev/null ;;
    esac
    return $status
}

# done_of KIND FOLDER SINCE: how much of it is done, in its unit.
done_of() {
    case $1 in
    bytes) du -sb "$2" 2>/dev/null | cut -f 1 ;;
    files) find "$2" -name '*.o' -newer "$PROGRESS/started" 2>/dev/null | wc -l ;;
    # dlstatus and pmstatus, each from 0 to 100 percent
    apt) awk -F: '/^(dl|pm)status:/ { done = ($1 == "pmstatus" ? 50 : 0) + $3 / 2 } END { printf "%d\n", done }' "$2" 2>/dev/null ;;
    parts)
        find "$2" -type f -printf '%f\n' 2>/dev/null | awk -F'\t' '
            FILENAME == "-" { ended[$1]; next }
            { sub("/", ".", $1) } $1 in ended { sum += $2 } END { printf "%d\n", sum }' - "$(dirname "$0")/../tests/times.tsv" ;;
    seconds) echo $(($(date +%s) - $3)) ;;
    esac
}

# One text of all steps. $1: the width of the bar, 0 for none.
describe() {
    now=$(date +%s)
    for file in "$PROGRESS"/*.step; do
        from=0
        { read -r label && read -r kind && read -r total && read -r place && read -r since; } 2>/dev/null <"$file" || continue
        done=$(done_of "$kind" "$place" "$since")
        # The first file is compiled when what that takes has been installed, and the first part ends when what it needs has been
        # built: what is done is measured from there.
        case $kind:${done:-0} in
        *:0) ;;
        files:* | parts:*)
            [ -e "$file.first" ] || echo "$now $done" >"$file.first"
            read -r since before <"$file.first"
            [ "$kind" = files ] || from=$before
            ;;
        esac
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$label" "$kind" "$total" "${done:-0}" $((now - since)) "${from:-0}"
    done | awk -F'\t' -v width="$1" '
        function clock(seconds) { return sprintf("%d:%02d", seconds / 60, seconds % 60) }
        $2 == "files" && ($4 == 0 || $4 >= $3) { next }
        {
            text = $1
            if ($3 > 0 && $4 > $3) $4 = $3
            share = $3 > 0 ? $4 / $3 : 0
            if (width && $3 > 0 && !shown++) {
                bar = ""
                for (i = 0; i < width; i++) bar = bar (i < share * width ? "#" : ".")
                text = text " [" bar "]"
            }
            if ($2 == "bytes") text = text sprintf(" %d", $4 / 1e6) ($3 > 0 ? sprintf(" of %d", $3 / 1e6) : "") " MB"
            if ($2 == "files") text = text sprintf(" %d of %d files", $4, $3)
            if ($2 == "apt" || $2 == "parts") text = text sprintf(" %d%%", 100 * share)
            left = $2 == "seconds" ? $3 - $4 : $4 > $6 && share > 0 ? $5 * ($3 - $4) / ($4 - $6) : -1
            if ($2 == "seconds" && left <= 0) text = text ", " clock($5) " so far"
            else if (left >= 0) text = text ", " clock(left + 0.5) " left"
            else text = text ", " clock($5) " so far"
            all = all (all == "" ? "" : "; ") text
        }
        END { print all }'
}

# What the commands print goes to the terminal, without the names of the files that are compiled, for which there is a bar.
show_lines() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in "CC   "* | "AR   "* | "LD   "*) continue ;; esac
        printf '\r\033[K%s\n' "$line"
    done
}

# Draws the bar each second, or prints lines.
tick() {
    started=$(date +%s) last=''
    period=${PROGRESS_PERIOD:-30}
    [ -z "$terminal" ] || period=1
    # A sleep that outlives us holds no pipe open.
    while sleep "$period" >/dev/null 2>&1 && [ -d "$PROGRESS" ]; do
        if [ -n "$terminal" ]; then
            columns=$(stty size <&2 2>/dev/null | cut -d ' ' -f 2)
            [ "${columns:-0}" -gt 0 ] || columns=80
            text=$(describe 24)
            seconds=$(($(date +%s) - started))
            text="$name $((seconds / 60)):$(printf %02d $((seconds % 60)))${text:+  $text}"
            printf '\r\033[K%s' "$(echo "$text" | cut -c "1-$((columns - 1))")" >&2
        else
            text=$(describe 0)
            [ -z "$text" ] || [ "$text" = "$last" ] || echo "$name: $text" >&2
            last=$text
        fi
    done
}

run() {
    name=$1
    shift
    PROGRESS=$(mktemp -d)
    export PROGRESS
    : >"$PROGRESS/started"
    terminal='' pids=''
    if [ -t 1 ] && [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
        terminal=yes
        mkfifo "$PROGRESS/lines"
    fi
    trap 'rm -rf "$PROGRESS"; [ -z "$pids" ] || kill $pids 2>/dev/null; [ -z "$terminal" ] || printf "\r\033[K" >&2' EXIT
    trap 'exit 130' INT TERM
    tick &
    pids=$!
    if [ -n "$terminal" ]; then
        show_lines <"$PROGRESS/lines" &
        reader=$!
        "$@" >"$PROGRESS/lines" 2>&1
        status=$?
        wait $reader
    else
        "$@"
        status=$?
    fi
    exit $status
}

case ${1-} in
run | begin | end | step) "$@" ;;
*) echo "usage: progress.sh run NAME COMMAND... | begin LABEL MEASURE PLACE | end LABEL | step LABEL MEASURE PLACE COMMAND..." >&2; exit 2 ;;
esac
