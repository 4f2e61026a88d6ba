/* Every instruction of coprocessor 2 raises CpU with CE 2 while CU2 is clear: moves, operations, branches, loads,
 * stores.
 * gxemul: no (it stops at coprocessors 2 and 3) */
#define UNIT 2
#include "unusable.h"
