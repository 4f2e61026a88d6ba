/* As tlb_wired.S, with the largest TLB. qemu: no (another processor)
 * simos: --set cpu.tlb_entries=512 */
#include "tlb_wired.S"
