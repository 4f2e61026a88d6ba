/* Pages of 4 KB: the even and the odd page of a pair, their first and last words, and the addresses just outside. */
#define SIZE 0x00001000
#define EVEN 0x00800000
#define ODD  0x00802000
#define MASK 0x00000000
#include "tlb_page.h"
