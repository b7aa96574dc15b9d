"""Declares the C interface to Python (cffi) and compiles the module etl._etl, which loads the shared library beside it.

ETL_BUILD names a build directory that was configured with -DETL_PYTHON=ON; without it, the library is built in
build/python of the project, which takes some minutes."""
import os
import pathlib
import re
import shutil
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = pathlib.Path(os.environ.get("ETL_PROJECT") or HERE.parent.parent)  # tests build a copy of this folder
HEADERS = ("base", "trace", "event", "field", "columns", "write", "relog", "session", "machine", "table")


def declarations() -> str:
    """The declarations of the headers, without comments and what is for the preprocessor."""
    parts = []
    for name in HEADERS:
        text = (PROJECT / "libetl/include/etl/capi" / f"{name}.h").read_text(encoding="utf-8")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
        text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.S | re.M)
        parts.append(text.replace("ETL_API ", ""))
    return "\n".join(parts)


def library() -> pathlib.Path:
    """The shared library, which is built if need be."""
    name = "libetl_python.so"
    given = os.environ.get("ETL_BUILD")
    if given:
        return pathlib.Path(given) / "libetl/python" / name
    build = PROJECT / "build/python"
    subprocess.check_call(["cmake", "--preset", "python"], cwd=PROJECT)
    subprocess.check_call(["cmake", "--build", str(build), "--target", "etl_python", "--parallel"])
    return build / "libetl/python" / name


SOURCE = (HERE / "module.c").read_text(encoding="utf-8")

CALLBACKS = """
extern "Python" etl_status etl_py_relog(void *context, etl_event *event, etl_relogger *to);
void etl_py_own_stream(struct ArrowArrayStream *stream, void *owner);
struct ArrowArrayStream *etl_py_new_stream(void);
void etl_py_free_stream(struct ArrowArrayStream *stream);
void *etl_py_capsule_destructor(void);
int etl_py_next(struct ArrowArrayStream *stream, struct ArrowArray *to);
int etl_py_schema(struct ArrowArrayStream *stream, struct ArrowSchema *to);
const char *etl_py_stream_error(struct ArrowArrayStream *stream);
void etl_py_release_stream(struct ArrowArrayStream *stream);
void etl_py_release_array(struct ArrowArray *array);
void etl_py_release_schema(struct ArrowSchema *schema);
"""


def make_builder() -> cffi.FFI:
    shared = library()
    shutil.copy2(shared, HERE / "etl" / shared.name)  # part of the package
    ffi = cffi.FFI()
    ffi.cdef(declarations() + CALLBACKS)
    ffi.set_source("etl._etl", SOURCE, include_dirs=[str(PROJECT / "libetl/include")],
                   library_dirs=[str(shared.parent)], libraries=["etl_python"],
                   extra_link_args=["-Wl,-rpath,$ORIGIN"], extra_compile_args=["-std=c99", "-O2"])
    return ffi


builder = make_builder

if __name__ == "__main__":
    make_builder().compile(tmpdir=str(HERE), verbose=True)
