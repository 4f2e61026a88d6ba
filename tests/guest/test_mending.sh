#!/bin/sh
# `simos test` of a kernel in which one function has been linked into the sets of another one that calls it: an unlucky placement, whose
# cause is named, and which other ways to link it mend (docs/how-to/placement.md).
. "$(dirname "$0")/harness.sh"
cd "$work" || exit
mkdir old
cp "$guest/vmlinux" "$guest/kernel.sym" "$guest/initrd.cpio" old
python3 "$root/tests/guest/moved_kernel.py" old/vmlinux old/kernel.sym new rw_verify_area vfs_read 131072 \
    '(ip|tcp|inet|rpc|nfs|ext4|btrfs|usb)_.*' || exit
cp old/initrd.cpio new
cat >read.tcl <<'END'
position mark:begin -- sh -c {
    sleep 1
    simos-mark begin
    dd if=/dev/zero of=/dev/null bs=64 count=300 2>/dev/null
    simos-mark end
}
machine router-34k
param cache.l1i.ways 1
param cache.l1i.size 128K
confidence 80
repetitions 4 8
row "read: cycles" cycles -service read -within 30
END
simos test read.tcl --quiet --kernel old/vmlinux --kernel new/vmlinux --json t.json --junit t.xml --html t.html
check_equal "a function in the sets of its caller is no regression" 0 "$status"
cp out report
check_match "it is an unlucky placement" '^read.tcl: unlucky placement: read: cycles on router-34k: ' report
check_match "caused by conflicts in the L1-I" 'most in read; l1i conflict; ' report
check_match "of the two" '^    evictions  l1i: vfs_read, evicted by rw_verify_area_moved: ' report
check_match "in both directions" '^    evictions  l1i: rw_verify_area_moved, evicted by vfs_read: ' report
check_match "mended by moving the function" '^    mended by linking rw_verify_area_moved behind all others: -[0-9]*, -3' report
check_match "JUnit has it, too" 'mended by linking functions in the order' t.xml
check_equal "the page has a point for each random layout" "$(json t.json '[.tests[].results[].placement.random | length] | add')" \
    "$(grep -c '<circle' t.html)"
check_match "and a mark for the linked one" '<title>as linked: [0-9]*</title><line ' t.html
check_match "and says what mends it" '^mended by linking ' t.html
check_equal "the page loads nothing" 0 "$(grep -c '<\(img\|iframe\|object\|link rel="style\)\|[ "]src=\|url(' t.html)"
row='.tests[0].results[0].placement'
check_equal "all that was tried" "order aligned last last" "$(json t.json "[$row.mendings[].link] | join(\" \")")"
# The function is seen behind all others in both: it is the only one that the old kernel does not have.
check_equal "behind all others, the kernel has the cycles of one in the old one's places" true \
    "$(json t.json "$row | .held == (.mendings[] | select(.object == \"rw_verify_area_moved\") | .linked)")"
check_equal "each way makes it less" true "$(json t.json "$row | .linked as \$linked | all(.mendings[]; .linked < \$linked)")"
check_equal "the lists stay in the work folder" 4 "$(find read.work -name '*.sym' | wc -l)"
simos test read.tcl --quiet --kernel old/vmlinux --kernel new/vmlinux
check_same_file "repeated, nothing is run again, and the report is the same" report out
finish
