"""Makes HTML of the Markdown pages, with a search box: build.py ROOT OUTPUT

Needs cmark-gfm. OUTPUT has the directories of the project: README.md becomes index.html, other pages keep their names. Files
that pages link to are copied. A link that leads nowhere is an error.
"""

import html
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

FOLDERS = ["docs", "schemas", "bench", "examples", "fuzz", "libetl", "tests", "tools"]
MOST_COPIED = 4 << 20  # size of a copied file, bytes
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
ANCHOR = re.compile(r'<a (?:id|name)="([^"]+)"')


def slug(heading: str) -> str:
    """The anchor that hosts of Markdown create for a heading."""
    text = html.unescape(re.sub(r"<[^>]*>", "", heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def address_of(path: str) -> str:
    """The page of a Markdown file; both relative to the root."""
    folder, name = posixpath.split(path)
    return posixpath.join(folder, "index.html" if name == "README.md" else name[: -len(".md")] + ".html")


def plain(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


class Page:
    def __init__(self, root: pathlib.Path, path: pathlib.Path):
        self.path = path.relative_to(root).as_posix()
        self.address = address_of(self.path)
        body = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-t", "html", str(path)], check=True, text=True, capture_output=True).stdout
        self.body = HEADING.sub(lambda found: f'<h{found[1]} id="{slug(found[2])}">{found[2]}</h{found[1]}>', body)
        self.title = plain(re.search(r"<h1[^>]*>(.*?)</h1>", self.body, re.DOTALL)[1])
        self.anchors = set(re.findall(r'<h\d id="([^"]+)"', self.body)) | set(ANCHOR.findall(self.body))

    def sections(self):
        """One entry of the index per heading: address, titles, text."""
        parts = re.split(r'<h\d id="([^"]+)">(.*?)</h\d>', self.body, flags=re.DOTALL)
        for anchor, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            yield [f"{self.address}#{anchor}", self.title, plain(heading), plain(text)]


class Site:
    def __init__(self, root: pathlib.Path, output: pathlib.Path):
        self.root, self.output = root, output
        paths = sorted(root.glob("*.md")) + [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.md"))]
        self.pages = {page.path: page for page in (Page(root, path) for path in paths)}
        self.errors = []

    def target_of(self, page: Page, link: str):
        """The address of a link relative to its page; None: no such file is part of the site."""
        if re.match(r"[a-z]+:", link):
            return link
        name, _, anchor = link.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), name)) if name else page.path
        if (self.root / path).is_dir() and f"{path}/README.md" in self.pages:
            path += "/README.md"
        if path in self.pages:
            if anchor and anchor not in self.pages[path].anchors:
                self.errors.append(f"{page.path}: no anchor {link}")
            address = self.pages[path].address
        else:
            source = self.root / path
            if not source.exists():
                self.errors.append(f"{page.path}: no file {link}")
            if not source.is_file() or source.stat().st_size > MOST_COPIED:
                return None
            copy = self.output / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            address = path
        relative = posixpath.relpath(address, posixpath.dirname(page.address) or ".")
        return relative + (f"#{anchor}" if anchor else "")

    def linked_body(self, page: Page) -> str:
        def replace(found):
            target = self.target_of(page, html.unescape(found[1]))
            return f'<a href="{html.escape(target)}">{found[2]}</a>' if target else found[2]

        def replace_picture(found):
            return f'<img src="{html.escape(self.target_of(page, html.unescape(found[1])) or "")}"'

        body = re.sub(r'<img src="([^"]*)"', replace_picture, page.body)
        return re.sub(r'<a href="([^"]*)">(.*?)</a>', replace, body, flags=re.DOTALL)

    def write(self):
        here = pathlib.Path(__file__).parent
        template = (here / "page.html").read_text(encoding="utf-8")
        for page in self.pages.values():
            base = posixpath.relpath(".", posixpath.dirname(page.address) or ".")
            text = template.replace("@TITLE@", html.escape(page.title)).replace("@BASE@", base).replace("@BODY@", self.linked_body(page))
            file = self.output / page.address
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        for name in ("style.css", "search.js"):
            shutil.copyfile(here / name, self.output / name)
        sections = [section for page in self.pages.values() for section in page.sections()]
        # A script, not JSON: browsers do not load files for pages that are files themselves.
        index = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
        (self.output / "search-index.js").write_text(f"const sections = {index};\n", encoding="utf-8")
        return len(sections)


def main() -> int:
    root, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    site = Site(root, output)
    sections = site.write()
    for error in site.errors:
        print(error)
    print(f"{output / 'index.html'}: {len(site.pages)} pages, {sections} sections in the index")
    return 1 if site.errors else 0


sys.exit(main())
