# sessions.sh ETL DECODER PROGRAM: what sessions of every file mode write is sound to `etl check`, decodes to as many events as
# were written, and has as many records for an independent decoder, if there is one.
etl=$1
decoder=$2
program=$3
. "$(dirname "$0")/traces.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
"$program" . >written || complain "$program: $(tail -n 1 written)"
while read -r file events; do
    "$etl" check "$file" >said 2>&1 || complain "$file" "check: $(head -n 3 said)"
    "$etl" dump --format jsonl "$file" >dumped 2>said || complain "$file" "dump: $(head -n 1 said)"
    got=$(grep -c '"event":"CupFinished".*"Drink":"espresso"' dumped)
    [ "$got" = "$events" ] || complain "$file" "$got of $events events"
    if [ -f "$decoder" ] && command -v python3 >/dev/null; then
        got=$(python3 "$decoder" --events "$file" 2>/dev/null | grep '^{"rec":"event"' | grep -c 'CupFinished')
        [ "$got" = "$events" ] || complain "$file" "$(basename "$decoder"): $got of $events events"
    fi
    find . -name '*.buffers' | grep . && complain "$file" "buffers are left over"
done <written
echo "$(wc -l <written) traces"
exit "$failed"
