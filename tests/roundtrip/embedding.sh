# embedding.sh ETL PROJECT CORPUS: a trace that `etl merge` or `etl relog` wrote with --embed-schemas says without any
# schema file what the original says with it: values, names, messages. Prints what differs. CORPUS, real traces, may be
# missing.
etl=$1
project=$2
corpus=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# No schemas but those that are named.
HOME=$work XDG_CONFIG_HOME=$work ETL_SCHEMA_PATH=
export HOME XDG_CONFIG_HOME ETL_SCHEMA_PATH
cd "$work" || exit 2
failed=0

complain() {
    echo "$1"
    failed=1
}

# Not log file headers, which are the writer's, nor the schemas themselves; where a schema came from is to differ.
facts() {
    "$etl" dump --format jsonl --message "$1" "$2" "$3" 2>/dev/null |
        grep -v -e bbccf6c1-6cd1-48c4-80ff-839482e37671 -e EventTrace/Header |
        sed -E 's/,"source":"[a-z-]*"(,"schema_from":"[^"]*")?//'
}

# same TRACE SCHEMA
same() {
    facts "$1" --schema "$2" >with.jsonl
    for verb in merge relog; do
        "$etl" "$verb" "$1" --embed-schemas --schema "$2" -o "$verb.etl" --force 2>said || complain "$verb $1: $(head -n 1 said)"
        grep -q 'embedded [1-9]' said || complain "$verb $1: embedded nothing: $(cat said)"
        "$etl" check "$verb.etl" >said 2>&1 || complain "$verb $1: check: $(head -n 1 said)"
        facts "$verb.etl" --culture en-US >without.jsonl
        cmp -s with.jsonl without.jsonl || complain "$verb $1: $(diff with.jsonl without.jsonl | grep -c '^<') events differ"
    done
    # What is embedded is known, and not embedded again.
    "$etl" relog merge.etl --embed-schemas --schema "$2" -o again.etl --force 2>said || complain "again: $(head -n 1 said)"
    grep -q 'embedded 0 schemas' said || complain "$1: embedded twice: $(cat said)"
    [ -s with.jsonl ] || complain "$1: no events"
}

same "$project/corpus/good/manifest-types.etl" "$project/tests/golden/manifest-types/types.man"
same "$project/corpus/good/compiled-manifest.etl" "$project/corpus/schemas"
if [ -d "$corpus" ]; then
    mkdir manifests
    tar -xf "$corpus"/manifests/win10-18990.tar.zst -C manifests 2>/dev/null || zstd -dcq "$corpus"/manifests/win10-18990.tar.zst | tar -xf - -C manifests
    same "$corpus/tx/HTTP_Server.etl" "$corpus/tx/HTTP_Server.man"
    same "$corpus/gpuvis/wintracecmd.etl.zst" manifests
fi
exit $failed
