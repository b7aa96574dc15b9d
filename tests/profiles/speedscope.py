"""speedscope.py ETL TRACE...: `etl export --to speedscope` obeys the rules of the format (file-format-spec.ts of
github.com/jlfwong/speedscope), and its sums are those of `etl cpu`."""

import json
import re
import sys

import tables
from tables import require

TITLE = re.compile(r"^(?:process (?P<unnamed>\d+)|unknown process|(?P<name>.*?) \((?P<pid>\d+)\)|DPC|ISR)"
                   r"(?: thread (?P<tid>\d+))?(?: .*)?$", re.DOTALL)


def key_of(title):
    """Process, process ID, and thread ID in the title of a profile."""
    if title in ("DPC", "ISR"):
        return (title, None, None)
    match = TITLE.match(title)
    require(match is not None, f"title {title!r}")
    pid = match["pid"] or match["unnamed"]
    return (match["name"], int(pid) if pid else None, int(match["tid"]) if match["tid"] else None)


def check_profile(profile, frames):
    require(profile["type"] == "sampled" and profile["unit"] == "nanoseconds", "type and unit")
    require(len(profile["samples"]) == len(profile["weights"]) > 0, f"{profile['name']}: a weight for each sample")
    require(all(isinstance(weight, int) and weight >= 0 for weight in profile["weights"]), "weights")
    require(profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"]), "startValue, endValue")
    for stack in profile["samples"]:
        require(stack and all(0 <= frame < len(frames) for frame in stack), "a frame that does not exist")


def check(etl, trace):
    data = tables.run(etl, "export", "--to", "speedscope", "--no-progress", trace, expected=(0, 1))
    file = json.loads(data.decode())
    require(file["$schema"] == "https://www.speedscope.app/file-format-schema.json", "$schema")
    require(file["activeProfileIndex"] == 0 and file["exporter"].startswith("etl "), "activeProfileIndex, exporter")
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    threads, exclusive, inclusive = tables.Sums(), tables.Sums(), tables.Sums()
    for profile in file["profiles"]:
        check_profile(profile, frames)
        threads.add(key_of(profile["name"]), 0, profile["endValue"])
        for stack, weight in zip(profile["samples"], profile["weights"]):
            exclusive.add(frames[stack[-1]], 0, weight)
            for name in {frames[frame] for frame in stack} - tables.MARKERS:
                inclusive.add(name, 0, weight)
    tables.require_equal(f"{trace}: threads", threads.nanoseconds(), tables.by_thread(etl, trace).nanoseconds())
    tables.require_equal(f"{trace}: functions", exclusive.nanoseconds(), tables.by_function(etl, trace).nanoseconds())
    tables.require_equal(f"{trace}: functions, inclusive", inclusive.nanoseconds(),
                         tables.by_function(etl, trace, "inclusive_").nanoseconds())
    print(f"{trace}: {len(file['profiles'])} threads, {len(frames)} functions")


if __name__ == "__main__":
    for path in sys.argv[2:]:
        check(sys.argv[1], path)
