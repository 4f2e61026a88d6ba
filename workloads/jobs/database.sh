# Database: CLIENTS clients of PostgreSQL, each a thread of pgbench, ask for TRANSACTIONS transactions each, of the kind of
# TPC-B. The bank has SCALE branches, 15 MB each. Its log is on a disk of its own, and the accounts are spread over
# PARTS further disks, if there are some. All clients do WARM transactions each before those that are measured. RAW=yes: the
# kernel's file cache then has none of what is on these disks, as if the server read them raw.
data=/var/lib/postgresql/15/main
as_postgres() {
    setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
}
query() {
    as_postgres psql -h /tmp -X -q -A -t -P pager=off -v ON_ERROR_STOP=1 bank -c "$1"
}
clients() {
    as_postgres pgbench -h /tmp -n -c "$CLIENTS" -j "$CLIENTS" -t "$1" --random-seed="$2" bank >/tmp/pgbench 2>/tmp/errors && return
    cat /tmp/pgbench /tmp/errors >&2
    exit 1
}
start_server() {
    as_postgres pg_ctl -D $data -w -t 3600 -s -l /var/log/postgresql/log start
}

cd /tmp
mkdir /log
mount -t ext4 /dev/vdb /log
mv $data/pg_wal /log/pg_wal
ln -s /log/pg_wal $data/pg_wal
chown -R postgres:postgres /log
start_server
as_postgres createdb -h /tmp bank
say "making a bank of $SCALE branches"
as_postgres pgbench -h /tmp -q -i -I dtGvp -s "$SCALE" ${PARTS:+"--partitions=$PARTS"} bank 2>/tmp/errors
for part in ${PARTS:+$(seq "$PARTS")}; do
    mkdir -p "/data/$part"
    mount -t ext4 "/dev/vd$(echo "$part" | tr 1-6 c-h)" "/data/$part"
    mkdir "/data/$part/tables"
    chown -R postgres:postgres "/data/$part"
    query "create tablespace disk$part location '/data/$part/tables'"
    query "alter table pgbench_accounts_$part set tablespace disk$part"
    query "alter index pgbench_accounts_${part}_pkey set tablespace disk$part"
done
query 'vacuum analyze'
query checkpoint
say "the first $((CLIENTS * WARM)) transactions, which fill the caches"
clients "$WARM" 1
sync
if [ "$RAW" = yes ]; then
    find /data -type f -exec dd if={} iflag=nocache count=0 status=none \;
fi
say "the $((CLIENTS * TRANSACTIONS)) transactions that are measured"
simos-mark start
clients "$TRANSACTIONS" 2
simos-mark end
grep '^number of transactions actually processed' /tmp/pgbench

# The server crashes and comes back: nothing that was committed may be lost, and the accounts must balance.
if [ "$CRASH" = yes ]; then
    as_postgres pg_ctl -D $data -w -s -m immediate stop
    start_server
fi
query "select 'transactions in the history: ' || count(*) from pgbench_history"
query "select 'sums: ' || (select sum(delta) from pgbench_history) || ' ' ||
    (select sum(abalance) from pgbench_accounts $ACCOUNTS) || ' ' || (select sum(bbalance) from pgbench_branches) || ' ' ||
    (select sum(tbalance) from pgbench_tellers)" >/tmp/sums
cat /tmp/sums
as_postgres pg_ctl -D $data -w -s -m fast stop
# shellcheck disable=SC2046 # five words
set -- $(cat /tmp/sums)
[ "$2 $2 $2" = "$3 $4 $5" ] || exit 1
for mounted in /log /data/*; do
    [ ! -d "$mounted" ] || umount "$mounted"
done
