# verbs.sh ETL ORACLE FOLDER...: what verbs make of each other's output. Prints the traces that do not come out as they
# should; exits with 77 when there is none. ORACLE is another decoder, a script in python, which may be missing.
#   split, merge    the parts by size, time, count, provider, process and cpu, merged, are the trace again: the same records
#                   on the same processors at the same times (of one time and processor, those of the first part come first);
#                   with context in every part and without
#   relog           what relog wrote is relogged to the same bytes
#   repair          of an undamaged trace everything stays
etl=$1
oracle=$2
shift 2
. "$(dirname "$0")/traces.sh"
find_traces 4M 'etl|etl\.zst|etl\.lz4' "$@"

# The records of a trace by processor, in order, but for log file headers, which are the writer's, and for what tells where
# they lie.
records() {
    "$etl" dump --raw --format jsonl "$1" 2>/dev/null | grep -v '"event":"EventTrace/Header"' |
        sed -E 's/"(at|where|buffer|offset|file)":[^,}]*,?//g; s/^.*"cpu":([0-9]+).*$/\1 &/' | sort -s -n -k 1,1
}

accepted() {
    "$etl" check "$1" >said 2>&1 || complain "$2: check: $(head -n 1 said)"
}

# By the other decoder.
intact() {
    python3 "$oracle" --summary "$1" | tail -n 1 | grep -q '"damage":\[\]'
}

# parts WORDS...: of x.etl, made and merged again as whole.etl
parts() {
    rm -f part_*.etl
    "$etl" split x.etl "$@" -o 'part_%d.etl' --force >said 2>&1 || {
        complain "split $trace $*: $(head -n 1 said)"
        return
    }
    "$etl" merge part_*.etl -o whole.etl --force >said 2>&1 || {
        complain "split $trace $*, then merge: $(head -n 1 said)"
        return
    }
    accepted whole.etl "split $trace $*, then merge"
    records whole.etl | sort >after
    sort before >sorted
    cmp -s sorted after || complain "split $trace $*, then merge: $(diff sorted after | grep -c '^[<>]') records differ"
}

sample=0
while read -r trace; do
    # Damaged traces lose what is damaged once: from here on there is none.
    "$etl" relog "$trace" -o x.etl --force >said 2>&1
    [ $? -le 1 ] && [ -f x.etl ] || continue
    accepted x.etl "relog $trace"
    records x.etl >before
    "$etl" relog x.etl -o y.etl --force >said 2>&1 || complain "relog twice $trace: $(head -n 1 said)"
    cmp -s x.etl y.etl || complain "relog $trace: the second time gives other bytes"
    "$etl" repair x.etl -o y.etl --force >said 2>&1 || complain "repair $trace: $(head -n 1 said)"
    records y.etl >after
    cmp -s before after || complain "repair $trace: $(diff before after | grep -c '^[<>]') records differ"
    [ "$(wc -l <before)" -gt 20000 ] && continue
    parts --by count --every 1000
    parts --by size --every 256K
    parts --by cpu
    parts --by cpu --no-context
    sample=$((sample + 1))
    if [ $((sample % 4)) -eq 0 ]; then
        parts --by provider
        parts --by process
        parts --by time --every 1s
        if [ -f "$oracle" ] && command -v python3 >/dev/null; then
            # Kinds of record that it does not know are damage to it from the beginning.
            intact x.etl && { intact whole.etl || complain "$trace: the other decoder finds damage"; }
        fi
    fi
    rm -f x.etl
done <traces
echo "$(wc -l <traces) traces, $sample of them split"
exit "$failed"
