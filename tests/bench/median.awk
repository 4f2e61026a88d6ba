# The median, for the tables of the benchmarks.

# That of FIGURES[1] to FIGURES[N], which are then in order; "" if there are none.
function median_of(figures, n,    i, j, v) {
    if (!n)
        return ""
    for (i = 2; i <= n; i++) {
        v = figures[i] + 0
        for (j = i - 1; j >= 1 && figures[j] + 0 > v; j--)
            figures[j + 1] = figures[j]
        figures[j + 1] = v
    }
    return n % 2 ? figures[(n + 1) / 2] : (figures[n / 2] + figures[n / 2 + 1]) / 2
}

# That of VALUES, "A B ...".
function median(values,    n, figures) {
    n = split(values, figures, " ")
    return median_of(figures, n)
}
