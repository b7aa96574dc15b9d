#!/bin/sh
# run.sh PYTHON BUILD WORK: makes the wheel of a copy, without network, installs it into WORK, and runs the tests against it.
set -eu
python=$1 build=$2 work=$3
here=$(cd "$(dirname "$0")/.." && pwd)
export ETL_BUILD="$build" ETL_PROJECT="${here%/libetl/python}"
rm -rf "$work"
mkdir -p "$work"
cp -r "$here" "$work/source"
"$python" -m pip wheel --quiet --no-index --no-build-isolation --no-deps --wheel-dir "$work/wheel" "$work/source"
"$python" -m pip install --quiet --no-index --no-deps --target "$work/site" "$work"/wheel/etl-*.whl
if command -v mypy >/dev/null; then
    (cd "$work/source" && mypy --python-executable "$python")
fi
cd "$work"
export PATH="$build/tools:$PATH" # etld
ETL_CORPUS="$ETL_PROJECT/corpus" PYTHONPATH="$work/site" "$python" -m pytest -q -p no:cacheprovider "$here/tests"
