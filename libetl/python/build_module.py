"""Declares the C interface to Python (cffi) and compiles the module etl._etl, which loads the shared library beside it.

ETL_BUILD names a build directory that was configured with -DETL_SHARED=ON; without it, the library is built in
build/package of the project, which takes some minutes. With ETL_SYSTEM_LIBRARY=1 the module loads the library of the
system instead of a copy beside it."""
import os
import pathlib
import re
import shutil
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = pathlib.Path(os.environ.get("ETL_PROJECT") or HERE.parent.parent)  # tests build a copy of this folder


def declarations() -> str:
    """The declarations of the header, without comments and what is for the preprocessor."""
    text = (PROJECT / "libetl/include/etl/etl.h").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.S | re.M)
    return text.replace("ETL_API ", "")


def library() -> pathlib.Path:
    """The shared library, which is built if need be."""
    build = pathlib.Path(os.environ.get("ETL_BUILD") or PROJECT / "build/package")
    if not os.environ.get("ETL_BUILD"):
        subprocess.check_call(["cmake", "--preset", "package", "-DETL_PYTHON=OFF"], cwd=PROJECT)
        subprocess.check_call(["cmake", "--build", str(build), "--target", "etl_shared", "--parallel"])
    return build / "libetl/libetl.so.0"


SOURCE = "\n".join((HERE / name).read_text(encoding="utf-8") for name in ("streams.c", "objects.c"))

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
void etl_py_set_makers(void *time, void *guid);
bool etl_py_value(etl_field field, void *slot);
bool etl_py_fields(etl_event *event, void *slot);
bool etl_py_dict(etl_event *event, void *slot);
bool etl_py_texts(const int32_t *offsets, const char *data, size_t count, bool is_text, void *slot);
"""


def make_builder() -> cffi.FFI:
    shared = library()
    is_beside = not os.environ.get("ETL_SYSTEM_LIBRARY")
    if is_beside:
        shutil.copy2(shared, HERE / "etl" / shared.name)  # part of the package
    ffi = cffi.FFI()
    ffi.cdef(declarations() + CALLBACKS)
    ffi.set_source("etl._etl", SOURCE, include_dirs=[str(PROJECT / "libetl/include")],
                   library_dirs=[str(shared.parent)], libraries=["etl"],
                   extra_link_args=["-Wl,-rpath,$ORIGIN"] if is_beside else ["-s"], extra_compile_args=["-std=c99", "-O2"])
    return ffi


builder = make_builder

if __name__ == "__main__":
    make_builder().compile(tmpdir=str(HERE), verbose=True)
