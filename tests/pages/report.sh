# report.sh ETL SCRATCH: pages of `etl report` in a browser. 77: there is none.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$2" && mkdir -p "$2" && cd "$2"
"$1" generate --workload --events 20K --seed 5 -o kitchen.etl
node "$here/hostile_trace.mjs" 2000 | "$1" write - -o hostile.etl
node "$here/kitchen_trace.mjs" | "$1" write - -o stacks.etl
node "$here/report_windows.mjs" "$1" kitchen.etl stacks.etl "$here"/../../corpus/good/*.etl "$here"/../../corpus/damaged/truncated.etl
"$1" report kitchen.etl -o kitchen.html
"$1" report stacks.etl -o stacks.html
"$1" report hostile.etl -o hostile.html
"$1" generate --capture --events 500 -o packets.etl
"$1" report packets.etl -o packets.html
node "$here/report_browser.mjs" kitchen.html stacks.html hostile.html packets.html
