/* Pages of 1 MB: the even and the odd page of a pair, their first and last words, and the addresses just outside. */
#define SIZE 0x00100000
#define EVEN 0x00800000
#define ODD  0x00a00000
#define MASK 0x001fe000
#include "tlb_page.h"
