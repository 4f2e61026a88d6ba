/* For test_page_mapping.sh: an allocator of pages by its symbols, which frees the first of FRAMES frames. */
#include "test.h"

        .globl  _text, _etext, max_mapnr
        .globl  get_page_from_freelist, free_pcp_prepare, __free_pages_ok, handle_mm_fault, filemap_add_folio, exit_mmap
_text:
TEST
        la      $a0, pages
        jal     free_pcp_prepare
        li      $a1, 0
        b       1f
        nop
get_page_from_freelist:
__free_pages_ok:
handle_mm_fault:
filemap_add_folio:
exit_mmap:
free_pcp_prepare:
        jr      $ra
        nop
1:
TEST_END
_etext:
        .data
#ifdef HAS_MAP
        .globl  mem_map
mem_map:
#endif
        .word   pages
max_mapnr:
        .word   FRAMES
        .balign 4096
pages:  .space  4096
