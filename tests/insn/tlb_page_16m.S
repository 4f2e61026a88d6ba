/* Pages of 16 MB: the even and the odd page of a pair, their first and last words, and the addresses just outside. */
#define SIZE 0x01000000
#define EVEN 0x03000000
#define ODD  0x02000000
#define MASK 0x01ffe000
#include "tlb_page.h"
