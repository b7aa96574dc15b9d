"""Checks that the C interface keeps its binary form: abi.py check|update HEADER ABI [LIBRARY], abi.py source ABI,
abi.py called ABI TEST...

ABI is a list of the declarations in etl/etl.h, one a line. What it lists must stay: functions, constants, and
types as they are; structures that begin with `struct_size`, and enumerations, may get members at their end. New declarations must be added with
`update`. With LIBRARY, the functions are also compared with what the shared library exports, and their version. `source`
prints a C++ source with all that ABI lists: compiled, abidiff can compare it with the library. `called` checks that the
tests, programs in C, call every function.
"""

import pathlib
import re
import subprocess
import sys

VERSION = "LIBETL_0"


def declarations_of(header: pathlib.Path) -> list[str]:
    found = []
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#([^\n]*\\\n)*[^\n]*$", "", text, flags=re.M).replace("ETL_API ", "")
    depth = start = 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == ";" and depth == 0:
            found.append(" ".join(text[start : at + 1].split()))
            start = at + 1
    return found


def is_grown(old: str, new: str) -> bool:
    """Whether `new` is the structure or enumeration `old` with more members at its end."""
    members, name = (part.strip() for part in old.rsplit("}", 1))
    if not re.match(r"enum {|[^{]*{ size_t struct_size;", old) or new.rsplit("}", 1)[1].strip() != name:
        return False
    return bool(re.match(re.escape(members) + (",| " if old.startswith("enum") else " "), new))


def problems_of(old: list[str], new: list[str]):
    for declaration in old:
        if declaration not in new and not ("}" in declaration and any(is_grown(declaration, other) for other in new if "}" in other)):
            yield f"changed or removed: {declaration}"
    for declaration in new:
        if declaration not in old:
            yield f"not in the list, add it with `update`: {declaration}"


def function_of(declaration: str):
    match = re.match(r"[^({]*?\b(etl_\w+)\(", declaration)
    return match[1] if match and not declaration.startswith("typedef") else None


def library_problems(library: str, declarations: list[str]):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True).stdout.splitlines()
    exported = {line.split()[-1] for line in lines if line.split()[-2] != "A"}
    declared = {f"{function}@@{VERSION}" for function in map(function_of, declarations) if function}
    yield from (f"not exported: {name}" for name in sorted(declared - exported))
    yield from (f"exported, not declared: {name}" for name in sorted(exported - declared))


def source_of(declarations: list[str]) -> str:
    def rank(declaration):  # opaque types, types, functions
        return 2 if function_of(declaration) else 1 if "{" in declaration or "(" in declaration else 0

    lines = [line[:-1] + " { __builtin_trap(); }" if rank(line) == 2 else line for line in sorted(declarations, key=rank)]
    return "\n".join(["#include <cstddef>", "#include <cstdint>", 'extern "C" {', *lines, "}", ""])


def report(problems: list[str], declarations: list[str]) -> int:
    functions = sum(1 for declaration in declarations if function_of(declaration))
    print("\n".join(problems + [f"{functions} functions, {len(problems)} problems"]))
    return 1 if problems or functions < 50 else 0


def uncalled(declarations: list[str], tests: list[str]):
    text = "\n".join(pathlib.Path(test).read_text(encoding="utf-8") for test in tests)
    for function in filter(None, map(function_of, declarations)):
        if not re.search(rf"\b{function}\(", text):
            yield f"called by no test in C: {function}"


def main() -> int:
    if sys.argv[1] == "called":
        declarations = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
        return report(list(uncalled(declarations, sys.argv[3:])), declarations)
    if sys.argv[1] == "source":
        print(source_of(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()), end="")
        return 0
    task, header, abi = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    declarations = declarations_of(header)
    if task == "update":
        abi.write_text("\n".join(declarations) + "\n", encoding="utf-8")
        return 0
    problems = list(problems_of(abi.read_text(encoding="utf-8").splitlines(), declarations))
    if len(sys.argv) > 4:
        problems += library_problems(sys.argv[4], declarations)
    return report(problems, declarations)


sys.exit(main())
