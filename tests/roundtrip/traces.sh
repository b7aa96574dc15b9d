# For the scripts beside it: what they have in common.

# find_traces SIZE ENDINGS FOLDER...: goes to a folder of its own, `$work`, with the traces below the folders in a file
# `traces`: smaller than SIZE, of the ENDINGS, which are `|` between regular expressions. Exits with 77 when there is none.
find_traces() {
    size=$1
    endings=$2
    shift 2
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    for folder in "$@"; do
        [ -d "$folder" ] && find "$folder" -name '*.*' -size "-$size"
    done | grep -E "\.($endings)\$" | sort >"$work/traces"
    cd "$work" || exit 2
    if [ ! -s traces ]; then
        echo "no traces at hand"
        exit 77
    fi
    failed=0
}

# What is wrong; the script goes on and fails at its end.
complain() {
    if [ $# -gt 1 ]; then
        echo "$1: $2"
    else
        echo "$1"
    fi
    failed=1
}
