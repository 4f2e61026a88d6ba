/* Pages of 16 KB: the even and the odd page of a pair, their first and last words, and the addresses just outside. */
#define SIZE 0x00004000
#define EVEN 0x00800000
#define ODD  0x00808000
#define MASK 0x00006000
#include "tlb_page.h"
