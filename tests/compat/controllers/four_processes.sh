# four_processes.sh PROGRAMS HOST WORK: a controller that exits, providers, a consumer, and a second controller, each a
# process of its own, with a session of the machine; then limits and names across processes, and a host that is killed.
set -eu
programs=$1
cd "$3"
export ETL_HOST="$PWD/host" ETL_SCOPE=machine PATH="$(dirname "$2"):$PATH"
expect() {
    test "$1" = "$2" || { printf 'expected: %s\nfound: %s\n' "$1" "$2"; exit 1; }
}
program() {
    name=$1
    shift
    "$programs/etl_compat_$name" "$@"
}
status() { # of a command that fails
    if "$@" > output 2>&1; then echo 0; else cat output; fi
}

program tea_start Four "$PWD/four.etl"
program tea_consumer Four > heard &
consumer=$!
program tea_provider & first=$!
program tea_provider & second=$!
program tea_provider & third=$!
program tea_provider
wait $first
wait $second
wait $third
expect "stopped Four, lost 0 events" "$(program tea_stop four)"
wait $consumer
expect "heard 4000 events" "$(cat heard)"
expect "" "$(status program tea_stop Four)"

# Names, and a file that is being written, whoever started the session.
controller=tcontroller_wide
program $controller start A -b 16 -f a.etl > none
expect "start: error 183" "$(status program $controller start a -f b.etl)"
expect "start: error 32" "$(status program $controller start B -f a.etl)"
expect "Query: A, 16 KB buffers, file a.etl" "$(program $controller query a)"
# 64 sessions, and 8 that enable a provider.
i=1
while [ $i -lt 64 ]; do
    program $controller start S$i -b 4 -f s$i.etl > none
    i=$((i + 1))
done
expect "start: error 1450" "$(status program $controller start S64 -b 4 -f s64.etl)"
i=1
while [ $i -lt 64 ]; do
    program $controller stop S$i > none
    i=$((i + 1))
done
guid="#0d2f5c84-3a63-4c39-9a0e-5c1f0a7be001"
i=1
while [ $i -le 8 ]; do
    program $controller start P$i -b 4 -f p$i.etl -guid $guid > none
    i=$((i + 1))
done
expect "start: error 1450" "$(status program $controller start P9 -b 4 -f p9.etl -guid $guid)"
i=1
while [ $i -le 9 ]; do
    program $controller stop P$i > none
    i=$((i + 1))
done
program $controller stop A > none

# A consumer whose host is killed: ERROR_PROCESS_ABORTED (1067).
export ETL_HOST="$PWD/other"
"$2" --stay & host=$!
while ! test -S other/host; do sleep 0.1; done
program tea_start Killed "$PWD/killed.etl"
program tea_consumer Killed > heard & consumer=$!
program tea_provider
program $controller flush Killed > none
sleep 1 # the consumer is connected
kill -9 $host
if wait $consumer; then ended=0; else ended=$?; fi
expect $((1067 % 256)) "$ended"
