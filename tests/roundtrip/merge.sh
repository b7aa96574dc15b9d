# merge.sh ETL ORACLE FOLDER...: what `etl merge` makes of the traces below the folders. Prints what does not come out as
# it should; exits with 77 when there is no trace. ORACLE is another decoder, a script in python, which may be missing.
#   restamped  every trace by itself: the same events at the same times; all of them as one: nothing is lost
#   refused    two traces of different boots: by name, field and both values; of one boot: they become one
etl=$1
oracle=$2
shift 2
. "$(dirname "$0")/traces.sh"
find_traces 100M 'etl|etl\.zst|etl\.lz4|etlgz' "$@"

# Neither log file headers, nor what says that the losses of an unfinalized trace are unknown.
events() { grep -v -e '"event":"EventTrace/Header"' -e '"provider":"LibEtl.Losses"'; }
facts() { "$etl" dump --format jsonl --fields time,cpu,pid,tid,provider,event "$@" 2>/dev/null | events; }
count() { echo $(($("$etl" info "$1" 2>/dev/null | sed -n 's/^  events  *//p') - 1)); } # without the header
boot_of() { "$etl" dump --format jsonl --fields data "$1" 2>/dev/null | sed -n 's/.*"BootTime":"\([^"]*\)".*/\1/p' | head -n 1; }

# merge OUT WORDS...: exit code 1 is of damaged inputs.
merge() {
    out=$1
    shift
    "$etl" merge "$@" -o "$out" --force >said 2>&1
    [ $? -le 1 ] || complain "merge $*: $(head -n 1 said)"
    "$etl" check "$out" >said 2>&1 || complain "merge $*: check: $(head -n 1 said)"
}

sum=0
while read -r trace; do
    merge alone.etl "$trace" --restamp
    facts "$trace" | sort >before
    facts alone.etl | sort >after
    cmp -s before after || complain "$trace: other events when it is restamped"
    sum=$((sum + $(count "$trace")))
done <traces

merge all.etl $(cat traces) --restamp --tag-source
tags=$(wc -l <traces)
repeated=$((sum + tags - $(count all.etl)))
# Packed copies of one trace repeat its context.
[ "$repeated" -ge 0 ] || complain "all traces together: $repeated events too many"
merge twice.etl all.etl $(cat traces) --restamp
[ "$(count twice.etl)" -ge "$(count all.etl)" ] || complain "all traces and their merge: events are missing"
if [ -f "$oracle" ] && command -v python3 >/dev/null; then
    # It does not know the kinds of record that only our own trace has.
    merge known.etl $(grep -v every-record-kind traces) --restamp
    python3 "$oracle" --summary known.etl | tail -n 1 >seen
    grep -q "\"events\":$(($(count known.etl) + 1)),\"damage\":\[\]" seen || complain "the other decoder sees: $(cut -c1-200 seen)"
fi

first=$(head -n 1 traces)
while read -r trace; do
    "$etl" merge "$first" "$trace" -o pair.etl --force >said 2>&1
    code=$?
    if [ "$(boot_of "$first")" != "$(boot_of "$trace")" ]; then
        [ $code -eq 2 ] && grep -q -e "boot time $(boot_of "$trace" | cut -c1-19)" -e "clock " said ||
            complain "$first and $trace: $code, $(head -n 1 said)"
    elif [ $code -le 1 ]; then
        merge pair.etl "$first" "$trace"
    else
        grep -q -e "processors" -e "clock" -e "build" said || complain "$first and $trace: $(head -n 1 said)"
    fi
    first=$trace
done <traces
echo "$tags traces, $sum events"
exit "$failed"
