# relog.sh ETL DECODER FOLDER...: what `etl relog` makes of every trace below the folders. Prints the traces that do not come out
# as they should; exits with 77 when there is none of the folders.
#   identity:  without filters the same records, in the same order, but for the log file header and where they lie; in
#              whole buffers, one after the other by time, packed, and from standard input
#   decoder:   an independent decoder, if there is one, finds the same records in both
#   context:   samples of a trace of which only they stay have the stacks, processes and images that they had
#   filters:   filter, then dump is dump, then filter
etl=$1
decoder=$2
shift 2
. "$(dirname "$0")/traces.sh"
find_traces 100M 'etl|etl\.zst|etl\.lz4' "$@"

# Not the log file header; nor what says that the losses of an unfinalized trace are unknown; not where records lie. PROCESSOR_INDEX (512) in the flags is a word about the buffer, which
# Windows 7 did not have.
events() {
    grep -v -e '"provider_guid":"68fdd900-4a3e-11d1-84f4-0000f80464e3"[^{]*"opcode":0,' \
        -e '"provider_guid":"7f3018b2-a6d9-5da7-300d-848bf29d29eb"' |
        sed -E 's/"buffer":[0-9]+,"offset":[0-9]+,//' |
        awk 'match($0, /"flags":[0-9]+/) {
                 flags = substr($0, RSTART + 8, RLENGTH - 8)
                 flags += int(flags / 512) % 2 ? 0 : 512
                 $0 = substr($0, 1, RSTART + 7) flags substr($0, RSTART + RLENGTH)
             }
             { print }'
}
# Nor the names, which may go with the manifests of EventSource providers.
nameless() { sed -E 's/"(provider|event|task_name|opcode_name)":("[^"]*"|null),//g'; }
dump() { "$etl" dump --no-decode --raw --format jsonl "$@" 2>/dev/null | events; }

# In no order: records lie in other buffers.
decoded() { python3 "$decoder" --events --no-values "$1" 2>/dev/null | grep '^{"rec":"event"' | grep -v -e '"hook":"0000"' -e 7f3018b2-a6d9 | sed -E 's/"n":[0-9]+,//; s/"(buf|at|payload_at)":[0-9]+,//g; s/"ext":[][0-9,]+,//' | sort; }

# relog_as OUT EXPECTED WORDS...: relog of the trace at hand, held against a dump.
relog_as() {
    out=$1
    expected=$2
    shift 2
    "$etl" relog --force "$trace" -o "$out" "$@" >said 2>&1
    case $? in
    0 | 1) ;; # 1: the input is damaged
    *) complain "$trace" "relog $*: $(head -n 1 said)" ;;
    esac
    dump "$out" | $then >after
    cmp -s "$expected" after || complain "$trace" "relog $*: other events ($(wc -l <"$expected") and $(wc -l <after))"
    "$etl" check "$out" >said 2>&1 || complain "$trace" "relog $*: check: $(head -n 1 said)"
}

while read -r trace; do
    then=cat
    dump "$trace" >before
    relog_as copy.etl before
    relog_as copy.etl before --limit 1000000000 # one after the other, all of them kept
    relog_as copy.etl before --compress xpress
    relog_as copy.etl.zst before
    "$etl" relog - -o - <"$trace" 2>/dev/null | cat >piped.etl
    dump piped.etl | cmp -s before - || complain "$trace" "other events through pipes"

    if [ -f "$decoder" ] && command -v python3 >/dev/null && [ "${trace%.etl}" != "$trace" ] && [ "$(wc -l <before)" -le 20000 ]; then
        "$etl" relog --force "$trace" -o copy.etl 2>/dev/null
        decoded "$trace" >expected
        decoded copy.etl >got
        # There are packings that it does not know.
        [ "$(wc -l <expected)" -ne "$(wc -l <before)" ] || cmp -s expected got || complain "$trace" "other records for $(basename "$decoder")"
    fi

    "$etl" relog --force "$trace" --event '*/SampleProf' -o some.etl 2>/dev/null
    "$etl" dump --enrich --event '*/SampleProf' --format jsonl "$trace" >expected 2>/dev/null
    "$etl" dump --enrich --event '*/SampleProf' --format jsonl some.etl | cmp -s expected - || complain "$trace" "samples have other stacks or names"

    then=nameless
    pid=$(sed -nE 's/.*"pid":([0-9]+),.*/\1/p' before | sort -n | uniq -c | sort -n | tail -n 1 | sed -E 's/.* //')
    tid=$(sed -nE 's/.*"tid":([0-9]+),.*/\1/p' before | sort -n | uniq -c | sort -n | tail -n 1 | sed -E 's/.* //')
    guid=$(sed -nE 's/.*"provider_guid":"([^"]*)".*/\1/p' before | sort | uniq -c | sort -n | tail -n 1 | sed -E 's/.* //')
    for filter in "--pid ${pid:-0}" "--process ${pid:-0}" "--tid ${tid:-0}" "--provider ${guid:-0}" "--provider Microsoft-*" "--level 4" "--keyword 0xFF" \
        "--cpu 0" "--event 1,10,32" "--from +0.5s --to +2s" "--from +1ms" "--to +1s" "--skip 5 --limit 20" "--limit 3"; do
        [ "$(wc -l <before)" -gt 20000 ] && [ "${filter#--pid}" = "$filter" ] && continue # large ones with one of them
        set -f # a glob is for etl
        # shellcheck disable=SC2086
        dump $filter "$trace" | nameless >filtered
        # shellcheck disable=SC2086
        relog_as some.etl filtered --no-context $filter
        set +f
    done
done <traces
echo "$(wc -l <traces) traces"
exit "$failed"
