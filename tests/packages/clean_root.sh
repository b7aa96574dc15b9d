#!/bin/sh
# clean_root.sh: uses the packages as a new user does, in a Debian that has nothing else of libetl. Run in that root, as root;
# the packages are in /packages, which is also a source of apt. Prints a line for each check, and ends at the first that fails.
set -eu
export DEBIAN_FRONTEND=noninteractive
unset PYTHONDONTWRITEBYTECODE # as on a machine of a user
install() { apt-get -qq -y install --no-install-recommends "$@" >/tmp/install.log 2>&1 || { tail -n 20 /tmp/install.log; exit 1; }; }
trap '[ $? = 0 ] || echo "failed after the checks above"' EXIT
passed() { printf '%-12s %s\n' "$1" "$2"; }
work=$(mktemp -d)
cd "$work"

install etl
echo '{"provider":"MyCompany.Coffee","event":"CupFinished","time":"2024-05-17T04:00:00Z","data":{"Temperature":93}}' | etl write -o trace.etl
etl dump trace.etl | grep -q CupFinished
tracefmt '-?' | grep -q -e '-tmf FILE'
passed etl "$(etl --version) writes and prints a trace; $(apt-cache depends --installed etl | grep -c Depends:) dependencies"

install man-db bash-completion zsh fish
for page in etl etl-dump etl-schema-list etld xperf; do
    man -P cat "$page" 2>/dev/null | grep -q NAME || { echo "no man page $page"; exit 1; }
done
passed man "5 pages, one of them xperf"
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader etl; COMP_WORDS=(etl dec); COMP_CWORD=1
    _etl etl dec; echo "${COMPREPLY[*]}"' | grep -qx decompress
zsh -fc 'autoload -Uz compinit; compinit -u -D; [[ ${_comps[etl]} == _etl && ${_comps[xperf]} == _etl ]]'
fish -c 'complete -C "etl dec"' | grep -q decompress
passed completion "bash, zsh, and fish find it"

install libetl-dev g++ make cmake
cat >app.cpp <<'END'
#include <etl/etl.hpp>
#include <etl/format.hpp>

int main(int, char** arguments) {
    auto trace = etl::Trace::open(arguments[1]);
    if (!trace) return 2;
    for (const etl::Event& event : *trace) fmt::print("{}\n", event.name());
    return trace->error() ? 1 : 0;
}
END
# shellcheck disable=SC2046 # several words
c++ app.cpp $(pkg-config --cflags --libs etl) -o app
./app trace.etl | grep -qx CupFinished
passed pkg-config "etl: a C++ program"
cat >app.c <<'END'
#include <etl/etl.h>

#include <stdio.h>

int main(int count, char **arguments) {
    const char *path = arguments[1];
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    etl_status status = count < 2 ? ETL_NOT_FOUND : etl_open(&path, 1, NULL, &trace, NULL);
    while (status == ETL_OK && (status = etl_trace_next(trace, &event, NULL)) == ETL_OK) {
        etl_text name = etl_event_name(event);
        printf("%.*s\n", (int)name.size, name.data);
    }
    etl_trace_free(trace);
    return status == ETL_END ? 0 : 2;
}
END
# shellcheck disable=SC2046
cc -std=c99 app.c $(pkg-config --cflags --libs etl-c) -o app-c
./app-c trace.etl | grep -qx CupFinished
readelf -d app-c | grep -q 'NEEDED.*libetl\.so\.0'
passed pkg-config "etl-c: a C program with libetl.so.0"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C CXX)
find_package(etl REQUIRED)
add_executable(app app.cpp)
target_link_libraries(app PRIVATE etl::etl)
add_executable(app_c app.c)
target_link_libraries(app_c PRIVATE etl::c)
END
if ! (cmake -S . -B build && cmake --build build) >cmake.log 2>&1; then
    tail cmake.log
    exit 1
fi
build/app trace.etl | grep -qx CupFinished
build/app_c trace.etl | grep -qx CupFinished
passed find_package "etl::etl: C++; etl::c: C"

install python3-etl
python3 - <<'END'
import etl
names = [event.name for event in etl.open("trace.etl")]
assert "CupFinished" in names, names
with etl.Writer("python.etl") as writer:
    writer.write("MyCompany.Coffee", "CupFinished", {"Drink": "espresso"})
END
etl dump python.etl | grep -q espresso
passed python3 "import etl: reads and writes"
python3 - <<'END'
import etl
runtime = etl.Runtime()
shop = runtime.provider("MyCompany.Shop")
with runtime.start("Sales", "sales.etl") as session:
    session.enable("MyCompany.Shop")
    for price in range(10):
        shop.write("Sold", {"Price": price})
trace = etl.open("sales.etl", where="event == Sold")
count = trace.relog("edited.etl", lambda event, to: to.keep() if event["Price"] > 4 else None)
assert [event["Price"] for event in etl.open("edited.etl") if event.name == "Sold"] == [5, 6, 7, 8, 9], count
assert etl.table("stats", "sales.etl", by="event").total["events"] >= 10
END
passed python3 "records a session, relogs it, computes a table"
install python3-numpy python3-pandas
python3 - <<'END'
import etl
columns = etl.open("sales.etl").columns("MyCompany.Shop/Sold", details=True)
assert columns.numpy()["Price"].sum() == 45 and set(columns.to_pandas()["level"]) == {5}
END
passed python3 "columns with NumPy and pandas"

install libetl-doc
[ -s /usr/share/doc/libetl-doc/html/index.html ] && [ -s /usr/share/doc/libetl-doc/examples/c/print_events.c ]
passed documents "$(find /usr/share/doc/libetl-doc/html -name '*.html' | wc -l) pages"

apt-get -qq -y purge etl libetl0 libetl-dev python3-etl libetl-doc >/dev/null 2>&1
# Not getlimits or telnetlib of other packages.
left=$(find /usr /etc -iregex '.*/[^/a-z]*\(lib\|python3-\)?etl[^/]*' ! -path /etc/apt/sources.list.d/etl.list -newer /packages/Packages)
[ -z "$left" ] || { echo "left after purge: $left"; exit 1; }
passed purge "nothing is left"

# What the programs need is left from the packages above; the database of rpm knows nothing of it.
install rpm
rpm -i --nodeps /packages/libetl0-*.rpm /packages/etl-*.rpm
etl dump trace.etl | grep -q CupFinished
./app-c trace.etl | grep -qx CupFinished
rpm -q --requires libetl0 | grep -q '^libstdc++\.so\.6'
# shellcheck disable=SC2046 # one word a package
rpm -e --nodeps $(rpm -qa | grep etl)
[ ! -e /usr/bin/etl ]
passed rpm "installed, run, and removed"

tar -xzf /packages/etl-*.tar.gz -C /opt
/opt/etl-*/bin/etl dump trace.etl | grep -q CupFinished
passed tar.gz "unpacked, and run from there"
echo "all checks passed"
