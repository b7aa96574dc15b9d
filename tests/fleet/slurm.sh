#!/bin/sh
# slurm.sh ETL EXAMPLES WORK: a Slurm cluster of one node on loopback, in WORK. examples/slurm/parts.sh makes the parts of a
# trace there; one task is killed and done again, a part is lost and done again, and the combined output equals that of one
# run. Exit code 77: Slurm is not installed, or the caller is not root. docs/fleet.md#slurm
set -eu
etl=$1 examples=$2 work=$3
for program in slurmctld slurmd munged sbatch; do
    command -v "$program" >/dev/null || {
        echo "Skipped: $program is not installed (slurm-wlm, munge)"
        exit 77
    }
done
[ "$(id -u)" = 0 ] || {
    echo "Skipped: needs root"
    exit 77
}
rm -rf "$work"
mkdir -p "$work/state" "$work/spool" "$work/log" "$work/bin"
chmod 700 "$work"
cd "$work"

# Daemons end with this script, by their IDs.
stop() {
    timeout 10 scancel --user=root 2>/dev/null || true
    for name in slurmd slurmctld munged; do
        [ ! -e "$work/$name.pid" ] || kill "$(cat "$work/$name.pid")" 2>/dev/null || true
    done
}
trap stop EXIT

node=$(hostname)
port=$((20000 + $$ % 20000))
cat >slurm.conf <<CONFIGURATION
ClusterName=fleet
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MailProg=/bin/true
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONFIGURATION
export SLURM_CONF="$work/slurm.conf"
dd if=/dev/urandom of=munge.key bs=128 count=1 2>/dev/null
chmod 600 munge.key
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
    --log-file="$work/log/munged.log" --seed-file="$work/munge.seed"
slurmctld
slurmd

# wait_for SECONDS COMMAND ...: repeats the command until it succeeds.
wait_for() {
    seconds=$1
    shift
    while ! "$@" >/dev/null 2>&1; do
        seconds=$((seconds - 1))
        [ "$seconds" -gt 0 ] || {
            echo "did not happen: $*"
            squeue || true
            cat ./*.log log/slurmctld.log
            exit 1
        }
        sleep 1
    done
}
is_idle() { sinfo --noheader --format=%T | grep -q idle; }
wait_for 120 is_idle

# An etl that is killed the first time that it makes part 2.
cat >bin/etl <<WRAPPER
#!/bin/sh
case "\$*" in
*"--part 2/"*) mkdir "$work/killed" 2>/dev/null && kill -KILL \$\$ ;;
esac
exec "$etl" "\$@"
WRAPPER
chmod +x bin/etl
export PATH="$work/bin:$PATH"

"$etl" generate --events 20000 -o trace.etl
"$etl" index trace.etl
"$etl" dump --format jsonl trace.etl >expected.jsonl
job=$(sbatch --parsable --array=1-5 "$examples/parts.sh" 5 "$work/trace.etl" "$work/parts")
combine=$(sbatch --parsable --dependency="afterok:$job" "$examples/combine.sh" 5 "$work/parts" "$work/trace.jsonl")

# Slurm starts a requeued task after two minutes, unless it is asked to.
is_requeued() { [ -d killed ] && scontrol show job "$job" | grep -q "Requeue=1 Restarts=1"; }
wait_for 120 is_requeued
scontrol update "JobId=${job}_2" StartTime=now
wait_for 180 test -e trace.jsonl
cmp expected.jsonl trace.jsonl
echo "a killed task was done again: $(wc -l <trace.jsonl) events in 5 parts equal one run"

# A lost part is named, and made by the same command; the others are kept.
is_over() { [ -z "$(squeue --noheader --jobs="$1")" ]; }
rm parts/0000004.jsonl trace.jsonl
touch before
combine=$(sbatch --parsable "$examples/combine.sh" 5 "$work/parts" "$work/trace.jsonl")
wait_for 60 is_over "$combine"
grep -q "missing parts: 4;" "etl-combine-$combine.log"
[ ! -e trace.jsonl ]
job=$(sbatch --parsable --array=1-5 "$examples/parts.sh" 5 "$work/trace.etl" "$work/parts")
sbatch --dependency="afterok:$job" "$examples/combine.sh" 5 "$work/parts" "$work/trace.jsonl" >/dev/null
wait_for 120 test -e trace.jsonl
cmp expected.jsonl trace.jsonl
[ "$(find parts -name '*.jsonl' -newer before | wc -l)" = 1 ]
echo "a lost part was done again alone"
