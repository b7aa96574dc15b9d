# view.sh ETL SCRATCH: the page of `etl view` with its server in a browser. 77: there is none.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$2" && mkdir -p "$2" && cd "$2"
"$1" generate --workload --events 20K --seed 5 -o kitchen.etl
"$1" generate --workload --events 20K --seed 6 -o before.etl
node "$here/hostile_trace.mjs" 200 | "$1" write - -o hostile.etl
node "$here/view_real_browser.mjs" "$1" kitchen.etl before.etl hostile.etl
