# activation.sh SYSTEMD-SOCKET-ACTIVATE ETLD ETL WORK: the first connection starts the host, with the socket that the
# service manager opened.
set -eu
rm -rf "$4"
mkdir -p "$4/host"
chmod 755 "$4/host"
cd "$4"
export ETL_HOST="$PWD/host" XDG_CONFIG_HOME="$PWD/none"
"$1" --seqpacket -E "ETL_HOST=$ETL_HOST" -l "$ETL_HOST/host" "$2" 2> log &
manager=$!
trap 'kill $manager 2> none || true' EXIT
until test -S host/host; do sleep 0.1; done
test ! -e host/lock # nothing runs yet
"$3" session start A --provider 4a1d7b6e-3c52-4f0e-9b1d-52a6c3f7e802 -o a.etl
test -e host/lock
"$3" session list | grep -q '^A: 1 provider'
"$3" session stop A
"$3" check a.etl
