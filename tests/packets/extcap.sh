#!/bin/sh
# extcap.sh SCRIPT ETL WORK: what Wireshark asks the extcap script, and the capture that it gets. With dumpcap and tshark at
# hand, they read it, too.
set -eu
script=$1 etl=$2 work=$3
rm -rf "$work" && mkdir -p "$work/traces" && cd "$work"
export ETL_PROGRAM="$etl" ETL_EXTCAP_PATH="$work/traces:$work/none"
"$etl" generate --capture --events 300 -o "traces/a b.etl"
"$etl" pcapng "traces/a b.etl" -o expected.pcapng 2>/dev/null
"$etl" pcapng --nic "traces/a b.etl" -o nic.pcapng 2>/dev/null

fail() {
    echo "$1"
    exit 1
}

"$script" --extcap-interfaces --extcap-version=4.0 >interfaces
grep -q '^extcap {version=1.0}' interfaces || fail "no version"
[ "$(grep -c '^interface {value=etl' interfaces)" = 3 ] || fail "interfaces: $(cat interfaces)"
grep -qF "{value=etl:$work/traces/a b.etl}" interfaces || fail "the trace is not an interface"
"$script" --extcap-interface etl --extcap-dlts | grep -q '^dlt {number=1}' || fail "no link type"
"$script" --extcap-interface etl --extcap-config | grep -q 'type=fileselect' || fail "no file to choose"
"$script" --extcap-interface "etl:x" --extcap-config | grep -q 'type=fileselect' && fail "a file to choose"

"$script" --extcap-interface etl-session --extcap-config | grep -q 'call=--session' || fail "no session to choose"
"$script" --capture --extcap-interface etl-session --fifo none 2>/dev/null && fail "captured without a session"

mkfifo fifo
cat fifo >got.pcapng &
"$script" --capture --extcap-interface "etl:$work/traces/a b.etl" --fifo fifo 2>/dev/null
wait
cmp got.pcapng expected.pcapng
cat fifo >got.pcapng &
"$script" --capture --extcap-interface etl --fifo fifo --file "traces/a b.etl" --nic 2>/dev/null
wait
cmp got.pcapng nic.pcapng
"$script" --capture --extcap-interface etl 2>/dev/null && fail "captured without a file"

if command -v dumpcap >/dev/null && command -v capinfos >/dev/null; then
    dumpcap -q -i fifo -w dumpcap.pcapng 2>dumpcap.log &
    "$script" --capture --extcap-interface "etl:$work/traces/a b.etl" --fifo fifo 2>/dev/null
    wait
    count() { capinfos -c -M "$1" | sed -n 's/^Number of packets: *//p'; }
    [ "$(count dumpcap.pcapng)" = "$(count expected.pcapng)" ] || fail "dumpcap: $(cat dumpcap.log)"
    echo "dumpcap read it"
fi
# A reader that ends the capture before it has begun: no message, and nothing is left.
mkfifo stuck
"$script" --capture --extcap-interface "etl:$work/traces/a b.etl" --fifo stuck 2>ended.log &
script_process=$!
sleep 1
kill "$script_process"
wait "$script_process" 2>/dev/null && fail "a capture that was ended succeeded"
[ -s ended.log ] && fail "a capture that was ended says: $(cat ended.log)"

# As another user than root, to whom tshark denies a directory of scripts.
if command -v tshark >/dev/null && { [ "$(id -u)" != 0 ] || command -v setpriv >/dev/null; }; then
    away=$(mktemp -d)
    trap 'rm -rf "$away"' EXIT
    mkdir "$away/extcap" "$away/traces"
    cp "$script" "$away/extcap/etl-extcap"
    cp "traces/a b.etl" "$away/traces"
    "$etl" generate --events 10 -o "$away/traces/none.etl"
    chmod -R a+rwX "$away"
    export WIRESHARK_EXTCAP_DIR="$away/extcap" ETL_EXTCAP_PATH="$away/traces" HOME="$away"
    as_user() {
        if [ "$(id -u)" = 0 ]; then
            setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
        else
            "$@"
        fi
    }
    if ! as_user "$etl" --version >/dev/null 2>&1; then
        echo "passed, but other users cannot run $etl, so tshark was not tried"
        exit 0
    fi
    as_user tshark -D 2>/dev/null | grep -qF "etl:$away/traces/a b.etl" || fail "tshark does not list the trace"
    as_user tshark -q -i "etl:$away/traces/a b.etl" -w "$away/got.pcapng" 2>tshark.log || fail "tshark: $(cat tshark.log)"
    grep -i "error" tshark.log && fail "tshark reports an error"
    lines() { tshark -r "$1" 2>/dev/null | wc -l; }
    [ "$(lines expected.pcapng)" -gt 100 ] || fail "tshark does not read the capture"
    [ "$(lines "$away/got.pcapng")" = "$(lines expected.pcapng)" ] || fail "tshark: $(cat tshark.log)"
    as_user tshark -q -i "etl:$away/traces/none.etl" -w "$away/none.pcapng" 2>none.log || true
    grep -q "no packets" none.log || fail "tshark does not show the reason: $(cat none.log)"
    echo "tshark read it"
fi
echo "passed"
