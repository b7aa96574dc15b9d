import datetime
import inspect
import json
import threading
import typing
import uuid

import pytest

import etl
from etl._core import call, lib
from etl._write import Builder, record

UTC = datetime.timezone.utc


def only(trace, name):
    return next(event for event in trace if event.name == name)


def test_values_of_a_type(types):
    event = next(event for event in etl.open(types) if event.name == "Scalars")
    assert event.value("i8", int) == -128 and event.value("f64", float) == -2.5e-300 and event.value("u64", float) > 1e19
    assert event.value("bool32", bool) is True and event.value("sid", str) == "S-1-5-32-544"
    assert isinstance(event.value("filetime", datetime.datetime), datetime.datetime)
    for name, kind, message in (("ansi", int, "ansi: expected an integer, found text"),
                                ("sid", bytes, "sid: expected bytes, found a SID"),
                                ("bool32", int, "bool32: expected an integer, found a Boolean"),
                                ("i8", dict, "i8: expected a structure, found an integer"),
                                ("guid", list, "guid: expected an array, found a GUID")):
        with pytest.raises(etl.WrongTypeError) as raised:
            event.value(name, kind)
        assert str(raised.value) == message and raised.value.status == "wrong type"
        assert raised.value.field == name and message.endswith(raised.value.found)
        assert isinstance(raised.value, (TypeError, ValueError)) and isinstance(raised.value, etl.ArgumentError)
    with pytest.raises(KeyError):
        event.value("none", int)
    with pytest.raises(TypeError, match="no field has the type"):
        event.value("i8", complex)


def test_events_have_header_and_names(first_steps):
    event = only(etl.open(first_steps), "CowOnTheLine")
    assert event.provider == "Example.SignalBox"
    assert event.provider_id == uuid.UUID("2dbb6b84-efe0-5f9b-7aa3-ecbb9205c226")
    assert (event.pid, event.tid, event.cpu, event.level, event.keyword) == (1200, 1208, 1, 3, 1)
    assert event.time == datetime.datetime(2024, 5, 17, 4, 0, 7, tzinfo=UTC)
    assert event.time_ns == 1715918407000000000
    assert event.activity_id is None or isinstance(event.activity_id, uuid.UUID)
    assert event.is_decoded and event.problem == "" and event.payload


def test_fields_are_objects_of_python(types):
    event = only(etl.open(types), "Scalars")
    assert event["i64"] == -(1 << 63) and event["u64"] == (1 << 64) - 1
    assert event["f64"] == -2.5e-300 and event["bool32"] is True and event["null"] is None
    assert event["binary"] == b"\xde\xad\xbe\xef"
    assert event["guid"] == uuid.UUID("8eadb513-e868-51a0-9a2b-0b396af6746b")
    assert event["filetime"] == datetime.datetime(2024, 5, 17, 4, 0, 0, 123456, tzinfo=UTC)
    assert event["sid"] == "S-1-5-32-544" and event["utf16"] == "\u20ac \U0001f682"
    assert event.text("hex32") == "0xBEEF" or event.text("hex32").lower() == "0xbeef"
    with pytest.raises(KeyError):
        event["none"]
    assert event.get("none", 5) == 5 and "none" not in event and "i64" in event


def test_arrays_and_structures(types):
    event = only(etl.open(types), "ArraysAndStructs")
    assert event["fixed"] == [1, 2, 3] and event["empty"] == []
    assert event["outer"] == {"first": 1, "inner": {"deep": 2}, "last": 3}
    assert event["pairs"] == [{"key": "a", "value": 1}, {"key": "b", "value": -2}]
    assert list(event) == ["fixed", "variable", "empty", "strings", "pids", "outer", "pairs", "tagged"]


def test_events_are_mappings(types):
    event = only(etl.open(types), "ArraysAndStructs")
    assert dict(event) == event.fields == dict(event.items()) and list(event.keys()) == list(event)
    assert list(event.values()) == list(event.fields.values())


def test_repeated_names_have_numbers(tmp_path):
    path = tmp_path / "twice.etl"
    with etl.Writer(path) as writer:
        builder = Builder("MyCompany.Shop", "Sold", 4, 0, 0, 0, 0, 0, None).fill({"What": "tea"})
        builder._add("What", "milk")
        builder._add("What", 3)
        call(lib.etl_writer_add_event, writer._handle, builder.handle, record([]))
    event = only(etl.open(path), "Sold")
    assert event.fields == dict(event) == {"What": "tea", "What#2": "milk", "What#3": 3}
    assert event["What#3"] == event.get("What#3") == 3 and "What#2" in event and "What#4" not in event
    with pytest.raises(KeyError, match="What#4"):
        event["What#4"]


