# machine_sample.sh ETL PROGRAM WORK CLASSIC WATCHER: programs written for Windows, in a session of the machine.
set -eu
rm -rf "$3"
mkdir -p "$3"
cd "$3"
export ETL_HOST="$PWD/host" XDG_CONFIG_HOME="$PWD/none"
classic=4a1d7b6e-3c52-4f0e-9b1d-52a6c3f7e803
provider=4a1d7b6e-3c52-4f0e-9b1d-52a6c3f7e802
expect() {
    test "$1" = "$2" || { printf 'expected:\n%s\nfound:\n%s\n' "$1" "$2"; exit 1; }
}
expect "0 events" "$("$1" record --provider $provider -o none.etl -- "$2" | head -n 1)"
export ETL_SCOPE=machine
expect "3 events" "$("$1" record --provider $provider:1:4 -o some.etl -- "$2" | head -n 1)"
expect "id
7
7
7" "$("$1" dump --provider $provider --format csv --fields id some.etl 2>notes | tr -d '\r')"
"$5" > watched & watcher=$!
until grep -q watching watched; do sleep 0.05; done
expect "3 events" "$("$1" record --provider $classic:1:4 -o classic.etl -- "$4" | head -n 1)"
expect "id,opcode
0,9
0,9
10,0" "$("$1" dump --provider 4a1d7b6e-3c52-4f0e-9b1d-52a6c3f7e804 --format csv --fields id,opcode classic.etl 2>notes | tr -d '\r')"
wait $watcher
expect "watching
5 0
2 0" "$(cat watched)"
