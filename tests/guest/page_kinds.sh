# Shared by the tests of `symbol data`: source it behind harness.sh.
# shellcheck shell=sh

# page_kinds BYTES: annotations that say how much of BYTES of memory the pages of each kind are, while the guest counts them itself
# (/proc/meminfo)
page_kinds()
{
    cat <<TCL
library layout
annotation set pc meminfo_proc_show:END -once {
    for {set page 0} {\$page < $1} {incr page 0x1000} { incr kilobytes([dict get [symbol data physical:\$page] kind]) 4 }
    incr kilobytes(slab) \$kilobytes(block\\ of\\ pages)
    foreach {kind name} {slab Slab {kernel stack} KernelStack {anonymous page} AnonPages file Cached {page table} PageTables} {
        log "pages of \$name: \$kilobytes(\$kind)"
    }
}
TCL
}

# check_page_kinds: $work/err says what $work/out, which is /proc/meminfo, says too
check_page_kinds()
{
    for name in Slab KernelStack AnonPages Cached PageTables; do
        counted=$(awk "/^$name:/ { print \$2 }" "$work/out")
        # the stack of the first process is in the image, and of pages on their way in or out not all is said yet
        check_between "kinds of pages: $name is what the guest counts" "$counted" $((counted + counted / 50 + 24)) \
            "$(sed -n "s/^pages of $name: //p" "$work/err")"
    done
}
