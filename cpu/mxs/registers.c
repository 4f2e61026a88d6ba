/* Architectural floating-point registers and condition codes, by name. */
#include "cpu/mxs/mxs.h"
#include "cpu/semantics.h"
#include <stddef.h>

_Static_assert(offsetof(struct cpu, hi) == NAME_HI * 4 && offsetof(struct cpu, lo) == NAME_LO * 4 &&
                   offsetof(struct cpu, gpr) == 0,
               "names of integer registers count words");

uint32_t mxs_fpu_register_read(const struct mxs *m, unsigned name)
{
    const struct cpu *s = &m->core->s;
    if (name < NAME_FCC)
        return s->fpr[(name - NAME_FPR_LOW) & 31][name >= NAME_FPR_HIGH];
    return fpu_condition(s, name - NAME_FCC);
}

void mxs_fpu_register_write(struct mxs *m, unsigned name, uint32_t value)
{
    struct cpu *s = &m->core->s;
    if (name < NAME_FCC) {
        s->fpr[(name - NAME_FPR_LOW) & 31][name >= NAME_FPR_HIGH] = value;
    } else {
        const uint32_t bit = UINT32_C(1) << (name == NAME_FCC ? 23 : name - NAME_FCC + 24);
        s->fcr31 = value ? s->fcr31 | bit : s->fcr31 & ~bit;
    }
}
