/* Two processors increment one word by ll and sc, changing places every 3 cycles: no increment is lost.
 * simos: --cpus 2 --set machine.quantum=3 */
/* qemu: no */
#include "smp_ll_sc_counter.h"
