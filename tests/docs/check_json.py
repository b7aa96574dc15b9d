"""Validates what etl prints as JSON against docs/json: check_json.py ETL ROOT [SHARED]

Runs every verb that prints JSON over corpus/, or over the traces of the directory SHARED. Each schema must have been used, and
must refuse an object with a key more: a new key without a schema fails. Every key must occur on the page of its schema. Exit code 77: python3-jsonschema is missing.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is missing (scripts/setup test installs it)")
    sys.exit(77)

# Verbs with JSON besides the tables. The keys of `sql` are the columns of the query.
OTHERS = {"report", "dump", "live", "diff", "combine", "info", "check", "symbols", "repair", "split", "schema", "sql"}
OPEN = {"selected-event"}  # schemas of objects with keys of the user's choice
MOST_EQUAL = 4  # lines of one shape that are validated in full


def shape(value):
    if isinstance(value, dict):
        return tuple((key, shape(part)) for key, part in value.items())
    if isinstance(value, list):
        return ("list", *sorted({str(shape(part)) for part in value}))
    return type(value).__name__


def forms_of(etl: str, verb: str):
    """The values of --by, as the help lists them; None: the verb has no such option."""
    text = subprocess.run([etl, verb, "--help"], text=True, capture_output=True, check=True).stdout
    rows = re.search(r"rows: ([^(]*)\(default", text)
    return [word for word in re.findall(r"[a-z-]+", rows[1]) if word != "or"] if rows else [None]


def tables_of(etl: str):
    """The forms of the tables, by definition in tables.schema.json; and the tables of `etl diff`."""
    lines = subprocess.run([etl, "help", "--tables"], text=True, capture_output=True, check=True).stdout.splitlines()
    tables, compared = {}, []
    for form in map(json.loads, lines):
        if form["is_verb"] or form["table"] == "counters":
            tables.setdefault(form["table"], []).append(form["by"] or None)
        if form["is_compared"] and form["table"] not in compared:
            compared.append(form["table"])
    return {**tables, **{verb: forms_of(etl, verb) for verb in ("top", "flows", "packets")}}, compared


class Checker:
    def __init__(self, etl: str, schemas: pathlib.Path):
        self.etl = etl
        self.tables, self.diff_tables = tables_of(etl)
        self.validators = {}
        self.used = {}  # schema -> lines
        self.failures = 0
        for path in sorted(schemas.glob("*.schema.json")):
            if path.name == "view.schema.json":
                continue  # tests/view asks a server
            schema = json.loads(path.read_text(encoding="utf-8"))
            jsonschema.Draft202012Validator.check_schema(schema)
            name = path.name.removesuffix(".schema.json")
            parts = [name] if name != "tables" else [f"tables#{part}" for part in [*self.tables, "diff"]]
            for part in parts:
                if "#" in part and part.split("#")[1] not in schema["$defs"]:
                    self.fail(f"{path.name}: lacks {part}; scripts/table-schemas adds it")
                    continue
                rooted = schema if "#" not in part else {**schema, "anyOf": [{"$ref": f"#/$defs/{part.split('#')[1]}"}]}
                self.validators[part] = jsonschema.Draft202012Validator(rooted)
                self.used[part] = 0

    def fail(self, text: str):
        self.failures += 1
        print(text)

    def run(self, schema: str, *arguments: str, file=None):
        """Validates each line that the command prints, or the file that it writes."""
        done = subprocess.run([self.etl, *arguments], text=True, capture_output=True, timeout=600, check=False)
        if done.returncode not in (0, 1):
            return self.fail(f"etl {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
        text = file.read_text(encoding="utf-8") if file else done.stdout
        seen = {}
        for line in [text] if file else text.splitlines():
            value = json.loads(line)
            kind = (shape(value), value.get("source"), value.get("header")) if schema == "event" else shape(value)
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= MOST_EQUAL:
                self.validate(schema, value, arguments)
        return None

    def validate(self, schema: str, value, arguments):
        validator = self.validators[schema]
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error:
            place = "/".join(str(part) for part in error.absolute_path)
            self.fail(f"etl {' '.join(arguments)}\n  {schema}: {place}: {error.message[:300]}\n  {json.dumps(value)[:600]}")
        elif self.used[schema] == 0 and schema not in OPEN and validator.is_valid({**value, "no_such_key": 1}):
            self.fail(f"{schema}: accepts a key that is not described")
        self.used[schema] += 1


def keys_of(schema):
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from keys_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from keys_of(part)


def check_pages(checker: Checker, root: pathlib.Path):
    """The title of a schema names the pages that describe its keys."""
    for path in sorted((root / "docs" / "json").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        pages = re.findall(r"docs/[\w/-]+\.md", schema["title"])
        words = set()
        for page in pages:
            for code in re.findall(r"`([^`]*)`", (root / page).read_text(encoding="utf-8")):
                words.update(re.findall(r"\w+", code))
        missing = sorted(set(keys_of(schema)) - words)
        if missing or not pages:
            checker.fail(f"{path.name}: not on {', '.join(pages) or 'any page'}: {', '.join(missing)}")


def check_traces(checker: Checker, traces: list):
    """The verbs that work on any trace."""
    for options in (["--raw", "--message"], ["--enrich", "--names"], ["--fields", "time,file,event,data"]):
        checker.run("selected-event" if "--fields" in options else "event", "dump", "--format", "jsonl", *options, *traces)
    for verb, keys in checker.tables.items():
        words = ["cpu", "--source", "all"] if verb == "counters" else [verb]
        for key in keys:
            checker.run(f"tables#{verb}", *words, "--format", "jsonl", *(["--by", key] if key else []), *traces)
    checker.run("info", "info", "--json", "--decode", "--needs", *traces, "no-such-file")
    checker.run("check", "check", "--json", *traces, "no-such-file")
    checker.run("symbols", "symbols", "--json", *traces)


def check_verbs(checker: Checker):
    """A verb that prints JSON must be one that is checked here."""
    texts = [subprocess.run([checker.etl, *verb, "--help"], text=True, capture_output=True, check=True).stdout for verb in ([], ["schema"])]
    verbs = [re.findall(r"^  ([a-z][a-z-]*)  ", text.partition("Verbs:")[2].partition("Examples:")[0], re.MULTILINE) for text in texts]
    for verb in [[name] for name in verbs[0]] + [["schema", name] for name in verbs[1]]:
        text = subprocess.run([checker.etl, *verb, "--help"], text=True, capture_output=True, check=True).stdout
        if re.search(r"^  --json\b|^  --format .*\bjson", text, re.MULTILINE):
            if verb[0] not in checker.tables and verb[0] not in OTHERS:
                checker.fail(f"etl {' '.join(verb)} prints JSON, but has no schema in docs/json")
            if verb[0] == "schema" and f"schema-{verb[1]}" not in checker.used:
                checker.fail(f"etl {' '.join(verb)} prints JSON, but has no schema in docs/json")


def check_parts(checker: Checker, trace: str, work: pathlib.Path):
    """The table of all parts is like that of the verb."""
    parts = [str(work / f"{number}.part") for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        subprocess.run([checker.etl, "stats", "--part", f"{number}/2", "--partial", "-o", part, trace], check=True)
    checker.run("tables#stats", "combine", "--format", "jsonl", *parts)


def check_arrays(checker: Checker, trace: str, *verbs: str):
    """--format json writes the lines of jsonl as one array."""
    for verb in verbs:
        lines, array = (subprocess.run([checker.etl, verb, "--format", kind, trace], text=True, capture_output=True, check=False).stdout
                        for kind in ("jsonl", "json"))
        if [json.loads(line) for line in lines.splitlines()] != json.loads(array):
            checker.fail(f"etl {verb} --format json {trace}: not the objects of jsonl")


def check_corpus(checker: Checker, root: pathlib.Path, work: pathlib.Path):
    """The verbs that need certain inputs."""
    corpus = root / "corpus"
    good = corpus / "good"
    made = str(work / "made.etl")
    capture = str(work / "capture.etl")
    for output, kind in ((made, "--workload"), (capture, "--capture")):
        subprocess.run([checker.etl, "generate", kind, "--events", "3000", "--seed", "1", "-o", output], check=True)
    every = str(work / "kinds.etl")
    subprocess.run([checker.etl, "generate", "--kinds", "all", "--events", "3000", "--seed", "1", "-o", every], check=True)
    log = str(work / "log.evtx")
    subprocess.run([checker.etl, "export", str(good / "first-steps.etl"), "-o", log], check=True)
    check_traces(checker, [*sorted(str(path) for path in good.glob("*.etl*") if path.suffix != ".toml"), made, capture, every, log])
    checker.run("event", "dump", "--format", "jsonl", "--raw", made)
    check_arrays(checker, str(good / "process-activity.etl"), "dump", "cpu")
    check_arrays(checker, capture, "packets", "flows")
    check_parts(checker, made, work)
    for trace in (made, capture, str(good / "process-activity.etl"), str(good / "first-steps.etl")):
        checker.run("report", "report", "--json", trace)
    checker.run("check", "check", "--json", str(corpus / "damaged"))
    checker.run("info", "info", "--json", str(corpus / "damaged"))
    for table in checker.diff_tables:
        checker.run("tables#diff", "diff", "--format", "jsonl", "--table", table, made, str(good / "process-activity.etl"))
    for path in sorted((corpus / "damaged").glob("*.etl")):
        checker.run("repair", "repair", "--json", str(path), "-o", str(work / "repaired.etl"), "--force")
    for key, *more in (["size", "--every", "64K"], ["time", "--every", "10ms"], ["count", "--every", "1000"], ["provider"], ["process"],
                       ["cpu"], ["count", "--every", "1000", "--context", "shared"]):
        checker.run("split", "split", "--json", "--by", key, *more, made, "-o", str(work / "part_%d.etl"), "--force")
    symbols = corpus / "symbols"
    checker.run("symbols", "symbols", "--json", "--symbols", str(symbols), str(good / "managed-code.etl"))
    checker.run("resolved-symbols", "symbols", "--json", "--resolve", str(symbols / "ntkrnlmp.pdb"), "1000", "2000")
    library = str(corpus / "schemas" / "signal-box.dll")
    checker.run("schema-list", "schema", "list", "--json", "--built-in")
    checker.run("schema-list", "schema", "list", "--json", str(corpus / "schemas"))
    checker.run("schema-show", "schema", "show", "--json", "*", "--schema", library)
    manifest = work / "signal-box.man"
    subprocess.run([checker.etl, "schema", "import", library, "-o", str(manifest)], check=True)
    changed = work / "changed.man"
    changed.write_text(manifest.read_text(encoding="utf-8").replace("UInt8", "UInt16").replace("Inspect", "Examine"), encoding="utf-8")
    checker.run("schema-validate", "schema", "validate", "--json", str(manifest))
    checker.run("schema-diff", "schema", "diff", "--json", str(manifest), str(changed))
    report = work / "report.json"
    tables = work / "tables"
    checker.run("column-tables", "export", "--to", "parquet", made, "-o", str(tables), file=tables / "_tables.json")
    checker.run("anonymize-report", "relog", "--anonymize", "--keep-undecodable", "--anonymize-report", str(report), "--force",
                str(good / "machine-facts.etl"), "-o", str(work / "anonymous.etl"), file=report)


def main() -> int:
    etl, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    for name in ("ETL_SCHEMA_PATH", "_NT_SYMBOL_PATH"):
        os.environ.pop(name, None)
    checker = Checker(str(etl), root / "docs" / "json")
    if len(sys.argv) > 3:
        shared = pathlib.Path(sys.argv[3])
        check_traces(checker, sorted(str(path) for path in shared.rglob("*.etl*") if path.is_file()))
    else:
        check_pages(checker, root)
        check_verbs(checker)
        with tempfile.TemporaryDirectory() as work:
            check_corpus(checker, root, pathlib.Path(work))
        for schema, lines in checker.used.items():
            if lines == 0:
                checker.fail(f"{schema}: no output was validated")
    print(f"{sum(checker.used.values())} lines, {len(checker.used)} schemas, {checker.failures} failures")
    return 1 if checker.failures > 0 else 0


sys.exit(main())
