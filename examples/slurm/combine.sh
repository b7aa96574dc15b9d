#!/bin/sh
# Joins the parts of parts.sh in their order. docs/fleet.md#slurm
#
#   sbatch --dependency=afterok:JOB combine.sh N DIRECTORY OUTPUT
#SBATCH --job-name=etl-combine
#SBATCH --output=%x-%j.log
set -eu
count=$1 directory=$2 output=$3
missing=""
for number in $(seq "$count"); do
    [ -e "$directory/$(printf %07d "$number").jsonl" ] || missing="$missing,$number"
done
if [ -n "$missing" ]; then
    echo "missing parts: ${missing#,}; submit parts.sh again with --array=${missing#,}" >&2
    exit 1
fi
for number in $(seq "$count"); do
    cat "$directory/$(printf %07d "$number").jsonl"
done >"$output.incomplete"
mv "$output.incomplete" "$output"
