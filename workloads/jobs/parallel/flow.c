/*
 * Flow in two dimensions by an implicit scheme, of the kind of ARC2D of the Perfect Club, by four threads: the vorticity and stream function
 * of a fluid in a box whose lid moves.
 *
 *     flow SIDE STEPS
 *
 * A step solves for vorticity implicitly along one direction and then along the other (approximate factorization: a tridiagonal system for
 * each row, then for each column), relaxes the stream function by red-black sweeps, and sets vorticity at the walls. Threads divide
 * the rows, or the columns; they wait for each other after every sweep. A step's right-hand side is an array that is allocated for it
 * and freed behind it. Prints a checksum of both fields.
 */
#include "team.h"

enum { SWEEPS = 4 };

static int side, steps;
static double *vorticity, *stream, *residual;

static const double viscosity = 0.01, lid = 1.0;

#define AT(field, i, j) ((field)[(size_t)(i) * side + (j)])

/* Change of vorticity over a step, by convection and diffusion: a stencil of five points. */
static void find_residual(int from, int to, double dt, double h)
{
    for (int i = from; i < to; i++)
        for (int j = 1; j < side - 1; j++) {
            double u = (AT(stream, i, j + 1) - AT(stream, i, j - 1)) / (2 * h);
            double v = (AT(stream, i - 1, j) - AT(stream, i + 1, j)) / (2 * h);
            double wx = (AT(vorticity, i + 1, j) - AT(vorticity, i - 1, j)) / (2 * h);
            double wy = (AT(vorticity, i, j + 1) - AT(vorticity, i, j - 1)) / (2 * h);
            double diffused = (AT(vorticity, i + 1, j) + AT(vorticity, i - 1, j) + AT(vorticity, i, j + 1) +
                               AT(vorticity, i, j - 1) - 4 * AT(vorticity, i, j)) / (h * h);
            AT(residual, i, j) = dt * (viscosity * diffused - u * wx - v * wy);
        }
}

/* Solves the tridiagonal system (1 + 2a, -a) of SIDE - 2 unknowns, STRIDE apart from AT on, in place. */
static void solve_line(double *at, size_t stride, double a, double *factors)
{
    double diagonal = 1 + 2 * a;
    factors[0] = -a / diagonal;
    at[0] /= diagonal;
    for (int k = 1; k < side - 2; k++) {
        double pivot = diagonal + a * factors[k - 1];
        factors[k] = -a / pivot;
        at[k * stride] = (at[k * stride] + a * at[(k - 1) * stride]) / pivot;
    }
    for (int k = side - 4; k >= 0; k--)
        at[k * stride] -= factors[k] * at[(k + 1) * stride];
}

static void relax(int from, int to, int colour, double h)
{
    for (int i = from; i < to; i++)
        for (int j = 1 + (i + colour) % 2; j < side - 1; j += 2)
            AT(stream, i, j) = 0.25 * (AT(stream, i + 1, j) + AT(stream, i - 1, j) + AT(stream, i, j + 1) +
                                       AT(stream, i, j - 1) + h * h * AT(vorticity, i, j));
}

static void set_walls(int from, int to, double h)
{
    for (int k = from; k < to; k++) {
        AT(vorticity, 0, k) = -2 * AT(stream, 1, k) / (h * h);
        AT(vorticity, side - 1, k) = -2 * AT(stream, side - 2, k) / (h * h);
        AT(vorticity, k, 0) = -2 * AT(stream, k, 1) / (h * h);
        AT(vorticity, k, side - 1) = -2 * (AT(stream, k, side - 2) + h * lid) / (h * h);
    }
}

static void *work(void *argument)
{
    int member = (int)(long)argument, inner = side - 2;
    int from = 1 + inner * member / MEMBERS, to = 1 + inner * (member + 1) / MEMBERS;
    double h = 1.0 / (side - 1), dt = 0.2 * h, a = viscosity * dt / (h * h);
    double *factors = team_array((size_t)side);
    for (int step = 0; step < steps; step++) {
        if (team_wait())
            residual = team_array((size_t)side * side);
        set_walls(from, to, h);
        team_wait();
        find_residual(from, to, dt, h);
        for (int i = from; i < to; i++)
            solve_line(&AT(residual, i, 1), 1, a, factors);
        team_wait();
        for (int j = from; j < to; j++)
            solve_line(&AT(residual, 1, j), (size_t)side, a, factors);
        team_wait();
        for (int i = from; i < to; i++)
            for (int j = 1; j < side - 1; j++)
                AT(vorticity, i, j) += AT(residual, i, j);
        if (team_wait())
            team_free(residual, (size_t)side * side);
        for (int sweep = 0; sweep < 2 * SWEEPS; sweep++) {
            relax(from, to, sweep % 2, h);
            team_wait();
        }
    }
    team_free(factors, (size_t)side);
    return NULL;
}

int main(int count, char **arguments)
{
    side = count > 1 ? atoi(arguments[1]) : 0;
    steps = count > 2 ? atoi(arguments[2]) : 0;
    if (side < 8 || side > 1024 || steps < 1)
        team_die("usage: flow SIDE STEPS");
    vorticity = team_array((size_t)side * side);
    stream = team_array((size_t)side * side);
    team_run(work);
    printf("flow: checksum %016llx %016llx\n", team_checksum(vorticity, (size_t)side * side),
           team_checksum(stream, (size_t)side * side));
    return 0;
}
