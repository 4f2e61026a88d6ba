# A job that says the same on every machine: in the guest on both emulators, and but for `ls` on the host.
ls / /bin
arithmetic
seq 1 3000 | gzip -c | gunzip -c | md5sum
seq 1 3000 | sort -r | head -n 3
i=0
while [ $i -lt 20 ]; do
    i=$((i + 1))
    echo "$i $((i * i * i % 7)) $(echo $i | sed 's/^/x/')"
done | md5sum
awk 'BEGIN { for (i = 1; i < 500; i++) { a[i % 17] += sqrt(i) * 3 / i; s = s i } printf "%.9f %d\n", a[5], length(s) }'