def test_names_of_the_header(first_steps, corpus):
    assert only(etl.open(first_steps), "CowOnTheLine").level_name == ""
    assert "Information" in {event.level_name for event in etl.open(first_steps)}
    opcodes = {event.opcode_name: event.opcode for event in etl.open(corpus / "good/kernel-events-64.etl")}
    assert opcodes["Allocatepool"] == 32
    for event in etl.open(corpus / "good/merged-event-info.etl"):
        loaded = json.loads(event.json())
        assert event.task_name == loaded.get("task_name", "") and event.channel_name == loaded.get("channel_name", "")
        assert (event.user, event.computer) == (loaded.get("user", ""), loaded.get("computer", ""))


def test_paths(first_steps):
    assert len([1 for _ in etl.open(bytes(first_steps))]) == 11
    with pytest.raises(ValueError, match="no traces"):
        etl.open([])
    with first_steps.open("rb") as file:
        with pytest.raises(TypeError, match="not an open file"):
            etl.open(file)
    with pytest.raises(TypeError, match="found 5"):
        etl.open([5])


def test_hints_resolve():
    for function in (etl.open, etl.open_bytes, etl.table, etl.Trace.columns, etl.Columns.__init__, etl.Trace.relog,
                     etl.Writer.write, etl.Writer.write_record, etl.Runtime.start, etl.Session.listen):
        assert "return" in typing.get_type_hints(function)
    assert list(inspect.signature(etl.open).parameters)[:3] == ["paths", "schemas", "where"]


def test_dicts_and_json_agree(types):
    for event in etl.open(types):
        loaded = json.loads(event.json())
        if event.name == "ArraysAndStructs":
            assert event.to_dict()["data"] == loaded["data"]
        assert event.to_dict()["provider"] == loaded["provider"]
        assert event._repr_json_() == loaded


def test_filters_and_options(first_steps):
    assert len([1 for _ in etl.open(first_steps, where="provider == Example.SignalBox && level == 4")]) == 5
    assert len([1 for _ in etl.open([first_steps, first_steps])]) == 22
    assert len([1 for _ in etl.open(first_steps, start="+5s", end="+9s")]) > 0
    with pytest.raises(etl.Error, match=r"\^") as raised:
        etl.open(first_steps, where="level ==")
    assert raised.value.status == "invalid argument"
    with pytest.raises(ValueError):
        etl.open(first_steps, order="backwards")
    with pytest.raises(TypeError):
        etl.open(first_steps, filter="x")


def test_parts(corpus, tmp_path):
    path = corpus / "good/written-sequential.etl"
    complete = [event.json() for event in etl.open(path)]
    for n in (1, 3):
        parts = [[event.json() for event in etl.open(path, part=(k, n))] for k in range(1, n + 1)]
        assert sum(parts, []) == complete and all(parts)
    columns = etl.open(path, part=(2, 3)).columns().numpy()
    assert len(columns["time"]) == len(parts[1])
    for wrong in ((0, 2), (3, 2), (0, 0), (1, 0)):
        with pytest.raises(ValueError, match="k from 1 to n"):
            etl.open(path, part=wrong)
    with pytest.raises(etl.Error, match="order of time"):
        etl.open(path, part=(1, 2), order="file")
    with pytest.raises(etl.Error) as raised:
        etl.open(path, part=(1, 2)).save(tmp_path / "part.etl")
    assert raised.value.status == "unsupported"


