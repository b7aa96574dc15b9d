#!/bin/sh
# extcap.sh SCRIPT ETL WORK: what Wireshark asks the extcap script, and the capture that it gets. With dumpcap at hand,
# dumpcap reads it too.
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
echo "passed"
