/*
 * Small numerical programs, results printed to the last bit.
 */
#include "corpus.h"

#include <math.h>
#include <string.h>

CASE(numeric_nbody)
{
    double p[3][2] = {{0, 0}, {1, 0}, {0, 1.5}}, v[3][2] = {{0, 0}, {0, 1}, {-0.8, 0}};
    const double mass[3] = {1, 0.01, 0.02};
    for (int step = 0; step < 200; step++) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                if (i == j)
                    continue;
                double dx = p[j][0] - p[i][0], dy = p[j][1] - p[i][1], r = sqrt(dx * dx + dy * dy);
                v[i][0] += 0.01 * mass[j] * dx / (r * r * r);
                v[i][1] += 0.01 * mass[j] * dy / (r * r * r);
            }
        for (int i = 0; i < 3; i++) {
            p[i][0] += 0.01 * v[i][0];
            p[i][1] += 0.01 * v[i][1];
        }
    }
    for (int i = 0; i < 3; i++)
        printf("%a %a\n", p[i][0], p[i][1]);
}

CASE(numeric_mandelbrot)
{
    for (int y = -6; y <= 6; y++) {
        for (int x = -24; x <= 10; x++) {
            float cr = (float)x / 12, ci = (float)y / 5, zr = 0, zi = 0;
            int n = 0;
            while (n < 40 && zr * zr + zi * zi < 4) {
                float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                n++;
            }
            putchar(" .:-=+*#%@"[n / 5 + (n > 0)]);
        }
        putchar('\n');
    }
}

CASE(numeric_fft)
{
    enum { N = 64 };
    double re[N], im[N];
    uint32_t state = 1;
    for (int i = 0; i < N; i++) {
        re[i] = (double)(corpus_random(&state) % 1000) / 1000;
        im[i] = 0;
    }
    for (unsigned i = 1, j = 0; i < N; i++) {
        unsigned bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
        }
    }
    for (int length = 2; length <= N; length *= 2) {
        double angle = -2 * M_PI / length;
        for (int i = 0; i < N; i += length)
            for (int k = 0; k < length / 2; k++) {
                double wr = cos(angle * k), wi = sin(angle * k);
                int a = i + k, b = a + length / 2;
                double xr = re[b] * wr - im[b] * wi, xi = re[b] * wi + im[b] * wr;
                re[b] = re[a] - xr;
                im[b] = im[a] - xi;
                re[a] += xr;
                im[a] += xi;
            }
    }
    printf("%a %a %a %a\n", re[0], re[1], im[1], re[N / 2]);
    printf("%08x\n", corpus_hash_bytes(re, sizeof re) ^ corpus_hash_bytes(im, sizeof im));
}

