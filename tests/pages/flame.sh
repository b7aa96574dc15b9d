# flame.sh ETL SCRATCH: the pages of `etl flame` in a browser. 77: there is none.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$2" && mkdir -p "$2" && cd "$2"
node "$here/kitchen_trace.mjs" | "$1" write - -o kitchen.etl
node "$here/kitchen_trace.mjs" later | "$1" write - -o later.etl
"$1" flame kitchen.etl -o kitchen.html
"$1" flame later.etl --against kitchen.etl -o comparison.html
node "$here/flame_browser.mjs" kitchen.html comparison.html
