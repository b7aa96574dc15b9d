#!/bin/sh
# One part of a trace in each task of a Slurm job array, as JSON lines. docs/fleet.md#slurm
#
#   sbatch --array=1-N parts.sh N TRACE DIRECTORY [OPTIONS of etl dump]
#
# DIRECTORY and TRACE are on storage that all nodes share. Submit the same command again, or --array=3,7 for some of the
# parts: those that exist are left as they are.
#SBATCH --job-name=etl-parts
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%A-%a.log
set -u
count=$1 trace=$2 directory=$3
shift 3
number=$SLURM_ARRAY_TASK_ID
part=$directory/$(printf %07d "$number").jsonl
mkdir -p "$directory"
# A part that exists is complete: etl writes it under another name first.
[ -e "$part" ] && exit 0
etl dump --part "$number/$count" --threads 1 --no-progress --format jsonl -o "$part" "$@" "$trace"
status=$?
# 1: the trace is damaged; the part has all that can be read, and the log of the task says where.
[ "$status" -le 1 ] && exit 0
# More than 128: a signal ended etl. Slurm itself does a task again only if its node failed.
[ "$status" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ] && scontrol requeue "$SLURM_JOB_ID"
exit "$status"
