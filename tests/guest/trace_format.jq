# What is wrong with a file of the Trace Event Format (Google, "Trace Event Format", JSON Object Format), of the events
# that a time line has: complete (X), instant (i), counter (C), metadata (M). Prints a line for each kind of fault, nothing if there is
# none. Stricter than its viewers: a member that the format does not know, in an event, is a fault.
def whole: type == "number" and . == floor and . >= 0 and . < 2147483648;
def moment: type == "number" and . >= 0 and . < 9007199254740992;
def text: type == "string" and length > 0;
def known($names): (keys - $names | length) == 0;
def common: (.name | text) and (.pid | whole) and (.tid | whole);
def complete:
    known(["name", "cat", "ph", "ts", "dur", "pid", "tid", "args"]) and (.cat | text) and (.ts | moment) and
    (.dur | moment) and (if has("args") then .args | type == "object" else true end);
def instant:
    known(["name", "cat", "ph", "ts", "s", "pid", "tid"]) and (.cat | text) and (.ts | moment) and
    (.s | IN("g", "p", "t"));
def counter:
    known(["name", "ph", "ts", "pid", "tid", "args"]) and (.ts | moment) and (.args | keys == ["insn"]) and
    (.args.insn | moment);
def metadata:
    known(["name", "ph", "pid", "tid", "args"]) and (.name | IN("process_name", "thread_name")) and
    (.args | keys == ["name"]) and (.args.name | text);
def event:
    type == "object" and common and
    (if .ph == "X" then complete elif .ph == "i" then instant elif .ph == "C" then counter elif .ph == "M" then metadata else false end);
[
    (if type == "object" and known(["traceEvents", "displayTimeUnit", "otherData"]) then empty else "the object" end),
    (if .displayTimeUnit | . == null or IN("ms", "ns") then empty else "displayTimeUnit" end),
    (if .traceEvents | type == "array" and length > 0 then empty else "traceEvents" end),
    (.traceEvents[] | select(event | not) | "event \(.ph): \(tojson)"),
    # every track has a name, once
    ([.traceEvents[] | select(.ph == "M" and .name == "thread_name") | [.pid, .tid]] as $named |
        (if ($named | unique | length) == ($named | length) then empty else "a track has two names" end),
        ([.traceEvents[] | select(.ph == "X") | [.pid, .tid]] | unique - $named | .[] | "no name for track \(tojson)"))
] | group_by(split(":")[0])[] | "\(length) times \(.[0])"
