# json_lines.sh ETL FOLDER: every trace below FOLDER through JSON and back. Prints the traces that do not come back with the
# same events; exits with 77 when there is no folder.
#   as it is:    with --raw every line is the same, but for where records lie
#   from data:   without believing payloads the same numbers, names and values come out
etl=$1
folder=$2
if [ ! -d "$folder" ]; then
    echo "no real traces at hand"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

complain() {
    echo "$1: $2"
    failed=1
}

# Events only: the log file header names another file. Buffers are new ones.
events() { grep -v '"provider_guid":"68fdd900-4a3e-11d1-84f4-0000f80464e3"[^{]*"opcode":0,' | sed -E 's/"buffer":[0-9]+,"offset":[0-9]+,//'; }

find "$folder" -name '*.etl' -size -100M | sort >traces
while read -r trace; do
    name=$(basename "$trace")
    "$etl" dump --no-decode --raw --format jsonl "$trace" >dumped 2>/dev/null
    "$etl" write --force -o copy.etl dumped 2>said || complain "$name" "$(head -n 1 said)"
    events <dumped >before
    "$etl" dump --no-decode --raw --format jsonl copy.etl | events >after
    cmp before after || complain "$name" "other events"
    "$etl" check copy.etl >said 2>&1 || complain "$name" "$(head -n 1 said)"

    keys=time,cpu,pid,tid,id,version,level,opcode,keyword,activity_id,related_activity_id,data,trailing
    "$etl" dump --raw --format jsonl "$trace" 2>/dev/null | "$etl" write --force --from-data -o copy.etl 2>said ||
        complain "$name" "$(head -n 1 said)"
    "$etl" dump --format jsonl --fields "provider_guid,$keys" "$trace" 2>/dev/null | events >before
    "$etl" dump --format jsonl --fields "provider_guid,$keys" copy.etl | events >after
    cmp before after || complain "$name" "other data"
    "$etl" check copy.etl >said 2>&1 || complain "$name" "$(head -n 1 said)"
done <traces
echo "$(wc -l <traces) traces"
exit "$failed"
