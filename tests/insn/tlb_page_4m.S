/* Pages of 4 MB: the even and the odd page of a pair, their first and last words, and the addresses just outside. */
#define SIZE 0x00400000
#define EVEN 0x00800000
#define ODD  0x01000000
#define MASK 0x007fe000
#include "tlb_page.h"
