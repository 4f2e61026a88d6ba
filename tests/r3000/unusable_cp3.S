/* Every instruction of coprocessor 3 raises CpU with CE 3 while CU3 is clear: moves, operations, branches, loads,
 * stores.
 * gxemul: no (it stops at coprocessors 2 and 3) */
#define UNIT 3
#include "unusable.h"
