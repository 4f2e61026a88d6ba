/* Two processors increment one word by ll and sc, changing places every few cycles: no increment is lost.
 * simos: --cpus 2 --set machine.quantum=7 */
/* qemu: no */
#include "smp_ll_sc_counter.h"
