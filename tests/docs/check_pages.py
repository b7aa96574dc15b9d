"""Checks the Markdown pages: check_pages.py ROOT

- Text has at most 120 columns. Table rows, code, and lines that are one long link are exempt: they cannot be wrapped.
- Links to files, pictures, and anchors resolve, also those in comments of the code (docs/page#anchor).
- Each page starts with a title and a sentence.
- The pages are one tree: README.md, docs/README.md, the README.md of each folder of docs, its pages. An index links to its
  pages, and a page links up to its index. Pages that no path of links from README.md reaches are orphans.
"""

import pathlib
import re
import sys

MOST_COLUMNS = 120
FENCE = re.compile(r"^ *(```|~~~)")
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
CODE = re.compile(r"`+[^`]*`+")
MENTION = re.compile(r"\b(docs/[\w/.-]+\.md)(?:#([\w-]+))?")


def slug(heading: str) -> str:
    """The anchor that hosts of Markdown create for a heading."""
    text = re.sub(r"<[^>]*>", "", heading).strip().lower().replace("`", "")
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Page:
    def __init__(self, path: pathlib.Path):
        self.path = path
        self.text_lines = []  # (number, line) outside of code
        self.anchors = set()
        self.linked = set()  # pages and other files
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if FENCE.match(line):
                is_code = not is_code
            elif not is_code and not line.startswith("    "):
                self.text_lines.append((number, line))
                self.anchors.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
                if heading := re.match(r"#+ (.*)", line):
                    self.anchors.add(slug(heading.group(1)))


def problems_of(page: Page, pages: dict):
    for number, line in page.text_lines:
        if len(line) > MOST_COLUMNS and not line.startswith("|") and " " in line.strip().lstrip("-* "):
            yield number, f"{len(line)} columns, at most {MOST_COLUMNS}"
        for target in LINK.findall(CODE.sub("", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.path.parent / name).resolve() if name else page.path
            if not path.exists():
                yield number, f"no file {target}"
            elif anchor and path.suffix == ".md" and anchor not in pages[path].anchors:
                yield number, f"no anchor {target}"
            elif path != page.path:
                page.linked.add(path)
    lines = [line for _, line in page.text_lines if line.strip()]
    if len(lines) < 2 or not lines[0].startswith("# ") or not re.match(r"[\w`*\[]", lines[1]):
        yield 1, "a page starts with a title and a sentence"


def index_of(path: pathlib.Path) -> pathlib.Path:
    folder = path.parent.parent if path.name == "README.md" else path.parent
    return folder / "README.md"


def problems_of_tree(root: pathlib.Path, pages: dict):
    """The shape of the tree, once the links of all pages are known."""
    for path, page in pages.items():
        if root / "docs" in path.parents:
            index = index_of(path)
            name = index.relative_to(root)
            up = "../README.md" if path.name == "README.md" else "README.md"
            if index not in page.linked:
                yield path, f"no link to {name}; end the page with a line such as: Up: [{index.parent.name}]({up})"
            if index in pages and path not in pages[index].linked:
                yield path, f"{name} does not list it"
    reached = {root / "README.md"}
    new = set(reached)
    while new:
        new = {target for path in new if path in pages for target in pages[path].linked} - reached
        reached |= new
    for path in sorted(set(pages) - reached):
        yield path, "orphan: no links lead to it from README.md"


def mentions(root: pathlib.Path, files: list, pages: dict):
    for file in files:
        if file.suffix not in {".hpp", ".cpp", ".h", ".c", ".cmake", ".py", ".txt"} or file.name == "check_pages_test.py":
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            for name, anchor in MENTION.findall(line):
                page = pages.get((root / name).resolve())
                if page is None:
                    yield file, number, f"no page {name}"
                elif anchor and anchor not in page.anchors:
                    yield file, number, f"no anchor {name}#{anchor}"


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    folders = ["libetl", "tools", "tests", "fuzz", "bench", "examples", "cmake", "docs", "schemas"]
    files = [f for folder in folders for f in sorted((root / folder).rglob("*")) if f.is_file()]
    paths = sorted(root.glob("*.md")) + [f for f in files if f.suffix == ".md"]
    pages = {path: Page(path) for path in paths}
    count = 0
    for path, page in pages.items():
        for number, text in problems_of(page, pages):
            print(f"{path.relative_to(root)}:{number}: {text}")
            count += 1
    for path, text in problems_of_tree(root, pages):
        print(f"{path.relative_to(root)}: {text}")
        count += 1
    for file, number, text in mentions(root, files, pages):
        print(f"{file.relative_to(root)}:{number}: {text}")
        count += 1
    print(f"{len(pages)} pages, {count} problems")
    return 1 if count > 0 or not pages else 0


sys.exit(main())
