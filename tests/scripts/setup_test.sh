#!/bin/sh
# setup_test.sh SCRIPT: scripts/setup with an apt-get and a dpkg-query that only play their parts: LLVM's libunwind is
# installed, with which libunwind-dev conflicts. No package may be removed, whatever is asked.
set -eu
script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
PATH="$work/bin:$PATH"
export work

# Packages in $work/absent are not installed.
cat >"$work/bin/dpkg-query" <<'EOF'
#!/bin/sh
for package; do :; done
grep -qx "$package" "$work/absent" || echo "install ok installed"
EOF
# Those in $work/conflicting remove libunwind-19-dev. Whatever is not simulated is written down.
cat >"$work/bin/apt-get" <<'EOF'
#!/bin/sh
removes=false
for word; do
    grep -qx -e "$word" "$work/conflicting" && removes=true
done
case " $* " in
*" -s "*) $removes && echo "Remv libunwind-19-dev [1:19]" ;;
*) echo "$*" >>"$work/done" ;;
esac
case " $* " in *" --no-remove "*) $removes && exit 100 ;; esac
exit 0
EOF
# Without root, as with it.
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
chmod +x "$work/bin/"*

fail() {
    echo "FAILED: $1" >&2
    cat "$work/said" "$work/done" >&2
    exit 1
}

# setup ABSENT CONFLICTING: the exit code in $code, what was said in $work/said, what was done in $work/done.
setup() {
    printf '%s\n' $1 >"$work/absent"
    printf '%s\n' $2 >"$work/conflicting"
    : >"$work/done"
    code=0
    "$script" build >"$work/said" 2>&1 || code=$?
    ! grep "install " "$work/done" | grep -v -- "--no-remove" || fail "packages may be removed"
}

setup "" ""
[ "$code" = 0 ] && [ ! -s "$work/done" ] && [ ! -s "$work/said" ] || fail "nothing is missing"
setup "ninja-build libunwind-dev" ""
[ "$code" = 0 ] && grep -q "install ninja-build libunwind-dev" "$work/done" || fail "both can be installed"
setup "ninja-build libunwind-dev" "libunwind-dev"
[ "$code" = 0 ] && grep -q "install ninja-build$" "$work/done" || fail "the optional package conflicts"
grep -q "leaving out libunwind-dev, .* would remove: libunwind-19-dev" "$work/said" || fail "it is not reported"
setup "libunwind-dev" "libunwind-dev"
[ "$code" = 0 ] && [ ! -s "$work/done" ] && [ ! -s "$work/said" ] || fail "only the optional package is missing"
setup "ninja-build" "ninja-build"
[ "$code" = 2 ] && ! grep -q "install " "$work/done" || fail "a package that is needed conflicts"
grep -q "would have to be removed: libunwind-19-dev" "$work/said" || fail "the conflict is not reported"
echo "no package is removed"
