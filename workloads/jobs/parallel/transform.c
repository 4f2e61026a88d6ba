/*
 * The transformation of two-electron integrals from atomic to molecular orbitals, which TRFD of the Perfect Club does, by four
 * threads: (ij|kl) = sum over p, q, r, s of X[p][i] X[q][j] X[r][k] X[s][l] (pq|rs).
 *
 *     transform ORBITALS ROUNDS
 *
 * It takes two halves. Each multiplies, for every pair of the two orbitals that it leaves alone, the matrix of the others by X from the
 * right and by X's transpose from the left; the integrals are then interchanged, so that the second half finds its matrices in
 * sequence. Pairs are those with the first not less than the second, as the integrals are the same the other way round. Threads divide the
 * pairs; they wait for each other after each multiplication and each interchange. Arrays between two steps are allocated for it and
 * freed behind it. Prints a checksum of the transformed integrals.
 */
#include "team.h"

static int orbitals, pairs, rounds;
static double *x;          /* [p][i], orthogonal */
static double *in, *out;   /* [rs][pq] */
static double *half;       /* [rs][p][j] */

static int pair_of(int p, int q)
{
    return p > q ? p * (p + 1) / 2 + q : q * (q + 1) / 2 + p;
}

/* half[rs][p][j] = sum over q of (pq|rs) X[q][j], for the pairs FROM to TO. */
static void multiply_right(int from, int to)
{
    for (int rs = from; rs < to; rs++) {
        const double *v = in + (size_t)rs * pairs;
        double *h = half + (size_t)rs * orbitals * orbitals;
        for (int p = 0; p < orbitals; p++)
            for (int q = 0; q < orbitals; q++) {
                double value = v[pair_of(p, q)];
                for (int j = 0; j < orbitals; j++)
                    h[p * orbitals + j] += value * x[q * orbitals + j];
            }
    }
}

/* out[rs][ij] = sum over p of X[p][i] half[rs][p][j]. */
static void multiply_left(int from, int to)
{
    for (int rs = from; rs < to; rs++) {
        const double *h = half + (size_t)rs * orbitals * orbitals;
        double *v = out + (size_t)rs * pairs;
        for (int p = 0; p < orbitals; p++)
            for (int i = 0; i < orbitals; i++) {
                double value = x[p * orbitals + i];
                for (int j = 0; j <= i; j++)
                    v[i * (i + 1) / 2 + j] += value * h[p * orbitals + j];
            }
    }
}

/* out[ij][rs] = in[rs][ij]: every thread reads what all have written. */
static void interchange(int from, int to)
{
    for (int ij = from; ij < to; ij++)
        for (int rs = 0; rs < pairs; rs++)
            out[(size_t)ij * pairs + rs] = in[(size_t)rs * pairs + ij];
}

static void take(void)
{
    team_free(in, (size_t)pairs * pairs);
    in = out;
    out = NULL;
}

static void *work(void *argument)
{
    int member = (int)(long)argument;
    int from = pairs * member / MEMBERS, to = pairs * (member + 1) / MEMBERS;
    for (int round = 0; round < 2 * rounds; round++) {
        if (team_wait())
            half = team_array((size_t)pairs * orbitals * orbitals);
        team_wait();
        multiply_right(from, to);
        if (team_wait())
            out = team_array((size_t)pairs * pairs);
        team_wait();
        multiply_left(from, to);
        if (team_wait()) {
            team_free(half, (size_t)pairs * orbitals * orbitals);
            take();
            out = team_array((size_t)pairs * pairs);
        }
        team_wait();
        interchange(from, to);
        if (team_wait())
            take();
    }
    return NULL;
}

/* An orthogonal matrix: a reflection. */
static void make_x(void)
{
    double length = 0;
    for (int i = 0; i < orbitals; i++)
        length += (double)(i + 1) * (i + 1);
    for (int p = 0; p < orbitals; p++)
        for (int i = 0; i < orbitals; i++)
            x[p * orbitals + i] = (p == i) - 2.0 * (p + 1) * (i + 1) / length;
}

int main(int count, char **arguments)
{
    orbitals = count > 1 ? atoi(arguments[1]) : 0;
    rounds = count > 2 ? atoi(arguments[2]) : 0;
    if (orbitals < 2 || orbitals > 40 || rounds < 1)
        team_die("usage: transform ORBITALS ROUNDS");
    pairs = orbitals * (orbitals + 1) / 2;
    x = team_array((size_t)orbitals * orbitals);
    in = team_array((size_t)pairs * pairs);
    make_x();
    for (int rs = 0; rs < pairs; rs++)
        for (int pq = 0; pq < pairs; pq++)
            in[(size_t)rs * pairs + pq] = 1.0 / (1 + rs + pq);
    team_run(work);
    printf("transform: checksum %016llx\n", team_checksum(in, (size_t)pairs * pairs));
    return 0;
}
