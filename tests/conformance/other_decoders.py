"""other_decoders.py PACK_SAMPLES DECODER [PATH]: holds what our encoders write against a decoder of others.

PACK_SAMPLES is the program beside this file. Exits with 77, and a message, when the decoder is not there.
DECODER is one of

samba   plain LZ77 by lzxpress_decompress(). It is not public: Debian's samba-libs has it, compiled into
        libndr-samba-samba4.so.0, in the folder samba of the library path (Debian 12; `nm -D` shows it). The folder is
        searched for any library that exports it, and so is the folder named by ETL_SAMBA_LIBRARIES.
wim     LZ77 with Huffman codes by wimlib_decompress() of libwim.so.15 (Debian: libwim15), found by the loader.
        One block at a time is all that it decodes.
python  plain LZ77 by xpress_decompress(packed, size) of the Python file PATH, which may lie beside the project.
"""
import ctypes
import glob
import importlib.util
import os
import subprocess
import sys


class Absent(Exception):
    pass


def samba():
    folders = ["/usr/lib/*/samba", "/usr/lib64/samba", "/usr/lib/samba", os.environ.get("ETL_SAMBA_LIBRARIES", "")]
    for folder in filter(None, folders):
        for name in ("*ndr-samba*", "*compression*"):
            for path in sorted(glob.glob(os.path.join(folder, "lib" + name + ".so*"))):
                try:
                    function = ctypes.CDLL(path).lzxpress_decompress
                except (OSError, AttributeError):
                    continue
                function.restype = ctypes.c_ssize_t
                function.argtypes = [ctypes.c_char_p, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_uint32]

                def decode(packed, size):
                    out = ctypes.create_string_buffer(size + 1)
                    written = function(packed, len(packed), out, size)
                    return out.raw[:size] if written == size else None
                return decode
    raise Absent("no library of Samba exports lzxpress_decompress (Debian: samba-libs)")


def wim():
    try:
        library = ctypes.CDLL("libwim.so.15")
    except OSError:
        raise Absent("no libwim.so.15 (Debian: libwim15)") from None
    xpress, block = 1, 65536
    decompressor = ctypes.c_void_p()
    create = library.wimlib_create_decompressor
    create.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)]
    if create(xpress, block, ctypes.byref(decompressor)) != 0:
        raise RuntimeError("wimlib_create_decompressor")
    function = library.wimlib_decompress
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]

    def decode(packed, size):
        out = ctypes.create_string_buffer(size + 1)
        return out.raw[:size] if function(packed, len(packed), out, size, decompressor) == 0 else None
    return decode


def python(path):
    if not os.path.exists(path):
        raise Absent("no file " + os.path.basename(path))
    spec = importlib.util.spec_from_file_location("decoder", path)
    sys.dont_write_bytecode = True
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    budget = {}  # it is slow: a part of each trace will do

    def decode(packed, size, name):
        budget[name] = budget.get(name, 500_000) - size
        return module.xpress_decompress(packed, size)[0] if budget[name] >= 0 else NotImplemented
    return decode


def samples(program, form):
    """Yields (name, level, bytes, packed bytes)."""
    with subprocess.Popen([program, form], stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            name, level, size, packed = line.decode().rsplit(" ", 3)
            yield name, int(level), process.stdout.read(int(size)), process.stdout.read(int(packed))
    if process.returncode != 0:
        raise RuntimeError("pack_samples failed")


def main(program, decoder, *path):
    try:
        decode = {"samba": samba, "wim": wim, "python": python}[decoder](*path)
    except Absent as absent:
        print("skipped:", absent)
        return 77
    good = bad = 0
    for name, level, data, packed in samples(program, "xpress_huffman" if decoder == "wim" else "xpress"):
        found = decode(packed, len(data), name) if path else decode(packed, len(data))
        if found is NotImplemented:
            continue
        if found == data:
            good += 1
        else:
            bad += 1
            print("%s, %d bytes, level %d: %s" % (name, len(data), level,
                                                  "refused" if found is None else "other bytes"))
    print("%d streams agree, %d do not" % (good, bad))
    return 0 if bad == 0 and good > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
