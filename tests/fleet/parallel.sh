#!/bin/sh
# parallel.sh ETL WORK: the command of docs/fleet.md for GNU parallel, with a part that is killed and done again. Exit code
# 77: GNU parallel is not installed.
set -eu
etl=$1 work=$2
parallel --version 2>/dev/null | grep -q GNU || {
    echo "Skipped: parallel is not installed"
    exit 77
}
rm -rf "$work"
mkdir -p "$work/bin" "$work/parts"
cd "$work"
cat >bin/etl <<WRAPPER
#!/bin/sh
case "\$*" in
*"--part 2/"*) mkdir "$work/killed" 2>/dev/null && kill -KILL \$\$ ;;
esac
exec "$etl" "\$@"
WRAPPER
chmod +x bin/etl
export PATH="$work/bin:$PATH" XDG_STATE_HOME="$work/state"
etl generate --events 20000 -o trace.etl
etl index trace.etl
make_parts() {
    seq 5 | parallel --will-cite --joblog parts.log --resume-failed etl dump --part {}/5 --threads 1 --format jsonl -o parts/{}.jsonl trace.etl
}
! make_parts
[ "$(ls parts)" = "$(printf '1.jsonl\n3.jsonl\n4.jsonl\n5.jsonl')" ]
touch before
make_parts
[ "$(find parts -name '*.jsonl' -newer before)" = parts/2.jsonl ]
seq 5 | xargs -I{} cat parts/{}.jsonl >trace.jsonl
etl dump --format jsonl trace.etl | cmp - trace.jsonl
echo "a killed part was done again: $(wc -l <trace.jsonl) events in 5 parts equal one run"
