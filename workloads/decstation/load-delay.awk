# Puts a nop behind the loads of assembly that orders its own instructions (`.set noreorder`), as MIPS I needs it: the
# instruction behind a load still reads the old value. A load in a branch's delay slot stays: its target comes behind it.
# Reads assembly, and assembly in C's string literals.
{
    line = $0
    instruction = line
    sub(/^[ \t]*"/, "", instruction)
    sub(/^[A-Za-z0-9_]+:/, "", instruction)
    sub(/^[ \t]+/, "", instruction)
    print line
    if (instruction !~ /^[a-z]/)
        next
    if (instruction ~ /^(lw|lwc1|l\.d|cfc1|mfc1)[ \t]/ && !branch)
        print (line ~ /^[ \t]*"/ ? "\"\tnop \\n\"" (line ~ /\\$/ ? " \\" : "") : "\tnop")
    branch = instruction ~ /^(b|j)[a-z]*[ \t]/
}
