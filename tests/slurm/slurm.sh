# A Slurm of one node, of our own: configuration, sockets, ports and state are in $work/slurm, nothing of the machine's own
# Slurm is touched. Source it; slurm_start, then squeue, sbatch and simos see this one; slurm_stop ends it.
# shellcheck shell=sh

slurm_pids=

# slurm_missing: prints why there can be no Slurm here; fails if there is nothing to print
slurm_missing()
{
    for program in slurmctld slurmd sbatch squeue scancel munged; do
        PATH=$PATH:/usr/sbin:/sbin command -v $program >/dev/null || {
            echo "$program is not installed (apt-get install slurm-wlm munge)"
            return 0
        }
    done
    [ "$(id -u)" = 0 ] && return 1
    echo "Slurm's daemons want to be root"
}

# free_port: a TCP port nobody listens on
free_port()
{
    port=$1
    while awk -v port="$(printf '%04X' "$port")" '$4 == "0A" && substr($2, length($2) - 3) == port { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
        port=$((port + 1))
    done
    echo "$port"
}

# slurm_start: false with a line on stdout if it does not come up
slurm_start()
{
    PATH=$PATH:/usr/sbin:/sbin
    slurm=$work/slurm
    host=$(hostname)
    mkdir -m 755 "$slurm" "$slurm/state" "$slurm/spool" "$slurm/munge"
    chmod 755 "$work"
    head -c 128 /dev/urandom >"$slurm/munge/key"
    chmod 600 "$slurm/munge/key"
    cat >"$slurm/slurm.conf" <<END
ClusterName=simos
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$(free_port 26817)
SlurmdPort=$(free_port 26917)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=1,sched_interval=1
MpiDefault=none
ReturnToService=2
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=simos Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF="$slurm/slurm.conf"
    munged --foreground --force --socket="$slurm/munge/socket" --key-file="$slurm/munge/key" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" >/dev/null 2>&1 &
    slurm_pids="$slurm_pids $!"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -S "$slurm/munge/socket" ] && break
        sleep 0.5
    done
    slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 &
    slurm_pids="$slurm_pids $!"
    slurmd -D -f "$SLURM_CONF" >/dev/null 2>&1 &
    slurm_pids="$slurm_pids $!"
    for _ in $(seq 60); do
        sinfo -h -o %T 2>/dev/null | grep -q '^idle' && return 0
        sleep 0.5
    done
    echo "Slurm does not come up: $(tail -n 3 "$slurm"/*.log "$slurm/munge/log" 2>&1 | tr '\n' ' ' | cut -c 1-600)"
    return 1
}

slurm_stop()
{
    # shellcheck disable=SC2086 # several
    [ -z "$slurm_pids" ] || kill $slurm_pids 2>/dev/null
    # shellcheck disable=SC2086
    [ -z "$slurm_pids" ] || wait $slurm_pids 2>/dev/null
    slurm_pids=
}

# slurm_wait SECONDS: until no job is left; fails if some are
slurm_wait()
{
    for _ in $(seq $(($1 * 2))); do
        [ -z "$(squeue -h 2>/dev/null)" ] && return 0
        sleep 0.5
    done
    return 1
}
