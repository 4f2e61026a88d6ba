# A grammar of expressions with N levels of precedence and as many operators, for the generator of parsers: awk -v N=20 -f levels.awk.
BEGIN {
    for (i = 1; i <= N; i++) print "%token OPERATOR" i
    print "%token NUMBER\n%%\nstart: e1 ;"
    for (i = 1; i <= N; i++) print "e" i ": e" i " OPERATOR" i " e" i + 1 " | e" i + 1 " ;"
    print "e" N + 1 ": NUMBER | '(' e1 ')' | '-' e" N + 1 " ;\n%%"
}