def test_windows(corpus):
    path = corpus / "good/written-sequential.etl"
    trace = etl.open(path)
    window = trace.window("+10ms", "+50ms")
    events = [event.json() for event in etl.open(path, start="+10ms", end="+50ms")]
    assert [event.json() for event in window.events()] == events and events
    assert len(window.columns().numpy()["time"]) == len(events)
    table = window.table("stats", by="event")
    assert table.rows == etl.table("stats", path, by="event", start="+10ms", end="+50ms").rows
    first = trace.infos[0].start_time
    later = trace.window(first + datetime.timedelta(milliseconds=10), first + datetime.timedelta(milliseconds=50))
    assert later.table("stats", by="event").rows == table.rows
    assert [event.json() for event in trace.window().events()] == [event.json() for event in trace]
    filtered = etl.open(path, where="event == Nothing").window("+10ms")
    assert not list(filtered.events()) and not filtered.table("stats").rows
    assert "+10ms" in repr(window)
    with pytest.raises(ValueError, match="etl.open"):
        etl.open_bytes(path.read_bytes()).window()
    with pytest.raises(ValueError, match="part"):
        etl.open(path, part=(1, 2)).window("+10ms").table("stats")
    with pytest.raises(ValueError, match="zone"):
        trace.window(datetime.datetime(2024, 5, 17))


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.etl") as raised:
        etl.open(tmp_path / "none.etl")
    assert raised.value.status == "not found" and isinstance(raised.value, etl.Error)
    with pytest.raises(ValueError, match="level") as raised:
        etl.open(tmp_path / "none.etl", where="level ==")
    assert isinstance(raised.value, etl.ArgumentError)
    with pytest.raises(LookupError, match="no table"):
        etl.table("none", tmp_path)
    (tmp_path / "empty.etl").write_bytes(b"")
    with pytest.raises(etl.Error):
        etl.open(tmp_path / "empty.etl")
    (tmp_path / "text.etl").write_bytes(b"not a trace" * 1000)
    with pytest.raises(etl.Error) as raised:
        etl.open(tmp_path / "text.etl")
    assert raised.value.status == "not a trace"


def test_truncated_traces_have_findings(first_steps, tmp_path):
    cut = tmp_path / "cut.etl"
    cut.write_bytes(first_steps.read_bytes()[:-1000])
    with etl.open(cut) as trace:
        assert len([1 for _ in trace]) > 0
        assert len(trace.findings) == 1 and "cut.etl" in trace.findings[0]


def test_events_of_the_past_are_refused(first_steps):
    trace = etl.open(first_steps)
    events = list(trace)
    assert len(events) == 11
    with pytest.raises(etl.Error, match="moved on"):
        events[0].name
    assert repr(events[0]) == "<etl.Event of the past>"
    assert [event.name for event in trace] == [event.name for event in trace]  # each loop starts over


def test_loops_do_not_share_a_trace(first_steps):
    trace = etl.open(first_steps)
    first = iter(trace)
    next(first)
    assert len([1 for _ in trace]) == 11
    with pytest.raises(etl.Error, match="read elsewhere"):
        next(first)


def test_memory_and_closing(first_steps):
    with etl.open_bytes(first_steps.read_bytes()) as trace:
        assert len([1 for _ in trace]) == 11
    with pytest.raises(ValueError, match="closed"):
        iter(trace).__next__()
    trace.close()
    assert repr(trace) == "<etl.Trace closed>"


def test_saving(first_steps, tmp_path):
    path = tmp_path / "saved.etl"
    assert etl.open(first_steps, where="level == 3").save(path) >= 1
    assert len([1 for event in etl.open(path) if event.name == "CowOnTheLine"]) == 1
    with pytest.raises(etl.Error, match="existing"):
        etl.open(first_steps).save(path)
    etl.open(first_steps).save(path, replace=True)


def test_notebooks(first_steps):
    trace = etl.open(first_steps)
    assert "first-steps.etl" in repr(trace) and "<table>" in trace._repr_html_()
    event = only(trace, "CowOnTheLine")
    assert "Colour='brown'" in repr(event)
    assert "<td>brown</td>" in event._repr_html_()
    assert trace.infos[0].pointer_size == 8 and trace.infos[0].is_finalized


def test_threads_read_their_own_traces(first_steps):
    counts = []

    def read():
        counts.append(sum(len(event.fields) for _ in range(20) for event in etl.open(first_steps)))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(counts)) == 1 and counts[0] > 0 and len(counts) == 4


def test_records_without_a_usable_time(first_steps, tmp_path):
    """One timestamp is far away."""
    stored = (50_000_000).to_bytes(8, "little")  # of TrainApproaches, 5 s after the start
    data = first_steps.read_bytes()
    assert data.count(stored) == 1
    data = data.replace(stored, (9 * 10**18).to_bytes(8, "little"))
    with etl.open_bytes(data) as trace:
        first = next(event for event in trace if event.name == "TrainApproaches")
        assert first.time is None and first.time_ns is None and first.to_dict()["time"] is None
        assert repr(first).startswith("<etl.Event - Example.SignalBox/TrainApproaches")
        assert first._repr_html_()
        times = trace.columns("Example.SignalBox").numpy()["time"]
        assert [str(time) == "NaT" for time in times].count(True) == 1
    with etl.open_bytes(data, start="+0s") as trace:
        assert "TrainApproaches" not in [event.name for event in trace]
        assert any("no usable timestamp" in remark for remark in trace.remarks)
