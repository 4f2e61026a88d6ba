# The pigeonhole principle for the satisfiability solver, in the format of DIMACS: N + 1 pigeons do not fit in N holes.
function variable(pigeon, hole) {
    return pigeon * N + hole
}
BEGIN {
    print "p cnf " (N + 1) * N " " (N + 1) + N * (N + 1) * N / 2
    for (pigeon = 0; pigeon <= N; pigeon++) {
        for (hole = 1; hole <= N; hole++)
            printf "%d ", variable(pigeon, hole)
        print 0
    }
    for (hole = 1; hole <= N; hole++)
        for (one = 0; one <= N; one++)
            for (other = one + 1; other <= N; other++)
                print -variable(one, hole), -variable(other, hole), 0
}
