/* As tlb_full.S, with the largest TLB. qemu: no (another processor)
 * simos: --set cpu.tlb_entries=512 */
#include "tlb_full.S"
