#!/bin/sh
# Keeps private words out of the tree: each word of the table below has a standard term, which is used instead
# (docs/glossary.md).
#
#     tests/check-words.sh [PATH...]     default: the folders of sources, docs, tests, and README.md
#
# The table holds only words that do not occur in another sense: a line is an extended regular expression, a tab and the
# term to use. Upper and lower case count as the same.
# Prints one line a find: FILE:LINE: the matching text -> the term. Exit status 1 if there is any.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- src cpu cache devices checkpoint annotations docs tests README.md

# The clone may be another user's. The table itself is not searched.
list_files()
{
    git -c safe.directory="$PWD" ls-files --cached --others --exclude-standard "$@" | grep -vxF tests/check-words.sh
}

TAB=$(printf '\t')
table=$(
    cat <<'END'
short[_ -]cut	fast path
hindmost	the core that lags most
meet_barrier	synchronisation point
begin_again	reset
memsys_exchange	refill fast path
quick[_ -]byte|quick-check byte	fast-path permission
thunk	stub
\<unsure\>	unresolved (branches)
\<patience\>	timeout
farewell	leave message
at_work\>	current
unit_holders	sharers
remove_inner	back-invalidation
miss[_ ]registers?\>	MSHR
is_coming|on its way	in flight
last_by_times|use_times	last-use timestamps
given_up	evicted
bring_in\>	insert, fetch
passes_unknown	speculative loads (past unknown store addresses)
(take|taken|takes|taking) along	back-invalidation
what comes when	event wheel
budget parked	forced exit
nobody hears|who hears|hears of	notify, observer
struct (departure|arrival)\>	eviction, fill
bookings?\>|bookings_max	reservation
sharing_regain|regain_block	refetch
leave_inclusion	back-invalidation
memsys_served	source of the data
memsys_outcome	response
memsys_told|note_told|told_(nothing|upgrade|update)\>	notification
struct subject\>|\<subject_(read|word|text|time|symbol)\>|\<subject(->|[.][a-z])	machine view
ir_block \*segment|\<(b|e|cold)->segment	block
struct instrument \*+watch	instrument
cold->site|site_in_delay_slot	position
m->cut\>	squash
classified_(miss|fill|removal|insert)|classification_(create|end|uses)	classify_
removal_cause	memsys_removal
classify_wait\>	memsys_wait
[.>]unseen\>|bool unseen\>|unseen (hit|use)	permitted without lookup
x86_homes	register allocation
END
)

files=$(mktemp)
trap 'rm -f "$files"' EXIT
list_files "$@" >"$files"
[ -s "$files" ] || { echo "check-words: git lists no files: is this a clone?"; exit 1; }

found=$(printf '%s\n' "$table" | while IFS=$TAB read -r word term; do
    # -I: without pictures and other binary files.
    tr '\n' '\0' <"$files" | xargs -0 grep -IHnoiE -e "$word" -- | sed "s|\$| -> $term|"
done | sort -t: -k1,1 -k2,2n)
[ -z "$found" ] || printf '%s\n' "$found"
[ -z "$found" ]
