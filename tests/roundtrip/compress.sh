# compress.sh ETL FOLDER...: every trace below the folders is packed and unpacked again. Prints the traces that do not come
# back; exits with 77 when there is none of the folders.
#   containers: decompress(compress(x)) is x, byte for byte, damaged ones included; `zstd -d` and `lz4 -d` give the same; a
#               dump of the packed file is that of the plain one
#   inside:     XPRESS and back keeps every record in its buffer, with its number; what is damaged is refused, untouched
etl=$1
shift
. "$(dirname "$0")/traces.sh"
find_traces 100M 'etl' "$@"

dump() { "$etl" dump --no-decode --raw --format jsonl "$@" 2>/dev/null; }
# Without the log file header, what says that the losses of an unfinalized trace are unknown, and the place of the buffer in
# the file, which is another in a circular one; the place in the buffer stays.
records() {
    dump "$1" | grep -v -e '"provider_guid":"68fdd900-4a3e-11d1-84f4-0000f80464e3"[^{]*"opcode":0,' \
        -e '"provider_guid":"7f3018b2-a6d9-5da7-300d-848bf29d29eb"' |
        sed -E 's/"buffer":[0-9]+,//'
}

while read -r trace; do
    "$etl" info "$trace" >/dev/null 2>&1
    [ $? -eq 2 ] && continue # no trace
    cp "$trace" t.etl && chmod u+w t.etl
    for form in zst lz4; do
        rm -f "t.etl.$form" back.etl stock.etl
        "$etl" compress --format "$form" t.etl || complain "$trace" "compress --format $form"
        "$etl" decompress "t.etl.$form" -o back.etl || complain "$trace" "decompress of $form"
        cmp -s t.etl back.etl || complain "$trace" "comes back from $form as something else"
        stock=$([ $form = zst ] && echo zstd || echo lz4)
        if command -v "$stock" >/dev/null; then
            "$stock" -dcq "t.etl.$form" >stock.etl && cmp -s t.etl stock.etl ||
                complain "$trace" "$stock -d gives something else"
        fi
        dump t.etl >plain
        dump "t.etl.$form" >packed
        cmp -s plain packed || complain "$trace" "is dumped otherwise out of $form"
    done
    cp t.etl inside.etl
    if "$etl" compress --format xpress --in-place inside.etl 2>why; then
        records t.etl >plain
        records inside.etl >packed
        cmp -s plain packed || complain "$trace" "records differ inside of XPRESS"
        "$etl" check inside.etl >checked 2>&1 || complain "$trace" "check of XPRESS: $(head -n 1 checked)"
        if "$etl" decompress --in-place inside.etl 2>why; then
            records inside.etl >back
            cmp -s plain back || complain "$trace" "records differ after XPRESS"
        else
            grep -q 'not compressed' why || complain "$trace" "$(cat why)"
        fi
    else
        grep -q 'damaged' why || complain "$trace" "$(cat why)"
        cmp -s t.etl inside.etl || complain "$trace" "was refused and changed all the same"
    fi
    [ -z "$(ls -A | grep '^\.etl-')" ] || complain "$trace" "left a hidden file behind"
done <traces
echo "$(wc -l <traces) traces"
exit $failed
