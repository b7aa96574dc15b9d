#!/bin/sh
# packages.sh ROOT BUILD: makes the packages of a build directory (preset `package`), and checks them: the symbols of the
# shared library, and its types by abidiff, lintian, contents of the archives, and clean_root.sh in a Debian made by
# mmdebstrap, whose packages come from where this machine's come. Needs root.
set -eu
root=$1 build=$2
packages="$build/packages"
rm -rf "$packages"
(cd "$build" && for format in DEB RPM TGZ; do cpack -G "$format" || exit; done)
rm -rf "$packages/_CPack_Packages"
python3 "$root/tests/capi/abi.py" check "$root/libetl/include/etl/etl.h" "$root/tests/capi/abi.txt" "$build/libetl/libetl.so.0"
python3 "$root/tests/capi/abi.py" source "$root/tests/capi/abi.txt" >"$build/abi.cpp"
c++ -std=c++23 -g -fPIC -shared -Wl,--version-script="$root/libetl/etl.map" -Wl,-soname,libetl.so.0 -o "$build/abi.so" "$build/abi.cpp"
abidiff "$build/abi.so" "$build/libetl/libetl.so.0"
lintian --fail-on error,warning --tag-display-limit 0 "$packages"/*.deb
rpm -qp --requires "$packages"/libetl0-*.rpm >/dev/null
tar -tzf "$packages"/*.tar.gz | grep -qx 'etl-[^/]*/bin/etl'
ls -s --block-size=1K "$packages"

clean="$build/clean"
rm -rf "$clean"
apt-config dump | grep '^Acquire' >"$build/apt.conf"
# shellcheck disable=SC2046 # one word a file
mmdebstrap --quiet --variant=apt --aptopt="$build/apt.conf" bookworm "$clean" \
    $(find /etc/apt/sources.list /etc/apt/sources.list.d -name '*.list' -o -name '*.sources' 2>/dev/null)
cp /etc/resolv.conf "$clean/etc/"
rm -rf "$clean/etc/apt/sources.list"* "$clean/etc/apt/apt.conf.d"
cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$clean/etc/apt/"
mkdir -p "$clean/packages" "$clean/etc/apt/sources.list.d"
cp "$packages"/*.deb "$packages"/*.rpm "$packages"/*.tar.gz "$root/tests/packages/clean_root.sh" "$clean/packages/"
(cd "$clean/packages" && dpkg-scanpackages -m . >Packages 2>/dev/null)
echo "deb [trusted=yes] file:/packages ./" >"$clean/etc/apt/sources.list.d/etl.list"
# shellcheck disable=SC2016 # expanded by the inner shell
unshare -m sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && chroot "$1" sh -c "apt-get -qq update && sh /packages/clean_root.sh"' sh "$clean"
rm -rf "$clean"
