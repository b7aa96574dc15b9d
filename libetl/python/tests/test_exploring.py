import concurrent.futures
import datetime

import pytest

import etl


def test_tables_are_those_of_the_module(corpus):
    path = corpus / "good/machine-facts.etl"
    with etl.explore(path) as explorer:
        assert not explorer.is_indexed
        for name, kinds in etl.tables().items():
            for by in kinds or [None]:
                assert list(explorer.table(name, by=by)) == list(etl.table(name, path, by=by)), (name, by)
        page = explorer.table("stats", by="event", sort="events", reverse=True, first=1, rows=2)
        assert len(page) == 2 and page.first_row == 1 and page.row_count > 2
        assert page[0]["events"] <= page[1]["events"]
    with pytest.raises(ValueError, match="closed"):
        explorer.table("cpu")


def test_events_come_in_pages(first_steps):
    with etl.explore(first_steps) as explorer:
        names = [event.name for event in etl.open(first_steps)]
        page = explorer.events(first=2, rows=3)
        assert [row["row"] for row in page] == [2, 3, 4] and page.next_row == 5
        assert isinstance(page[0]["time"], datetime.datetime)
        rest = explorer.events(first=page.next_row, where="event != none")
        assert rest.next_row is None and rest.row_count is not None
        found = explorer.search("IC 12")
        assert found[0]["event"] in names and "IC 12" in found[0]["text"]
        assert explorer.search("ic 12", rows=1).next_row is None or len(found) > 1


def test_an_event_has_all_that_is_known(first_steps):
    with etl.explore(first_steps) as explorer:
        row = explorer.events(where="event == TrainApproaches")[0]
        detail = explorer.event(row)
        assert detail.values["data"]["Train"] == "IC 12" and detail.values["event"] == "TrainApproaches"
        field = detail.fields[0]
        assert (field["field"], field["value"], field["offset"]) == ("Train", "IC 12", 0)
        assert detail.payload[:field["size"]].decode("utf-16-le" if field["size"] > 6 else "utf-8").startswith("IC 12")
        assert detail.file_offset > 0 and detail.header and len(detail.stack) == 0
        with pytest.raises(etl.NotFoundError, match="no event"):
            explorer.event({**row, "offset": row["offset"] + 1})


def test_frames_add_up(corpus):
    with etl.explore(corpus / "good/kernel-events-64.etl") as explorer:
        frames = explorer.flame("event")
        roots = [row["weight"] for row in frames if row["depth"] == 0]
        assert sum(row["own"] for row in frames) == sum(roots)


def test_frames_are_grouped(corpus):
    with etl.explore(corpus / "good/kernel-events-64.etl") as explorer:
        weight = sum(row["own"] for row in explorer.flame("event"))
        frames = explorer.flame("event", grouping="*->all")
        assert [(row["function"], row["kind"], row["own"]) for row in frames] == [("all", "group", weight)]
        functions = explorer.flame("event", inverted=True, fold_percent=0.5)
        assert sum(row["own"] for row in functions) == weight
        assert len(explorer.flame("event", focus="none")) == 0
        with pytest.raises(etl.ArgumentError, match="include"):
            explorer.flame("event", include="@(")


def test_tracks_are_those_of_the_table(corpus):
    path = corpus / "good/process-activity.etl"
    with etl.explore(path) as explorer:
        assert list(explorer.lod(columns=60)) == list(etl.table("tracks", path, slices=60))
        threads = explorer.lod(tracks="thread", columns=10)
        assert len(threads) and {row["track"] for row in threads} == {"thread"}
        with pytest.raises(ValueError, match="teapot"):
            explorer.lod(tracks=["teapot"])


def test_threads_are_followed(corpus):
    with etl.explore(corpus / "good/process-activity.etl") as explorer:
        steps = explorer.follow(51, "+0s")
        assert [(row["state"], row["reason"]) for row in steps] == [("waiting", "UserRequest")]
        none = explorer.follow(4242, "+0s")
        assert len(none) == 0 and "4242" in none.remarks[0]
        assert {"tid", "state", "begin", "end", "reason", "waker"} <= {column.name for column in steps.columns}
        path = explorer.follow(51, start="+0s", end="+0.001s")
        assert [row["state"] for row in path] == ["unknown"]
        with pytest.raises(etl.NotFoundError, match="no trace 2"):
            explorer.follow(51, input=2)
        with pytest.raises(etl.ArgumentError, match="at"):
            explorer.follow(51, "+0s", end="+1s")


def test_wrong_questions_are_named(first_steps):
    with etl.explore(first_steps) as explorer:
        for ask, message in ((lambda: explorer.table("teapots"), "teapots"), (lambda: explorer.events(rows=1_000_000), "count"),
                             (lambda: explorer.search(""), "text"), (lambda: explorer.events(where="level =="), "where"),
                             (lambda: explorer.flame(smallest_share=2), "smallest_share")):
            with pytest.raises((etl.ArgumentError, etl.NotFoundError), match=message):
                ask()
        explorer.stop()  # nothing is under way
        assert len(explorer.events()) > 0


def test_threads_share_an_explorer(first_steps):
    with etl.explore(first_steps) as explorer, concurrent.futures.ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(lambda first: list(explorer.events(first=first, rows=2)), range(8)))
        assert [page[0]["row"] for page in pages] == list(range(8))