CASE(numeric_linear_system)
{
    enum { N = 12 };
    double a[N][N + 1];
    uint32_t state = 5;
    for (int i = 0; i < N; i++) {
        a[i][N] = i + 1;
        for (int j = 0; j < N; j++)
            a[i][j] = (double)(corpus_random(&state) % 200) - 100 + (i == j ? 300 : 0);
    }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        for (int j = k; j <= N; j++) {
            double t = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = t;
        }
        for (int i = 0; i < N; i++) {
            if (i == k)
                continue;
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= N; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (int i = 0; i < N; i++)
        printf("%a\n", a[i][N] / a[i][i]);
}

CASE(numeric_newton_root)
{
    for (int n = 2; n < 20; n += 3) {
        double x = n;
        int steps = 0;
        for (double last = 0; x != last && steps < 60; steps++) {
            last = x;
            x = (2 * x + n / (x * x)) / 3;
        }
        printf("%d %.15g\n", n, x);
    }
}

CASE(numeric_simpson)
{
    double sum = 0;
    const int n = 100;
    for (int i = 0; i <= n; i++) {
        double x = (double)i / n;
        sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * exp(-x * x) * cos(3 * x);
    }
    printf("%a\n", sum / (3 * n));
}

CASE(numeric_runge_kutta)
{
    double x = 1, v = 0;
    const double h = 0.05;
    for (int i = 0; i < 200; i++) {
        double k1 = v, l1 = -sin(x), k2 = v + h / 2 * l1, l2 = -sin(x + h / 2 * k1);
        double k3 = v + h / 2 * l2, l3 = -sin(x + h / 2 * k2), k4 = v + h * l3, l4 = -sin(x + h * k3);
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    printf("%a %a\n", x, v);
}

CASE(numeric_compensated_sum)
{
    float plain = 0, sum = 0, lost = 0;
    double wide = 0;
    for (int i = 1; i <= 3000; i++) {
        float term = 1.0f / (float)i;
        plain += term;
        volatile float y = term - lost, t = sum + y;
        volatile float high = t - sum;
        lost = high - y;
        sum = t;
        wide += (double)term;
    }
    printf("%a %a %a\n", (double)plain, (double)sum, wide);
}

CASE(numeric_logistic_map)
{
    double x = 0.3;
    float y = 0.3f;
    for (int i = 0; i < 500; i++) {
        x = 3.9 * x * (1 - x);
        y = 3.9f * y * (1 - y);
    }
    printf("%a %a\n", x, (double)y);
}

CASE(numeric_spectral_norm)
{
    enum { N = 16 };
    double u[N], v[N], t[N], uv = 0, vv = 0;
    for (int i = 0; i < N; i++)
        u[i] = 1;
    for (int round = 0; round < 5; round++) {
        for (int half = 0; half < 2; half++) {
            const double *from = half ? v : u;
            double *to = half ? u : v;
            for (int i = 0; i < N; i++) {
                t[i] = 0;
                for (int j = 0; j < N; j++)
                    t[i] += from[j] / ((i + j) * (i + j + 1) / 2 + i + 1);
            }
            for (int i = 0; i < N; i++) {
                to[i] = 0;
                for (int j = 0; j < N; j++)
                    to[i] += t[j] / ((i + j) * (i + j + 1) / 2 + j + 1);
            }
        }
    }
    for (int i = 0; i < N; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    printf("%a\n", sqrt(uv / vv));
}

CASE(numeric_polynomial)
{
    static const double c[] = {1, -0.5, 0.25, -1.0 / 6, 1.0 / 24, -1.0 / 120};
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (double x = -4; x < 4; x += 0.0625) {
        double y = 0;
        for (int i = 5; i >= 0; i--)
            y = y * x + c[i];
        uint64_t bits;
        memcpy(&bits, &y, sizeof bits);
        SUM(&sum, bits, "at %g", x);
    }
    corpus_sum_print("values", &sum);
}

CASE(numeric_monte_carlo)
{
    uint32_t state = 2718281828u;
    int inside = 0;
    for (int i = 0; i < 3000; i++) {
        double x = corpus_random(&state) * 0x1p-32, y = corpus_random(&state) * 0x1p-32;
        inside += x * x + y * y < 1;
    }
    printf("%.4f\n", 4.0 * inside / 3000);
}

CASE(numeric_bisection)
{
    double low = 0, high = 2;
    int steps = 0;
    while (high - low > 1e-15 && steps < 100) {
        double middle = (low + high) / 2;
        if (middle == low || middle == high)
            break;
        if (cos(middle) > middle)
            low = middle;
        else
            high = middle;
        steps++;
    }
    printf("%d %.15f\n", steps, low);
}

CASE(numeric_statistics)
{
    uint32_t state = 10;
    double mean = 0, m2 = 0;
    for (int n = 1; n <= 1000; n++) {
        double x = (double)(corpus_random(&state) >> 8) / 1e4, delta = x - mean;
        mean += delta / n;
        m2 += delta * (x - mean);
    }
    printf("%a %a\n", mean, sqrt(m2 / 999));
}

/* Numbers cross between integer and floating registers, memory and back. */
CASE(numeric_bits_of_halves)
{
    uint32_t hash = 0;
    float f = 1;
    double d = 1;
    for (int i = 0; i < 60; i++) {
        uint32_t fbits;
        uint64_t dbits;
        memcpy(&fbits, &f, sizeof f);
        memcpy(&dbits, &d, sizeof d);
        hash = hash * 31 + fbits + (uint32_t)dbits + (uint32_t)(dbits >> 32);
        f = -f * 0.5f + 1;
        d = -d * 0.5 + 1;
    }
    printf("%08x %a %a\n", hash, (double)f, d);
}
