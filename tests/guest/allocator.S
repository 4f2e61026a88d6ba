/* For test_page_mapping.sh: an allocator of pages by its symbols, those of Linux 6.1 or of LINUX_6_12, which frees the first
 * of FRAMES frames. */
#include "test.h"

        .globl  _text, _etext, max_mapnr
        .globl  get_page_from_freelist, handle_mm_fault, filemap_add_folio, exit_mmap
#ifdef LINUX_6_12
        .globl  free_unref_page_commit, free_one_page
#else
        .globl  free_pcp_prepare, __free_pages_ok
#endif
_text:
TEST
#ifdef LINUX_6_12
        la      $a1, pages
        jal     free_one_page
        li      $a3, 0
        la      $a2, pages
        la      $sp, stack
        jal     free_unref_page_commit
        sw      $zero, 16($sp)
#else
        la      $a0, pages
        jal     free_pcp_prepare
        li      $a1, 0
#endif
        b       1f
        nop
get_page_from_freelist:
handle_mm_fault:
filemap_add_folio:
exit_mmap:
#ifdef LINUX_6_12
free_unref_page_commit:
free_one_page:
#else
__free_pages_ok:
free_pcp_prepare:
#endif
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
stack:  .space  32
