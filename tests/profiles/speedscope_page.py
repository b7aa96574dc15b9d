"""speedscope_page.py ETL MODULES TRACE...: speedscope, as npm has it, loads what `etl export --to speedscope` writes in a
headless Chromium, and shows the totals of `etl cpu`: for each thread, and for the functions of the busiest thread.
MODULES is a node_modules directory."""

import base64
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import speedscope
import tables
from tables import require

SKIPPED = 77
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--virtual-time-budget=20000"]


def shown(nanoseconds):
    """A time as speedscope shows it."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.2f}{unit}"
    return f"{nanoseconds:.2f}ns"


def page_of(browser, index, file, work):
    """The elements of the page with the profile, as text."""
    script = work / "profile.js"
    data = base64.b64encode(file.read_bytes()).decode()
    script.write_text(f'speedscope.loadFileFromBase64("{file.name}", "{data}")')
    url = f"{index.as_uri()}#view=sandwich&localProfilePath={script}"
    done = subprocess.run([browser, *FLAGS, f"--user-data-dir={work / 'user'}", "--dump-dom", url], capture_output=True,
                          check=False, timeout=300)
    require(done.returncode == 0, f"chromium: exit code {done.returncode}")
    text = re.sub(r"<style.*?</style>", "", done.stdout.decode(), flags=re.DOTALL)
    return [html.unescape(part) for part in re.split(r"<[^>]*>", text) if part.strip()]


def check(etl, browser, index, trace):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        file = work / "profile.speedscope.json"
        file.write_bytes(tables.run(etl, "export", "--to", "speedscope", "--no-progress", trace, expected=(0, 1)))
        profiles = json.loads(file.read_text())
        texts = page_of(browser, index, file, work)
    threads = {profile["name"]: shown(profile["endValue"]) for profile in profiles["profiles"]}
    if len(threads) > 1:
        found = {name: texts[i + 1] for name in threads for i, text in enumerate(texts[:-1])
                 if text == name and texts[i + 1] == threads[name]}
        tables.require_equal(f"{trace}: threads in the page", found, threads)
    check_functions(etl, trace, profiles, texts)
    print(f"{trace}: {len(threads)} threads")


def check_functions(etl, trace, file, texts):
    """The rows of the view `Sandwich`: total and own time, each with its part, and the name."""
    first = file["profiles"][0]
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    expected = {}
    for stack, weight in zip(first["samples"], first["weights"]):
        for name in {frames[frame] for frame in stack}:
            times = expected.setdefault(name, [0, 0])
            times[0] += weight
            times[1] += weight if name == frames[stack[-1]] else 0
    rows = 0
    for total, own, name in zip(texts, texts[1:], texts[2:]):
        if name in expected and re.match(r"^[\d.]+\S* \(", total) and re.match(r"^[\d.]+\S* \(", own):
            times = (total.split(" ")[0], own.split(" ")[0])
            require(times == tuple(map(shown, expected[name])), f"{trace}: {name}: {times}, expected {expected[name]}")
            rows += 1
    require(rows >= min(len(expected), 5), f"{trace}: only {rows} rows")
    require(speedscope.key_of(first["name"]) in tables.by_thread(etl, trace).by_key, f"{trace}: {first['name']}")


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    index = pathlib.Path(sys.argv[2]) / "speedscope" / "dist" / "release" / "index.html"
    if browser is None or not index.exists():
        print("skipped: chromium is not installed (scripts/setup check)" if browser is None else
              "skipped: speedscope is not installed (scripts/setup check)")
        sys.exit(SKIPPED)
    for trace in sys.argv[3:]:
        check(sys.argv[1], browser, index.resolve(), trace)


if __name__ == "__main__":
    main()
