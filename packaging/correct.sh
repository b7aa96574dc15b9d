#!/bin/sh
# correct.sh DEB: corrects what cpack cannot do otherwise. It counts the targets of links as files, calls ldconfig where the
# trigger does, and compresses with gzip.
set -eu
work=$(mktemp -d)
dpkg-deb -R "$1" "$work"
size=$(find "$work" -path "$work/DEBIAN" -prune -o -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
sed -i "s/^Installed-Size:.*/Installed-Size: $size/" "$work/DEBIAN/control"
for script in postinst postrm; do
    if grep -qs ldconfig "$work/DEBIAN/$script"; then
        rm "$work/DEBIAN/$script"
    fi
done
dpkg-deb --root-owner-group -Zxz --build "$work" "$1" >/dev/null
rm -rf "$work"
