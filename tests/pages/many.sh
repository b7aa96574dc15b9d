# many.sh ETL SCRATCH: a report of a trace with a million names is small, and opens. 77: there is no browser.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$2" && mkdir -p "$2" && cd "$2"
node "$here/hostile_trace.mjs" 1000000 | "$1" write - -o many.etl
"$1" report many.etl -o many.html
rm many.etl
node "$here/many_browser.mjs" many.html
